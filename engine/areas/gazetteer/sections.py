"""Localities of the world pack that are sections of a city: Times Square is in New York, Paris 15 in Paris.

GeoNames has sections as localities of their own. Where an extract is cut through a city, so that its outline is not
there, they are nearer than its middle, and would be taken for the city of addresses.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from math import cos, floor, hypot, radians
from typing import Final

from engine.areas.gazetteer.clipped_boundaries import Spot
from engine.areas.gazetteer.countries import AdminDivision
from engine.domain.addresses.address import Layer
from engine.gazetteer.rows import BOROUGH, NEIGHBORHOOD
from engine.gazetteer.text import fold

_M_PER_DEGREE: Final = 111_195.0
_CITY_M: Final = 20_000.0
"""How far from the middle of its city a section may be."""

_SAME_M: Final = 4_000.0
"""How far the extract may have a section from where the pack has it."""

_CELL: Final = 0.25
"""Degrees of a cell in which cities are looked for: of all the world each of all its sections would be measured."""

_LEAST: Final = 50_000
"""The inhabitants of a city that has sections."""

_LARGER: Final = 3
"""How many times the inhabitants a city has at least."""


def without_sections(
    localities: Sequence[AdminDivision], divisions: Iterable[AdminDivision], postal_cities: Container[str]
) -> list[AdminDivision]:
    """Return the localities that are cities of addresses.

    A section is near a larger city, and `divisions` of the extract have it as a borough or neighborhood; or it is
    called as the city with more words behind; or it is in the United States, where no postal code is of it while
    there are some of the city. `postal_cities` are the folded names of the cities of postal codes, none where no pack
    has any.
    """
    parts: dict[str, list[Spot]] = defaultdict(list)
    own: set[str] = set()
    for division in divisions:
        if division.layer == Layer.LOCALITY:
            own |= division.known_as()
        elif division.layer in (BOROUGH, NEIGHBORHOOD):
            for name in division.known_as():
                parts[name].append(division.spot)
    larger = _Larger(localities)
    return [each for each in localities if not _is_section(each, larger, parts, own, postal_cities)]


def _is_section(
    each: AdminDivision,
    larger: "_Larger",
    parts: dict[str, list[Spot]],
    own: set[str],
    postal_cities: Container[str],
) -> bool:
    name = fold(each.name)
    if name in own:
        return False
    cities = larger.near(each)
    if any(name.startswith(f"{_bare(city)} ") for city in cities):
        return True
    if each.country == "US" and name not in postal_cities and any(_bare(city) in postal_cities for city in cities):
        return True
    return bool(cities) and any(_away_m(each.spot, spot) <= _SAME_M for spot in parts.get(name, ()))


class _Larger:
    """The larger cities around each."""

    def __init__(self, localities: Iterable[AdminDivision]) -> None:
        self._cities: dict[tuple[int, int], list[AdminDivision]] = defaultdict(list)
        for each in localities:
            if each.population >= _LEAST:
                longitude, latitude = each.spot
                self._cities[floor(longitude / _CELL), floor(latitude / _CELL)].append(each)

    def near(self, section: AdminDivision) -> list[AdminDivision]:
        return [
            city
            for cell in _cells_around(section.spot)
            for city in self._cities.get(cell, ())
            if city.country == section.country
            and city.population >= section.population * _LARGER
            and _away_m(city.spot, section.spot) <= _CITY_M
        ]


def _cells_around(spot: Spot) -> Iterator[tuple[int, int]]:
    """Yield the cells of all that may be within the distance of a city."""
    longitude, latitude = spot
    north = _CITY_M / _M_PER_DEGREE
    east = north / max(cos(radians(min(abs(latitude) + north, 90.0))), 0.01)
    for row in range(floor((latitude - north) / _CELL), floor((latitude + north) / _CELL) + 1):
        for column in range(floor((longitude - east) / _CELL), floor((longitude + east) / _CELL) + 1):
            yield column, row


def _bare(city: AdminDivision) -> str:
    """Return the folded name of a city without City: New York."""
    return fold(city.name).removesuffix(" city")


def _away_m(one: Spot, other: Spot) -> float:
    east = (one[0] - other[0]) * cos(radians(one[1]))
    return hypot(east, one[1] - other[1]) * _M_PER_DEGREE
