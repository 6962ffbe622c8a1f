"""Check of polygons whose boundary comes close to itself, and removal of spikes, the most common cause."""

from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any, Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Isochrone, Polygon, Ring
from engine.geo.earth import Floats, metres_per_degree
from engine.geo.parts import check_polygon, continuous
from engine.geofences.checks.findings import Check, Finding, Fix, Severity, name_of
from engine.geofences.checks.surroundings import CheckProgress, Fences, Surroundings, point_at

CLOSE_M: Final = 1.0
"""Distance below which a boundary nearly crosses itself, which is never intended."""

_DETOUR: Final = 10.0
"""Minimum ratio of the distance along the boundary to that across; a smaller one is just a corner or a curve."""

_AT_ONCE: Final = 500
_MOST_SPIKES: Final = 50
_SMALL_PART: Final = 0.01

type _Line = Floats
"""Positions of a ring in metres, of shape (n, 2), without the last, which equals the first."""


class _Spot(NamedTuple):
    """A vertex close to a non-adjacent edge of the same ring."""

    owner: int
    vertex: int
    edge: int
    distance_m: float


def find_self_touching(fences: Fences, _around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find polygons with a vertex close to a non-adjacent edge of the same ring."""
    numbers = [number for number in fences.rings.tolist() if _is_drawn(fences, number)]
    for some in batched(numbers, _AT_ONCE):
        report(some[0])
        rings = [(number, ring) for number in some for ring in _rings_of(fences[number])]
        nearest: dict[int, _Spot] = {}
        for spot in _narrowest(_spots([_line(ring) for _, ring in rings])):
            number, _ = rings[spot.owner]
            nearest[number] = min(nearest.get(number, spot), spot, key=lambda each: each.distance_m)
        for number, spot in nearest.items():
            _, ring = rings[spot.owner]
            yield _finding(fences[number], ring, spot)


def _is_drawn(fences: Fences, number: int) -> bool:
    return fences.shapes[number] is not None and not isinstance(fences[number].geometry, Isochrone)


def _rings_of(geofence: Geofence) -> tuple[Ring, ...]:
    assert isinstance(geofence.geometry, Polygon)
    return geofence.geometry.rings


def _finding(geofence: Geofence, ring: Ring, spot: _Spot) -> Finding:
    text = f"The boundary of {_name_of_ring(geofence, ring)} comes within {_centimetres(spot.distance_m)} of itself: "
    text += "after a small change it may cross itself, and would be refused."
    place = point_at(*ring[spot.vertex])
    return Finding(Check.SELF_TOUCHING, Severity.WARNING, (geofence.summary,), text, place, _fix(geofence))


def _name_of_ring(geofence: Geofence, ring: Ring) -> str:
    name, geometry = name_of(geofence), geofence.geometry
    assert isinstance(geometry, Polygon)
    if any(ring is hole for part in geometry.parts for hole in part.holes):
        return f"a hole of {name}"
    return f"a part of {name}" if geometry.others else name


def _centimetres(distance_m: float) -> str:
    return f"{max(distance_m * 100, 0.1):.0f} cm" if distance_m >= 0.01 else "a centimetre"


def _fix(geofence: Geofence) -> Fix | None:
    """Return a fix that removes the spikes, or None if more than narrow slivers or a valid boundary would be lost."""
    geometry = geofence.geometry
    assert isinstance(geometry, Polygon)
    fixed = [[_ring_without_spikes(ring) for ring in (part.ring, *part.holes)] for part in geometry.parts]
    rings = [[ring for ring in part if ring is not None] for part in fixed]
    if rings != fixed:
        return None
    try:
        polygon = check_polygon(rings)
    except InvalidParameter:
        return None
    removed = geometry.position_count - polygon.position_count
    target = "the spike" if removed == 1 else f"{removed} vertices of spikes"
    change = GeofenceChange(coordinates=rings[0][0] if geometry.is_single_ring else tuple(map(tuple, rings)))
    return Fix(f"Remove {target}; the boundary moves by less than {CLOSE_M:g} m", {geofence.id: change})


def _ring_without_spikes(ring: Ring) -> Ring | None:
    kept = _without_spikes(_line(ring))
    return None if kept is None else tuple(ring[each] for each in (*kept, kept[0]))


def _without_spikes(line: _Line) -> list[int] | None:
    """Return the numbers of the vertices left without spikes, or None if a close spot is not a spike."""
    kept = list(range(len(line)))
    whole = shapely.Polygon(line)
    for _ in range(_MOST_SPIKES):
        spots = _narrowest(_spots([line[kept]]))
        if not spots:
            left = shapely.Polygon(line[kept])
            return kept if left.is_valid and _is_little(whole, left) else None
        cut = _cut(kept, spots[0])
        if len(cut) < 3:
            return None
        kept = cut
    return None


def _cut(kept: list[int], spot: _Spot) -> list[int]:
    """Return the vertices without those between a vertex and the edge close to it, on the side with fewer."""
    size = len(kept)
    # In ring order from the edge to the vertex, or from the vertex to the edge.
    before = [(spot.edge + 1 + step) % size for step in range((spot.vertex - spot.edge - 1) % size)]
    after = [(spot.vertex + 1 + step) % size for step in range((spot.edge - spot.vertex) % size)]
    removed = set(before if len(before) <= len(after) else after)
    return [each for place, each in enumerate(kept) if place not in removed]


def _is_little(whole: Any, left: Any) -> bool:
    difference = whole.symmetric_difference(left)
    is_narrow = bool(difference.buffer(-CLOSE_M / 2).is_empty)
    return is_narrow and difference.area <= _SMALL_PART * whole.area


def _line(ring: Ring) -> _Line:
    """Return the vertices of a ring without the closing one, in metres from its middle."""
    positions = continuous(ring)[:-1]
    middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
    return np.asarray((positions - middle) * metres_per_degree(float(middle[1])))


def _narrowest(spots: Sequence[_Spot]) -> list[_Spot]:
    """Return the narrowest spot of each ring."""
    found: dict[int, _Spot] = {}
    for spot in sorted(spots, key=lambda spot: spot.distance_m):
        found.setdefault(spot.owner, spot)
    return [found[owner] for owner in sorted(found)]


def _spots(lines: Sequence[_Line]) -> list[_Spot]:
    """Return the spots where rings come close to themselves; all rings are examined together, side by side."""
    rings = _Rings(lines)
    points = shapely.points(rings.starts)
    edges = shapely.linestrings(np.stack([rings.starts, rings.ends], axis=1))
    vertices, near = shapely.STRtree(edges).query(points, predicate="dwithin", distance=CLOSE_M)
    beside = (vertices == near) | (vertices == rings.next[near])
    vertices, near = vertices[~beside], near[~beside]
    distances, along = rings.measured(vertices, near)
    far = along >= _DETOUR * np.maximum(distances, CLOSE_M)
    first = rings.firsts
    return [
        _Spot(owner, int(vertex - first[owner]), int(edge - first[owner]), float(distance))
        for owner, vertex, edge, distance in zip(
            rings.owners[vertices[far]].tolist(), vertices[far], near[far], distances[far], strict=True
        )
    ]


class _Rings:
    """Rings placed side by side so that none is near another; every vertex begins an edge."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        sizes = np.array([len(line) for line in lines])
        self.firsts: NDArray[np.int64] = np.cumsum(sizes) - sizes
        self.owners = np.repeat(np.arange(len(lines)), sizes)
        widths = np.array([float(np.ptp(line[:, 0])) + 10 * CLOSE_M for line in lines])
        lefts = np.array([float(line[:, 0].min()) for line in lines])
        offsets = np.cumsum(widths) - widths - lefts
        self.starts = np.concatenate(lines) + np.column_stack([offsets[self.owners], np.zeros(len(self.owners))])
        self.next: NDArray[np.int64] = np.arange(len(self.owners)) + 1
        self.next[self.firsts + sizes - 1] = self.firsts
        self.ends = self.starts[self.next]
        self._lengths = np.hypot(*(self.ends - self.starts).T)
        self._totals = np.add.reduceat(self._lengths, self.firsts)
        # Only differences within a ring are used.
        self._ways = np.cumsum(self._lengths) - self._lengths

    def measured(self, vertices: NDArray[np.int64], edges: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return the distances of vertices from edges, across and along the ring."""
        extents, lengths = self.ends[edges] - self.starts[edges], self._lengths[edges]
        to_vertex = self.starts[vertices] - self.starts[edges]
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.nan_to_num(np.clip(np.sum(to_vertex * extents, axis=1) / lengths**2, 0.0, 1.0))
        distances = np.hypot(*(to_vertex - part[:, None] * extents).T)
        along = np.abs(self._ways[vertices] - self._ways[edges] - part * lengths)
        return distances, np.minimum(along, self._totals[self.owners[vertices]] - along)
