"""``fencewright simulate`` along roads, with the noise of phones and motion derived from movement."""

from pathlib import Path

import pytest

from app.cli.workspaces import reach_workspace
from engine.domain.environment import Environment
from engine.simulation.noise.model import PRESETS
from tests.app.commands import Commands, written
from tests.engine.trips.routers import held_routes

FENCES = """tag,externalId,description,type,latitude,longitude,radius
store,kamppi,Kamppi,circle,60.1690,24.9400,150
"""
STATION, KAMPPI, LAKE = "60.1719,24.9414", "60.1690,24.9400", "60.1770,24.9500"
ROUTE = ("--route", STATION, "--route", KAMPPI, "--wait", 300, "--route", LAKE, "--mode", "foot")


@pytest.fixture
def fenced(fencewright: Commands, workspace: Path, tmp_path: Path) -> Path:
    """A workspace with a geofence on the way."""
    fencewright("import", written(tmp_path / "fences.csv", FENCES), "--workspace", workspace)
    return workspace


def times(events: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(event["type"], event["createdAt"]) for event in events]


def test_a_device_goes_along_roads_and_stops_at_its_stops(fencewright: Commands, fenced: Path) -> None:
    options = (*ROUTE, "--workspace", fenced, "--json", "--start", "2026-05-01T10:00:00Z")
    stopping = fencewright("simulate", *options, "--device", "a", "--accuracy", 5, "--derive-motion", "--interval", 5)
    assert stopping.code == 0
    assert [event["type"] for event in stopping.events] == ["user.entered_geofence", "user.exited_geofence"]
    # The device arrives after four to six minutes on foot (330 m at 1.4 m/s) and stays for five.
    entered = stopping.events[0]["createdAt"]
    assert "2026-05-01T10:01" < entered < "2026-05-01T10:07"
    assert stopping.events[1]["duration"] >= 4


def test_the_same_seed_gives_the_same_events(fencewright: Commands, fenced: Path) -> None:
    def events(device: str, *options: object) -> list[tuple[object, object]]:
        start = ("--start", "2026-05-01T10:00:00Z", "--interval", 15, "--foreground", "--json", "--workspace", fenced)
        ended = fencewright("simulate", *ROUTE, *start, "--device", device, *options)
        assert ended.code == 0, ended.err
        return times(ended.events)

    noise = ("--noise", "city-canyon", "--seed")
    first = events("a", *noise, 7)
    assert first
    assert events("b", *noise, 7) == first
    assert events("c", *noise, 8) != first


def test_an_accuracy_comes_from_the_track_the_noise_or_the_option(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    bare = written(tmp_path / "bare.csv", "lat,lon,time\n60.17,24.94,2026-05-01T08:00:00Z\n")
    own = written(tmp_path / "own.csv", "lat,lon,time,accuracy\n60.17,24.94,2026-05-01T08:00:00Z,9\n")
    options = ("--workspace", workspace, "--device")
    refused = fencewright("simulate", bare, *options, "a")
    assert (refused.code, refused.out) == (1, "")
    assert "--accuracy: position 1 has no accuracy; give one in metres" in refused.err
    for number, given in enumerate(((own,), (bare, "--accuracy", 7), *((bare, "--noise", name) for name in PRESETS))):
        assert fencewright("simulate", *given, *options, f"d{number}").code == 0
    users = fencewright("snapshot", "--workspace", workspace).json["users"]
    accuracies = {user["deviceId"]: user["locationAccuracy"] for user in users}
    assert (accuracies["d0"], accuracies["d1"]) == (9, 7)
    assert len({accuracies[f"d{number}"] for number in range(2, 6)}) == 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ("--route", STATION, "--route", "60.5,25.5"),
            "--route: item 2 (60.5,25.5) has no road for car near it in the",
        ),
        (("--route", STATION), "--route: from 2 to 100 are required, not 1"),
        (("a.gpx", "--route", STATION, "--route", KAMPPI), "--route: cannot be given together with the track a.gpx"),
        (
            ("--route", STATION, "--route", KAMPPI, "--assume-speed", 30),
            "--assume-speed: cannot be used with --route",
        ),
        (("--route", STATION, "--route", KAMPPI, "--interval", 0.01), "--interval: must be from 0.1 to 3600 seconds"),
        (("--route", STATION, "--wait", 1e9, "--route", KAMPPI), "--wait: at waypoint 1 it must be from 0 to 604800"),
        (("--route", STATION, "--route", KAMPPI, "--seed", 3), "--seed: requires --noise"),
        ((), "TRACK: give a track file, or --route at least twice"),
        (("a.gpx", "--mode", "foot"), "--mode: requires --route; a track is played as it is"),
        (("a.gpx", "--interval", 5), "--interval: requires --route"),
        (("a.gpx", "--router", "http://127.0.0.1:1"), "--router: requires --route"),
    ],
    ids=["far", "one", "both", "speed", "interval", "wait", "seed", "neither", "mode", "every", "router"],
)
def test_an_invalid_value_names_its_option(
    fencewright: Commands, workspace: Path, given: tuple[object, ...], message: str
) -> None:
    ended = fencewright("simulate", *given, "--device", "a", "--accuracy", 5, "--workspace", workspace)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert message in ended.err


def test_a_waypoint_far_from_roads_is_reported(fencewright: Commands, workspace: Path) -> None:
    options = ("--device", "a", "--accuracy", 5, "--workspace", workspace)
    ended = fencewright("simulate", "--route", STATION, "--route", "60.1900,24.9350", *options)
    assert ended.code == 0
    assert "warning: --route: item 2 (60.19,24.935) was moved 1" in ended.err


def test_routes_that_come_too_late_are_a_warning(
    fencewright: Commands, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "".join(f"60.1692,{24.9357 + n / 1000:.4f},2026-05-01T08:0{n}:00Z,8\n" for n in range(5))
    track = written(tmp_path / "drive.csv", f"lat,lon,time,accuracy\n{lines}")
    for device in ("a", "b"):
        trip = {"externalId": device, "deviceId": device, "destination": {"coordinates": [24.9531, 60.1732]}}
        with reach_workspace(workspace) as reached:
            reached.ask_v1("POST", "/v1/trips", Environment.TEST, trip)
    in_time = fencewright("simulate", track, "--workspace", workspace, "--device", "a", "--json")
    sources = [event["trip"]["eta"]["source"] for event in in_time.events]
    assert sources == ["estimate", "estimate", "route"]
    assert "route" not in in_time.err
    with held_routes(monkeypatch):
        late = fencewright("simulate", track, "--workspace", workspace, "--device", "b")
    assert late.code == 0
    warning = "warning: 4 fixes sent without the route of the trip, which took longer than 5 s to find"
    assert warning in late.err


def test_a_fleet_reports_which_routes_came_too_late(
    fencewright: Commands, fenced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--devices", 2, "--mode", "foot", "--reach", 0.8, "--interval", 60, "--speed", "max", "--seed", 7)
    with held_routes(monkeypatch):
        late = fencewright("fleet", *options, "--trips", "--workspace", fenced)
    assert late.code == 0
    assert "fixes sent without the route of the trip" in late.err
