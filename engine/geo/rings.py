"""Rings of polygons: making them continuous across the antimeridian, and validating them."""

from collections.abc import Sequence
from itertools import pairwise

import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import (
    MAX_RING_POSITIONS,
    MIN_RING_POSITIONS,
    Polygon,
    Position,
    Ring,
    check_latitude,
    check_longitude,
)

_FIRST_TOLERANCE = 1e-5
"""Initial tolerance in degrees: about a metre."""


def unwrap(ring: Sequence[Position]) -> list[Position]:
    """Return the ring with continuous longitudes.

    Each edge takes the shorter way around the earth, so a ring across ±180° continues beyond it (179°, 181°) instead of
    jumping back. Only an edge along a parallel from -180° to 180° goes all the way around, because the shorter way has
    no length.
    """
    unwrapped = [ring[0]]
    for (given, before_latitude), (longitude, latitude) in pairwise(ring):
        before = unwrapped[-1][0]
        # In a ring that already continues beyond ±180°, an edge between both sides of it has no length.
        all_around = abs(given - longitude) == 360 and latitude == before_latitude and before == given
        near = given if all_around else longitude
        turns = round((before - near) / 360) if abs(before - near) > 180 else 0
        unwrapped.append((longitude + 360 * turns, latitude))
    return unwrapped


def check_ring(positions: Sequence[Position]) -> Polygon:
    """Return the polygon with this ring, or raise `InvalidParameter` for ``coordinates`` with the error.

    The ring must be closed and have 4 to 2,000 positions on the earth. It must not cross or touch itself, and must
    enclose an area that does not contain a pole.
    """
    _check_count(len(positions))
    for longitude, latitude in positions:
        check_longitude(longitude, "coordinates")
        check_latitude(latitude, "coordinates")
    ring: Ring = tuple((float(longitude), float(latitude)) for longitude, latitude in positions)
    if ring[0] != ring[-1]:
        raise _bad(f"the ring must be closed: its first position {ring[0]} is not its last {ring[-1]}.")
    _check_inside(ring)
    return Polygon(ring)


def simplified(ring: Ring) -> Ring:
    """Return a ring with at most the allowed number of positions, as close to the given one as possible."""
    tolerance = _FIRST_TOLERANCE
    while len(ring) > MAX_RING_POSITIONS:
        simpler = shapely.Polygon(ring).simplify(tolerance, preserve_topology=True)
        ring = tuple((float(longitude), float(latitude)) for longitude, latitude in simpler.exterior.coords)
        tolerance *= 2
    return ring


def _check_count(count: int) -> None:
    if count < MIN_RING_POSITIONS:
        raise _bad(f"a ring needs at least {MIN_RING_POSITIONS} positions, the last equal to the first, not {count}.")
    if count > MAX_RING_POSITIONS:
        raise _bad(f"a ring may have at most {MAX_RING_POSITIONS} positions, not {count}.")


def _check_inside(ring: Ring) -> None:
    unwrapped = unwrap(ring)
    if unwrapped[0] != unwrapped[-1]:
        raise _bad("the ring goes around a pole, so its inside is not defined in longitude and latitude.")
    corners = [a for a, b in pairwise(unwrapped) if a != b]
    polygon = shapely.Polygon(corners) if len(corners) >= 3 else shapely.Polygon()
    if polygon.convex_hull.area == 0:
        raise _bad("the ring encloses no area.")
    if not polygon.is_valid:
        reason = shapely.is_valid_reason(polygon)
        place = reason[reason.find("[") :] if "[" in reason else ""
        raise _bad(f"the ring crosses or touches itself at {place}." if place else "the ring crosses itself.")


def _bad(message: str) -> InvalidParameter:
    return InvalidParameter("coordinates", f"coordinates: {message}")
