"""A large extract made of shifted copies of a real one, side by side, with IDs spread as widely as in real extracts."""

from pathlib import Path
from typing import Final

import osmium

from engine.areas.extract import SORTED

SHIFT_DEG: Final = 0.3
"""Shift between neighbouring copies, in degrees. The extract should not be larger."""

_MOST_IDS: Final = {"n": 12_000_000_000, "w": 1_300_000_000, "r": 18_000_000}
"""The largest IDs of OpenStreetMap. Structures that store IDs need room for them."""


def write_copies(source: Path, target: Path, copies: int) -> None:
    """Write copies of an extract as one sorted extract with a corresponding header, like those of Geofabrik."""
    ids = _ids(source)
    side = max(1, round(copies**0.5))
    header = osmium.io.Header()
    header.set("sorting", SORTED)
    with osmium.SimpleWriter(str(target), header=header, overwrite=True) as writer:
        for kind, entity in (("n", osmium.osm.NODE), ("w", osmium.osm.WAY), ("r", osmium.osm.RELATION)):
            for copy in range(copies):
                numbers = _Numbers(ids, copies, copy)
                for element in osmium.FileProcessor(str(source), entity):
                    _write(writer, element, kind, numbers, (copy % side * SHIFT_DEG, copy // side * SHIFT_DEG))


def _ids(source: Path) -> dict[str, dict[int, int]]:
    """Return the rank of each ID, by type."""
    found: dict[str, list[int]] = {"n": [], "w": [], "r": []}
    for element in osmium.FileProcessor(str(source)):
        found[element.type_str()].append(element.id)
    return {kind: {number: rank for rank, number in enumerate(sorted(numbers))} for kind, numbers in found.items()}


class _Numbers:
    """The IDs in one copy."""

    def __init__(self, ids: dict[str, dict[int, int]], copies: int, copy: int) -> None:
        self._ids = ids
        # One more, for all members of relations that do not exist.
        self._steps = {kind: max(1, _MOST_IDS[kind] // (copies * (len(own) + 1))) for kind, own in ids.items()}
        self._firsts = {kind: 1 + copy * (len(own) + 1) * self._steps[kind] for kind, own in ids.items()}

    def of(self, kind: str, number: int) -> int:
        """Return the ID of a source object in this copy, even if the object does not exist."""
        rank = self._ids[kind].get(number, len(self._ids[kind]))
        return self._firsts[kind] + rank * self._steps[kind]


def _write(
    writer: osmium.SimpleWriter, element: object, kind: str, numbers: _Numbers, shift: tuple[float, float]
) -> None:
    if isinstance(element, osmium.osm.Node):
        position = (element.location.lon + shift[0], element.location.lat + shift[1])
        writer.add_node(element.replace(id=numbers.of(kind, element.id), location=position))
    elif isinstance(element, osmium.osm.Way):
        nodes = [numbers.of("n", node.ref) for node in element.nodes]
        writer.add_way(element.replace(id=numbers.of(kind, element.id), nodes=nodes))
    elif isinstance(element, osmium.osm.Relation):
        members = [(member.type, numbers.of(member.type, member.ref), member.role) for member in element.members]
        writer.add_relation(element.replace(id=numbers.of(kind, element.id), members=members))
