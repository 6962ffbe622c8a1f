"""Replay of updates, as they were and with edits that are visible to the replay only."""

from collections.abc import Iterable, Mapping, Sequence

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.fields.settings import changed_settings
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, no_progress
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.explaining import KeptUpdate, ReplayFences, ReplayQuery, ReplayReport
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import NOWHERE, LocationUpdate, Subject, UserSummary
from engine.domain.tracking.whatif import Difference, DifferenceKind, FenceEdits, Pair, paired
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import shape_of
from engine.store.settings import settings_versions
from engine.store.updates import all_versions, count_of_devices, updates_of_devices
from engine.store.writer import Connection
from engine.tracking.arrival import accepted
from engine.tracking.decide import Decision
from engine.tracking.kept.history import Fence, FenceHistory, Fences
from engine.tracking.kept.missing import nothing_kept
from engine.tracking.place_state import Around
from engine.tracking.step import Presences
from engine.tracking.whatif.worlds import Happened, World

_PROGRESS_EVERY = 100

ALL_EDITS = 2**62
"""A revision later than every edit."""


class Replayer:
    """Replays updates of one environment, using a connection for reading."""

    def __init__(
        self, environment: Environment, present: SpatialIndex[Geofence], connection: Connection, around: Around
    ) -> None:
        """Create a replayer.

        `present` are the current geofences, which may be edited in the meantime. `around` are the current places and
        regions.
        """
        self._environment = environment
        self._present = present
        self._connection = connection
        self._around = around
        self._settings = settings_versions(connection, environment)

    def replay(self, query: ReplayQuery, progress: Progress = no_progress) -> ReplayReport:
        """Replay updates as they were and with the changes. `progress` may raise `Cancelled`.

        Raises `NotFound` naming ``device`` if none are kept, or `InvalidParameter` naming a setting.
        """
        changed = {number: changed_settings(each, query.change) for number, each in self._settings.items()}
        if query.updates is not None:
            return self._of_track(query.updates, changed, query, progress)
        return self._of_kept(changed, query, progress)

    def _of_kept(self, changed: Mapping[int, ProjectSettings], query: ReplayQuery, progress: Progress) -> ReplayReport:
        counted = count_of_devices(self._connection, self._environment, query.device_ids, query.after, query.before)
        self._check_known(query, counted.counts)
        # Read before the versions, so that an edit made in between is in both and never in neither.
        former = all_versions(self._connection, self._environment, counted.first_revision, counted.last_revision)
        history = FenceHistory(self._present, former)
        fences: Fences = Present(history) if query.fences is ReplayFences.NOW else history
        replay = _Replay(
            World(self._settings, history, self._around),
            World(changed, sandbox := Sandbox(fences, query.edits), self._around),
            sandbox.kept,
        )
        updates = updates_of_devices(
            self._connection,
            self._environment,
            query.device_ids,
            user_id=query.user_id,
            after=query.after,
            before=query.before,
        )
        count = replay.run_all(updates, sum(counted.counts.values()), progress)
        if not count:
            raise self._nothing_kept(query, query.device_ids)
        return replay.report(count)

    def _of_track(
        self,
        updates: tuple[LocationUpdate, ...],
        changed: Mapping[int, ProjectSettings],
        query: ReplayQuery,
        progress: Progress,
    ) -> ReplayReport:
        """Replay updates that were never sent as if they arrived now, under the current settings."""
        number = max(self._settings)
        present = Present(FenceHistory(self._present, ()))
        before = World(self._settings, present, self._around)
        replay = _Replay(before, World(changed, Sandbox(present, query.edits), self._around), None)
        sent = (_as_kept(update, number) for update in updates)
        return replay.report(replay.run_all(sent, len(updates), progress))

    def _check_known(self, query: ReplayQuery, counts: Mapping[str, int]) -> None:
        unknown = [device_id for device_id in query.device_ids if not counts.get(device_id)]
        if unknown or not counts:
            raise self._nothing_kept(query, unknown)

    def _nothing_kept(self, query: ReplayQuery, device_ids: Sequence[str]) -> NotFound:
        whose = self._connection, self._environment, device_ids
        return nothing_kept(*whose, query.user_id, query.after, query.before)


def _as_kept(update: LocationUpdate, settings: int) -> KeptUpdate:
    """Return an update as if it had arrived at its own time and been kept."""
    assert update.at is not None
    user = UserSummary(f"{update.device_id}/{update.user_id or ''}", update.device_id, update.user_id)
    return KeptUpdate(
        number=0,
        user=user,
        subject=Subject(update.user_id, update.ip),
        fix=accepted(update, None, update.at),
        received_at=update.at,
        revision=ALL_EDITS,
        settings=settings,
        presences={},
        replayed=False,
        mocked=bool(update.mocked),
        compromised=bool(update.compromised),
        place_state=NOWHERE,
        taken_at=update.taken_at(update.at),
    )


class _Replay:
    """Runs updates in sequence on both sides."""

    def __init__(self, before: World, after: World, kept: set[str] | None) -> None:
        """Create a replay of two worlds.

        `kept` are the geofences whose presences are not ended by edits, or None if no earlier state was recorded.
        """
        self._before = before
        self._after = after
        self._kept = kept
        self._decisions: dict[object, Decision] = {}

    def run_all(self, updates: Iterable[KeptUpdate], total: int, progress: Progress) -> int:
        """Run all updates and return their number."""
        count = 0
        for count, update in enumerate(updates, 1):
            if count % _PROGRESS_EVERY == 1:
                progress(count - 1, max(total, count))
            self._run(update)
        progress(count, count)
        return count

    def _run(self, update: KeptUpdate) -> None:
        user_id = update.user.id
        if self._kept is not None:
            self._take_recorded(update, self._kept)
        inside = dict(self._after.presences(user_id))
        before, after = self._before.run(update), self._after.run(update)
        if before or after:
            self._note_differing(update, before, after, inside)

    def _take_recorded(self, update: KeptUpdate, kept: set[str]) -> None:
        """Restore the recorded state before an update. Presences ended by an edit end on the other side as well."""
        user_id = update.user.id
        if self._after.knows(user_id):
            ended = self._before.presences(user_id).keys() - update.presences.keys() - kept
            inside = self._after.presences(user_id)
            self._after.put(user_id, {key: stay for key, stay in inside.items() if key not in ended})
        else:
            self._after.put(user_id, update.presences, update.place_state)
        self._before.put(user_id, update.presences, update.place_state)

    def _note_differing(
        self, update: KeptUpdate, before: list[Happened], after: list[Happened], inside: Presences
    ) -> None:
        """Store the sandbox's decisions about events that occur on one side only."""
        sides = {each.event.key: each for each in before}, {each.event.key: each for each in after}
        for key in sides[1].keys() - sides[0].keys():
            if (decision := sides[1][key].decision) is not None:
                self._decisions[key] = decision
        for key in sides[0].keys() - sides[1].keys():
            geofence = sides[0][key].event.geofence
            if geofence is not None:
                decided = self._after.decided(update, geofence.id, inside)
                if decided is not None:
                    self._decisions[key] = decided

    def report(self, updates: int) -> ReplayReport:
        """Return the events of both sides and their differences."""
        before, after = self._before.events, self._after.events
        differences = tuple(self._difference(pair) for pair in paired(before, after))
        return ReplayReport(updates, tuple(before), tuple(after), differences)

    def _difference(self, pair: Pair) -> Difference:
        before, after = pair
        kind = DifferenceKind.MOVED if before and after else DifferenceKind.GAINED if after else DifferenceKind.LOST
        return Difference(kind, before, after, self._explanation(after or before))

    def _explanation(self, event: ReplayedEvent | None) -> Explanation | None:
        decision = None if event is None else self._decisions.get(event.key)
        return None if decision is None else decision.explanation()


class Sandbox:
    """Geofences at the time of an edit, except that those edited in the sandbox are always the same."""

    def __init__(self, fences: Fences, edits: FenceEdits) -> None:
        self._fences = fences
        self._touched = edits.touched
        own = (Entry.of(geofence.id, geofence, shape_of(geofence.geometry)) for geofence in edits.saved)
        self._own: SpatialIndex[Geofence] = SpatialIndex(own)
        self.kept = {geofence.id for geofence in edits.saved}
        """Geofences in which a presence continues although an edit ended it."""

    def near(self, longitude: float, latitude: float, within_m: float, revision: int) -> list[Fence]:
        """Return the geofences near a position at a revision, each once."""
        found = self._fences.near(longitude, latitude, within_m, revision)
        others = [fence for fence in found if fence.item.id not in self._touched]
        return [*others, *self._own.near(longitude, latitude, within_m)]

    def get(self, geofence_id: str, revision: int) -> Fence | None:
        """Return the version of a geofence at a revision, or None."""
        if geofence_id in self._touched:
            return self._own.get(geofence_id)
        return self._fences.get(geofence_id, revision)


class Present:
    """The current geofences, regardless of the revision."""

    def __init__(self, fences: Fences) -> None:
        self._fences = fences

    def near(self, longitude: float, latitude: float, within_m: float, _revision: int) -> list[Fence]:
        """Return the geofences near a position, each once."""
        return self._fences.near(longitude, latitude, within_m, ALL_EDITS)

    def get(self, geofence_id: str, _revision: int) -> Fence | None:
        """Return the current version of a geofence, or None."""
        return self._fences.get(geofence_id, ALL_EDITS)
