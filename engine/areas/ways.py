"""The lines of ways. At the edge of an extract some of their nodes are missing, and what is left is in parts."""

from collections.abc import Callable, Iterator
from typing import Any

import osmium
import shapely

type Place = tuple[float, float]
type Node = tuple[int, Place]


def lines_of(way: Any, factory: Any, spell: Callable[[shapely.LineString], str]) -> list[str]:
    """Return what a factory of osmium's makes of a way, and where nodes are missing what `spell` makes of each part."""
    try:
        return [factory.create_linestring(way)]
    except RuntimeError:  # fewer than two different nodes
        return []
    except osmium.InvalidLocationError:
        return [spell(shapely.LineString([place for _, place in part])) for part in parts_of(way)]


def parts_of(way: Any) -> Iterator[tuple[Node, ...]]:
    """Yield the nodes of a way, in parts of at least two where nodes between them are missing."""
    part: list[Node] = []
    for node in way.nodes:
        if node.location.valid():
            part.append((node.ref, (node.lon, node.lat)))
            continue
        if len(part) > 1:
            yield tuple(part)
        part = []
    if len(part) > 1:
        yield tuple(part)
