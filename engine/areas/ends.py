"""The ends of an extract's roads: the places where roads continue beyond the extract.

An extract does not state its outline, and may be cut in any shape. Its roads show it:

- A road lacks nodes, because the extract was cut within the road.
- If no road lacks nodes: a dead end leads out of the box in the header, or lies outside of it.
- A dead end has no other road ahead of it for kilometres, and is not at a shore.

A bay in the outline that is narrower than these kilometres is not noticed.
"""

import os
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import osmium
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from osmium.filter import EntityFilter, KeyFilter

from engine.areas.extract import open_extract, stated_box
from engine.areas.folder import ENDS
from engine.areas.ways import parts_of
from engine.domain.area import Bounds
from engine.geo.earth import metres_per_degrees

_MOTOR: Final = frozenset(
    {
        *("motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link"),
        *("tertiary", "tertiary_link", "unclassified", "residential", "living_street", "road", "service"),
    }
)
_ONLY_MOTOR: Final = frozenset({"motorway", "motorway_link"})
_OTHERS: Final = frozenset({"track", "pedestrian", "footway", "path", "cycleway", "bridleway", "steps"})
_CLOSED: Final = ("no", "private")

_NOWHERE: Final = 2**31 - 1
_PER_DEGREE: Final = 10_000_000

_LAST_SEGMENT_M: Final = 150.0
"""A clipped road ends at its last node before the edge. In extracts of towns, 99 of 100 segments are shorter."""

_REACHES_M: Final = (500.0, 2_000.0, 10_000.0)
"""Lengths of the empty sector ahead of the end of a road. Most dead ends are ruled out by the first."""

_HALF_SECTOR: Final = np.pi / 9
"""Half of the sector's angle. The border roads of Liechtenstein and Andorra are found up to about this one."""
_HALF_BAY: Final = np.pi / 3
"""Half of the angle in which a shore just ahead shows that a road ends on an island."""

_SHORE_M: Final = 300.0
"""Distance from a shore within which dead ends are piers, beaches and promenades."""

_CELLS: Final = 200
"""Number of cells along the longer side of an area, by which roads are looked up, unless they became too small."""

_CELL_M: Final = (10.0, 250.0)

_GAPS: Final = 3
"""Number of cells between an end and its sector, in which other roads of the same crossing may end, too."""

type _Floats = NDArray[np.float64]
type _Numbers = NDArray[np.int64]
type _Flags = NDArray[np.bool]


class _Roads(Struct, frozen=True):
    """The nodes of all roads, one road after the other.

    `refs` are their IDs, `places` longitude and latitude, NaN for missing nodes. `owners` is the number of each node's
    road. `motor` and `others` are whether motor vehicles, and people on foot or by bike, may use a road.
    """

    refs: _Numbers
    places: _Floats
    owners: _Numbers
    motor: _Flags
    others: _Flags
    shore: Sequence[shapely.LineString]


def find_ends(file: Path) -> _Floats:
    """Return longitude, latitude, and whether motor vehicles and others may use the road (1 or 0), for each end."""
    roads = _read(file)
    if not len(roads.refs):
        return np.zeros((0, 4))
    cut = _cut_roads(roads)
    ends = np.unique(np.concatenate([cut, _last_roads(roads, None if len(cut) else stated_box(file))]))
    owners = roads.owners[ends]
    found: _Floats = np.column_stack([roads.places[ends], roads.motor[owners], roads.others[owners]])
    found[found[:, 0] > 180, 0] -= 360
    usable: _Flags = (found[:, 2] + found[:, 3]) > 0
    return np.asarray(found[usable])


def write_ends(folder: Path, ends: _Floats) -> None:
    """Write the ends of an area's roads into its folder."""
    new = folder / f".{ENDS}.{os.getpid()}"
    with new.open("wb") as stream:
        np.save(stream, ends)
    new.replace(folder / ENDS)


def _read(file: Path) -> _Roads:
    objects: Any = osmium.FileProcessor(open_extract(file)).with_locations()
    objects.with_filter(EntityFilter(osmium.osm.WAY)).with_filter(KeyFilter("highway", "natural"))
    refs, x, y, lengths, motor, others = array("q"), array("i"), array("i"), array("q"), array("b"), array("b")
    shore: list[shapely.LineString] = []
    for way in objects:
        tags = way.tags
        highway = tags.get("highway", "")
        if tags.get("natural") == "coastline":
            shore += [shapely.LineString([place for _, place in part]) for part in parts_of(way)]
        if (highway not in _MOTOR and highway not in _OTHERS) or tags.get("area") == "yes":
            continue
        for node in way.nodes:
            location = node.location
            refs.append(node.ref)
            x.append(location.x)
            y.append(location.y)
        lengths.append(len(way.nodes))
        is_open = tags.get("access") not in _CLOSED
        motor.append(is_open and highway in _MOTOR and tags.get("motor_vehicle") not in _CLOSED)
        others.append(is_open and highway not in _ONLY_MOTOR)
    places = np.column_stack([np.asarray(x, float), np.asarray(y, float)])
    places[places[:, 0] == _NOWHERE] = np.nan
    return _Roads(
        np.asarray(refs, np.int64),
        _together(places / _PER_DEGREE),
        np.repeat(np.arange(len(lengths)), np.asarray(lengths, np.int64)),
        np.asarray(motor, bool),
        np.asarray(others, bool),
        shore,
    )


def _together(places: _Floats) -> _Floats:
    """Return the nodes of an extract across the 180th meridian with longitudes from 0 to 360."""
    x = places[~np.isnan(places[:, 0]), 0]
    if len(x) and np.ptp(x % 360) < 180 < np.ptp(x):
        places[:, 0] %= 360
    return places


def _cut_roads(roads: _Roads) -> _Numbers:
    """Return the nodes beside a missing node of the same road."""
    known = ~np.isnan(roads.places[:, 0])
    same = roads.owners[1:] == roads.owners[:-1]
    before = np.flatnonzero(same & known[:-1] & ~known[1:])
    after = np.flatnonzero(same & ~known[:-1] & known[1:]) + 1
    return np.concatenate([before, after])


def _last_roads(roads: _Roads, box: Bounds | None) -> _Numbers:
    """Return the dead ends that lead out of the box, or to a place without roads ahead."""
    ends, inner = _dead_ends(roads)
    if not len(ends):
        return ends
    scale = np.column_stack(metres_per_degrees(roads.places[ends, 1]))
    ahead = (roads.places[ends] - roads.places[inner]) * scale
    ahead /= np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-9)[:, None]
    return ends[_lead_out(roads.places[ends], ahead * _LAST_SEGMENT_M / scale, box) | _lead_nowhere(roads, ends, ahead)]


def _dead_ends(roads: _Roads) -> tuple[_Numbers, _Numbers]:
    """Return the ends of roads that are in no other road, and the nodes before them."""
    first = np.flatnonzero(np.diff(roads.owners, prepend=-1))
    last = np.append(first[1:], len(roads.refs)) - 1
    first, last = first[last > first], last[last > first]
    ends, inner = np.concatenate([first, last]), np.concatenate([first + 1, last - 1])
    ordered = np.sort(roads.refs)
    uses = np.searchsorted(ordered, roads.refs[ends], "right") - np.searchsorted(ordered, roads.refs[ends])
    single = (uses == 1) & ~np.isnan(roads.places[ends, 0]) & ~np.isnan(roads.places[inner, 0])
    return ends[single], inner[single]


def _lead_out(places: _Floats, ahead: _Floats, box: Bounds | None) -> _Flags:
    """Return for each dead end whether its road, prolonged by a segment, leaves the box."""
    if box is None:
        return np.zeros(len(places), bool)
    reached = places + ahead
    return ~(_within(reached, box) & _within(places, box))


def _within(places: _Floats, box: Bounds) -> _Flags:
    west, south, east, north = box
    x, y = places.T
    return np.asarray((west < x) & (x < east) & (south < y) & (y < north))


def _lead_nowhere(roads: _Roads, ends: _Numbers, ahead: _Floats) -> _Flags:
    """Return for each dead end whether no road or shore is in the sector ahead of it, and no shore near."""
    scale = np.column_stack(metres_per_degrees(roads.places[ends, 1].mean(keepdims=True)))
    nodes, at = roads.places * scale, roads.places[ends] * scale
    cell_m = float(np.clip((np.nanmax(nodes, axis=0) - np.nanmin(nodes, axis=0)).max() / _CELLS, *_CELL_M))
    shore = shapely.transform(np.array(roads.shore, object), lambda places: places * scale)
    along_shore = shapely.get_coordinates(shapely.segmentize(shore, cell_m))
    everything = np.concatenate([_along_roads(nodes, roads.owners, cell_m), along_shore])
    used = shapely.STRtree(shapely.points(_cells(everything, cell_m)))
    gap_m = _GAPS * cell_m
    leading = np.ones(len(ends), bool)
    coast = shapely.STRtree(shore)
    leading[coast.query(shapely.points(at), predicate="dwithin", distance=_SHORE_M)[0]] = False
    leading[coast.query(_sectors(at, ahead, gap_m, _HALF_BAY), predicate="intersects")[0]] = False
    for reach_m in _REACHES_M:
        left = np.flatnonzero(leading)
        sectors = _sectors(at[left] + ahead[left] * gap_m, ahead[left], reach_m)
        leading[left[used.query(sectors, predicate="intersects")[0]]] = False
    return leading


def _cells(places: _Floats, cell_m: float) -> _Floats:
    """Return the middle of each cell that contains a position."""
    cells = np.round(places / cell_m).astype(np.int64)
    keys = np.unique((cells[:, 0] << 32) + cells[:, 1])
    rows = (keys + (1 << 31)) >> 32
    found: _Floats = np.column_stack([rows, keys - (rows << 32)]) * cell_m
    return found


def _along_roads(nodes: _Floats, owners: _Numbers, step_m: float) -> _Floats:
    """Return all known nodes in metres, and points between distant ones of the same road."""
    apart = np.hypot(*np.diff(nodes, axis=0).T)
    wide = np.flatnonzero((owners[1:] == owners[:-1]) & (apart > step_m))
    pieces = (apart[wide] // step_m).astype(np.int64) + 1
    starts = np.repeat(wide, pieces)
    numbers = np.arange(len(starts)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    shares = (numbers / np.repeat(pieces, pieces))[:, None]
    return np.concatenate([nodes[~np.isnan(nodes[:, 0])], nodes[starts] * (1 - shares) + nodes[starts + 1] * shares])


def _sectors(apex: _Floats, ahead: _Floats, reach_m: float, half: float = _HALF_SECTOR) -> Any:
    """Return the sectors ahead of places."""
    angles = np.arctan2(ahead[:, 1], ahead[:, 0])
    arc = [_along(apex, angles + turn, reach_m) for turn in np.linspace(-half, half, 5)]
    return shapely.polygons(np.stack([apex, *arc, apex], axis=1))


def _along(apex: _Floats, angles: _Floats, reach_m: float) -> _Floats:
    return apex + reach_m * np.column_stack([np.cos(angles), np.sin(angles)])
