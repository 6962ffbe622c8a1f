"""Conversion of errors to responses: ``{"meta": {"code", "param", "message"}}``."""

import re
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from math import isfinite, isnan
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from app.api.http.headers import Headers
from engine.domain.errors import (
    Conflict,
    FencewrightError,
    GeocodingUnavailable,
    InvalidParameter,
    NotFound,
    RoutingUnavailable,
    StorageUnavailable,
)
from engine.domain.ports import Stopped
from engine.domain.words import closest, count, did_you_mean

CLOSE: Final[Headers] = [(b"connection", b"close")]
MAX_SHOWN: Final = 60
_MAX_COMPARED: Final = 100
MIB: Final = 1024 * 1024
METADATA: Final = ("metadata", "chainMetadata")
"""Parameters that are dictionaries; a query writes ``metadata[key]``."""

type ErrorBody = dict[str, dict[str, object]]


class Unauthorized(FencewrightError):
    """The key is missing or not one of the workspace's; `param` names its place in the request."""

    def __init__(self, message: str, param: str = "Authorization") -> None:
        super().__init__(message)
        self.param = param


class Forbidden(FencewrightError):
    """The key is valid but gives no access to this endpoint, or to the data that `param` requests."""

    def __init__(self, message: str, param: str = "Authorization") -> None:
        super().__init__(message)
        self.param = param


class TooManyRequests(FencewrightError):
    """Requests exceed a rate limit; `kind` names the limit, `headers` state when it resets."""

    def __init__(self, param: str | None, kind: str, message: str, headers: Headers) -> None:
        super().__init__(message)
        self.param = param
        self.kind = kind
        self.headers = headers


class MethodNotAllowed(FencewrightError):
    """The path does not support this method; `headers` list the supported ones."""

    param = "method"

    def __init__(self, method: str, path: str, served: Iterable[str], *, preflight: bool = True) -> None:
        names = list(served)
        super().__init__(f"{method} is not served at {path}; it serves {', '.join(names)}.")
        also = ["HEAD"] * ("GET" in names) + ["OPTIONS"] * preflight
        self.headers: Headers = [(b"allow", ", ".join(names + also).encode())]


class TooBusy(FencewrightError):
    """The server has no capacity for the request at the moment."""


class BodyRefused(InvalidParameter):
    """The body is too large to be read; the connection is closed after the response."""

    def __init__(self, message: str) -> None:
        super().__init__("body", message)
        self.headers = CLOSE


class PaymentRequired(FencewrightError):
    """The organization is disabled or its usage is exceeded, as rehearsed by a setting."""


class Unavailable(FencewrightError):
    """The service is unavailable, as rehearsed by a setting."""


class CountryBlocked(FencewrightError):
    """The location given by `param` is in a blocked country."""

    def __init__(self, param: str, country: str) -> None:
        super().__init__(
            f"{param}: unavailable for legal reasons: the country {country} is blocked (setting blockedCountries)."
        )
        self.param = param


class BodyTooLarge(FencewrightError):
    """The decompressed body is too large."""

    param = "body"


class UnsupportedCoding(FencewrightError):
    """The body has an unsupported content encoding."""

    param = "Content-Encoding"

    def __init__(self, name: str) -> None:
        super().__init__(f"Content-Encoding: must be gzip, deflate or identity, not {shown(name)}.")


class RangeNotSatisfiable(FencewrightError):
    """The requested range is outside the file; `headers` state the file's size."""

    param = "Range"

    def __init__(self, size: int) -> None:
        super().__init__(f"Range: the file has {size} bytes, and the range begins beyond them.")
        self.headers: Headers = [(b"content-range", b"bytes */%d" % size)]


class Stopping(FencewrightError):
    """The server is stopping and the request exceeded its grace period; the connection is closed after the response."""

    headers = CLOSE

    def __init__(self) -> None:
        super().__init__("The endpoint is being stopped; try again later.")


class PlainHttp(InvalidParameter):
    """The request used plain HTTP on an HTTPS port; the connection is closed after the response."""

    headers = CLOSE

    def __init__(self) -> None:
        super().__init__(
            "scheme",
            "scheme: this port serves HTTPS, but the request used plain HTTP. Use an https:// URL; only /certificate "
            "is also served over HTTP.",
        )


STATUS: Final[tuple[tuple[type[FencewrightError], int], ...]] = (
    (InvalidParameter, HTTPStatus.BAD_REQUEST),
    (Unauthorized, HTTPStatus.UNAUTHORIZED),
    (Forbidden, HTTPStatus.FORBIDDEN),
    (NotFound, HTTPStatus.NOT_FOUND),
    (MethodNotAllowed, HTTPStatus.METHOD_NOT_ALLOWED),
    (Conflict, HTTPStatus.CONFLICT),
    (PaymentRequired, HTTPStatus.PAYMENT_REQUIRED),
    (CountryBlocked, HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS),
    (Unavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (BodyTooLarge, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (UnsupportedCoding, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    (RangeNotSatisfiable, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE),
    (TooManyRequests, HTTPStatus.TOO_MANY_REQUESTS),
    (TooBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (Stopping, HTTPStatus.SERVICE_UNAVAILABLE),
    (Stopped, HTTPStatus.SERVICE_UNAVAILABLE),
    (StorageUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (RoutingUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (GeocodingUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
)


_WITH_HEADERS: Final = (TooManyRequests, MethodNotAllowed, BodyRefused, RangeNotSatisfiable, PlainHttp, Stopping)


def error_body(status: int, message: str, param: str | None = None, kind: str | None = None) -> ErrorBody:
    """Return the body of an error response; `kind` names the exceeded limit."""
    meta: dict[str, object] = {"code": int(status)}
    if kind is not None:
        meta["type"] = kind
    if param is not None:
        meta["param"] = writable(param)
    return {"meta": meta | {"message": writable(message)}}


def status_of(error: FencewrightError) -> int:
    """Return the HTTP status of an error meant for the client."""
    return next((status for kind, status in STATUS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)


def refusal(error: BaseException, reference: str) -> tuple[int, ErrorBody]:
    """Return the status and body of the response to an error; internal errors are logged under `reference`."""
    status = status_of(error) if isinstance(error, FencewrightError) else HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(error, FencewrightError) and status != HTTPStatus.INTERNAL_SERVER_ERROR:
        return int(status), error_body(
            status, error.message, getattr(error, "param", None), getattr(error, "kind", None)
        )
    message = f"Something went wrong inside Fencewright; its log has the details under {reference}."
    return 500, error_body(500, message)


def headers_of(error: BaseException) -> Headers:
    """Return the headers of the response to an error."""
    if isinstance(error, Stopped):
        return CLOSE
    return error.headers if isinstance(error, _WITH_HEADERS) else []


def too_large(limit: int) -> str:
    """Return the error message for a body that exceeds its limit."""
    return f"body: the body must not be larger than {limit // MIB} MiB."


def writable(text: str) -> str:
    """Return text that can be encoded in UTF-8, with lone surrogates from the client's input escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def describe(error: ValidationError, model: type[BaseModel]) -> InvalidParameter:
    """Return pydantic's first error as one that names the parameter as on the wire."""
    first = error.errors(include_url=False)[0]
    if not first["loc"]:
        return InvalidParameter("body", "body: the body must be a JSON object.")
    param = str(first["loc"][0])
    return InvalidParameter(param, f"{param}: {_place(first)}{_explanation(first, param, model)}")


def _place(error: ErrorDetails) -> str:
    """Return the place of the error in a list or dictionary, such as ``item 1 conditions 2: `` or ``mode: ``."""
    param, *path = error["loc"]
    words = [str(word + 1) if isinstance(word, int) else word for word in path]
    words = [word[:MAX_SHOWN] for word in words if _NAME.fullmatch(word) and word not in _KINDS]
    if not words or param in METADATA:
        return ""
    return " ".join(["item", *words] if isinstance(path[0], int) else words) + ": "


_NAME: Final = re.compile(r"[\w-]+")
"""A dictionary key or a number; names added by pydantic contain brackets or are in `_KINDS`."""

_KINDS: Final = frozenset({"str", "int", "float", "bool"})


def _explanation(error: ErrorDetails, param: str, model: type[BaseModel]) -> str:
    context: Mapping[str, Any] = error.get("ctx") or {}
    kind, value = error["type"], error["input"]
    if kind == "refused":
        return _sentence(context["explanation"])
    if kind == "extra_forbidden":
        return _no_parameter(error, param, model)
    if kind == "missing" or (value is None and len(error["loc"]) == 1):
        return f"this parameter is required{_instead(error, param, model)}."
    if param in METADATA:
        return _metadata_explanation(error)
    if kind == "string_too_short" and len(error["loc"]) > 1:
        return "must not be empty."
    if kind in ("string_too_long", "string_too_short") and len(error["loc"]) == 1:
        return f"must have {length_range(model, param)} characters, not {len(value)}."
    if kind in _LIMITED:
        bound, name, verb = _LIMITED[kind]
        noun = count(context[name], "character" if isinstance(value, str) else "item")
        return f"{bound} {noun} {'is' if context[name] == 1 else 'are'} {verb}, not {len(value):,}."
    if kind == "literal_error":
        return f"must be {context['expected']}, not {shown(value)}."
    if kind in MUST_BE:
        return f"must be {MUST_BE[kind]}, not {shown(value)}."
    allowed = number_range(model, param) if len(error["loc"]) == 1 else bounds(context)
    return f"must be {allowed}, not {shown(value)}."


def _instead(error: ErrorDetails, param: str, model: type[BaseModel]) -> str:
    """Return the end of a message about a missing parameter: the name that was probably given instead of its own."""
    given = error["input"]
    if len(error["loc"]) > 1 or not isinstance(given, Mapping) or len(given) > _MAX_COMPARED:
        return ""
    found = closest(param, _unknown(given, model))
    return "" if found is None else f"; {found} was given instead"


def misspelled(given: object, model: type[BaseModel]) -> tuple[str, str] | None:
    """Return the first unknown parameter of a request that is similar to a known one, and that one, or None."""
    if not isinstance(given, Mapping) or len(given) > _MAX_COMPARED:
        return None
    known = [field.alias or name for name, field in model.model_fields.items()]
    pairs = ((name, closest(name, known)) for name in _unknown(given, model))
    return next(((name, similar) for name, similar in pairs if similar is not None), None)


def _unknown(given: Mapping[Any, Any], model: type[BaseModel]) -> Iterator[str]:
    known = {field.alias or name for name, field in model.model_fields.items()}
    return (name for name in given if isinstance(name, str) and _NAME.fullmatch(name) and name not in known)


def _no_parameter(error: ErrorDetails, param: str, model: type[BaseModel]) -> str:
    if len(error["loc"]) > 1:  # a part of another model
        return "there is no such parameter."
    known = (field.alias or name for name, field in model.model_fields.items())
    return f"there is no such parameter{did_you_mean(param, known)}"


def _sentence(explanation: str) -> str:
    return explanation if explanation.endswith("?") else f"{explanation}."


def bounds(context: Mapping[str, Any]) -> str:
    """Return the violated bound of a number in a dictionary or list, such as ``0 or greater``."""
    for name, words in _BOUNDS.items():
        if name in context:
            return words.format(_spelled(context[name]))
    return "valid"


_BOUNDS: Final = {"ge": "{} or greater", "gt": "greater than {}", "le": "{} or less", "lt": "less than {}"}

_LIMITED: Final = {
    "string_too_long": ("at most", "max_length", "allowed"),
    "string_too_short": ("at least", "min_length", "required"),
    "too_long": ("at most", "max_length", "allowed"),
    "too_short": ("at least", "min_length", "required"),
}


def _metadata_explanation(error: ErrorDetails) -> str:
    if error["type"] == "too_long":
        return f"at most {error['ctx']['max_length']} keys are allowed, not {len(error['input'])}."
    if len(error["loc"]) == 1:
        return "must be a dictionary, or a JSON string with one."
    if error["loc"][-1] == "[key]":
        return "each key must have 1 to 256 characters."
    key = shown(error["loc"][1])
    return (
        f"the value of {key} must be a string of at most 2000 characters, a boolean, a finite number or a 64-bit "
        "integer."
    )


MUST_BE: Final = {
    "finite_number": "a finite number",
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "a string",
    "string_unicode": "a valid string",
    "string_pattern_mismatch": "a string that is not blank and has no NUL characters",
    "datetime_type": "an ISO 8601 date",
    "list_type": "a list",
    "dict_type": "a dictionary",
    "model_type": "a dictionary",
    "model_attributes_type": "a dictionary",
}


def _schema(model: type[BaseModel], param: str) -> dict[str, Any]:
    """Return the documented constraints of a parameter, with references resolved."""
    whole = model.model_json_schema(by_alias=True)
    found: dict[str, Any] = {}
    pending = [whole["properties"].get(param, {})]
    while pending:
        part = pending.pop()
        if "$ref" in part:
            pending.append(whole["$defs"][part["$ref"].rpartition("/")[2]])
        pending.extend(part.get("anyOf", ()))
        found = part | found
    return found


def number_range(model: type[BaseModel], param: str) -> str:
    """Return the allowed range of a number, such as ``within [-90, 90]``."""
    schema = _schema(model, param)
    if "exclusiveMinimum" in schema:
        most = f" and at most {_spelled(schema['maximum'])}" if "maximum" in schema else ""
        return f"greater than {_spelled(schema['exclusiveMinimum'])}{most}"
    if "minimum" in schema and "maximum" in schema:
        return f"within [{_spelled(schema['minimum'])}, {_spelled(schema['maximum'])}]"
    return f"{_spelled(schema['minimum'])} or greater" if "minimum" in schema else "valid"


def _spelled(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def length_range(model: type[BaseModel], param: str) -> str:
    """Return the allowed length of a text, such as ``1 to 256``."""
    schema = _schema(model, param)
    return f"{schema.get('minLength', 0)} to {schema.get('maxLength', 'any number of')}"


def shown(value: object) -> str:
    """Return a value as the client wrote it, shortened."""
    named = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return named[value]
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
