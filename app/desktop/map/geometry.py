"""Coordinates from the page, made fit for everybody else: short, closed and within ±180°."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from app.desktop.map.values import Position

DECIMALS = 7
"""Seven decimals of a degree are about a centimetre: more than a mouse can say."""


def normal_longitude(longitude: float) -> float:
    """The same meridian within [-180, 180]; a longitude that is there already (also 180) stays."""
    if -180.0 <= longitude <= 180.0:
        return round(longitude, DECIMALS)
    return round((longitude + 180.0) % 360.0 - 180.0, DECIMALS)


def normal_position(longitude: float, latitude: float) -> Position:
    """A finite position on the globe, rounded; raises `ValueError` where it is not one."""
    if not (math.isfinite(longitude) and math.isfinite(latitude)):
        raise ValueError("a position must be two finite numbers")
    if not -90.0 <= latitude <= 90.0:
        raise ValueError(f"latitude {latitude} is not in [-90, 90]")
    return normal_longitude(longitude), round(latitude, DECIMALS)


def normal_ring(positions: Sequence[Position]) -> tuple[Position, ...]:
    """A closed ring without repeated neighbours; raises `ValueError` where no ring can be made."""
    if any(abs(b[0] - a[0]) >= 180.0 for a, b in pairwise(positions)):
        raise ValueError("two neighbouring vertices are half the globe apart, so the edge between them is ambiguous")
    ring: list[Position] = []
    for longitude, latitude in positions:
        position = normal_position(longitude, latitude)
        if not ring or ring[-1] != position:
            ring.append(position)
    if len(ring) > 1 and ring[0] == ring[-1]:
        ring.pop()
    if len(ring) < 3:
        raise ValueError("a polygon needs three different vertices")
    return (*ring, ring[0])
