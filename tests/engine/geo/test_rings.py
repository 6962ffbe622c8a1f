"""Accepted rings, and the errors for the others."""

from math import cos, nan, pi, sin

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Position
from engine.geo.rings import check_ring, unwrap
from engine.geo.shapes import shape_of

SQUARE: list[Position] = [(8, 47), (9, 47), (9, 48), (8, 48), (8, 47)]


def _round_ring(positions: int) -> list[Position]:
    steps = positions - 1
    ring = [(8 + cos(2 * pi * i / steps), 47 + sin(2 * pi * i / steps)) for i in range(steps)]
    return [*ring, ring[0]]


BAND: list[Position] = [(-180, -10), (180, -10), (180, 10), (-180, 10), (-180, -10)]


@pytest.mark.parametrize("ring", [SQUARE, SQUARE[::-1], _round_ring(4), _round_ring(2_000), BAND])
def test_good_rings(ring: list[Position]) -> None:
    assert check_ring(ring).ring == tuple(ring)


@pytest.mark.parametrize(
    ("ring", "expected"),
    [
        (SQUARE[:-1], "closed"),
        ([(8, 47), (9, 47), (8, 47)], "at least 4"),
        ([], "at least 4"),
        (_round_ring(2_001), "at most 2000"),
        ([(8, 47), (9, 48), (9, 47), (8, 48), (8, 47)], "itself at"),
        ([(8, 47), (9, 47), (9, 48), (8.5, 47), (8, 48), (8, 47)], "itself at"),
        ([(8, 47), (9, 47), (10, 47), (8, 47)], "no area"),
        ([(8, 47), (8, 47), (8, 47), (8, 47)], "no area"),
        ([(0, 80), (90, 80), (180, 80), (-90, 80), (0, 80)], "pole"),
        ([(180, 0), (-180, 1), (180, 2), (180, 0)], "no area"),
        ([(8, 91), (9, 47), (9, 48), (8, 91)], r"\[-90, 90\]"),
        ([(181, 47), (9, 47), (9, 48), (181, 47)], r"\[-180, 180\]"),
        ([(nan, 47), (9, 47), (9, 48), (nan, 47)], "longitude"),
    ],
)
def test_bad_rings_name_coordinates_and_the_fault(ring: list[Position], expected: str) -> None:
    with pytest.raises(InvalidParameter, match=expected) as caught:
        check_ring(ring)
    assert caught.value.param == "coordinates"


def test_unwrapping_goes_the_short_way() -> None:
    assert unwrap([(179, 0), (-179, 0), (178, 1)]) == [(179, 0), (181, 0), (178, 1)]
    assert unwrap([(-179, 0), (179, 0)]) == [(-179, 0), (-181, 0)]
    assert unwrap([(180, 0), (-180, 1)]) == [(180, 0), (180, 1)]
    assert unwrap([(179, 0), (-180, 1), (-179, 2), (-180, 3), (180, 3)])[1:] == [(180, 1), (181, 2), (180, 3), (180, 3)]
    assert unwrap([(177, 0), (-179, 4), (-179, 4), (176, 6)]) == [(177, 0), (181, 4), (181, 4), (176, 6)]


def test_a_band_around_the_earth_holds_every_longitude() -> None:
    shape = shape_of(check_ring(BAND))
    assert all(shape.contains(longitude, 0) for longitude in (-180, -179.9, 0, 100, 180))
    assert not shape.contains(0, 11)
