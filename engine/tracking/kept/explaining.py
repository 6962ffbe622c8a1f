"""Explanations of kept updates by the settings and geofences of their time, without changing anything."""

from collections.abc import Mapping
from datetime import datetime

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.geofence import Geofence
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import WANTED, Explanation, Outcome
from engine.domain.tracking.explaining import ExplainedUpdate, KeptUpdate, UpdateQuery
from engine.domain.tracking.verdicts import Verdict
from engine.domain.values import replace
from engine.geo.index import SpatialIndex
from engine.geo.zones import zone_at, zoned_text
from engine.store.settings import settings_versions
from engine.store.updates import (
    kept_range,
    kept_verdicts,
    last_update,
    next_time,
    updates_at,
    versions_near,
    versions_of,
)
from engine.store.writer import Connection
from engine.tracking.decide import explained
from engine.tracking.kept.history import FenceHistory, candidates_of
from engine.tracking.kept.missing import nothing_kept
from engine.tracking.place_state import OFF, Around, Since, move, valid
from engine.tracking.settings import since_after
from engine.tracking.step import Step, around_verdicts, complete, explained_m, step
from engine.tracking.whatif.cases import Case
from engine.tracking.whatif.remedies import remedies

_REMEDIED = 50
"""Maximum number of geofences around an update for which remedies are computed."""


class Explainer:
    """Explains the kept updates of one environment, using a connection for reading."""

    def __init__(
        self, environment: Environment, present: SpatialIndex[Geofence], connection: Connection, around: Around
    ) -> None:
        """Create an explainer.

        `present` are the current geofences, which may be edited in the meantime. `around` are the current places and
        regions.
        """
        self._around = around
        self._environment = environment
        self._present = present
        self._connection = connection
        self._settings = settings_versions(connection, environment)

    def explain(self, query: UpdateQuery) -> ExplainedUpdate:
        """Return the meaning of an update for each nearby geofence, with the settings and geofences of its time.

        Raises `NotFound` naming ``device`` or ``at`` if no such update is kept.
        """
        update = last_update(self._connection, self._environment, query.device_id, query.user_id, query.at)
        if update is None:
            raise self._not_found(query)
        if query.fired is not None:
            update = self._that_fired(update, query.fired)
        reach_m = explained_m(update.fix)
        history = self._history_near(update, reach_m)
        explanations = explained(self._step(update, history, reach_m).decisions, reach_m, update.stays)
        return ExplainedUpdate(
            update.number,
            self._environment,
            update.user,
            update.fix,
            update.received_at,
            update.subject.ip,
            update.replayed,
            self._remedied(update, history, explanations),
            self._verdicts(update),
            zone_at(update.fix.point.longitude, update.fix.point.latitude).key,
            self._next_at(query),
        )

    def _next_at(self, query: UpdateQuery) -> datetime | None:
        if query.at is None:
            return None
        return next_time(self._connection, self._environment, query.device_id, query.user_id, query.at)

    def _that_fired(self, last: KeptUpdate, fired: tuple[str, str]) -> KeptUpdate:
        """Return the update of the same user and time that fired an event, or the given update if none did."""
        kind, name = fired
        for update in updates_at(self._connection, self._environment, last):
            for each in kept_verdicts(self._connection, update.number) or ():
                if each.fired and each.type == kind and each.about is not None and name in each.about.names:
                    return update
        return last

    def _remedied(
        self, update: KeptUpdate, history: FenceHistory, explanations: tuple[Explanation, ...]
    ) -> tuple[Explanation, ...]:
        """Return explanations with the changes that would have made events fire, for a limited number of geofences."""
        settings = self._settings[update.settings]

        def remedied(explanation: Explanation) -> Explanation:
            fence = history.get(explanation.geofence.id, update.revision)
            if fence is None or explanation.outcome not in WANTED or explanation.follows_late:
                return explanation
            inside = update.presences if update.in_order is None else update.in_order
            presence = inside.get(fence.item.id)
            case = Case(presence, update.subject, update.fix, fence, settings, update.received_at)
            return replace(explanation, remedies=remedies(case))

        # Withheld events first: a user is merely outside hundreds of geofences, more than a reader needs.
        first = sorted(explanations, key=lambda each: each.outcome in (Outcome.STAY_OUTSIDE, Outcome.STAY_INSIDE))
        known = {(each.geofence.id, each.outcome): remedied(each) for each in first[:_REMEDIED]}
        return tuple(known.get((each.geofence.id, each.outcome), each) for each in explanations)

    def _step(self, update: KeptUpdate, history: FenceHistory, reach_m: float) -> Step:
        settings = self._settings[update.settings]
        fences = candidates_of(history, update.fix.point, update.stays, reach_m, update.revision)
        inside, subject, now = dict(update.presences), update.subject, update.received_at
        return step(inside, subject, update.fix, fences, settings, now, in_order=update.in_order)

    def _verdicts(self, update: KeptUpdate) -> tuple[Verdict, ...]:
        """Return why events other than those of geofences fired, or not.

        Updates of former versions kept no reasons. For them only places and regions are explained, with the current
        data.
        """
        settings = self._settings[update.settings]
        if (kept := kept_verdicts(self._connection, update.number)) is not None:
            return complete(kept, settings)
        before = valid(update.place_state, since_by_version(self._settings)[update.settings])
        moved = move(before, update.fix, settings, update.settings, self._around)
        return around_verdicts(moved, update.fix, settings, self._around)

    def _history_near(self, update: KeptUpdate, reach_m: float) -> FenceHistory:
        point, revision = update.fix.point, update.revision
        near = versions_near(self._connection, self._environment, point, reach_m, revision)
        # A presence may be in a geofence that is far away by now.
        stays = versions_of(self._connection, list(update.stays), revision)
        versions = {(version.geofence.id, version.geofence.revision): version for version in (*near, *stays)}
        return FenceHistory(self._present, versions.values())

    def _not_found(self, query: UpdateQuery) -> NotFound:
        known = last_update(self._connection, self._environment, query.device_id, query.user_id, None)
        first = kept_range(self._connection, self._environment, (query.device_id,), query.user_id)
        if known is None or first is None:
            return nothing_kept(self._connection, self._environment, (query.device_id,), query.user_id)
        point = known.fix.point
        since = f"; the first is of {zoned_text(first.first, zone_at(point.longitude, point.latitude))}"
        return NotFound("at", f"No location updates of the device from that time or before are kept{since}.")


def since_by_version(settings: Mapping[int, ProjectSettings]) -> dict[int, Since]:
    """Return since when places and regions had been enabled in each version of the settings."""
    found, since = {}, OFF
    for number in sorted(settings):
        since = found[number] = since_after(since, number, settings[number])
    return found
