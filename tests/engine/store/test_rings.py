"""Rings as bytes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geometry import PackedRing, Part, Polygon
from engine.store.records.rings import packed_rings, parts_of, polygon_of, positions_of, ring_sizes

type Positions = tuple[tuple[float, float], ...]

rings = st.lists(st.tuples(st.floats(-180, 180), st.floats(-90, 90)), max_size=30).map(tuple)


@given(rings)
def test_a_ring_comes_back_exactly(ring: Positions) -> None:
    packed = PackedRing.of(ring)
    assert len(packed.packed) == 16 * len(ring)
    assert tuple(PackedRing(packed.packed)) == ring


@given(rings, rings, st.integers(-31, 30), st.slices(30))
def test_a_packed_ring_is_like_a_tuple(ring: Positions, other: Positions, index: int, part: slice) -> None:
    packed = PackedRing.of(ring)
    assert (len(packed), repr(packed), packed[part], list(reversed(packed))) == (
        len(ring),
        repr(ring),
        ring[part],
        list(reversed(ring)),
    )
    assert packed == ring
    assert ring == packed
    assert hash(packed) == hash(ring)
    assert (packed == PackedRing.of(other)) is (packed == other) is (ring == other)
    np.testing.assert_array_equal(np.asarray(packed), np.array(ring).reshape(-1, 2))
    if -len(ring) <= index < len(ring):
        assert packed[index] == ring[index]
    else:
        with pytest.raises(IndexError):
            packed[index]


def test_a_zero_has_no_sign() -> None:
    east, west = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0))), ((-0.0, 0.0), (1, -0.0), (1, 1), (0, 0))
    assert east == Polygon(west)
    assert hash(east) == hash(Polygon(west))


@given(st.lists(rings, max_size=5))
def test_many_rings_are_one_array(found: list[Positions]) -> None:
    positions, counts = positions_of([PackedRing.of(ring).packed for ring in found])
    assert counts.tolist() == [len(ring) for ring in found]
    np.testing.assert_array_equal(positions, np.array([each for ring in found for each in ring]).reshape(-1, 2))


parts = st.builds(Part, rings, st.lists(rings, max_size=3).map(tuple))


@given(st.lists(parts, min_size=1, max_size=4))
def test_holes_and_parts_come_back_exactly(given_parts: list[Part]) -> None:
    first, *others = given_parts
    polygon = Polygon(first.ring, first.holes, tuple(others))
    packed, sizes = packed_rings(polygon), ring_sizes(polygon)
    assert len(packed) == 16 * polygon.position_count
    assert [tuple(rings) for rings in parts_of(packed, sizes)] == [(each.ring, *each.holes) for each in polygon.parts]
    if sizes is None:
        assert polygon.is_single_ring
    else:
        assert polygon_of(packed, sizes) == polygon
