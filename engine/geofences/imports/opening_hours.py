"""Reading of OpenStreetMap's ``opening_hours``, such as ``Mo-Fr 09:00-17:00; Sa 10:00-12:00``, as a week.

The library checks the syntax and evaluates the days and times of each rule. How rules replace one another is decided
here, since a span of a geofence belongs to the day on which it opens: in ``Fr 20:00-02:00; Sa 10:00-12:00`` the Friday
closes at 02:00, but for the library at midnight, where the rule for Saturday begins.

A week has no holidays, seasons, sunsets or comments. What it cannot express is left out and listed:

- Rules for public and school holidays apply to no day.
- Rules for dates, months, weeks or years are evaluated for the 52 weeks of a year that no rule names. The hours of a
  weekday are those of at least three quarters of the weeks. If it has none, there is no week.
- Times that depend on the sun, ``unknown`` ones, and comments without times are not open.
- An open end, such as ``18:00+``, closes at the given closing time, or at midnight.
- Comments on times, repetitions, and all rules after ``||``, which are alternatives, are ignored.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from msgspec import Struct
from opening_hours import OpeningHours, ParserError, State  # type: ignore[attr-defined]  # ParserError has no stub

from engine.domain.hours import DAYS, MAX_SPANS, OperatingHours, Span
from engine.tabular.cells import short

EXAMPLE: Final = "Mo-Fr 09:00-17:00; Sa 10:00-12:00"
_LONGEST: Final = 1_000
"""Maximum length; a value in OpenStreetMap has at most 255 characters."""

_DAY_MIN: Final = 24 * 60
_WEEKS: Final = 52
_ENOUGH_WEEKS: Final = _WEEKS * 3 // 4
_FIRST: Final = datetime(2211, 1, 7)  # noqa: DTZ001 - local time of any place
"""A Monday in a year that no rule names."""

_DAY: Final = r"(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)"
_SPELLINGS: Final = (
    (re.compile(r"\s*[–—]\s*"), "-"),
    (re.compile(r"\s*\|\|\s*"), " || "),
    (re.compile(rf"(?<=\b{_DAY}):\s*", re.IGNORECASE), " "),
    # A holiday on some days, which the library reads as a holiday or these days.
    (re.compile(rf"\b((?:PH|SH)(?:,(?:PH|SH))*)\s+{_DAY}(?:[-,]{_DAY})*\b"), r"\1"),
    # The library reads the days before a comma and a space as a rule without times, which is open all day.
    (re.compile(rf"(?<=\b{_DAY}),\s+(?={_DAY}\b)", re.IGNORECASE), ","),
    (re.compile(rf"(?<=\d:\d\d),\s*(?={_DAY}\b)", re.IGNORECASE), ", "),
)
_OR: Final = " || "
_SEPARATOR: Final = re.compile("; |, ")
_TIMES: Final = re.compile(r"\(?(?:\d\d:\d\d|dawn|sunrise|sunset|dusk)")
_SUN: Final = re.compile(r"dawn|sunrise|sunset|dusk")
_OPEN_END: Final = re.compile(r"\+(?:,|$)")
_DATED: Final = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|easter|week)|\b\d{4}|\[")

type _Times = tuple[tuple[int, int], ...]
"""Spans in minutes after the midnight at which a day begins, in order and apart; the last can end on a later day."""


class NotOpeningHours(Exception):
    """A text that is not in the format of ``opening_hours``."""


class NotWeekly(Exception):
    """Valid opening hours that no week can express."""


class ReadHours(Struct, frozen=True):
    """Hours that were read, or None for always open, and a note about each kind of detail that was left out."""

    hours: OperatingHours | None
    notes: tuple[str, ...] = ()


class _Rule(Struct, frozen=True):
    """One rule; without days it applies to each day, without times all day. An `added` one keeps the earlier rules."""

    text: str
    days: str
    times: str
    state: State
    comment: bool
    added: bool

    @property
    def uncertain(self) -> bool:
        """Whether the hours cannot be known from the rule."""
        vague = self.comment and not self.times and self.state is not State.CLOSED
        return self.state is State.UNKNOWN or vague or _SUN.search(self.times) is not None


_NOTES: Final[tuple[tuple[Callable[[_Rule], object], Callable[[str], str]], ...]] = (
    (lambda rule: "PH" in rule.days, lambda rules: f"Public holidays are left out: {rules}."),
    (lambda rule: "SH" in rule.days, lambda rules: f"School holidays are left out: {rules}."),
    (lambda rule: _DATED.search(rule.days), lambda rules: f"Dates are left out: {rules}."),
    (lambda rule: _SUN.search(rule.times), lambda rules: f"Sunrise and sunset are left out: {rules}."),
    (
        lambda rule: _OPEN_END.search(rule.times),
        lambda rules: f"An open end is read as the given closing time, or midnight: {rules}.",
    ),
    (lambda rule: "/" in rule.times, lambda rules: f"Repetitions are left out: {rules}."),
    (lambda rule: rule.state is State.UNKNOWN, lambda rules: f"Unknown hours are left out: {rules}."),
    (lambda rule: rule.comment, lambda rules: f"Comments are left out: {rules}."),
)
"""The rules that a week cannot fully express, and the notes about them."""


@lru_cache(maxsize=4_096)  # tables repeat the same hours
def read_opening_hours(text: str) -> ReadHours:
    """Return the week of a text; raises `NotOpeningHours`, or `NotWeekly` if no week can express it."""
    rules, alternatives = _rules(_canonical(text))
    try:
        days = _usual_days(rules)
    except ParserError:  # the library cannot read some rules as it writes them, such as ``PH +1 day``
        raise NotWeekly from None
    notes = _notes(rules, alternatives)
    is_closed = all(rule.state is State.CLOSED for rule in rules)
    if days is None or (notes and not any(days) and not is_closed):
        raise NotWeekly
    return ReadHours(_week(days), notes)


def kept_note(text: str) -> str:
    """Return the warning about an imported text that no week can express."""
    return f"{short(text)} gives no weekly hours, so the geofence keeps its own; a new one is always open."


def _notes(rules: Sequence[_Rule], alternatives: str) -> tuple[str, ...]:
    notes = []
    for applies, note in _NOTES:
        shown = [short(rule.text) for rule in rules if applies(rule)]
        if shown:
            notes.append(note(", ".join(shown)))
    if alternatives:
        notes.append(f"Alternatives are left out: {short(alternatives)}.")
    return tuple(notes)


def _canonical(text: str) -> str:
    """Return a text in the library's spelling; raises `NotOpeningHours`."""
    if not text.strip() or len(text) > _LONGEST:
        raise NotOpeningHours
    try:
        return str(OpeningHours(_spelled(text)))
    except ParserError:
        raise NotOpeningHours from None


def _rules(text: str) -> tuple[tuple[_Rule, ...], str]:
    """Return the rules of a text in the library's spelling, and the alternatives to them."""
    # Separators within comments are no separators.
    plain = re.sub('"[^"]*"', lambda comment: '"' * len(comment[0]), text)
    end = len(plain.partition(_OR)[0])
    rules, begin, added = [], 0, False
    for separator in (*_SEPARATOR.finditer(plain, 0, end), None):
        stop = end if separator is None else separator.start()
        rules.append(_rule(text[begin:stop], added=added))
        if separator is not None:
            begin, added = separator.end(), separator[0] == ", "
    return tuple(rules), text[end + len(_OR) :]


def _spelled(text: str) -> str:
    """Return a text in the library's spelling, where others accept more; comments stay as they are."""
    parts = text.strip().rstrip(";, ").split('"')
    for at in range(0, len(parts), 2):
        for pattern, replacement in _SPELLINGS:
            parts[at] = pattern.sub(replacement, parts[at])
    return '"'.join(parts)


def _rule(text: str, *, added: bool) -> _Rule:
    """Return a rule in the library's spelling: days, times, state, and comment."""
    selector, comment, _ = text.partition('"')
    selector, state = selector.strip(), State.OPEN
    for word, named in (("closed", State.CLOSED), ("unknown", State.UNKNOWN)):
        if selector.endswith(word):
            selector, state = selector.removesuffix(word).strip(), named
    times = _TIMES.search(selector)
    at = len(selector) if times is None else times.start()
    return _Rule(text, selector[:at].strip(), selector[at:], state, bool(comment), added)


def _usual_days(rules: Sequence[_Rule]) -> list[_Times] | None:
    """Return the usual times of each weekday, or None if those of one differ too much over the year."""
    weeks = _WEEKS if any(_DATED.search(rule.days) for rule in rules) else 1
    opened = _opened(rules, weeks)
    usual = []
    for weekday in range(7):
        times, number = Counter(opened[weekday::7]).most_common(1)[0]
        if number < min(weeks, _ENOUGH_WEEKS):
            return None
        usual.append(times)
    return usual


def _opened(rules: Sequence[_Rule], weeks: int) -> list[_Times]:
    """Return the times of each day of some weeks."""
    opened: list[_Times] = [()] * (7 * weeks)
    for rule in rules:
        certain = not rule.uncertain
        times = _times(rule.times) if certain else ()
        for day in _days(rule.days, weeks):
            if rule.state is State.CLOSED and rule.times and certain:
                opened[day] = _without(opened[day], times)
                opened[day - 1] = _without(opened[day - 1], _later(times))
            elif rule.state is State.CLOSED or not rule.added:
                opened[day] = times if rule.state is State.OPEN else ()
            else:
                opened[day] = _joined((*opened[day], *times))
    return opened


@lru_cache(maxsize=1_024)
def _days(days: str, weeks: int) -> tuple[int, ...]:
    """Return the numbers of the days that a rule applies to."""
    end = _FIRST + timedelta(weeks=weeks)
    return tuple(
        day
        for begin_min, end_min in _minutes(days or "24/7", end)
        for day in range(begin_min // _DAY_MIN, end_min // _DAY_MIN)
    )


@lru_cache(maxsize=1_024)
def _times(times: str) -> _Times:
    """Return the times of a rule on one day."""
    return _minutes(f"2211 Jan 7 {times}", _FIRST + timedelta(days=3)) if times else ((0, _DAY_MIN),)


def _minutes(rule: str, end: datetime) -> _Times:
    """Return when a rule is open, in minutes after the first Monday."""
    intervals = OpeningHours(rule).intervals(_FIRST, end)
    minute = timedelta(minutes=1)
    return tuple(
        ((opens - _FIRST) // minute, (closes - _FIRST) // minute)
        for opens, closes, state, _ in intervals
        if state == State.OPEN
    )


def _joined(times: Iterable[tuple[int, int]]) -> _Times:
    """Return times in order, with those that touch or overlap as one."""
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(times):
        if joined and begin <= joined[-1][1]:
            begin, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((begin, end))
    return tuple(joined)


def _without(times: _Times, closed: _Times) -> _Times:
    """Return times with others cut out."""
    for begin, end in closed:
        pieces = [part for opens, closes in times for part in ((opens, min(closes, begin)), (max(opens, end), closes))]
        times = tuple((opens, closes) for opens, closes in pieces if opens < closes)
    return times


def _later(times: _Times) -> _Times:
    """Return times as minutes of the day before."""
    return tuple((begin + _DAY_MIN, end + _DAY_MIN) for begin, end in times)


def _week(days: Sequence[_Times]) -> OperatingHours | None:
    """Return the hours of the days. A time after midnight belongs to the next day, since only some rules look back."""
    if all(times == ((0, _DAY_MIN),) for times in days):
        return None
    week: list[list[tuple[int, int]]] = [[] for _ in DAYS]
    for day, times in enumerate(days):
        for begin, end in times:
            if begin < _DAY_MIN:
                week[day].append((begin, min(end, _DAY_MIN)))
            if end > _DAY_MIN:
                week[(day + 1) % 7].append((max(begin - _DAY_MIN, 0), min(end - _DAY_MIN, _DAY_MIN)))
    if max(map(len, week)) > MAX_SPANS:
        raise NotWeekly
    return OperatingHours(tuple(map(_spans, week)))


def _spans(times: list[tuple[int, int]]) -> tuple[Span, ...]:
    """Return the spans of a day, joined."""
    return tuple(Span(begin, end) for begin, end in _joined(times))
