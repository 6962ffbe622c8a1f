"""A remote server that is asked by HTTP.

Whatever it does, a question ends within its time, takes no more memory than its limit, and nobody is told the secrets
in its address.
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
    """The answer of a server."""

    status: int
    body: bytes

    def json(self) -> Any:
        """Return the body's JSON; raises `WrongShape` where it is none."""
        try:
            return orjson.loads(self.body)
        except ValueError:
            raise WrongShape("this is not JSON") from None


class RemoteServer[E: FencewrightError]:
    """A server by its address. May be asked from any thread."""

    def __init__(
        self,
        kind: str,
        url: str,
        unavailable: Callable[[str], E],
        *,
        connections: int,
        accept: str = "application/json",
    ) -> None:
        """Ask the server of this `kind`, such as ``Photon server``, at `url`, over so many connections at once.

        `accept` names the media types of the answers that are wanted. What fails is raised as `unavailable` makes it
        from a sentence. Raises `ValueError` for what is no URL.
        """
        self._url = ServerUrl.parse(url)
        self._unavailable = unavailable
        self._connections = connections
        self._accept = accept
        self._loop = LoopThread()
        self._client: httpx.AsyncClient | None = None
        self.name = f"the {kind} {self._url.base}"

    def get(self, path: str, query: str, limit_s: float) -> Answer:
        """Return what the server answers to a GET within `limit_s` seconds; raises what `unavailable` makes."""
        return self._ask("GET", path, query, None, limit_s)

    def post(self, path: str, content: bytes, limit_s: float) -> Answer:
        """Return what the server answers to a POST of JSON within `limit_s` seconds; raises what `unavailable` makes.

        The question may be sent again where the server redirects it, so it should only be one.
        """
        return self._ask("POST", path, "", content, limit_s)

    def failure(self, what: str) -> E:
        """Return the error of a sentence about the server, such as ``did not answer in time``."""
        return self._unavailable(f"{self.name[:1].upper()}{self.name[1:]} {what}.")

    def strange(self) -> E:
        """Return the error of an answer that is none."""
        return self.failure("sends responses that cannot be read")

    def shown(self, text: str) -> str:
        """Return what the server said as it may be shown: in one short line, without secrets it repeats."""
        for secret in self._url.secrets:
            text = text.replace(secret, "…")
        line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * _SHOWN]).split())
        return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"

    def close(self) -> None:
        """Close the connections; who is still waiting for an answer is told that there is none."""
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
            # Their texts may repeat what was sent and received.
            raise self.failure("cannot be reached: it closed the connection, or does not speak HTTP") from None

    async def _follow(self, method: str, url: httpx.URL, content: bytes | None, limit_s: float) -> Answer:
        """Return an answer; a redirection is followed as long as it stays with the server that was named."""
        # Whatever is under way when the time is over ends: looking up a name, or a head that comes drop by drop.
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
        """Return an answer, and where else to ask."""
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
        """Return the client; for the event loop only."""
        if self._client is None:
            self._client = httpx.AsyncClient(
                headers={"user-agent": USER_AGENT, "accept": self._accept, "accept-encoding": GZIP},
                verify=usual_trust(),
                limits=httpx.Limits(max_connections=self._connections),
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                # A server of this machine is never behind the machine's proxy.
                trust_env=not _is_loopback(self._url.host),
            )
        return self._client

    async def _end(self) -> None:
        if self._client is not None:
            await self._client.aclose()


def _is_same_server(url: httpx.URL, target: httpx.URL) -> bool:
    """Whether what was meant for one address may be sent to another: the same server, also where it is encrypted."""
    before, after = _origin(url), _origin(target)
    return before == after or (before == ("http", url.host, 80) and after == ("https", url.host, 443))


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)


def _place_of(url: httpx.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}"


def _is_loopback(host: str) -> bool:
    address = normal_address(host)
    return address.is_loopback if address is not None else host == "localhost"
