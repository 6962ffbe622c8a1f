"""Operating hours of a geofence, in its own local time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter

DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAY_NAMES: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY_MIN: Final = 24 * 60
EVERY_DAY: Final = tuple(range(7))
MAX_SPANS: Final = 48
"""Maximum number of spans a day. More than one per half-hour would be a mistake."""

_TWELVE: Final = re.compile(r"(1[0-2]|0?[1-9]):([0-5]\d)\s*([ap])\.?m\.?", re.IGNORECASE | re.ASCII)
_TWENTY_FOUR: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)|(24):(00)", re.ASCII)


class HoursRule(StrEnum):
    """How operating hours decide whether a geofence is open. Seconds never count.

    With PLATFORM, as on the hosted platform, a day that is not listed is open, a span holds strictly between its
    opening and its closing minute, and a span past midnight never holds. With CALENDAR, a day that is not listed is
    closed, a span holds from its opening minute, and it may go past midnight.
    """

    PLATFORM = "platform"
    CALENDAR = "calendar"


class Span(Struct, frozen=True):
    """The time between `opens_min` and `closes_min`, in minutes after midnight.

    If the close is not after the open, it is on the next day: 22:00–02:00 crosses midnight, 08:00–08:00 takes 24 hours.
    """

    opens_min: int
    closes_min: int

    @property
    def across_midnight(self) -> bool:
        """Whether the span ends on the next day."""
        return self.closes_min <= self.opens_min

    def __str__(self) -> str:
        return f"{spell_time(self.opens_min)}–{spell_time(self.closes_min)}"


type Days = tuple[tuple[Span, ...], ...]


class OperatingHours(Struct, frozen=True):
    """The spans of each day, Monday first.

    A day without spans is closed if it is in `listed`, the numbers of the days that were given; otherwise the rule
    decides. Only the local time counts: if an hour is repeated at the end of daylight saving time, the geofence is open
    in both or closed in both.
    """

    days: Days
    listed: tuple[int, ...] = EVERY_DAY

    def is_open(self, local: datetime, rule: HoursRule) -> bool:
        """Return whether a rule opens the geofence at a local time."""
        minute, today = local.hour * 60 + local.minute, local.weekday()
        if rule is HoursRule.PLATFORM:
            spans = self.days[today]
            return today not in self.listed or any(span.opens_min < minute < span.closes_min for span in spans)
        return any(
            span.opens_min <= minute and (span.across_midnight or minute < span.closes_min) for span in self.days[today]
        ) or any(span.across_midnight and minute < span.closes_min for span in self.days[(today - 1) % 7])

    @property
    def unlisted(self) -> tuple[int, ...]:
        """The days that were not given."""
        return tuple(day for day in EVERY_DAY if day not in self.listed)

    def never_opens(self, rule: HoursRule) -> bool:
        """Return whether a rule opens the geofence at no time of the week."""
        if rule is HoursRule.CALENDAR:
            return not any(self.days)
        return not self.unlisted and all(span.closes_min - span.opens_min < 2 for spans in self.days for span in spans)

    @property
    def crosses_midnight(self) -> bool:
        """Whether a span ends on the next day."""
        return any(span.across_midnight for spans in self.days for span in spans)

    @property
    def differs_by_rule(self) -> bool:
        """Whether the rules decide differently for longer than the opening minutes of spans."""
        return bool(self.unlisted) or self.crosses_midnight

    def __str__(self) -> str:
        """Return the open days, such as ``Mon–Fri 09:00–17:00, Sat 10:00–12:00 and 13:00–15:00``."""
        runs = [(spans, list(days)) for spans, days in groupby(range(7), key=lambda day: self.days[day])]
        return ", ".join(f"{_days_text(days)} {_spans_text(spans)}" for spans, days in runs if spans) or "never open"


def alike(hours: OperatingHours, rule: HoursRule = HoursRule.CALENDAR) -> OperatingHours:
    """Return hours that both rules decide as `rule` decides the given ones, except at the opening minutes of spans.

    All days are listed, and no span goes past midnight. Raises `InvalidParameter` if a day would have too many spans.
    """
    return OperatingHours(tuple(_checked(tuple(_spans_alike(hours, rule, day)), day) for day in EVERY_DAY))


def _spans_alike(hours: OperatingHours, rule: HoursRule, day: int) -> Iterator[Span]:
    if rule is HoursRule.PLATFORM:
        if day in hours.listed:
            yield from (span for span in hours.days[day] if not span.across_midnight)
        else:
            yield Span(0, DAY_MIN)
        return
    for span in hours.days[(day - 1) % 7]:
        if span.across_midnight and span.closes_min > 0:
            yield Span(0, span.closes_min)
    for span in hours.days[day]:
        yield Span(span.opens_min, DAY_MIN) if span.across_midnight else span


def _checked(spans: tuple[Span, ...], day: int) -> tuple[Span, ...]:
    return parse_spans([str(span).split("–") for span in spans], "operating_hours", DAYS[day])


def days_text(days: Sequence[int]) -> str:
    """Return days as text, with runs of days in short: ``Mon–Fri, Sun``."""
    runs = groupby(days, key=lambda day: day - days.index(day))
    return ", ".join(_days_text(tuple(run)) for _, run in runs)


def _days_text(days: Sequence[int]) -> str:
    return DAYS[days[0]] if len(days) == 1 else f"{DAYS[days[0]]}–{DAYS[days[-1]]}"


def _spans_text(spans: Sequence[Span]) -> str:
    return " and ".join(map(str, spans))


def parse_hours(value: object, param: str = "operating_hours") -> OperatingHours | None:
    """Return the hours of a dictionary from days to lists of [open, close], or None if it is empty.

    Days are full names or their first three letters, times ``h:mm aa`` or ``HH:mm``, in any case. Raises
    `InvalidParameter` for `param` if the value is invalid.
    """
    if not isinstance(value, Mapping):
        raise InvalidParameter(param, f'{param}: must be a dictionary such as {{"Mon": [["09:00", "17:00"]]}}.')
    if not value:
        return None
    days: dict[int, tuple[Span, ...]] = {}
    for name, spans in value.items():
        day = day_of(name, param)
        if day in days:
            raise InvalidParameter(param, f"{param}: {DAYS[day]} is given twice.")
        days[day] = parse_spans(spans, param, DAYS[day])
    return OperatingHours(tuple(days.get(day, ()) for day in EVERY_DAY), tuple(sorted(days)))


def day_of(name: object, param: str = "operating_hours") -> int:
    """Return the number of a day, with Monday as 0. Raises `InvalidParameter` for `param` if it is not a day."""
    lowered = name.strip().lower() if isinstance(name, str) else ""
    for day, full in enumerate(map(str.lower, DAY_NAMES)):
        if lowered in (full, full[:3]):
            return day
    raise InvalidParameter(param, f"{param}: {name!r} is not a day; use names such as Monday or Mon.")


def parse_spans(value: object, param: str, day: str) -> tuple[Span, ...]:
    """Return the spans of one day, ordered by their opening. None is treated as an empty list."""
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise InvalidParameter(param, f'{param}: {day} must be a list of pairs such as [["09:00", "17:00"]].')
    if len(value) > MAX_SPANS:
        raise InvalidParameter(param, f"{param}: {day} has {len(value)} spans; at most {MAX_SPANS} are allowed.")
    return tuple(sorted((_span(pair, param, day) for pair in value), key=lambda span: span.opens_min))


def _span(pair: object, param: str, day: str) -> Span:
    if not (isinstance(pair, list | tuple) and len(pair) == 2):
        raise InvalidParameter(param, f'{param}: each span of {day} must be a pair such as ["09:00", "17:00"].')
    opens, closes = (_minutes(text, param, day) for text in pair)
    if opens == DAY_MIN:
        raise InvalidParameter(param, f"{param}: a span of {day} opens at 24:00; only a closing time may be 24:00.")
    return Span(opens, closes)


def _minutes(text: object, param: str, day: str) -> int:
    """Return minutes after midnight; 24:00 is the end of the day."""
    stripped = text.strip() if isinstance(text, str) else ""
    if match := _TWELVE.fullmatch(stripped):
        return int(match[1]) % 12 * 60 + int(match[2]) + (12 * 60 if match[3].lower() == "p" else 0)
    if match := _TWENTY_FOUR.fullmatch(stripped):
        return int(match[1] or match[3]) * 60 + int(match[2] or match[4])
    shown = repr(text) if len(repr(text)) <= 40 else f"{repr(text)[:40]}…"
    raise InvalidParameter(param, f"{param}: {shown} on {day} is not a time; use HH:mm (00:45) or h:mm aa (12:45 AM).")


def spell_time(minutes: int) -> str:
    """Return minutes after midnight as ``HH:mm``."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def spell_hours(hours: OperatingHours) -> dict[str, list[list[str]]]:
    """Return hours in the form in which they are stored and shown: ``Mon`` … ``Sun``, ``HH:mm``, listed days only."""
    return {
        DAYS[day]: [[spell_time(span.opens_min), spell_time(span.closes_min)] for span in hours.days[day]]
        for day in hours.listed
    }
