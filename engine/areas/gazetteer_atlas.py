"""Which divisions hold a position, and writing these divisions, each in what it lies in."""

from collections.abc import Iterable, Mapping, Sequence
from math import cos, radians
from typing import Any, Final

import numpy as np
import shapely
from babel import Locale, UnknownLocaleError

from engine.areas.gazetteer_lands import Around, Countries, Land
from engine.areas.gazetteer_world import Outer
from engine.domain.address import AddressLanguage, Layer
from engine.domain.area import Bounds
from engine.gazetteer.rows import BOROUGH, NEIGHBORHOOD, DivisionLayer
from engine.gazetteer.text import fold

type Spots = Any
"""An array of positions, (n, 2), longitude first."""

M_PER_DEGREE: Final = 111_195.0
LAYERS: Final[tuple[DivisionLayer, ...]] = (
    *(Layer.COUNTRY, Layer.STATE, Layer.COUNTY, Layer.LOCALITY),
    *(BOROUGH, NEIGHBORHOOD),
)
"""From large to small."""

_UPPER: Final = (Layer.COUNTRY, Layer.STATE, Layer.COUNTY)
_OFF_SHORE: Final = 0.1
"""How far from a coarse outline something may be that lies in it, in degrees: piers, islands."""

_REACH_M: Final = {"city": 15_000.0, "town": 8_000.0, "village": 4_000.0, "hamlet": 1_500.0}
_NEIGHBORHOOD_M: Final = {"suburb": 1_500.0, "quarter": 1_200.0, "neighbourhood": 800.0}
"""How far from its node a settlement without an outline reaches."""


class Atlas:
    """The divisions of an extract and around it."""

    def __init__(self, lands: Sequence[Land], outer: Outer, countries: Countries, bounds: Bounds) -> None:
        self.lands = [_known_from(outer, land) for land in lands]
        self.zip_codes = outer.zip_codes
        self._bounds = bounds
        self._arounds: dict[Around, Around] = {}
        self._states, self._countries, self._usual = dict(outer.states), dict(outer.countries), countries.usual
        self._scale = np.array([cos(radians((bounds[1] + bounds[3]) / 2)), 1.0]) * M_PER_DEGREE
        self._shapes = {layer: _by_size(self.lands, layer) for layer in (*LAYERS, Layer.POSTAL_CODE)}
        for land in self.lands:
            self._add_known(land)
        self._coarse: dict[DivisionLayer, list[tuple[Land, Any]]] = {layer: [] for layer in _UPPER}
        for land in outer.lands:
            self._add_outer(land)
        self._cities = self._reaching(
            [land for land in self.lands if land.layer == Layer.LOCALITY and land.shape is None], _REACH_M
        )
        self._outer_cities = self._reaching(outer.localities, _REACH_M)
        self._neighborhoods = self._reaching(
            [land for land in self.lands if land.layer == NEIGHBORHOOD and land.shape is None], _NEIGHBORHOOD_M
        )
        self.localities: dict[str, list[Land]] = {}
        for land in (*(each for each in self.lands if each.layer == Layer.LOCALITY), *outer.localities):
            for name in land.known_as():
                self.localities.setdefault(name, []).append(land)

    def _add_known(self, land: Land) -> None:
        """Note a country or a state of the extract by its code, in place of what the world pack has."""
        if land.layer == Layer.COUNTRY and land.code:
            self._countries[land.code] = land
        if land.layer == Layer.STATE and land.code and self._usual:
            self._states[self._usual, land.code.upper()] = land

    def _add_outer(self, land: Land) -> None:
        """Add an outline, that counts where none of the extract's does; under the extract's name if it has one."""
        here = next((each for each in self.lands if each.layer == land.layer and _is_same(each, land)), None)
        if here is None and land.layer == Layer.COUNTRY and land.code in self._countries:
            here = self._countries[land.code]
        if here is None and land.layer == Layer.STATE:
            here = next(
                (
                    each
                    for (country, _), each in self._states.items()
                    if country == self._usual and _is_same(each, land)
                ),
                None,
            )
        if here is None or here.cut or here.shape is None:
            self._coarse[land.layer].append((here or land, land.shape))

    def country(self, code: str | None) -> Land | None:
        """Return a country by its code."""
        code = (code or "").upper()
        if code not in self._countries and (named := _country_named(code, self._bounds)) is not None:
            self._countries[code] = named
        return self._countries.get(code)

    def state(self, country: str | None, code: str, spot: tuple[float, float]) -> Land | None:
        """Return the state that an address names by its code or its name; one that nobody else knows is made."""
        key = (country or "", code.upper())
        if key not in self._states:
            name = fold(code)
            named = (land for (where, _), land in self._states.items() if where == key[0] and name in land.known_as())
            made = Land(layer=Layer.STATE, name=code, code=key[1] if len(code) <= 3 else None, spot=spot)
            self._states[key] = next(named, made)
        return self._states[key]

    def only_locality(self, name: str) -> Land | None:
        """Return the one settlement of the extract that has a folded name, None for none or several."""
        known = self.localities.get(name, ())
        return known[0] if len(known) == 1 and known[0].osm is not None else None

    def postcodes(self, spots: Spots) -> list[Land | None]:
        """Return the postal code with an outline at each position."""
        return self.find(Layer.POSTAL_CODE, spots)

    def find(self, layer: DivisionLayer, spots: Spots) -> list[Land | None]:
        """Return the division of a layer at each position, the smallest of several."""
        found: list[Land | None] = [None] * len(spots)
        for land, shape in (*self._coarse.get(layer, ()), *self._shapes[layer]):
            west, south, east, north = shape.bounds
            x, y = spots[:, 0], spots[:, 1]
            near = np.flatnonzero((x >= west) & (x <= east) & (y >= south) & (y <= north))
            for index in near[shapely.contains_xy(shape, x[near], y[near])].tolist():
                found[index] = land
        if layer in _UPPER:
            self._find_nearest(layer, spots, found)
        if layer == Layer.COUNTRY:
            return [land or self.country(self._usual) for land in found]
        if layer == NEIGHBORHOOD:
            self._find_reaching(self._neighborhoods, spots, found)
        return found

    def around(self, spots: Spots) -> list[Around]:
        """Return all that lies around each position; a state is one of the country it is with."""
        columns = [self.cities(spots) if layer == Layer.LOCALITY else self.find(layer, spots) for layer in LAYERS]
        made: dict[tuple[Land | None, ...], Around] = {}
        found = []
        for lands in zip(*columns, strict=True):
            around = made.get(lands)
            if around is None:
                around = made[lands] = self.same(_consistent(Around(*lands)))
            found.append(around)
        return found

    def same(self, around: Around) -> Around:
        """Return the one value for what lies in the same."""
        return self._arounds.setdefault(around, around)

    def cities(self, spots: Spots) -> list[Land | None]:
        """Return the city at each position: by its outline, else the one that is near for its size, else a township."""
        within = self.find(Layer.LOCALITY, spots)
        found = [land if land is not None and land.city else None for land in within]
        self._find_reaching(self._cities, spots, found)
        found = [city or land for city, land in zip(found, within, strict=True)]
        self._find_reaching(self._outer_cities, spots, found)
        return found

    def holds(self, spot: tuple[float, float]) -> bool:
        """Whether a position is within the box of the extract; the middle of what is cut out of need not be."""
        west, south, east, north = self._bounds
        return west <= spot[0] <= east and south <= spot[1] <= north

    def probe(self, land: Land) -> Spots:
        """Return one position in a division and the box of the extract, as an array."""
        west, south, east, north = self._bounds
        if land.shape is not None:
            return shapely.get_coordinates(shapely.point_on_surface(land.shape))
        longitude, latitude = land.spot
        return np.array([(min(max(longitude, west), east), min(max(latitude, south), north))])

    def distances_m(self, spot: tuple[float, float], spots: Spots) -> Any:
        """Return the distance of each position from one."""
        return np.hypot(*((spots - np.array(spot)) * self._scale).T)

    def _find_nearest(self, layer: DivisionLayer, spots: Spots, found: list[Land | None]) -> None:
        shapes = self._coarse[layer]
        missing = [index for index, land in enumerate(found) if land is None] if shapes else []
        if not missing:
            return
        points = shapely.points(spots[missing])
        distances = np.array([shapely.distance(shape, points) for _, shape in shapes])
        nearest = distances.argmin(axis=0)
        for index, which, distance in zip(missing, nearest.tolist(), distances.min(axis=0).tolist(), strict=True):
            if distance <= _OFF_SHORE:
                found[index] = shapes[which][0]

    def _reaching(self, lands: Sequence[Land], reach: Mapping[str, float]) -> tuple[list[Land], Any, Any]:
        own = [land for land in lands if land.size in reach]
        return own, np.array([land.spot for land in own]).reshape(-1, 2), np.array([reach[land.size] for land in own])

    def _find_reaching(self, reaching: tuple[list[Land], Any, Any], spots: Spots, found: list[Land | None]) -> None:
        lands, middles, reach = reaching
        missing = [index for index, land in enumerate(found) if land is None] if lands else []
        own = spots[missing]
        nearest, least = np.full(len(missing), -1), np.ones(len(missing))
        for number, (middle, far) in enumerate(zip(middles, reach, strict=True)):
            near = np.flatnonzero(np.abs(own[:, 1] - middle[1]) * M_PER_DEGREE <= far) if missing else ()
            if len(near):
                shares = self.distances_m(middle, own[near]) / far
                closer = shares <= least[near]
                least[near[closer]], nearest[near[closer]] = shares[closer], number
        for index, number in zip(missing, nearest.tolist(), strict=True):
            if number >= 0:
                found[index] = lands[number]


def _consistent(around: Around) -> Around:
    """Return what lies around without states and counties of other countries: the world's outlines are coarse."""
    country = around.country
    if country is None:
        return around

    def is_here(land: Land | None) -> bool:
        return land is None or (land.country or country.code) == country.code

    state = around.state if is_here(around.state) else None
    return around._replace(state=state, county=around.county if is_here(around.county) else None)


def _by_size(lands: Iterable[Land], layer: DivisionLayer) -> list[tuple[Land, Any]]:
    """Return the lands of a layer with their outlines, the largest first."""
    own = [(land, land.shape) for land in lands if land.layer == layer and land.shape is not None]
    for _, shape in own:
        shapely.prepare(shape)
    return sorted(own, key=lambda pair: -pair[1].area)


def _is_same(here: Land, there: Land) -> bool:
    if here.layer != there.layer:
        return False
    return (here.code or "").upper() == there.code if there.code else bool(here.known_as() & there.known_as())


def _known_from(outer: Outer, land: Land) -> Land:
    """Return a land of which the extract has a part with the middle and the population that the world pack knows."""
    if land.cut:
        known = outer.localities if land.layer == Layer.LOCALITY else outer.lands
        same = next((each for each in known if each.layer == land.layer and _is_same(land, each)), None)
        if same is not None:
            land.spot, land.population = same.spot, land.population or same.population
    return land


def _country_named(code: str, bounds: Bounds) -> Land | None:
    """Return a country that only its code is known of, with its names; None for what is no country."""
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
    west, south, east, north = bounds
    middle = ((west + east) / 2, (south + north) / 2)
    return Land(layer=Layer.COUNTRY, name=names["en"], code=code, names=names, spot=middle)
