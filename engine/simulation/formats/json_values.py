"""JSON out of a track file: bounded, and its values checked as they are taken."""

import json
from collections.abc import Iterable
from typing import Any, Final, cast

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.simulation.formats import fields

_LISTS: Final = 2
_OBJECTS: Final = 4
"""How many lists and objects a file may have for each position: some are of other things."""

type JsonObject = dict[str, Any]


def parse(data: bytes) -> object:
    """Return the JSON of a whole file; raises `InvalidParameter` whose text names the place."""
    # Before anything is parsed, since that takes many times as long.
    fields.check_count(max(data.count(b"[") // _LISTS, data.count(b"{") // _OBJECTS))
    try:
        return json.loads(not_too_deep(data))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidParameter("track", f"{where}: it is not JSON: {error.msg}.") from None
    except NestedTooDeeply as error:
        raise InvalidParameter("track", f"{error}.") from None
    except ValueError:  # not UTF-8, or a number of thousands of digits
        raise InvalidParameter("track", "its text cannot be read as JSON in UTF-8.") from None


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
