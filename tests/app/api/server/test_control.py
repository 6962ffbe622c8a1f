"""The private routes by which other commands reach the process that has the workspace open."""

import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson
import pytest

from app.api.server.server import ApiServer
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment, KeyLevel
from engine.domain.imports import ImportReport
from engine.domain.ports import Cancelled, Progress
from engine.domain.tracking.explaining import ReplayQuery, ReplayReport
from engine.engine import Engine
from engine.store.workspace import KEYS
from tests.app.api.wire import Wire, request

TOKEN = "a control token"
CSV = b'description,type,tag,externalId,coordinates,radius\nA,circle,shop,1,"[1,2]",50\nB,circle,shop,2,"[1,2]",5\n'


@pytest.fixture(scope="module")
def control(engine: Engine) -> Iterator[httpx.Client]:
    with (
        ApiServer(engine, port=0, control_token=TOKEN) as server,
        httpx.Client(base_url=server.url, headers={"Authorization": TOKEN}, timeout=40) as client,
    ):
        yield client


def lines(response: httpx.Response) -> list[dict[str, object]]:
    assert response.headers["content-type"] == "application/x-ndjson"
    return [orjson.loads(line) for line in response.content.splitlines()]


@pytest.mark.parametrize(
    "path",
    ["status", "import", "keys/rotate", "explain", "replay", "clear", "check", "promotion/plan", "promotion/apply"],
)
def test_only_with_the_token(control: httpx.Client, engine: Engine, path: str) -> None:
    method = "GET" if path == "status" else "POST"
    for wrong in ("", "x", engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)):
        response = control.request(method, f"/_workspace/{path}", headers={"Authorization": wrong})
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
    assert "url" not in status
    shown = {environment: datetime.fromisoformat(now) for environment, now in status["now"].items()}
    assert set(shown) == {"test", "live"}
    assert all(abs((datetime.now(UTC) - now).total_seconds()) < 60 for now in shown.values())


def test_the_status_tells_the_clock_of_test(control: httpx.Client, engine: Engine) -> None:
    engine.set_clock(ClockChange(now=datetime(2026, 3, 29, 1, 30, tzinfo=UTC), frozen=True))
    try:
        now = control.get("/_workspace/status").json()["now"]
    finally:
        engine.set_clock(ClockChange(system=True))
    assert now["test"] == "2026-03-29T01:30:00.000Z"
    assert now["live"] != now["test"]


def test_v1_is_served_too(control: httpx.Client, engine: Engine) -> None:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
    assert control.get("/v1/users", headers={"Authorization": key}).status_code == 200
    assert control.get("/v1/users").status_code == 401


def test_import(control: httpx.Client, engine: Engine) -> None:
    told = lines(
        control.post("/_workspace/import", params={"environment": "live", "keepGoodRows": "true"}, content=CSV)
    )
    assert told[-1]["report"] == {
        "kind": "geofences",
        "rows": 2,
        "created": 1,
        "updated": 0,
        "unchanged": 0,
        "deleted": 0,
        "failed": 1,
        "dryRun": False,
        "stored": True,
        "importId": told[-1]["report"]["importId"],  # type: ignore[index]
        "ignoredColumns": [],
        "errors": [{"row": 3, "column": "radius", "message": told[-1]["report"]["errors"][0]["message"]}],  # type: ignore[index]
        "warnings": [],
    }
    assert told[0]["total"] == 6
    assert engine.geofences.get_by_key(Environment.LIVE, "shop", "1").description == "A"
    assert engine.history.counts(Environment.TEST).geofences == 0


def test_import_of_beacons(control: httpx.Client, engine: Engine) -> None:
    row = b"ibeacon,Door,shop,door,b9407f30-f5f8-466e-aff9-25556b57fe6d,1,2,47.1,9.5\n"
    table = b"type,description,tag,externalId,uuid,major,minor,latitude,longitude\n" + row
    told = lines(control.post("/_workspace/import", content=table))
    assert (told[-1]["report"]["kind"], told[-1]["report"]["created"]) == ("beacons", 1)  # type: ignore[index]
    update = b"tag,externalId,description\nshop,door,Back door\n"
    told = lines(control.post("/_workspace/import?kind=beacons", content=update))
    assert told[-1]["report"]["updated"] == 1  # type: ignore[index]
    assert engine.beacons.get_by_key(Environment.TEST, "shop", "door").description == "Back door"


def test_dry_run(control: httpx.Client, engine: Engine) -> None:
    told = lines(control.post("/_workspace/import?dryRun=true", content=CSV))
    assert told[-1]["report"]["dryRun"] is True  # type: ignore[index]
    assert engine.history.counts(Environment.TEST).geofences == 0


def test_a_table_without_header_is_an_error_line(control: httpx.Client) -> None:
    told = lines(control.post("/_workspace/import", content=b""))
    assert told[-1]["error"]["message"]  # type: ignore[index]


def test_tables_may_be_larger_than_other_bodies(control: httpx.Client) -> None:
    told = lines(control.post("/_workspace/import?dryRun=true", content=CSV + b'C,circle,shop,3,"[1,2]",50\n' * 60_000))
    assert told[-1]["report"]["rows"] == 60_002  # type: ignore[index]
    assert len(told) < 1000


@pytest.mark.parametrize("query", ["environment=prod", "dryRun=perhaps"])
def test_bad_queries(control: httpx.Client, query: str) -> None:
    assert control.post(f"/_workspace/import?{query}", content=CSV).status_code == 400


def test_leaving_cancels_the_import(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    def slow_import(_environment: Environment, _file: object, _options: object, progress: Progress) -> ImportReport:
        try:
            while True:
                progress(1, 2)
        except Cancelled:
            ended.append("cancelled")
            raise

    monkeypatch.setattr(engine.imports, "run", slow_import)
    with (
        ApiServer(engine, port=0, control_token=TOKEN) as server,
        httpx.stream(
            "POST", f"{server.url}/_workspace/import", headers={"Authorization": TOKEN}, content=CSV
        ) as response,
    ):
        assert next(response.iter_lines()) == '{"done":1,"total":2}'
    assert ended == ["cancelled"]


def test_rotate(control: httpx.Client, engine: Engine) -> None:
    old = engine.workspace.keys.value(Environment.LIVE, KeyLevel.SECRET)
    new = control.post("/_workspace/keys/rotate?environment=live&level=secret").json()["key"]
    assert new != old
    assert engine.workspace.keys.value(Environment.LIVE, KeyLevel.SECRET) == new
    assert control.post("/_workspace/keys/rotate?environment=live").status_code == 400


def test_rotate_on_a_full_disk(control: httpx.Client, engine: Engine) -> None:
    workspace = engine.workspace
    before, names = (workspace.folder / KEYS).read_bytes(), sorted(workspace.folder.iterdir())
    full = workspace.folder / f".{KEYS}.{os.getpid()}"
    full.symlink_to("/dev/full")
    answer = control.post("/_workspace/keys/rotate?environment=live&level=secret")
    assert answer.status_code == 503
    assert answer.json()["meta"] == {
        "code": 503,
        "message": "The keys could not be saved: No space left on device. They have not changed.",
    }
    assert sorted(workspace.folder.iterdir()) == names
    assert (workspace.folder / KEYS).read_bytes() == before
    again = control.post("/_workspace/keys/rotate?environment=live&level=secret")
    assert (again.status_code, again.json()["key"]) == (200, workspace.keys.value(Environment.LIVE, KeyLevel.SECRET))


def track(control: httpx.Client, engine: Engine, device: str, latitude: float, **fields: Any) -> dict[str, Any]:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    fix = {"deviceId": device, "latitude": latitude, "longitude": 1, "accuracy": 50, **fields}
    response = control.post("/v1/track", json=fix, headers={"Authorization": key})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def ask(control: httpx.Client, what: str, **body: Any) -> dict[str, Any]:
    response = control.post(f"/_workspace/{what}", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    assert answer.pop("meta") == {"code": 200}
    return answer


@pytest.fixture
def walked(control: httpx.Client, engine: Engine) -> Iterator[str]:
    """A device that passed 10 m beside a geofence."""
    lines(control.post("/_workspace/import?keepGoodRows=true", content=CSV))
    for minute, latitude in enumerate((3, 2 + 60 / 110_600, 3)):
        track(control, engine, "walker", latitude, updatedAt=f"2026-05-01T08:0{minute}:00Z")
    yield "walker"
    engine.history.clear_test_data(geofences=True)


def test_explain(control: httpx.Client, walked: str) -> None:
    explained = ask(control, "explain", deviceId=walked, at="2026-05-01T08:01:30Z")
    assert explained["update"]["updatedAt"] == "2026-05-01T08:01:00.000Z"
    (explanation,) = explained["explanations"]
    assert (explanation["geofence"]["tag"], explanation["decision"]) == ("shop", "outside")
    assert explanation["distance"] == pytest.approx(10, abs=1)
    assert ask(control, "explain", deviceId=walked)["explanations"] == []


def test_replay(control: httpx.Client, engine: Engine, walked: str) -> None:
    report = ask(control, "replay", deviceIds=[walked], settings={"bufferEntries": True})
    assert (report["updates"], report["before"], report["removed"]) == (3, [], [])
    assert [event["type"] for event in report["added"]] == ["user.entered_geofence", "user.exited_geofence"]
    assert engine.history.counts(Environment.TEST).events == 0
    assert not engine.settings.get(Environment.TEST).buffer_entries
    part = ask(control, "replay", deviceIds=[walked], after="2026-05-01T08:00:30Z", before="2026-05-01T08:01:30Z")
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
    track(control, engine, "other", 2)
    kept = {"trips": 0, "beacons": 0}
    assert ask(control, "clear", deviceId=walked) == kept | {"users": 1, "events": 0, "updates": 3, "geofences": 0}
    assert ask(control, "clear", geofences=True) == kept | {"users": 1, "events": 1, "updates": 1, "geofences": 1}
    assert engine.history.counts(Environment.LIVE).geofences == 1


@pytest.mark.parametrize(
    ("what", "body", "status", "param"),
    [
        ("explain", {}, 400, "deviceId"),
        ("explain", {"deviceId": "d", "at": "noon"}, 400, "at"),
        ("explain", {"deviceId": "nobody"}, 404, "device"),
        ("explain", {"deviceId": "d", "environment": "prod"}, 400, "environment"),
        ("replay", {"deviceIds": ["nobody"]}, 404, "device"),
        ("replay", {"deviceIds": ["d"], "settings": {"bufferEntry": True}}, 400, "bufferEntry"),
        ("replay", {"deviceIds": ["d"], "settings": {"minimumConfidence": 4}}, 400, "minimumConfidence"),
        ("replay", {"deviceIds": ["d"], "settings": []}, 400, "settings"),
        ("replay", {"deviceIds": ["d"], "fences": "later"}, 400, "fences"),
        ("clear", {"geofences": "all"}, 400, "geofences"),
        ("clear", {"deviceId": "d", "geofences": True}, 400, "geofences"),
        ("clear", [], 400, "body"),
    ],
)
def test_bad_bodies(control: httpx.Client, what: str, body: object, status: int, param: str) -> None:
    response = control.post(f"/_workspace/{what}", json=body)
    assert (response.status_code, response.json()["meta"]["param"]) == (status, param), response.text


def test_commands_are_not_limited(control: httpx.Client, engine: Engine) -> None:
    for _ in range(5):
        track(control, engine, "busy", 50)


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
        body = b'{"deviceIds":["d"]}'
        headers = f"Authorization: {TOKEN}", "Content-Type: application/json", f"Content-Length: {len(body)}"
        with Wire(server.port) as wire:
            wire.send(request("POST", "/_workspace/replay", *headers, body=body))
            assert started.wait(60)
        assert ended.wait(60)


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("check", b"[]", "body"),
        ("check", b'{"checks": ["nope"]}', "checks"),
        ("check", b'{"accuracy": -1}', "accuracy"),
        ("promotion/plan", b'{"from": "staging"}', "from"),
        ("promotion/plan", b"{", "body"),
    ],
)
def test_what_is_wrong_with_a_request_of_a_command_is_named(
    control: httpx.Client, path: str, body: bytes, told: str
) -> None:
    response = control.post(f"/_workspace/{path}", content=body)
    assert (response.status_code, response.json()["meta"]["message"].startswith(told)) == (400, True), response.text


def test_what_is_wrong_with_long_work_is_its_last_line(control: httpx.Client) -> None:
    damaged = lines(control.post("/_workspace/promotion/apply", content=b"{}"))
    assert "is no change set" in str(damaged[-1]["error"])
    same = lines(control.post("/_workspace/promotion/plan", content=b'{"from": "live", "to": "live"}'))
    assert "to: must be the other environment" in str(same[-1]["error"])
    checked = lines(control.post("/_workspace/check", content=b"{}"))
    assert {"done", "total"} == checked[0].keys()
    assert "findings" in checked[-1]["report"]  # type: ignore[operator]
