"""Whom a request comes from."""

import re
from collections.abc import Mapping
from typing import Final

from engine.domain.ip import normal_address

_WITH_PORT: Final = re.compile(r"(\d+\.\d+\.\d+\.\d+|\[[^\]]*\]):\d+")


def client_address(headers: Mapping[bytes, bytes], peer: str | None, trusted_header: str | None) -> str | None:
    """Return the address of a request's client.

    That is the other end of the connection, unless a proxy is trusted to tell: then the last address of its header,
    which is the one that the proxy itself has seen. A client may write any others before it.
    """
    if trusted_header is None:
        return peer
    told = headers.get(trusted_header.lower().encode(), b"").decode("latin-1").rpartition(",")[2].strip()
    with_port = _WITH_PORT.fullmatch(told)
    address = normal_address((with_port[1] if with_port else told).strip("[]"))
    return peer if address is None else str(address)
