"""Sequential requests over persistent connections: HTTP/1.1, with responses limited in bytes and time.

Deliberately lean, because a queue of tens of thousands drains through it.
"""

import asyncio
import socket
import ssl
import string
from base64 import b64encode
from contextlib import suppress
from functools import lru_cache
from threading import Thread
from typing import Final, cast
from urllib.parse import quote, unquote, urlsplit

import httptools
from msgspec import Struct

from engine.domain.ip import literal_address
from engine.outbound.posting.receiver import Receiver
from engine.outbound.posting.signing import signed_headers
from engine.outbound.special_purpose import is_public
from engine.outbound.urls import USER_AGENT

MAX_ANSWER: Final = 64 * 1024
"""Maximum size of a response, which is only read for its status; the rest is discarded."""

_PORTS: Final = {"http": 80, "https": 443}
_AS_WRITTEN: Final = string.punctuation

type _Key = tuple[str, int, bool, bool]
"""Host, port, whether TLS is used, and whether private addresses are refused."""

_pending_lookups: dict[tuple[str, int], asyncio.Future[list[str]]] = {}
"""Names being resolved, each with the future for which all its callers wait."""


class PostFailed(Exception):
    """A request without a usable response; the message is the end of a sentence about the receiver."""


class ConnectionClosed(PostFailed):
    """The connection was closed before any part of a response arrived."""


class Target(Struct, frozen=True):
    """The parsed URL of a receiver."""

    host: str
    port: int
    tls: bool
    path: str
    host_header: str
    authorization: str | None

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, url: str) -> "Target":
        """Return the parts of a URL."""
        parts = urlsplit(url)
        tls, port = parts.scheme == "https", parts.port or _PORTS[parts.scheme]
        raw = parts.hostname or ""
        host = raw if raw.isascii() else raw.encode("idna").decode("ascii")
        shown = f"[{host}]" if ":" in host else host
        header = shown if port == _PORTS[parts.scheme] else f"{shown}:{port}"
        login = None
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            login = f"Basic {b64encode(pair.encode()).decode()}"
        written = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        # As in browsers: non-ASCII characters are encoded, and existing escapes are kept.
        path = quote(written, safe=_AS_WRITTEN)
        return cls(host, port, tls, path, header, login)


class Connection(asyncio.Protocol):
    """A connection for one request at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[int] | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._received = 0
        self._has_status = False
        self._has_length = False
        self._keeps = False
        self.is_open = False

    async def post(self, head: bytes, body: bytes) -> int:
        """Send a request and return the status of its complete response; raises `PostFailed`."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._parser = httptools.HttpResponseParser(self)
        self._received, self._has_status, self._has_length, self._keeps = 0, False, False, False
        self._transport.write(head + body)
        try:
            return await self._answer
        finally:
            self._answer = None
            if not self._keeps:
                self.close()

    def close(self) -> None:
        """Close the connection immediately."""
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    # Transport callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        # uvloop has its own classes.
        self._transport, self.is_open = cast(asyncio.Transport, transport), True

    def data_received(self, data: bytes) -> None:
        """Parse more of the response."""
        if self._answer is None:
            self._fail("sent more data than expected")
            return
        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._fail("switched to a protocol other than HTTP")
        except httptools.HttpParserError:
            self._fail("does not speak HTTP")
        if self._received > MAX_ANSWER and not self._answer.done():
            self._end_early()

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the connection is closed, which ends a response without a length."""
        self.is_open = False
        if self._answer is None or self._answer.done():
            return
        if self._has_status and not self._has_length and error is None:
            self._answer.set_result(self._parser.get_status_code())
        elif self._received:
            self._answer.set_exception(PostFailed("closed the connection during its response"))
        else:
            self._answer.set_exception(ConnectionClosed("closed the connection without a response"))

    # Parser callbacks

    def on_header(self, name: bytes, _value: bytes) -> None:
        """Note whether the response states its length."""
        if name.lower() in (b"content-length", b"transfer-encoding"):
            self._has_length = True

    def on_headers_complete(self) -> None:
        """Note that the final status is known."""
        self._has_status = self._parser.get_status_code() >= 200

    def on_message_complete(self) -> None:
        """Set the status as the result of a complete response, ignoring interim ones such as ``100 Continue``."""
        if not self._has_status:
            return
        self._keeps = bool(self._parser.should_keep_alive())
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(self._parser.get_status_code())

    def _end_early(self) -> None:
        """Use the status of an overlong response, whose connection is closed instead of reading the rest."""
        if self._answer is not None and self._has_status:
            self._answer.set_result(self._parser.get_status_code())
        else:
            self._fail("sent a response that is too long")

    def _fail(self, reason: str) -> None:
        self.is_open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(PostFailed(reason))
        elif self._transport is not None:
            self._transport.abort()


class Client:
    """Connections to one receiver, each used by one request at a time."""

    def __init__(self) -> None:
        self._idle: dict[_Key, list[Connection]] = {}
        self._tls: ssl.SSLContext | None = None

    async def post(self, receiver: Receiver, body: bytes) -> int:
        """Send a signed request and return the status of its response; raises `PostFailed`."""
        try:
            async with asyncio.timeout(receiver.timeout_s):
                return await self._post(receiver, body)
        except TimeoutError:
            raise PostFailed(f"did not answer within {receiver.timeout_s:g} s") from None
        except ssl.SSLCertVerificationError as error:
            raise PostFailed(f"has a certificate that cannot be trusted: {error.verify_message}") from None
        except ssl.SSLError:
            raise PostFailed("cannot be reached with TLS") from None
        except socket.gaierror:
            raise PostFailed("cannot be reached: its host name cannot be resolved") from None
        except OSError as error:
            raise PostFailed(f"cannot be reached: {_reason(error)}") from None
        except UnicodeError:
            raise PostFailed("cannot be reached: its host name is not valid") from None

    async def _post(self, receiver: Receiver, body: bytes) -> int:
        target = Target.of(receiver.url)
        key = target.host, target.port, target.tls, receiver.public_only
        head = _head(target, receiver.token, len(body))
        idle = self._take_idle(key)
        if idle is not None:
            try:
                return await self._over(idle, key, head, body)
            except ConnectionClosed:
                # The receiver closed the idle connection, as it may at any time; that is not a failure.
                pass
        return await self._over(await self._connect(target, public_only=receiver.public_only), key, head, body)

    async def _over(self, connection: Connection, key: _Key, head: bytes, body: bytes) -> int:
        status = await connection.post(head, body)
        if connection.is_open:
            self._idle.setdefault(key, []).append(connection)
        return status

    def close(self) -> None:
        """Close the idle connections."""
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()

    def _take_idle(self, key: _Key) -> Connection | None:
        idle = self._idle.get(key, [])
        while idle:
            connection = idle.pop()
            if connection.is_open:
                return connection
        return None

    async def _connect(self, target: Target, *, public_only: bool) -> Connection:
        """Return a new connection to a checked address, without resolving the name a second time."""
        loop = asyncio.get_running_loop()
        literal = literal_address(target.host)
        # The zone of a link-local address is needed for connecting.
        addresses = [target.host] if "%" in target.host else [str(literal)]
        if literal is None:
            addresses = await addresses_of(target.host, target.port)
        if public_only and not all(map(_is_public, addresses)):
            raise PostFailed("is at a private address, which only Test webhooks can use")
        tls = self._context() if target.tls else None
        name = target.host if target.tls else None
        failure: OSError = OSError("no address")
        for address in addresses:
            try:
                _, connection = await loop.create_connection(
                    Connection, address, target.port, ssl=tls, server_hostname=name
                )
            except OSError as error:
                failure = error
            else:
                return connection
        raise failure

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls


def _is_public(address: str) -> bool:
    found = literal_address(address)
    return found is not None and is_public(found)


def _head(target: Target, token: str, length: int) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"Host: {target.host_header}",
        f"User-Agent: {USER_AGENT}",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        *(f"{name}: {value}" for name, value in signed_headers(token)),
    ]
    if target.authorization is not None:
        lines.append(f"Authorization: {target.authorization}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


def _reason(error: OSError) -> str:
    known: dict[type[OSError], str] = {
        ConnectionRefusedError: "it refused the connection",
        ConnectionResetError: "it closed the connection",
    }
    return known.get(type(error)) or (error.strerror or "no connection").lower()


async def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses of a name; raises `OSError` or `UnicodeError` without any."""
    future = _pending_lookups.get((host, port))
    if future is None:
        future = _pending_lookups[host, port] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: _forget(host, port, done))
        Thread(target=_look_up, args=(host, port, asyncio.get_running_loop(), future), daemon=True).start()
    # Shielded, because a caller that stops waiting must not cancel the lookup for the others.
    return await asyncio.shield(future)


def _look_up(host: str, port: int, loop: asyncio.AbstractEventLoop, future: asyncio.Future[list[str]]) -> None:
    outcome: list[str] = []
    failure: Exception | None = None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        outcome = list(dict.fromkeys(str(each[4][0]) for each in found))
    except Exception as error:  # noqa: BLE001 - raised to the callers
        failure = error
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(_settle, future, outcome, failure)


def _settle(future: asyncio.Future[list[str]], outcome: list[str], failure: Exception | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(outcome)
    else:
        future.set_exception(failure)


def _forget(host: str, port: int, future: asyncio.Future[list[str]]) -> None:
    _pending_lookups.pop((host, port), None)
    if not future.cancelled():
        future.exception()  # retrieved, because there may be no caller left
