"""A cache of recently used items."""

from hypothesis import given
from hypothesis import strategies as st

from engine.geofences.packed_store import Recent

MOST = 10


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), max_size=60))
def test_the_last_used_entries_are_kept_within_twice_the_maximum(steps: list[tuple[bool, int]]) -> None:
    recent: Recent[int, str] = Recent(MOST, weigh=len)
    for put, key in steps:
        if put:
            recent.put(key, "x" * key)
            assert recent.get(key) == "x" * key
        elif (found := recent.get(key)) is not None:
            assert found == "x" * key
        kept = [found for key in range(9) if (found := recent._young.get(key) or recent._old.get(key))]
        assert sum(map(len, kept)) <= 2 * (MOST + 8)


def test_unused_entries_are_dropped() -> None:
    recent: Recent[int, str] = Recent(MOST, weigh=len)
    recent.put(-1, "first")
    for number in range(10):
        recent.put(number, "xxxx")
    assert recent.get(-1) is None
    assert recent.get(9) == "xxxx"


def test_entries_in_constant_use_stay() -> None:
    recent: Recent[int, str] = Recent(MOST, weigh=len)
    recent.put(-1, "first")
    for number in range(10):
        recent.put(number, "xxxx")
        assert recent.get(-1) == "first"
