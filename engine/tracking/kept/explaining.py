"""Kept updates explained, and run again: from what was in force when they came, changing nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, no_progress
from engine.domain.settings import ProjectSettings, changed_settings
from engine.domain.tracking.decision import Explanation, Outcome
from engine.domain.tracking.explaining import (
    ExplainedUpdate,
    KeptUpdate,
    ReplayedEvent,
    ReplayFences,
    ReplayQuery,
    ReplayReport,
    UpdateQuery,
)
from engine.domain.tracking.updates import Confidence, EventType, PlaceState, Presence
from engine.geo.index import SpatialIndex
from engine.store.settings import settings_versions
from engine.store.updates import all_versions, last_update, updates_of_device, versions_near, versions_of
from engine.store.writer import Connection
from engine.tracking.context import summary_of
from engine.tracking.decide import Decision, explained
from engine.tracking.fraud import Reported, Seen, judged, newly_failed
from engine.tracking.kept.history import Fence, FenceHistory
from engine.tracking.measure import LARGEST_M
from engine.tracking.place_state import OFF, Around, Since, move, place_reason, region_reason, valid
from engine.tracking.settings import since_after
from engine.tracking.step import EVENTS, Presences, Step, stay_s, step
from engine.tracking.tracker import explained_m
from engine.tracking.whatif.cases import Case
from engine.tracking.whatif.remedies import remedies

_PROGRESS_EVERY = 100
_REMEDIED = 50
"""For so many geofences around an update it is found out what would have made an event fire."""


class Explainer:
    """Explains and replays the kept updates of one environment, from a connection for reading."""

    def __init__(
        self, environment: Environment, present: SpatialIndex[Geofence], connection: Connection, around: Around
    ) -> None:
        """`present` are the geofences now; they may be edited meanwhile. `around` are the places and regions now."""
        self._around = around
        self._environment = environment
        self._present = present
        self._connection = connection
        self._settings = settings_versions(connection, environment)

    def explain(self, query: UpdateQuery) -> ExplainedUpdate:
        """Return what an update meant for each geofence near, as everything was then.

        Raises `NotFound` naming ``device`` or ``at`` when no such update is kept.
        """
        update = last_update(self._connection, self._environment, query.device_id, query.user_id, query.at)
        if update is None:
            raise self._not_found(query)
        reach_m = explained_m(update.fix)
        history = self._history_near(update, reach_m)
        explanations = explained(self._step(update, history, reach_m).decisions, reach_m, update.presences)
        place, region = self._around_reasons(update)
        return ExplainedUpdate(
            update.number,
            self._environment,
            update.user,
            update.fix,
            update.received_at,
            update.subject.ip,
            update.replayed,
            self._remedied(update, history, explanations),
            place,
            region,
        )

    def replay(self, query: ReplayQuery, progress: Progress = no_progress) -> ReplayReport:
        """Run a device's updates again as they were and as they would have been; `progress` may raise `Cancelled`.

        Raises `NotFound` naming ``device`` when none are kept, `InvalidParameter` naming a setting.
        """
        updates = updates_of_device(
            self._connection,
            self._environment,
            query.device_id,
            user_id=query.user_id,
            after=query.after,
            before=query.before,
        )
        if not updates:
            raise NotFound("device", f"No location updates of the device {query.device_id!r} are kept.")
        revisions = [update.revision for update in updates]
        # Read before the versions: an edit that comes between is then in both, never in neither.
        former = all_versions(self._connection, self._environment, min(revisions), max(revisions))
        settings = {number: changed_settings(each, query.change) for number, each in self._settings.items()}
        replay = _Replay(
            FenceHistory(self._present, former), self._present, self._settings, settings, query.fences, self._around
        )
        for index, update in enumerate(updates):
            if index % _PROGRESS_EVERY == 0:
                progress(index, len(updates))
            replay.run(update)
        progress(len(updates), len(updates))
        return ReplayReport(len(updates), tuple(replay.before), tuple(replay.after))

    def _remedied(
        self, update: KeptUpdate, history: FenceHistory, explanations: tuple[Explanation, ...]
    ) -> tuple[Explanation, ...]:
        """Return explanations with what would have made events fire, of as many as can be read."""
        settings = self._settings[update.settings]

        def remedied(explanation: Explanation) -> Explanation:
            fence = history.get(explanation.geofence.id, update.revision)
            if fence is None:
                return explanation
            presence = update.presences.get(fence.item.id)
            case = Case(presence, update.subject, update.fix, fence, settings, update.received_at)
            return replace(explanation, remedies=remedies(case))

        # What was withheld first: of hundreds of geofences that the user was merely outside, nobody reads all.
        first = sorted(explanations, key=lambda each: each.outcome in (Outcome.STAY_OUTSIDE, Outcome.STAY_INSIDE))
        known = {each.geofence.id: remedied(each) for each in first[:_REMEDIED]}
        return tuple(known.get(each.geofence.id, each) for each in explanations)

    def _step(self, update: KeptUpdate, history: FenceHistory, reach_m: float) -> Step:
        settings = self._settings[update.settings]
        fences = candidates(history, update, update.presences, reach_m, update.revision)
        return step(dict(update.presences), update.subject, update.fix, fences, settings, update.received_at)

    def _around_reasons(self, update: KeptUpdate) -> tuple[str | None, str | None]:
        """Return why the user is at a place and in regions, or is not, each where the settings asked for it."""
        settings = self._settings[update.settings]
        if not (settings.places or settings.regions):
            return None, None
        before = valid(update.place_state, _since(self._settings)[update.settings])
        moved = move(before, update.fix, settings, update.settings, self._around)
        place = place_reason(moved, update.fix, settings, self._around) if settings.places else None
        return place, region_reason(moved, update.fix) if settings.regions else None

    def _history_near(self, update: KeptUpdate, reach_m: float) -> FenceHistory:
        point, revision = update.fix.point, update.revision
        near = versions_near(self._connection, self._environment, point, reach_m, revision)
        # A stay may be in a geofence that is far away by now.
        stays = versions_of(self._connection, list(update.presences), revision)
        versions = {(version.geofence.id, version.geofence.revision): version for version in (*near, *stays)}
        return FenceHistory(self._present, versions.values())

    def _not_found(self, query: UpdateQuery) -> NotFound:
        known = last_update(self._connection, self._environment, query.device_id, query.user_id, None)
        if known is None:
            return NotFound("device", f"No location update of the device {query.device_id!r} is kept.")
        return NotFound("at", "No location update of the device from that time or before is kept.")


def candidates(
    history: FenceHistory, update: KeptUpdate, presences: Iterable[str], reach_m: float, revision: int
) -> list[Fence]:
    """Return the geofences about which an update is decided: those near, and those with a presence."""
    point = update.fix.point
    near = history.near(point.longitude, point.latitude, reach_m, revision)
    known = {fence.item.id for fence in near}
    missing = (history.get(key, revision) for key in presences if key not in known)
    return near + [fence for fence in missing if fence is not None]


@dataclass(slots=True)
class _Track:
    """Where one user is inside as things were, and as they would have been."""

    after: Presences
    was_inside: Presences
    place_state: PlaceState


class _Replay:
    """Runs updates one after the other on both sides."""

    def __init__(
        self,
        history: FenceHistory,
        present: SpatialIndex[Geofence],
        settings: dict[int, ProjectSettings],
        changed: dict[int, ProjectSettings],
        fences: ReplayFences,
        around: Around,
    ) -> None:
        self._around = around
        self._since, self._since_after = _since(settings), _since(changed)
        self.before: list[ReplayedEvent] = []
        self.after: list[ReplayedEvent] = []
        self._history = history
        self._settings = settings
        self._changed = changed
        self._now = FenceHistory(present, ()) if fences is ReplayFences.NOW else None
        self._tracks: dict[str, _Track] = {}
        self._seen_before: dict[str, Seen] = {}
        self._seen_after: dict[str, Seen] = {}

    def run(self, update: KeptUpdate) -> None:
        """Decide an update on both sides and note the events."""
        recorded = dict(update.presences)
        track = self._tracks.setdefault(update.user.id, _Track(dict(recorded), dict(recorded), update.place_state))
        # What an edit ended between two updates has ended on the other side as well.
        ended = track.was_inside.keys() - recorded.keys()
        presences = {key: stay for key, stay in track.after.items() if key not in ended}

        before = self._step(update, recorded, self._settings[update.settings], self._history, update.revision)
        self.before += _events(update, before, recorded)
        self.before += self._moved(update, valid(update.place_state, self._since[update.settings]), self._settings)[1]
        self.before += _checked(update, self._settings[update.settings], self._seen_before)
        fences, revision = self._history, update.revision
        if self._now is not None:
            fences, revision = self._now, _ALL_EDITS
        presences = {key: stay for key, stay in presences.items() if fences.get(key, revision) is not None}
        after = self._step(update, presences, self._changed[update.settings], fences, revision)
        self.after += _events(update, after, presences)
        still = valid(track.place_state, self._since_after[update.settings])
        track.place_state, moved = self._moved(update, still, self._changed)
        self.after += moved
        self.after += _checked(update, self._changed[update.settings], self._seen_after)
        track.was_inside, track.after = before.presences, after.presences

    def _step(
        self,
        update: KeptUpdate,
        presences: Presences,
        settings: ProjectSettings,
        fences: FenceHistory,
        revision: int,
    ) -> Step:
        reach_m = min(update.fix.accuracy_m, LARGEST_M) if settings.buffer_entries else 0.0
        near = candidates(fences, update, presences, reach_m, revision)
        return step(presences, update.subject, update.fix, near, settings, update.received_at)

    def _moved(
        self, update: KeptUpdate, where: PlaceState, settings: dict[int, ProjectSettings]
    ) -> tuple[PlaceState, list[ReplayedEvent]]:
        """Return where the user is after an update and the events of that, by the places and regions of now."""
        moved = move(where, update.fix, settings[update.settings], update.settings, self._around)
        events = [
            ReplayedEvent(
                each.type,
                update.fix.at,
                update.user,
                confidence=each.confidence,
                duration_s=each.duration_s,
                place=each.place,
                region=each.region,
            )
            for each in moved.happenings
        ]
        return moved.after, events


def _since(settings: dict[int, ProjectSettings]) -> dict[int, Since]:
    """Return for every version of the settings since when places and regions had been on."""
    found, since = {}, OFF
    for number in sorted(settings):
        since = found[number] = since_after(since, number, settings[number])
    return found


def _checked(update: KeptUpdate, settings: ProjectSettings, seen: dict[str, Seen]) -> list[ReplayedEvent]:
    """Return the failed fraud check of an update, if one fails, and note how the update leaves the user."""
    before, fraud = seen.get(update.user.id), None
    if settings.fraud:
        subject, device_id = update.subject, update.user.device_id
        reported = Reported(device_id, subject.user_id, subject.ip, update.mocked, update.compromised)
        others = [other for user_id, other in seen.items() if user_id != update.user.id]
        fraud = judged(reported, update.fix, before, others, settings)
    seen[update.user.id] = Seen(update.subject.user_id, update.fix, fraud)
    if fraud is None or not newly_failed(before.fraud if before else None, fraud):
        return []
    sure = Confidence.HIGH
    return [ReplayedEvent(EventType.FAILED_FRAUD, update.fix.at, update.user, confidence=sure, fraud=fraud)]


_ALL_EDITS = 2**62
"""Later than every edit."""


def _events(update: KeptUpdate, taken: Step, presences: dict[str, Presence]) -> list[ReplayedEvent]:
    return [_event(update, decision, presences) for decision in taken.fired]


def _event(update: KeptUpdate, decision: Decision, presences: dict[str, Presence]) -> ReplayedEvent:
    kind, geofence = EVENTS[decision.outcome], decision.fence.item
    leaving = kind is EventType.EXITED_GEOFENCE
    return ReplayedEvent(
        type=kind,
        created_at=update.fix.at,
        user=update.user,
        geofence=summary_of(decision.fence),
        confidence=decision.confidence,
        duration_s=stay_s(presences.get(geofence.id), update.fix) if leaving else None,
        currently_operating=decision.currently_operating,
    )
