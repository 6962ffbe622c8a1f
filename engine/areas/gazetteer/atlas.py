"""Divisions by position: lookup of the divisions that contain a position."""

from collections.abc import Iterable, Iterator, Sequence
from math import cos, radians
from typing import Any, Final

import numpy as np
import shapely
from babel import Locale, UnknownLocaleError

from engine.areas.gazetteer.countries import AdminDivision, Around, Countries
from engine.areas.gazetteer.from_world import Outer
from engine.areas.gazetteer.reach import Lines, Reaching, Spots, are_rivals, covering, share_of_reach
from engine.areas.gazetteer.sections import without_sections
from engine.domain.addresses.address import AddressLanguage, Layer
from engine.domain.area import Bounds, covers, halves
from engine.gazetteer.rows import BOROUGH, NEIGHBORHOOD, DivisionLayer
from engine.gazetteer.text import fold

type _Key = tuple[DivisionLayer, str]


class Namesakes:
    """Divisions in order, indexed by name and code; comparing each pair would take too long in a large area."""

    def __init__(self, divisions: Iterable[AdminDivision]) -> None:
        self._divisions = list(divisions)
        self._coded: dict[_Key, int] = {}
        self._named: dict[_Key, int] = {}
        self._only_named: dict[_Key, int] = {}
        for number, division in enumerate(self._divisions):
            names = [(division.layer, name) for name in division.known_as()]
            self._coded.setdefault((division.layer, (division.code or "").upper()), number)
            for key in names:
                self._named.setdefault(key, number)
                if not division.code:
                    self._only_named.setdefault(key, number)

    def of_outer(self, outer: AdminDivision) -> AdminDivision | None:
        """Return the first division of the extract that is the same as one of the world pack."""
        if outer.code:
            return self._first([self._coded.get((outer.layer, outer.code))])
        return self._first([self._named.get((outer.layer, name)) for name in outer.known_as()])

    def of_extract(self, here: AdminDivision) -> AdminDivision | None:
        """Return the first division of the world pack that is the same as one of the extract; its code takes
        precedence."""
        named = [self._only_named.get((here.layer, name)) for name in here.known_as()]
        coded = self._coded.get((here.layer, here.code.upper())) if here.code else None
        return self._first([coded, *named])

    def _first(self, numbers: Iterable[int | None]) -> AdminDivision | None:
        first = min((number for number in numbers if number is not None), default=None)
        return self._divisions[first] if first is not None else None


def is_same(here: AdminDivision, there: AdminDivision) -> bool:
    """Return whether a division of the extract is one of the world pack, by its code if the latter has one."""
    if here.layer != there.layer:
        return False
    return (here.code or "").upper() == there.code if there.code else bool(here.known_as() & there.known_as())


M_PER_DEGREE: Final = 111_195.0
LAYERS: Final[tuple[DivisionLayer, ...]] = (
    *(Layer.COUNTRY, Layer.STATE, Layer.COUNTY, Layer.LOCALITY),
    *(BOROUGH, NEIGHBORHOOD),
)
"""Layers from large to small."""

_UPPER: Final = (Layer.COUNTRY, Layer.STATE, Layer.COUNTY)
_OFF_SHORE: Final = 0.1
"""Maximum distance from a coarse outline of something that belongs to it, in degrees: piers, islands."""

_NEAR_LINE: Final = 0.015
"""Error of a coarse outline in degrees."""

_REACH_M: Final = {"city": 15_000.0, "town": 8_000.0, "village": 4_000.0, "hamlet": 1_500.0}
_NEIGHBORHOOD_M: Final = {"suburb": 1_500.0, "quarter": 1_200.0, "neighbourhood": 800.0}
"""Reach of a settlement without an outline from its node, in metres."""


class Atlas:
    """The divisions of an extract and around it."""

    def __init__(self, divisions: Sequence[AdminDivision], outer: Outer, countries: Countries, bounds: Bounds) -> None:
        known = Namesakes(outer.localities), Namesakes(outer.divisions)
        self.divisions = [_known_from(*known, division) for division in divisions]
        _add_countries(self.divisions, outer.localities)
        self.zip_codes, self.zip_cities = outer.zip_codes, outer.zip_cities
        self._zip_counties = outer.zip_counties
        self._bounds = bounds
        self._arounds: dict[Around, Around] = {}
        self._counties: dict[AdminDivision, AdminDivision | None] = {}
        self._states, self._countries, self._usual = dict(outer.states), dict(outer.countries), countries.usual
        self._scale = np.array([cos(radians((bounds[1] + bounds[3]) / 2)), 1.0]) * M_PER_DEGREE
        self._shapes = {layer: _by_size(self.divisions, layer) for layer in (*LAYERS, Layer.POSTAL_CODE)}
        for division in self.divisions:
            self._add_known(division)
        self._coarse: dict[DivisionLayer, list[tuple[AdminDivision, Any]]] = {layer: [] for layer in _UPPER}
        namesakes = Namesakes(self.divisions)
        lines = Lines(frozenset(name for each in outer.localities for name in _bare(each)))
        for division in outer.divisions:
            self._add_outer(division, namesakes.of_outer(division), lines)
        lines.add(self._shapes)
        postal_cities = frozenset(fold(cities[0]) for cities in outer.zip_cities.values())
        outer_cities = without_sections(outer.localities, self.divisions, postal_cities)
        self._cities = Reaching(
            [division for division in self.divisions if division.layer == Layer.LOCALITY and division.shape is None],
            _REACH_M,
            self._scale,
            lines,
        )
        self._outer_cities = Reaching(outer_cities, _REACH_M, self._scale, lines)
        self._neighborhoods = Reaching(
            [division for division in self.divisions if division.layer == NEIGHBORHOOD and division.shape is None],
            _NEIGHBORHOOD_M,
            self._scale,
        )
        self.localities: dict[str, list[AdminDivision]] = {}
        for division in (*(each for each in self.divisions if each.layer == Layer.LOCALITY), *outer_cities):
            for name in division.known_as():
                self.localities.setdefault(name, []).append(division)

    def _add_known(self, division: AdminDivision) -> None:
        """Register a country or state of the extract by its code, in place of the one of the world pack."""
        if division.layer == Layer.COUNTRY and division.code:
            self._countries[division.code] = division
        if division.layer == Layer.STATE and division.code and self._usual:
            self._states[self._usual, division.code.upper()] = division

    def _add_outer(self, division: AdminDivision, here: AdminDivision | None, lines: Lines) -> None:
        """Add an outline that applies where the extract has none, under the extract's division if there is one."""
        if here is None and division.layer == Layer.COUNTRY and division.code in self._countries:
            here = self._countries[division.code]
        if here is None and division.layer == Layer.STATE:
            here = next(
                (
                    each
                    for (country, _), each in self._states.items()
                    if country == self._usual and is_same(each, division)
                ),
                None,
            )
        if here is None or here.clipped or here.shape is None:
            self._coarse[division.layer].append((here or division, division.shape))
            lines.add_coarse(here or division, division)

    def country(self, code: str | None) -> AdminDivision | None:
        """Return a country by its code."""
        code = (code or "").upper()
        if code not in self._countries and (named := _country_named(code, self._bounds)) is not None:
            self._countries[code] = named
        return self._countries.get(code)

    def state(self, country: str | None, code: str, spot: tuple[float, float]) -> AdminDivision | None:
        """Return the state that an address gives by code or name, and create one if it is unknown."""
        key = (country or "", code.upper())
        if key not in self._states:
            name = fold(code)
            named = (
                division
                for (country_code, _), division in self._states.items()
                if country_code == key[0] and name in division.known_as()
            )
            made = AdminDivision(layer=Layer.STATE, name=code, code=key[1] if len(code) <= 3 else None, spot=spot)
            self._states[key] = next(named, made)
        return self._states[key]

    def only_locality(self, name: str) -> AdminDivision | None:
        """Return the only settlement of the extract with a folded name, or None if there are none or several."""
        known = self.localities.get(name, ())
        return known[0] if len(known) == 1 and known[0].osm is not None else None

    def postcodes(self, spots: Spots) -> list[AdminDivision | None]:
        """Return the postal code with an outline at each position."""
        return self.find(Layer.POSTAL_CODE, spots)

    def find(self, layer: DivisionLayer, spots: Spots) -> list[AdminDivision | None]:
        """Return the division of a layer at each position, the smallest of several."""
        found = covering((*self._coarse.get(layer, ()), *self._shapes[layer]), spots)
        if layer in _UPPER:
            self._find_nearest(layer, spots, found)
        if layer == Layer.COUNTRY:
            return [division or self.country(self._usual) for division in found]
        if layer == NEIGHBORHOOD:
            self._neighborhoods.fill(spots, found)
        return found

    def around(self, spots: Spots) -> list[Around]:
        """Return the divisions around each position; states and counties of other countries are left out."""
        columns = [self.cities(spots) if layer == Layer.LOCALITY else self.find(layer, spots) for layer in LAYERS]
        made: dict[tuple[AdminDivision | None, ...], Around] = {}
        found = []
        for divisions in zip(*columns, strict=True):
            around = made.get(divisions)
            if around is None:
                around = made[divisions] = self.same(_consistent(self._with_its_country(Around(*divisions))))
            found.append(around)
        return found

    def _with_its_country(self, around: Around) -> Around:
        """Return the divisions with the country of the city, if only the world's outlines give the country.

        These outlines are coarse: half of Beausoleil would be in Monaco.
        """
        city, country = around.city, around.country
        if city is None or city.shape is None or city.country is None or (country and country.osm):
            return around
        return around._replace(country=self.country(city.country) or country)

    def same(self, around: Around) -> Around:
        """Return the shared instance for equal surroundings."""
        return self._arounds.setdefault(around, around)

    def cities(self, spots: Spots) -> list[AdminDivision | None]:
        """Return the city at each position: by outline, else the nearest relative to its size, else a township."""
        within = self.find(Layer.LOCALITY, spots)
        found = [division if division is not None and division.city else None for division in within]
        self._cities.fill(spots, found)
        found = [city or division for city, division in zip(found, within, strict=True)]
        self._outer_cities.fill(spots, found)
        return found

    def uncertain(self, spots: Spots, cities: Sequence[AdminDivision]) -> Any:
        """Return for each position whether its city, which has no outline, is hardly nearer than another one."""
        others = np.full(len(spots), np.inf)
        for reaching in (self._cities, self._outer_cities):
            reaching.lower_to_rivals(spots, cities, others)
        return are_rivals(share_of_reach(spots, cities, _REACH_M, self._scale), others)

    def county_of_postcode(
        self, code: str, spot: tuple[float, float], county: AdminDivision | None
    ) -> AdminDivision | None:
        """Return the county of a US postal code by the world pack's table, if a position is in it or near its line.

        Otherwise the county from the outlines is returned.
        """
        name = self._zip_counties.get(code)
        if name is None or (county is not None and county.name == name):
            return county
        named = (pair for pair in self._coarse[Layer.COUNTY] if pair[0].name == name)
        point = shapely.Point(spot)
        return next((division for division, shape in named if shapely.dwithin(shape, point, _NEAR_LINE)), county)

    def county_of(self, division: AdminDivision) -> AdminDivision | None:
        """Return the county of a division."""
        if division not in self._counties:
            self._counties[division] = self.find(Layer.COUNTY, self.probe(division))[0]
        return self._counties[division]

    def holds(self, spot: tuple[float, float]) -> bool:
        """Return whether a position is within the box of the extract; the centre of a clipped object may be outside."""
        return covers(self._bounds, *spot)

    def probe(self, division: AdminDivision) -> Spots:
        """Return one position in a division and within the extract's box, as an array."""
        if division.shape is not None:
            return shapely.get_coordinates(shapely.point_on_surface(division.shape))
        longitude, latitude = division.spot
        nearest = min(halves(self._bounds), key=lambda half: max(half[0] - longitude, longitude - half[2]))
        west, south, east, north = nearest
        return np.array([(min(max(longitude, west), east), min(max(latitude, south), north))])

    def distances_m(self, spot: tuple[float, float], spots: Spots) -> Any:
        """Return the distances of positions from one position."""
        return np.hypot(*((spots - np.array(spot)) * self._scale).T)

    def _find_nearest(self, layer: DivisionLayer, spots: Spots, found: list[AdminDivision | None]) -> None:
        shapes = self._coarse[layer]
        missing = [index for index, division in enumerate(found) if division is None] if shapes else []
        if not missing:
            return
        points = shapely.points(spots[missing])
        tree = shapely.STRtree([shape for _, shape in shapes])
        # If two are equally near, at the end of their common border, the first one counts.
        pairs = tree.query_nearest(points, max_distance=_OFF_SHORE, all_matches=True).T.tolist()
        for at, which in sorted(pairs, reverse=True):
            found[missing[at]] = shapes[which][0]


def _consistent(around: Around) -> Around:
    """Return the surroundings without states and counties of other countries, since the world's outlines are coarse."""
    country = around.country
    if country is None:
        return around

    def is_here(division: AdminDivision | None) -> bool:
        return division is None or (division.country or country.code) == country.code

    state = around.state if is_here(around.state) else None
    return around._replace(state=state, county=around.county if is_here(around.county) else None)


def _bare(city: AdminDivision) -> Iterator[str]:
    """Yield the folded names of a city, with and without "City" at the end."""
    for name in city.known_as():
        yield from (name, name.removesuffix(" city"))


def _by_size(divisions: Iterable[AdminDivision], layer: DivisionLayer) -> list[tuple[AdminDivision, Any]]:
    """Return the divisions of a layer with their outlines, the largest first."""
    own = [
        (division, division.shape) for division in divisions if division.layer == layer and division.shape is not None
    ]
    for _, shape in own:
        shapely.prepare(shape)
    return sorted(own, key=lambda pair: -pair[1].area)


def _known_from(localities: Namesakes, others: Namesakes, division: AdminDivision) -> AdminDivision:
    """Return a division; if clipped, with the centre, and population if missing, from the world pack."""
    if division.clipped:
        same = (localities if division.layer == Layer.LOCALITY else others).of_extract(division)
        if same is not None:
            division.spot, division.population = same.spot, division.population or same.population
    return division


def _add_countries(divisions: Iterable[AdminDivision], localities: Iterable[AdminDivision]) -> None:
    """Set the country of each outlined city that contains a locality of its name in the world pack."""
    named: dict[str, list[AdminDivision]] = {}
    for locality in localities:
        for name in locality.known_as():
            named.setdefault(name, []).append(locality)
    for division in divisions:
        if division.layer == Layer.LOCALITY and division.shape is not None and division.country is None:
            same = (each for name in sorted(division.known_as()) for each in named.get(name, ()))
            within = (each for each in same if shapely.contains_xy(division.shape, *each.spot))
            division.country = next((each.country for each in within), None)


def _country_named(code: str, bounds: Bounds) -> AdminDivision | None:
    """Return a country with its names by its code alone, or None if there is no such country."""
    names = {}
    for language in AddressLanguage:
        try:
            name = Locale.parse(str(language)).territories.get(code)
        except (UnknownLocaleError, ValueError):
            continue
        if name:
            names[str(language)] = name
    if len(code) != 2 or "en" not in names or not fold(code).isalpha():
        return None
    west, south, east, north = halves(bounds)[0]
    middle = ((west + east) / 2, (south + north) / 2)
    return AdminDivision(layer=Layer.COUNTRY, name=names["en"], code=code, names=names, spot=middle)
