"""The engine's reasons for events of trips, beacons, places and regions that did or did not occur."""

from pathlib import Path

import pytest

from app.lab.files.reading import parse_scenario
from app.lab.judging.judging import Failure, judge
from app.lab.running.runner import run_scenario
from engine.tracking.step import EXPLAINED_M
from tests.app.lab.conftest import VISIT

TRIP = """\
steps:
  - startTrip: {externalId: order, deviceId: phone-1, destinationGeofenceTag: store, destinationGeofenceExternalId: "1",
      approachingThreshold: 0.5}
"""
UUID = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
DOOR = f"""\
beacons:
  - {{tag: door, externalId: "1", description: Door, type: ibeacon, uuid: {UUID}, major: 1, minor: 1,
     geometry: {{type: Point, coordinates: [1.0828, 51.2798]}}}}
"""

COARSE = """\
version: 1
name: A coarse fix
clock: 2026-03-02T09:00:00Z
geofences:
  - {tag: store, externalId: "1", description: S, type: circle, coordinates: [1.0828, 51.2798], radius: 100}
devices:
  - {deviceId: p, track: {points: [{at: 0s, coordinates: [1.0828, 51.2798], accuracy: 500}]}}
expect: {events: [{type: user.entered_geofence}]}
"""


def failures(text: str) -> list[Failure]:
    return list(judge(run_scenario(parse_scenario(Path("a.fence.yaml"), text))).failures)


def expecting(event: str, *, trip: bool = True) -> str:
    return f"{VISIT}{TRIP if trip else ''}expect: {{others: ignore, events: [{event}]}}"


def test_a_missing_event_of_a_trip_shows_how_far_the_eta_was_above_the_threshold() -> None:
    (failure,) = failures(expecting("{type: user.approaching_trip_destination, trip: order}"))
    assert failure.kind == "missing"
    assert failure.reasons, "docs/testing.md promises the engine's reasons for every missing event"
    (why,) = failure.reasons
    assert why.startswith("0s: user.approaching_trip_destination did not fire: the ETA of ")
    assert "s is above the threshold of 30 s, which is set by the trip; the ETA of " in why
    assert why.endswith("m at 8 m/s, as the route is not computed yet")


def test_a_missing_event_of_a_trip_without_users() -> None:
    (failure,) = failures(expecting("{type: user.arrived_at_trip_destination}", trip=False))
    assert {why.partition(": ")[2] for why in failure.reasons} == {
        "user.started_trip did not fire: the user is on no trip, and no trip waits for them"
    }


def test_an_unexpected_event_of_a_trip_has_reasons() -> None:
    found = failures(VISIT + TRIP + "expect: {none: [{type: user.arrived_at_trip_destination}]}")
    (failure,) = found
    assert failure.reasons == (
        "1m: user.arrived_at_trip_destination fired: the status of the trip was started; "
        "the user is in the destination geofence store/1",
    )
    steps = TRIP + "  - cancelTrip: order\n"
    (failure,) = failures(VISIT + steps + "expect: {none: [{type: user.stopped_trip}]}")
    assert failure.reasons == ("0s: user.stopped_trip fired: a client set the status canceled",)


def test_a_trip_with_a_different_status_has_reasons() -> None:
    (failure,) = failures(VISIT + TRIP + "expect: {trips: [{externalId: order, status: approaching}]}")
    assert failure.text == "trip order: expected to be approaching, but it is arrived"
    assert any("is above the threshold of 30 s" in why for why in failure.reasons)


@pytest.mark.parametrize(
    ("beacons", "why"),
    [
        ("", "the update has no list of beacons, so the user stays near the same ones"),
        (", beacons: []", "the device did not report the beacon, which is 0 m away (reported: none)"),
        (
            f", beacons: [{{type: ibeacon, uuid: {UUID}, major: '9', minor: '9'}}]",
            f"the device did not report the beacon, which is 0 m away (reported: {UUID}, major 9, minor 9)",
        ),
    ],
)
def test_a_missing_event_of_a_beacon_shows_the_reported_beacons(beacons: str, why: str) -> None:
    update = f"{{deviceId: phone-1, longitude: 1.0828, latitude: 51.2798, accuracy: 10{beacons}}}"
    text = f"version: 1\n{DOOR}steps:\n  - track: {update}\n"
    expect = "expect: {events: [{type: user.entered_beacon, beacon: door/1}]}"
    (failure,) = failures(text + expect)
    assert failure.reasons == (f"0s: user.entered_beacon did not fire: {why}",)


def test_a_missing_exit_of_a_beacon_explains_that_it_is_still_reported() -> None:
    reported = f"[{{type: ibeacon, uuid: {UUID}, major: '1', minor: '1'}}]"
    update = f"{{deviceId: phone-1, longitude: 1.0828, latitude: 51.2798, accuracy: 10, beacons: {reported}}}"
    text = f"version: 1\n{DOOR}steps:\n  - track: {update}\n  - wait: 1m\n  - track: {update}\n"
    expect = "expect: {others: ignore, events: [{type: user.exited_beacon, beacon: door/1}]}"
    (failure,) = failures(text + expect)
    (why,) = failure.reasons
    assert why.startswith("1m: user.exited_beacon did not fire: the device still reports the beacon; the user has been")


def test_places_and_regions_that_are_off_are_named() -> None:
    for event, why in (
        ("{type: user.entered_place, place: Shop}", "user.entered_place did not fire: the setting places is off"),
        ("{type: user.entered_region_state}", "user.entered_region_country did not fire: the setting regions is off"),
    ):
        (failure,) = failures(expecting(event, trip=False))
        assert {each.partition(": ")[2] for each in failure.reasons} == {why}


def test_users_who_are_not_at_a_place_or_on_a_trip_have_reasons() -> None:
    (failure,) = failures(VISIT + "expect: {users: [{deviceId: phone-1, place: Shop}]}")
    assert failure.reasons[0].endswith("user.entered_place did not fire: the setting places is off")
    (failure,) = failures(VISIT + TRIP + "expect: {users: [{deviceId: phone-1, at: 30s, trip: arrived}]}")
    assert failure.reasons[0].startswith("0s: user.arrived_at_trip_destination did not fire: the location is ")


def test_a_missing_event_of_any_geofence_names_the_withholding_rule_and_geofence() -> None:
    (failure,) = failures(f"settings: {{minimumConfidence: 3}}\n{COARSE}")
    assert failure.reasons == (
        "0s: store/1: entry withheld: the confidence is 1, below the minimum of 3: 4% of the accuracy circle is inside",
    )
    elsewhere = COARSE.replace("[1.0828, 51.2798], accuracy", "[7.0828, 51.2798], accuracy")
    (failure,) = failures(f"settings: {{minimumConfidence: 3}}\n{elsewhere}")
    assert failure.reasons == (f"no location update came within {EXPLAINED_M:g} m of a geofence",)
