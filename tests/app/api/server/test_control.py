"""The private routes with which other commands reach the process that has the workspace open."""

import os
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson
import pytest

from app.api.commands.messages import WORK
from app.api.commands.table import COMMANDS
from app.api.server.server import ApiServer
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import StorageUnavailable
from engine.domain.imports import ImportReport
from engine.domain.ports import Cancelled, Progress
from engine.domain.tracking.explaining import ReplayQuery, ReplayReport
from engine.engine import Engine
from engine.store.workspace import KEYS
from tests.app.api.wire import Wire, request

TOKEN = "a control token"
CSV = b'description,type,tag,externalId,coordinates,radius\nA,circle,shop,1,"[1,2]",50\nB,circle,shop,2,"[1,2]",5\n'
GOOD_ROWS = {"name": "t.csv", "options": {"keep_good_rows": True}}


@pytest.fixture(scope="module")
def control(engine: Engine) -> Iterator[httpx.Client]:
    with (
        ApiServer(engine, port=0, control_token=TOKEN) as server,
        httpx.Client(base_url=server.url, headers={"Authorization": TOKEN}, timeout=40) as client,
    ):
        yield client


def body_of(content: object, environment: str = "test", data: bytes = b"") -> bytes:
    return orjson.dumps({"environment": environment, "request": content}) + b"\n" + data


def called(
    control: httpx.Client, name: str, content: object = None, environment: str = "test", data: bytes = b""
) -> list[dict[str, Any]]:
    """Call an operation and return the lines of its response."""
    response = control.post(f"/_workspace/{name}", content=body_of(content, environment, data))
    assert response.status_code == 200, response.text
    return [orjson.loads(line) for line in response.content.splitlines() if line]


def answered(control: httpx.Client, name: str, content: object = None, environment: str = "test") -> Any:
    return called(control, name, content, environment)[-1]["answer"]


@pytest.mark.parametrize("name", ["status", "cancel", *COMMANDS])
def test_only_with_the_token(control: httpx.Client, engine: Engine, name: str) -> None:
    method = "GET" if name == "status" else "POST"
    for wrong in ("", "x", engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)):
        response = control.request(method, f"/_workspace/{name}", headers={"Authorization": wrong})
        assert response.status_code == 401
        assert "access-control-allow-origin" not in response.headers


def test_no_page_may_call(control: httpx.Client) -> None:
    response = control.options("/_workspace/status", headers={"Access-Control-Request-Method": "GET"})
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"
    assert "access-control-allow-origin" not in response.headers


def test_status(control: httpx.Client, engine: Engine) -> None:
    status = control.get("/_workspace/status").json()
    assert status["pid"] == os.getpid()
    assert status["folder"] == str(engine.workspace.folder)


def test_an_unknown_operation(control: httpx.Client) -> None:
    response = control.post("/_workspace/nothing", content=body_of(None))
    assert (response.status_code, response.json()["meta"]["param"]) == (404, "path")


def test_the_clocks(control: httpx.Client, engine: Engine) -> None:
    engine.set_clock(ClockChange(now=datetime(2026, 3, 29, 1, 30, tzinfo=UTC), frozen=True))
    try:
        test, live = (datetime.fromisoformat(answered(control, "now", None, each)) for each in ("test", "live"))
    finally:
        engine.set_clock(ClockChange(system=True))
    assert test == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert abs((datetime.now(UTC) - live).total_seconds()) < 60


def test_v1_is_served_too(control: httpx.Client, engine: Engine) -> None:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
    assert control.get("/v1/users", headers={"Authorization": key}).status_code == 200
    assert control.get("/v1/users").status_code == 401


def test_import(control: httpx.Client, engine: Engine) -> None:
    lines = called(control, "import_file", GOOD_ROWS, "live", CSV)
    report = lines[-1]["answer"]
    assert report == {
        "kind": "geofences",
        "rows": 2,
        "created": 1,
        "updated": 0,
        "unchanged": 0,
        "deleted": 0,
        "failed": 1,
        "dryRun": False,
        "stored": True,
        "importId": report["importId"],
        "ignoredColumns": [],
        "errors": [{"row": 3, "column": "radius", "message": report["errors"][0]["message"]}],
        "warnings": [],
        "refused": [{"row": 3, "tag": "shop", "externalId": "2", "description": "B"}],
    }
    assert lines[0]["total"] == 6
    assert engine.geofences.get_by_key(Environment.LIVE, "shop", "1").description == "A"
    assert engine.history.counts(Environment.TEST).geofences == 0


def test_import_of_beacons(control: httpx.Client, engine: Engine) -> None:
    row = b"ibeacon,Door,shop,door,b9407f30-f5f8-466e-aff9-25556b57fe6d,1,2,47.1,9.5\n"
    table = b"type,description,tag,externalId,uuid,major,minor,latitude,longitude\n" + row
    report = called(control, "import_file", {"name": "t.csv"}, data=table)[-1]["answer"]
    assert (report["kind"], report["created"]) == ("beacons", 1)
    update = b"tag,externalId,description\nshop,door,Back door\n"
    report = called(control, "import_file", {"name": "t.csv", "kind": "beacons"}, data=update)[-1]["answer"]
    assert report["updated"] == 1
    assert engine.beacons.get_by_key(Environment.TEST, "shop", "door").description == "Back door"


def test_dry_run(control: httpx.Client, engine: Engine) -> None:
    lines = called(control, "import_file", {"name": "t.csv", "dry_run": True}, data=CSV)
    assert lines[-1]["answer"]["dryRun"] is True
    assert engine.history.counts(Environment.TEST).geofences == 0


def test_a_table_without_header_is_an_error_line(control: httpx.Client) -> None:
    assert called(control, "import_file", {"name": "t.csv"})[-1]["error"]["message"]


@pytest.mark.slow
def test_tables_may_be_larger_than_other_bodies(control: httpx.Client) -> None:
    data = CSV + b'C,circle,shop,3,"[1,2]",50\n' * 60_000
    lines = called(control, "import_file", {"name": "t.csv", "dry_run": True}, data=data)
    assert lines[-1]["answer"]["rows"] == 60_002
    assert len(lines) < 1000


def test_leaving_cancels_the_import(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    def slow_import(_environment: Environment, _file: object, _options: object, progress: Progress) -> ImportReport:
        try:
            while True:
                progress(1, 2)
        except Cancelled:
            ended.set()
            raise

    monkeypatch.setattr(engine.imports, "run", slow_import)
    content = body_of({"name": "t.csv"}, data=CSV)
    with (
        ApiServer(engine, port=0, control_token=TOKEN) as server,
        httpx.stream(
            "POST", f"{server.url}/_workspace/import_file", headers={"Authorization": TOKEN}, content=content
        ) as response,
    ):
        # An empty line means that the work continues, even before it has begun.
        assert next(filter(None, response.iter_lines())) == '{"done":1,"total":2}'
    assert ended.wait(60)


def test_a_cancelled_import_reports_it_at_its_end(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_environment: Environment, _file: object, _options: object, progress: Progress) -> ImportReport:
        while True:
            progress(1, 2)

    monkeypatch.setattr(engine.imports, "run", endless)
    content, work = body_of({"name": "t.csv"}, data=CSV), {"Authorization": TOKEN, WORK: "mine"}
    with (
        ApiServer(engine, port=0, control_token=TOKEN) as server,
        httpx.stream("POST", f"{server.url}/_workspace/import_file", headers=work, content=content) as response,
    ):
        lines = response.iter_lines()
        next(lines)
        for other in ({"Authorization": TOKEN, WORK: "other"}, work):
            assert httpx.post(f"{server.url}/_workspace/cancel", headers=other).status_code == 200
        assert list(lines)[-1] == '{"cancelled":true}'


def test_long_work_without_progress_sends_heartbeats(
    control: httpx.Client, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    released, refresh = threading.Event(), engine.areas.refresh
    monkeypatch.setattr("app.api.server.control.BEAT_S", 0.01)
    monkeypatch.setattr(engine.areas, "refresh", lambda: (released.wait(60), refresh()))
    with control.stream("POST", "/_workspace/refresh_areas", content=body_of(None)) as response:
        parts = response.iter_raw()
        assert next(parts) == b"\n"
        released.set()
        assert b"".join(parts).lstrip(b"\n") == b'{"answer":null}\n'


def test_rotate(control: httpx.Client, engine: Engine) -> None:
    keys = engine.workspace.keys
    old, other = (keys.value(each, KeyLevel.SECRET) for each in (Environment.LIVE, Environment.TEST))
    assert called(control, "rotate_key", "secret", "live") == [{"answer": None}]
    assert keys.value(Environment.LIVE, KeyLevel.SECRET) != old
    assert keys.value(Environment.TEST, KeyLevel.SECRET) == other


def test_rotate_on_a_full_disk(control: httpx.Client, engine: Engine) -> None:
    workspace = engine.workspace
    before, names = (workspace.folder / KEYS).read_bytes(), sorted(workspace.folder.iterdir())
    full = workspace.folder / f".{KEYS}.{os.getpid()}"
    full.symlink_to("/dev/full")
    (answer,) = called(control, "rotate_key", "secret", "live")
    message = "The keys could not be saved: No space left on device. They have not changed."
    assert answer == {"error": {"kind": "", "param": "", "message": message}}
    assert sorted(workspace.folder.iterdir()) == names
    assert (workspace.folder / KEYS).read_bytes() == before
    assert called(control, "rotate_key", "secret", "live") == [{"answer": None}]


def track(control: httpx.Client, device: str, latitude: float, **fields: Any) -> Mapping[str, Any]:
    point = {"longitude": 1, "latitude": latitude}
    (outcome,) = answered(control, "track", [{"device_id": device, "point": point, "accuracy_m": 50, **fields}])
    found: Mapping[str, Any] = outcome["answer"]
    return found


@pytest.fixture
def walked(control: httpx.Client, engine: Engine) -> Iterator[str]:
    """A device that passed 10 m beside a geofence."""
    called(control, "import_file", GOOD_ROWS, data=CSV)
    for minute, latitude in enumerate((3, 2 + 60 / 110_600, 3)):
        track(control, "walker", latitude, at=f"2026-05-01T08:0{minute}:00Z")
    yield "walker"
    engine.history.clear_test_data(geofences=True)


def test_updates_have_an_answer_or_an_error_each(
    control: httpx.Client, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = engine.tracking.track_all
    full = StorageUnavailable("The disk is full.")
    monkeypatch.setattr(engine.tracking, "track_all", lambda *given: [*stored(*given)[:1], full])
    update = {"device_id": "d", "point": {"longitude": 1, "latitude": 50}, "accuracy_m": 5}
    first, second = answered(control, "track", [update, update])
    assert first["answer"]["user"]["deviceId"] == "d"
    assert second == {"error": {"kind": "", "param": "", "message": "The disk is full."}}


def test_explain(control: httpx.Client, walked: str) -> None:
    explained = answered(control, "explain", {"device_id": walked, "at": "2026-05-01T08:01:30Z"})
    assert explained["update"]["updatedAt"] == "2026-05-01T08:01:00.000Z"
    (explanation,) = explained["explanations"]
    assert (explanation["geofence"]["tag"], explanation["decision"]) == ("shop", "outside")
    assert explanation["distance"] == pytest.approx(10, abs=1)
    assert answered(control, "explain", {"device_id": walked})["explanations"] == []


def test_replay(control: httpx.Client, engine: Engine, walked: str) -> None:
    report = answered(control, "replay", {"device_ids": [walked], "settings": {"bufferEntries": True}})
    assert (report["updates"], report["before"], report["removed"]) == (3, [], [])
    assert [event["type"] for event in report["added"]] == ["user.entered_geofence", "user.exited_geofence"]
    assert engine.history.counts(Environment.TEST).events == 0
    assert not engine.settings.get(Environment.TEST).buffer_entries
    times = {"after": "2026-05-01T08:00:30Z", "before": "2026-05-01T08:01:30Z"}
    part = answered(control, "replay", {"device_ids": [walked], "settings": {}, **times})
    assert part == {
        "updates": 1,
        "before": [],
        "after": [],
        "added": [],
        "removed": [],
        "gained": [],
        "lost": [],
        "moved": [],
    }


def test_clear(control: httpx.Client, engine: Engine, walked: str) -> None:
    called(control, "import_file", GOOD_ROWS, "live", CSV)
    track(control, "other", 2)
    kept = {"trips": 0, "beacons": 0}
    cleared = answered(control, "clear", {"device_id": walked})
    assert cleared == kept | {"users": 1, "events": 0, "updates": 3, "geofences": 0}
    cleared = answered(control, "clear", {"geofences": True})
    assert cleared == kept | {"users": 1, "events": 1, "updates": 1, "geofences": 1}
    assert engine.history.counts(Environment.LIVE).geofences == 1


@pytest.mark.parametrize(
    ("name", "content", "kind", "param"),
    [
        ("explain", {"device_id": "nobody"}, "NotFound", "device"),
        ("replay", {"device_ids": ["nobody"], "settings": {}}, "NotFound", "device"),
        ("replay", {"device_ids": ["d"], "settings": {"bufferEntry": True}}, "InvalidParameter", "bufferEntry"),
        (
            "replay",
            {"device_ids": ["d"], "settings": {"minimumConfidence": 4}},
            "InvalidParameter",
            "minimumConfidence",
        ),
        ("change_settings", {"dwellThreshold": -1}, "InvalidParameter", "dwellThreshold"),
        ("clear", {"device_id": "d", "geofences": True}, "InvalidParameter", "geofences"),
        ("undo_import", "none", "NotFound", "id"),
        ("plan", {"source": "live", "target": "live"}, "InvalidParameter", "to"),
        ("apply", {"dry_run": True}, "InvalidParameter", "changeSet"),
    ],
)
def test_errors_have_their_kind_and_the_parameter_name_of_the_wire(
    control: httpx.Client, name: str, content: object, kind: str, param: str
) -> None:
    error = called(control, name, content)[-1]["error"]
    assert (error["kind"], error["param"]) == (kind, param), error


@pytest.mark.parametrize(
    ("name", "content"),
    [("explain", b""), ("explain", b"{}\n"), ("explain", body_of({"device_id": 1})), ("now", body_of(None, "prod"))],
)
def test_a_malformed_command_is_an_internal_error(control: httpx.Client, name: str, content: bytes) -> None:
    answer = orjson.loads(control.post(f"/_workspace/{name}", content=content).content)
    assert answer["error"]["message"].startswith("Something went wrong inside Fencewright")


def test_commands_are_not_limited(control: httpx.Client) -> None:
    for _ in range(5):
        track(control, "busy", 50)


def test_leaving_cancels_a_replay(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    started, ended = threading.Event(), threading.Event()

    def slow_replay(_environment: Environment, _query: ReplayQuery, progress: Progress) -> ReplayReport:
        started.set()
        try:
            while True:
                progress(1, 2)
        except Cancelled:
            ended.set()
            raise

    monkeypatch.setattr(engine.tracking, "replay", slow_replay)
    with ApiServer(engine, port=0, control_token=TOKEN) as server:
        body = body_of({"device_ids": ["d"], "settings": {}})
        headers = f"Authorization: {TOKEN}", f"Content-Length: {len(body)}"
        with Wire(server.port) as wire:
            wire.send(request("POST", "/_workspace/replay", *headers, body=body))
            assert started.wait(60)
        assert ended.wait(60)


def test_a_check_reports_its_progress(control: httpx.Client) -> None:
    checked = called(control, "check", {"options": {}})
    assert {"done", "total"} == checked[0].keys()
    assert "findings" in checked[-1]["answer"]
