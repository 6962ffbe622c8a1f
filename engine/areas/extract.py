"""Extracts of OpenStreetMap: validation, bounds, and preparation for Valhalla and tippecanoe."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import osmium
from osmium.filter import EmptyTagFilter

from engine.areas.borders import UNPACKED, find_crossings, tag_crossings
from engine.areas.numbering import has_new_objects, number_objects
from engine.domain.area import Bounds
from engine.domain.errors import InvalidParameter

SORTED = "Type_then_ID"

_STORED_NODE: Final = np.dtype([("id", "<u8"), ("x", "<i4"), ("y", "<i4")])
"""A node in a file of osmium's ``sparse_file_array``; its ID is 0 in the unused part of the file."""

_NOWHERE: Final = 2**31 - 1
_PER_DEGREE: Final = 10_000_000
_CHUNK: Final = 1_000_000
_BIN: Final = 1_000_000
"""Width of the bins by which the widest gap between nodes is found: a tenth of a degree."""

_BINS: Final = 360 * _PER_DEGREE // _BIN
_OTHER_FORMATS = (".osm", ".osm.gz", ".osm.bz2", ".xml")


def open_extract(file: Path) -> osmium.io.File:
    """Return an extract for reading, in the format of its name, or PBF if the name has no known format."""
    return osmium.io.File(str(file)) if file.name.endswith(_OTHER_FORMATS) else osmium.io.File(str(file), "pbf")


def check_extract(file: Path) -> None:
    """Raise `InvalidParameter` ``file`` unless the file is an extract."""
    if not file.is_file():
        raise InvalidParameter("file", f"{file}: {'this is a folder' if file.is_dir() else 'no such file'}.")
    try:
        with file.open("rb") as stream:
            stream.read(1)
        osmium.io.Reader(open_extract(file), osmium.osm.NOTHING).close()
    except OSError as error:
        raise InvalidParameter("file", f"{file} cannot be read: {error.strerror}.") from error
    except RuntimeError as error:
        raise not_an_extract(file, error) from error


def not_an_extract(file: Path, error: RuntimeError) -> InvalidParameter:
    """Return the error for a file that is not an extract, or is damaged."""
    return InvalidParameter("file", f"{file} is not an OpenStreetMap extract (.osm.pbf), or it is damaged: {error}.")


def prepare_extract(file: Path, folder: Path) -> Path:
    """Return an ordered extract with border crossings tagged: the file itself, or a new one in `folder`."""
    return tag_borders(order_extract(file, folder), folder)


def tag_borders(ordered: Path, folder: Path) -> Path:
    """Return an ordered extract with border crossings tagged: the file itself, or a new one in `folder`."""
    if crossings := find_crossings(ordered):
        return tag_crossings(ordered, crossings, folder / "prepared.osm.pbf")
    return ordered


def order_extract(file: Path, folder: Path) -> Path:
    """Return an extract in PBF, sorted and with positive IDs: the file itself, or a new one in `folder`.

    Sorting keeps the whole extract in memory, about twenty times the size of its file.
    """
    ordered = file
    if not file.name.endswith(".pbf") or not is_sorted(file):
        ordered = sort_extract(file, folder / "sorted.osm.pbf")
    if has_new_objects(ordered):
        ordered = number_objects(ordered, folder / "numbered.osm.pbf", UNPACKED)
    return ordered


def is_sorted(file: Path) -> bool:
    """Return whether the objects are in the order that Valhalla needs; a header that says so is believed.

    Only objects with tags are checked, a tenth of all: Valhalla notices the others itself.
    """
    with osmium.io.Reader(open_extract(file), osmium.osm.NOTHING) as reader:
        if reader.header().get("sorting") == SORTED:
            return True
    rank = {"n": 0, "w": 1, "r": 2}
    last = (0, 0)
    item: Any
    for item in osmium.FileProcessor(open_extract(file)).with_filter(EmptyTagFilter()):
        place = (rank.get(item.type_str(), 3), item.id)
        if place < last:
            return False
        last = place
    return True


def sort_extract(file: Path, target: Path) -> Path:
    """Write the extract in sorted order."""
    merged = osmium.MergeInputReader()
    merged.add_file(str(file))
    with osmium.io.Reader(open_extract(file), osmium.osm.NOTHING) as reader:
        header = reader.header()
    header.set("sorting", SORTED)
    with osmium.SimpleWriter(osmium.io.File(str(target), UNPACKED), header=header) as writer:
        merged.apply(writer)
    return target


def bounds_of(file: Path, folder: Path | None = None) -> Bounds | None:
    """Return the box around an ordered extract's nodes, clipped to that of its header, or None if it has no nodes.

    A header may state the whole world, or an unrelated box. If an extract keeps complete ways that lead out of it, the
    header's box is the smaller one. The box of an extract across the 180th meridian extends beyond 180. `folder` is for
    temporary files: 16 bytes per node.
    """
    nodes, stated = _box_of_nodes(file, folder), stated_box(file)
    if nodes is None or stated is None:
        return nodes
    if nodes[2] > 180:  # headers then state the whole scale
        stated = (nodes[0], stated[1], nodes[2], stated[3])
    common = (max(nodes[0], stated[0]), max(nodes[1], stated[1]), min(nodes[2], stated[2]), min(nodes[3], stated[3]))
    return common if common[0] <= common[2] and common[1] <= common[3] else nodes


def _box_of_nodes(file: Path, folder: Path | None) -> Bounds | None:
    nodes: Any = osmium.FileProcessor(open_extract(file), osmium.osm.NODE)
    if next(iter(nodes), None) is None:
        return None
    # Iterating over the nodes in Python would take fifteen times as long.
    with tempfile.TemporaryDirectory(dir=folder) as place:
        stored = Path(place) / "nodes"
        store = osmium.index.create_map(f"sparse_file_array,{stored}")
        with osmium.io.Reader(open_extract(file), osmium.osm.NODE) as reader:
            osmium.apply(reader, osmium.NodeLocationsForWays(store))
        return _box_of_stored(np.memmap(stored, dtype=_STORED_NODE, mode="r"))


def _box_of_stored(nodes: Any) -> Bounds | None:
    edges = [(int(x.min()), int(y.min()), int(x.max()), int(y.max())) for x, y in _chunks(nodes) if len(x)]
    if not edges:
        return None
    wests, souths, easts, norths = zip(*edges, strict=True)
    west, east = min(wests), max(easts)
    if east - west > 180 * _PER_DEGREE:
        west, east = _across(nodes, west, east)
    return (west / _PER_DEGREE, min(souths) / _PER_DEGREE, east / _PER_DEGREE, max(norths) / _PER_DEGREE)


def _across(nodes: Any, west: int, east: int) -> tuple[int, int]:
    """Return the western and the eastern edge of nodes, which are on either side of the widest gap between them."""
    used = np.zeros(_BINS, bool)
    for x, _ in _chunks(nodes):
        used[(x.astype(np.int64) + 180 * _PER_DEGREE) // _BIN % _BINS] = True
    bins = np.flatnonzero(used)
    gaps = np.diff(bins, append=bins[0] + _BINS)
    widest = int(gaps.argmax())
    if widest == len(bins) - 1:
        return west, east
    middle = (int(bins[widest]) + 1) * _BIN - 180 * _PER_DEGREE
    return (
        min(int(x[x >= middle].min(initial=_NOWHERE)) for x, _ in _chunks(nodes)),
        max(int(x[x < middle].max(initial=-_NOWHERE)) for x, _ in _chunks(nodes)) + 360 * _PER_DEGREE,
    )


def _chunks(nodes: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the longitudes and latitudes of stored nodes, in parts."""
    for start in range(0, len(nodes), _CHUNK):
        chunk = nodes[start : start + _CHUNK]
        valid = chunk[(chunk["id"] != 0) & (chunk["x"] != _NOWHERE) & (chunk["y"] != _NOWHERE)]
        yield valid["x"], valid["y"]


def stated_box(file: Path) -> Bounds | None:
    with osmium.io.Reader(open_extract(file), osmium.osm.NOTHING) as reader:
        return _bounds(reader.header().box())


def _bounds(box: Any) -> Bounds | None:
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    return (low.lon, low.lat, high.lon, high.lat)
