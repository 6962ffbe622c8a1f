"""Localities of the world pack that are sections of a city: Times Square is in New York, Paris 15 in Paris.

GeoNames lists sections as localities of their own. If an extract is cut through a city, so that the city's outline is
missing, sections are nearer than its centre and would be taken for the city of addresses.
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
"""Maximum distance in metres of a section from the centre of its city."""

_SAME_M: Final = 4_000.0
"""Maximum distance in metres between the positions of a section in the extract and in the pack."""

_CELL: Final = 0.25
"""Size in degrees of a cell for finding cities, which avoids measuring every pair of localities in the world."""

_LEAST: Final = 50_000
"""Minimum number of inhabitants of a city with sections."""

_LARGER: Final = 3
"""Minimum ratio of the inhabitants of a city to those of its section."""


def without_sections(
    localities: Sequence[AdminDivision], divisions: Iterable[AdminDivision], postal_cities: Container[str]
) -> list[AdminDivision]:
    """Return the localities that are cities of addresses.

    A section is near a larger city, and one of these conditions applies: the `divisions` of the extract have it as a
    borough or neighborhood; its name is that of the city followed by more words; or it is in the United States and has
    no postal code although the city has some. `postal_cities` are the folded names of cities with postal codes, and
    empty if no pack has any.
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
    """Larger cities around each locality."""

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
    """Yield the cells that may contain a city within the maximum distance."""
    longitude, latitude = spot
    north = _CITY_M / _M_PER_DEGREE
    east = north / max(cos(radians(min(abs(latitude) + north, 90.0))), 0.01)
    for row in range(floor((latitude - north) / _CELL), floor((latitude + north) / _CELL) + 1):
        for column in range(floor((longitude - east) / _CELL), floor((longitude + east) / _CELL) + 1):
            yield column, row


def _bare(city: AdminDivision) -> str:
    """Return the folded name of a city without "City": New York."""
    return fold(city.name).removesuffix(" city")


def _away_m(one: Spot, other: Spot) -> float:
    east = (one[0] - other[0]) * cos(radians(one[1]))
    return hypot(east, one[1] - other[1]) * _M_PER_DEGREE
