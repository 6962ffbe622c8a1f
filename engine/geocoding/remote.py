"""Geocoders elsewhere, by their addresses: Nominatim, Photon or Pelias, for data larger than one machine."""

from time import monotonic
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import httpx
import orjson

from engine.domain.address import Geocoder, Layer
from engine.domain.errors import GeocodingUnavailable
from engine.domain.ip import normal_address

LIMIT_S: Final = 4.0
CONNECT_S: Final = 2.0
MAX_ANSWER: Final = 8 * 1024 * 1024
MAX_REDIRECTS: Final = 3
MAX_CONNECTIONS: Final = 8
USER_AGENT: Final = "Fencewright"

type Params = dict[str, str | float | list[str]]
"""A query; what is a list is sent once for each item."""


class RemoteGeocoder(Geocoder, Protocol):
    """A geocoder elsewhere, and what it cannot do."""

    completes: bool
    """Whether it completes what somebody types."""

    def close(self) -> None:
        """Close the connections."""
        ...


class Refused(Exception):
    """The server understood the request and does not accept it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Server:
    """A server that answers JSON. May be asked from any thread."""

    def __init__(self, kind: str, url: str, limit_s: float = LIMIT_S) -> None:
        """Ask at `url`; a query in it, such as a key, goes with every request, and into no message."""
        parts = urlsplit(url)
        path = parts.path.rstrip("/")
        self._extra = parse_qsl(parts.query, keep_blank_values=True)
        self._base = urlunsplit((parts.scheme, parts.netloc, path, "", ""))
        self._limit_s = limit_s
        self.name = f"The {kind} server {urlunsplit((parts.scheme, parts.netloc.rpartition('@')[2], path, '', ''))}"
        self._client = httpx.Client(
            headers={"user-agent": USER_AGENT, "accept": "application/json"},
            limits=httpx.Limits(max_connections=MAX_CONNECTIONS),
            # A server of this machine is never behind the machine's proxy.
            trust_env=not _is_loopback(parts.hostname or ""),
        )

    def get(self, path: str, params: Params) -> Any:
        """Return the JSON that the server answers.

        Raises `Refused` where it calls the request a bad one, `GeocodingUnavailable` where it says anything else.
        """
        deadline = monotonic() + self._limit_s
        try:
            url = httpx.URL(self._base + path, params=[*_pairs(params), *self._extra])
            status, body = self._follow(url, deadline)
        except httpx.TimeoutException:
            raise GeocodingUnavailable(f"{self.name} did not answer in time.") from None
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
            raise GeocodingUnavailable(f"{self.name} cannot be reached: {error}.") from None
        if status in (httpx.codes.BAD_REQUEST, httpx.codes.UNPROCESSABLE_ENTITY):
            raise Refused(status)
        if status != httpx.codes.OK:
            raise GeocodingUnavailable(f"{self.name} answered with status {status}.")
        try:
            return orjson.loads(body)
        except ValueError:
            raise self.strange() from None

    def strange(self) -> GeocodingUnavailable:
        """Return the error of an answer that is none."""
        return GeocodingUnavailable(f"{self.name} gives answers that cannot be understood.")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _follow(self, url: httpx.URL, deadline: float) -> tuple[int, bytes]:
        """Return status and body; a redirection is followed as long as it stays on the host that was named."""
        for _ in range(MAX_REDIRECTS + 1):
            status, body, target = self._once(url, deadline)
            if target is None:
                return status, body
            if target.host != url.host:
                raise GeocodingUnavailable(f"{self.name} wants to be asked elsewhere, at {target.host}.")
            url = target
        raise GeocodingUnavailable(f"{self.name} wants to be asked elsewhere, again and again.")

    def _once(self, url: httpx.URL, deadline: float) -> tuple[int, bytes, httpx.URL | None]:
        """Return status, body, and where else to ask. A server that sends drop by drop gets no more time for that."""
        left = self._left_s(deadline)
        body = bytearray()
        with self._client.stream("GET", url, timeout=httpx.Timeout(left, connect=min(CONNECT_S, left))) as response:
            for chunk in response.iter_bytes():
                self._left_s(deadline)
                body += chunk
                if len(body) > MAX_ANSWER:
                    raise self.strange()
        target = response.next_request.url if response.next_request is not None else None
        return response.status_code, bytes(body), target

    def _left_s(self, deadline: float) -> float:
        left = deadline - monotonic()
        if left <= 0:
            raise GeocodingUnavailable(f"{self.name} did not answer in time.")
        return left


def _pairs(params: Params) -> list[tuple[str, str]]:
    several = {name: value if isinstance(value, list) else [str(value)] for name, value in params.items()}
    return [(name, each) for name, values in several.items() for each in values]


def _is_loopback(host: str) -> bool:
    address = normal_address(host)
    return address.is_loopback if address is not None else host == "localhost"


FROM_SMALL_TO_LARGE: Final = (
    Layer.PLACE,
    Layer.ADDRESS,
    Layer.POSTAL_CODE,
    Layer.LOCALITY,
    Layer.COUNTY,
    Layer.STATE,
    Layer.COUNTRY,
)


def features_of(server: Server, answer: Any) -> list[dict[str, Any]]:
    """Return the features of a GeoJSON collection; raises `GeocodingUnavailable` where the answer is none."""
    features = answer.get("features") if isinstance(answer, dict) else None
    if not isinstance(features, list):
        raise server.strange()
    return [feature for feature in features if isinstance(feature, dict)]
