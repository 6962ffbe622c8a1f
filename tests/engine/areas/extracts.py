"""Extracts of OpenStreetMap that tests write: a town with a lake, and the objects that a test adds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import osmium
from osmium.osm import mutable

from engine.domain.area import Bounds

WEST, SOUTH, STEP = 14.35, 45.77, 0.001
STREETS = 6

type Tags = Mapping[str, str]


@dataclass
class Extract:
    """The objects of a future extract. Nodes, ways and relations are numbered from 1 in the order in which they are
    added."""

    nodes: list[tuple[float, float, Tags]] = field(default_factory=list)
    ways: list[tuple[Sequence[int], Tags]] = field(default_factory=list)
    relations: list[tuple[Sequence[tuple[str, int, str]], Tags]] = field(default_factory=list)

    def node(self, longitude: float, latitude: float, **tags: str) -> int:
        """Add a node and return its number."""
        self.nodes.append((longitude, latitude, tags))
        return len(self.nodes)

    def way(self, nodes: Sequence[int], **tags: str) -> int:
        """Add a way and return its number."""
        self.ways.append((nodes, tags))
        return len(self.ways)

    def line(self, *places: tuple[float, float], **tags: str) -> list[int]:
        """Add a way through new nodes and return the nodes."""
        nodes = [self.node(*place) for place in places]
        self.way(nodes, **tags)
        return nodes

    def relation(self, members: Sequence[tuple[str, int, str]], **tags: str) -> int:
        """Add a relation and return its number."""
        self.relations.append((members, tags))
        return len(self.relations)

    def write(
        self,
        file: Path,
        *,
        backwards: bool = False,
        without: frozenset[int] = frozenset(),
        stating: Bounds | None = None,
        new_from: int | None = None,
    ) -> Path:
        """Write the extract, `without` some nodes, and `backwards` in an unexpected order.

        `stating` is the bounding box in its header. Objects numbered from `new_from` have negative IDs, as in editors.
        """

        def osm(number: int) -> int:
            return number if new_from is None or number < new_from else -number

        objects = [
            *(
                mutable.Node(id=osm(number), version=1, location=(longitude, latitude), tags=dict(tags))
                for number, (longitude, latitude, tags) in enumerate(self.nodes, 1)
                if number not in without
            ),
            *(
                mutable.Way(id=osm(number), version=1, nodes=[osm(node) for node in nodes], tags=dict(tags))
                for number, (nodes, tags) in enumerate(self.ways, 1)
            ),
            *(
                mutable.Relation(
                    id=osm(number),
                    version=1,
                    members=[(kind, osm(ref), role) for kind, ref, role in members],
                    tags=dict(tags),
                )
                for number, (members, tags) in enumerate(self.relations, 1)
            ),
        ]
        header = osmium.io.Header()
        if stating is not None:
            header.add_box(osmium.osm.Box(*stating))
        with osmium.SimpleWriter(str(file), header=header, overwrite=True) as writer:
            for item in reversed(objects) if backwards else objects:
                writer.add(item)
        return file


def place(column: float, row: float) -> tuple[float, float]:
    """Return a position in the town, in blocks from its south-western corner."""
    return WEST + column * STEP, SOUTH + row * STEP


def town() -> Extract:
    """Return streets that cross at right angles, with a square lake, a house, a railway, a park and a name."""
    extract = Extract()
    corners = {(column, row): extract.node(*place(column, row)) for column in range(STREETS) for row in range(STREETS)}
    for number in range(STREETS):
        extract.way([corners[number, row] for row in range(STREETS)], highway="residential", name=f"Avenue {number}")
        extract.way([corners[column, number] for column in range(STREETS)], highway="secondary", name=f"Road {number}")
    extract.node(*place(2.5, 2.5), place="town", name="Gridton", population="1200")
    closed(extract, 0.2, 0.2, 0.8, 0.8, natural="water", name="Pond")
    closed(extract, 1.2, 1.2, 1.4, 1.4, building="yes")
    closed(extract, 2.2, 2.2, 2.8, 2.8, leisure="park", name="Green")
    extract.line(place(0, 5.5), place(5, 5.5), railway="rail")
    return extract


def closed(extract: Extract, west: float, south: float, east: float, north: float, **tags: str) -> int:
    """Add a rectangle, in blocks, and return its way."""
    corners = [place(west, south), place(east, south), place(east, north), place(west, north)]
    nodes = [extract.node(*corner) for corner in corners]
    return extract.way([*nodes, nodes[0]], **tags)
