"""The outlines of isochrones: no more vertices than a geofence may have, and the area around the position first."""

from math import cos, pi, sin

import pytest
import shapely

from engine.domain.geometry import MAX_RING_POSITIONS, Point
from engine.routing.isochrones import rings_of

CENTER = Point(9.5, 47.1)


def star(teeth: int, depth_deg: float, *, east_deg: float = 0.0, radius_deg: float = 0.5) -> shapely.Polygon:
    """Return a circle with teeth, two vertices each."""
    radii = [radius_deg - depth_deg * (number % 2) for number in range(2 * teeth)]
    turns = [pi * number / teeth for number in range(2 * teeth)]
    return shapely.Polygon(
        [
            (CENTER.longitude + east_deg + radius * cos(turn), CENTER.latitude + radius * sin(turn))
            for radius, turn in zip(radii, turns, strict=True)
        ]
    )


@pytest.mark.parametrize("depth_deg", [0.05, 0.002, 0.00005])
def test_an_outline_with_very_many_vertices_is_simplified_as_little_as_necessary(depth_deg: float) -> None:
    outline = star(MAX_RING_POSITIONS, depth_deg)
    [ring] = rings_of(outline, CENTER)
    assert 4 <= len(ring) <= MAX_RING_POSITIONS
    fitted = shapely.Polygon(ring)
    assert fitted.is_valid
    assert shapely.hausdorff_distance(fitted, outline) < 2 * depth_deg + 0.001


def test_an_outline_within_the_limit_stays_as_it_is() -> None:
    positions = list(star(MAX_RING_POSITIONS // 2, 0.00005).exterior.coords)
    for outline in (positions[1:-1], positions[2:-1]):
        outline.append(outline[0])
        [ring] = rings_of(shapely.Polygon(outline), CENTER)
        assert list(ring) == outline
        assert len(ring) <= MAX_RING_POSITIONS


def test_the_area_around_the_position_comes_first_and_holes_are_filled() -> None:
    near, large, small = (
        star(4, 0.0, radius_deg=0.1),
        star(4, 0.0, east_deg=2),
        star(4, 0.0, east_deg=-2, radius_deg=0.2),
    )
    with_hole = large.difference(star(4, 0.0, east_deg=2, radius_deg=0.1))
    rings = rings_of(shapely.MultiPolygon([small, with_hole, near]), CENTER)
    assert [shapely.Polygon(ring).equals(each) for ring, each in zip(rings, (near, large, small), strict=True)] == [
        True
    ] * 3
