"""From the bytes of a request to its validated model; bad input leaves as `InvalidParameter`."""

import json
import re
from functools import cache
from typing import Any, Final
from urllib.parse import unquote_plus

from pydantic import BaseModel, ValidationError

from app.api.errors import METADATA, describe, shown
from app.api.fields import split_ring
from engine.domain.errors import InvalidParameter

FORM: Final = b"application/x-www-form-urlencoded"
MAX_PAIRS: Final = 5_000
"""A ring of 2,000 positions sent as repeated numbers takes 4,000."""

_BRACKETED: Final = re.compile(r"(metadata|chainMetadata)\[(.*)\]", re.DOTALL)
_WHOLE: Final = re.compile(r"-?\d{1,18}")
_DECIMAL: Final = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d{1,3})?")

_LISTS: Final = frozenset({"userIds", "ip", "blocked", "bypassed", "proxyAddresses"})
"""Comma-separated parameters, which a client library may also repeat, once for each item of a list."""

type Pairs = list[tuple[str, str]]


def decode_body[M: BaseModel](model: type[M], body: bytes, content_type: bytes) -> M:
    """Return a JSON or form body as `model`; anything that does not say it is a form is taken for JSON.

    So is what begins like a JSON object: curl calls every body a form unless it is told otherwise.
    """
    if content_type.lower().startswith(FORM) and not body.lstrip().startswith(b"{"):
        return decode_text(model, parse_pairs(body, "body"))
    try:
        return model.model_validate_json(body, strict=True)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
            raise describe(error, model) from None
    return _decode_odd_json(model, body)


def _decode_odd_json[M: BaseModel](model: type[M], body: bytes) -> M:
    """Return a body that the fast parser refused, or say which parameter is at fault.

    The standard parser lets half surrogates and numbers of any length pass, so that validation can name their place.
    """
    try:
        value = json.loads(body, parse_int=_any_integer)
    except (ValueError, RecursionError):
        raise InvalidParameter("body", _not_json(body)) from None
    return validate(model, value, strict=True)


def _any_integer(digits: str) -> int | float:
    return int(digits) if len(digits) < 400 else float("inf")


def _not_json(body: bytes) -> str:
    if not body.strip():
        return "body: the body is empty; send a JSON object."
    return "body: the body is not valid JSON; send a JSON object in UTF-8, or a form with its Content-Type."


def decode_query[M: BaseModel](model: type[M], query: bytes) -> M:
    """Return a query string as `model`."""
    return decode_text(model, parse_pairs(query, "query"))


def decode_text[M: BaseModel](model: type[M], pairs: Pairs) -> M:
    """Return name-value pairs of text as `model`."""
    gathered = gather(pairs)
    for name in _numbers_of(model) & gathered.keys():
        if isinstance(gathered[name], str) and "_" in gathered[name]:
            # Python reads 1_000 as a number; nobody else does.
            raise InvalidParameter(name, f"{name}: must be a number, not {shown(gathered[name])}.")
    return validate(model, gathered, strict=False)


@cache
def _numbers_of(model: type[BaseModel]) -> frozenset[str]:
    """Return the names of a model's fields that may hold a number."""
    properties = model.model_json_schema(by_alias=True)["properties"]
    kinds = {name: field.get("anyOf", [field]) for name, field in properties.items()}
    return frozenset(name for name, each in kinds.items() if any(_is_number(kind) for kind in each))


def _is_number(kind: dict[str, Any]) -> bool:
    return kind.get("type") in ("number", "integer")


def validate[M: BaseModel](model: type[M], value: object, *, strict: bool) -> M:
    """Return `value` as `model`, or raise `InvalidParameter`."""
    try:
        return model.model_validate(value, strict=strict)
    except ValidationError as error:
        raise describe(error, model) from None


def parse_pairs(text: bytes, param: str) -> Pairs:
    """Return the pairs of a query string or form, in order; `param` is named when it cannot be read."""
    parts = [part for part in text.split(b"&") if part]
    if len(parts) > MAX_PAIRS:
        raise InvalidParameter(param, f"{param}: at most {MAX_PAIRS} values are allowed, not {len(parts)}.")
    try:
        halves = (part.decode().partition("=") for part in parts)
        return [(unquote_plus(name), unquote_plus(value, errors="strict")) for name, _, value in halves]
    except UnicodeDecodeError:
        raise InvalidParameter(param, f"{param}: the text is not valid UTF-8.") from None


def gather(pairs: Pairs) -> dict[str, Any]:
    """Return pairs as one dictionary: ``metadata[key]`` nested and typed, repeated ``coordinates`` as numbers."""
    gathered: dict[str, Any] = {}
    coordinates: list[str] = []
    for name, value in pairs:
        bracketed = _BRACKETED.fullmatch(name)
        if bracketed:
            _metadata_of(gathered, bracketed[1])[bracketed[2]] = infer(value)
        elif name == "coordinates":
            coordinates.append(value)
        elif name in METADATA and value == "[object Object]":
            continue
        elif name in gathered and name in _LISTS:
            gathered[name] += f",{value}"
        elif name in gathered:
            raise InvalidParameter(name, f"{name}: this parameter is given more than once.")
        else:
            gathered[name] = value
    return gathered | _coordinates_of(coordinates)


def _metadata_of(gathered: dict[str, Any], name: str) -> dict[str, Any]:
    metadata = gathered.setdefault(name, {})
    if not isinstance(metadata, dict):
        raise InvalidParameter(name, f"{name}: give either {name} or {name}[key], not both.")
    return metadata


def _coordinates_of(values: list[str]) -> dict[str, Any]:
    if len(values) < 2:
        return {"coordinates": values[0]} if values else {}
    try:
        return {"coordinates": split_ring([float(value) for value in values])}
    except ValueError:
        raise InvalidParameter(
            "coordinates", f"coordinates: must be numbers, not {shown(values)}; longitude comes first."
        ) from None


def infer(text: str) -> str | bool | int | float:
    """Return the value that text stands for: ``true`` and ``false``, a number, else text.

    Text in double quotes is that text, so that ``"5"`` can be told from 5; one SDK always quotes.
    """
    if text in ("true", "True", "false", "False"):
        return text in ("true", "True")
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] == '"' else text
