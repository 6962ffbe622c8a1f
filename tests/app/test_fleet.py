"""``fencewright fleet``: the same seed gives the same fleet, wherever the workspace is open, until a stop."""

import signal
from pathlib import Path
from typing import Any

import pytest

from engine.store.workspace import read_endpoint
from tests.app.commands import Commands, written
from tests.app.program import TIMEOUT_S, Ended, Program

pytestmark = pytest.mark.slow

FENCES = """tag,externalId,description,type,latitude,longitude,radius
store,kamppi,Kamppi,circle,60.1690,24.9400,150
office,station,Station,circle,60.1719,24.9414,60
"""
SMALL = ("--devices", 4, "--mode", "foot", "--reach", 0.8, "--interval", 20, "--speed", "max", "--start", "2026-05-01")


@pytest.fixture
def fenced(fencewright: Commands, workspace: Path, tmp_path: Path) -> Path:
    """A workspace with two geofences."""
    fencewright("import", written(tmp_path / "fences.csv", FENCES), "--workspace", workspace)
    return workspace


def test_a_fleet_goes_to_geofences_on_trips(fencewright: Commands, fenced: Path) -> None:
    fleet = (*SMALL, "--seed", 7, "--tag", "store", "--trips", "--json", "--workspace", fenced)
    ended = fencewright("fleet", *fleet)
    assert ended.code == 0, ended.err
    kinds = [event["type"] for event in ended.events]
    for kind in ("user.started_trip", "user.arrived_at_trip_destination", "user.stopped_trip", "user.entered_geofence"):
        assert kinds.count(kind) >= 4, kind
    entered = [event for event in ended.events if event["type"] == "user.entered_geofence"]
    stores = [event for event in entered if event["geofence"]["tag"] == "store"]
    assert {event["user"]["deviceId"] for event in stores} == {f"fleet-{number}" for number in range(1, 5)}
    assert "fencewright: 4 devices: " in ended.err
    assert "refused" not in ended.err


def test_the_same_seed_gives_the_same_events(fencewright: Commands, fenced: Path) -> None:
    def run(prefix: str, seed: int) -> list[tuple[object, ...]]:
        options = (*SMALL, "--seed", seed, "--device", prefix, "--noise", "open-sky", "--loop", "--for", "20m")
        ended = fencewright("fleet", *options, "--workspace", fenced, "--json", "--tag", "office")
        assert ended.code == 0, ended.err
        events = [(event["type"], event["createdAt"], event["user"]["deviceId"][-2:]) for event in ended.events]
        return sorted(events)

    first = run("a", 1)
    assert first
    assert run("b", 1) == first
    assert run("c", 2) != first


def without_ids(value: Any) -> Any:
    """Return the values that depend on the seed, without identifiers and times of reception."""
    if isinstance(value, dict):
        own = ("_id", "actualCreatedAt", "destinationGeofenceId")
        return {name: without_ids(each) for name, each in value.items() if name not in own}
    return [without_ids(each) for each in value] if isinstance(value, list) else value


def test_two_fleets_on_trips_are_the_same_line_by_line(fencewright: Commands, tmp_path: Path) -> None:
    def run(name: str, *options: object) -> Ended:
        fencewright("import", written(tmp_path / "fences.csv", FENCES), "--workspace", tmp_path / name)
        fleet = (*SMALL, "--seed", 7, "--tag", "store", "--trips", "--loop", "--for", "20m")
        ended = fencewright("fleet", *fleet, "--workspace", tmp_path / name, *options)
        assert ended.code == 0, ended.err
        return ended

    lines = run("a").out
    assert run("b").out == lines
    assert all(f"  fleet-{number}  " in lines for number in range(1, 5))
    assert "  fleet-1  started_trip  trip fleet-1-20260501T000000  (" in lines
    assert ", ETA " in lines
    events = [without_ids(run(name, "--json").events) for name in ("c", "d")]
    assert events[0] == events[1]
    trips = [event["trip"] for event in events[0] if "trip" in event]
    moments = ("createdAt", "updatedAt", "startedAt", "approachingAt", "arrivedAt", "endedAt")
    times = {trip[moment] for trip in trips for moment in moments if moment in trip}
    assert min(times) == "2026-05-01T00:00:00.000Z"
    assert max(times) <= "2026-05-01T00:20:00.000Z"
    assert "route" in {trip["eta"]["source"] for trip in trips if "eta" in trip}


def test_a_fleet_that_cannot_keep_its_times_reports_it(fencewright: Commands, fenced: Path) -> None:
    fleet = (*SMALL, "--tag", "store", "--for", "1m", "--workspace", fenced)
    assert "warning" not in fencewright("fleet", *fleet).err
    again = fencewright("fleet", *fleet)
    assert "are older than the last update of their devices; using the current time" in again.err


def test_an_invalid_value_names_its_option(fencewright: Commands, workspace: Path) -> None:
    for given, message in (
        (("--area", "atlantis"), "atlantis"),
        (("--tag", "none"), "--tag: no geofence has the tag 'none'"),
        (("--reach", 0.01), "--reach: must be from 100 to 100000"),
        (("--stagger", 1e6), "--stagger: must be from 0 to 3600"),
        (("--interval", 1e6), "--interval: must be from 0.1 to 600"),
    ):
        ended = fencewright("fleet", "--devices", 2, *given, "--workspace", workspace)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1), ended.err
        assert message in ended.err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((), "--devices"),
        (("--devices", 0), "--devices: must be a whole number from 1 to 2,000, not '0'"),
        (
            ("--devices", 5, "--for", "soon"),
            "--for: must be a duration with its unit, such as 90s, 5m or 1h30m, not 'soon'",
        ),
        (("--devices", 5, "--for", 5), "--for: must be a duration with its unit, such as 90s, 5m or 1h30m, not '5'"),
        (("--devices", 5, "--stay", "5 minutes"), "--stay: must be a number of seconds, or a duration such as 90s"),
    ],
    ids=["none", "zero", "for", "for without unit", "stay"],
)
def test_wrong_usage(fencewright: Commands, given: tuple[object, ...], message: str) -> None:
    ended = fencewright("fleet", *given)
    assert ended.code == 2
    assert message in ended.err


def test_a_fleet_can_be_stopped(program: Program, fencewright: Commands, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    fencewright("import", written(tmp_path / "f.csv", FENCES), "--workspace", workspace)
    options = ("--devices", 3, "--loop", "--tag", "store", "--trips", "--workspace", workspace)
    with program.start("fleet", *options) as process:
        assert process.stdout is not None
        assert "started_trip" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 130
    assert errors.startswith("fencewright: 3 devices: ")
    assert read_endpoint(workspace) is None
