"""Rows of a gazetteer, one value class for each table. Degrees on WGS84; outlines and lines are WKB."""

from collections.abc import Mapping
from math import log10
from typing import Final, Literal

from msgspec import Struct, field

from engine.domain.addresses.address import Layer
from engine.domain.area import Bounds
from engine.domain.geometry import Point

type DivisionLayer = Literal[Layer.COUNTRY, Layer.STATE, Layer.COUNTY, Layer.LOCALITY, Layer.POSTAL_CODE] | SmallLayer
type SmallLayer = Literal["borough", "neighborhood"]

BOROUGH: Final = "borough"
NEIGHBORHOOD: Final = "neighborhood"
ROAD_NUMBER: Final = "ref"
"""The beginning of the keys under which a street has the numbers of its road among its names."""


class Context(Struct, frozen=True, kw_only=True):
    """The divisions around something: numbers returned by `GazetteerWriter.division`, and two codes.

    `is_uncertain` is true if the city is merely the nearest one and another one is hardly farther.
    """

    country: int | None = None
    state: int | None = None
    county: int | None = None
    city: int | None = None
    borough: int | None = None
    neighborhood: int | None = None
    postal_code: str | None = None
    country_code: str | None = None
    is_uncertain: bool = False


class Division(Struct, frozen=True, kw_only=True):
    """A part of the earth; `context` is the number of its surroundings, without itself.

    `code` is the ISO alpha-2 code of a country, or the part of a state's ISO 3166-2 code after the hyphen. `rank` 0..1
    is the likelihood that a query means it; without one it follows from layer and population. `leading` are the names
    that lead to its contents, or None for all names.
    """

    layer: DivisionLayer
    name: str
    point: Point
    context: int
    osm: str | None = None
    code: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    population: int = 0
    outline: bytes | None = None
    rank: float | None = None
    leading: tuple[str, ...] | None = None


class ZipCode(Struct, frozen=True, kw_only=True):
    """A postal code of the United States.

    `type` is STANDARD, PO BOX, UNIQUE (of one organisation) or MILITARY; `accepted` are cities that addresses may use
    instead of `city`. `point` is None if the position is unknown, as for forces abroad.
    """

    code: str
    type: str
    city: str
    accepted: tuple[str, ...]
    state: str
    county: str
    point: Point | None
    active: bool


class Street(Struct, frozen=True, kw_only=True):
    """A street of a city; `point` is on it, `box` around it, and `line` None if only addresses mention it."""

    name: str
    point: Point
    context: int
    names: Mapping[str, str] = field(default_factory=dict)
    box: Bounds | None = None
    line: bytes | None = None


class House(Struct, frozen=True, kw_only=True):
    """A house number as written; `use` is the value of the building tag."""

    street: int
    number: str
    point: Point
    context: int
    osm: str | None = None
    name: str | None = None
    use: str | None = None


class Range(Struct, frozen=True, kw_only=True):
    """House numbers `first`, `first` + `step` … `last`, evenly spaced along a line."""

    street: int
    first: int
    last: int
    step: int
    context: int
    line: bytes


class PlaceRow(Struct, frozen=True, kw_only=True):
    """A place that people visit; `box` is around its outline, or None for a point."""

    place_id: str
    osm: str
    name: str
    point: Point
    context: int
    names: Mapping[str, str] = field(default_factory=dict)
    chain: str | None = None
    chain_name: str | None = None
    categories: tuple[str, ...] = ()
    rank: float = 0.0
    street: str | None = None
    number: str | None = None
    iata: str | None = None
    outline: bytes | None = None
    box: Bounds | None = None


def place_id_of(osm: str) -> str:
    """Return the identifier of a place from its OpenStreetMap type letter and ID (``n123``): 24 hexadecimal digits.

    It is the same in each build, and different for all other objects.
    """
    return f"{ord(osm[0]):02x}{int(osm[1:]):022x}"


_RANKS: Final[Mapping[str, tuple[float, float]]] = {
    Layer.COUNTRY: (0.9, 0.1),
    Layer.STATE: (0.75, 0.15),
    Layer.COUNTY: (0.45, 0.15),
    Layer.LOCALITY: (0.3, 0.6),
    Layer.POSTAL_CODE: (0.3, 0.0),
    BOROUGH: (0.35, 0.2),
    NEIGHBORHOOD: (0.25, 0.2),
}
"""Rank of a division without inhabitants in each layer, and the increase at ten million inhabitants."""


def rank_of(layer: str, population: int) -> float:
    """Return the likelihood that a query means a division, 0..1, by its layer and population."""
    least, more = _RANKS[layer]
    return least + more * min(1.0, log10(max(population, 1)) / 7)
