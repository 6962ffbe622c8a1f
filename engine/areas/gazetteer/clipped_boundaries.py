"""Boundaries that an extract only contains in part: the area that they enclose within its box.

A boundary divides the box, and crossing it leads from inside to outside or back. Therefore one position that is known
to be inside or outside determines the side of all others.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import shapely

from engine.domain.area import Bounds

type Spot = tuple[float, float]

_REACH: Final = 0.1
"""Maximum gap between the end of a line and the edge, as a share of the box; larger gaps leave the sides unknown."""

_HINTS: Final = 9


def close_boundary(
    lines: Sequence[bytes], bounds: Bounds, inside: Sequence[Spot], outside: Sequence[Spot]
) -> shapely.Geometry | None:
    """Return the polygon that lines (WKB) enclose within a box, using positions known to be inside or outside.

    Returns None if there are no known positions, no line crosses the box, or lines end within it.
    """
    if not lines or not (inside or outside):
        return None
    drawn = shapely.union_all(shapely.from_wkb(lines))
    if bounds[2] <= 180:
        return _enclosed(drawn, bounds, inside, outside)
    # An extract across the 180th meridian is closed as a whole, and then divided there again.
    inside, outside = ([(x % 360, y) for x, y in spots] for spots in (inside, outside))
    drawn = shapely.transform(drawn, lambda places: np.column_stack([places[:, 0] % 360, places[:, 1]]))
    shape = _enclosed(drawn, bounds, inside, outside)
    return None if shape is None else _divided(shape)


def _divided(shape: Any) -> Any:
    """Return a shape with longitudes from 0 to 360 within ±180°."""
    east, west = (shapely.intersection(shape, shapely.box(start, -90, start + 180, 90)) for start in (0, 180))
    return shapely.union_all([east, shapely.transform(west, lambda places: places - [360, 0])])


def _enclosed(lines: Any, bounds: Bounds, inside: Sequence[Spot], outside: Sequence[Spot]) -> shapely.Geometry | None:
    box = shapely.box(*bounds)
    drawn = shapely.intersection(lines, box)
    walls = shapely.union_all([drawn, *_led_to(box.exterior, drawn, bounds)])
    faces, _, loose, _ = shapely.polygonize_full([shapely.union_all([walls, box.exterior])])
    if walls.is_empty or loose.length > 0.001 * box.length:
        return None
    hints = [(spot, 1) for spot in inside[:_HINTS]] + [(spot, -1) for spot in outside[:_HINTS]]
    own = [face for face in shapely.get_parts(faces) if _side(face, walls, hints) > 0]
    shape = shapely.union_all(own)
    return shape if not shape.is_empty and shape.area < 0.9999 * box.area else None


def _led_to(edge: Any, drawn: Any, bounds: Bounds) -> list[Any]:
    """Return straight lines from ends just short of the edge to the edge."""
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
