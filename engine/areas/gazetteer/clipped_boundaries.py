"""Boundaries of which an extract has only a part: what they enclose within its box.

A boundary parts the box; crossing it leads from inside to outside or back. So one position that is known to lie
inside, or outside, tells of every other one on which side it is.
"""

from collections.abc import Sequence
from typing import Any, Final

import shapely

from engine.domain.area import Bounds

type Spot = tuple[float, float]

_REACH: Final = 0.1
"""How near the edge a line has to end to be led there, as a share of the box; other ends leave the sides unknown."""

_HINTS: Final = 9


def close_boundary(
    lines: Sequence[bytes], bounds: Bounds, inside: Sequence[Spot], outside: Sequence[Spot]
) -> shapely.Geometry | None:
    """Return the polygon that lines (WKB) enclose within a box, by positions known to be inside or outside.

    None where nothing is known, where no line crosses the box, or where lines end within it.
    """
    if not lines or not (inside or outside):
        return None
    box = shapely.box(*bounds)
    drawn = shapely.intersection(shapely.union_all(shapely.from_wkb(lines)), box)
    walls = shapely.union_all([drawn, *_led_to(box.exterior, drawn, bounds)])
    faces, _, loose, _ = shapely.polygonize_full([shapely.union_all([walls, box.exterior])])
    if walls.is_empty or loose.length > 0.001 * box.length:
        return None
    hints = [(spot, 1) for spot in inside[:_HINTS]] + [(spot, -1) for spot in outside[:_HINTS]]
    own = [face for face in shapely.get_parts(faces) if _side(face, walls, hints) > 0]
    shape = shapely.union_all(own)
    return shape if not shape.is_empty and shape.area < 0.9999 * box.area else None


def _led_to(edge: Any, drawn: Any, bounds: Bounds) -> list[Any]:
    """Return the straight lines from where lines end a little before the edge to it."""
    west, south, east, north = bounds
    reach = _REACH * max(east - west, north - south)
    ends = shapely.get_parts(shapely.boundary(shapely.line_merge(drawn)))
    return [shapely.shortest_line(end, edge) for end in ends if 0 < shapely.distance(end, edge) <= reach]


def _side(face: Any, walls: Any, hints: Sequence[tuple[Spot, int]]) -> int:
    middle = shapely.get_coordinates(shapely.point_on_surface(face))[0]
    votes = 0
    for spot, side in hints:
        crossed = shapely.intersection(shapely.LineString([spot, middle]), walls)
        votes += side if len(shapely.get_coordinates(crossed)) % 2 == 0 else -side
    return votes
