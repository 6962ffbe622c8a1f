"""Expected events compared with actual ones."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app.expectations
from app.expectations import Actual, Difference, Expected, Fault, Near, compare

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
ENTRY, EXIT = "entered", "exited"


def at(second: float) -> datetime:
    return START + timedelta(seconds=second)


def wanted(
    kind: str,
    second: float | None = None,
    name: str | None = None,
    tolerance: float = 0,
    confidence: int | None = None,
) -> Expected:
    facts = frozenset({("type", kind)} | ({("name", name)} if name else set()))
    when = None if second is None else at(second)
    levels = None if confidence is None else frozenset({confidence})
    return Expected(facts, when, timedelta(seconds=tolerance), levels)


def happened(kind: str, second: float, name: str = "1", confidence: int = 3) -> Actual:
    return Actual(frozenset({("type", kind), ("name", name), ("id", name)}), at(second), confidence)


def test_expected_events_make_no_difference() -> None:
    events = [happened(ENTRY, 0), happened(EXIT, 60)]
    found = compare([wanted(ENTRY, 4, tolerance=5), wanted(EXIT, name="1")], events)
    assert found == Difference(((0, 0), (1, 1)), (), (), ())
    assert found.is_none


def test_missing_and_unexpected_events_are_named() -> None:
    found = compare([wanted(ENTRY, name="1"), wanted(EXIT, name="1")], [happened(ENTRY, 0, "2"), happened(EXIT, 60)])
    assert (found.met, found.missing, found.unexpected) == (((1, 1),), (0,), (0,))
    assert not found.is_none


@pytest.mark.parametrize(
    ("one", "near"),
    [
        (wanted(ENTRY, 0, tolerance=10), Near(0, 0, (Fault.TIME,))),
        (wanted(ENTRY, 30, confidence=3), Near(0, 0, (Fault.CONFIDENCE,))),
        (wanted(ENTRY, 0, tolerance=60, confidence=3), Near(0, 0, (Fault.CONFIDENCE,))),
        (wanted(ENTRY, 0, confidence=3), Near(0, 0, (Fault.TIME, Fault.CONFIDENCE))),
        (wanted(ENTRY, confidence=3), Near(0, 0, (Fault.CONFIDENCE,))),
    ],
)
def test_an_event_that_is_not_quite_it_is_put_beside(one: Expected, near: Near) -> None:
    found = compare([one], [happened(ENTRY, 30, confidence=2)])
    assert (found.near, found.missing, found.unexpected) == ((near,), (), ())


def test_the_order_counts_if_required() -> None:
    events = [happened(EXIT, 0), happened(ENTRY, 1)]
    assert compare([wanted(ENTRY), wanted(EXIT)], events, in_order=False).is_none
    found = compare([wanted(ENTRY), wanted(EXIT)], events)
    assert len(found.met) == 1
    assert [each.faults for each in found.near] == [(Fault.ORDER,)]


def test_a_wide_expectation_leaves_the_only_match_to_a_narrow_one() -> None:
    events = [happened(ENTRY, 0, "2"), happened(ENTRY, 0, "1")]
    assert compare([wanted(ENTRY), wanted(ENTRY, name="2")], events, in_order=False).is_none


def test_thousands_are_compared_at_once() -> None:
    events = [happened(ENTRY, second, str(second % 7)) for second in range(2000)]
    expected = [wanted(ENTRY, second, tolerance=3) for second in range(2000)]
    for in_order in (True, False):
        assert compare(expected, events, in_order=in_order).is_none
        assert len(compare(expected[::2], [*events[1:], events[0]], in_order=in_order).met) == 1000
    assert len(compare([wanted(ENTRY, name="1")] * 1000, events[1:]).met) == 572 // 2


TYPES = st.sampled_from([ENTRY, EXIT])
WANTED = st.builds(
    wanted,
    TYPES,
    st.sampled_from([None, 0.0, 20.0]),
    st.sampled_from([None, "1", "2"]),
    st.just(10),
    st.sampled_from([None, 3]),
)
EVENTS = st.builds(
    happened, TYPES, st.sampled_from([0.0, 10.0, 20.0]), st.sampled_from(["1", "2"]), st.sampled_from([2, 3])
)


@given(st.lists(WANTED, max_size=4), st.lists(EVENTS, max_size=4), st.booleans())
def test_as_many_as_possible_are_met(expected: list[Expected], events: list[Actual], in_order: bool) -> None:
    found = compare(expected, events, in_order=in_order)
    assert len(found.met) == _most(expected, events, in_order)
    _check(found, expected, events, in_order)


@given(st.lists(WANTED, max_size=6), st.lists(EVENTS, max_size=6))
def test_too_many_to_try_all_are_still_paired_in_order(expected: list[Expected], events: list[Actual]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app.expectations, "MAX_PAIRS", 0)
        _check(compare(expected, events), expected, events, in_order=True)


def _check(found: Difference, expected: list[Expected], events: list[Actual], in_order: bool) -> None:
    assert all(expected[first].is_met_by(events[second]) for first, second in found.met)
    firsts = [*(pair[0] for pair in found.met), *(near.expected for near in found.near), *found.missing]
    seconds = [*(pair[1] for pair in found.met), *(near.actual for near in found.near), *found.unexpected]
    assert sorted(firsts) == list(range(len(expected)))
    assert sorted(seconds) == list(range(len(events)))
    if in_order:
        assert [pair[1] for pair in found.met] == sorted(pair[1] for pair in found.met)


def _most(expected: list[Expected], events: list[Actual], in_order: bool) -> int:
    """Return the maximum number of expected events that can be met, by trying all combinations."""
    some: Callable[[Sequence[int], int], Iterator[tuple[int, ...]]] = combinations if in_order else permutations
    for size in range(min(len(expected), len(events)), 0, -1):
        for firsts in combinations(range(len(expected)), size):
            for seconds in some(range(len(events)), size):
                if all(expected[a].is_met_by(events[b]) for a, b in zip(firsts, seconds, strict=True)):
                    return size
    return 0
