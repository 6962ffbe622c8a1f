"""Which event stands for which expectation, and what is told where none does."""

from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.lab.files.reading import parse_scenario
from app.lab.judging.judging import judge
from app.lab.judging.matching import pair_in_any_order, pair_in_order
from app.lab.running.runner import run_scenario
from tests.app.lab.conftest import VISIT

_TABLES = st.integers(0, 5).flatmap(
    lambda columns: st.lists(st.lists(st.booleans(), min_size=columns, max_size=columns), max_size=5)
)


@settings(max_examples=200)
@given(_TABLES)
def test_as_many_as_possible_are_paired_in_any_order(table: list[list[bool]]) -> None:
    pairs = pair_in_any_order([[j for j, fits in enumerate(row) if fits] for row in table])
    taken = [event for event in pairs if event is not None]
    assert len(set(taken)) == len(taken)
    assert all(table[i][j] for i, j in enumerate(pairs) if j is not None)
    columns = len(table[0]) if table else 0
    best = max(
        (
            sum(table[i][j] for i, j in zip(rows, order, strict=True))
            for size in range(min(len(table), columns) + 1)
            for rows in combinations(range(len(table)), size)
            for order in permutations(range(columns), size)
        ),
        default=0,
    )
    assert len(taken) == best


@settings(max_examples=200)
@given(_TABLES)
def test_as_many_as_possible_are_paired_in_order(table: list[list[bool]]) -> None:
    columns = len(table[0]) if table else 0
    pairs = pair_in_order(len(table), columns, lambda i, j: table[i][j])
    taken = [event for event in pairs if event is not None]
    assert taken == sorted(set(taken))
    assert all(table[i][j] for i, j in enumerate(pairs) if j is not None)
    best = max(
        sum(table[i][j] for i, j in zip(rows, events, strict=True))
        for size in range(min(len(table), columns) + 1)
        for rows in combinations(range(len(table)), size)
        for events in combinations(range(columns), size)
    )
    assert len(taken) == best


def judged(expect: str) -> list[tuple[str, str]]:
    run = run_scenario(parse_scenario(Path("a.fence.yaml"), VISIT + "expect:\n" + expect))
    return [(failure.kind.value, failure.text) for failure in judge(run).failures]


IN = "{type: user.entered_geofence, geofence: store/1"
OUT = "{type: user.exited_geofence, geofence: store/1"


@pytest.mark.parametrize(
    "expect",
    [
        f"  events: [{IN}, at: 1m, confidence: 3}}, {OUT}, at: 2026-03-02T09:08:00Z}}]",
        f"  events: [{IN}, at: 62s, tolerance: 2s}}, {OUT}, confidence: 2, confidenceTolerance: 1}}]",
        f"  tolerance: 10s\n  confidenceTolerance: 2\n  events: [{IN}, at: 55s}}, {OUT}, at: 8m9s, confidence: 1}}]",
        f"  order: any\n  events: [{OUT}}}, {IN}}}]",
        f"  others: ignore\n  events: [{OUT}, confidence: [1, 3]}}]",
        "  none: [{type: user.dwelled_in_geofence}, {geofence: store/1, after: 1m, before: 8m}]",
        "  users: [{deviceId: phone-1, at: 2m, geofences: [store/1]}, {deviceId: phone-1, geofences: [], trip: none}]",
        '  users: [{deviceId: phone-1, within: 2m, in: [store/1]}, {deviceId: phone-1, notIn: [store/1], place: ""}]',
    ],
)
def test_what_is_as_expected_passes(expect: str) -> None:
    assert judged(expect) == []


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("  events: []", ["too many", "too many"]),
        (f"  events: [{IN}}}, {IN}}}, {OUT}}}]", ["missing"]),
        (f"  events: [{OUT}}}, {IN}}}]", ["different"]),
        (f"  events: [{IN}, at: 2m}}, {OUT}}}]", ["different"]),
        (f"  events: [{IN}, confidence: [1, 2]}}, {OUT}}}]", ["different"]),
        ("  none: [{geofence: store/1}]", ["forbidden", "forbidden"]),
        ("  users: [{deviceId: phone-1, in: [store/1]}]", ["user"]),
        ("  users: [{deviceId: phone-1, within: 30s, geofences: [store/1]}]", ["user"]),
        ("  trips: [{externalId: t1, status: completed}]", ["trip"]),
    ],
)
def test_what_is_not_as_expected_fails(expect: str, told: list[str]) -> None:
    assert [kind for kind, _ in judged(expect)] == told


def test_a_tolerance_of_nothing_is_one() -> None:
    assert judged(f"  tolerance: 5m\n  events: [{IN}, at: 1m, tolerance: 0s}}, {OUT}}}]") == []
    assert judged(f"  tolerance: 5m\n  events: [{IN}, at: 61s, tolerance: 0s}}, {OUT}}}]") != []


def test_users_are_judged_at_the_very_start_too() -> None:
    (told,) = judged("  users: [{deviceId: phone-1, at: 0s, geofences: [store/1]}]")
    assert "at 0s" in told[1]


def test_a_difference_says_what_came_instead() -> None:
    assert judged(f"  events: [{IN}, at: 2m, confidence: 1}}, {OUT}}}]") == [
        (
            "different",
            "user.entered_geofence of store/1 at 2m with the confidence 1: came at 1m, not at 2m and has "
            "the confidence 3, not 1",
        )
    ]
    assert judged("  users: [{deviceId: phone-1, in: [store/1]}]") == [
        ("user", "phone-1 at the end: in no geofence, not in store/1")
    ]
