"""Lines of ways. At the edge of an extract some nodes are missing, so that the line is split into parts."""

from collections.abc import Callable, Iterator, Set
from pathlib import Path
from typing import Any, Final

import osmium
import shapely
from osmium.filter import IdFilter

_NO_NODE: Final = 1 << 60
"""ID of a node that no extract has."""

type Place = tuple[float, float]
type Node = tuple[int, Place]

_CHUNK_BITS: Final = 25
_MOST_CHUNKS: Final = 32
"""osmium's filter takes 4 MB for each block of 2^25 IDs that has a requested one, a gigabyte for a long border."""


def with_ids(objects: osmium.FileProcessor, ids: Set[int]) -> Iterator[Any]:
    """Yield the objects with these IDs, without taking much memory for IDs that are far apart."""
    if fit_filter(ids):
        yield from objects.with_filter(IdFilter(ids))
    else:
        yield from (item for item in objects if item.id in ids)


def fit_filter(ids: Set[int]) -> bool:
    """Return whether the IDs are few or close together, so that osmium's own filter takes little memory."""
    return len({number >> _CHUNK_BITS for number in ids}) <= _MOST_CHUNKS


def divide_ways(file: Path, target: Path, form: str) -> Path:
    """Write an extract in which ways across the 180th meridian lack a node there, so that their lines end at it."""
    objects: Any = osmium.FileProcessor(str(file)).with_locations()
    with osmium.SimpleWriter(osmium.io.File(str(target), form), header=objects.header) as writer:
        for item in objects:
            nodes = _divided_nodes(item) if item.is_way() else None
            writer.add(item if nodes is None else item.replace(nodes=nodes))
    return target


def _divided_nodes(way: Any) -> list[int] | None:
    """Return the nodes of a way across the 180th meridian with a missing one between its sides, else None."""
    nodes, last, jumps = [], None, False
    for node in way.nodes:
        if node.location.valid():
            if last is not None and abs(node.lon - last) > 180:
                nodes.append(_NO_NODE)
                jumps = True
            last = node.lon
        nodes.append(node.ref)
    return nodes if jumps else None


def lines_of(way: Any, factory: Any, spell: Callable[[shapely.LineString], str]) -> list[str]:
    """Return the lines of a way, from osmium's factory, or from `spell` for each part if nodes are missing."""
    try:
        return [factory.create_linestring(way)]
    except RuntimeError:  # fewer than two distinct nodes
        return []
    except osmium.InvalidLocationError:
        return [spell(shapely.LineString([place for _, place in part])) for part in parts_of(way)]


def parts_of(way: Any) -> Iterator[tuple[Node, ...]]:
    """Yield the nodes of a way, split into parts of at least two nodes where nodes are missing."""
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
