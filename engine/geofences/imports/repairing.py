"""Repair of polygons in files that cannot be geofences as they are: crossing, holed, too long or not closed."""

from itertools import chain
from math import isfinite
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS
from engine.geo.rings import unwrap
from engine.tabular.formats.parts import POLYGON
from engine.tabular.formats.source import Part

_FEWEST: Final = 3
_FIRST_TOLERANCE: Final = 1e-6
"""Initial tolerance of simplification, in degrees: about a tenth of a metre."""


def repaired(parts: tuple[Part, ...]) -> tuple[tuple[Part, ...], str]:
    """Return parts that can be geofences, and a sentence about repairs, or an empty text.

    Hopeless ones are unchanged, and refused when they are stored.
    """
    done = [_repaired(part) if part.type == POLYGON else ((part,), ()) for part in parts]
    repairs = dict.fromkeys(chain.from_iterable(each for _, each in done))
    note = f"The polygon was repaired: {', '.join(repairs)}." if repairs else ""
    return tuple(chain.from_iterable(each for each, _ in done)), note


def _repaired(part: Part) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    # Imported here because it takes long to load, and few imports repair anything.
    import shapely

    from engine.geo.shaping.sheets import Area

    ring = _ring(part.coordinates)
    if ring is None or unwrap(ring)[0] != unwrap(ring)[-1]:
        return (part,), ()
    polygon = shapely.Polygon(unwrap(ring))
    closed = part.coordinates[0] == part.coordinates[-1]
    repairs = _repairs(polygon, part.holes, closed=closed)
    if not repairs:
        return (part,), ()
    try:
        kept = _simplified(Area.of(shapely.make_valid(polygon))).filled()
    except (InvalidParameter, shapely.errors.GEOSException):
        return (part,), ()
    return (tuple(Part(POLYGON, polygon.ring) for polygon in kept), repairs) if kept else ((part,), ())


def _ring(positions: tuple[object, ...]) -> list[tuple[float, float]] | None:
    """Return a closed ring, or None if its positions are not on the earth."""
    ring: list[tuple[float, float]] = []
    for position in positions:
        match position:
            case (int() | float() as longitude, int() | float() as latitude) if (
                isfinite(longitude) and abs(longitude) <= 180 and isfinite(latitude) and abs(latitude) <= 90
            ):
                ring.append((longitude, latitude))
            case _:
                return None
    if ring and ring[0] != ring[-1]:
        ring.append(ring[0])
    return ring if len(set(ring)) >= _FEWEST else None


def _repairs(polygon: Any, holes: int, *, closed: bool) -> tuple[str, ...]:
    count = len(polygon.exterior.coords)
    found = {
        "its ring was closed": not closed,
        "its hole was filled": holes == 1,
        f"its {holes:,} holes were filled": holes > 1,
        "its outline crossed or touched itself": not polygon.is_valid,
        f"it was simplified from {count:,} positions": count > MAX_RING_POSITIONS,
    }
    return tuple(text for text, applies in found.items() if applies)


def _simplified(area: Any) -> Any:
    """Return an area whose rings have at most the allowed number of positions."""
    import shapely

    from engine.geo.shaping.sheets import Area

    tolerance = _FIRST_TOLERANCE
    while any(len(part.exterior.coords) > MAX_RING_POSITIONS for part in area.shape.geoms):
        area = Area.of(shapely.simplify(area.shape, tolerance, preserve_topology=True))
        tolerance *= 2
    return area
