"""Remote geocoders, by their addresses: Nominatim, Photon or Pelias, for data larger than one machine."""

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
"""A query; what is a list is sent once for each item."""


class RemoteGeocoder(Geocoder, Protocol):
    """A remote geocoder, and what it cannot do."""

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
        """Ask at `url`; raises `InvalidParameter` ``geocoder`` for what is no URL."""
        self._limit_s = limit_s
        try:
            self._server = RemoteServer(f"{kind} server", url, GeocodingUnavailable, connections=MAX_CONNECTIONS)
        except ValueError:
            raise InvalidParameter("geocoder", f"geocoder: must be a URL, not {shown_url(url)!r}.") from None

    def get(self, path: str, params: Params) -> Any:
        """Return the JSON that the server answers.

        Raises `Refused` where it calls the request a bad one, `GeocodingUnavailable` where it says anything else.
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
        """Return the error of an answer that is none."""
        return self._server.strange()

    def close(self) -> None:
        """Close the connections."""
        self._server.close()


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
