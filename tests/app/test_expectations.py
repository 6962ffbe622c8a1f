"""Expected events against those that happened."""

from datetime import UTC, datetime, timedelta
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.expectations import Difference, Expected, Fault, Happened, Near, compare

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
ENTRY, EXIT = "user.entered_geofence", "user.exited_geofence"


def at(second: float) -> datetime:
    return START + timedelta(seconds=second)


def happened(type: str, second: float, external_id: str = "1", confidence: int = 3) -> Happened:
    return Happened(type=type, at=at(second), tag="store", external_id=external_id, confidence=confidence)


def test_what_happens_as_expected_makes_no_difference() -> None:
    events = [happened(ENTRY, 0), happened(EXIT, 60)]
    expected = [Expected(type=ENTRY, at=at(4), tag="store"), Expected(type=EXIT, external_id="1")]
    assert compare(expected, events, 5) == Difference(((0, 0), (1, 1)), (), (), ())
    assert compare(expected, events, 5).is_none


def test_missing_and_unexpected_events_are_named() -> None:
    events = [happened(ENTRY, 0, "2"), happened(EXIT, 60)]
    expected = [Expected(type=ENTRY, external_id="1"), Expected(type=EXIT, external_id="1")]
    found = compare(expected, events)
    assert (found.met, found.missing, found.unexpected) == (((1, 1),), (0,), (0,))
    assert not found.is_none


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        (Expected(type=ENTRY, at=at(0)), Near(0, 0, Fault.TIME, 30.0)),
        (Expected(type=ENTRY, at=at(30), confidence=3), Near(0, 0, Fault.CONFIDENCE, 0.0)),
        (Expected(type=ENTRY, at=at(30), tolerance_s=60, confidence=3), Near(0, 0, Fault.CONFIDENCE, 0.0)),
        (Expected(type=ENTRY, confidence=3), Near(0, 0, Fault.CONFIDENCE, None)),
    ],
)
def test_an_event_that_is_not_quite_it_is_put_beside(wanted: Expected, near: Near) -> None:
    found = compare([wanted], [happened(ENTRY, 30, confidence=2)], 10)
    assert (found.near, found.missing, found.unexpected) == ((near,), (), ())


def test_a_tolerance_of_its_own_goes_before_that_of_all() -> None:
    events = [happened(ENTRY, 30)]
    assert compare([Expected(type=ENTRY, at=at(0), tolerance_s=30)], events, 1).is_none
    assert not compare([Expected(type=ENTRY, at=at(0), tolerance_s=1)], events, 30).is_none


def test_the_order_counts_where_it_is_asked_for() -> None:
    events = [happened(EXIT, 0), happened(ENTRY, 1)]
    expected = [Expected(type=ENTRY), Expected(type=EXIT)]
    assert compare(expected, events, in_order=False).is_none
    found = compare(expected, events)
    assert len(found.met) == 1
    assert [each.fault for each in found.near] == [Fault.ORDER]


def test_a_wide_expectation_leaves_the_only_match_to_a_narrow_one() -> None:
    events = [happened(ENTRY, 0, "2"), happened(ENTRY, 0, "1")]
    expected = [Expected(type=ENTRY), Expected(type=ENTRY, external_id="2")]
    assert compare(expected, events, in_order=False).is_none


TYPES = st.sampled_from([ENTRY, EXIT])
WANTED = st.builds(
    Expected, type=TYPES, external_id=st.sampled_from([None, "1", "2"]), at=st.sampled_from([None, at(0), at(20)])
)
EVENTS = st.builds(happened, TYPES, st.sampled_from([0.0, 10.0, 20.0]), st.sampled_from(["1", "2"]))


@given(st.lists(WANTED, max_size=4), st.lists(EVENTS, max_size=4), st.booleans())
def test_as_many_as_possible_are_met(expected: list[Expected], events: list[Happened], in_order: bool) -> None:
    found = compare(expected, events, 10, in_order=in_order)
    assert len(found.met) == _most(expected, events, in_order)
    assert all(expected[first].is_met_by(events[second], 10) for first, second in found.met)
    firsts = [*(pair[0] for pair in found.met), *(near.expected for near in found.near), *found.missing]
    seconds = [*(pair[1] for pair in found.met), *(near.actual for near in found.near), *found.unexpected]
    assert sorted(firsts) == list(range(len(expected)))
    assert sorted(seconds) == list(range(len(events)))
    if in_order:
        assert [pair[1] for pair in found.met] == sorted(pair[1] for pair in found.met)


def _most(expected: list[Expected], events: list[Happened], in_order: bool) -> int:
    """Return how many can be met, by trying everything."""
    for size in range(min(len(expected), len(events)), 0, -1):
        for firsts in combinations(range(len(expected)), size):
            for seconds in (
                combinations(range(len(events)), size) if in_order else permutations(range(len(events)), size)
            ):
                if all(expected[a].is_met_by(events[b], 10) for a, b in zip(firsts, seconds, strict=True)):
                    return size
    return 0
