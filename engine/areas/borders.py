"""Border crossings: road nodes at national borders, tagged so that Valhalla can avoid them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import closing
from functools import partial
from itertools import batched, pairwise
from math import atan2, tau
from pathlib import Path
from typing import Any

import osmium
import shapely
from osmium.filter import EmptyTagFilter, EntityFilter, KeyFilter, TagFilter

from engine.areas.ways import Node, Place, lines_of, parts_of, with_ids

type _Way = tuple[Node, ...]

UNPACKED = "pbf,pbf_compression=none,add_metadata=false"
"""Format of files that are read several times and then removed."""

_BATCH = 50_000
_PIECE = 20
"""Number of segments in a piece of a border."""

_NEWER = 1_000_000_000
"""Version of a node that replaces the node of an extract, regardless of its version."""

_OPEN_BARRIERS = ("", "border_control", "cattle_grid", "entrance", "gate", "lift_gate", "swing_gate")
"""Barriers that may be replaced by a border control; others (bollards, blocks) say more about who may pass."""


def find_crossings(file: Path) -> dict[int, Place]:
    """Return the nodes where roads cross a border between countries, with their positions.

    A road and a border either share a node, or their lines cross between nodes; in that case the road's nearer node
    counts. Roads that only touch the border or run along it do not cross it.
    """
    members = _border_ways(file)
    if not members:
        return {}
    ways: Any = osmium.FileProcessor(str(file)).with_locations().with_filter(EntityFilter(osmium.osm.WAY))
    lines = [shapely.LineString([place for _, place in part]) for part in _parts(ways, members)]
    if not lines:
        return {}
    border, located = _Border(lines), osmium.NodeLocationsForWays(ways.node_location_storage)
    located.ignore_errors()
    roads = list(_parts(_highways(file, located), _near(_highways(file, located), border.pieces)))
    crossings = _shared_crossings(roads, border) | _open_crossings(roads, border)
    return {node: place for road in roads for node, place in road if node in crossings}


def tag_crossings(file: Path, crossings: Mapping[int, Place], target: Path) -> Path:
    """Write a sorted extract with these nodes tagged as border controls.

    osmium replaces the nodes: checking every node in Python would take as long as all the rest.
    """
    controls = target.with_name("controls.osm.pbf")
    with osmium.SimpleWriter(str(controls)) as nodes:
        for node in _controls(file, crossings):
            nodes.add_node(node)
    merged = osmium.MergeInputReader()
    merged.add_file(str(controls))
    unpacked = osmium.io.File(str(target), UNPACKED)
    with osmium.io.Reader(str(file)) as reader, closing(osmium.io.Writer(unpacked, reader.header())) as writer:
        merged.apply_to_reader(reader, writer)
    controls.unlink()
    return target


def _controls(file: Path, crossings: Mapping[int, Place]) -> Iterator[osmium.osm.mutable.Node]:
    """Yield the nodes as border controls, in order, except nodes with a more specific barrier."""
    tagged: Any = osmium.FileProcessor(str(file), osmium.osm.NODE).with_filter(EmptyTagFilter())
    tags = {node.id: dict(node.tags) for node in tagged if node.id in crossings}
    for node, place in sorted(crossings.items()):
        own = tags.get(node, {})
        if own.get("barrier", "") in _OPEN_BARRIERS:
            controlled = own | {"barrier": "border_control"}
            yield osmium.osm.mutable.Node(id=node, version=_NEWER, location=place, tags=controlled)


class _Border:
    """All border lines: trees of the lines and of short pieces, and the neighbours of each of their nodes."""

    def __init__(self, lines: Iterable[shapely.LineString]) -> None:
        merged = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(list(lines))))
        self.tree = shapely.STRtree(merged)
        self.pieces = shapely.STRtree([piece for line in merged for piece in _pieces(line)])
        self._around: dict[Place, tuple[Place, Place] | None] = {}
        for line in merged:
            self._note([(x, y) for x, y in line.coords])

    def __contains__(self, place: object) -> bool:
        return place in self._around

    def side(self, at: Place, towards: Place) -> bool | None:
        """Return whether `towards` is left of the border at its node `at`, or None if several borders meet there."""
        around = self._around[at]
        if around is None:
            return None
        before, after = (_angle(at, place) for place in around)
        return (_angle(at, towards) - after) % tau < (before - after) % tau

    def _note(self, places: list[Place]) -> None:
        closed = places[0] == places[-1]
        if closed:
            places = [places[-2], *places, places[1]]
        else:
            self._around[places[0]] = self._around[places[-1]] = None
        for before, at, after in zip(places, places[1:], places[2:], strict=False):
            self._around.setdefault(at, (before, after))


def _pieces(line: shapely.LineString) -> Iterator[shapely.LineString]:
    """Yield a line in pieces, since testing each road against a whole border is slow."""
    places = line.coords[:]
    for start in range(0, len(places) - 1, _PIECE):
        yield shapely.LineString(places[start : start + _PIECE + 1])


def _angle(origin: Place, place: Place) -> float:
    return atan2(place[1] - origin[1], place[0] - origin[0])


def _border_ways(file: Path) -> set[int]:
    relations: Any = osmium.FileProcessor(str(file), osmium.osm.RELATION).with_filter(_ADMINISTRATIVE)
    members = {
        member.ref
        for relation in relations
        if relation.tags.get("admin_level") == "2"
        for member in relation.members
        if member.type == "w"
    }
    tagged: Any = osmium.FileProcessor(str(file), osmium.osm.WAY).with_filter(_ADMINISTRATIVE)
    return members | {way.id for way in tagged if way.tags.get("admin_level") == "2"}


_ADMINISTRATIVE = TagFilter(("boundary", "administrative"))


def _highways(file: Path, located: osmium.NodeLocationsForWays) -> osmium.FileProcessor:
    """Return a processor of roads that does not read the nodes again, which would take most of the time."""
    roads = osmium.FileProcessor(str(file), osmium.osm.WAY).with_filter(KeyFilter("highway"))
    return roads.with_filter(located)


def _parts(ways: osmium.FileProcessor, wanted: Set[int]) -> Iterator[_Way]:
    """Yield the requested ways, as far as their nodes exist."""
    return (part for way in with_ids(ways, wanted) for part in parts_of(way))


def _near(roads: osmium.FileProcessor, tree: shapely.STRtree) -> set[int]:
    """Return the roads that touch a border at all."""
    factory = osmium.geom.WKBFactory()

    def lines() -> Iterator[tuple[int, str]]:
        way: Any
        for way in roads:
            for line in lines_of(way, factory, partial(shapely.to_wkb, hex=True)):
                yield way.id, line

    found: set[int] = set()
    for batch in batched(lines(), _BATCH):
        hits, _ = tree.query(shapely.from_wkb([line for _, line in batch]), predicate="intersects")
        found.update(batch[hit][0] for hit in hits)
    return found


def _shared_crossings(roads: Iterable[_Way], border: _Border) -> set[int]:
    """Return the nodes shared by a road and a border with roads leading to both sides.

    Stretches of a road along the border count as one: a road that joins on the left and leaves on the right crosses it
    once, on the side where fewer roads leave it.
    """
    joined = _Groups()
    sides: dict[int, set[bool | None]] = defaultdict(set)
    for road in roads:
        for (one, place), (other, elsewhere) in pairwise(road):
            if place in border and elsewhere in border:
                joined.join(one, other)
            elif place in border:
                sides[one].add(border.side(place, elsewhere))
            elif elsewhere in border:
                sides[other].add(border.side(elsewhere, place))
    groups: dict[int, list[int]] = defaultdict(list)
    for node in sides:
        groups[joined.of(node)].append(node)
    return {node for nodes in groups.values() for node in _crossed_nodes(nodes, sides)}


def _crossed_nodes(nodes: list[int], sides: dict[int, set[bool | None]]) -> list[int]:
    left, right = ([node for node in nodes if sides[node] & {side, None}] for side in (True, False))
    return min(left, right, key=len)


def _open_crossings(roads: Iterable[_Way], border: _Border) -> set[int]:
    """Return the nearer node of each road segment that crosses a border between nodes."""
    pieces = [
        piece for road in roads for piece in pairwise(road) if piece[0][1] not in border and piece[1][1] not in border
    ]
    if not pieces:
        return set()
    lines = shapely.linestrings([[one[1], other[1]] for one, other in pieces])
    hits, borders = border.tree.query(lines, predicate="intersects")
    found = set()
    for hit, line in zip(hits, borders, strict=True):
        crossing = shapely.intersection(lines[hit], border.tree.geometries[line]).centroid
        found.add(min(pieces[hit], key=lambda node: shapely.Point(node[1]).distance(crossing))[0])
    return found


class _Groups:
    """Groups of connected nodes."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def of(self, node: int) -> int:
        """Return the node that represents the group."""
        while (parent := self._parent.get(node, node)) != node:
            node = parent
        return node

    def join(self, one: int, other: int) -> None:
        """Merge the groups of two nodes."""
        self._parent[self.of(one)] = self.of(other)
