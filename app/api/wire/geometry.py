"""Positions and outlines, as GeoJSON."""

from typing import Annotated, Literal

from pydantic import Field

from app.api.wire.common.answers import LongitudeLatitude, Record
from engine.domain.geometry import Point


class PointAnswer(Record):
    """A GeoJSON Point."""

    type: Literal["Point"]
    coordinates: LongitudeLatitude


class PolygonAnswer(Record):
    """A GeoJSON Polygon with one closed ring."""

    type: Literal["Polygon"]
    coordinates: Annotated[
        tuple[Annotated[tuple[LongitudeLatitude, ...], Field(min_length=4)], ...],
        Field(min_length=1, max_length=1),
    ]


def encode_point(point: Point) -> PointAnswer:
    """Return a GeoJSON Point."""
    return {"type": "Point", "coordinates": (point.longitude, point.latitude)}
