"""Columns whose values become metadata: their kinds, their samples, and the values of their cells."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from typing import Final

from engine.domain.metadata import MetadataValue
from engine.tabular.formats.source import Source

ALL: Final = "all"
"""Stands for all columns without another meaning, in the option for metadata."""

_NUMBER: Final = re.compile(r"[+-]?(0|[1-9]\d{0,14})(\.\d+)?([eE][+-]?\d{1,2})?", re.ASCII)
"""A number of which no digit would be lost: one with leading zeros, or of very many digits, is a text."""

_COMMA: Final = re.compile(r"([+-]?\d+),(\d+)", re.ASCII)
_FLAGS: Final[Mapping[str, bool]] = {"true": True, "false": False}
_SAMPLES: Final = 3
_SAMPLED_ROWS: Final = 1_000


class ColumnKind(StrEnum):
    """The kinds of values of a column."""

    NUMBER = "number"
    FLAG = "boolean"
    TEXT = "text"
    EMPTY = "empty"


def kind_of(cells: Iterable[str], *, decimal_comma: bool = False) -> ColumnKind:
    """Return the kind of all cells of a column that are not empty."""
    kind = ColumnKind.EMPTY
    for cell in cells:
        if not cell:
            continue
        own = _kind(cell, decimal_comma=decimal_comma)
        if own is ColumnKind.TEXT or (kind is not ColumnKind.EMPTY and own is not kind):
            return ColumnKind.TEXT
        kind = own
    return kind


def _kind(cell: str, *, decimal_comma: bool) -> ColumnKind:
    if cell.lower() in _FLAGS:
        return ColumnKind.FLAG
    is_number = _NUMBER.fullmatch(_COMMA.sub(r"\1.\2", cell) if decimal_comma else cell)
    return ColumnKind.NUMBER if is_number else ColumnKind.TEXT


def value_of(cell: str, kind: ColumnKind, *, decimal_comma: bool = False) -> MetadataValue | None:
    """Return the value of a cell in a column of a kind; None for an empty cell."""
    if not cell:
        return None
    match kind:
        case ColumnKind.FLAG:
            return _FLAGS[cell.lower()]
        case ColumnKind.NUMBER:
            number = float(_COMMA.sub(r"\1.\2", cell) if decimal_comma else cell)
            return int(number) if number.is_integer() and "e" not in cell.lower() else number
        case _:
            return cell


def cells_of(source: Source, column: str) -> Iterable[str]:
    """Yield the cells of a column in all rows, empty where a row lacks the column."""
    return (row.values.get(column, "") for row in source.rows)


def kinds_of(source: Source, columns: Sequence[str]) -> dict[str, ColumnKind]:
    """Return the kinds of columns."""
    return {column: kind_of(cells_of(source, column), decimal_comma=source.decimal_comma) for column in columns}


def samples_of(source: Source) -> dict[str, tuple[str, ...]]:
    """Return the first distinct values of each column."""
    return {
        column: tuple(islice(dict.fromkeys(filter(None, islice(cells_of(source, column), _SAMPLED_ROWS))), _SAMPLES))
        for column in source.columns
        if column
    }
