"""Writes houses with their units, and the number ranges along OpenStreetMap's interpolation lines."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import shapely

from engine.areas.gazetteer.address_assignment import HouseNumber
from engine.areas.gazetteer.atlas import Atlas
from engine.areas.gazetteer.divisions import DivisionWriter
from engine.areas.gazetteer.reading import Interpolation, Spot
from engine.areas.gazetteer.streets import Road
from engine.areas.gazetteer.tags import code_extension, range_in
from engine.domain.geometry import Point
from engine.gazetteer.rows import House, Range
from engine.gazetteer.text import fold, number_of
from engine.gazetteer.writer import GazetteerWriter

_SAME_HOUSE_M: Final = 20.0
"""Maximum distance in metres of a repeated number, on a shop or at a door, that is the same house."""

_STEPS: Final = {"odd": 2, "even": 2, "all": 1}
_LONGEST: Final = 2_000
"""Maximum count of numbers along one line; more is a mistake in the data."""


class HouseWriter:
    """Writes each house once, however often its address occurs in the extract."""

    def __init__(
        self, writer: GazetteerWriter, divisions: DivisionWriter, atlas: Atlas, interpolations: Sequence[Interpolation]
    ) -> None:
        self._interpolations = interpolations
        self._between = {f"n{node}" for line in interpolations for node, _ in line.nodes}
        self._writer = writer
        self._divisions = divisions
        self._atlas = atlas
        self._by_osm: dict[str, tuple[HouseNumber, Road]] = {}

    def write(self, roads: Iterable[Road]) -> None:
        """Write all houses of streets that are already written."""
        for road in roads:
            same: dict[str, list[tuple[Spot, int]]] = defaultdict(list)
            for house in sorted(road.houses, key=_importance):
                if house.address.osm in self._between:
                    self._by_osm.setdefault(house.address.osm, (house, road))
                number = self._house(house, road, same[fold(house.number)])
                for unit in house.address.units:
                    self._writer.unit(number, unit)

    def write_ranges(self) -> None:
        """Write the numbers between the written houses along lines."""
        for line in self._interpolations:
            for (first, start), (last, end) in _pairs(line, self._by_osm):
                house, road = self._by_osm[f"n{line.nodes[start][0]}"]
                self._range(line, (first, start), (last, end), house, road)

    def _house(self, house: HouseNumber, road: Road, written: list[tuple[Spot, int]]) -> int:
        address = house.address
        if written:
            distances = self._atlas.distances_m(address.spot, np.array([spot for spot, _ in written]))
            if distances.min() <= _SAME_HOUSE_M:
                return written[int(distances.argmin())][1]
        point = Point(*address.spot)
        context = self._divisions.context(house.around, house.postcode, is_uncertain=house.is_uncertain)
        number = self._writer.house(
            House(
                street=road.number,
                number=house.number,
                point=point,
                context=context,
                osm=address.osm,
                name=address.name,
                use=address.use,
            )
        )
        extension = code_extension(address.postcode)
        if extension is not None and house.around.country is not None and house.around.country.code == "US":
            self._writer.code_extension(number, extension)
        written.append((address.spot, number))
        if (numbers := range_in(house.number)) is not None:
            here = shapely.to_wkb(shapely.LineString([address.spot, address.spot]))
            self._writer.range(
                Range(
                    street=road.number,
                    first=numbers.first,
                    last=numbers.last,
                    step=numbers.step,
                    context=context,
                    line=here,
                )
            )
        return number

    def _range(
        self, line: Interpolation, start: tuple[int, int], end: tuple[int, int], house: HouseNumber, road: Road
    ) -> None:
        (first, first_node), (last, last_node) = start, end
        step = int(line.kind) if line.kind.isdecimal() else _STEPS.get(line.kind, 0)
        if not step or first == last or abs(last - first) % step or abs(last - first) // step > _LONGEST:
            return
        spots = [spot for _, spot in line.nodes[first_node : last_node + 1]]
        if first > last:
            first, last, spots = last, first, spots[::-1]
        self._writer.range(
            Range(
                street=road.number,
                first=first,
                last=last,
                step=step,
                context=self._divisions.context(house.around, house.postcode, is_uncertain=house.is_uncertain),
                line=shapely.to_wkb(shapely.LineString(spots)),
            )
        )


def _pairs(line: Interpolation, houses: Mapping[str, Any]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield pairs of successive known numbers, with their indices along the line, to interpolate between."""
    ends = [
        (number_of(houses[f"n{node}"][0].number)[0], index)
        for index, (node, _) in enumerate(line.nodes)
        if f"n{node}" in houses
    ]
    yield from pairwise(ends)


def _importance(house: HouseNumber) -> int:
    """Return a sort key that puts a building before its doors, and doors before shops."""
    kind = house.address.osm[0]
    is_building = kind in "wr" and house.address.use not in (None, "retail", "office")
    return 0 if is_building else 1 if house.address.use is None else 2
