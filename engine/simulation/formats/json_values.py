"""JSON out of a track file: bounded, and its values checked as they are taken."""

import json
import re
from collections.abc import Iterable
from typing import Any, Final, cast

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.simulation.formats import fields

_LISTS: Final = 2
_OBJECTS: Final = 4
"""How many lists and objects a file may have for each position: some are of other things."""

_WORDS: Final = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_BEGUN: Final = re.compile(r"[-+.eE0-9]{0,30}|u[0-9a-fA-F]{0,3}")
"""A number, or the code of a character."""

type JsonObject = dict[str, Any]


class BrokenOff(InvalidParameter):
    """JSON that ends before it is complete, and where."""

    def __init__(self, text: str) -> None:
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n") - 1
        at = f"line {line:,}, column {column:,} (character {len(text):,})" if line > 1 else f"character {column:,}"
        super().__init__("track", f"{at}: the file breaks off.")


def parse(data: bytes) -> object:
    """Return the JSON of a whole file; raises `InvalidParameter` whose text names the place."""
    # Before anything is parsed, since that takes many times as long.
    fields.check_count(max(data.count(b"[") // _LISTS, data.count(b"{") // _OBJECTS))
    try:
        return json.loads(not_too_deep(data))
    except json.JSONDecodeError as error:
        if _is_at_end(error):
            raise BrokenOff(error.doc) from None
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidParameter("track", f"{where}: it is not JSON: {error.msg}.") from None
    except NestedTooDeeply as error:
        raise InvalidParameter("track", f"{error}.") from None
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise BrokenOff(data[: error.start].decode("utf-8-sig")) from None
        raise _no_text() from None
    except ValueError:  # a number of thousands of digits
        raise _no_text() from None


def _is_at_end(error: json.JSONDecodeError) -> bool:
    """Whether a document could go on where it has an error: nothing follows, or the beginning of a value."""
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
    """Return what lies at these names in an object of objects; None where there is none of them."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def first(properties: JsonObject, names: Iterable[str]) -> object:
    """Return the first of the named values that is there; None where there is none."""
    return next((properties[name] for name in names if properties.get(name) is not None), None)
