"""One row for each field of a record, with what the record classes cannot say of it.

The classes stay, for the type checker. Code that stores, sends, reads, compares or shows records goes through the rows
and has one way for each kind of value, so a new field of a known kind is in all of these places with its row.
"""

import re
from collections.abc import Callable, Iterable
from enum import Enum, auto
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct

_UNIT: Final = re.compile(r"_(?:s|m|mps|kmh)$")
_NEXT_WORD: Final = re.compile(r"(?<=[a-z])_([a-z])")


class ValueKind(Enum):
    """Kinds of value, which are stored, sent and shown alike."""

    TEXT = auto()
    FLAG = auto()
    NUMBER = auto()
    SECONDS = auto()
    """A duration, which requests and tables give in minutes."""
    MOMENT = auto()
    HOURS = auto()
    IDS = auto()
    RANGES = auto()
    """Ranges of IP addresses."""
    METADATA = auto()
    OTHER = auto()
    """Of no kind that other fields have."""


class Field[R](Struct, frozen=True, kw_only=True):
    """A field of a change of records.

    `value` returns what the change would replace in a record, and `unset` is what sets nothing. `check` raises
    `InvalidParameter`, naming the parameter that it is given, for a value that no record can have. `key` is the name in
    the JSON of the database.
    """

    name: str
    kind: ValueKind
    value: Callable[[R], Any]
    unset: Any = None
    check: Callable[[Any, str], Any] | None = None
    key: str


def field[R](
    name: str,
    kind: ValueKind,
    value: Callable[[R], Any] | None = None,
    *,
    unset: Any = None,
    check: Callable[[Any, str], Any] | None = None,
    key: str = "",
) -> Field[R]:
    """Return the row of a field; a record has it as an attribute unless `value` says otherwise."""
    return Field(name=name, kind=kind, value=value or attrgetter(name), unset=unset, check=check, key=key or name)


def of_kind[R](rows: Iterable[Field[R]], kind: ValueKind) -> tuple[Field[R], ...]:
    """Return the rows of a kind."""
    return tuple(row for row in rows if row.kind is kind)


def column_of(name: str) -> str:
    """Return a field's name without its unit as tables and requests spell it: ``dwellThreshold``."""
    return _NEXT_WORD.sub(lambda word: word[1].upper(), _UNIT.sub("", name))
