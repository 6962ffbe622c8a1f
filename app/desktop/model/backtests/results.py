"""The results of a back-test as rows, findings and lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.words import duration
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import UserSummary
from engine.domain.tracking.whatif import Difference, DifferenceKind

if TYPE_CHECKING:
    from datetime import datetime

    from engine.backtest.results import BacktestReport, EventDifference, FenceDifferences, FenceResult

type Names = tuple[str, str]
"""The tag and the external ID of a geofence."""

MOST_LINES: Final = 500
"""Maximum number of connections on the map, since more hide one another."""


class ResultRow(Struct, frozen=True):
    """A geofence with its results and its differences."""

    fence: FenceResult
    gained: int = 0
    lost: int = 0
    moved: int = 0

    @property
    def names(self) -> Names:
        """The tag and the external ID."""
        return self.fence.tag, self.fence.external_id

    @property
    def title(self) -> str:
        """The description, or else the names."""
        return self.fence.description or self.fence.name


class ResultColumn(Struct, frozen=True):
    """A column: its title, its value for sorting, and its text."""

    title: str
    value: Callable[[ResultRow], Any]
    text: Callable[[ResultRow], str]
    is_number: bool = True


def _number(title: str, value: Callable[[ResultRow], int]) -> ResultColumn:
    return ResultColumn(title, value, lambda row: tr("{count:,}", count=value(row)))


_ALWAYS: Final = (
    ResultColumn(tr("Geofence"), lambda row: row.title.casefold(), lambda row: row.title, False),
    ResultColumn(tr("Tag and ID"), lambda row: row.fence.name.casefold(), lambda row: row.fence.name, False),
    _number(tr("Events"), lambda row: row.fence.events),
    _number(tr("Visits"), lambda row: row.fence.visits),
    ResultColumn(tr("Time inside"), lambda row: row.fence.inside_s, lambda row: _time(row.fence.inside_s)),
    _number(tr("Devices"), lambda row: row.fence.devices),
)
_COMPARED: Final = (
    _number(tr("Gained"), lambda row: row.gained),
    _number(tr("Lost"), lambda row: row.lost),
    _number(tr("Moved"), lambda row: row.moved),
)
EVENTS: Final = 2
"""The column by which rows are sorted at first."""


class ResultRows:
    """The geofences of a report, filtered and sorted."""

    def __init__(self, report: BacktestReport) -> None:
        found = report.comparison
        changes = {} if found is None else {(each.tag, each.external_id): each for each in found.geofences}
        self._all = [_row(each, changes.get((each.tag, each.external_id))) for each in report.geofences]
        self.columns = _ALWAYS if found is None else _ALWAYS + _COMPARED
        self._order, self._descending = self.columns[EVENTS], True
        self._words: tuple[str, ...] = ()
        self._only_idle = False
        self.shown: list[ResultRow] = []
        self._arrange()

    def filter(self, text: str, *, only_idle: bool) -> None:
        """Show the rows with all words of a text, or only those that never fired."""
        self._words, self._only_idle = tuple(text.casefold().split()), only_idle
        self._arrange()

    def sort(self, column: int, *, descending: bool) -> None:
        """Sort by a column."""
        self._order, self._descending = self.columns[column], descending
        self._arrange()

    def _arrange(self) -> None:
        found = [row for row in self._all if self._matches(row)]
        self.shown = sorted(found, key=self._order.value, reverse=self._descending)

    def _matches(self, row: ResultRow) -> bool:
        text = f"{row.title} {row.fence.name}".casefold()
        return not (self._only_idle and row.fence.events) and all(word in text for word in self._words)


def differences_of(report: BacktestReport) -> tuple[Difference, ...]:
    """Return the listed differences as those of a replay."""
    if report.comparison is None:
        return ()
    descriptions = {(each.tag, each.external_id): each.description for each in report.geofences}
    return tuple(_difference(each, descriptions) for each in report.comparison.examples)


def lines_of(report: BacktestReport) -> list[tuple[float, float, float, float, int]]:
    """Return the most frequent connections between geofences, the rarest first."""
    places = report.geofences
    lines = [
        (*_position(places[each.origin]), *_position(places[each.destination]), each.count)
        for each in report.travels
        if each.origin != each.destination
    ]
    return sorted(lines, key=lambda line: line[-1])[-MOST_LINES:]


def _row(fence: FenceResult, found: FenceDifferences | None) -> ResultRow:
    return ResultRow(fence) if found is None else ResultRow(fence, found.gained, found.lost, found.moved)


def _time(seconds: float) -> str:
    return duration(seconds) if seconds else ""


def _position(fence: FenceResult) -> tuple[float, float]:
    return fence.longitude, fence.latitude


def _difference(found: EventDifference, descriptions: dict[Names, str]) -> Difference:
    user = UserSummary(found.user_id or found.device_id, found.device_id, found.user_id)
    names = found.tag, found.external_id
    fence = GeofenceSummary("/".join(names), *names, descriptions.get(names, ""))
    point = Point(found.longitude, found.latitude)

    def event(at: datetime | None) -> ReplayedEvent | None:
        return None if at is None else ReplayedEvent(found.type, at, user, fence, point=point)

    return Difference(DifferenceKind(found.kind), event(found.before), event(found.after))
