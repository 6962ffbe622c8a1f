"""Streets: the ways with one name in one city, joined, with the houses along them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct, field

from engine.areas.gazetteer.address_assignment import HouseNumber, key_of, usual
from engine.areas.gazetteer.atlas import M_PER_DEGREE, Atlas
from engine.areas.gazetteer.countries import AdminDivision, Around
from engine.areas.gazetteer.divisions import DivisionWriter
from engine.areas.gazetteer.reading import StreetWay
from engine.areas.gazetteer.road_numbers import name_of, written
from engine.areas.gazetteer.tags import names_of
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.rows import Street
from engine.gazetteer.writer import GazetteerWriter

_APART: Final = 1_000.0 / M_PER_DEGREE
"""Distance in degrees beyond which ways with one name are different streets."""

_BESIDE_M: Final = 1_000.0
"""Maximum distance in metres from a way to the nearest house with its name for taking that house's city."""

_OWN: Final = 3_000.0 / M_PER_DEGREE
"""Distance in degrees beyond which houses are not on a street of their name and city."""

_BESIDE: Final = 200.0 / M_PER_DEGREE
"""Distance in degrees within which houses are on a street of their name in another city."""

_MOST_OF_IT: Final = 0.5
"""Share of the length of a street that must be part of a numbered road for being found by its number."""


class Road(Struct, eq=False):
    """A street to be written; `line` is None if only addresses mention it."""

    key: str
    ways: list[StreetWay]
    line: Any
    around: Around
    houses: list[HouseNumber] = field(default_factory=list)
    number: int = 0

    @property
    def name(self) -> str:
        """Name as most ways spell it, or else most addresses."""
        return usual(way.name for way in self.ways) or usual(house.street for house in self.houses) or self.key


def numbered_roads(ways: Iterable[StreetWay], country: str | None) -> list[StreetWay]:
    """Return the ways that have only a road's number with this number as their name."""
    return [replace(way, name=name) for way in ways if (name := name_of(way.name, country)) is not None]


def roads_in(ways: Sequence[StreetWay], houses: Sequence[HouseNumber], atlas: Atlas) -> list[Road]:
    """Return all streets, with each house in one of them."""
    roads = _joined(ways, houses, atlas) if ways else []
    named: dict[str, list[Road]] = defaultdict(list)
    for road in roads:
        named[road.key].append(road)
    groups: dict[tuple[str, AdminDivision | None], list[HouseNumber]] = defaultdict(list)
    for house in houses:
        groups[house.key, house.around.city].append(house)
    for (key, city), own in groups.items():
        left = _take(own, [road for road in named[key] if road.around.city is city], _OWN)
        # A street that crosses into the next town, or runs along its edge, stays one street; the address names the
        # town.
        left = _take(left, named[key], _BESIDE)
        if left:
            roads.append(Road(key, [], None, left[0].around, left))
    return roads


def _take(houses: list[HouseNumber], roads: Sequence[Road], within: float) -> list[HouseNumber]:
    """Assign each house to its nearest road within a distance in degrees, and return the remaining houses."""
    if not houses or not roads:
        return houses
    points = shapely.points([house.address.spot for house in houses])
    nearest, least = np.full(len(houses), -1), np.full(len(houses), within)
    west, south, east, north = shapely.total_bounds(points).tolist()
    reach = shapely.box(west - within, south - within, east + within, north + within)
    for number, road in enumerate(roads):
        if not shapely.intersects(reach, road.line):
            continue
        distances = shapely.distance(road.line, points)
        closer = distances <= least
        least[closer], nearest[closer] = distances[closer], number
    left: list[HouseNumber] = []
    for house, number in zip(houses, nearest.tolist(), strict=True):
        (roads[number].houses if number >= 0 else left).append(house)
    return left


def write_roads(
    roads: Sequence[Road], writer: GazetteerWriter, divisions: DivisionWriter, languages: frozenset[str], atlas: Atlas
) -> None:
    """Write streets, and set the number of each."""
    uncertain, numbers = _uncertain(roads, atlas), _numbers(roads)
    for at, road in enumerate(roads):
        line = road.line if road.line is not None else _points_of(road.houses)
        west, south, east, north = line.bounds
        longitude, latitude = _middle(line)
        around = road.around._replace(neighborhood=_usual_neighborhood(road))
        names = {key: name for way in reversed(road.ways) for key, name in names_of(way.tags, languages).items()}
        road.number = writer.street(
            Street(
                name=road.name,
                names=names | written(numbers.get(at, ()), around.country.code if around.country else None),
                point=Point(longitude, latitude),
                context=divisions.context(
                    around, usual(house.postcode for house in road.houses), is_uncertain=at in uncertain
                ),
                box=(west, south, east, north),
                line=shapely.to_wkb(line) if road.line is not None else None,
            )
        )


def _numbers(roads: Sequence[Road]) -> dict[int, list[str]]:
    """Return the numbers of roads that most of a street is part of, by the street's position in the list.

    A number that only parts of streets have is of the street with most of it.
    """
    shares: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for at, road in enumerate(roads):
        for number, share in _shares(road).items():
            shares[number].append((share, at))
    found: defaultdict[int, list[str]] = defaultdict(list)
    for number, listed in shares.items():
        least = min(max(listed)[0], _MOST_OF_IT)
        for share, at in listed:
            if share >= least:
                found[at].append(number)
    return found


def _shares(road: Road) -> dict[str, float]:
    """Return the share of a street that is part of each numbered road."""
    if not any(way.numbers for way in road.ways):
        return {}
    lengths = shapely.length(shapely.from_wkb([way.line for way in road.ways])).tolist()
    numbered: Counter[str] = Counter()
    for way, length in zip(road.ways, lengths, strict=True):
        for number in way.numbers:
            numbered[number] += length
    whole = sum(lengths)
    return {number: length / whole if whole else 0.0 for number, length in numbered.items()}


def _uncertain(roads: Sequence[Road], atlas: Atlas) -> set[int]:
    """Return the indices of streets whose city is hardly nearer than another one, as that of all their houses is."""
    found = {number for number, road in enumerate(roads) if all(house.is_uncertain for house in road.houses)}
    empty = [
        (number, road.line, city)
        for number in found
        if not (road := roads[number]).houses and (city := road.around.city) is not None and city.shape is None
    ]
    found = {number for number in found if roads[number].houses}
    if empty:
        spots = np.array([_middle(line) for _, line, _ in empty])
        marks = atlas.uncertain(spots, [city for _, _, city in empty])
        found |= {number for (number, _, _), is_one in zip(empty, marks.tolist(), strict=True) if is_one}
    return found


def _usual_neighborhood(road: Road) -> AdminDivision | None:
    if not road.houses:
        return road.around.neighborhood
    return Counter(house.around.neighborhood for house in road.houses).most_common(1)[0][0]


def _points_of(houses: Sequence[HouseNumber]) -> Any:
    return shapely.multipoints([house.address.spot for house in houses])


def _middle(line: Any) -> tuple[float, float]:
    """Return the position on a street that is nearest to its centroid."""
    longitude, latitude = shapely.get_coordinates(shapely.shortest_line(line, shapely.centroid(line)))[0].tolist()
    return longitude, latitude


def _joined(ways: Sequence[StreetWay], houses: Sequence[HouseNumber], atlas: Atlas) -> list[Road]:
    lines = shapely.from_wkb([way.line for way in ways])
    middles = shapely.get_coordinates(shapely.line_interpolate_point(lines, 0.5, normalized=True))
    keys: dict[str, str] = {}
    of_way = [keys.get(way.name) or keys.setdefault(way.name, key_of(way.name)) for way in ways]
    around = atlas.around(middles)
    _move_to_cities(of_way, middles, around, houses, atlas)
    groups: dict[tuple[str, AdminDivision | None, AdminDivision | None], list[int]] = defaultdict(list)
    for index, key in enumerate(of_way):
        groups[key, around[index].city, around[index].borough].append(index)
    roads = []
    for (key, _, _), members in groups.items():
        for each in _clusters(lines, members):
            line = shapely.line_merge(shapely.union_all(shapely.get_parts(lines[each])))
            roads.append(Road(key, [ways[index] for index in each], line, around[each[len(each) // 2]]))
    return roads


def _move_to_cities(
    keys: Sequence[str], middles: Any, around: list[Around], houses: Sequence[HouseNumber], atlas: Atlas
) -> None:
    """Move each way into the city of the nearest house of its name, if there is one nearby."""
    named: dict[str, list[HouseNumber]] = defaultdict(list)
    for house in houses:
        if house.around.city is not None:
            named[house.key].append(house)
    spots = {key: np.array([house.address.spot for house in own]) for key, own in named.items()}
    for index, key in enumerate(keys):
        if key in spots:
            distances = atlas.distances_m(middles[index], spots[key])
            nearest = int(distances.argmin())
            if distances[nearest] <= _BESIDE_M:
                around[index] = around[index]._replace(city=named[key][nearest].around.city)


def _clusters(lines: Any, members: list[int]) -> list[list[int]]:
    """Return ways in groups that are near one another."""
    if len(members) == 1:
        return [members]
    own = lines[members]
    pairs = shapely.STRtree(own).query(own, predicate="dwithin", distance=_APART).T.tolist()
    leader = list(range(len(members)))

    def first(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    for one, other in pairs:
        leader[first(one)] = first(other)
    groups: dict[int, list[int]] = defaultdict(list)
    for index, member in enumerate(members):
        groups[first(index)].append(member)
    return list(groups.values())
