"""Headers as ASGI has them: pairs of bytes, the names in small letters."""

from collections.abc import Mapping
from typing import Final

from starlette.types import Scope

from engine.domain.errors import InvalidParameter

type Headers = list[tuple[bytes, bytes]]

type RawHeaders = Mapping[bytes, bytes]
"""A request's headers by their names; of one that is there twice the last, which a proxy adds."""

SINGLE: Final = (b"host", b"authorization", b"content-type", b"content-encoding", b"origin")
"""Headers that decide who asks for what: of two, each program on the way may take another one."""

_KEPT: Final = "headers"


def raw_headers(scope: Scope) -> RawHeaders:
    """Return the headers of a request, which are looked at several times."""
    state = scope["state"]
    if _KEPT not in state:
        state[_KEPT] = dict(scope["headers"])
    headers: RawHeaders = state[_KEPT]
    return headers


def doubled(headers: Headers) -> str | None:
    """Return the name of the first header that is given more than once and may not be."""
    names = [name for name, _ in headers]
    return next((name.decode().title() for name in SINGLE if names.count(name) > 1), None)


def check_single(headers: Headers) -> None:
    """Raise `InvalidParameter` naming a header that is given more than once and may not be."""
    name = doubled(headers)
    if name is not None:
        raise InvalidParameter(name, f"{name}: this header is given more than once.")
