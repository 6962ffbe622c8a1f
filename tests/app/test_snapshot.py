"""``fencewright snapshot``, and ``serve --seed`` with its output."""

import json
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from tests.app.commands import Commands, ServingHere, written
from tests.engine.fixtures import circle, update

SEED = {
    "version": 1,
    "settings": {"test": {"rateLimit": False}},
    "geofences": [
        {
            "tag": "store",
            "externalId": "1",
            "description": "A store",
            "type": "circle",
            "coordinates": [9.5209, 47.141],
            "radius": 100,
        }
    ],
    "clock": {"now": "2026-03-01T10:00:00Z", "frozen": True},
    "keys": {"test": {"secret": "prj_test_sk_ci000000"}},
}


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    return written(tmp_path / "seed.json", json.dumps(SEED))


def post(server: ServingHere, path: str, body: object = None) -> Any:
    headers = {"Authorization": server.key()}
    return httpx.post(server.url + path, headers=headers, json=body, trust_env=False).json()


def test_a_snapshot_is_written_wherever_the_workspace_is_open(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    table = 'description,type,tag,externalId,coordinates,radius\nShop,circle,store,7,"[14.3577,45.7722]",150\n'
    assert fencewright("import", written(tmp_path / "a.csv", table), "--workspace", workspace).code == 0
    file = tmp_path / "snapshot.json"
    ended = fencewright("snapshot", "--workspace", workspace, "--output", file)
    assert (ended.code, ended.out) == (0, "")
    assert "1 geofence and 0 users written to" in ended.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (geofence,) = json.loads(file.read_text())["geofences"]
    assert (geofence["externalId"], geofence["coordinates"], geofence["radius"]) == ("7", [14.3577, 45.7722], 150.0)
    assert fencewright("snapshot", "--workspace", workspace).out == file.read_text()


def test_a_snapshot_of_nothing_is_refused(fencewright: Commands, tmp_path: Path) -> None:
    missing = fencewright("snapshot", "--workspace", tmp_path / "none")
    assert missing.code == 1
    assert "There is no workspace in" in missing.err
    assert not (tmp_path / "none").exists()
    temporary = fencewright("snapshot", "--workspace", ":memory:")
    assert (temporary.code, temporary.out) == (1, "")
    assert ":memory: would be a new, empty workspace" in temporary.err


def test_a_file_that_cannot_be_written_is_named(fencewright: Commands, tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path / "w"):
        ended = fencewright("snapshot", "--workspace", tmp_path / "w", "--output", tmp_path / "no" / "file.json")
    assert ended.code == 1
    assert "file.json cannot be written: No such file or directory" in ended.err


def test_a_server_begins_with_the_seed_and_goes_back_to_it(fencewright: Commands, seed: Path, tmp_path: Path) -> None:
    with fencewright.serve(":memory:", "--seed", seed) as server:
        assert server.key() == "prj_test_sk_ci000000"
        assert any("the Test clock is frozen at 2026-03-01T10:00:00.000Z" in line for line in server.startup_lines)
        body = {"deviceId": "phone", "latitude": 47.141, "longitude": 9.5209, "accuracy": 5}
        for _ in range(2):
            (event,) = post(server, "/v1/track", body)["events"]
            assert (event["type"], event["createdAt"]) == ("user.entered_geofence", "2026-03-01T10:00:00.000Z")
            assert post(server, "/v1/reset")["counts"] == {"geofences": 1, "users": 0, "beacons": 0, "trips": 0}
        taken = fencewright("snapshot", "--workspace", server.ready["workspace"])
        assert taken.json["geofences"][0]["tag"] == "store"
        assert "keys" not in taken.json
    again = written(tmp_path / "again.json", taken.out)
    with fencewright.serve(tmp_path / "folder", "--seed", again) as server:
        assert fencewright("snapshot", "--workspace", tmp_path / "folder").out == taken.out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"geofences": [SEED["geofences"][0] | {"radius": 5}]}, "geofences[0].radius: the radius of a circle"),  # type: ignore[index]
        ({"geofences": [SEED["geofences"][0] | {"radius": "5"}]}, "geofences[0].radius: must be a number"),  # type: ignore[index]
        ({"geofences": SEED["geofences"] * 2}, "geofences[1].externalId: geofences[0] already has"),  # type: ignore[operator]
        ({"beacons": [{}]}, "beacons[0].description: this parameter is required"),
        (
            {"geofences": [{"type": "circle", "description": "A store", "tag": "store", "externalID": "1"}]},
            "geofences[0].externalId: this parameter is required; externalID was given instead.",
        ),
        ({"keys": {"test": {"secret": "short"}}}, "keys.test.secret: must be prj_test_sk_"),
        (
            {"settings": {"test": {"defaultDwellThreshold": 1e9}}},
            "settings.test.defaultDwellThreshold: must be minutes",
        ),
    ],
)
def test_a_wrong_seed_ends_the_start_and_names_the_place(
    fencewright: Commands, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    file, ready = written(tmp_path / "seed.json", json.dumps(SEED | change)), tmp_path / "ready.json"
    options = ("--workspace", tmp_path / "w", "--port", 0, "--ready-file", ready, "--seed", file)
    ended = fencewright("serve", *options)
    assert ended.code == 1
    assert words in ended.err
    assert len(ended.err.splitlines()) == 1
    assert not ready.exists()
    with WorkspaceSession(tmp_path / "w") as session:
        assert session.engine.geofences.all(Environment.TEST) == ()


def test_a_workspace_that_holds_something_is_not_filled(fencewright: Commands, seed: Path, tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path / "w") as session:
        session.engine.geofences.create(Environment.TEST, circle())
        session.engine.tracking.track(Environment.TEST, update())
    ended = fencewright("serve", "--workspace", tmp_path / "w", "--port", 0, "--seed", seed)
    assert ended.code == 1
    assert "A seed needs an empty workspace" in ended.err
    assert "1 geofence, 1 user, 1 event" in ended.err


def test_sessions_can_be_seeded_side_by_side(seed: Path) -> None:
    from app.seeds import read_seed

    with WorkspaceSession(":memory:", port=0, seed=read_seed(seed)) as one:
        with WorkspaceSession(":memory:", port=0, seed=read_seed(seed)) as other:
            assert one.start_endpoint() != other.start_endpoint()
            other.engine.geofences.delete_all(Environment.TEST)
            assert len(one.engine.geofences.all(Environment.TEST)) == 1
        with pytest.raises(FencewrightError):
            other.start_endpoint()
