"""Headers as ASGI has them: pairs of bytes, the names in small letters."""

from collections.abc import Mapping
from typing import Final

from starlette.types import Scope

type Headers = list[tuple[bytes, bytes]]

type RawHeaders = Mapping[bytes, bytes]
"""A request's headers by their names; of one that is there twice the last, which a proxy adds."""

_KEPT: Final = "headers"


def raw_headers(scope: Scope) -> RawHeaders:
    """Return the headers of a request, which are looked at several times."""
    state = scope["state"]
    if _KEPT not in state:
        state[_KEPT] = dict(scope["headers"])
    headers: RawHeaders = state[_KEPT]
    return headers
