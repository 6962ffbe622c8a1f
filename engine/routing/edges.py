"""The edge of an area: the ends of its roads, and the isochrones that reach them."""

import logging
from collections.abc import Callable
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any, Final

import numpy as np
import shapely

from engine.domain.geometry import Ring
from engine.domain.travel import TravelMode

_log = logging.getLogger(__name__)

_WITHOUT_MOTOR: Final = frozenset({TravelMode.FOOT, TravelMode.BIKE})


class RoadEnds:
    """The places where an area's roads are cut off, read from a file of `engine.areas.ends` on first use."""

    def __init__(self, file: Path | None) -> None:
        """Read from `file`; without one, no ends are known."""
        self._file = file

    def are_in(self, ring: Ring, mode: TravelMode) -> bool:
        """Return whether a ring around an isochrone contains the end of a road for `mode`.

        No tolerance is needed: a router draws the ring some 30 m around the roads that are reached.
        """
        motor, others = self._trees
        tree = others if mode in _WITHOUT_MOTOR else motor
        return bool(len(tree.query(shapely.Polygon(ring), predicate="intersects")))

    @cached_property
    def _trees(self) -> tuple[Any, Any]:
        """The ends of roads for motor vehicles, and of those for people on foot or by bike."""
        ends = np.zeros((0, 4))
        if self._file is not None:
            try:
                ends = np.load(self._file, allow_pickle=False)
            except (OSError, ValueError, EOFError):
                _log.warning("The ends of roads in %s cannot be read.", self._file)
        return _tree(ends[ends[:, 2] > 0]), _tree(ends[ends[:, 3] > 0])


def _tree(ends: Any) -> Any:
    return shapely.STRtree(shapely.points(ends[:, :2]))


def largest_inside(reaches: Callable[[int], bool], minutes: float) -> int:
    """Return the largest whole number below `minutes` that does not reach the edge, or 0.

    Short times are tried first, because they are computed quickly.
    """
    low, high = 0, 1
    limit = ceil(minutes)
    while high < limit and not reaches(high):
        low, high = high, 2 * high
    high = min(high, limit)
    while high - low > 1:
        middle = (low + high) // 2
        if reaches(middle):
            high = middle
        else:
            low = middle
    return low
