"""The sea: OpenStreetMap has only its shore, as lines with the land on their left."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import shapely

from engine.domain.area import Bounds

_NEAR = 0.25
"""Up to where the sea is near its shore, in degrees."""

_ASIDE = 1e-6
"""How far beside the shore, in degrees, it is looked whether there is sea: about 10 cm."""


def sea_within(bounds: Bounds, shore: Sequence[shapely.LineString]) -> list[shapely.Polygon]:
    """Return the parts of a box that are sea.

    Where the extract ends, shores do too; each loose end is led straight to the nearest edge of the box.
    """
    box = shapely.box(*bounds)
    lines = [line for part in shore for line in _lines(part.intersection(box))]
    if not lines:
        return []
    merged = _lines(shapely.line_merge(shapely.multilinestrings(lines), directed=True))
    cuts = shapely.union_all([*merged, *_led_to_edge(merged, box.exterior), box.exterior])
    pieces = _polygons(shapely.polygonize([cuts]))
    return [pieces[number] for number, votes in _votes(pieces, merged).items() if votes > 0]


def near_shore(sea: Sequence[shapely.Polygon], shore: Sequence[shapely.LineString]) -> list[shapely.Polygon]:
    """Return the sea that is near its shore."""
    if not sea:
        return []
    roughly = shapely.simplify(shapely.multilinestrings(list(shore)), _NEAR / 10)
    belt = shapely.buffer(roughly, _NEAR, quad_segs=2)
    return [part for piece in sea for part in _polygons(piece.intersection(belt)) if part.geom_type == "Polygon"]


def _votes(pieces: Sequence[shapely.Polygon], shore: Sequence[shapely.LineString]) -> dict[int, int]:
    """Return for each piece that touches the shore how often it lies to its right rather than its left."""
    votes: dict[int, int] = {}
    beside = [point for line in shore for segment in pairwise(line.coords) for point in _beside(*segment)]
    points, found = shapely.STRtree(pieces).query(shapely.points(beside), predicate="within")
    for point, piece in zip(points, found, strict=True):
        votes[piece] = votes.get(piece, 0) + (1 if point % 2 == 0 else -1)
    return votes


def _beside(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Yield a position right of the middle of a segment, then one left of it."""
    (x, y), along_x, along_y = start, end[0] - start[0], end[1] - start[1]
    length = max((along_x**2 + along_y**2) ** 0.5, _ASIDE)
    for aside in (_ASIDE / length, -_ASIDE / length):
        yield (x + along_x / 2 + along_y * aside, y + along_y / 2 - along_x * aside)


def _led_to_edge(shore: Sequence[shapely.LineString], edge: shapely.LinearRing) -> list[shapely.LineString]:
    loose = [point for line in shore if not line.is_closed for point in _ends(line)]
    return [shapely.shortest_line(point, edge) for point in loose if point.distance(edge) > 0]


def _ends(line: shapely.LineString) -> tuple[shapely.Point, shapely.Point]:
    return shapely.get_point(line, 0), shapely.get_point(line, -1)


def _lines(geometry: shapely.Geometry) -> list[shapely.LineString]:
    return [part for part in shapely.get_parts(geometry) if part.geom_type == "LineString" and not part.is_empty]


def _polygons(geometry: shapely.Geometry) -> list[shapely.Polygon]:
    return list(shapely.get_parts(geometry))
