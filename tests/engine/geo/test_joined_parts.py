"""Parts of polygons that meet along an edge, joined for drawing."""

import shapely
from hypothesis import given

from engine.domain.geometry import Position
from engine.geo.parts import check_polygon, joined_parts, united
from tests.engine.geo.test_parts import SQUARE, coordinates, square


@given(coordinates())
def test_joined_parts_have_the_same_interior_without_edges_in_it(parts: list[list[list[Position]]]) -> None:
    polygon = check_polygon(parts)
    joined, interior = joined_parts(polygon), united(polygon)
    if not joined:
        assert len(shapely.get_parts(interior)) == len(polygon.parts)
        return
    assert len(joined) == len(shapely.get_parts(interior)) < len(polygon.parts)
    drawn = shapely.MultiPolygon([shapely.Polygon(each.ring, each.holes) for each in joined])
    assert drawn.is_valid
    assert drawn.symmetric_difference(interior).area < 1e-9 * interior.area


def test_a_polygon_cut_at_the_antimeridian_is_joined_there() -> None:
    (part,) = joined_parts(check_polygon([[square(178, 0, 2)], [square(-180, 0, 1)]]))
    assert {longitude for longitude, _ in part.ring} == {178.0, 180.0, 181.0}


def test_parts_apart_and_a_single_part_are_not_joined() -> None:
    assert joined_parts(check_polygon([[SQUARE], [square(1, 1, 1)], [square(5, 5, 1)]])) == ()
    assert joined_parts(check_polygon([[SQUARE, square(0.2, 0.2, 0.2)]])) == ()


def test_an_island_that_fills_a_hole_is_joined_with_the_land_around_it() -> None:
    hole = square(0.2, 0.2, 0.2)
    (part,) = joined_parts(check_polygon([[SQUARE, hole], [hole]]))
    assert set(part.ring) == set(SQUARE)
    assert part.holes == ()


def test_parts_that_enclose_land_of_others_are_joined_to_one_with_a_hole() -> None:
    sides = [square(each, 0, 1) for each in (0, 1, 2)] + [square(each, 2, 1) for each in (0, 1, 2)]
    (part,) = joined_parts(check_polygon([[ring] for ring in (*sides, square(0, 1, 1), square(2, 1, 1))]))
    (hole,) = part.holes
    assert set(hole) == set(square(1, 1, 1))
