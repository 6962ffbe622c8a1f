"""Places: shops, stations, schools and whatever else people visit, with their chains and categories."""

from typing import Final, Protocol

from msgspec import Struct, field

from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata, Wanted

DEFAULT_PLACES: Final = 10
DEFAULT_PLACE_RADIUS_M: Final = 1_000.0
AIRPORT_RADIUS_M: Final = 3_000.0
"""How far around an airport without an outline its places are."""

AT_PLACE_M: Final = 50.0
"""How near a place that is only a point somebody at it is at most, besides the accuracy."""


class Chain(Struct, frozen=True):
    """A chain of places; `slug` identifies it (``mcdonalds``), `external_id` and `metadata` are the project's own."""

    name: str
    slug: str
    external_id: str | None = None
    metadata: Metadata = NO_METADATA


class Place(Struct, frozen=True, kw_only=True):
    """Something people visit.

    `id` derives from OpenStreetMap's type and number and survives a rebuild. `categories` go from general to specific
    (``food-beverage``, ``restaurant``, ``fast-food-restaurant``). `outline` is WKB of a polygon or multipolygon in
    degrees where the place has one.
    """

    id: str
    name: str
    point: Point
    chain: Chain | None = None
    categories: tuple[str, ...] = ()
    outline: bytes | None = None
    country_code: str | None = None


class NearbyPlace(Struct, frozen=True):
    """A place and how far it is: 0 inside its outline."""

    place: Place
    distance_m: float


class PlaceQuery(Struct, frozen=True, kw_only=True):
    """Places by their distance from `near`, nearest first.

    `chains` are slugs or the project's own IDs, `categories` and `groups` words of the taxonomy; a place matches by any
    of the chains and by any of the categories. With `iata_code` those inside that airport, else within 3 km of it.
    `radius_m` None is 1 km; with `iata_code` the whole airport, however far `near` is.
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
    """A project's settings for a chain: its own ID for it, and metadata."""

    slug: str
    external_id: str | None = None
    metadata: Metadata = field(default_factory=lambda: NO_METADATA)


class PlaceFinder(Protocol):
    """Finds places. Methods block, are quick, and may be called from any thread."""

    def search(self, query: PlaceQuery, chains: tuple[ChainSetting, ...] = ()) -> tuple[NearbyPlace, ...]:
        """Return places, nearest first; `chains` are the project's settings.

        Raises `InvalidParameter` ``chains``, ``categories``, ``groups`` or ``iata_code`` for one that nothing has,
        `NoGeocodingData` where no area in use has places.
        """
        ...

    def around(self, point: Point, radius_m: float) -> tuple[NearbyPlace, ...]:
        """Return all places within a distance, nearest first; of those that hold the point, the smallest first."""
        ...

    def chains_around(self, point: Point, radius_m: float) -> tuple[Chain, ...]:
        """Return the chains that have a place whose middle is within a distance, the nearest first, each once."""
        ...

    def get(self, place_id: str) -> Place | None:
        """Return the place with this identifier, None where no area in use has it."""
        ...
