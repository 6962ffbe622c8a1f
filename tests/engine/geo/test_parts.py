"""Polygons with holes and several parts, compared with GeographicLib and shapely."""

from itertools import product

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, Polygon, Position
from engine.geo.bounds import turns_to_first
from engine.geo.parts import Rings, check_polygon
from engine.geo.shapes import Shape, shape_of
from tests.engine.tracking.measuring import distance_m, share_inside

CELLS = 3
Grid = dict[tuple[int, int], Position]


def wrapped(longitude: float) -> float:
    return longitude if -180 <= longitude <= 180 else (longitude + 540) % 360 - 180


def square(west: float, south: float, size: float) -> list[Position]:
    east, north = west + size, south + size
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]


def band(west: float, east: float, south: float) -> list[Position]:
    """Return a ring along parallels, which may cross ±180°."""
    corners = [(west, south), (east, south), (east, south + 4), (west, south + 4), (west, south)]
    return [(wrapped(x), y) for x, y in corners]


def shrunk(ring: list[Position], by: float) -> list[Position]:
    middle = np.mean(ring[:-1], axis=0)
    return [tuple((middle + by * (np.array(each) - middle)).tolist()) for each in ring]


@st.composite
def coordinates(draw: st.DrawFn) -> list[list[list[Position]]]:
    """Return some cells of an uneven grid, which meet along edges and in corners, some with a hole and an island."""
    # A cell has the size of a house, a block or a town.
    size = draw(st.sampled_from([2e-4, 2e-3, 2e-2]))
    middle = draw(st.sampled_from([0.0, 14.5, -74.0, 179.999, 180.0, -180.0]))
    south = draw(st.sampled_from([-36.8, 0.0, 46.05, 69.6]))
    shift = st.floats(-0.25, 0.25)
    numbers = range(CELLS + 1)
    # The second line is a straight meridian, at which polygons around 180° are cut.
    grid = {
        (x, y): (middle + size * (x - 1 + (0.0 if x == 1 else draw(shift))), south + size * (y + draw(shift)))
        for x, y in product(numbers, numbers)
    }
    chosen = draw(st.lists(st.sampled_from(list(product(range(CELLS), repeat=2))), min_size=1, unique=True))
    parts: list[list[list[Position]]] = []
    for x, y in chosen:
        corners = [grid[x, y], grid[x + 1, y], grid[x + 1, y + 1], grid[x, y + 1], grid[x, y]]
        rings = [corners]
        with_hole, with_island = draw(st.booleans()), draw(st.booleans())
        if with_hole:
            rings.append(shrunk(corners, 0.5))
        parts.append(rings)
        if with_hole and with_island:
            parts.append([shrunk(corners, 0.2)])
    return [[_on_earth(ring, middle, x_of_part) for ring in part] for part, x_of_part in _with_sides(parts, middle)]


def _with_sides(parts: list[list[list[Position]]], middle: float) -> list[tuple[list[list[Position]], bool]]:
    """Return parts with whether they are east of the middle."""
    return [(part, min(x for x, _ in part[0]) >= middle) for part in parts]


def _on_earth(ring: list[Position], middle: float, is_east: bool) -> list[Position]:
    """Return a ring with longitudes within ±180, of which 180° is -180° for parts east of it."""
    edge = -180.0 if is_east else 180.0
    return [(edge if abs(x) == 180 and abs(middle) == 180 else wrapped(x), y) for x, y in ring]


polygons = coordinates().map(check_polygon)
nearby = st.tuples(st.floats(-1.5, 2.5), st.floats(-0.5, 3.5))


def position_near(polygon: Polygon, offset: tuple[float, float]) -> Point:
    """Return a position about as far from the polygon as it is large."""
    west, south, east, north = shape_of(polygon).bounds
    return Point(wrapped(west + offset[0] * (east - west) / 2), south + offset[1] * (north - south) / 3)


@given(polygons, nearby)
def test_containment_and_distance(polygon: Polygon, offset: tuple[float, float]) -> None:
    point, shape = position_near(polygon, offset), shape_of(polygon)
    expected = distance_m(polygon, point)
    assume(abs(expected) > 0.001)
    assert shape.contains(point.longitude, point.latitude) == (expected < 0)
    # The reference is plane, so its error grows with the distance.
    assert shape.distance_m(point.longitude, point.latitude) == pytest.approx(expected, rel=1e-3, abs=1e-3)
    many = shape.distances_m(np.array([point.longitude]), np.array([point.latitude]))
    assert many[0] == pytest.approx(expected, rel=2e-3, abs=1e-3)
    assert shape.distance_at_most_m(point.longitude, point.latitude) >= abs(expected) * 0.999


@given(polygons, nearby, st.floats(0.05, 2))
def test_share(polygon: Polygon, offset: tuple[float, float], accuracy: float) -> None:
    point, shape = position_near(polygon, offset), shape_of(polygon)
    _, south, _, north = shape.bounds
    accuracy_m = min(4_000.0, accuracy * (north - south) * 111_000)
    share = shape.share(point.longitude, point.latitude, accuracy_m)
    assert share == pytest.approx(share_inside(polygon, point, accuracy_m), abs=1e-3)
    assert share <= shape.share_at_most(point.latitude, accuracy_m) + 1e-9


@given(polygons)
def test_the_centre_is_inside_the_largest_part(polygon: Polygon) -> None:
    assume(not polygon.is_single_ring)
    center = shape_of(polygon).center
    assert shape_of(Polygon(polygon.ring, polygon.holes)).contains(center.longitude, center.latitude)


@given(polygons)
def test_its_coordinates_give_the_same_polygon(polygon: Polygon) -> None:
    assert check_polygon([[part.ring, *part.holes] for part in polygon.parts]) == polygon
    assert hash(polygon) == hash(check_polygon([[part.ring, *part.holes] for part in polygon.parts]))


def shape(*parts: Rings) -> Shape:
    return shape_of(check_polygon(parts))


def test_a_hole_is_outside_and_its_edge_is_boundary() -> None:
    holed = shape([square(0, 0, 0.03), square(0.01, 0.01, 0.01)])
    assert not holed.contains(0.015, 0.015)
    assert holed.contains(0.01, 0.015)
    assert holed.distance_m(0.01, 0.015) == 0
    assert holed.distance_m(0.015, 0.015) == pytest.approx(0.005 * 110_574, rel=1e-3)
    assert holed.distance_m(0.009, 0.015) == pytest.approx(-0.001 * 111_320, rel=1e-3)
    assert holed.share(0.015, 0.015, 100) == 0


def test_parts_that_meet_have_no_boundary_between_them() -> None:
    met = shape([square(0, 0, 0.01)], [square(0.01, 0, 0.01)])
    assert met.distance_m(0.01, 0.005) == pytest.approx(-0.005 * 110_574, rel=1e-3)
    assert met.share(0.01, 0.005, 100) == pytest.approx(1)


def test_parts_that_meet_at_the_antimeridian_have_no_boundary_there() -> None:
    fiji = shape([square(179.99, 0, 0.01)], [square(-180, 0, 0.01)])
    for longitude in (180.0, -180.0):
        assert fiji.contains(longitude, 0.005)
        assert fiji.distance_m(longitude, 0.005) == pytest.approx(-0.005 * 110_574, rel=1e-3)
    assert fiji.share(179.9999, 0.005, 100) == 1
    assert fiji.bounds == pytest.approx((179.99, 0, 180.01, 0.01))


@pytest.mark.parametrize("rounding", [1e-9, -1e-9, 4e-8, -4e-8])
def test_parts_that_meet_but_for_rounding_have_no_boundary_between_them(rounding: float) -> None:
    cut = shape([square(179.99, 0, 0.01 - abs(rounding))], [square(-180, 0, 0.01)])
    assert cut.distance_m(180, 0.005) == pytest.approx(-0.005 * 110_574, rel=1e-3)
    # An edge with a vertex in the middle that is not exactly on the edge of the other part.
    slanted = shape(
        [[(0, 0), (0.03, 0.01), (0.03, 0.04), (0, 0.04), (0, 0)]],
        [[(0, 0), (0.01, 0.01 / 3 + rounding), (0.03, 0.01), (0.03, -0.03), (0, -0.03), (0, 0)]],
    )
    assert slanted.distance_m(0.01, 0.01 / 3) == pytest.approx(-0.01 * 111_320, rel=2e-3)


def test_an_island_that_fills_a_hole_leaves_no_boundary() -> None:
    filled = shape([square(0, 0, 0.03), square(0.01, 0.01, 0.01)], [square(0.01, 0.01, 0.01)])
    assert filled.distance_m(0.01, 0.015) == pytest.approx(-0.01 * 111_320, rel=1e-3)
    assert filled.share(0.01, 0.015, 500) == 1


def test_parts_that_meet_along_a_piece_of_an_edge_or_in_a_point() -> None:
    piece = shape([square(0, 0, 0.03)], [square(0.03, 0.02, 0.02)])
    assert piece.distance_m(0.03, 0.025) == pytest.approx(-0.005 * 110_574, rel=1e-3)
    assert piece.distance_m(0.03, 0.015) == 0
    point = shape([square(0, 0, 0.02)], [square(0.02, 0.02, 0.01)])
    assert point.distance_m(0.02, 0.02) == 0
    assert point.share(0.02, 0.02, 100) == pytest.approx(0.5, abs=1e-4)


def test_a_part_inside_another_ones_hole() -> None:
    lake = shape([square(0, 0, 0.05), square(0.01, 0.01, 0.03)], [square(0.02, 0.02, 0.01)])
    assert lake.distance_m(0.025, 0.025) == pytest.approx(-0.005 * 110_574, rel=1e-3)
    assert lake.distance_m(0.015, 0.025) == pytest.approx(0.005 * 111_320, rel=1e-3)
    assert lake.share(0.02, 0.025, 100) == pytest.approx(0.5, abs=1e-4)


def test_parts_at_either_side_of_a_part_far_from_the_antimeridian_meet_there() -> None:
    # Seen from the largest part, one is to the east and the other to the west.
    apart = shape(
        [square(0, 0, 1)],
        [square(179, 0, 0.5), square(179.1, 0.1, 0.1)],
        [square(-180, 0, 0.5)],
        [[(179.5, 0), (180, 0), (180, 0.5), (179.5, 0.5), (179.5, 0)]],
    )
    assert apart.distance_m(180, 0.25) == pytest.approx(-0.25 * 110_574, rel=1e-2)
    assert apart.contains(-179.9, 0.25)
    assert apart.contains(0.5, 0.5)
    assert not apart.contains(179.15, 0.15)


def test_a_large_ring_with_parts_around_it() -> None:
    world = shape([square(-100, -60, 50)], [square(-180, 20, 60)], [square(-40, 10, 70)], [square(120, -40, 60)])
    for longitude, latitude, inside in [
        (-150, 50, True),
        (-20, 50, True),
        (150, 0, True),
        (179.9, 0, True),
        (60, 0, False),
    ]:
        assert world.contains(longitude, latitude) == inside
    assert world.bounds[2] - world.bounds[0] == pytest.approx(270)


def test_a_part_all_around_the_earth() -> None:
    antarctic = [(-180.0, -85.0), (180.0, -85.0), (180.0, -70.0), (-180.0, -70.0), (-180.0, -85.0)]
    cap = shape([antarctic], [square(-60, -69, 2)], [square(170, -69, 2)], [square(-180, -69, 2)])
    assert cap.contains(-59, -68)
    assert cap.contains(-179, -68)
    assert cap.contains(171, -68)
    assert cap.contains(12, -80)


@given(st.lists(st.tuples(st.floats(-180, 180), st.floats(0.1, 120)), min_size=1, max_size=6))
def test_boxes_in_one_turn_are_as_narrow_as_possible(boxes: list[tuple[float, float]]) -> None:
    west = np.array([each[0] for each in boxes])
    east = west + np.array([each[1] for each in boxes])
    turn = turns_to_first(west, east)
    width = (east + 360 * turn).max() - (west + 360 * turn).min()
    choices = product((-2, -1, 0, 1, 2), repeat=min(len(boxes), 4) - 1)
    for some in choices if len(boxes) <= 4 else ():
        other = 360 * np.array([0, *some])
        assert width <= (east + other).max() - (west + other).min() + 1e-9
    assert turn[0] == 0


def test_a_part_far_away_is_measured_too() -> None:
    apart = shape([square(170, 60, 2)], [square(-165, 60, 1)], [square(-100, 20, 1)])
    assert apart.contains(-164.5, 60.5)
    assert apart.contains(-99.5, 20.5)
    assert not apart.contains(178, 60.5)


def test_the_largest_part_is_the_first() -> None:
    small, large, other = [square(0, 0, 0.01)], [square(1, 0, 0.02)], [square(2, 0, 0.01)]
    polygon = check_polygon([small, large, other])
    assert [part.ring[0] for part in polygon.parts] == [(1, 0), (0, 0), (2, 0)]
    # A degree of longitude is shorter in the north.
    northern = check_polygon([[square(0, 70, 0.02)], [square(0, 0, 0.015)]])
    assert northern.ring[0] == (0, 0)


SQUARE = square(0, 0, 1)
BEYOND: list[Position] = [(179.0, 0.0), (-178.0, 0.0), (-178.0, 1.0), (179.0, 1.0), (179.0, 0.0)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "needs an outer ring"),
        ([[]], "needs an outer ring"),
        ([[SQUARE, square(2, 0, 1)]], "holes of a part must be inside"),
        ([[SQUARE, square(0.5, 0.5, 1)]], "holes of a part must be inside"),
        ([[SQUARE, square(0.2, 0.2, 0.4), square(0.5, 0.5, 0.2)]], "holes of a part must be inside"),
        ([[SQUARE, SQUARE]], "holes of a part must be inside"),
        ([[SQUARE, square(0.2, 0.2, 0.2), square(0.4, 0.2, 0.2)]], r"each other only at points: see \[0.4 0.[24]\]"),
        ([[BEYOND, square(-179, 0.2, 1.5)]], r"only at points: see \[-17[89]"),
        ([[SQUARE], [square(0.5, 0.5, 1)]], r"two parts overlap at \[0.75"),
        ([[SQUARE], [SQUARE]], "two parts overlap"),
        ([[square(179, 0, 1)], [square(-180, 0, 1)], [square(-179.5, 0, 0.2)]], r"two parts overlap at \[-179.4"),
        ([[band(west, west + 100, 5 * number)] for number, west in enumerate((-180, -90, 0, 90))], "around the earth"),
        ([[square(each, 0, 0.5)] for each in range(101)], "at most 100 parts, not 101"),
        ([[square(0, 0, 50), *(square(1 + each / 4, 1, 0.1) for each in range(101))]], "at most 100 holes, not 101"),
        ([[SQUARE, [*SQUARE[:-1], *[(0.0, 0.5)] * 2000, SQUARE[0]]]], "at most 2000 positions in all its rings"),
        ([[SQUARE, square(0.2, 0.2, 0.1)[:-1]]], "must be closed"),
        ([[SQUARE, [(0.1, 0.1), (0.2, 0.2), (0.2, 0.1), (0.1, 0.2), (0.1, 0.1)]]], "crosses or touches itself"),
    ],
)
def test_an_invalid_polygon_is_refused_with_its_error(parts: list[list[list[Position]]], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message) as refused:
        check_polygon(parts)
    assert refused.value.param == "coordinates"


def test_holes_may_touch_the_outer_ring_in_a_point() -> None:
    ring = [(0.0, 0.5), (0.3, 0.3), (0.3, 0.7), (0.0, 0.5)]
    assert shapely.Polygon(SQUARE, [ring]).is_valid
    assert not shape([SQUARE, ring]).contains(0.2, 0.5)
