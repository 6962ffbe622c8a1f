"""Scenarios without checks, or whose checks cannot fail, which are invalid unless the file states the intention."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.lab.results import Result, Status
from app.lab.testing import run_file
from engine import bundled
from tests.app.commands import Commands
from tests.app.lab.conftest import CAME, STORE, VISIT, Write

BEACON = "{tag: door, externalId: '1', description: A door, type: ibeacon, uuid: 2f234454-cf6d-4a0f-adf2-f4911ba9ffa6,"
BEACONS = f"beacons:\n  - {BEACON} major: '1', minor: '1', geometry: {{type: Point, coordinates: [1, 51]}}}}\n"
BARE = "version: 1\nexpect: {events: []}\n"
TRIP = "steps:\n  - startTrip: {externalId: t1, deviceId: phone-1"
DESTINATION = ", destinationGeofenceTag: store, destinationGeofenceExternalId: '1'"


def run_of(write: Write, text: str) -> Result:
    return run_file(write(text))


def faults_of(result: Result) -> list[str]:
    assert result.status is Status.INVALID, result
    return [f"{fault.mark.line}:{fault.field}: {fault.message}" for fault in result.faults]


@pytest.mark.parametrize(
    ("expect", "fault"),
    [
        ("", "1:expect: checks nothing; add events, none, users, trips or deliveries, or write expectsNothing: true."),
        ("expect:\n", "14:expect: checks nothing; add"),
        ("expect: {}\n", "14:expect: checks nothing; add"),
        ("expect:\n  events:\n", "15:expect.events: has no value, so it checks nothing; write [] if no event may"),
        ("expect: {none: ~}\n", "14:expect.none: has no value, so it checks nothing; remove the key, or give it one."),
        ("expect: {events: [], others: ignore}\n", "14:expect.events: is empty and other events are ignored"),
        ("expect: {others: fail, none: [{geofence: store/1}]}\n", "14:expect.others: has no effect without events."),
        ("expect: {none: []}\n", "14:expect.none: must have at least 1 item"),
        ("expect: {users: []}\n", "14:expect.users: must have at least 1 item"),
        ("expect: {none: [{after: 100s, before: 50s}]}\n", "14:expect.none[0].before: must be later than after"),
        ("expect: {none: [{after: 1m, before: 2026-03-02T09:01:00Z}]}\n", "14:expect.none[0].before: must be later"),
        ("expect: {none: [{after: 2m, before: 3m}]}\n", "14:expect.none[0]: no location update comes then, so the"),
        ("expect: {none: [{type: user.exited_geofence, before: 1s}]}\n", "14:expect.none[0]: only the first location"),
        ("expect: {none: [{type: user.exited_geofence, deviceId: phone-1, before: 1s}]}\n", "that ends nothing"),
        ("expect: {events: [{type: user.entered_geofence, confidence: [1, 2, 3]}]}\n", "events[0].confidence: allows"),
        (
            "expect: {events: [{type: user.entered_geofence, confidence: 2}], confidenceTolerance: 1}\n",
            "14:expect.events[0].confidence: allows every confidence, so the check cannot fail; remove it.",
        ),
        (
            "expect: {events: [{type: user.entered_geofence, at: 1m, tolerance: 1h}]}\n",
            "14:expect.events[0].at: its tolerance allows every time of a run of",
        ),
        ("expect: {none: [{geofence: store/1, after: 8m}]}\n", "14:expect.none[0]: no location update comes then"),
        ("expect: {none: [{geofence: store/1, before: 0s}]}\n", "14:expect.none[0]: no location update comes then"),
        ("expect: {none: [{geofence: store/1, region: US}]}\n", "14:expect.none[0].geofence: no event has all of this"),
        ("expect: {none: [{type: user.entered_geofence, place: Coop}]}\n", "expect.none[0].place: no event has all"),
        ("expect: {none: [{place: ''}]}\n", "14:expect.none[0].place: must not be empty."),
        ("expect: {users: [{deviceId: phone-1}]}\n", "14:expect.users[0]: checks nothing; add geofences, in, notIn,"),
        ("expect: {users: [{deviceId: phone-1, at: 2m}]}\n", "14:expect.users[0]: checks nothing"),
        ("expect: {users: [{deviceId: phone-1, in: []}]}\n", "14:expect.users[0].in: must have at least 1 item"),
        ("expect: {users: [{deviceId: phone-1, notIn: ~}]}\n", "14:expect.users[0].notIn: has no value"),
        ("expect: {users: [{deviceId: phone-1, place: ''}]}\n", "users[0].place: no user can be at a place"),
        ("expect: {users: [{deviceId: phone-1, trip: none}]}\n", "14:expect.users[0].trip: no trip is started"),
    ],
)  # fmt: skip
def test_an_expectation_that_checks_nothing_is_invalid_with_its_place(write: Write, expect: str, fault: str) -> None:
    assert fault in faults_of(run_of(write, VISIT + expect))[0]


DWELL = "user.dwelled_in_geofence"
PLACE, CHAIN = "user.entered_place", "user.nearby_place_chain"
PLACES = "areas: [helsinki]\nsettings: {places: true}\n"
REGIONS = "settings: {regions: true}\n"


@pytest.mark.parametrize(
    ("more", "none", "why"),
    [
        ("", f"type: {DWELL}", "the setting dwellEvent is off"),
        ("settings: {dwellEvent: true}\n", f"type: {DWELL}", "there is neither a defaultDwellThreshold nor a"),
        ("", f"type: {PLACE}", "the setting places is off"),
        ("settings: {places: true}\n", f"type: {PLACE}", "no area in use has places; name one in areas"),
        (PLACES, f"type: {CHAIN}", "the setting placeChains is empty"),
        (PLACES, f"type: {PLACE}, place: Nowhere", "the map data has no place Nowhere"),
        ("", "type: user.entered_region_country", "the setting regions is off"),
        (REGIONS, "type: user.exited_region_dma", "a scenario has no market areas"),
        (REGIONS, "type: user.entered_region_country, region: UK", "the map data has no region UK"),
        (REGIONS, "type: user.entered_region_country, region: NJ", "the map data has no region NJ"),
        (REGIONS, "type: user.entered_region_postal_code, region: '99999'", "the map data has no region 99999"),
        ("", "type: user.entered_beacon", "the scenario has no beacon"),
        (BEACONS, "beacon: door/1", "no location update lists beacons"),
        ("", "type: user.failed_fraud", "the setting fraud is off"),
        ("", "type: user.updated_trip", "no trip is started"),
        (TRIP + "}\n", "type: user.approaching_trip_destination", "no trip has a destination"),
        (TRIP + DESTINATION + "}\n", "type: user.arrived_at_wrong_trip_destination", "no other geofence has the tag"),
    ],
)  # fmt: skip
def test_an_event_that_the_set_up_cannot_produce_is_no_check(write: Write, more: str, none: str, why: str) -> None:
    (fault,) = faults_of(run_of(write, VISIT + more + f"expect:\n  none: [{{{none}}}]\n"))
    assert "expect.none[0]" in fault
    assert why in fault


@pytest.mark.parametrize(
    ("more", "none"),
    [
        ("settings: {dwellEvent: true, defaultDwellThreshold: 60}\n", f"type: {DWELL}"),
        ("steps:\n  - settings: {dwellEvent: true, defaultDwellThreshold: 60}\n", f"type: {DWELL}"),
        (PLACES, f"type: {PLACE}, place: Kukko"),
        (REGIONS, "type: user.entered_region_country, region: US"),
        (REGIONS, "region: NJ"),
        (REGIONS, "region: '07102'"),
        ("settings: {fraud: true}\n", "type: user.failed_fraud"),
        (TRIP + DESTINATION + ", status: started}\n", "type: user.arrived_at_trip_destination, trip: t1, before: 30s"),
        ("steps:\n  - disconnect: {for: 3m, fixes: dropped}\n", "type: user.entered_geofence, before: 2m"),
    ],
)
def test_one_that_it_can_produce_is(write: Write, more: str, none: str) -> None:
    result = run_of(write, VISIT + more + f"expect:\n  none: [{{{none}}}]\n")
    assert result.status is Status.PASSED, (result.faults, result.failures)


def test_no_event_at_all_is_a_check_only_if_one_can_come(write: Write) -> None:
    (fault,) = faults_of(run_of(write, BARE))
    assert fault.startswith("2:expect.events: no event can come: no device sends a location update; no trip is started")
    far = VISIT.replace("radius: 100", "radius: 10").replace("[1.0828, 51.2798], radius", "[2, 51], radius")
    assert run_of(write, far + "expect: {events: []}\n").status is Status.PASSED
    off = VISIT.replace("radius: 100", "radius: 100, enabled: false")
    (fault,) = faults_of(run_of(write, off + "expect: {events: []}\n"))
    assert "the scenario has no geofence that is enabled" in fault
    assert run_of(write, BARE + "steps: [{startTrip: {externalId: t1, status: pending}}]").status is Status.PASSED


def test_without_data_of_the_world_regions_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    text = VISIT + CAME + "settings: {regions: true}\n"
    assert run_of(write, text).status is Status.FAILED, "with it there are events of regions"
    monkeypatch.setattr(bundled, "WORLD_FILE", "absent.sqlite")
    (fault,) = faults_of(run_of(write, text))
    assert fault.startswith("18:settings.regions: there is no world data on this computer")
    assert "fencewright setup" in fault
    (fault,) = faults_of(run_of(write, VISIT + CAME + "steps:\n  - settings: {regions: true}\n"))
    assert fault.startswith("19:steps[0].settings.regions: ")


NOTHING = "expectsNothing: true\n"


@pytest.mark.parametrize(
    ("expect", "note"),
    [
        ("", "expects nothing: expect checks nothing"),
        ("expect: {events: ~}\n", "expects nothing: expect.events has no value, so it checks nothing"),
        (f"expect: {{none: [{{type: {DWELL}}}]}}\n", "expects nothing: expect.none[0].type user.dwelled_in_geofence"),
    ],
)
def test_a_file_that_states_it_passes_and_every_report_shows_it(
    write: Write, fencewright: Commands, tmp_path: Path, expect: str, note: str
) -> None:
    file = write(VISIT + NOTHING + expect)
    junit, page, report = (tmp_path / name for name in ("junit.xml", "coverage.html", "coverage.json"))
    shown = fencewright("test", file, "--junit", junit, "--coverage", page)
    assert shown.code == 0
    first, second, last = shown.out.splitlines()
    assert first.endswith("expects nothing")
    assert second.startswith(f"    note: {note}")
    assert last == "1 passed, 1 of which expects nothing; 2 events of 4 fixes"
    case = ElementTree.parse(junit).getroot()[0][0]
    assert case.find("properties/property[@name='expectsNothing']") is not None
    assert note in str(case.findtext("system-out"))
    assert "1 scenario expects nothing: A visit" in page.read_text(encoding="utf-8")
    (scenario,) = json.loads(fencewright("test", file, "--json", "--coverage", report).out)["scenarios"]
    assert scenario["expectsNothing"] is True
    assert scenario["notes"][0].startswith(note)
    assert json.loads(report.read_text(encoding="utf-8"))["expectingNothing"] == ["A visit"]


@pytest.mark.parametrize("expect", [CAME, "expect: {users: [{deviceId: phone-1, geofences: [], trip: none}]}\n"])
def test_a_file_that_states_it_and_checks_something_is_invalid(write: Write, expect: str) -> None:
    (fault,) = faults_of(run_of(write, VISIT + NOTHING + expect))
    assert fault.startswith("14:expectsNothing: does not apply: expect.")
    assert fault.endswith("can fail; remove the key.")


def test_a_file_without_the_statement_does_not_mention_it(write: Write, fencewright: Commands, tmp_path: Path) -> None:
    ended = fencewright("test", write(VISIT + CAME), "--coverage", tmp_path / "coverage.html")
    assert "nothing" not in ended.out
    assert "nothing" not in (tmp_path / "coverage.html").read_text(encoding="utf-8")


def test_update_fills_empty_expectations_and_leaves_intended_ones(write: Write, fencewright: Commands) -> None:
    file = write(VISIT + "expect:\n  events:\n")
    assert fencewright("test", file).code == 2
    assert fencewright("test", file, "--update").code == 0
    assert fencewright("test", file).code == 0
    intended = VISIT + NOTHING
    file = write(intended)
    assert fencewright("test", file, "--update").code == 0
    assert file.read_text() == intended


def test_a_geofence_that_never_is_enabled_makes_no_event(write: Write) -> None:
    shop = STORE.replace('"1"', '"2"').replace("radius: 100", "radius: 100, enabled: false")
    text = VISIT.replace("geofences:\n", f"geofences:\n  - {shop}\n")
    (fault,) = faults_of(run_of(write, text + "expect: {none: [{geofence: store/2}]}\n"))
    assert "store/2 is never enabled" in fault


OFF = VISIT.replace("radius: 100}", "radius: 100, enabled: false}")
OVER = VISIT.replace("radius: 100}", 'radius: 100, deleteAfter: "2026-01-01T00:00:00Z"}')


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (OVER + "expect: {events: []}\n", "the scenario has no geofence that is enabled"),
        (OFF + "expect: {users: [{deviceId: phone-1, notIn: [store/1]}]}\n", "expect.users[0].notIn: store/1 is never"),
        (
            VISIT + "webhooks: [{name: w, tags: [other]}]\nexpect: {deliveries: []}\n",
            "expect.deliveries: no request can come: no geofence that is enabled, and no beacon, has the tag other",
        ),
    ],
)
def test_an_unreachable_expectation_is_no_check(write: Write, text: str, fault: str) -> None:
    assert fault in faults_of(run_of(write, text))[0]
