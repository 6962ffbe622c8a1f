"""Settings, explanations, replays and the Test clock in real processes, with and without a server."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.commands import Commands, ServingHere, written
from tests.app.program import Ended, Program, Serving

HEADER = "description,type,tag,externalId,coordinates,radius,stopDetection,disableAfter,deleteAfter\n"
FENCE = 'Shop,circle,store,1,"[14.3577,45.7722]",{radius},{stop},{disable},{delete}\n'
OUTSIDE = "46.0"
INSIDE = "45.7722"
NEXT_TO = f"{45.7722 + 160 / 111_150}"


def ask(server: Serving | ServingHere, method: str, path: str, **options: Any) -> httpx.Response:
    headers = {"Authorization": server.key()}
    return httpx.request(method, server.url + path, headers=headers, trust_env=False, **options)


class WorkspaceModel:
    """Runs commands on one workspace, and a server of it if a process of its own is not the point."""

    def __init__(self, fencewright: Commands, folder: Path) -> None:
        self._fencewright = fencewright
        self._folder = folder

    def run(self, command: str, *arguments: object) -> Ended:
        return self._fencewright(command, *arguments, "--workspace", self._folder)

    def json(self, command: str, *arguments: object) -> Any:
        ended = self.run(command, *arguments, "--json")
        assert (ended.code, ended.err) == (0, "")
        return ended.json

    def serve(self, *arguments: object) -> AbstractContextManager[ServingHere]:
        return self._fencewright.serve(self._folder, *arguments)

    def fence(self, *, radius: int = 150, stop: str = "", disable: str = "", delete: str = "") -> None:
        row = FENCE.format(radius=radius, stop=stop, disable=disable, delete=delete)
        table = written(self._folder.parent / "fences.csv", HEADER + row)
        assert self.run("import", table).code == 0

    def walk(self, *latitudes: str) -> Ended:
        rows = "".join(
            f"2026-05-01T{8 + n // 60:02}:{n % 60:02}:00Z,{latitude},14.3577\n" for n, latitude in enumerate(latitudes)
        )
        track = written(self._folder.parent / "track.csv", "time,lat,lon\n" + rows)
        return self.run("simulate", track, "--device", "phone", "--accuracy", 50, "--json")


@pytest.fixture
def model(fencewright: Commands, tmp_path: Path) -> WorkspaceModel:
    return WorkspaceModel(fencewright, tmp_path / "w")


def test_settings_through_another_process(program: Program, model: WorkspaceModel, tmp_path: Path) -> None:
    with program.serve(tmp_path / "w") as server:
        assert model.json("settings", "--set", "bufferEntries=true", "bufferExits=true")["bufferEntries"] is True
        assert ask(server, "GET", "/v1/settings").json()["settings"] == model.json("settings")
        assert ask(server, "PATCH", "/v1/settings", json={"minimumConfidence": 2}).status_code == 200
        wrong = model.run("settings", "--set", "stopDetection=true", "minimumConfidence=7")
        assert (wrong.code, wrong.out) == (1, "")
        assert wrong.err.startswith("fencewright: minimumConfidence: ")
        unknown = model.run("settings", "--set", "bufferEntry=true")
        assert (unknown.code, unknown.err.partition(": unknown")[0]) == (1, "fencewright: bufferEntry")
        server.stop()
    kept = model.json("settings")
    assert (kept["bufferEntries"], kept["stopDetection"], kept["minimumConfidence"]) == (True, False, 2)


def test_an_explanation_outlives_edits_and_processes(program: Program, model: WorkspaceModel, tmp_path: Path) -> None:
    model.fence(stop="true")
    assert model.walk(INSIDE).events == []
    explained = model.json("explain", "--device", "phone")
    (explanation,) = explained["explanations"]
    assert explanation["decision"] == "entry withheld"
    assert [rule["rule"] for rule in explanation["rules"] if not rule["passed"]] == ["stopDetection"]
    with program.serve(tmp_path / "w") as server:
        model.fence(stop="false", radius=1000)
        assert ask(server, "DELETE", "/v1/geofences/store/1").status_code == 200
        assert model.json("explain", "--device", "phone") == explained
        assert server.stop().code == 0
    assert model.json("explain", "--device", "phone") == explained


def test_a_replay_stores_nothing(model: WorkspaceModel, tmp_path: Path) -> None:
    model.fence()
    assert model.walk(OUTSIDE, NEXT_TO, OUTSIDE).events == []
    alone = model.json("replay", "--device", "phone", "--set", "bufferEntries=true")
    assert [event["type"] for event in alone["added"]] == ["user.entered_geofence", "user.exited_geofence"]
    with model.serve() as server:
        (user,) = ask(server, "GET", "/v1/users").json()["users"]
        assert model.json("replay", "--device", "phone", "--set", "bufferEntries=true") == alone
        assert ask(server, "GET", "/v1/events").json()["events"] == []
        assert ask(server, "GET", "/v1/users").json()["users"] == [user]
        assert ask(server, "GET", "/v1/settings").json()["settings"]["bufferEntries"] is False
    assert model.json("replay", "--device", "phone")["after"] == []


def test_a_device_beside_a_server_is_not_limited(model: WorkspaceModel, tmp_path: Path) -> None:
    with model.serve() as server:
        ended = model.walk(*[OUTSIDE] * 90)
        assert (ended.code, ended.err) == (0, "fencewright: 90 fixes sent, 0 events\n")
        fix = {"deviceId": "phone", "latitude": 45, "longitude": 14, "accuracy": 5}
        answers = [ask(server, "POST", "/v1/track", json=fix).status_code for _ in range(3)]
        assert 429 in answers  # but API clients are


def test_clearing_through_another_process(model: WorkspaceModel, tmp_path: Path) -> None:
    model.fence()
    beacon = {
        "description": "Door",
        "type": "ibeacon",
        "major": 1,
        "minor": 2,
        "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d",
        "geometry": {"type": "Point", "coordinates": [14.5, 46.0]},
    }
    with model.serve() as server:
        ask(server, "PUT", "/v1/beacons/door/1", json=beacon)
        model.walk(INSIDE, OUTSIDE)
        refused = model.run("clear")
        assert (refused.code, refused.out, "--yes" in refused.err) == (2, "", True)
        cleared = {"users": 1, "events": 2, "updates": 2, "trips": 0, "geofences": 1, "beacons": 1}
        assert model.json("clear", "--yes", "--geofences", "--beacons") == cleared
        for kind in ("users", "events", "geofences", "beacons"):
            assert ask(server, "GET", f"/v1/{kind}").json()[kind] == []


def test_a_frozen_clock(model: WorkspaceModel, tmp_path: Path) -> None:
    track = written(tmp_path / "untimed.csv", "lat,lon\n45.7722,14.3577\n46.0,14.3577\n")
    simulate = (track, "--device", "phone", "--accuracy", 5, "--assume-speed", 3600, "--start", "now", "--json")
    with model.serve("--clock", "2026-03-29T01:30:00Z") as server:
        assert any("the Test clock is frozen at 2026-03-29T01:30:00.000Z" in line for line in server.startup_lines)
        clock = ask(server, "GET", "/v1/clock").json()
        assert (clock["now"], clock["frozen"]) == ("2026-03-29T01:30:00.000Z", True)
        model.fence()
        (geofence,) = ask(server, "GET", "/v1/geofences").json()["geofences"]
        assert geofence["createdAt"] == "2026-03-29T01:30:00.000Z"
        first = model.run("simulate", *simulate).events[0]
        assert first["createdAt"] == first["actualCreatedAt"] == "2026-03-29T01:30:00.000Z"
        ask(server, "POST", "/v1/clock", json={"advanceSeconds": 3600})
        later = model.run("simulate", *simulate, "--user", "ana").events[0]
        assert later["createdAt"] == "2026-03-29T02:30:00.000Z"


@pytest.mark.slow
def test_nothing_expires_before_the_clock_is_frozen(program: Program, model: WorkspaceModel, tmp_path: Path) -> None:
    """The dates are past by the machine's clock, which must not be applied to them in between."""
    with program.serve(tmp_path / "w", "--clock", "2020-01-01"):
        model.fence(disable="2020-02-01", delete="2020-03-01")
    for _ in range(3):
        with program.serve(tmp_path / "w", "--clock", "2020-01-02") as server:
            (geofence,) = ask(server, "GET", "/v1/geofences").json()["geofences"]
            assert geofence["enabled"] is True
            assert server.stop().code == 0
    with program.serve(tmp_path / "w", "--clock", "2020-01-03") as server:
        ask(server, "POST", "/v1/clock", json={"now": "2020-02-01T00:00:01Z"})
        (geofence,) = ask(server, "GET", "/v1/geofences").json()["geofences"]
        assert geofence["enabled"] is False
        ask(server, "POST", "/v1/clock", json={"system": True})
        assert ask(server, "GET", "/v1/geofences").json()["geofences"] == []
