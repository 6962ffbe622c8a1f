"""Reports of a run that differs from the expectations of its scenario."""

from pathlib import Path

import pytest

from app.lab.files.reading import parse_scenario
from app.lab.judging.judging import judge
from app.lab.running.runner import run_scenario
from tests.app.lab.conftest import VISIT


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
def test_met_expectations_pass(expect: str) -> None:
    assert judged(expect) == []


@pytest.mark.parametrize(
    ("expect", "kinds"),
    [
        ("  events: []", ["unexpected", "unexpected"]),
        (f"  events: [{IN}}}, {IN}}}, {OUT}}}]", ["missing"]),
        (f"  events: [{OUT}}}, {IN}}}]", ["different"]),
        (f"  events: [{IN}, at: 2m}}, {OUT}}}]", ["different"]),
        (f"  events: [{IN}, confidence: [1, 2]}}, {OUT}}}]", ["different"]),
        ("  none: [{geofence: store/1}]", ["forbidden", "forbidden"]),
        ("  users: [{deviceId: phone-1, in: [store/1]}]", ["user"]),
        ("  users: [{deviceId: phone-1, within: 30s, geofences: [store/1]}]", ["user"]),
    ],
)
def test_unmet_expectations_fail(expect: str, kinds: list[str]) -> None:
    assert [kind for kind, _ in judged(expect)] == kinds


def test_a_tolerance_of_nothing_is_one() -> None:
    assert judged(f"  tolerance: 5m\n  events: [{IN}, at: 1m, tolerance: 0s}}, {OUT}}}]") == []
    assert judged(f"  tolerance: 5m\n  events: [{IN}, at: 61s, tolerance: 0s}}, {OUT}}}]") != []


def test_users_are_judged_at_the_very_start_too() -> None:
    (failure,) = judged("  users: [{deviceId: phone-1, at: 0s, geofences: [store/1]}]")
    assert "at 0s" in failure[1]


def test_a_difference_names_the_event_that_came_instead() -> None:
    assert judged(f"  events: [{IN}, at: 2m, confidence: 1}}, {OUT}}}]") == [
        (
            "different",
            "user.entered_geofence of store/1: expected at 2m, came at 1m; expected confidence 1, got 3",
        )
    ]
    assert judged("  users: [{deviceId: phone-1, in: [store/1]}]") == [
        ("user", "phone-1 at the end: expected in store/1, but in no geofence")
    ]


TRIP = "{externalId: t1, deviceId: phone-1, destinationGeofenceTag: store, destinationGeofenceExternalId: '1'}"


@pytest.mark.parametrize(
    ("user", "message"),
    [
        ("at: 2m, geofences: []", "phone-1 at 2m: expected in no geofence, but in store/1"),
        ("geofences: [store/1]", "phone-1 at the end: expected in store/1, but in no geofence"),
        ("within: 2m, notIn: [store/1]", None),
        ("at: 2m, notIn: [store/1]", "phone-1 at 2m: expected not to be in store/1"),
        ("within: 30s, in: [store/1]", "phone-1 within 30s: expected in store/1, but in no geofence"),
        ("at: 7m, in: [shop/7, store/1]", "phone-1 at 7m: expected in shop/7, but in store/1"),
        ("at: 7m, geofences: [shop/7, store/1]", "phone-1 at 7m: expected in shop/7, store/1, but in store/1"),
        ("place: Coop", "phone-1 at the end: expected at Coop, but at no place"),
        ("trip: started", "phone-1 at the end: expected on a trip that is started, but it is arrived"),
        ("trip: none", "phone-1 at the end: expected to be on no trip, but on one that is arrived"),
    ],
)
def test_the_position_of_a_user_is_shown_as_expected_and_found(user: str, message: str | None) -> None:
    other = "  - {tag: shop, externalId: '7', description: A shop, type: circle, coordinates: [2, 52], radius: 100}\n"
    text = VISIT.replace("geofences:\n", "geofences:\n" + other) + f"steps:\n  - startTrip: {TRIP}\n"
    run = run_scenario(
        parse_scenario(Path("a.fence.yaml"), text + f"expect: {{users: [{{deviceId: phone-1, {user}}}]}}")
    )
    assert [failure.text for failure in judge(run).failures] == ([] if message is None else [message])


def test_the_reasons_for_the_position_of_a_user_are_those_until_then() -> None:
    text = VISIT + "expect: {users: [{deviceId: phone-1, within: 30s, in: [store/1]}]}"
    (failure,) = judge(run_scenario(parse_scenario(Path("a.fence.yaml"), text))).failures
    assert [reason.partition(":")[0] for reason in failure.reasons] == ["0s"]


def test_trips_are_judged_by_their_status_however_many_there_are() -> None:
    starts = "".join(f"  - startTrip: {{externalId: t{n}}}\n" for n in range(510))
    expect = "expect: {trips: [{externalId: t0, status: pending}, {externalId: t509, status: completed}]}"
    run = run_scenario(parse_scenario(Path("a.fence.yaml"), f"version: 1\nsteps:\n{starts}{expect}"))
    assert [failure.text for failure in judge(run).failures] == [
        "trip t509: expected to be completed, but it is pending"
    ]


def test_an_event_that_is_expected_after_the_end_is_reported_with_the_end() -> None:
    run = run_scenario(
        parse_scenario(Path("a.fence.yaml"), VISIT + f"expect:\n  events: [{IN}}}, {OUT}}}, {IN}, at: 1h}}]")
    )
    (failure,) = judge(run).failures
    assert (failure.kind, failure.reasons) == ("missing", ("the scenario ends at 8m",))
