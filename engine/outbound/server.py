"""A remote server that is queried by HTTP.

Regardless of its behaviour, a request ends within its timeout, takes no more memory than its limit, and exposes no
secret from the server's URL.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import CancelledError
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final

import httpx
import orjson
from msgspec import Struct

from engine.domain.errors import FencewrightError
from engine.domain.ip import normal_address
from engine.outbound.bodies import GZIP, Body, BodyRefused
from engine.outbound.loop import LoopThread
from engine.outbound.shapes import WrongShape
from engine.outbound.trust import usual_trust
from engine.outbound.urls import USER_AGENT, ServerUrl

MAX_ANSWER: Final = 8 * 1024 * 1024
MAX_REDIRECTS: Final = 3
CONNECT_S: Final = 2.0

_SHOWN: Final = 200
_MOVED: Final = (301, 302, 307, 308)
_PORTS: Final = {"http": 80, "https": 443}


class Answer(Struct, frozen=True):
    """The response of a server."""

    status: int
    body: bytes

    def json(self) -> Any:
        """Return the body's JSON; raises `WrongShape` if the body is not JSON."""
        try:
            return orjson.loads(self.body)
        except ValueError:
            raise WrongShape("this is not JSON") from None


class RemoteServer[E: FencewrightError]:
    """A server at a URL. May be used from any thread."""

    def __init__(
        self,
        kind: str,
        url: str,
        unavailable: Callable[[str], E],
        *,
        connections: int,
        accept: str = "application/json",
    ) -> None:
        """Create a client of the server of this `kind`, such as ``Photon server``, at `url`.

        `connections` is the maximum number of concurrent connections, `accept` the media types of responses. Failures
        are raised as the error that `unavailable` makes of a sentence. Raises `ValueError` for an invalid URL.
        """
        self._url = ServerUrl.parse(url)
        self._unavailable = unavailable
        self._connections = connections
        self._accept = accept
        self._loop = LoopThread()
        self._client: httpx.AsyncClient | None = None
        self.name = f"the {kind} {self._url.base}"

    def get(self, path: str, query: str, limit_s: float) -> Answer:
        """Return the response to a GET within `limit_s` seconds; raises the error made by `unavailable`."""
        return self._ask("GET", path, query, None, limit_s)

    def post(self, path: str, content: bytes, limit_s: float) -> Answer:
        """Return the response to a POST of JSON within `limit_s` seconds; raises the error made by `unavailable`.

        The request may be sent again if the server redirects it, so it must be free of side effects.
        """
        return self._ask("POST", path, "", content, limit_s)

    def failure(self, problem: str) -> E:
        """Return the error with a sentence about the server, such as ``did not answer in time``."""
        return self._unavailable(f"{self.name[:1].upper()}{self.name[1:]} {problem}.")

    def strange(self) -> E:
        """Return the error for an unreadable response."""
        return self.failure("sends responses that cannot be read")

    def shown(self, text: str) -> str:
        """Return a server's message in a displayable form: one short line, without secrets that it repeats."""
        for secret in self._url.secrets:
            text = text.replace(secret, "…")
        line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * _SHOWN]).split())
        return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"

    def close(self) -> None:
        """Close the connections; pending requests fail."""
        self._loop.close(self._end)

    def _ask(self, method: str, path: str, query: str, content: bytes | None, limit_s: float) -> Answer:
        try:
            url = httpx.URL(self._url.at(path, query))
            return self._loop.run(self._follow(method, url, content, limit_s))
        except (TimeoutError, httpx.TimeoutException):
            raise self.failure("did not answer in time") from None
        except CancelledError:
            raise self.failure("is no longer in use") from None
        except BodyRefused as refused:
            raise self.failure(str(refused)) from None
        except httpx.ConnectError as error:
            raise self.failure(f"cannot be reached: {self.shown(str(error)).rstrip('.') or 'no connection'}") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            # The error messages may repeat sent and received data.
            raise self.failure("cannot be reached: it closed the connection, or does not speak HTTP") from None

    async def _follow(self, method: str, url: httpx.URL, content: bytes | None, limit_s: float) -> Answer:
        """Return a response, following redirects as long as they stay with the same server."""
        # This limits all steps, including name resolution and a head that arrives slowly.
        async with asyncio.timeout(limit_s):
            for _ in range(MAX_REDIRECTS + 1):
                answer, target = await self._once(method, url, content, limit_s)
                if target is None:
                    return answer
                if not _is_same_server(url, target):
                    raise self.failure(f"redirects to another server, {self.shown(_place_of(target))}")
                url = target.copy_with(userinfo=b"", fragment=None)
        raise self.failure("redirects too often")

    async def _once(
        self, method: str, url: httpx.URL, content: bytes | None, limit_s: float
    ) -> tuple[Answer, httpx.URL | None]:
        """Return a response, and the target if it is a redirect."""
        timeout = httpx.Timeout(limit_s, connect=min(CONNECT_S, limit_s))
        headers = {} if content is None else {"content-type": "application/json"}
        async with self._open_client().stream(
            method, url, content=content, headers=headers, auth=self._url.login, timeout=timeout
        ) as response:
            if response.status_code in _MOVED and "location" in response.headers:
                return Answer(response.status_code, b""), url.join(response.headers["location"])
            body = Body(response.headers.get("content-encoding", ""), MAX_ANSWER)
            async for piece in response.aiter_raw():
                body.add(piece)
            return Answer(response.status_code, body.whole()), None

    def _open_client(self) -> httpx.AsyncClient:
        """Return the client; only for the event loop."""
        if self._client is None:
            self._client = httpx.AsyncClient(
                headers={"user-agent": USER_AGENT, "accept": self._accept, "accept-encoding": GZIP},
                verify=usual_trust(),
                limits=httpx.Limits(max_connections=self._connections),
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                # A server on this machine is never behind the machine's proxy.
                trust_env=not _is_loopback(self._url.host),
            )
        return self._client

    async def _end(self) -> None:
        if self._client is not None:
            await self._client.aclose()


def _is_same_server(url: httpx.URL, target: httpx.URL) -> bool:
    """Return whether a request may be redirected to another URL: on the same server, or from HTTP to HTTPS there."""
    before, after = _origin(url), _origin(target)
    return before == after or (before == ("http", url.host, 80) and after == ("https", url.host, 443))


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)


def _place_of(url: httpx.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}"


def _is_loopback(host: str) -> bool:
    address = normal_address(host)
    return address.is_loopback if address is not None else host == "localhost"
