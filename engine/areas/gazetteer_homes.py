"""The house numbers of an extract, each with its street, its city and its postal code, as tagged or as around it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from engine.areas.gazetteer_atlas import M_PER_DEGREE, Atlas
from engine.areas.gazetteer_lands import Around, Land
from engine.areas.gazetteer_reading import Addressed, Findings
from engine.areas.gazetteer_tags import numbers_in, postcode_in, split
from engine.domain.address import Layer
from engine.gazetteer.text import fold, words

_AGREED: Final = 0.9
"""Which share of the houses of a postal code, or more, has to be in one city for the others to be there, too."""

_KNOWN_BY: Final = 3
"""So many houses have to name a city that nothing else knows."""

_NEXT_DOOR_M: Final = 400.0
_STREET_M: Final = 100.0
_SAME_PLACE_M: Final = 30_000.0


NOWHERE: Final = Around()


@dataclass(slots=True, eq=False)
class Home:
    """One house number. `key` is what the names of its street have in common, however they are written."""

    address: Addressed
    number: str
    street: str
    key: str
    postcode: str | None = None
    around: Around = NOWHERE


def homes_in(findings: Findings, atlas: Atlas) -> list[Home]:
    """Return all house numbers with what they lie in."""
    keys: dict[str, str] = {}
    homes = [
        Home(address, number, street, keys.get(street) or keys.setdefault(street, key_of(street)))
        for address in _with_streets(findings)
        for street in split(address.street)
        for number in numbers_in(address.number)
    ]
    if homes:
        _place(homes, atlas)
    return homes


def key_of(name: str) -> str:
    """Return what the spellings of a street's name have in common: ``E 8th St``, ``East 8th Street``."""
    return "".join(words(name)) or name


def _with_streets(findings: Findings) -> Iterable[Addressed]:
    """Yield the addresses with a street; those that name none are of the street they stand at."""
    silent = [address for address in findings.addresses.values() if not split(address.street)]
    if silent and findings.streets:
        tree = shapely.STRtree(shapely.from_wkb([street.line for street in findings.streets]))
        spots = shapely.points([address.spot for address in silent])
        near = tree.query_nearest(spots, max_distance=_STREET_M / M_PER_DEGREE, all_matches=False)
        for which, street in near.T.tolist():
            silent[which].street = findings.streets[street].name
    return (address for address in findings.addresses.values() if address.street)


def _place(homes: Sequence[Home], atlas: Atlas) -> None:
    spots = np.array([home.address.spot for home in homes])
    for home, around in zip(homes, atlas.around(spots), strict=True):
        home.around = around
        _believe_tags(home, atlas)
    _place_in_cities(homes, atlas)
    _fill_postcodes(homes, atlas)


def _believe_tags(home: Home, atlas: Atlas) -> None:
    """Take country and state from the address where the extract has no outline of them."""
    address, around = home.address, home.around
    country, state = around.country, around.state
    if address.country and (country is None or country.osm is None):
        country = atlas.country(address.country) or country
    code = country.code if country is not None else None
    if address.state and (state is None or state.osm is None):
        state = atlas.state(code, address.state, address.spot) or state
    if country is not around.country or state is not around.state:
        home.around = atlas.same(around._replace(country=country, state=state))
    home.postcode = postcode_in(address.postcode, code) if address.postcode else None
    if code == "US" and atlas.zip_codes and home.postcode not in atlas.zip_codes:
        home.postcode = None


class _CityNames:
    """Cities by what addresses call them; one that is nowhere else is made of its addresses."""

    def __init__(self, atlas: Atlas, homes: Sequence[Home]) -> None:
        self._atlas = atlas
        self._made: dict[str, Land] = {}
        self._spots: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._folded = {name: fold(name) for name in {home.address.city for home in homes}}
        self._often = Counter(self._folded[home.address.city] for home in homes)
        self._only = {name: atlas.only_locality(key) for name, key in self._folded.items()}

    def city(self, name: str, spot: tuple[float, float], otherwise: Land | None) -> Land | None:
        """Return the city of that name at a position; `otherwise` for a name that hardly anybody uses, a mistake."""
        if (only := self._only[name]) is not None:
            return only
        key = self._folded[name]
        if not key or key.isdigit():
            return otherwise
        if (known := self._known(key, spot)) is not None:
            return known
        if self._often[key] < _KNOWN_BY and otherwise is not None:
            return otherwise
        self._spots[key].append(spot)
        return self._made.get(key) or self._made.setdefault(key, Land(layer=Layer.LOCALITY, name=name, spot=spot))

    def _known(self, key: str, spot: tuple[float, float]) -> Land | None:
        lands = self._atlas.localities.get(key, ())
        inside = [land for land in lands if land.shape is not None and shapely.contains_xy(land.shape, *spot)]
        if inside or not lands:
            return inside[0] if inside else None
        distances = self._atlas.distances_m(spot, np.array([land.spot for land in lands])).tolist()
        near = [pair for pair in zip(distances, lands, strict=True) if pair[0] <= _SAME_PLACE_M]
        return min(near, key=lambda pair: (pair[1].osm is None, pair[0]))[1] if near else None

    def settle(self) -> None:
        """Put what was made of addresses into the middle of these."""
        for key, land in self._made.items():
            longitude, latitude = np.median(np.array(self._spots[key]), axis=0).tolist()
            land.spot = (longitude, latitude)


def _place_in_cities(homes: Sequence[Home], atlas: Atlas) -> None:
    names = _CityNames(atlas, homes)
    for home in homes:
        if home.address.city:
            _move_to(home, names.city(home.address.city, home.address.spot, home.around.city), atlas)
    names.settle()
    agreed = _agreed_cities(homes)
    for home in homes:
        if not home.address.city and home.postcode in agreed:
            _move_to(home, agreed[home.postcode], atlas)


def _move_to(home: Home, city: Land | None, atlas: Atlas) -> None:
    """Put a house into another city, in all else that it lies in."""
    if city is not home.around.city:
        home.around = atlas.same(home.around._replace(city=city))


def _agreed_cities(homes: Iterable[Home]) -> dict[str | None, Land]:
    """Return the city of each postal code whose houses nearly all name the same."""
    votes: dict[str, Counter[Land]] = defaultdict(Counter)
    for home in homes:
        if home.postcode and home.address.city and home.around.city is not None:
            votes[home.postcode][home.around.city] += 1
    agreed: dict[str | None, Land] = {}
    for postcode, cities in votes.items():
        land, count = cities.most_common(1)[0]
        if count >= max(3, _AGREED * cities.total()):
            agreed[postcode] = land
    return agreed


def _fill_postcodes(homes: Sequence[Home], atlas: Atlas) -> None:
    """Give houses without a postal code that of the nearest house of their street, else of the nearest at all."""
    silent = [home for home in homes if home.postcode is None]
    known = [home for home in homes if home.postcode is not None]
    if not silent:
        return
    outlined = atlas.postcodes(np.array([home.address.spot for home in silent]))
    streets: dict[str, list[Home]] = defaultdict(list)
    for home in known:
        streets[home.key].append(home)
    spots = {key: np.array([home.address.spot for home in own]) for key, own in streets.items()}
    for home, land in zip(silent, outlined, strict=True):
        if land is not None:
            home.postcode = land.name
        elif home.key in spots:
            distances = atlas.distances_m(home.address.spot, spots[home.key])
            nearest = int(distances.argmin())
            home.postcode = streets[home.key][nearest].postcode if distances[nearest] <= _NEXT_DOOR_M else None
    left = [home for home in silent if home.postcode is None]
    if left and known:
        tree = shapely.STRtree(shapely.points([home.address.spot for home in known]))
        points = shapely.points([home.address.spot for home in left])
        near = tree.query_nearest(points, max_distance=_NEXT_DOOR_M / M_PER_DEGREE, all_matches=False)
        for which, other in near.T.tolist():
            if known[other].around.city is left[which].around.city:
                left[which].postcode = known[other].postcode


def usual(values: Iterable[str | None]) -> str | None:
    """Return what most are, None where none is anything."""
    votes = Counter(value for value in values if value)
    return votes.most_common(1)[0][0] if votes else None
