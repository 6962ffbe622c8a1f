"""Addresses: queries to a geocoder and its results. Metres, degrees, longitude before latitude."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol, Self

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.text import check_text
from engine.domain.values import replace

MAX_QUERY: Final = 1_000
"""Maximum number of characters of a query; longer ones are refused."""

DEFAULT_ADDRESSES: Final = 10


class Layer(StrEnum):
    """The kind of a result."""

    PLACE = "place"
    ADDRESS = "address"
    STREET = "street"
    INTERSECTION = "intersection"
    POSTAL_CODE = "postalCode"
    NEIGHBORHOOD = "neighborhood"
    LOCALITY = "locality"
    COUNTY = "county"
    STATE = "state"
    COUNTRY = "country"


COARSE: Final = frozenset({Layer.POSTAL_CODE, Layer.LOCALITY, Layer.COUNTY, Layer.STATE, Layer.COUNTRY})
FINE: Final = frozenset({Layer.ADDRESS, Layer.PLACE})
DEFAULT_LAYERS: Final = COARSE | {Layer.ADDRESS}

COARSER: Final = {
    Layer.STREET: Layer.ADDRESS,
    Layer.INTERSECTION: Layer.ADDRESS,
    Layer.NEIGHBORHOOD: Layer.LOCALITY,
}
"""Layers that results have only if they are requested; otherwise such results have the larger layer."""

DIVISIONS: Final = COARSE | {Layer.NEIGHBORHOOD}


class AddressLanguage(StrEnum):
    """The languages in which names are available."""

    ARABIC = "ar"
    GERMAN = "de"
    ENGLISH = "en"
    SPANISH = "es"
    FRENCH = "fr"
    JAPANESE = "ja"
    KOREAN = "ko"
    PORTUGUESE = "pt"
    RUSSIAN = "ru"
    CHINESE = "zh"


class MatchConfidence(StrEnum):
    """Quality of a forward geocode's result.

    EXACT: the exact match; INTERPOLATED: a house number placed between its neighbours; FALLBACK: something larger (the
    street instead of the house), or something that only resembles the query.
    """

    EXACT = "exact"
    INTERPOLATED = "interpolated"
    FALLBACK = "fallback"


class Address(Struct, frozen=True, kw_only=True):
    """A result. A field that is None is unknown, and is not sent.

    `label` is the short form (``123 East Main Street``; for a place its street address), `formatted` the complete one.
    `place_label` is the name of a place. `distance_m` is set if the query has a position. A street without a house
    number has the layer ADDRESS and no `number`, unless streets were requested: `finer` is the layer that it then has.
    """

    point: Point
    layer: Layer
    formatted: str
    label: str | None = None
    place_label: str | None = None
    number: str | None = None
    street: str | None = None
    unit: str | None = None
    neighborhood: str | None = None
    borough: str | None = None
    city: str | None = None
    county: str | None = None
    state: str | None = None
    state_code: str | None = None
    postal_code: str | None = None
    country: str | None = None
    country_code: str | None = None
    confidence: MatchConfidence | None = None
    distance_m: float | None = None
    place_id: str | None = None
    finer: Layer | None = None


def in_layers(found: Iterable["Address"], layers: frozenset[Layer]) -> tuple["Address", ...]:
    """Return the results of some layers, each with its finest layer among them."""
    kept = []
    for address in found:
        if address.finer in layers:
            kept.append(address if address.finer is address.layer else replace(address, layer=address.finer))
        elif address.layer in layers:
            kept.append(address)
    return tuple(kept)


def coarser(layers: frozenset[Layer]) -> frozenset[Layer]:
    """Return layers with the finer ones replaced by those that include them."""
    return frozenset(COARSER.get(layer, layer) for layer in layers)


class TimeZone(Struct, frozen=True):
    """The time zone of a position at one moment. Offsets in seconds; `utc_offset_s` includes `dst_offset_s`."""

    id: str
    name: str
    code: str
    now: datetime
    utc_offset_s: int
    dst_offset_s: int


class ForwardQuery(Struct, frozen=True, kw_only=True):
    """A query for a complete address or a name; `countries` are ISO codes in upper case, empty for all."""

    text: str
    layers: frozenset[Layer] = DEFAULT_LAYERS
    countries: frozenset[str] = frozenset()
    language: AddressLanguage = AddressLanguage.ENGLISH
    limit: int = DEFAULT_ADDRESSES


class ReverseQuery(Struct, frozen=True, kw_only=True):
    """A query for the nearest addresses to a position, and for the areas whose outlines contain it."""

    point: Point
    layers: frozenset[Layer] = DEFAULT_LAYERS
    language: AddressLanguage = AddressLanguage.ENGLISH
    limit: int = DEFAULT_ADDRESSES


class AutocompleteQuery(Struct, frozen=True, kw_only=True):
    """A query with the beginning of an address or a name as typed by a user; results near `near` are preferred."""

    text: str
    near: Point | None = None
    layers: frozenset[Layer] = DEFAULT_LAYERS
    countries: frozenset[str] = frozenset()
    language: AddressLanguage = AddressLanguage.ENGLISH
    limit: int = DEFAULT_ADDRESSES


class Geocoder(Protocol):
    """Finds addresses. Methods block, and may be called from any thread.

    They raise `GeocodingUnavailable` if a remote engine does not answer.
    """

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        """Return the matches of a query, best first, or nothing if no record resembles it."""
        ...

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        """Return the results at or around a position, nearest first, then from small to large."""
        ...

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        """Return completions of a text, by relevance and proximity."""
        ...


class RegionType(StrEnum):
    """The types of regions."""

    COUNTRY = "country"
    STATE = "state"
    DMA = "dma"
    POSTAL_CODE = "postalCode"


class Region(Struct, frozen=True):
    """A country, a state, a designated market area or a postal code."""

    type: RegionType
    code: str
    name: str

    @property
    def id(self) -> str:
        """The permanent identity, made of the kind and the code."""
        return f"{self.type}-{self.code}"


class Regions(Struct, frozen=True):
    """The regions that contain a position: countries everywhere, states in the US and Canada, the others in the US."""

    country: Region | None = None
    state: Region | None = None
    dma: Region | None = None
    postal_code: Region | None = None

    @property
    def all(self) -> tuple[Region, ...]:
        """The regions that are set, largest first."""
        each = (self.country, self.state, self.dma, self.postal_code)
        return tuple(region for region in each if region is not None)

    @classmethod
    def of(cls, regions: Iterable[Region]) -> Self:
        """Combine regions into one value, using the last one of each kind."""
        kinds = {region.type: region for region in regions}
        return cls(
            kinds.get(RegionType.COUNTRY),
            kinds.get(RegionType.STATE),
            kinds.get(RegionType.DMA),
            kinds.get(RegionType.POSTAL_CODE),
        )


NO_REGIONS: Final = Regions()


class IpAddress(Struct, frozen=True):
    """Location of an IP address, as far as known; `address` is None if it is unknown.

    `lack` is a sentence about what is missing if only the country is known, or None.
    """

    ip: str
    address: Address | None
    proxy: bool = False
    lack: str | None = None


def check_query(text: str, param: str = "query") -> str:
    """Return a query with whitespace normalized. Raises `InvalidParameter` if it is empty, too long or invalid."""
    stripped = " ".join(text.split())
    if not stripped:
        raise InvalidParameter(param, f"{param}: must not be empty.")
    return check_text(stripped, param, MAX_QUERY)


def flag_of(country_code: str) -> str:
    """Return a country's flag as its two regional indicator characters, from its code (``LI``)."""
    return "".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in country_code.upper())
