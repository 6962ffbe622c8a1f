"""House numbers of an extract, each with its street, city and postal code, from its tags or surroundings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from rapidfuzz.distance import OSA

from engine.areas.gazetteer.atlas import M_PER_DEGREE, Atlas
from engine.areas.gazetteer.countries import AdminDivision, Around
from engine.areas.gazetteer.reading import Addressed, Findings
from engine.areas.gazetteer.tags import numbers_in, postcode_in, split
from engine.domain.addresses.address import Layer
from engine.domain.area import Bounds
from engine.gazetteer.text import fold, words

_AGREED: Final = 0.9
"""Minimum share of a postal code's houses that must be in one city for the others to be assigned to it."""

_KNOWN_BY: Final = 3
"""Minimum number of houses that must name a city that no other source knows."""

_LEAST_SLIP: Final = 5
"""Minimum length of a name in which a typing error is looked for."""

_NEXT_DOOR_M: Final = 400.0
_STREET_M: Final = 100.0
_SAME_PLACE_M: Final = 30_000.0


NOWHERE: Final = Around()


class HouseNumber(Struct, eq=False):
    """A house number; `key` is the common form of all spellings of its street's name.

    `is_sure` is true if its city is known from an outline, its address or its postal code, and false if the city is
    merely near, and then `is_uncertain` if another city is hardly farther.
    """

    address: Addressed
    number: str
    street: str
    key: str
    postcode: str | None = None
    around: Around = NOWHERE
    is_sure: bool = False
    is_uncertain: bool = False


def house_numbers_in(findings: Findings, atlas: Atlas) -> list[HouseNumber]:
    """Return all house numbers with their surroundings."""
    keys: dict[str, str] = {}
    houses = [
        HouseNumber(address, number, street, keys.get(street) or keys.setdefault(street, key_of(street)))
        for address in _with_streets(findings)
        for street in split(address.street)
        for number in numbers_in(address.number)
    ]
    if houses:
        _place(houses, atlas)
    return houses


def key_of(name: str) -> str:
    """Return the common form of a street name's spellings: ``E 8th St``, ``East 8th Street``."""
    return "".join(words(name)) or name


def _with_streets(findings: Findings) -> Iterable[Addressed]:
    """Yield the addresses with a street; an address that names no street gets the nearest one."""
    silent = [address for address in findings.addresses.values() if not split(address.street)]
    if silent and findings.streets:
        tree = shapely.STRtree(shapely.from_wkb([street.line for street in findings.streets]))
        spots = shapely.points([address.spot for address in silent])
        near = tree.query_nearest(spots, max_distance=_STREET_M / M_PER_DEGREE, all_matches=False)
        for which, street in near.T.tolist():
            silent[which].street = findings.streets[street].name
    return (address for address in findings.addresses.values() if address.street)


def _place(houses: Sequence[HouseNumber], atlas: Atlas) -> None:
    spots = np.array([house.address.spot for house in houses])
    for house, around in zip(houses, atlas.around(spots), strict=True):
        house.around = around
        _believe_tags(house, atlas)
    names = _CityNames(atlas, houses)
    _place_in_cities(houses, names, atlas)
    _fill_postcodes(houses, atlas)
    _place_by_names([house for house in houses if not house.is_sure], names, atlas)
    names.settle()
    _doubt([house for house in houses if not house.is_sure], atlas)


def _believe_tags(house: HouseNumber, atlas: Atlas) -> None:
    """Take country and state from the address if the extract has no outlines for them."""
    address, around = house.address, house.around
    country, state = around.country, around.state
    if address.country and (country is None or country.osm is None):
        country = atlas.country(address.country) or country
    code = country.code if country is not None else None
    if address.state and (state is None or state.osm is None):
        state = atlas.state(code, address.state, address.spot) or state
    if country is not around.country or state is not around.state:
        house.around = atlas.same(around._replace(country=country, state=state))
    house.postcode = postcode_in(address.postcode, code) if address.postcode else None
    if code == "US" and atlas.zip_codes and house.postcode not in atlas.zip_codes:
        house.postcode = None
    _believe_postcode(house, atlas)


def _believe_postcode(house: HouseNumber, atlas: Atlas) -> None:
    """Take the county from the US postal code if the extract has no outline of it.

    Outlines of the world pack are off by up to a kilometre.
    """
    county = house.around.county
    if house.postcode is None or (county is not None and county.osm is not None):
        return
    if house.around.country is not None and house.around.country.code == "US":
        known = atlas.county_of_postcode(house.postcode, house.address.spot, county)
        if known is not county:
            house.around = atlas.same(house.around._replace(county=known))


def _city_name(house: HouseNumber, atlas: Atlas) -> str:
    """Return the city named by an address, or the city of its postal code if the house is in no known city."""
    if house.address.city or house.postcode is None or house.is_sure:
        # "Vancouver, BC" is Vancouver.
        return house.address.city.partition(",")[0].rstrip()
    country = house.around.country
    return atlas.zip_cities.get(house.postcode, ("",))[0] if country is not None and country.code == "US" else ""


def _is_known(house: HouseNumber, atlas: Atlas) -> bool:
    """Return whether a house is in its city's outline, or may name this city of the extract with its postal code."""
    city = house.around.city
    if city is None or city.shape is not None or city.osm is None:
        return city is not None and city.shape is not None
    country = house.around.country
    is_in_table = country is not None and country.code == "US"
    return is_in_table and not city.known_as().isdisjoint(_folded(atlas.zip_cities.get(house.postcode or "", ())))


@lru_cache(maxsize=10_000)
def _folded(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold, names))


class _CityNames:
    """Cities by the names that addresses use; a city unknown elsewhere is created from its addresses."""

    def __init__(self, atlas: Atlas, houses: Sequence[HouseNumber]) -> None:
        self._atlas = atlas
        self._made: dict[tuple[str, AdminDivision | None], AdminDivision] = {}
        self._spots: dict[AdminDivision, list[tuple[float, float]]] = defaultdict(list)
        self._boxes: dict[str, list[tuple[AdminDivision, Any, Bounds]]] = {}
        self._keys: dict[str, str] = {}
        self._often = Counter[str]()
        for name, often in Counter(_city_name(house, atlas) for house in houses).items():
            self._often[self._key(name)] += often

    def _key(self, name: str) -> str:
        key = self._keys.get(name)
        return self._keys.setdefault(name, fold(name)) if key is None else key

    def city(self, name: str, house: HouseNumber) -> AdminDivision | None:
        """Return the city of that name around a house, or its present city if the name is probably a mistake."""
        spot, otherwise = house.address.spot, house.around.city
        county = house.around.county
        key = self._key(name)
        if (only := self._atlas.only_locality(key)) is not None and self._may_reach(only, county):
            return only
        if not key or key.isdigit():
            return otherwise
        if (known := self._known(key, spot, county)) is not None:
            return known
        if otherwise is not None and (self._often[key] < _KNOWN_BY or _is_slip(key, otherwise)):
            return otherwise
        made = self._made.get((key, county))
        if made is None:
            made = self._made[key, county] = AdminDivision(layer=Layer.LOCALITY, name=name, spot=spot)
        self._spots[made].append(spot)
        return made

    def _may_reach(self, city: AdminDivision, county: AdminDivision | None) -> bool:
        """Return whether houses in a county may be in a city outside its outline.

        Bellerose in Queens is not the village of Bellerose across the county line.
        """
        if city.shape is None or county is None:
            return True
        return self._atlas.county_of(city) in (None, county)

    def _known(self, key: str, spot: tuple[float, float], county: AdminDivision | None) -> AdminDivision | None:
        divisions = self._atlas.localities.get(key, ())
        inside = next(self._inside(key, divisions, spot), None)
        divisions = [division for division in divisions if self._may_reach(division, county)]
        if inside is not None or not divisions:
            return inside
        distances = self._atlas.distances_m(spot, np.array([division.spot for division in divisions])).tolist()
        near = [pair for pair in zip(distances, divisions, strict=True) if pair[0] <= _SAME_PLACE_M]
        return min(near, key=lambda pair: (pair[1].osm is None, pair[0]))[1] if near else None

    def _inside(
        self, key: str, divisions: Sequence[AdminDivision], spot: tuple[float, float]
    ) -> Iterator[AdminDivision]:
        """Yield the divisions with a name that contain a position; most namesakes are elsewhere."""
        if key not in self._boxes:
            self._boxes[key] = [(each, each.shape, each.shape.bounds) for each in divisions if each.shape is not None]
        x, y = spot
        for division, shape, (west, south, east, north) in self._boxes[key]:
            if west <= x <= east and south <= y <= north and shapely.contains_xy(shape, x, y):
                yield division

    def settle(self) -> None:
        """Place cities created from addresses in the middle of these addresses."""
        for division, spots in self._spots.items():
            longitude, latitude = np.median(np.array(spots), axis=0).tolist()
            division.spot = (longitude, latitude)


def _is_slip(name: str, city: AdminDivision) -> bool:
    """Return whether a folded name is that of a city with an outline, except for one typing error."""
    if city.shape is None or len(name) < _LEAST_SLIP:
        return False
    return any(OSA.distance(name, other, score_cutoff=1) <= 1 for other in city.known_as())


def _place_in_cities(houses: Sequence[HouseNumber], names: _CityNames, atlas: Atlas) -> None:
    _place_by_names(houses, names, atlas)
    agreed = _agreed_cities(houses)
    for house in houses:
        if not house.address.city and house.postcode in agreed:
            _move_to(house, agreed[house.postcode], atlas)
            house.is_sure = True


def _place_by_names(houses: Iterable[HouseNumber], names: _CityNames, atlas: Atlas) -> None:
    """Move houses to the cities that their addresses or postal codes name."""
    for house in houses:
        house.is_sure = _is_known(house, atlas)
        if name := _city_name(house, atlas):
            _move_to(house, names.city(name, house), atlas)
            house.is_sure = True


def _doubt(houses: Sequence[HouseNumber], atlas: Atlas) -> None:
    """Mark the houses whose city is hardly nearer than another one."""
    near = [(house, city) for house in houses if (city := house.around.city) is not None]
    if near:
        spots = np.array([house.address.spot for house, _ in near])
        marks = atlas.uncertain(spots, [city for _, city in near])
        for (house, _), is_uncertain in zip(near, marks.tolist(), strict=True):
            house.is_uncertain = is_uncertain


def _move_to(house: HouseNumber, city: AdminDivision | None, atlas: Atlas) -> None:
    """Move a house to another city without changing its other divisions."""
    if city is not house.around.city:
        house.around = atlas.same(house.around._replace(city=city))


def _agreed_cities(houses: Iterable[HouseNumber]) -> dict[str | None, AdminDivision]:
    """Return the city of each postal code whose houses nearly all name the same city."""
    votes: dict[str, Counter[AdminDivision]] = defaultdict(Counter)
    for house in houses:
        if house.postcode and house.address.city and house.around.city is not None:
            votes[house.postcode][house.around.city] += 1
    agreed: dict[str | None, AdminDivision] = {}
    for postcode, cities in votes.items():
        division, count = cities.most_common(1)[0]
        if count >= max(3, _AGREED * cities.total()):
            agreed[postcode] = division
    return agreed


def _fill_postcodes(houses: Sequence[HouseNumber], atlas: Atlas) -> None:
    """Assign a postal code to houses without one, from the nearest house of their street, else the nearest of all."""
    silent = [house for house in houses if house.postcode is None]
    known = [house for house in houses if house.postcode is not None]
    if not silent:
        return
    outlined = atlas.postcodes(np.array([house.address.spot for house in silent]))
    for house, division in zip(silent, outlined, strict=True):
        if division is not None:
            house.postcode = division.name
    _take_from_streets([house for house in silent if house.postcode is None], known, atlas)
    _take_from_nearest([house for house in silent if house.postcode is None], known)


def _take_from_streets(silent: Iterable[HouseNumber], known: Iterable[HouseNumber], atlas: Atlas) -> None:
    """Assign to houses the postal code of the nearest house with one on their street, if that is close."""
    streets: dict[str, list[HouseNumber]] = defaultdict(list)
    for house in known:
        streets[house.key].append(house)
    spots = {key: np.array([house.address.spot for house in own]) for key, own in streets.items()}
    for house in silent:
        if house.key in spots:
            distances = atlas.distances_m(house.address.spot, spots[house.key])
            nearest = int(distances.argmin())
            house.postcode = streets[house.key][nearest].postcode if distances[nearest] <= _NEXT_DOOR_M else None


def _take_from_nearest(silent: Sequence[HouseNumber], known: Sequence[HouseNumber]) -> None:
    """Assign to houses the postal code of the nearest house with one, if both are in the same city."""
    if not silent or not known:
        return
    tree = shapely.STRtree(shapely.points([house.address.spot for house in known]))
    points = shapely.points([house.address.spot for house in silent])
    near = tree.query_nearest(points, max_distance=_NEXT_DOOR_M / M_PER_DEGREE, all_matches=False)
    for which, other in near.T.tolist():
        if known[other].around.city is silent[which].around.city or not silent[which].is_sure:
            silent[which].postcode = known[other].postcode


def usual(values: Iterable[str | None]) -> str | None:
    """Return the most frequent value, or None if all are empty."""
    votes = Counter(value for value in values if value)
    return votes.most_common(1)[0][0] if votes else None
