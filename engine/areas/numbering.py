"""Numbers for objects that have no ID of OpenStreetMap yet.

Editors (JOSM) and converters give new objects an ID below 1. osmium stores no positions for these, and Valhalla reads
IDs as positive.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import osmium

_KINDS: Final = {"n": osmium.osm.NODE, "w": osmium.osm.WAY, "r": osmium.osm.RELATION}

type _Numbering = Callable[[str, int], int]
"""Return the new ID of an object, from its type letter and ID."""


def has_new_objects(file: Path) -> bool:
    """Return whether a sorted extract has objects with an ID below 1, which come first of their type."""
    return any(next((item.id for item in _of_kind(file, kind)), 1) < 1 for kind in _KINDS)


def number_objects(file: Path, target: Path, form: str) -> Path:
    """Write a sorted extract in which new objects are numbered after all others; the rest keep their IDs."""
    largest = {kind: max((item.id for item in _of_kind(file, kind)), default=0) for kind in _KINDS}

    def number(kind: str, ref: int) -> int:
        return ref if ref > 0 else max(largest[kind], 0) + 1 - ref

    with osmium.io.Reader(str(file), osmium.osm.NOTHING) as reader:
        header = reader.header()
    with osmium.SimpleWriter(osmium.io.File(str(target), form), header=header) as writer:
        for kind in _KINDS:
            for new in (False, True):
                for item in _of_kind(file, kind):
                    if (item.id < 1) is new:
                        writer.add(_numbered(item, kind, number))
    return target


def _of_kind(file: Path, kind: str) -> Iterator[Any]:
    return iter(osmium.FileProcessor(str(file), _KINDS[kind]))


def _numbered(item: Any, kind: str, number: _Numbering) -> Any:
    changes: dict[str, Any] = {"id": number(kind, item.id)}
    if kind == "w":
        changes["nodes"] = [number("n", node.ref) for node in item.nodes]
    elif kind == "r":
        changes["members"] = [(member.type, number(member.type, member.ref), member.role) for member in item.members]
    return item.replace(**changes)
