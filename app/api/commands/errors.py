"""Errors of operations, as sent between processes."""

from collections.abc import Mapping
from typing import Any, Final

from app.api.wire.common.encoding import Encoded, on_the_wire
from engine.domain.errors import Conflict, FencewrightError, InvalidParameter, NotFound

_KINDS: Final[Mapping[str, type[InvalidParameter] | type[NotFound] | type[Conflict]]] = {
    kind.__name__: kind for kind in (InvalidParameter, NotFound, Conflict)
}


def encode_error(error: FencewrightError) -> Encoded:
    """Return an error as a message of an answer, with the parameter spelled as on the wire."""
    error = on_the_wire(error)
    kind = next((name for name, kind in _KINDS.items() if isinstance(error, kind)), "")
    return {"error": {"kind": kind, "param": getattr(error, "param", ""), "message": error.message}}


def decode_error(error: Mapping[str, Any]) -> FencewrightError:
    """Return the error encoded in such a message."""
    kind = _KINDS.get(error["kind"])
    return FencewrightError(error["message"]) if kind is None else kind(error["param"], error["message"])
