"""The private routes by which other commands reach the process that has the workspace open."""

import os
from collections.abc import Iterator

import httpx
import orjson
import pytest

from app.api.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.domain.imports import ImportReport
from engine.domain.ports import Cancelled, Progress
from engine.engine import Engine

TOKEN = "a control token"
CSV = b'description,type,tag,externalId,coordinates,radius\nA,circle,shop,1,"[1,2]",50\nB,circle,shop,2,"[1,2]",5\n'


@pytest.fixture(scope="module")
def control(engine: Engine) -> Iterator[httpx.Client]:
    with (
        ApiServer(engine, port=0, control_token=TOKEN) as server,
        httpx.Client(base_url=server.url, headers={"Authorization": TOKEN}) as client,
    ):
        yield client


def lines(response: httpx.Response) -> list[dict[str, object]]:
    assert response.headers["content-type"] == "application/x-ndjson"
    return [orjson.loads(line) for line in response.content.splitlines()]


@pytest.mark.parametrize("path", ["status", "import", "keys/rotate"])
def test_only_with_the_token(control: httpx.Client, engine: Engine, path: str) -> None:
    method = "GET" if path == "status" else "POST"
    for wrong in ("", "x", engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)):
        response = control.request(method, f"/_workspace/{path}", headers={"Authorization": wrong})
        assert response.status_code == 401
        assert "access-control-allow-origin" not in response.headers


def test_no_page_may_call(control: httpx.Client) -> None:
    response = control.options("/_workspace/status", headers={"Access-Control-Request-Method": "GET"})
    assert response.status_code == 404
    assert "access-control-allow-origin" not in response.headers


def test_status(control: httpx.Client, engine: Engine) -> None:
    status = control.get("/_workspace/status").json()
    assert status["pid"] == os.getpid()
    assert status["folder"] == str(engine.workspace.folder)
    assert "url" not in status


def test_v1_is_served_too(control: httpx.Client, engine: Engine) -> None:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
    assert control.get("/v1/users", headers={"Authorization": key}).status_code == 200
    assert control.get("/v1/users").status_code == 401


def test_import(control: httpx.Client, engine: Engine) -> None:
    told = lines(control.post("/_workspace/import", params={"environment": "live"}, content=CSV))
    assert told[-1]["report"] == {
        "rows": 2,
        "created": 1,
        "updated": 0,
        "failed": 1,
        "dryRun": False,
        "errors": [{"row": 3, "column": "radius", "message": told[-1]["report"]["errors"][0]["message"]}],  # type: ignore[index]
    }
    assert told[0]["total"] == 2
    assert engine.geofence_with_key(Environment.LIVE, "shop", "1").description == "A"
    assert engine.counts(Environment.TEST).geofences == 0


def test_dry_run(control: httpx.Client, engine: Engine) -> None:
    told = lines(control.post("/_workspace/import?dryRun=true", content=CSV))
    assert told[-1]["report"]["dryRun"] is True  # type: ignore[index]
    assert engine.counts(Environment.TEST).geofences == 0


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

    def slow_import(_environment: Environment, _data: bytes, *, dry_run: bool, progress: Progress) -> ImportReport:
        try:
            while True:
                progress(1, 2)
        except Cancelled:
            ended.append("cancelled")
            raise

    monkeypatch.setattr(engine, "import_csv", slow_import)
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
