"""Settlements without outlines: how far each one reaches, and the lines that it does not reach across."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

import numpy as np
import shapely

from engine.areas.gazetteer.countries import AdminDivision
from engine.domain.addresses.address import Layer
from engine.gazetteer.rows import DivisionLayer

type Spots = Any
"""An array of positions, (n, 2), longitude first."""

type Shapes = Sequence[tuple[AdminDivision, Any]]
"""Divisions with their outlines, the largest first."""

type Sides = Any
"""An array of integers, one row for each position, one column for each layer with lines; -1 where unknown."""

LINED: Final = (Layer.STATE, Layer.COUNTY)
"""Layers whose lines settlements do not reach across."""

_OFF_LINE_US: Final = 0.01
_OFF_LINE: Final = 0.015
"""Error of the world pack's outlines in degrees; closer to its line, the side of a position is unknown."""

_AT_ONCE: Final = 20_000
_RIVAL: Final = 1.5
"""A settlement is a rival of a nearer one unless it is this many times as far away, relative to its reach."""


def covering(shapes: Iterable[tuple[AdminDivision, Any]], spots: Spots) -> list[AdminDivision | None]:
    """Return the last division of several that contains each position."""
    found: list[AdminDivision | None] = [None] * len(spots)
    # Sort by longitude, so that a shape is compared only with the positions in its strip.
    order = np.argsort(spots[:, 0], kind="stable")
    x, y = spots[order].T
    for division, shape in shapes:
        west, south, east, north = shape.bounds
        start, end = np.searchsorted(x, west), np.searchsorted(x, east, side="right")
        near = start + np.flatnonzero((y[start:end] >= south) & (y[start:end] <= north))
        for index in order[near[shapely.contains_xy(shape, x[near], y[near])]].tolist():
            found[index] = division
    return found


class Lines:
    """The lines of states and counties, from the outlines of the extract and, off their edges, of the world pack."""

    def __init__(self, cities: AbstractSet[str]) -> None:
        """Take the folded names of cities."""
        self._cities = cities
        self._shapes: dict[DivisionLayer, list[tuple[AdminDivision, Any]]] = {layer: [] for layer in LINED}
        self._numbers: dict[int, int] = {}

    def add_coarse(self, division: AdminDivision, outer: AdminDivision) -> None:
        """Add a division with its outline in the world pack, where it is known as `outer`.

        A state outside the United States that is named like a city proves nothing: Quezon City.
        """
        is_precise = outer.country == "US"
        if outer.layer not in LINED or (not is_precise and not self._cities.isdisjoint(outer.known_as())):
            return
        shape = shapely.buffer(outer.shape, -(_OFF_LINE_US if is_precise else _OFF_LINE))
        if not shape.is_empty:
            shapely.prepare(shape)
            self._shapes[outer.layer].append((division, shape))

    def add(self, outlined: Mapping[DivisionLayer, Shapes]) -> None:
        """Add the outlines of the extract by layer, which take precedence."""
        for layer, shapes in self._shapes.items():
            shapes += outlined[layer]

    def sides(self, spots: Spots) -> Sides:
        """Return the numbers of the state and the county at each position, -1 where unknown."""
        columns = [[self._number(each) for each in covering(shapes, spots)] for shapes in self._shapes.values()]
        return np.array(columns, dtype=np.int64).reshape(len(LINED), len(spots)).T

    def _number(self, division: AdminDivision | None) -> int:
        return -1 if division is None else self._numbers.setdefault(id(division), len(self._numbers))


class Reaching:
    """Settlements without an outline, searchable by their reach."""

    def __init__(
        self, divisions: Sequence[AdminDivision], reach: Mapping[str, float], scale: Any, lines: Lines | None = None
    ) -> None:
        """Take the reach of each size in metres, and the metres per degree of longitude and latitude (`scale`)."""
        self._scale = scale
        self._lines = lines
        self._divisions: list[AdminDivision] = []
        self._groups: list[tuple[int, float, shapely.STRtree]] = []
        for size, far in reach.items():
            own = [division for division in divisions if division.size == size]
            if own:
                tree = shapely.STRtree(self._points([division.spot for division in own]))
                self._groups.append((len(self._divisions), far, tree))
                self._divisions += own
        if lines is not None and self._divisions:
            self._sides = lines.sides(np.array([division.spot for division in self._divisions]))

    def fill(self, spots: Spots, found: list[AdminDivision | None]) -> None:
        """Fill each position without a division with the settlement that is nearest relative to its size, if any."""
        missing = [index for index, division in enumerate(found) if division is None]
        for at, which, _ in self._nearest_first(spots, missing):
            firsts, where = np.unique(at, return_index=True)
            for index, number in zip(firsts.tolist(), which[where].tolist(), strict=True):
                found[index] = self._divisions[number]

    def lower_to_rivals(self, spots: Spots, cities: Sequence[AdminDivision], least: Any) -> None:
        """Lower `least` to the share of each position's nearest settlement with another name than its city."""
        for at, which, shares in self._nearest_first(spots, range(len(spots))):
            for index, number, share in zip(at.tolist(), which.tolist(), shares.tolist(), strict=True):
                if share < least[index] and self._divisions[number].known_as().isdisjoint(cities[index].known_as()):
                    least[index] = share

    def _nearest_first(self, spots: Spots, wanted: Sequence[int]) -> Iterator[tuple[Any, Any, Any]]:
        """Yield pairs of positions and settlements that reach them, in arrays, the nearest settlements first.

        The arrays hold the indices of the positions and of the settlements, and the distances as shares of the reach.
        """
        for begin in range(0, len(wanted) if self._divisions else 0, _AT_ONCE):
            part = np.array(wanted[begin : begin + _AT_ONCE])
            points = self._points(spots[part])
            pairs = [self._pairs(points, *group) for group in self._groups]
            at, which, shares = (np.concatenate(each) for each in zip(*pairs, strict=True))
            if self._lines is not None:
                one, other = self._lines.sides(spots[part])[at], self._sides[which]
                kept = ((one == other) | (one < 0) | (other < 0)).all(axis=1)
                at, which, shares = at[kept], which[kept], shares[kept]
            order = np.argsort(shares, kind="stable")
            yield part[at[order]], which[order], shares[order]

    def _pairs(self, points: Any, first: int, far: float, tree: shapely.STRtree) -> tuple[Any, Any, Any]:
        at, which = tree.query(points, predicate="dwithin", distance=far)
        return at, which + first, shapely.distance(points[at], tree.geometries[which]) / far

    def _points(self, spots: Any) -> Any:
        return shapely.points(np.array(spots).reshape(-1, 2) * self._scale)


def share_of_reach(spots: Spots, cities: Sequence[AdminDivision], reach: Mapping[str, float], scale: Any) -> Any:
    """Return the distance of each position from the centre of its city, as a share of the city's reach."""
    centres = np.array([city.spot for city in cities])
    away = np.hypot(*((spots - centres) * scale).T)
    return away / np.array([reach.get(city.size, max(reach.values())) for city in cities])


def are_rivals(own: Any, others: Any) -> Any:
    """Return whether the nearest other settlement of each position is hardly farther than its city, by their shares."""
    return others < _RIVAL * own
