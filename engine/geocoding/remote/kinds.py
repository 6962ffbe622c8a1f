"""The kinds of remote geocoder in settings such as ``nominatim+http://localhost:8080``."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine.domain.errors import InvalidParameter
from engine.outbound.urls import ServerUrl, shown_url

if TYPE_CHECKING:
    from engine.geocoding.remote.engine import RemoteGeocoder

KINDS: Final = ("nominatim", "photon", "pelias")


def kind_and_url(text: str) -> tuple[str, str]:
    """Return the kind and the URL of a geocoder. Raises `InvalidParameter` for ``geocoder``."""
    kind, _, url = text.partition("+")
    try:
        if kind not in KINDS:
            raise ValueError("unknown kind of geocoder")
        ServerUrl.parse(url)
    except ValueError:
        words = "must be nominatim+, photon+ or pelias+ and a URL, such as photon+http://localhost:2322"
        raise InvalidParameter("geocoder", f"geocoder: {words}, not {shown_url(text)!r}.") from None
    return kind, url


def remote_geocoder(text: str) -> "RemoteGeocoder":
    """Return the geocoder with a kind and a URL. Raises `InvalidParameter` for ``geocoder``."""
    # Imported here, so that the command line can validate the setting without loading the clients.
    from engine.geocoding.remote.nominatim import NominatimGeocoder
    from engine.geocoding.remote.pelias import PeliasGeocoder
    from engine.geocoding.remote.photon import PhotonGeocoder

    kind, url = kind_and_url(text)
    makes: dict[str, Callable[[str], RemoteGeocoder]] = {
        "nominatim": NominatimGeocoder,
        "photon": PhotonGeocoder,
        "pelias": PeliasGeocoder,
    }
    return makes[kind](url)
