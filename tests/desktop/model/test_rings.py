"""Names of the rings of a polygon, the ring at a position, and what can be drawn into a geofence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.shaping.positions import words_of
from app.desktop.model.shaping.rings import Drawing, places_of, reason_against, ring_at
from engine.domain.geometry import MAX_PARTS, Circle, Geometry, Part, Point, Polygon, Position
from engine.domain.values import replace
from engine.geo.shapes import shape_of
from tests.desktop.model.values import fence


def box(west: float, south: float, east: float, north: float) -> tuple[Position, ...]:
    west, east = ((each + 540) % 360 - 180 for each in (west, east))
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


def in_parts(middle: float) -> Polygon:
    """Return a part with two holes, a part in one of them, and a part beside them."""
    island = Part(box(middle - 1.6, 1.4, middle - 1.2, 1.6))
    annex = Part(box(middle + 4, 0, middle + 5, 3), (box(middle + 4.2, 1, middle + 4.8, 2),))
    lakes = box(middle - 2, 1, middle - 1, 2), box(middle + 1, 1, middle + 2, 2)
    return Polygon(box(middle - 3, 0, middle + 3, 3), lakes, (island, annex))


def off_boundaries(least: int, most: int) -> st.SearchStrategy[float]:
    """Return hundredths of a degree that are not on an edge."""
    return st.integers(least, most).map(lambda number: number / 100 + 0.0031)


@pytest.mark.parametrize("middle", [14.0, 180.0, -178.0])
@given(east=off_boundaries(-350, 550), north=off_boundaries(-50, 350))
def test_the_ring_at_a_position(middle: float, east: float, north: float) -> None:
    polygon = in_parts(middle)
    point = Point((middle + east + 540) % 360 - 180, north)
    number = ring_at(polygon, point)
    inside = shape_of(polygon).contains(point.longitude, point.latitude)
    place = None if number is None else places_of(polygon)[number]
    assert inside == (place is not None and place.hole == 0)
    if number is not None:
        assert shape_of(Polygon(polygon.rings[number])).contains(point.longitude, point.latitude)


def test_rings_have_names_and_places() -> None:
    places = places_of(in_parts(14))
    names = [place.name for place in places]
    assert names == ["Part 1", "Part 1, hole 1", "Part 1, hole 2", "Part 2", "Part 3", "Part 3, hole 1"]
    assert all(place.can_be_deleted for place in places)
    assert ring_at(in_parts(14), Point(14 - 1.4, 1.5)) == 3
    assert [place.name for place in places_of(Polygon(box(0, 0, 3, 3), (box(1, 1, 2, 2),)))] == ["Outer ring", "Hole 1"]
    (only,) = places_of(Polygon(box(0, 0, 3, 3)))
    assert not only.can_be_deleted


@pytest.mark.parametrize(
    ("geometry", "drawing", "reason"),
    [
        (Circle(Point(14.5, 46), 100), Drawing.HOLE, "is not a polygon"),
        (Polygon(box(0, 0, 3, 3)), Drawing.HOLE, ""),
        (Polygon(box(0, 0, 3, 3)), Drawing.PART, ""),
        (
            Polygon(box(0, 0, 1, 1), (), tuple(Part(box(n, 2, n + 0.5, 3)) for n in range(1, MAX_PARTS))),
            Drawing.PART,
            "at most 100 parts",
        ),
        (
            Polygon(((0.0, 0.0), *((n / 1_000, 10.0) for n in range(1_996, -1, -1)), (0.0, 0.0))),
            Drawing.HOLE,
            "at most 2,000 positions",
        ),
    ],
    ids=["circle", "hole", "part", "parts", "positions"],
)
def test_the_reason_against_a_drawing(geometry: Geometry, drawing: Drawing, reason: str) -> None:
    found = reason_against(drawing, [replace(fence(1), geometry=geometry)], locked=False)
    assert reason in found
    assert bool(found) == bool(reason)


def test_the_vertices_of_all_rings_are_counted() -> None:
    polygon = in_parts(14)
    assert words_of(polygon.coordinates).startswith("24 vertices")
    assert words_of(polygon.ring) == "4 vertices"
    assert words_of((polygon.ring, *polygon.holes)).startswith("12 vertices")
    assert words_of((14.5, 46.05)) == "46.05, 14.5"
