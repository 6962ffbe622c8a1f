"""Which geocoder a setting such as ``nominatim+http://localhost:8080`` means."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine.domain.errors import InvalidParameter
from engine.outbound.urls import ServerUrl, shown_url

if TYPE_CHECKING:
    from engine.geocoding.remote.engine import RemoteGeocoder

KINDS: Final = ("nominatim", "photon", "pelias")


def kind_and_url(text: str) -> tuple[str, str]:
    """Return what kind of geocoder is where; raises `InvalidParameter` ``geocoder``."""
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
    """Return the geocoder that a kind and an address name; raises `InvalidParameter` ``geocoder``."""
    # Only here: the command line checks what it is given without loading what asks servers.
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
