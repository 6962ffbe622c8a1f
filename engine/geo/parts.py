"""Polygons with holes and several parts: validating them, and their united interior."""

import re
from collections.abc import Iterator, Sequence
from math import cos, radians
from typing import Any

import numpy as np
import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_HOLES, MAX_PARTS, MAX_RING_POSITIONS, PackedRing, Part, Polygon, Position, Ring
from engine.geo.bounds import bounds_of_ring, turns_to_first
from engine.geo.earth import Counts, Floats
from engine.geo.rings import check_ring, unwrap

type Rings = Sequence[Sequence[Position]]
"""The outer ring of a part and its holes, as the coordinates of a GeoJSON Polygon."""

_ROUNDING = 1e-7
"""Degrees up to which parts that meet along an edge may be apart or overlap: a centimetre, as seven digits round."""

_TOUCHING = 1e-6
"""Degrees between rings, below which parts may meet."""


def continuous(ring: Ring) -> Floats:
    """Return the positions of a ring as an array of shape (n, 2) with continuous longitudes."""
    positions = np.asarray(ring)
    return np.asarray(unwrap(ring)) if np.abs(np.diff(positions[:, 0])).max() > 180 else positions


def united(polygon: Polygon) -> Any:
    """Return the shapely geometry of a polygon's interior, with the longitudes of its largest part.

    Parts that meet along an edge, as on both sides of ±180°, are one part of it.
    """
    parts = _in_one_turn(polygon)
    if len(parts) == 1:
        return parts[0]
    pairs = _pairs(parts, _ROUNDING)
    if not pairs:
        return shapely.MultiPolygon(parts)
    for a, b in pairs:
        parts[a] = _snapped(parts[a], parts[b])
        parts[b] = _snapped(parts[b], parts[a])
    return shapely.union_all(parts)


def _pairs(shapes: Sequence[Any], distance: float) -> list[tuple[int, int]]:
    """Return the numbers of the shapes that are within a distance of each other, in degrees."""
    first, second = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=distance)
    return [(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True) if a < b]


def _snapped(shape: Any, other: Any) -> Any:
    """Return a shape whose edge is exactly that of the other one where they differ by rounding."""
    snapped = shapely.snap(shape, other, _ROUNDING)
    return snapped if snapped.is_valid else shape


def joined_parts(polygon: Polygon) -> tuple[Part, ...]:
    """Return the parts of a polygon's interior, the largest first, if any of its own parts meet, or else nothing.

    They have continuous longitudes. The rings of the polygon's own parts would show where it meets others.
    """
    if not polygon.others or not _may_meet(polygon):
        return ()
    joined = shapely.get_parts(united(polygon)).tolist()
    if len(joined) > len(polygon.others):
        return ()
    parts = (Part(_ring_of(each.exterior), tuple(map(_ring_of, each.interiors))) for each in joined)
    return tuple(sorted(parts, key=_area, reverse=True))


def _may_meet(polygon: Polygon) -> bool:
    """Return whether any rings of different parts are close to each other, or may be so on both sides of ±180°.

    This is quicker than uniting the parts.
    """
    rings = [PackedRing.of(ring) for ring in polygon.rings]
    positions = np.frombuffer(b"".join(ring.packed for ring in rings), "<f8").reshape(-1, 2)
    if np.ptp(positions[:, 0]) > 180:
        return True
    lines = shapely.linearrings(positions, indices=np.repeat(np.arange(len(rings)), [len(ring) for ring in rings]))
    parts = np.repeat(np.arange(len(polygon.parts)), [1 + len(part.holes) for part in polygon.parts])
    first, second = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=_TOUCHING)
    return bool((parts[first] != parts[second]).any())


def _ring_of(ring: Any) -> Ring:
    return PackedRing(np.asarray(shapely.get_coordinates(ring), "<f8").tobytes())


def point_inside(polygon: Polygon) -> Any:
    """Return the centroid of the largest part if it is inside this part, or else another point inside it."""
    largest = _of_part(polygon)
    return centroid if largest.contains(centroid := largest.centroid) else largest.representative_point()


def check_polygon(parts: Sequence[Rings]) -> Polygon:
    """Return the polygon with the coordinates of a GeoJSON MultiPolygon, its largest part first.

    Raises `InvalidParameter` for ``coordinates`` with the error: each ring must be valid (see `check_ring`), holes must
    be inside their outer ring and leave its interior connected, and parts must not overlap. There are limits on the
    numbers of positions, parts and holes.
    """
    _check_counts(parts)
    names = [f"part {number} " if len(parts) > 1 else "" for number in range(1, len(parts) + 1)]
    judged = [_check_part(rings, name) for rings, name in zip(parts, names, strict=True)]
    if len(judged) == 1:
        return Polygon(judged[0].ring, judged[0].holes)
    largest = max(range(len(judged)), key=lambda number: _area(judged[number]))
    first, others = judged[largest], (*judged[:largest], *judged[largest + 1 :])
    polygon = Polygon(first.ring, first.holes, others)
    _check_apart(_in_one_turn(polygon))
    return polygon


def _check_counts(parts: Sequence[Rings]) -> None:
    rings = [ring for each in parts for ring in each]
    if not parts or not all(parts):
        raise _bad("a polygon needs an outer ring.")
    if (positions := sum(map(len, rings))) > MAX_RING_POSITIONS:
        raise _bad(f"a geofence may have at most {MAX_RING_POSITIONS} positions in all its rings, not {positions}.")
    if len(parts) > MAX_PARTS:
        raise _bad(f"a geofence may have at most {MAX_PARTS} parts, not {len(parts)}.")
    if (holes := len(rings) - len(parts)) > MAX_HOLES:
        raise _bad(f"a geofence may have at most {MAX_HOLES} holes, not {holes}.")


def _check_part(rings: Rings, name: str) -> Part:
    """Return the part with these rings; `name` and the number of a ring are at the start of an error."""
    if len(rings) == 1 and not name:
        return Part(check_ring(rings[0]).ring)
    outer, *holes = (_check_one(ring, f"{name}ring {number}") for number, ring in enumerate(rings, 1))
    part = Part(outer, tuple(holes))
    if holes and not (shape := _of_part(part)).is_valid:
        place = re.search(r"\[(\S+) (\S+)\]", shapely.is_valid_reason(shape))
        where = f": see [{round(_turned(float(place[1])), 6):.10g} {place[2]}]" if place else ""
        raise _bad(
            f"the holes of a part must be inside its outer ring, and touch it or each other only at points{where}."
        )
    return part


def _check_one(ring: Sequence[Position], name: str) -> Ring:
    try:
        return check_ring(ring).ring
    except InvalidParameter as error:
        raise _bad(f"{name}: {error.message.removeprefix(f'{error.param}: ')}") from error


def _check_apart(shapes: Sequence[Any]) -> None:
    """Check that parts do not overlap, and that together they do not go around the earth."""
    bounds = shapely.bounds(np.array(shapes))
    if bounds[:, 2].max() - bounds[:, 0].min() > 360:
        raise _bad("the parts go around the earth, so they have no common middle.")
    for a, b in _pairs(shapes, 0.0):
        both = shapes[a].intersection(shapes[b]).buffer(-_ROUNDING)
        if not both.is_empty:
            place = both.representative_point()
            raise _bad(f"two parts overlap at [{_turned(place.x):.6f} {place.y:.6f}].")


def _in_one_turn(polygon: Polygon) -> list[Any]:
    """Return the parts, shifted by full turns to be near each other, of which the largest keeps its place."""
    positions = [np.asarray(ring) for ring in polygon.rings]
    whole = np.concatenate(positions)
    if np.ptp(whole[:, 0]) <= 180:
        # No ring goes beyond ±180°, and no part needs a shift.
        rings = shapely.linearrings(whole, indices=_numbered(list(map(len, positions))))
        polygons = shapely.polygons(rings, indices=_numbered([1 + len(part.holes) for part in polygon.parts]))
        return list(polygons)
    boxes = np.array([bounds_of_ring(part.ring) for part in polygon.parts])
    turns = turns_to_first(boxes[:, 0], boxes[:, 2])
    return [_of_part(part, 360 * turn) for part, turn in zip(polygon.parts, turns.tolist(), strict=True)]


def _numbered(counts: Sequence[int]) -> Counts:
    """Return each number from 0 as often as `counts` says."""
    return np.repeat(np.arange(len(counts)), counts)


def _of_part(part: Part, shift: float = 0.0) -> Any:
    """Return the shapely polygon of a part with continuous longitudes, shifted by some degrees."""
    outer, *holes = _near_outer(part)
    east = np.array([shift, 0.0])
    return shapely.Polygon(outer + east, [hole + east for hole in holes])


def _near_outer(part: Part) -> Iterator[Floats]:
    """Yield the outer ring and the holes, which may be on the other side of ±180°."""
    outer = continuous(part.ring)
    yield outer
    middle = (outer[:, 0].min() + outer[:, 0].max()) / 2
    for hole in map(continuous, part.holes):
        turn = np.round((middle - (hole[:, 0].min() + hole[:, 0].max()) / 2) / 360)
        yield hole + np.array([360 * turn, 0.0])


def _area(part: Part) -> float:
    """Return a measure by which parts are compared: the area in degrees, narrowed by the latitude."""
    shape = _of_part(part)
    return float(shape.area * cos(radians(shape.centroid.y)))


def _turned(longitude: float) -> float:
    return (longitude + 540) % 360 - 180


def _bad(message: str) -> InvalidParameter:
    return InvalidParameter("coordinates", f"coordinates: {message}")
