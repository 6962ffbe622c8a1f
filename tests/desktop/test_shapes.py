"""Shapes of the map are the same as in the engine, with all holes and parts."""

from collections.abc import Sequence

import pytest

from app.desktop.map import MapCircle, MapIsochrone, MapPolygon
from app.desktop.shapes import geometry_change, geometry_of, map_shape
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Polygon, Position
from engine.domain.travel import TravelMode
from engine.geo.parts import check_polygon


def square(west: float, south: float, size: float) -> tuple[Position, ...]:
    east, north = west + size, south + size
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


POLYGONS = (
    check_polygon([[square(0, 0, 3)]]),
    check_polygon([[square(0, 0, 3), square(1, 1, 1)]]),
    check_polygon([[square(0, 0, 3), square(1, 1, 1)], [square(1.25, 1.25, 0.5)], [square(5, 5, 1)]]),
    check_polygon([[square(178, 0, 2)], [square(-180, 0, 1)]]),
)


@pytest.mark.parametrize("polygon", POLYGONS)
def test_a_polygon_keeps_its_holes_and_parts(polygon: Polygon) -> None:
    shape = map_shape(polygon)
    assert geometry_of(shape) == polygon
    change = geometry_change(shape)
    assert change.coordinates == _plain(polygon.coordinates)


def test_only_parts_that_meet_are_joined() -> None:
    *apart, meeting = (map_shape(each) for each in POLYGONS)
    assert all(isinstance(each, MapPolygon) and not each.joined for each in apart)
    assert isinstance(meeting, MapPolygon)
    assert len(meeting.joined) == 1


@pytest.mark.parametrize(
    "geometry",
    [
        Circle(Point(14.5, 46.0), 100.0),
        Isochrone(square(14.0, 46.0, 1.0), center=Point(14.5, 46.5), minutes=5.0, mode=TravelMode.FOOT),
    ],
)
def test_a_shape_around_a_point_has_its_point(geometry: Geometry) -> None:
    shape = map_shape(geometry)
    assert isinstance(shape, MapCircle | MapIsochrone)
    assert (shape.longitude, shape.latitude) == (14.5, 46.0 if isinstance(geometry, Circle) else 46.5)


def _plain(value: object) -> object:
    return tuple(map(_plain, value)) if isinstance(value, Sequence) else value
