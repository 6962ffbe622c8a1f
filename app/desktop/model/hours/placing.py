"""Spans in the week as they are drawn, moved and resized: on a raster, without running into one another."""

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
    """A span in the week: the day on which it opens, when, and for how long, at most 24 hours."""

    day: int
    opens_min: int
    length_min: int

    @classmethod
    def of(cls, day: int, span: Span) -> Placed:
        """Place a span of a day."""
        length_min = span.closes_min - span.opens_min
        return cls(day, span.opens_min, length_min if length_min > 0 else length_min + DAY_MIN)

    @property
    def begins_min(self) -> int:
        """Minutes from the beginning of the week to its opening."""
        return self.day * DAY_MIN + self.opens_min

    @property
    def ends_min(self) -> int:
        """Minutes from the beginning of the week to its close; of one across the end of the week more than it has."""
        return self.begins_min + self.length_min

    @property
    def span(self) -> Span:
        """The span of its day."""
        closes_min = self.opens_min + self.length_min
        return Span(self.opens_min, closes_min if closes_min <= DAY_MIN else closes_min - DAY_MIN)

    @property
    def parts(self) -> tuple[tuple[int, int, int], ...]:
        """The days on which it is open, each with the minutes from and to which."""
        closes_min = self.opens_min + self.length_min
        own = self.day, self.opens_min, min(closes_min, DAY_MIN)
        return (own,) if closes_min <= DAY_MIN else (own, ((self.day + 1) % 7, 0, closes_min - DAY_MIN))

    def __str__(self) -> str:
        next_day = tr(" (next day)") if self.opens_min + self.length_min > DAY_MIN else ""
        return f"{translated(DAYS[self.day])} {self.span}{next_day}"


def placed(hours: OperatingHours | None) -> tuple[Placed, ...]:
    """Return the spans of a week in order."""
    days = hours.days if hours is not None else ()
    return tuple(sorted(Placed.of(day, span) for day, spans in enumerate(days) for span in spans))


def others_of(hours: OperatingHours, chosen: Placed) -> tuple[Placed, ...]:
    """Return the spans besides one; another that is just like it stays."""
    found = list(placed(hours))
    if chosen in found:
        found.remove(chosen)
    return tuple(found)


def with_placed(hours: OperatingHours, before: Placed | None, after: Placed | None) -> OperatingHours:
    """Return the hours with a span in the place of another; None is none. The spans of other days stay as written.

    Raises `InvalidParameter` where a day has too many.
    """
    if before is not None:
        spans = list(hours.days[before.day])
        spans.remove(next(span for span in spans if Placed.of(before.day, span) == before))
        hours = replace(hours, days=(*hours.days[: before.day], tuple(spans), *hours.days[before.day + 1 :]))
    return hours if after is None else with_spans(hours, after.day, (*hours.days[after.day], after.span))


def snapped(minutes: float) -> int:
    """Return the nearest minutes on the raster."""
    return round(minutes / RASTER_MIN) * RASTER_MIN


def fitting(others: Sequence[Placed], wanted: Placed) -> Placed | None:
    """Return a span for a day: the one that is wanted, else an hour of the day that is free; None where none is."""
    hours = (Placed(wanted.day, hour * 60, 60) for hour in range(24))
    return next((each for each in (wanted, *hours) if is_free(others, each)), None)


def drawn(others: Sequence[Placed], day: int, from_min: float, to_min: float) -> Placed | None:
    """Return the span that is drawn from a minute of a day to another, as far as there is room; None where none is.

    A `to_min` beyond the day is of the next one.
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
    """Return a span moved to a day and a time, as long as it is; None where another is in the way."""
    opens = max(0, min(snapped(opens_min), DAY_MIN - RASTER_MIN))
    there = replace(origin, day=max(0, min(day, 6)), opens_min=opens)
    return there if is_free(_apart(others, origin), there) else None


def stepped(others: Iterable[Placed], origin: Placed, steps: int) -> Placed | None:
    """Return a span moved by steps of the raster, over midnight too; None where another is in the way."""
    day, opens_min = divmod(_stepped(origin.begins_min, steps) % WEEK_MIN, DAY_MIN)
    there = replace(origin, day=day, opens_min=opens_min)
    return there if is_free(_apart(others, origin), there) else None


def stepped_days(others: Iterable[Placed], origin: Placed, days: int) -> Placed | None:
    """Return a span some days on; days on which there is no room for it are passed over. None where there is none."""
    apart = _apart(others, origin)
    rest = range(origin.day + days, 7 if days > 0 else -1, days)
    return next((there for day in rest if is_free(apart, there := replace(origin, day=day))), None)


def stepped_close(others: Iterable[Placed], origin: Placed, steps: int) -> Placed:
    """Return a span that closes steps of the raster later, as far as there is room."""
    return resized_close(others, origin, _stepped(origin.opens_min + origin.length_min, steps))


def stepped_opening(others: Iterable[Placed], origin: Placed, steps: int) -> Placed:
    """Return a span that opens steps of the raster later, as far as there is room on its day."""
    return resized_opening(others, origin, _stepped(origin.opens_min, steps))


def resized_close(others: Iterable[Placed], origin: Placed, closes_min: float) -> Placed:
    """Return a span with another close, in minutes of the day on which it opens, as far as there is room."""
    room = min(((other.begins_min - origin.begins_min) % WEEK_MIN for other in _apart(others, origin)), default=DAY_MIN)
    wanted = snapped(closes_min) - origin.opens_min
    if wanted <= 0:
        wanted = (-origin.opens_min) % RASTER_MIN or RASTER_MIN
    return replace(origin, length_min=min(wanted, room, DAY_MIN))


def resized_opening(others: Iterable[Placed], origin: Placed, opens_min: float) -> Placed:
    """Return a span with another opening on its day, as far as there is room; its close stays."""
    ends = origin.opens_min + origin.length_min
    room = min(((origin.ends_min - other.ends_min) % WEEK_MIN for other in _apart(others, origin)), default=DAY_MIN)
    latest = min((ends - 1) // RASTER_MIN * RASTER_MIN, DAY_MIN - RASTER_MIN)
    opens = max(min(snapped(opens_min), latest), ends - min(room, DAY_MIN), 0)
    return replace(origin, opens_min=opens, length_min=ends - opens)


def is_free(others: Iterable[Placed], there: Placed) -> bool:
    """Whether a span has nothing in common with others."""
    return not any(_overlap(other, there) for other in others)


def _apart(others: Iterable[Placed], origin: Placed) -> list[Placed]:
    """Return the spans that one may not run into: not those that it has something in common with already."""
    return [other for other in others if not _overlap(other, origin)]


def _overlap(one: Placed, other: Placed) -> bool:
    ahead = (other.begins_min - one.begins_min) % WEEK_MIN
    return ahead < one.length_min or WEEK_MIN - ahead < other.length_min


def _stepped(minutes: int, steps: int) -> int:
    """Return minutes some steps of the raster on; what is not on it comes to it by the first."""
    if steps > 0:
        return (minutes // RASTER_MIN + steps) * RASTER_MIN
    return -((-minutes) // RASTER_MIN - steps) * RASTER_MIN
