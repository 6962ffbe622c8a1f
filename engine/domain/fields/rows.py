"""One row for each field of a record, with information that the record classes cannot express.

The classes remain, for the type checker. Code that stores, sends, reads, compares or shows records uses the rows and
has one implementation for each kind of value, so that a new field of a known kind only needs a row.
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
    """Kinds of values. Values of a kind are stored, sent and shown alike."""

    TEXT = auto()
    FLAG = auto()
    NUMBER = auto()
    SECONDS = auto()
    """A duration, in minutes in requests and tables."""
    MOMENT = auto()
    HOURS = auto()
    IDS = auto()
    RANGES = auto()
    """Ranges of IP addresses."""
    METADATA = auto()
    OTHER = auto()
    """A kind that no other field has."""


class Field[R](Struct, frozen=True, kw_only=True):
    """A field of a change of records.

    `value` returns the value of a record that the change would replace, and `unset` is the value that sets nothing.
    `check` raises `InvalidParameter`, with the name of the parameter passed to it, for a value that no record can have.
    `key` is the name in the JSON of the database.
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
    """Return the row of a field, whose value is the record's attribute of that name unless `value` is given."""
    return Field(name=name, kind=kind, value=value or attrgetter(name), unset=unset, check=check, key=key or name)


def of_kind[R](rows: Iterable[Field[R]], kind: ValueKind) -> tuple[Field[R], ...]:
    """Return the rows of a kind."""
    return tuple(row for row in rows if row.kind is kind)


def column_of(name: str) -> str:
    """Return a field's name without its unit in the spelling of tables and requests: ``dwellThreshold``."""
    return _NEXT_WORD.sub(lambda word: word[1].upper(), _UNIT.sub("", name))
