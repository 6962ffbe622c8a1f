"""Connections to addresses on the internet only.

A name is resolved once, and the resulting address is used for the connection, so a second response of a name server
cannot lead elsewhere. The check is made when connecting, so that no redirect or retry can bypass it.
"""

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Final, override

import httpcore
import httpx

from engine.domain.ip import literal_address
from engine.outbound.special_purpose import is_public
from engine.outbound.trust import usual_trust

KEPT_ALIVE_S: Final = 15.0

type _Address = IPv4Address | IPv6Address


class AddressRefused(Exception):
    """A name does not resolve to a public address; the message is the end of a sentence about its server."""


class GuardedTransport(httpx.AsyncHTTPTransport):
    """A transport that connects to public addresses only, and not through a proxy, which would connect by itself."""

    def __init__(self, connections: int) -> None:
        super().__init__(verify=usual_trust(), limits=httpx.Limits(max_connections=connections))
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=usual_trust(),
            max_connections=connections,
            keepalive_expiry=KEPT_ALIVE_S,
            network_backend=_PublicOnly(),
        )


class _PublicOnly(httpcore.AnyIOBackend):
    """Connects only to public addresses, checked after resolving the name; TLS still verifies the server's name."""

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first public address of a host that accepts the connection."""
        async with asyncio.timeout(timeout):
            addresses = await _addresses_of(host, port)
        public = [address for address in addresses if is_public(address)]
        if not public:
            raise AddressRefused(
                f"leads to the address {addresses[0]}, which is not public; "
                "the setting allowPrivateUrls allows such addresses in Test"
            )
        for address in public[:-1]:
            try:
                return await super().connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await super().connect_tcp(str(public[-1]), port, timeout, local_address, socket_options)


async def _addresses_of(host: str, port: int) -> list[_Address]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(error) from None
    addresses = (literal_address(str(place[0])) for *_, place in found)
    known = list(dict.fromkeys(address for address in addresses if address is not None))
    if not known:
        raise httpcore.ConnectError(socket.gaierror(socket.EAI_NONAME, "no address"))
    return known
