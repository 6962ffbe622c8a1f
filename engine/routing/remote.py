"""A router at a URL: a Valhalla server, for data larger than one machine."""

from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import orjson

from engine.domain.errors import InvalidParameter, RoutingUnavailable
from engine.routing.router import ValhallaRouter
from engine.routing.service import LIMIT_S, Action, Deadline, Refused, Request

CONNECT_S: Final = 3.0
MAX_CONNECTIONS: Final = 16
_JSON: Final = {"content-type": "application/json"}


class RemoteService:
    """Valhalla over HTTP."""

    timed = True
    steady = False

    def __init__(self, url: str) -> None:
        self._url = _checked(url)
        self._client = httpx.Client(
            base_url=self._url,
            limits=httpx.Limits(max_connections=MAX_CONNECTIONS),
            # A server of this machine is never behind the machine's proxy.
            trust_env=not _is_loopback(self._url),
        )

    def ask(self, action: Action, request: Request, deadline: Deadline) -> Any:
        """Return the server's answer."""
        try:
            status, body = self._post(f"/{action}", orjson.dumps(request), deadline)
            answer = orjson.loads(body)
        except httpx.TimeoutException:
            raise RoutingUnavailable(f"The routing server {self._url} did not answer in time.") from None
        except (httpx.HTTPError, RuntimeError) as error:
            raise RoutingUnavailable(f"The routing server {self._url} cannot be reached: {error}.") from None
        except ValueError:
            raise RoutingUnavailable(f"What answers at {self._url} is no Valhalla server.") from None
        if status != httpx.codes.OK:
            raise self._refusal(status, answer)
        return answer

    def _post(self, path: str, content: bytes, deadline: Deadline) -> tuple[int, bytes]:
        """Return status and body. A server that sends drop by drop does not get more time than another."""
        left = deadline.left_s()
        timeout = httpx.Timeout(left, connect=min(CONNECT_S, left))
        body = bytearray()
        with self._client.stream("POST", path, content=content, headers=_JSON, timeout=timeout) as response:
            for chunk in response.iter_bytes():
                deadline.left_s()
                body += chunk
        return response.status_code, bytes(body)

    def _refusal(self, status: int, answer: Any) -> Exception:
        if isinstance(answer, dict) and isinstance(answer.get("error_code"), int):
            return Refused(answer["error_code"], str(answer.get("error")))
        return RoutingUnavailable(f"The routing server {self._url} answered with status {status}.")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidParameter("router", f"router: must be a URL such as http://localhost:8002, not {url!r}.")
    return url.rstrip("/")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class RemoteRouter(ValhallaRouter):
    """Finds ways by asking a Valhalla server."""

    def __init__(self, url: str, *, limit_s: float = LIMIT_S) -> None:
        super().__init__(RemoteService(url), f"the routing server {url.rstrip('/')}", limit_s)
