"""Headers in ASGI form: pairs of bytes with lower-case names."""

from collections.abc import Mapping
from typing import Final

from starlette.types import Scope

from engine.domain.errors import InvalidParameter

type Headers = list[tuple[bytes, bytes]]

type RawHeaders = Mapping[bytes, bytes]
"""The headers of a request by name; of repeated headers the last, which a proxy added."""

SINGLE: Final = (b"host", b"authorization", b"content-type", b"content-encoding", b"origin")
"""Headers that identify the sender and the request; if one is repeated, programs on the way may read it differently."""

_KEPT: Final = "headers"


def raw_headers(scope: Scope) -> RawHeaders:
    """Return the headers of a request, cached because they are read several times."""
    state = scope["state"]
    if _KEPT not in state:
        state[_KEPT] = dict(scope["headers"])
    headers: RawHeaders = state[_KEPT]
    return headers


def doubled(headers: Headers) -> str | None:
    """Return the name of the first repeated header that may be given only once."""
    names = [name for name, _ in headers]
    return next((name.decode().title() for name in SINGLE if names.count(name) > 1), None)


def check_single(headers: Headers) -> None:
    """Raise `InvalidParameter` naming a repeated header that may be given only once."""
    name = doubled(headers)
    if name is not None:
        raise InvalidParameter(name, f"{name}: this header is given more than once.")
