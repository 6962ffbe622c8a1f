"""Decoding of request bytes into a validated model; bad input raises `InvalidParameter`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic_core import CoreSchema, core_schema, from_json

from app.api.http.errors import METADATA, MIB, describe, shown
from app.api.http.json_pieces import MAX_VALUES, MAX_VALUES_OF_LISTS, WINDOW, NotJson, has_too_many_values, split_member
from app.api.http.limits import MAX_BODY, MAX_FORM
from app.api.wire.common.fields import refusal, split_ring
from app.api.wire.common.nested import gather_nested
from engine.domain.errors import InvalidParameter
from engine.domain.metadata import AnyOf

FORM: Final = b"application/x-www-form-urlencoded"
QUICK_BODY: Final = 32 * 1024
"""Largest body that is decoded immediately; larger ones are decoded in a thread, with precautions."""

MAX_PAIRS: Final = 5_000
"""Maximum number of pairs; a ring of 2,000 positions sent as repeated numbers takes 4,000."""

_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_HEX: Final = "0123456789abcdefABCDEF"
_BYTES: Final = {(high + low).encode(): bytes.fromhex(high + low) for high in _HEX for low in _HEX}

_BRACKETED: Final = re.compile(r"(metadata|chainMetadata)\[(.*)\]", re.DOTALL)
_PART: Final = re.compile(r"[\[.]")
_WHOLE: Final = re.compile(r"-?\d{1,18}")
_DECIMAL: Final = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d{1,3})?")

_LISTS: Final = frozenset({"userIds", "ip", "blocked", "bypassed", "proxyAddresses", "blockedCountries", "userTags"})
"""Comma-separated parameters, which a client library may also repeat, once for each item."""

FLAT: Final = "[object Object]"
"""Text that a browser writes for a dictionary."""

_DICTIONARIES: Final = frozenset({*METADATA, "tripOptions"})
"""Parameters that are dictionaries, which some client libraries cannot encode in a form."""

type Pairs = list[tuple[str, str]]

NOTHING: Final[tuple[object, ...]] = (None, "", "null", "false", "False", "[]", "{}", [], {})
"""Values that SDKs send for an unset parameter; in a form or query all of them are text."""

_ANY_TYPE: Final = ("object", "array", "string", "number", "boolean", "null")


def decode_body[M: BaseModel](
    model: type[M], body: bytes, content_type: bytes, *, long_list: str | None = None, warnings: list[str] | None = None
) -> M:
    """Return a JSON or form body as `model`; a body that does not declare itself a form is read as JSON.

    A body that begins like a JSON object is read as JSON, too, since curl labels every body as a form by default. A
    JSON body may exceed the usual size by the items of `long_list`, a field whose items are validated later. Parts of a
    form without meaning are ignored, and each adds a sentence to `warnings`.
    """
    if content_type.lower().startswith(FORM) and not body.lstrip().startswith(b"{"):
        if len(body) > MAX_FORM:
            raise InvalidParameter("body", f"body: a form must not be larger than {MAX_FORM // MIB} MiB; send JSON.")
        return decode_text(model, parse_pairs(body, "body"), warnings, form=True)
    if len(body) > QUICK_BODY:
        return validate(model, _parse_large(body, long_list), strict=True)
    try:
        return model.model_validate_json(body, strict=True)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
            raise describe(error, model) from None
    return validate(model, _parse_odd_json(body), strict=True)


def _parse_large(body: bytes, long_list: str | None) -> object:
    """Return the content of a large JSON body, of which at most one MiB is parsed at once."""
    most = MAX_VALUES_OF_LISTS if long_list else MAX_VALUES
    if has_too_many_values(body, most):
        raise InvalidParameter("body", f"body: must have at most {most:,} values.")
    if len(body) <= MAX_BODY or long_list is None:
        return _parse(body)
    try:
        rest, pieces = split_member(body, long_list)
    except NotJson:
        raise InvalidParameter("body", _not_json(body)) from None
    if len(rest) > MAX_BODY:
        size = f"{MAX_BODY // MIB} MiB"
        raise InvalidParameter("body", f"body: must not be larger than {size}, not counting the items of {long_list}.")
    value = _parse(rest)
    if pieces and isinstance(value, dict):
        value[long_list] = [_parse_item(piece, number, long_list) for number, piece in enumerate(pieces, 1)]
    return value


def _parse_item(piece: bytes, number: int, param: str) -> object:
    if len(piece) > MAX_BODY:
        raise InvalidParameter(param, f"{param}: item {number}: must not be larger than {MAX_BODY // MIB} MiB.")
    return _parse(piece)


def _parse(text: bytes) -> object:
    try:
        return from_json(text)
    except ValueError:
        return _parse_odd_json(text)


def _parse_odd_json(body: bytes) -> object:
    """Return JSON that the fast parser refused.

    The standard parser accepts half surrogates and numbers of any length, so that validation can report their place.
    """
    try:
        return json.loads(body, parse_int=_any_integer)
    except (ValueError, RecursionError):
        raise InvalidParameter("body", _not_json(body)) from None


def _any_integer(digits: str) -> int | float:
    return int(digits) if len(digits) < 400 else float("inf")


def _not_json(body: bytes) -> str:
    if not body.strip():
        return "body: the body is empty; send a JSON object."
    return "body: the body is not valid JSON; send a JSON object in UTF-8, or a form with its Content-Type."


def decode_query[M: BaseModel](model: type[M], query: bytes, warnings: list[str] | None = None) -> M:
    """Return a query string as `model`; each part without meaning adds a sentence to `warnings`."""
    return decode_text(model, parse_pairs(query, "query"), warnings, form=False)


def decode_text[M: BaseModel](model: type[M], pairs: Pairs, warnings: list[str] | None = None, *, form: bool) -> M:
    """Return name-value pairs of text as `model`; a form sets values, whereas a query asks for them."""
    kept = _without_flattened(_each_once(pairs, names_not_served(model)), [] if warnings is None else warnings, form)
    nested: dict[str, Any] = {}
    if form:
        kept, nested = gather_nested(kept, _kinds_of(model), infer)
    gathered = gather(kept, infer if form else meanings, getattr(model, "repeated", frozenset()))
    if both := next((name for name in nested if name in gathered), None):
        raise InvalidParameter(both, f"{both}: give either {both} or {both}[key], not both.")
    gathered |= nested
    for name in _numbers_of(model) & gathered.keys():
        if isinstance(gathered[name], str) and "_" in gathered[name]:
            # Python reads 1_000 as a number, unlike all other parsers.
            raise InvalidParameter(name, f"{name}: must be a number, not {shown(gathered[name])}.")
    return validate(model, gathered, strict=False)


def _each_once(pairs: Pairs, names: frozenset[str]) -> Pairs:
    """Return pairs with each parameter of `names` once, even if a form repeats it or splits it into parts.

    Client libraries encode a dictionary or list in different ways: repeated, as ``name[key]``, as ``name.key``.
    """
    if not names:
        return pairs
    others: Pairs = []
    found: dict[str, str] = {}
    for name, value in pairs:
        whole = _PART.split(name, maxsplit=1)[0]
        if whole in names:
            found[whole] = found.get(whole) or value
        else:
            others.append((name, value))
    return [*others, *found.items()]


def _without_flattened(pairs: Pairs, warnings: list[str], form: bool) -> Pairs:
    """Return pairs without the text that client libraries send for a dictionary that they cannot encode.

    The text is ``[object Object]``, or in a form the keys, each as a separate value. The values of the keys are lost.
    """
    kept: Pairs = []
    for name, value in pairs:
        lost = lost_dictionary(name, value, form=form)
        if lost is not None:
            warnings.append(lost)
        else:
            kept.append((name, value))
    return kept


def lost_dictionary(name: str, value: object, *, form: bool) -> str | None:
    """Return a warning for a parameter whose text is the remainder of a dictionary, otherwise None."""
    if name not in _DICTIONARIES or not isinstance(value, str) or not _is_flattened(value, form):
        return None
    instead = f"{name}[key]=value" if name in METADATA else "it as JSON"
    return f"{name}: {shown(value)} is not a dictionary and was ignored; send {instead}."


def _is_flattened(value: str, form: bool) -> bool:
    return value == FLAT or (form and value not in ("", "null") and not value.lstrip().startswith(("{", "[")))


@cache
def _numbers_of(model: type[BaseModel]) -> frozenset[str]:
    """Return the names of a model's fields that may hold a number."""
    return _holding(model, "number", "integer")


@cache
def _kinds_of(model: type[BaseModel]) -> dict[str, bool]:
    """Return the names of a model's fields and whether each may hold an object or a list."""
    several = _holding(model, "object", "array")
    return {name: name in several for name in model.model_json_schema(by_alias=True)["properties"]}


def _holding(model: type[BaseModel], *types: str) -> frozenset[str]:
    schema = model.model_json_schema(by_alias=True)
    return frozenset(name for name, field in schema["properties"].items() if _may_hold(field, types, schema))


def _may_hold(field: dict[str, Any], types: tuple[str, ...], schema: dict[str, Any]) -> bool:
    if "$ref" in field:
        return _may_hold(schema["$defs"][field["$ref"].rpartition("/")[2]], types, schema)
    return field.get("type") in types or any(_may_hold(each, types, schema) for each in field.get("anyOf", ()))


def validate[M: BaseModel](model: type[M], value: object, *, strict: bool) -> M:
    """Return `value` as `model`, or raise `InvalidParameter`."""
    try:
        return model.model_validate(value, strict=strict)
    except ValidationError as error:
        raise describe(error, model) from None


def parse_pairs(text: bytes, param: str) -> Pairs:
    """Return the pairs of a query string or form in order; `param` is the name used in errors."""
    parts = [part for part in text.split(b"&") if part]
    if len(parts) > MAX_PAIRS:
        raise InvalidParameter(param, f"{param}: at most {MAX_PAIRS} values are allowed, not {len(parts)}.")
    try:
        text.decode()
        halves = (part.replace(b"+", b" ").partition(b"=") for part in parts)
        return [(unquoted(name, errors="replace"), unquoted(value)) for name, _, value in halves]
    except UnicodeDecodeError:
        raise InvalidParameter(param, f"{param}: the text is not valid UTF-8.") from None


def unquoted(text: bytes, errors: str = "strict") -> str:
    """Return percent-decoded text; sequences that only look like an escape are kept unchanged.

    The standard library takes a hundred times as long for percent signs that escape nothing.
    """
    return (b"".join(_unescaped(text)) if b"%" in text else text).decode(errors=errors)


def _unescaped(text: bytes) -> Iterator[bytes]:
    """Yield percent-decoded text piece by piece, so that other threads can run in between."""
    at = 0
    while at < len(text):
        end = at + WINDOW
        split_escape = text.rfind(b"%", end - 2, end)
        if split_escape >= 0:
            end = split_escape
        yield _ESCAPE.sub(_byte_of, text[at:end])
        at = end


def _byte_of(escape: re.Match[bytes]) -> bytes:
    return _BYTES[escape[1]]


def gather(pairs: Pairs, read: Callable[[str], object], repeated: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return pairs as one dictionary, with ``metadata[key]`` nested and repeated ``coordinates`` as numbers.

    Those in `repeated` are lists of all their values.
    """
    gathered: dict[str, Any] = {}
    lists: dict[str, list[str]] = {}
    coordinates: list[str] = []
    for name, value in pairs:
        bracketed = _BRACKETED.fullmatch(name)
        if bracketed:
            _metadata_of(gathered, bracketed[1])[bracketed[2]] = read(value)
        elif name == "coordinates":
            coordinates.append(value)
        elif name in _LISTS:
            lists.setdefault(name, []).append(value)
        elif name in repeated:
            gathered.setdefault(name, []).append(value)
        elif name in gathered:
            raise InvalidParameter(name, f"{name}: this parameter is given more than once.")
        else:
            gathered[name] = value
    joined = {name: ",".join(values) for name, values in lists.items()}
    return gathered | joined | _coordinates_of(coordinates)


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
            "coordinates",
            f"coordinates: must be numbers, longitude first, or the whole as JSON text, not {shown(values)}.",
        ) from None


def infer(text: str) -> str | bool | int | float:
    """Return the value that text represents: ``true`` or ``false``, a number, otherwise the text.

    Text in double quotes is returned without them and never as a number, which distinguishes ``"5"`` from 5. One SDK
    always quotes.
    """
    if text in ("true", "True", "false", "False"):
        return text in ("true", "True")
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] == '"' else text


def meanings(text: str) -> AnyOf:
    """Return the metadata values that match a query text.

    These are the text itself, the number that it spells, and a boolean for ``true``, ``false``, ``1`` and ``0``. Text
    in double quotes only matches text, with or without the quotes.
    """
    value = infer(text)
    if isinstance(value, str):
        return AnyOf((text,) if value == text else (text, value))
    truth: tuple[bool, ...] = (text == "1",) if text in ("0", "1") else ()
    return AnyOf((text, value, *truth))


class NotServed:
    """Marks a parameter that has no effect; `missing` names the missing features in the plural."""

    def __init__(self, missing: str) -> None:
        self.missing = missing

    def warning(self, name: str) -> str:
        """Return the warning about the parameter `name`."""
        return f"{name}: {self.missing} are not served; this parameter was ignored."

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe that any value is accepted and ignored."""
        description = f"Accepted and ignored, with a warning: {self.missing} are not served."
        return {"type": list(_ANY_TYPE), "description": description}


class Refused:
    """Marks a parameter whose use is refused; `missing` is a sentence about the missing feature.

    The values that SDKs send for an unset parameter (false, null, an empty text) are accepted.
    """

    def __init__(self, missing: str) -> None:
        self.missing = missing

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Refuse every value except empty ones and false."""
        return core_schema.no_info_plain_validator_function(self._refuse)

    def explanation(self, name: str, value: object) -> str | None:
        """Return the sentence about the parameter `name` with a value that is refused, otherwise None."""
        return None if value in NOTHING or value in (0, "0") else f"{name}: {self.missing}."

    def _refuse(self, value: object) -> None:
        if self.explanation("", value) is not None:
            raise refusal(self.missing)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe that only empty values and false are accepted."""
        return {
            "enum": [False, 0, None, "", "false", "0"],
            "description": f"Refused unless empty or false: {self.missing}.",
        }


@cache
def not_served(model: type[BaseModel]) -> Mapping[str, str]:
    """Return the warning for each field of `model` that has no effect yet, by field name."""
    return {
        name: mark.warning(field.alias or name)
        for name, field in model.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, NotServed)
    }


@cache
def refused(model: type[BaseModel]) -> Mapping[str, Refused]:
    """Return the marks of the fields of `model` whose use is refused, by wire name."""
    return {
        field.alias or name: mark
        for name, field in model.model_fields.items()
        for mark in field.metadata
        if isinstance(mark, Refused)
    }


@cache
def names_not_served(model: type[BaseModel]) -> frozenset[str]:
    """Return the wire names of the fields of `model` that have no effect yet."""
    return frozenset(model.model_fields[name].alias or name for name in not_served(model))


def warnings_of(*requests: BaseModel | None) -> list[str]:
    """Return a warning for each parameter of a query or body that had no effect."""
    return [
        warning
        for request in requests
        if request is not None
        for name, warning in not_served(type(request)).items()
        if getattr(request, name) not in NOTHING
    ]
