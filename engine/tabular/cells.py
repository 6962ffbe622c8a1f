"""Readers for the cells of all tables: from text to a value, or an `InvalidParameter` naming the column."""

import json
import re
from typing import Final, NoReturn

import orjson

from engine.domain.errors import InvalidParameter
from engine.domain.metadata import MAX_GEOFENCE_KEYS, Metadata, check_metadata
from engine.domain.nesting import NestedTooDeeply, not_too_deep

_SHORT: Final = 200
"""Length of a text that is too short to be nested too deeply; most texts are shorter."""

_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def text(column: str, cell: str) -> str:
    """Return the text of a required field."""
    if not cell:
        raise InvalidParameter(column, f"{column}: must not be empty.")
    return cell


def number(column: str, cell: str) -> float:
    """Return a decimal number with a point."""
    if not cell:
        raise InvalidParameter(column, f"{column}: must not be empty.")
    if not _DECIMAL.fullmatch(cell):
        raise InvalidParameter(column, f"{column}: {short(cell)} is not a number.")
    return float(cell)


def enabled(column: str, cell: str) -> bool:
    """Return the flag; an empty cell means the default, true."""
    return flag(column, cell) is not False


def flag(column: str, cell: str) -> bool | None:
    """Return the flag; an empty cell means None."""
    match cell.lower():
        case "true":
            return True
        case "false":
            return False
        case "":
            return None
        case _:
            raise InvalidParameter(column, f"{column}: must be true or false, not {short(cell)}.")


def metadata(column: str, cell: str) -> Metadata:
    """Return the dictionary of the JSON object in `cell`; an empty cell means no metadata."""
    value = json_of(column, cell) if cell else {}
    if not isinstance(value, dict):
        raise InvalidParameter(column, f'{column}: must be a JSON object such as {{"key": "value"}}.')
    return check_metadata(value, max_keys=MAX_GEOFENCE_KEYS)


def json_of(column: str, cell: str) -> object:
    """Return the value of the JSON in a cell."""
    if len(cell) < _SHORT:
        try:
            return orjson.loads(cell)
        except orjson.JSONDecodeError:
            pass  # the other parser has better messages, and accepts some JSON that this one does not
    try:
        value: object = json.loads(not_too_deep(cell), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InvalidParameter(column, f"{column}: {short(cell)} is not JSON: {error.msg}.") from None
    except NestedTooDeeply as error:
        raise InvalidParameter(column, f"{column}: {error}.") from None
    except ValueError:  # NaN, or a number of thousands of digits
        raise InvalidParameter(column, f"{column}: {short(cell)} contains a value that JSON does not allow.") from None
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def short(cell: str) -> str:
    """Return a cell, quoted and shortened."""
    return repr(cell if len(cell) <= 40 else cell[:39] + "…")
