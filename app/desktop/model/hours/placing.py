"""Spans in the week as the user draws, moves and resizes them: on a grid and without overlaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from app.desktop.language import tr, translated
from app.desktop.model.editing.week import with_spans
from engine.domain.hours import DAYS, OperatingHours, Span
from engine.domain.values import replace

RASTER_MIN: Final = 15
DAY_MIN: Final = 24 * 60
WEEK_MIN: Final = 7 * DAY_MIN


class Placed(Struct, frozen=True, order=True):
    """A span in the week: the day and time at which it opens, and its length of at most 24 hours."""

    day: int
    opens_min: int
    length_min: int

    @classmethod
    def of(cls, day: int, span: Span) -> Placed:
        """Create a placed span from a span of a day."""
        length_min = span.closes_min - span.opens_min
        return cls(day, span.opens_min, length_min if length_min > 0 else length_min + DAY_MIN)

    @property
    def begins_min(self) -> int:
        """Minutes from the start of the week to the opening."""
        return self.day * DAY_MIN + self.opens_min

    @property
    def ends_min(self) -> int:
        """Minutes from the start of the week to the close; exceeds the length of the week if it crosses its end."""
        return self.begins_min + self.length_min

    @property
    def span(self) -> Span:
        """Span within its day."""
        closes_min = self.opens_min + self.length_min
        return Span(self.opens_min, closes_min if closes_min <= DAY_MIN else closes_min - DAY_MIN)

    @property
    def parts(self) -> tuple[tuple[int, int, int], ...]:
        """Days on which it is open, each with the minutes from which and until which it is open."""
        closes_min = self.opens_min + self.length_min
        own = self.day, self.opens_min, min(closes_min, DAY_MIN)
        return (own,) if closes_min <= DAY_MIN else (own, ((self.day + 1) % 7, 0, closes_min - DAY_MIN))

    def __str__(self) -> str:
        next_day = tr(" (next day)") if self.opens_min + self.length_min > DAY_MIN else ""
        return f"{translated(DAYS[self.day])} {self.span}{next_day}"


def placed(hours: OperatingHours | None) -> tuple[Placed, ...]:
    """Return the spans of a week, in order."""
    days = hours.days if hours is not None else ()
    return tuple(sorted(Placed.of(day, span) for day, spans in enumerate(days) for span in spans))


def others_of(hours: OperatingHours, chosen: Placed) -> tuple[Placed, ...]:
    """Return all spans except the chosen one. An identical duplicate is kept."""
    found = list(placed(hours))
    if chosen in found:
        found.remove(chosen)
    return tuple(found)


def with_placed(hours: OperatingHours, before: Placed | None, after: Placed | None) -> OperatingHours:
    """Return the hours with one span replaced, added or removed; None stands for no span.

    The spans of other days stay as written. Raises `InvalidParameter` if a day has too many.
    """
    if before is not None:
        spans = list(hours.days[before.day])
        spans.remove(next(span for span in spans if Placed.of(before.day, span) == before))
        hours = OperatingHours((*hours.days[: before.day], tuple(spans), *hours.days[before.day + 1 :]))
    return hours if after is None else with_spans(hours, after.day, (*hours.days[after.day], after.span))


def snapped(minutes: float) -> int:
    """Round minutes to the grid."""
    return round(minutes / RASTER_MIN) * RASTER_MIN


def fitting(others: Sequence[Placed], wanted: Placed) -> Placed | None:
    """Return the wanted span if it is free, else a free hour of its day, or None if the day is full."""
    hours = (Placed(wanted.day, hour * 60, 60) for hour in range(24))
    return next((each for each in (wanted, *hours) if is_free(others, each)), None)


def drawn(others: Sequence[Placed], day: int, from_min: float, to_min: float) -> Placed | None:
    """Return the span drawn between two times, as far as there is room, or None if there is no room.

    A `to_min` beyond the end of the day is on the next day.
    """
    anchor = max(0, min(snapped(from_min), DAY_MIN - RASTER_MIN))
    other = max(0, min(snapped(to_min), anchor + DAY_MIN))
    begin, end = min(anchor, other), max(anchor, other, min(anchor, other) + RASTER_MIN)
    if other < anchor:
        made = Placed(day, anchor - RASTER_MIN, RASTER_MIN)
        return resized_opening(others, made, begin) if is_free(others, made) else None
    made = Placed(day, begin, RASTER_MIN)
    return resized_close(others, made, end) if is_free(others, made) else None


def moved(others: Iterable[Placed], origin: Placed, day: int, opens_min: float) -> Placed | None:
    """Return a span moved to a day and time with the same length, or None if another span is in the way."""
    opens = max(0, min(snapped(opens_min), DAY_MIN - RASTER_MIN))
    there = replace(origin, day=max(0, min(day, 6)), opens_min=opens)
    return there if is_free(_apart(others, origin), there) else None


def stepped(others: Iterable[Placed], origin: Placed, steps: int) -> Placed | None:
    """Return a span moved by steps of the grid, also across midnight, or None if another span is in the way."""
    day, opens_min = divmod(_stepped(origin.begins_min, steps) % WEEK_MIN, DAY_MIN)
    there = replace(origin, day=day, opens_min=opens_min)
    return there if is_free(_apart(others, origin), there) else None


def stepped_days(others: Iterable[Placed], origin: Placed, days: int) -> Placed | None:
    """Return a span moved by a number of days, skipping days without room for it, or None if no day has room."""
    apart = _apart(others, origin)
    rest = range(origin.day + days, 7 if days > 0 else -1, days)
    return next((there for day in rest if is_free(apart, there := replace(origin, day=day))), None)


def stepped_close(others: Iterable[Placed], origin: Placed, steps: int) -> Placed:
    """Return a span that closes some grid steps later, as far as there is room."""
    return resized_close(others, origin, _stepped(origin.opens_min + origin.length_min, steps))


def stepped_opening(others: Iterable[Placed], origin: Placed, steps: int) -> Placed:
    """Return a span that opens some grid steps later, as far as there is room on its day."""
    return resized_opening(others, origin, _stepped(origin.opens_min, steps))


def resized_close(others: Iterable[Placed], origin: Placed, closes_min: float) -> Placed:
    """Return a span with a new close, in minutes of its opening day, as far as there is room."""
    room = min(((other.begins_min - origin.begins_min) % WEEK_MIN for other in _apart(others, origin)), default=DAY_MIN)
    wanted = snapped(closes_min) - origin.opens_min
    if wanted <= 0:
        wanted = (-origin.opens_min) % RASTER_MIN or RASTER_MIN
    return replace(origin, length_min=min(wanted, room, DAY_MIN))


def resized_opening(others: Iterable[Placed], origin: Placed, opens_min: float) -> Placed:
    """Return a span with a new opening on its day, as far as there is room, and the same close."""
    ends = origin.opens_min + origin.length_min
    room = min(((origin.ends_min - other.ends_min) % WEEK_MIN for other in _apart(others, origin)), default=DAY_MIN)
    latest = min((ends - 1) // RASTER_MIN * RASTER_MIN, DAY_MIN - RASTER_MIN)
    opens = max(min(snapped(opens_min), latest), ends - min(room, DAY_MIN), 0)
    return replace(origin, opens_min=opens, length_min=ends - opens)


def is_free(others: Iterable[Placed], there: Placed) -> bool:
    """Return whether a span overlaps none of the others."""
    return not any(_overlap(other, there) for other in others)


def _apart(others: Iterable[Placed], origin: Placed) -> list[Placed]:
    """Return the spans that must not be overlapped. Spans that already overlap this one are left out."""
    return [other for other in others if not _overlap(other, origin)]


def _overlap(one: Placed, other: Placed) -> bool:
    ahead = (other.begins_min - one.begins_min) % WEEK_MIN
    return ahead < one.length_min or WEEK_MIN - ahead < other.length_min


def _stepped(minutes: int, steps: int) -> int:
    """Return minutes moved by steps of the grid. The first step of an off-grid time moves it onto the grid."""
    if steps > 0:
        return (minutes // RASTER_MIN + steps) * RASTER_MIN
    return -((-minutes) // RASTER_MIN - steps) * RASTER_MIN
