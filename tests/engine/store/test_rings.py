"""Rings as bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.store.records.rings import pack_ring, positions_of, unpack_ring

rings = st.lists(st.tuples(st.floats(-180, 180), st.floats(-90, 90)), max_size=30).map(tuple)


@given(rings)
def test_a_ring_comes_back_exactly(ring: tuple[tuple[float, float], ...]) -> None:
    packed = pack_ring(ring)
    assert len(packed) == 16 * len(ring)
    assert unpack_ring(packed) == ring


@given(st.lists(rings, max_size=5))
def test_many_rings_are_one_array(found: list[tuple[tuple[float, float], ...]]) -> None:
    positions, counts = positions_of([pack_ring(ring) for ring in found])
    assert counts.tolist() == [len(ring) for ring in found]
    np.testing.assert_array_equal(positions, np.array([each for ring in found for each in ring]).reshape(-1, 2))
