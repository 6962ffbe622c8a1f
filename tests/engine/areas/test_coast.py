"""Tests of the sea, which is derived from its shore."""

import pytest
import shapely
from shapely import LineString, Point

from engine.areas.basemap import near_shore, sea_within

BOX = (0.0, 0.0, 10.0, 10.0)
ISLAND = LineString([(4, 4), (6, 4), (6, 6), (4, 6), (4, 4)])
"""An island drawn anticlockwise: its land is on the left, which is inside."""


def sea(*shore: LineString) -> shapely.Geometry:
    return shapely.union_all(sea_within(BOX, shore))


def test_without_a_shore_there_is_no_sea() -> None:
    assert sea_within(BOX, []) == []


def test_around_an_island_is_sea_and_inside_a_lagoon() -> None:
    assert sea(ISLAND).area == pytest.approx(100 - 4)
    assert not sea(ISLAND).contains(Point(5, 5))
    assert sea(ISLAND.reverse()).equals(shapely.Polygon(ISLAND))


def test_a_shore_across_the_box_has_the_sea_on_its_right() -> None:
    north = sea(LineString([(11, 5), (-1, 5)]))
    assert north.equals(shapely.box(0, 5, 10, 10))


def test_a_shore_in_pieces_is_one() -> None:
    assert sea(LineString([(3, 5), (-1, 5)]), LineString([(11, 5), (3, 5)])).equals(shapely.box(0, 5, 10, 10))


def test_a_shore_that_ends_with_the_extract_is_led_to_its_edge() -> None:
    south = sea(LineString([(1, 8), (9, 8)]), ISLAND)
    assert south.contains(Point(5, 1))
    assert not south.contains(Point(5, 9))
    assert not south.contains(Point(5, 5))


def test_a_shore_outside_of_the_box_is_nothing() -> None:
    assert sea_within(BOX, [LineString([(20, 20), (30, 30)])]) == []


def test_near_shore_is_the_sea_close_to_land() -> None:
    near = shapely.union_all(near_shore(sea_within(BOX, [ISLAND]), [ISLAND]))
    assert near.contains(Point(6.2, 5))
    assert not near.contains(Point(7, 5))
    assert not near.contains(Point(5.9, 5)), "on land"
    assert near_shore([], []) == []
