"""The packed grid, compared with a check of all boxes one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.geo.bounds import NO_BOXES, Bounds, Boxes, touch, turns
from engine.geo.packed import PackedGrid

longitudes = st.one_of(st.sampled_from([-180.0, -179.99999, 0.0, 9.5, 180.0]), st.floats(-180, 180))
latitudes = st.one_of(st.sampled_from([-90.0, -89.99, 0.0, 47.1, 90.0]), st.floats(-90, 90))
sizes = st.one_of(st.just(0.0), st.floats(0, 1e-4), st.floats(0, 1), st.floats(0, 180))


@st.composite
def boxes(draw: st.DrawFn) -> Bounds:
    longitude, latitude = draw(longitudes), draw(latitudes)
    width, height = draw(sizes), draw(sizes)
    return Bounds(longitude - width, max(latitude - height, -90.0), longitude + width, min(latitude + height, 90.0))


def _columns(found: list[Bounds]) -> Boxes:
    return Boxes(*np.array(found).T) if found else NO_BOXES


def _touching(found: list[Bounds], area: Bounds) -> list[int]:
    return [number for number, box in enumerate(found) if any(touch(part, area) for part in turns(box))]


@given(st.lists(boxes(), max_size=30), st.lists(st.tuples(longitudes, latitudes), max_size=10))
def test_a_position_finds_the_boxes_that_hold_it(found: list[Bounds], places: list[tuple[float, float]]) -> None:
    grid = PackedGrid(_columns(found))
    corners = [(box.west, box.north) for box in found if box.west >= -180]
    for longitude, latitude in [*places, *corners]:
        expected = _touching(found, Bounds(longitude, latitude, longitude, latitude))
        assert sorted(set(grid.at(longitude, latitude))) == expected


@given(st.lists(boxes(), max_size=30), boxes())
def test_an_area_finds_the_boxes_that_touch_it(found: list[Bounds], area: Bounds) -> None:
    assert sorted(set(PackedGrid(_columns(found)).touching(area))) == _touching(found, area)


def test_areas_across_all_cells_of_a_grid() -> None:
    chance = np.random.default_rng(2)
    west, south = chance.uniform(5, 6, 5_000), chance.uniform(45, 46, 5_000)
    boxes = Boxes(west, south, west + 1e-3, south + 1e-3)
    grid, size = PackedGrid(boxes), 0.02
    for left in np.arange(4.99, 6.01, size):
        for bottom in np.arange(44.99, 46.01, size):
            right, top = left + size, bottom + size
            across = (west <= right) & (boxes.east >= left) & (south <= top) & (boxes.north >= bottom)
            assert sorted(grid.touching(Bounds(left, bottom, right, top))) == np.flatnonzero(across).tolist()


def test_areas_of_all_sizes_among_many_boxes() -> None:
    chance = np.random.default_rng(1)
    west, south = chance.uniform(5, 6, 5_000), chance.uniform(45, 46, 5_000)
    size = 10 ** chance.uniform(-5, -1, 5_000)
    found = [Bounds(*sides) for sides in np.array([west, south, west + size, south + size]).T.tolist()]
    grid = PackedGrid(_columns(found))
    for area_size in (0.0, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 0.1, 1.0, 50.0):
        for _ in range(5):
            left, bottom = chance.uniform(5, 6), chance.uniform(45, 46)
            area = Bounds(left, bottom, left + area_size, bottom + area_size)
            assert sorted(set(grid.touching(area))) == _touching(found, area)
