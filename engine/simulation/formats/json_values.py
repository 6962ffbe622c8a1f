"""JSON of a track file: limited in size, with values checked on access."""

import json
import re
from collections.abc import Iterable
from typing import Any, Final, cast

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.simulation.formats import fields

_LISTS: Final = 2
_OBJECTS: Final = 4
"""Numbers of lists and objects that a file may have per position, since some serve other purposes."""

_WORDS: Final = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_BEGUN: Final = re.compile(r"[-+.eE0-9]{0,30}|u[0-9a-fA-F]{0,3}")
"""A number, or a character code."""

type JsonObject = dict[str, Any]


class BrokenOff(InvalidParameter):
    """JSON that ends before it is complete, with the place."""

    def __init__(self, text: str) -> None:
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n") - 1
        at = f"line {line:,}, column {column:,} (character {len(text):,})" if line > 1 else f"character {column:,}"
        super().__init__("track", f"{at}: the file breaks off.")


def parse(data: bytes) -> object:
    """Return the JSON of a whole file; raises `InvalidParameter` whose message names the place."""
    # Checked before parsing, which takes many times as long.
    fields.check_count(max(data.count(b"[") // _LISTS, data.count(b"{") // _OBJECTS))
    try:
        return json.loads(not_too_deep(data))
    except json.JSONDecodeError as error:
        if _is_at_end(error):
            raise BrokenOff(error.doc) from None
        location = f"line {error.lineno}, column {error.colno}"
        raise InvalidParameter("track", f"{location}: it is not JSON: {error.msg}.") from None
    except NestedTooDeeply as error:
        raise InvalidParameter("track", f"{error}.") from None
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise BrokenOff(data[: error.start].decode("utf-8-sig")) from None
        raise _no_text() from None
    except ValueError:  # a number with thousands of digits
        raise _no_text() from None


def _is_at_end(error: json.JSONDecodeError) -> bool:
    """Return whether the error is at the end of the document, or in a value that is incomplete there."""
    if error.msg.startswith("Unterminated string"):
        return True
    if error.msg == "Extra data":
        return False
    rest = error.doc[error.pos :].rstrip()
    return _BEGUN.fullmatch(rest) is not None or any(word.startswith(rest) for word in _WORDS)


def _no_text() -> InvalidParameter:
    return InvalidParameter("track", "its text cannot be read as JSON in UTF-8.")


def as_object(value: object, place: str) -> JsonObject:
    """Return `value`, an object; raises `InvalidParameter` naming its place."""
    if isinstance(value, dict):
        return cast(JsonObject, value)
    raise InvalidParameter("track", f"{place} must be an object.")


def as_list(value: object, place: str) -> list[Any]:
    """Return `value`, a list; raises `InvalidParameter` naming its place."""
    if isinstance(value, list):
        return value
    raise InvalidParameter("track", f"{place} must be a list.")


def inner(value: object, *names: str) -> object:
    """Return the value at a path of names in nested objects, or None if it does not exist."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def first(properties: JsonObject, names: Iterable[str]) -> object:
    """Return the first of the named values that is not None, or None."""
    return next((properties[name] for name in names if properties.get(name) is not None), None)
