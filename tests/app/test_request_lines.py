"""``fencewright serve --verbose``: a line for each request on standard error."""

import re
from pathlib import Path

import httpx

from tests.app.api.wire import Wire
from tests.app.commands import Commands

FIX = {"deviceId": "phone-1", "latitude": 47.1, "longitude": 9.5, "accuracy": 10}


def test_each_request_is_a_line_without_its_key(fencewright: Commands, tmp_path: Path) -> None:
    with fencewright.serve(tmp_path / "w", "--verbose") as server, httpx.Client(base_url=server.url) as client:
        key = server.key()
        client.headers["Authorization"] = key
        client.post("/v1/track", json=FIX | {"userID": "ann"})
        client.get(f"/v1/geofence?key={key}&a=%1b%5B2J")
        with Wire(int(server.url.rpartition(":")[2])) as wire:
            wire.send(b"GET /v1/users/\x1b[2J\xe2\x80\xa8 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wire.rest()
        client.post("/v1/events", json={"name": "bought", "deviceId": "phone-1"})
        ended = server.stop()
    lines = [line for line in ended.err.splitlines() if not line.startswith("fencewright: ")]
    assert [re.sub(r"^\d\d:\d\d:\d\d\.\d{3} |[\d.]+ ms", "", line) for line in lines] == [
        "POST /v1/track 200  phone-1  ! userID: no parameter of POST /v1/track; did you mean userId?",
        f"GET /v1/geofence?key=prj_test_sk_…{key[-4:]}&a=%1b%5B2J 404   "
        "! Nothing is served at /v1/geofence; did you mean /v1/geofences?",
        "GET /v1/users/\\x1b[2J\\u2028 400 ",
        "POST /v1/events 200  phone-1 bought",
    ]
    assert key not in ended.err
    assert ended.code == 0


def test_without_it_nothing_is_written(fencewright: Commands, tmp_path: Path) -> None:
    with fencewright.serve(tmp_path / "w") as server:
        httpx.get(f"{server.url}/v1/users")
        ended = server.stop()
    assert all(line.startswith("fencewright: ") for line in ended.err.splitlines())
