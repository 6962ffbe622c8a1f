"""Places that people visit, such as shops, stations and schools, with their chains and categories."""

from typing import Final, Protocol

from msgspec import Struct, field

from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata, Wanted

DEFAULT_PLACES: Final = 10
DEFAULT_PLACE_RADIUS_M: Final = 1_000.0
AIRPORT_RADIUS_M: Final = 3_000.0
"""Radius around an airport without an outline within which places belong to it."""

AT_PLACE_M: Final = 50.0
"""Maximum distance to a place without an outline for a user to be at it, in addition to the accuracy."""


class Chain(Struct, frozen=True):
    """A chain of places; `slug` identifies it (``mcdonalds``), the rest but `name` is the project's own.

    `domain` is that of its website.
    """

    name: str
    slug: str
    external_id: str | None = None
    metadata: Metadata = NO_METADATA
    domain: str | None = None


class Place(Struct, frozen=True, kw_only=True):
    """A place that people visit.

    `id` derives from OpenStreetMap's type and number and survives a rebuild. `categories` are ordered from general to
    specific (``food-beverage``, ``restaurant``, ``fast-food-restaurant``). `outline` is WKB of a polygon or
    multipolygon in degrees, if the place has one.
    """

    id: str
    name: str
    point: Point
    chain: Chain | None = None
    categories: tuple[str, ...] = ()
    outline: bytes | None = None
    country_code: str | None = None


class NearbyPlace(Struct, frozen=True):
    """A place and its distance, which is 0 inside its outline."""

    place: Place
    distance_m: float


class PlaceQuery(Struct, frozen=True, kw_only=True):
    """A query for places by their distance from `near`, nearest first.

    `chains` are slugs or the project's own IDs, `categories` and `groups` words of the taxonomy. A place must match any
    of the chains and any of the categories. With `iata_code`, places must be inside that airport, or within 3 km of it
    if it has no outline. If `radius_m` is None, it is 1 km, or the whole airport with `iata_code`, regardless of the
    distance to `near`.
    """

    near: Point | None = None
    chains: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    chain_metadata: Wanted = NO_METADATA
    countries: frozenset[str] = frozenset()
    iata_code: str | None = None
    radius_m: float | None = None
    limit: int = DEFAULT_PLACES


class ChainSetting(Struct, frozen=True):
    """A project's settings for a chain: its own ID for it, metadata, and the domain of its website."""

    slug: str
    external_id: str | None = None
    metadata: Metadata = field(default_factory=lambda: NO_METADATA)
    domain: str | None = None


class PlaceFinder(Protocol):
    """Finds places. Methods block, are quick, and may be called from any thread."""

    def search(self, query: PlaceQuery, chains: tuple[ChainSetting, ...] = ()) -> tuple[NearbyPlace, ...]:
        """Return places, nearest first; `chains` are the project's settings.

        Raises `InvalidParameter` for ``chains``, ``categories``, ``groups`` or ``iata_code`` if a value does not exist,
        and `NoGeocodingData` if no area in use has places.
        """
        ...

    def around(self, point: Point, radius_m: float) -> tuple[NearbyPlace, ...]:
        """Return all places within a distance, nearest first. Places that contain the point come smallest first."""
        ...

    def chains_around(self, point: Point, radius_m: float) -> tuple[Chain, ...]:
        """Return the chains with a place whose centre is within a distance, nearest first and without duplicates."""
        ...

    def get(self, place_id: str) -> Place | None:
        """Return the place with this identifier, or None if no area in use has it."""
        ...
