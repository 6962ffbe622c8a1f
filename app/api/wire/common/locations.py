"""The location of a request: its position, regardless of the parameter that its operation uses for it."""

from typing import Final

from pydantic import BaseModel

from engine.domain.geometry import Point
from engine.domain.routing import Fixed

NAMES: Final = ("near", "coordinates", "origin", "origins", "locations", "path")
"""Parameters of queries, and of the body of a route match, that hold a position or begin with one."""


def location_of(query: BaseModel | None, body: BaseModel | None) -> tuple[str, Point] | None:
    """Return the first position in a request and its parameter, or None if the request has no position."""
    latitude, longitude = getattr(body, "latitude", None), getattr(body, "longitude", None)
    if latitude is not None and longitude is not None:
        return "latitude", Point(longitude, latitude)
    for name in NAMES:
        if (point := _point(getattr(body if name == "path" else query, name, None))) is not None:
            return name, point
    return None


def _point(value: object) -> Point | None:
    if isinstance(value, list) and value:
        first = value[0]
        return _point(first.point if isinstance(first, Fixed) else first)
    if isinstance(value, tuple) and len(value) == 2:
        # Only a value with its own validation is still a tuple; the range of its coordinates is checked later.
        latitude, longitude = value
        return Point(longitude, latitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None
    return value if isinstance(value, Point) else None
