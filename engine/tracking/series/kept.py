"""The kept updates of a user as a series: positions, presences with their durations, and withheld events."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import batched
from typing import Final

from msgspec import Struct, field

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.ports import Progress, no_progress
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.explaining import KeptUpdate
from engine.domain.tracking.updates import Fix
from engine.domain.values import replace
from engine.geo.index import SpatialIndex
from engine.store.database import Database
from engine.store.settings import settings_versions
from engine.store.updates import all_versions, numbered_updates, numbers_after
from engine.store.writer import Connection
from engine.tracking.decide import Decision
from engine.tracking.kept.history import Fence, FenceHistory, candidates_of
from engine.tracking.measure import LARGEST_M
from engine.tracking.series.way import Way, way_of
from engine.tracking.step import Step, step
from engine.tracking.tracker import Fences

MOST_FIXES: Final = 200_000
"""Maximum number of the newest updates of a user in a series. There are seldom more."""

_SPARE: Final = 0.1
"""Share by which a series may exceed its maximum before the oldest fixes are dropped, which costs a full copy."""

_AT_ONCE: Final = 1_000

_ENDS: Final = frozenset({Outcome.EXIT, Outcome.LEAVE_SILENTLY, Outcome.END_SILENTLY})
_WITHHELD: Final = frozenset(
    {Outcome.ENTRY_WITHHELD, Outcome.EXIT_WITHHELD, Outcome.DWELL_WITHHELD, Outcome.LEAVE_SILENTLY}
)


class Stay(Struct, frozen=True):
    """A presence in a geofence, by the indexes of its fixes.

    `last` is the fix that ended it, or None while it continues. `dwelled` is the fix of the dwell event.
    """

    geofence_id: str
    first: int
    last: int | None = None
    dwelled: int | None = None


class Withheld(Struct, frozen=True):
    """An event that rules withheld, from its first fix to the last consecutive one with the same reason."""

    geofence: GeofenceSummary
    outcome: Outcome
    text: str
    first: int
    last: int


class KeptFixes(Struct, frozen=True, eq=False):
    """An immutable view of a series for other threads while it grows.

    `dropped` is the number of fixes removed from the start since the series was first read, by which indexes have
    decreased. `is_cut` is true if there are older updates before the first fix.
    """

    way: Way
    fixes: tuple[Fix, ...]
    stays: tuple[Stay, ...]
    withheld: tuple[Withheld, ...]
    dropped: int = 0
    is_cut: bool = False


class KeptSeries(Struct):
    """The newest kept updates of one user, read incrementally. Not thread-safe.

    `after` is the number of the last update that was read, or of the update after which the series begins. The series
    holds the newest `most` updates.
    """

    device_id: str
    user: str | None = None
    after: int = 0
    most: int = MOST_FIXES
    dropped: int = 0
    is_cut: bool = False
    fixes: list[Fix] = field(default_factory=list)
    revisions: list[int] = field(default_factory=list)
    stays: list[Stay] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    _open: dict[str, int] = field(default_factory=dict)
    """Indexes in `stays` of the presences that continue, by geofence."""
    _runs: dict[tuple[str, Outcome, str], int] = field(default_factory=dict)
    """Indexes in `withheld` of the last event of each kind."""
    _way: Way = field(default_factory=Way)

    def shown(self) -> KeptFixes:
        """Return the current content, reusing the arrays of the previous call."""
        known = len(self._way)
        if known < len(self.fixes):
            self._way = self._way.joined(way_of(self.fixes[known:], self.revisions[known:]))
        parts = tuple(self.fixes), tuple(self.stays), tuple(self.withheld)
        return KeptFixes(self._way, *parts, self.dropped, self.is_cut)

    def take(self, update: KeptUpdate, taken: Step) -> None:
        """Add the next update with its decisions, and drop the oldest fixes if there are too many."""
        at = len(self.fixes)
        self.fixes.append(update.fix)
        self.revisions.append(update.revision)
        self._follow(at, update)
        for decision in taken.decisions:
            self._note(at, decision)
        self.after = update.number
        if len(self.fixes) > self.most * (1 + _SPARE):
            self._drop(len(self.fixes) - self.most)

    def _follow(self, at: int, update: KeptUpdate) -> None:
        """Adjust the stays to the presences at an update, as an edit or a missing update may have changed them."""
        for key in [key for key in self._open if key not in update.presences]:
            self._end(key, at)
        for key, presence in update.presences.items():
            if key not in self._open:
                self._begin(Stay(key, at, dwelled=at if presence.dwelled else None))

    def _begin(self, stay: Stay) -> None:
        self._open[stay.geofence_id] = len(self.stays)
        self.stays.append(stay)

    def _end(self, key: str, at: int) -> None:
        place = self._open.pop(key)
        self.stays[place] = replace(self.stays[place], last=at)

    def _note(self, at: int, decision: Decision) -> None:
        key, outcome = decision.fence.item.id, decision.outcome
        if outcome is Outcome.ENTER:
            self._begin(Stay(key, at))
        elif outcome in _ENDS and key in self._open:
            self._end(key, at)
        elif outcome is Outcome.DWELL and key in self._open:
            place = self._open[key]
            self.stays[place] = replace(self.stays[place], dwelled=at)
        if outcome in _WITHHELD:
            self._withhold(at, decision)

    def _withhold(self, at: int, decision: Decision) -> None:
        explanation = decision.explanation()
        failed = " ".join(reason.rule.value for reason in explanation.failed)
        place = self._runs.get(key := (decision.fence.item.id, decision.outcome, failed))
        if place is not None and self.withheld[place].last == at - 1:
            self.withheld[place] = replace(self.withheld[place], last=at)
            return
        self._runs[key] = len(self.withheld)
        self.withheld.append(Withheld(explanation.geofence, decision.outcome, explanation.text, at, at))

    def _drop(self, count: int) -> None:
        """Drop the oldest fixes, and the stays and withheld events that ended before the first remaining one."""
        del self.fixes[:count], self.revisions[:count]
        self._way = self._way.since(count)
        self.stays = [_earlier(stay, count) for stay in self.stays if stay.last is None or stay.last >= count]
        self._open = {stay.geofence_id: place for place, stay in enumerate(self.stays) if stay.last is None}
        left = [each for each in self.withheld if each.last >= count]
        self.withheld = [replace(each, first=max(each.first - count, 0), last=each.last - count) for each in left]
        # A run that is cut here may continue as a new one.
        self._runs.clear()
        self.dropped += count
        self.is_cut = True


def _earlier(stay: Stay, count: int) -> Stay:
    last = None if stay.last is None else stay.last - count
    dwelled = None if stay.dwelled is None else max(stay.dwelled - count, 0)
    return Stay(stay.geofence_id, max(stay.first - count, 0), last, dwelled)


def read_on(
    series: KeptSeries,
    database: Database,
    environment: Environment,
    present: Fences,
    progress: Progress = no_progress,
) -> bool:
    """Read the new updates of a series; return True if all were read, False if a geofence was edited in the meantime.

    The next call continues after the last update read, even after `progress` has raised `Cancelled`.
    """
    reader: _Reader | None = None
    edits = present.revision
    while numbers := database.read(lambda connection: _numbers(series, connection, environment)):
        for some in batched(numbers, _AT_ONCE):
            updates = database.read_at_once(partial(numbered_updates, numbers=some))
            if not updates:
                continue  # they have been deleted in the meantime
            if reader is None or not reader.knows(updates):
                reader = _reader(database, environment, present.index, updates[0].revision)
            steps = [reader.step(update) for update in updates]
            if present.revision != edits:  # former and current versions are from different moments
                return False
            for update, taken in zip(updates, steps, strict=True):
                series.take(update, taken)
            progress(len(series.fixes), max(len(series.fixes), 1))
    return True


def _numbers(series: KeptSeries, connection: Connection, environment: Environment) -> list[int]:
    """Return the numbers of the updates to read. A new series starts with the newest updates."""
    numbers = numbers_after(connection, environment, series.device_id, series.user, series.after)
    if not series.fixes and len(numbers) > series.most:
        series.is_cut = True
        return numbers[-series.most :]
    return numbers


def _reader(database: Database, environment: Environment, present: SpatialIndex[Geofence], since: int) -> "_Reader":
    return database.read(
        lambda connection: _Reader(
            settings_versions(connection, environment), history_of(connection, environment, present, since)
        )
    )


class _Reader:
    """Decides kept updates again, with the settings and geofences of their time."""

    def __init__(self, settings: Mapping[int, ProjectSettings], history: FenceHistory) -> None:
        self._settings = settings
        self._history = history

    def knows(self, updates: Iterable[KeptUpdate]) -> bool:
        """Return whether the settings of all updates are known, as they may have been changed since."""
        return all(update.settings in self._settings for update in updates)

    def step(self, update: KeptUpdate) -> Step:
        settings = self._settings[update.settings]
        reach_m = min(update.fix.accuracy_m, LARGEST_M) if settings.buffer_entries else 0.0
        near: list[Fence] = candidates_of(self._history, update.fix.point, update.stays, reach_m, update.revision)
        inside, subject, now = dict(update.presences), update.subject, update.received_at
        return step(inside, subject, update.fix, near, settings, now, in_order=update.in_order)


def history_of(
    connection: Connection,
    environment: Environment,
    present: SpatialIndex[Geofence],
    since: int,
) -> FenceHistory:
    """Return the history of geofences from an edit on."""
    return FenceHistory(present, all_versions(connection, environment, since, 2**62))
