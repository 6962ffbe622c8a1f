"""The only client for URLs from data, whose authors may aim at addresses that only this machine can reach.

It connects only to the internet, unless private addresses are explicitly allowed; each redirect is subject to the same
rule. Bodies are limited in bytes, time and compression ratio.
"""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import CancelledError
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx

from engine.outbound.bodies import GZIP, Body, BodyRefused
from engine.outbound.guard import AddressRefused, GuardedTransport
from engine.outbound.loop import LoopThread
from engine.outbound.questions import Question, Reply, RequestFailed
from engine.outbound.trust import usual_trust

USER_AGENT: Final = "Fencewright"

_MOVED: Final = (301, 302, 303, 307, 308)
_LENGTH: Final = ("content-length", "transfer-encoding", "content-encoding")


class GuardedClient:
    """Requests URLs from data. May be used from any thread; from an event loop, by `fetch`."""

    def __init__(self, connections: int = 16) -> None:
        self._connections = connections
        self._loop = LoopThread()
        self._clients: dict[bool, httpx.AsyncClient] = {}

    def ask(self, question: Question, check: Callable[[], None] | None = None) -> Reply:
        """Return the response; raises `RequestFailed`, and any error of `check`, which is called during the request."""
        try:
            return self._loop.run(self.fetch(question), check)
        except CancelledError:
            raise RequestFailed(f"{question.shown} was cancelled.") from None

    async def fetch(self, question: Question) -> Reply:
        """Return the response; raises `RequestFailed`. Must always be awaited in the same event loop."""
        try:
            async with asyncio.timeout(question.bounds.within_s):
                return await self._follow(question)
        except (TimeoutError, httpx.TimeoutException):
            raise RequestFailed(f"{question.shown} did not answer in time.") from None
        except (AddressRefused, BodyRefused) as refused:
            raise RequestFailed(f"{question.shown} {refused}.") from None
        except (httpx.ConnectError, UnicodeError) as error:
            reason = "its host name cannot be resolved" if _is_unresolved(error) else "no connection"
            raise RequestFailed(f"{question.shown} cannot be reached: {reason}.") from None
        except httpx.RemoteProtocolError:
            raise RequestFailed(f"{question.shown} closed the connection during its response.") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            # The error messages may repeat sent and received data.
            raise RequestFailed(f"{question.shown} closed the connection, or does not speak HTTP.") from None

    def close(self) -> None:
        """Close the connections; pending requests fail."""
        self._loop.close(self.end)

    async def end(self) -> None:
        """Close the connections in the event loop in which `fetch` was awaited."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    async def _follow(self, question: Question) -> Reply:
        url = httpx.URL(question.url)
        for _ in range(question.bounds.redirects + 1):
            reply, target = await self._once(question, url)
            if target is None:
                return reply
            if target.scheme not in ("http", "https") or (url.scheme, target.scheme) == ("https", "http"):
                raise BodyRefused(f"redirects to an address of {target.scheme}")
            url = target.copy_with(userinfo=b"", fragment=None)
        raise BodyRefused("redirects too often")

    async def _once(self, question: Question, url: httpx.URL) -> tuple[Reply, httpx.URL | None]:
        bounds = question.bounds
        timeout = httpx.Timeout(bounds.within_s, connect=min(bounds.connect_s, bounds.within_s))
        async with self._client(question.private).stream(
            question.method, url, content=question.content, headers=question.headers, timeout=timeout
        ) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            if bounds.redirects and response.status_code in _MOVED and "location" in headers:
                return Reply(response.status_code, headers, b""), url.join(headers["location"])
            body = Body(headers.get("content-encoding", ""), bounds.max_bytes, bounds.max_ratio)
            async for piece in response.aiter_raw():
                body.add(piece)
            is_whole = any(name in headers for name in _LENGTH)
            return Reply(response.status_code, headers, body.whole(), is_whole), None

    def _client(self, private: bool) -> httpx.AsyncClient:
        """Return the client for any address or for public ones; only for the event loop."""
        if private not in self._clients:
            transport = _open_transport(self._connections) if private else GuardedTransport(self._connections)
            self._clients[private] = httpx.AsyncClient(
                headers={"user-agent": USER_AGENT, "accept": "*/*", "accept-encoding": GZIP},
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                transport=transport,
                trust_env=False,
            )
        return self._clients[private]


def _is_unresolved(error: Exception) -> bool:
    """Return whether a connection failed because the host name is invalid or has no address."""
    # The cause is the error of httpcore, which holds the one of the system.
    held = (error,) if error.__cause__ is None else error.__cause__.args
    return any(isinstance(each, socket.gaierror | UnicodeError) for each in held)


def _open_transport(connections: int) -> httpx.AsyncHTTPTransport:
    return httpx.AsyncHTTPTransport(verify=usual_trust(), limits=httpx.Limits(max_connections=connections))
