"""Remote geocoders by URL (Nominatim, Photon or Pelias), for more data than fits on one machine."""

from http import HTTPStatus
from typing import Any, Final, Protocol
from urllib.parse import urlencode

from engine.domain.addresses.address import Geocoder, Layer
from engine.domain.errors import GeocodingUnavailable, InvalidParameter
from engine.outbound.server import RemoteServer
from engine.outbound.shapes import WrongShape
from engine.outbound.urls import shown_url

LIMIT_S: Final = 4.0
MAX_CONNECTIONS: Final = 8

type Params = dict[str, str | float | list[str]]
"""Query parameters. A list is sent as repeated parameters."""


class RemoteGeocoder(Geocoder, Protocol):
    """A remote geocoder and its capabilities."""

    completes: bool
    """Whether it supports autocompletion."""

    def close(self) -> None:
        """Close the connections."""
        ...


class Refused(Exception):
    """The server understood the request but refused it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Server:
    """A server that responds with JSON. May be used from any thread."""

    def __init__(self, kind: str, url: str, limit_s: float = LIMIT_S) -> None:
        """Send requests to `url`. Raises `InvalidParameter` for ``geocoder`` if it is not a URL."""
        self._limit_s = limit_s
        try:
            self._server = RemoteServer(f"{kind} server", url, GeocodingUnavailable, connections=MAX_CONNECTIONS)
        except ValueError:
            raise InvalidParameter("geocoder", f"geocoder: must be a URL, not {shown_url(url)!r}.") from None

    def get(self, path: str, params: Params) -> Any:
        """Return the JSON in the server's response.

        Raises `Refused` if the server reports a bad request, and `GeocodingUnavailable` for any other error.
        """
        answer = self._server.get(path, urlencode(params, doseq=True, errors="replace"), self._limit_s)
        if answer.status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY):
            raise Refused(answer.status)
        if answer.status != HTTPStatus.OK:
            raise self._server.failure(f"answered with status {answer.status}")
        try:
            return answer.json()
        except WrongShape:
            raise self.strange() from None

    def strange(self) -> GeocodingUnavailable:
        """Return the error for an invalid response."""
        return self._server.strange()

    def close(self) -> None:
        """Close the connections."""
        self._server.close()


FROM_SMALL_TO_LARGE: Final = (
    Layer.PLACE,
    Layer.ADDRESS,
    Layer.POSTAL_CODE,
    Layer.NEIGHBORHOOD,
    Layer.LOCALITY,
    Layer.COUNTY,
    Layer.STATE,
    Layer.COUNTRY,
)


def features_of(server: Server, answer: Any) -> list[dict[str, Any]]:
    """Return the features of a GeoJSON collection.

    Raises `GeocodingUnavailable` if the response is not a collection.
    """
    features = answer.get("features") if isinstance(answer, dict) else None
    if not isinstance(features, list):
        raise server.strange()
    return [feature for feature in features if isinstance(feature, dict)]
