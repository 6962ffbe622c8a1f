"""The first and last thing every request meets: host, preflight, reference, and errors as answers.

It is one plain ASGI layer rather than five, since each update of a device goes through it.
"""

import logging
from asyncio import CancelledError
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.cors import preflight_headers
from app.api.encoding import OK
from app.api.errors import BodyRefused, Disconnected, error_body, headers_of, refusal
from app.api.exchange import EXCHANGE, Exchange
from engine.domain.errors import InvalidParameter

MAX_REMEMBERED_HOSTS: Final = 64
CLOSE: Final = [(b"connection", b"close")]

logger = logging.getLogger(__name__)


class Hosts:
    """Which ``Host`` headers are answered.

    A page of a foreign domain whose name its owner points at this machine (DNS rebinding) names that domain; it is
    refused. Addresses are always fine, since a name is what such a page needs: an emulator reaches its host machine
    as 10.0.2.2.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {"localhost", *(name.lower().strip("[]") for name in names)}
        self._known: set[bytes] = set()

    def allows(self, header: bytes | None) -> bool:
        """Whether a request with this header (with or without a port) is answered; none at all is fine."""
        if header is None or header in self._known:
            return True
        allowed = self._is_ours(header.decode("latin-1").lower())
        if allowed and len(self._known) < MAX_REMEMBERED_HOSTS:
            self._known.add(header)
        return allowed

    def _is_ours(self, host: str) -> bool:
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        return name.rstrip(".") in self._names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Gate:
    """Lets requests in, and turns whatever is raised inside into an answer."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(scope, receive, send)
        scope[EXCHANGE] = exchange
        try:
            await self._serve(exchange)
        except Disconnected:
            return
        except CancelledError:
            # The server stops and this request has outlived its grace.
            if exchange.started:
                raise
            await exchange.answer_json(503, error_body(503, "The endpoint is being stopped; try again later."), CLOSE)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            await _refuse(exchange, error)

    async def _serve(self, exchange: Exchange) -> None:
        if not self._hosts.allows(exchange.headers.get(b"host")):
            raise InvalidParameter("Host", "Host: this endpoint is not served under this host name.")
        if exchange.scope["method"] == "OPTIONS" and not exchange.control:
            await exchange.answer_json(200, {"meta": OK}, preflight_headers(exchange.headers))
        else:
            await self._app(exchange.scope, exchange.receive, exchange.send)


async def _refuse(exchange: Exchange, error: Exception) -> None:
    status, body = refusal(error, exchange.reference)
    if status == 500:
        logger.error(
            "Request %s failed: %s %s", exchange.reference, exchange.scope["method"], exchange.path, exc_info=error
        )
    if not exchange.started:
        await exchange.answer_json(status, body, CLOSE if isinstance(error, BodyRefused) else headers_of(error))
