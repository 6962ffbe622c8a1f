"""Runs of scenarios: time, steps, connections, and identical results each time."""

from datetime import timedelta
from pathlib import Path

import pytest

from app.lab.files.faults import ScenarioInvalid
from app.lab.files.reading import parse_scenario
from app.lab.files.words import spell_duration
from app.lab.judging.judging import judge
from app.lab.running.recording import Run
from app.lab.running.runner import run_scenario
from app.lab.testing import run_file
from engine.domain.values import replace
from engine.trips import waiting
from tests.app.lab.conftest import CAME, STORE, VISIT, Write
from tests.engine.trips.routers import held_routes


def run(text: str, file: Path = Path("a.fence.yaml")) -> Run:
    return run_scenario(parse_scenario(file, text))


def came(found: Run) -> list[tuple[str, str]]:
    return [(happened.event.type.removeprefix("user."), spell_duration(happened.at)) for happened in found.happened]


def refused(text: str) -> list[str]:
    with pytest.raises(ScenarioInvalid) as error:
        run(text)
    return error.value.message.splitlines()


ENTERS, LEAVES = ("entered_geofence", "1m"), ("exited_geofence", "8m")


def test_a_visit_enters_and_leaves_at_the_times_of_its_fixes() -> None:
    assert came(run(VISIT)) == [ENTERS, LEAVES]


@pytest.mark.slow
def test_it_is_the_same_each_time() -> None:
    noisy = VISIT.replace("    track:", "    noise: {preset: poor-phone, seed: 3}\n    track:")
    scenario = parse_scenario(Path("a.fence.yaml"), noisy.replace("clock:", "settings: {places: true}\nclock:"))

    def outcome(found: Run) -> list[object]:
        reasons = [[each.text for each in sent.explanations] for sent in found.sent]
        standings = [replace(each, user=replace(each.user, id="")) for each in found.standings]
        return [came(found), reasons, [sent.at for sent in found.sent], standings]

    first = outcome(run_scenario(scenario))
    assert all(outcome(run_scenario(scenario)) == first for _ in range(50))


def test_noise_moves_the_fixes_and_another_seed_moves_them_otherwise() -> None:
    def distances(seed: int) -> list[float]:
        text = VISIT.replace("    track:", f"    noise: {{preset: city-canyon, seed: {seed}}}\n    track:")
        return [each.distance_m for sent in run(text).sent for each in sent.explanations]

    plain = [each.distance_m for sent in run(VISIT).sent for each in sent.explanations]
    assert len({tuple(plain), tuple(distances(1)), tuple(distances(2))}) == 3


def test_time_that_is_moved_makes_the_rest_of_the_track_later() -> None:
    found = run(VISIT + "steps:\n  - wait: 2m\n  - moveClock: 1h\n")
    assert came(found) == [ENTERS, ("exited_geofence", "1h8m")]
    assert spell_duration(found.end) == "1h8m"


def test_a_clock_that_is_moved_makes_neither_a_disconnection_nor_a_late_update_longer() -> None:
    moved = run(VISIT + "steps:\n  - wait: 30s\n  - disconnect: {for: 10m}\n  - wait: 1m\n  - moveClock: 30m\n")
    assert came(moved) == [ENTERS, ("exited_geofence", "38m")]
    assert [happened.event.replayed for happened in moved.happened] == [True, False]
    assert moved.happened[0].event.actual_created_at - moved.start == timedelta(minutes=10, seconds=30)
    late = "  - wait: 30s\n  - fault: {kind: latency, latencyMs: 60000, times: 1}\n  - wait: 31s\n  - moveClock: 30m\n"
    found = run(VISIT + "steps:\n" + late)
    assert found.happened[0].event.actual_created_at - found.start == timedelta(minutes=2)


def test_updates_that_a_fault_held_back_until_the_end_are_reported(write: Write) -> None:
    text = VISIT + "steps:\n  - wait: 7m30s\n  - fault: {kind: status, status: 503}\n"
    assert run(text).unanswered == {"phone-1": 1}
    (note,) = run_file(write(text + "expect: {events: [{type: user.entered_geofence}]}\n")).notes
    assert note.startswith("phone-1 still held 1 location update back at the end")


def test_omissions_of_a_track_file_are_noted(write: Write, tmp_path: Path) -> None:
    points = "".join(
        f'<trkpt lat="51.2798" lon="{longitude}"><time>2026-03-02T09:0{minute}:00Z</time></trkpt>'
        for minute, longitude in enumerate((1.09, 1.0828, 1.0828))
    )
    points += '<trkpt lat="95" lon="1"><time>2026-03-02T09:09:00Z</time></trkpt>'
    gpx = f'<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><trk><trkseg>{points}</trkseg></trk></gpx>'
    (tmp_path / "walk.gpx").write_text(gpx, encoding="utf-8")
    head = VISIT.partition("    track:")[0]
    events = "expect: {events: [{type: user.entered_geofence}]}\n"
    (note,) = run_file(write(f"{head}    accuracy: 10\n    track: {{file: walk.gpx}}\n{events}")).notes
    assert note.startswith("walk.gpx: ")
    assert "latitude" in note


def test_steps_wait_for_a_time_of_the_clock_too() -> None:
    edit = 'editGeofence: {tag: store, externalId: "1", radius: 1000}'
    found = run(VISIT + f"steps:\n  - waitUntil: 2026-03-02T09:07:30Z\n  - {edit}\n")
    assert came(found) == [ENTERS]


def test_held_updates_come_late_with_their_own_time_and_are_marked() -> None:
    found = run(VISIT + "steps:\n  - wait: 30s\n  - disconnect: {for: 20m}\n")
    assert came(found) == [ENTERS, LEAVES]
    assert [happened.event.replayed for happened in found.happened] == [True, True]
    assert spell_duration(found.end) == "20m30s"
    assert found.happened[0].event.actual_created_at == found.start + found.end


def test_a_longer_disconnection_replaces_a_shorter_one() -> None:
    steps = (
        "steps:\n  - disconnect: {for: 2m}\n  - wait: 30s\n  - disconnect: {deviceId: phone-1, for: 4m}\n  - wait: 3m\n"
    )
    found = run(VISIT + steps + "  - settings: {dwellEvent: true, defaultDwellThreshold: 1}\n")
    assert came(found) == [ENTERS, ("dwelled_in_geofence", "7m"), LEAVES]
    assert [happened.event.replayed for happened in found.happened] == [True, False, False]


def test_dropped_updates_never_come() -> None:
    found = run(VISIT + "steps:\n  - wait: 30s\n  - disconnect: {for: 7m, fixes: dropped}\n")
    assert came(found) == []
    assert found.dropped == 2


def test_an_update_that_a_fault_refused_comes_with_the_next_answer() -> None:
    fault = "fault: {kind: status, status: 503, times: 1}"
    found = run(VISIT + f"steps:\n  - wait: 30s\n  - {fault}\n")
    assert came(found) == [ENTERS, LEAVES]
    assert [happened.event.replayed for happened in found.happened] == [True, False]
    forgotten = run(VISIT + f"steps:\n  - wait: 30s\n  - {fault.replace('times', 'fixes: dropped, times')}\n")
    assert came(forgotten)[0] != ENTERS
    assert forgotten.dropped == 1
    cleared = run(VISIT + f"steps:\n  - wait: 30s\n  - {fault}\n  - clearFaults: true\n")
    assert [happened.event.replayed for happened in cleared.happened] == [False, False]


def test_two_equal_faults_lose_and_keep_each_its_own() -> None:
    fault = "fault: {kind: status, status: 503, nth: 1"
    found = run(VISIT + f"steps:\n  - {fault}, fixes: dropped}}\n  - wait: 30s\n  - {fault}}}\n")
    assert (len(found.sent), found.dropped) == (3, 1)


def test_a_lost_answer_has_an_update_come_twice_and_its_events_once() -> None:
    plain, faulty = run(VISIT), run(VISIT + "steps:\n  - fault: {kind: drop, when: after, times: 1}\n")
    assert came(faulty) == [ENTERS, LEAVES]
    assert len(faulty.sent) == len(plain.sent) + 1


def test_latency_has_an_update_arrive_later_with_its_own_time() -> None:
    found = run(VISIT + "steps:\n  - wait: 30s\n  - fault: {kind: latency, latencyMs: 20000, times: 1}\n")
    assert came(found) == [ENTERS, LEAVES]
    assert found.happened[0].event.actual_created_at - found.start == timedelta(seconds=80)


def test_an_invalid_fault_is_reported_at_its_step() -> None:
    assert refused(VISIT + "steps:\n  - fault: {kind: status}\n") == [
        "a.fence.yaml:15:12: steps[0].fault.status: is required for a fault of the kind status."
    ]


def test_a_drawn_track_goes_straight_at_its_speed() -> None:
    drawn = "      drawn: {corners: [[1.0900, 51.2798], [1.0828, 51.2798]], speed: 36, interval: 10s}\n"
    found = run(VISIT.partition("      points")[0] + drawn)
    assert [spell_duration(sent.at) for sent in found.sent][:3] == ["0s", "10s", "20s"]
    assert came(found) == [("entered_geofence", "50s")]


def test_geofences_and_tracks_come_from_files_beside_the_scenario(write: Write) -> None:
    text = VISIT[: VISIT.index("geofences")] + (
        "geofences:\n  - file: fences.csv\ndevices:\n  - deviceId: phone-1\n    start: 1m\n"
        "    track: {file: walk.csv, speed: 60}\n"
    )
    file = write(text)
    (file.parent / "fences.csv").write_text(
        "tag,externalId,description,type,longitude,latitude,radius\nstore,1,A store,circle,1.0828,51.2798,100\n"
    )
    (file.parent / "walk.csv").write_text("latitude,longitude\n51.2798,1.0900\n51.2798,1.0828\n51.2798,1.0900\n")
    found = run(file.read_text(), file)
    assert [kind for kind, _ in came(found)] == ["entered_geofence", "exited_geofence"]
    assert spell_duration(found.sent[0].at) == "1m"


ENDED = "steps:\n  - startTrip: {externalId: t1}\n" + "  - completeTrip: t1\n" * 2
DRAWN = VISIT.partition("      points")[0] + "      drawn: {corners: [[0, 0], [9, 9]], speed: 30}\n"
ROUTED = VISIT.partition("      points")[0] + "      route: {waypoints: [[0, 0], [1, 1]]}\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (VISIT.replace("radius: 100", "radius: 1"), "5:111: geofences[0].radius: the radius of a circle"),
        (VISIT.replace("ces:", "ces:\n  - file: none.csv", 1), "5:11: geofences[0].file: none.csv cannot be read"),
        (VISIT.replace("51.2798]}", "95]}", 1), "10:33: devices[0].track.points[0].coordinates: "),
        (VISIT.replace("at: 7m", "at: 30s"), "12:16: devices[0].track.points[2].at: is earlier than the one before."),
        (VISIT + "areas: [atlantis]\n", "14:8: areas: "),
        (VISIT + f"steps:\n  - createGeofence: {STORE}\n", "steps[0].createGeofence"),
        (VISIT + "steps:\n  - deleteGeofence: store/2\n", "15:21: steps[0].deleteGeofence: "),
        (VISIT + "steps:\n  - wait: 5m\n  - waitUntil: 2m\n", "steps[1].waitUntil: is in the past: the steps"),
        (VISIT + "steps:\n" + "  - wait: 3000d\n" * 30, "steps[21].wait: must not go beyond the year 2200."),
        (VISIT + "steps:\n  - completeTrip: t9\n", "steps[0].completeTrip: no step starts a trip t9."),
        (VISIT + "settings: {placeChains: [nowhere]}\n", "14:25: settings.placeChains: "),
        (
            VISIT + CAME.replace("store/1", "stone/1", 1),
            "16:47: expect.events[0].geofence: the scenario has no geofence stone/1; did you mean store/1?",
        ),
        (
            VISIT + "expect: {users: [{deviceId: phone-2, geofences: []}]}\n",
            "14:29: expect.users[0].deviceId: the scenario has no device phone-2; did you mean phone-1?",
        ),
        (
            ROUTED,
            "9:26: devices[0].track.route.waypoints: no area is loaded, so there are no roads; name one in areas, such "
            "as [helsinki], which 'fencewright setup' builds.",
        ),
        (
            VISIT + "settings: {places: true}\nexpect: {users: [{deviceId: phone-1, place: Cafe}]}\n",
            "15:45: expect.users[0].place: no area in use has places; name one in areas, such as [helsinki], which",
        ),
        (
            VISIT + "settings: {places: true}\nexpect: {events: [{type: user.entered_place}]}\n",
            "15:19: expect.events[0]: no area in use has places; name one in areas",
        ),
        (VISIT + "expect: {events: [{type: user.exited_geofence, userId: ann}]}\n", "no device of the scenario has"),
        (VISIT + "expect: {none: [{beacon: a/b}]}\n", "14:26: expect.none[0].beacon: the scenario"),
        (VISIT + "expect: {none: [{trip: t1}]}\n", "14:24: expect.none[0].trip: no step starts a trip t1."),
        (VISIT + "expect: {trips: [{externalId: t1, status: started}]}\n", "expect.trips[0].externalId: no"),
        (VISIT + "steps:\n  - {editGeofence: {tag: store, externalId: '2'}}\n", "no geofence store/2; did you"),
        (VISIT + ENDED, "17:19: steps[2].completeTrip: the trip t1 is completed already."),
        (VISIT + "expect: {users: [{deviceId: phone-1, at: 9m}]}\n", "at: is after the end of the scenario at 8m"),
        (VISIT + "expect: {none: [{geofence: store/1, after: 8m1s}]}\n", "14:44: expect.none[0].after: is"),
        (DRAWN, "9:14: devices[0].track.drawn: the track would have more than 100,000 positions."),
    ],
)  # fmt: skip
def test_faults_that_only_the_engine_detects_have_their_place_too(text: str, fault: str) -> None:
    assert fault in refused(text)[0]


def test_all_faults_are_reported_at_once_from_every_stage(write: Write) -> None:
    text = """\
name: All at once
name: Twice
settings: {placeChains: [nowhere], dwellEvnt: true}
areas: [atlantis]
geofences:
  - {tag: store, externalId: "1", description: A store, type: circle, coordinates: [1, 51], radius: 1}
  - {tag: shop, externalId: "2", description: A shop, type: circle, coordinates: [1, 51], radios: 100}
devices:
  - {deviceId: phone-1, motion: derived, stopped: true, track: {points: [{at: 0, coordinates: [1, 51]}]}}
  - {deviceId: phone-2, track: {file: none.gpx}}
  - {deviceId: phone-3, track: {points: [{at: 0s, coordinates: [1, 95]}]}, noise: {error: -1, gap: 25h}}
steps:
  - {wait: 5m, moveClock: never}
  - waitUntil: 2m
  - startTrip: {externalId: t1, status: sleeping}
  - completeTrip: t2
  - fault: {kind: latency}
  - clearFaults: false
expect:
  events:
    - {type: user.entered_geofence, geofence: shop/2}
    - {type: user.entered_geofence, geofence: shop/3}
    - {type: enters, trip: t1}
  none: [{deviceId: phone-9}]
  users: [{at: 1m, within: soon}]
"""
    result = run_file(write(text))
    assert [(fault.mark.line, fault.field) for fault in result.faults] == [
        (1, ""),
        (2, "name"),
        (3, "settings.dwellEvnt"),
        (4, "areas"),
        (6, "geofences[0].radius"),
        (7, "geofences[1].radios"),
        (9, "devices[0].stopped"),
        (9, "devices[0].track.points[0].at"),
        (10, "devices[1].track.file"),
        (11, "devices[2].noise.error"),
        (11, "devices[2].noise.gap"),
        (13, "steps[0]"),
        (13, "steps[0].moveClock"),
        (15, "steps[2].startTrip.status"),
        (16, "steps[3].completeTrip"),
        (17, "steps[4].fault.latencyMs"),
        (18, "steps[5].clearFaults"),
        (22, "expect.events[1].geofence"),
        (23, "expect.events[2].type"),
        (24, "expect.none[0].deviceId"),
    ]
    assert result.omitted_faults == 2


def test_consequences_of_a_refused_step_are_not_reported() -> None:
    steps = "steps:\n  - startTrip: {externalId: t1, destinationGeofenceTag: a, destinationGeofenceExternalId: b}\n"
    assert len(refused(VISIT + steps + "  - updateTrip: {externalId: t1}\n  - completeTrip: t1\n")) == 1


def test_noise_has_values_of_its_own_beside_those_of_a_preset() -> None:
    def spread(noise: str) -> list[float]:
        text = VISIT.replace("    track:", f"    noise: {noise}\n    track:")
        return [each.distance_m for sent in run(text).sent for each in sent.explanations]

    assert spread("{error: 0.01, seed: 1}") != spread("{error: 300, seed: 1}")
    assert spread("{preset: indoor, seed: 1}") != spread("{preset: indoor, seed: 1, error: 300}")
    assert spread("{preset: indoor, seed: 1, error: 35, correlation: 90s, driftTime: 3m}") == spread(
        "{preset: indoor, seed: 1}"
    )
    assert len(run(VISIT.replace("    track:", "    noise: {gapsPerHour: 3600, gap: 1h}\n    track:")).sent) < 4


def test_a_failed_scenario_names_the_line_and_the_reasons_of_the_engine() -> None:
    found = run(VISIT.replace("clock:", "settings: {stopDetection: true}\nclock:") + CAME)
    missing = judge(found).failures[0]
    assert (missing.kind, missing.text) == ("missing", "user.entered_geofence of store/1 at 1m")
    assert missing.mark is not None
    assert missing.mark.line == 17
    assert missing.reasons[0] == (
        "1m: entry withheld: stop detection is on and the device is neither stopped nor in the foreground"
    )


DRIVE = """version: 1
name: drive
areas: [helsinki]
devices:
  - deviceId: phone
    accuracy: 8
    track:
      points:
        - {at: 0s, coordinates: [24.9357, 60.1692]}
        - {at: 60s, coordinates: [24.9366, 60.1692]}
        - {at: 120s, coordinates: [24.9376, 60.1692]}
steps:
  - startTrip: {externalId: order, deviceId: phone, destination: {coordinates: [24.9531, 60.1732]}}
expect:
  events:
    - {type: user.started_trip, at: 0s}
  others: ignore
"""


def test_a_route_that_takes_too_long_is_noted(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(DRIVE, "drive")
    # The routing process may take seconds to start on a busy machine.
    with monkeypatch.context() as patient:
        patient.setattr(waiting, "PATIENCE_S", 60)
        assert run_file(file).notes == ()
    with held_routes(monkeypatch):
        (note,) = run_file(file).notes
    assert note == (
        "2 location updates did not have the route of the trip, which took longer than 5 s to find: with it, ETAs and "
        "events may differ"
    )
