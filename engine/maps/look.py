"""The look of the maps, shared by the window, the styles for clients, and pictures."""

from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import orjson

type Node = dict[str, Any]
type Stops = float | list[list[float]]

LOOK: Final[Node] = orjson.loads((Path(__file__).parents[2] / "resources" / "map" / "look.json").read_bytes())

GROWTH: Final = 1.5
"""How much faster than the previous one each zoom level grows, unless the look says otherwise."""

HALO_PX: Final = 1.2
COUNTRIES_TO: Final = 8
"""Zoom from which the names of countries are not shown."""

COUNTRY_SIZES: Final = ((1, 10), (7, 14))


def size_at(stops: Stops, zoom: float, base: float = GROWTH) -> float:
    """Return a size at a zoom: exponential between the stops, constant beyond them."""
    if isinstance(stops, int | float):
        return stops
    first, last = stops[0], stops[-1]
    if zoom <= first[0]:
        return first[1]
    for (lower, start), (upper, end) in pairwise(stops):
        if zoom <= upper:
            share = (zoom - lower) / (upper - lower)
            if base != 1:
                share = (base ** (zoom - lower) - 1) / (base ** (upper - lower) - 1)
            return start + (end - start) * share
    return last[1]
