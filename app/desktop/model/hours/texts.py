"""Conversion of operating hours to and from the JSON of the API, with the positions of errors.

A text that is not JSON is read as OpenStreetMap's ``opening_hours``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct, field

from app.desktop.language import tr, translated
from app.desktop.model.editing.week import PARAM
from app.desktop.model.shaping.faults import Fault, json_fault, unreadable
from app.desktop.model.words import error_text
from engine.domain.errors import InvalidParameter
from engine.domain.hours import DAYS, OperatingHours, day_of, parse_hours, parse_spans, spell_hours
from engine.geofences.imports.opening_hours import EXAMPLE, NotOpeningHours, NotWeekly, read_opening_hours

MOST_LETTERS: Final = 100_000
_TOKEN: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+)')
_ANY_OPENING: Final = "00:00"
_ANY_CLOSE: Final = "24:00"


class HoursRead(Struct, frozen=True):
    """The result of reading a text: the hours, or None for always open, with notes about them, or the error."""

    text: str
    hours: OperatingHours | None = None
    fault: Fault | None = None
    notes: tuple[str, ...] = ()


def write_hours(hours: OperatingHours | None) -> str:
    """Return hours as `operatingHours` in the API, one line per day. An empty dictionary means always open."""
    if hours is None:
        return "{}"
    days = (f"  {json.dumps(day)}: {json.dumps(spans)}" for day, spans in spell_hours(hours).items())
    return "{\n" + ",\n".join(days) + "\n}"


def read_hours(text: str) -> HoursRead:
    """Return the hours in a text. Errors are returned rather than raised."""
    empty = tr("The text is empty. Esc brings the geofence's own back; {} is always open.")
    fault = unreadable(text, MOST_LETTERS, empty)
    if fault is None and text.lstrip()[0] not in "{[":
        return _read_opening_hours(text)
    fault = fault or json_fault(text)
    if fault is not None:
        return HoursRead(text, fault=fault)
    node = _Reader(text).read()
    fault = _fault_in(node)
    if fault is not None:
        return HoursRead(text, fault=fault)
    value = node.value
    try:
        return HoursRead(text, None if value is None else parse_hours(value, PARAM))
    except InvalidParameter as error:
        return HoursRead(text, fault=Fault(error_text(error), node.begin, node.end))


def _read_opening_hours(text: str) -> HoursRead:
    try:
        read = read_opening_hours(text)
    except NotOpeningHours:
        message = tr("This is neither JSON nor OpenStreetMap's opening_hours, such as {example}.", example=EXAMPLE)
        return HoursRead(text, fault=Fault(message))
    except NotWeekly:
        message = tr("These are no weekly hours: they depend on dates, holidays, the sun or a comment.")
        return HoursRead(text, fault=Fault(message))
    return HoursRead(text, read.hours, notes=tuple(map(translated, read.notes)))


class _Node(Struct):
    """A value in the text and the values it contains. A dictionary also has its names and their positions."""

    source: str
    begin: int
    end: int = 0
    names: list[tuple[str, int, int]] = field(default_factory=list)
    parts: list[_Node] = field(default_factory=list)

    @property
    def value(self) -> Any:
        return json.loads(self.source[self.begin : self.end])


class _Reader:
    """Finds the start and end of each value in a JSON text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next()

    def read(self) -> _Node:
        """Read one value."""
        node = _Node(self._text, self._begin)
        if self._word == "{":
            self._read_parts(node, "}", named=True)
        elif self._word == "[":
            self._read_parts(node, "]", named=False)
        node.end = self._begin + len(self._word)
        self._next()
        return node

    def _read_parts(self, node: _Node, last: str, *, named: bool) -> None:
        self._next()
        while self._word != last:
            if self._word == ",":
                self._next()
            if named:
                node.names.append((json.loads(self._word), self._begin, self._begin + len(self._word)))
                self._next()
                self._next()
            node.parts.append(self.read())

    def _next(self) -> None:
        self._word, self._begin = next(self._tokens, ("", len(self._text)))


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    for found in _TOKEN.finditer(text):
        yield found[1], found.start(1)


def _fault_in(node: _Node) -> Fault | None:
    """Return the first error in a value that should be operating hours."""
    known: set[int] = set()
    for (name, begin, end), spans in zip(node.names, node.parts, strict=True):
        try:
            day = day_of(name, PARAM)
        except InvalidParameter as error:
            return Fault(error_text(error), begin, end)
        if day in known:
            return Fault(tr("{day} is given twice.", day=DAYS[day]), begin, end)
        known.add(day)
        fault = _fault_in_day(spans, DAYS[day])
        if fault is not None:
            return fault
    return None


def _fault_in_day(node: _Node, day: str) -> Fault | None:
    """Return the error for the smallest part of a day that is rejected."""
    wrong = _refused(node, node.value, day)
    if wrong is None or not isinstance(node.value, list):
        return wrong
    for pair in node.parts:
        found = _refused(pair, [pair.value], day)
        if found is None:
            continue
        if isinstance(pair.value, list) and len(pair.parts) == 2:
            opens, closes = pair.parts
            found = _refused(opens, [[opens.value, _ANY_CLOSE]], day) or _refused(
                closes, [[_ANY_OPENING, closes.value]], day
            )
        return found or _refused(pair, [pair.value], day)
    return wrong


def _refused(node: _Node, spans: object, day: str) -> Fault | None:
    try:
        parse_spans(spans, PARAM, day)
    except InvalidParameter as error:
        return Fault(error_text(error), node.begin, node.end)
    return None
