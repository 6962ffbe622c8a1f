"""Locating errors in a text: by its grammar if it cannot be parsed, else by the name of the field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.errors import InvalidParameter
from engine.domain.nesting import NestedTooDeeply, not_too_deep

_TOKEN: Final = re.compile(r"\s*(?:([A-Za-z]+)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([(),])|(\S))")
_DEPTHS: Final = {
    "POINT": 1,
    "LINESTRING": 1,
    "MULTIPOINT": 1,
    "POLYGON": 2,
    "MULTILINESTRING": 2,
    "MULTIPOLYGON": 3,
}
_MOST_NESTED: Final = 8
_NUMBER_IN: Final = re.compile(r"not (-?\d+(?:\.\d+)?)\.$")


class Fault(Struct, frozen=True):
    """An error in a text and the part of the text to highlight, which may be empty."""

    message: str
    begin: int = 0
    end: int = 0

    def position_in(self, text: str) -> str:
        """Return the line and column, both counted from 1."""
        before = text[: self.begin]
        return tr("Line {line}, column {column}", line=before.count("\n") + 1, column=self.begin - before.rfind("\n"))


def unreadable(text: str, most_letters: int, empty: str) -> Fault | None:
    """Return the reason why a text is not parsed at all; `empty` is the message for a blank text."""
    if len(text) > most_letters:
        return Fault(
            tr(
                "The text has {count:,} characters; at most {max_length:,} are allowed.",
                count=len(text),
                max_length=most_letters,
            )
        )
    return None if text.strip() else Fault(empty)


def json_fault(text: str) -> Fault | None:
    """Return the error in a text that is not valid JSON, or None."""
    try:
        not_too_deep(text)
        json.loads(text)
    except json.JSONDecodeError as error:
        return Fault(f"{error.msg}.", min(error.pos, max(len(text) - 1, 0)), min(error.pos + 1, len(text)))
    except (NestedTooDeeply, RecursionError):
        return Fault(tr("This is nested too deeply."))
    return None


def wkt_fault(text: str) -> Fault | None:
    """Return the error in a text that is not a well-known text geometry, or None if its syntax is valid."""
    begin = text.find(";") + 1 if re.match(r"\s*SRID=", text, re.IGNORECASE) else 0
    reader = _Wkt(text, begin)
    try:
        reader.geometry(0)
        reader.end()
    except _Unexpected as error:
        return error.fault
    return None


def fault_of(error: InvalidParameter, text: str, message: str) -> Fault:
    """Return an error with the position in a parsable text of the number that the error names, or else of the field."""
    number = _NUMBER_IN.search(error.message)
    found = re.search(rf"(?<![\d.]){re.escape(number[1])}(?![\d.])", text) if number else None
    found = found or re.search(rf'"{re.escape(error.param)}"', text) or re.search(r'"coordinates"|\(', text)
    return Fault(message, found.start(), found.end()) if found else Fault(message)


class _Unexpected(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class _Wkt:
    """Parses well-known text up to the first error."""

    def __init__(self, text: str, begin: int) -> None:
        self._text = text
        self._tokens = self._read(begin)
        self._next()

    def geometry(self, depth: int) -> None:
        """Parse one geometry with its name."""
        name = self._word.upper()
        if name not in _DEPTHS and name != "GEOMETRYCOLLECTION":
            raise self._unexpected("POLYGON or POINT")
        self._next()
        if self._word.upper() in ("Z", "M", "ZM"):
            self._next()
        if self._word.upper() == "EMPTY":
            raise self._fault(tr("The geometry is empty."))
        if name == "GEOMETRYCOLLECTION":
            if depth > _MOST_NESTED:
                raise self._fault(tr("This is nested too deeply."))
            self._list(lambda: self.geometry(depth + 1))
        elif name == "POINT":
            self._take("(")
            self._position()
            self._take(")")
        else:
            self._nested(_DEPTHS[name], points=name == "MULTIPOINT")

    def end(self) -> None:
        """Reject any text after the geometry."""
        if self._kind:
            raise self._unexpected(tr("the end"))

    def _nested(self, depth: int, *, points: bool) -> None:
        if depth > 1:
            self._list(lambda: self._nested(depth - 1, points=points))
        else:
            self._list(self._point if points else self._position)

    def _list(self, read: object) -> None:
        assert callable(read)
        self._take("(")
        read()
        while self._value == ",":
            self._next()
            read()
        if self._value != ")":
            raise self._unexpected(tr('"," or ")"'))
        self._next()

    def _point(self) -> None:
        """Parse a position of a MULTIPOINT, with or without parentheses."""
        bracket = self._value == "("
        if bracket:
            self._next()
        self._position()
        if bracket:
            self._take(")")

    def _position(self) -> None:
        count = 0
        while self._kind == "number":
            self._next()
            count += 1
        if count < 2:
            raise self._unexpected(tr("a longitude") if count == 0 else tr("a latitude"))
        if count > 4:
            raise self._fault(tr("A position has at most four numbers."))

    def _take(self, mark: str) -> None:
        if self._value != mark:
            raise self._unexpected(f'"{mark}"')
        self._next()

    @property
    def _word(self) -> str:
        return self._value if self._kind == "word" else ""

    def _next(self) -> None:
        self._kind, self._value, self._begin = next(self._tokens, ("", "", len(self._text.rstrip())))

    def _read(self, at: int) -> Iterator[tuple[str, str, int]]:
        while (found := _TOKEN.match(self._text, at)) is not None:
            kind = ("word", "number", "mark", "other")[found.lastindex - 1] if found.lastindex else "other"
            yield kind, found[found.lastindex or 0], found.start(found.lastindex or 0)
            at = found.end()

    def _unexpected(self, wanted: str) -> _Unexpected:
        found = tr("found {found_text!r}", found_text=self._value[:20]) if self._kind else tr("but the text ends")
        return self._fault(tr("Expected {expected}, {found}.", expected=wanted, found=found))

    def _fault(self, message: str) -> _Unexpected:
        end = self._begin + len(self._value)
        begin = self._begin if self._kind else max(self._begin - 1, 0)
        return _Unexpected(Fault(message, begin, max(end, begin + 1)))
