"""The kept updates of a user as a series: where they were, where inside and for how long, what was withheld."""

from dataclasses import dataclass, field
from typing import Final

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.ports import Progress, no_progress
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.explaining import KeptUpdate
from engine.domain.tracking.updates import Fix
from engine.geo.index import SpatialIndex
from engine.store.settings import settings_versions
from engine.store.updates import all_versions, updates_after
from engine.store.writer import Connection
from engine.tracking.decide import Decision
from engine.tracking.kept.history import Fence, FenceHistory, candidates_of
from engine.tracking.measure import LARGEST_M
from engine.tracking.series.way import Way, way_of
from engine.tracking.step import Step, step

MOST_FIXES: Final = 200_000
"""The newest so many updates of a user are a series; there are seldom more."""

_AT_ONCE: Final = 1_000

_ENDS: Final = frozenset({Outcome.EXIT, Outcome.LEAVE_SILENTLY, Outcome.END_SILENTLY})
_WITHHELD: Final = frozenset(
    {Outcome.ENTRY_WITHHELD, Outcome.EXIT_WITHHELD, Outcome.DWELL_WITHHELD, Outcome.LEAVE_SILENTLY}
)


@dataclass(slots=True)
class Stay:
    """A stay in a geofence, by the numbers of its fixes from 0.

    `last` is the fix that ended it, None while it goes on; `dwelled` the one at which the dwell event came.
    """

    geofence_id: str
    first: int
    last: int | None = None
    dwelled: int | None = None


@dataclass(slots=True)
class Withheld:
    """An event that rules kept away, from its first fix to the last one in a row with the same reason."""

    geofence: GeofenceSummary
    outcome: Outcome
    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class KeptFixes:
    """The part of a series that others may look at while it grows."""

    way: Way
    fixes: tuple[Fix, ...]
    stays: tuple[Stay, ...]
    withheld: tuple[Withheld, ...]


@dataclass(slots=True)
class KeptSeries:
    """The kept updates of one user, read on from where they were read to before. Not for two threads at a time.

    `after` is the number of the last update that was read, or of the one after which the series begins.
    """

    device_id: str
    user: str | None = None
    after: int = 0
    fixes: list[Fix] = field(default_factory=list)
    revisions: list[int] = field(default_factory=list)
    stays: list[Stay] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    _open: dict[str, Stay] = field(default_factory=dict)
    _runs: dict[tuple[str, Outcome, str], Withheld] = field(default_factory=dict)

    def shown(self) -> KeptFixes:
        """Return what has been read, as it is now."""
        stays = tuple(Stay(each.geofence_id, each.first, each.last, each.dwelled) for each in self.stays)
        withheld = tuple(Withheld(e.geofence, e.outcome, e.text, e.first, e.last) for e in self.withheld)
        return KeptFixes(way_of(self.fixes, self.revisions), tuple(self.fixes), stays, withheld)

    def take(self, update: KeptUpdate, taken: Step) -> None:
        """Add the next update with what it meant."""
        at = len(self.fixes)
        self.fixes.append(update.fix)
        self.revisions.append(update.revision)
        self._follow(at, update)
        for decision in taken.decisions:
            self._note(at, decision)
        self.after = update.number

    def _follow(self, at: int, update: KeptUpdate) -> None:
        """Take in where the user was when the update came: an edit may have ended a stay, or what came before."""
        for key in [key for key in self._open if key not in update.presences]:
            self._open.pop(key).last = at
        for key, presence in update.presences.items():
            if key not in self._open:
                self._begin(key, at)
                self._open[key].dwelled = at if presence.dwelled else None

    def _begin(self, key: str, at: int) -> None:
        self._open[key] = stay = Stay(key, at)
        self.stays.append(stay)

    def _note(self, at: int, decision: Decision) -> None:
        key, outcome = decision.fence.item.id, decision.outcome
        if outcome is Outcome.ENTER:
            self._begin(key, at)
        elif outcome in _ENDS and key in self._open:
            self._open.pop(key).last = at
        elif outcome is Outcome.DWELL and key in self._open:
            self._open[key].dwelled = at
        if outcome in _WITHHELD:
            self._withhold(at, decision)

    def _withhold(self, at: int, decision: Decision) -> None:
        explanation = decision.explanation()
        failed = " ".join(reason.rule.value for reason in explanation.failed)
        run = self._runs.get(key := (decision.fence.item.id, decision.outcome, failed))
        if run is not None and run.last == at - 1:
            run.last = at
            return
        self._runs[key] = run = Withheld(explanation.geofence, decision.outcome, explanation.text, at, at)
        self.withheld.append(run)


def read_on(
    series: KeptSeries,
    connection: Connection,
    environment: Environment,
    present: SpatialIndex[Geofence],
    progress: Progress = no_progress,
) -> KeptFixes:
    """Read what is new of a series; after `progress` has raised `Cancelled` the next call goes on where it was."""
    reader: _Reader | None = None
    while len(series.fixes) < MOST_FIXES:
        updates = updates_after(connection, environment, series.device_id, series.after, _AT_ONCE)
        if not updates:
            break
        reader = reader or _Reader(connection, environment, present, updates[0].revision)
        for update in updates:
            if series.user in (None, update.user.id):
                series.take(update, reader.step(update))
            series.after = update.number
        progress(len(series.fixes), max(len(series.fixes), 1))
    return series.shown()


class _Reader:
    """Decides kept updates again, by what was in force when they came."""

    def __init__(
        self,
        connection: Connection,
        environment: Environment,
        present: SpatialIndex[Geofence],
        since: int,
    ) -> None:
        self._settings = settings_versions(connection, environment)
        self._history = history_of(connection, environment, present, since)

    def step(self, update: KeptUpdate) -> Step:
        settings = self._settings[update.settings]
        reach_m = min(update.fix.accuracy_m, LARGEST_M) if settings.buffer_entries else 0.0
        near: list[Fence] = candidates_of(self._history, update.fix.point, update.presences, reach_m, update.revision)
        return step(dict(update.presences), update.subject, update.fix, near, settings, update.received_at)


def history_of(
    connection: Connection,
    environment: Environment,
    present: SpatialIndex[Geofence],
    since: int,
) -> FenceHistory:
    """Return the geofences from an edit on."""
    return FenceHistory(present, all_versions(connection, environment, since, 2**62))
