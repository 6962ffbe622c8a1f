"""Injected faults: their effect on a client's socket, and the clients that they never hit."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import httpx
import pytest

from app.api.server.server import ApiServer
from engine.engine import Engine
from tests.app.api.conftest import Api, MakeApi, assert_refused, circle, fix
from tests.waiting import eventually


@pytest.fixture(autouse=True)
def _none_left(secret: Api) -> Iterator[None]:
    yield
    assert secret.delete("/v1/faults").status_code == 200


def add(secret: Api, **fault: Any) -> dict[str, Any]:
    answer = secret.post("/v1/faults", json=fault)
    assert answer.status_code == 200, answer.text
    record: dict[str, Any] = answer.json()["fault"]
    return record


def statuses(client: httpx.Client, path: str, count: int) -> list[int]:
    return [client.get(path).status_code for _ in range(count)]


@pytest.fixture
def plain(server: ApiServer, publishable: Api) -> Iterator[httpx.Client]:
    """A client whose responses need not be as documented."""
    with httpx.Client(base_url=server.url, headers={"Authorization": publishable.key or ""}, timeout=40) as client:
        yield client


def test_a_status_comes_with_its_headers_and_in_the_shape_of_errors(secret: Api, plain: httpx.Client) -> None:
    fault = add(
        secret,
        kind="status",
        path="/v1/track",
        status=429,
        headers={"Retry-After": "3", "X-RateLimit-Remaining": "0"},
        type="hourly",
        message="Slow down.",
    )
    answer = plain.post("/v1/track", json=fix("late"))
    assert answer.status_code == 429
    assert (answer.headers["retry-after"], answer.headers["x-ratelimit-remaining"]) == ("3", "0")
    assert answer.json() == {"meta": {"code": 429, "type": "hourly", "message": "Slow down."}}
    assert answer.headers["access-control-allow-origin"] == "*"
    assert secret.get("/v1/users/late").status_code == 404
    assert secret.get(f"/v1/faults/{fault['_id']}").json()["fault"]["hits"] == 1


def test_a_429_names_the_limit_of_the_operation(secret: Api, plain: httpx.Client) -> None:
    add(secret, kind="status", status=429)
    for method, path, body, limit in (
        ("POST", "/v1/track", fix("fast"), "trackPerDevice"),
        ("GET", "/v1/geocode/ip", None, "ipGeocode"),
    ):
        assert plain.request(method, path, json=body).json()["meta"]["type"] == limit


@pytest.mark.parametrize("status", [402, 451, 500, 502, 503])
def test_any_error_can_be_had(secret: Api, plain: httpx.Client, status: int) -> None:
    fault = add(secret, kind="status", status=status)
    answer = plain.get("/v1/config")
    assert answer.status_code == answer.json()["meta"]["code"] == status
    assert "type" not in answer.json()["meta"], "429 alone names a limit"
    assert fault["_id"] in answer.json()["meta"]["message"]


@pytest.mark.parametrize(
    ("chosen", "hit"),
    [
        ({"nth": 3}, [3]),
        ({"times": 2}, [1, 2]),
        ({"every": 3}, [3, 6]),
        ({"every": 2, "times": 2}, [2, 4]),
    ],
)
def test_which_requests_are_hit(secret: Api, plain: httpx.Client, chosen: dict[str, int], hit: list[int]) -> None:
    fault = add(secret, kind="status", status=503, **chosen)
    found = statuses(plain, "/v1/config", 7)
    assert [number for number, status in enumerate(found, 1) if status == 503] == hit
    kept = secret.get(f"/v1/faults/{fault['_id']}").json()["fault"]
    assert kept["hits"] == len(hit)
    assert kept["active"] is ("times" not in chosen and "nth" not in chosen)


def test_a_share_hits_the_same_requests_with_the_same_seed(secret: Api, plain: httpx.Client) -> None:
    runs = []
    for seed in (7, 7, 8):
        fault = add(secret, kind="status", status=503, share=0.5, seed=seed)
        runs.append(statuses(plain, "/v1/config", 40))
        secret.delete(f"/v1/faults/{fault['_id']}")
    assert runs[0] == runs[1] != runs[2]
    assert 5 < runs[0].count(503) < 35


def test_only_the_path_method_key_and_device_that_are_named(secret: Api, publishable: Api, plain: httpx.Client) -> None:
    add(secret, kind="status", status=503, path="/api/v1/*search/geo*", method="GET", key="publishable")
    assert plain.get("/v1/search/geofences?near=1,2").status_code == 503
    assert plain.get("/api/v1/search/geofences/?near=1,2").status_code == 503
    assert plain.get("/v1/search/beacons?near=1,2").status_code == 200
    assert secret.get("/v1/search/geofences?near=1,2").status_code == 200
    secret.delete("/v1/faults")
    add(secret, kind="status", status=503, deviceId="lame")
    assert plain.post("/v1/track", json=fix("lame")).status_code == 503
    assert publishable.post("/v1/track", json=fix("hale")).status_code == 200
    assert publishable.get("/v1/config").status_code == 200


def test_a_latency_holds_the_request_and_no_other(secret: Api, publishable: Api) -> None:
    add(secret, kind="latency", latencyMs=700, path="/v1/config")
    add(secret, kind="latency", latencyMs=500, path="/v1/conf*")
    with ThreadPoolExecutor(1) as pool:
        began = monotonic()
        waiting = pool.submit(publishable.get, "/v1/config")
        others = 0
        while not waiting.done():
            assert secret.post("/v1/track", json=fix("brisk")).status_code == 200
            others += 1
        assert waiting.result().status_code == 200
    assert monotonic() - began >= 1.2
    assert others > 1, "the first of them may have come before"


def test_who_gives_up_waiting_is_no_longer_held_and_is_carried_out(
    server: ApiServer, secret: Api, publishable: Api
) -> None:
    add(secret, kind="latency", latencyMs=120_000)
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(
            f"{server.url}/v1/track",
            json=fix("gone"),
            headers={"Authorization": publishable.key or ""},
            timeout=httpx.Timeout(20, read=0.5),
        )
    secret.delete("/v1/faults")
    eventually(lambda: secret.get("/v1/users/gone").status_code == 200)


@pytest.mark.parametrize(("when", "stored"), [("before", False), ("after", True), (None, False)])
def test_a_dropped_connection_sends_nothing(secret: Api, plain: httpx.Client, when: str | None, stored: bool) -> None:
    device = f"drop{when}"
    add(secret, kind="drop", times=1, **({} if when is None else {"when": when}))
    with pytest.raises(httpx.RemoteProtocolError):
        plain.post("/v1/track", json=fix(device))
    assert (secret.get(f"/v1/users/{device}").status_code == 200) is stored
    logged = secret.get(f"/v1/requests?deviceId={device}").json()["requests"][0]
    assert logged["faults"]
    assert "response" not in logged
    assert plain.post("/v1/track", json=fix(device)).status_code == 200


@pytest.mark.parametrize("sent", [None, 0, 9, 1_000_000])
def test_a_truncated_body_ends_before_its_end(secret: Api, plain: httpx.Client, sent: int | None) -> None:
    whole = plain.get("/v1/config").content
    add(secret, kind="truncate", path="/v1/config", **({} if sent is None else {"bytes": sent}))
    head, body = _raw(plain, "/v1/config")
    assert head.startswith(b"HTTP/1.1 200 OK")
    expected = len(whole) // 2 if sent is None else min(sent, len(whole) - 1)
    assert f"content-length: {len(whole)}".encode() in head
    assert body == whole[:expected]


@pytest.mark.slow
def test_a_large_packed_body_is_truncated_too(secret: Api, plain: httpx.Client, name: str) -> None:
    for number in range(300):
        secret.put(f"/v1/geofences/{name}/{number}", json=circle(name, str(number), description="x" * 300))
    add(secret, kind="truncate", path="/v1/geofences", bytes=100)
    keyed = {"Authorization": secret.key or ""}
    for headers in (keyed, keyed | {"Accept-Encoding": "identity"}):
        with pytest.raises(httpx.RemoteProtocolError):
            plain.get("/v1/geofences?limit=1000", headers=headers)


def test_a_slow_body_comes_whole_at_its_speed(secret: Api, publishable: Api) -> None:
    whole = publishable.get("/v1/config").json()
    size = len(publishable.get("/v1/config").content)
    add(secret, kind="slow", bytesPerSecond=size, path="/v1/config")
    began = monotonic()
    assert publishable.get("/v1/config").json() == whole
    assert monotonic() - began >= 0.8


def test_live_is_never_hit_and_sets_nothing(secret: Api, live: Api) -> None:
    add(secret, kind="drop")
    assert live.get("/v1/config").status_code == 200
    assert live.post("/v1/track", json=fix("alive")).status_code == 200
    for method in ("GET", "POST", "DELETE"):
        assert_refused(live.request(method, "/v1/faults", json={"kind": "drop"}), "Authorization", status=403)
    assert_refused(live.delete("/v1/faults/fault1"), "Authorization", status=403)


def test_an_answer_before_the_body_of_its_request_has_connection_close(secret: Api, live: Api) -> None:
    add(secret, kind="drop")
    url = httpx.URL(live.url)
    with socket.create_connection((url.host, url.port or 80), 20) as connection:
        head = (
            f"DELETE /v1/faults HTTP/1.1\r\nHost: {url.host}\r\nAuthorization: {live.key}\r\nContent-Length: 2\r\n\r\n"
        )
        connection.sendall(head.encode())
        answer = b""
        while b"\r\n\r\n{" not in answer:
            answer += connection.recv(65536)
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert b"\r\nconnection: close\r\n" in answer
        connection.sendall(b"{}")
        assert connection.recv(65536) == b"", "closed, not reset"


def test_paths_that_a_test_needs_are_never_hit(secret: Api, publishable: Api) -> None:
    fault = add(secret, kind="drop")
    for path in ("/v1/faults", "/v1/clock", "/v1/settings", "/v1/requests"):
        assert secret.get(path).status_code == 200
    assert_refused(publishable.get("/v1/faults"), "Authorization", status=403)
    assert secret.delete(f"/v1/faults/{fault['_id']}").json()["fault"]["hits"] == 0
    assert_refused(secret.delete(f"/v1/faults/{fault['_id']}"), "id", status=404)
    assert secret.get("/v1/config").status_code == 200


def test_a_request_that_is_refused_anyway_is_not_counted(secret: Api, publishable: Api, make_api: MakeApi) -> None:
    fault = add(secret, kind="status", status=503)
    assert make_api("prj_test_pk_0").get("/v1/config").status_code == 401
    assert publishable.post("/v1/track", json={}).status_code == 400
    assert secret.get(f"/v1/faults/{fault['_id']}").json()["fault"]["matched"] == 0


def test_the_log_names_the_fault_that_has_hit(secret: Api, plain: httpx.Client) -> None:
    fault = add(secret, kind="status", status=503)
    plain.get("/v1/config")
    newest = secret.get("/v1/requests?limit=1").json()["requests"][0]
    assert (newest["path"], newest["faults"]) == ("/v1/config", [fault["_id"]])


@pytest.mark.parametrize(
    ("fault", "param", "word"),
    [
        ({}, "kind", "required"),
        ({"kind": "teapot"}, "kind", "'latency', 'status'"),
        ({"kind": "latency"}, "latencyMs", "is required for a"),
        ({"kind": "status"}, "status", "is required for a"),
        ({"kind": "slow"}, "bytesPerSecond", "is required for a"),
        ({"kind": "status", "status": 200}, "status", "400"),
        ({"kind": "latency", "latencyMs": 120_001}, "latencyMs", "120000"),
        ({"kind": "drop", "latencyMs": 5}, "latencyMs", "only for"),
        ({"kind": "drop", "nth": 1, "every": 2}, "every", "combined"),
        ({"kind": "drop", "nth": 1, "times": 2}, "times", "combined"),
        ({"kind": "drop", "seed": 1}, "seed", "share"),
        ({"kind": "drop", "share": 1.5}, "share", "greater than 0 and at most 1, not 1.5"),
        ({"kind": "drop", "path": "/docs"}, "path", "/v1/"),
        ({"kind": "drop", "path": "*" * 9}, "path", "stars"),
        ({"kind": "drop", "method": "BREW"}, "method", "GET"),
        ({"kind": "drop", "whne": "after"}, "whne", "no such"),
        ({"kind": "status", "status": 429, "headers": {"Bad Name": "1"}}, "headers", "Bad Name"),
        ({"kind": "status", "status": 429, "headers": {"A": "1\r\nB: 2"}}, "headers", "printable"),
        ({"kind": "status", "status": 429, "headers": {"Content-Length": "0"}}, "headers", "cannot be set"),
        ({"kind": "status", "status": 429, "headers": {"Retry-After": 3}}, "headers", "Retry-After: must be a string"),
        ({"kind": "status", "status": 429, "headers": {"X-A": "x" * 257}}, "headers", "X-A: at most 256 characters"),
        ({"kind": "status", "status": 429, "headers": {"X-A": "1", "x-a": "2"}}, "headers", "x-a is there twice"),
        ({"kind": "drop", "path": "/v1/trak"}, "path", "nothing at '/v1/trak'; did you mean /v1/track?"),
        ({"kind": "drop", "path": "/v1/routes/*"}, "path", "nothing at '/v1/routes/*'"),
        ({"kind": "drop", "path": "/v1/settings"}, "path", "nothing at '/v1/settings'"),
        ({"kind": "drop", "path": "/v1/track", "method": "GET"}, "method", "GET is not served at /v1/track, only POST"),
        ({"kind": "drop", "path": "/v1/users*", "key": "publishable"}, "key", "publishable keys do not open"),
    ],
)
def test_invalid_faults_are_refused(secret: Api, fault: dict[str, Any], param: str, word: str) -> None:
    answer = secret.post("/v1/faults", json=fault)
    assert_refused(answer, param, word)


def test_there_are_not_endlessly_many(secret: Api) -> None:
    for _ in range(100):
        add(secret, kind="drop", deviceId="nobody")
    assert_refused(secret.post("/v1/faults", json={"kind": "drop"}), "kind", status=400)


def test_requests_that_are_held_have_a_bound(engine: Engine, make_api: MakeApi, secret: Api, publishable: Api) -> None:
    add(secret, kind="latency", latencyMs=120_000, path="/v1/config")
    url = httpx.URL(publishable.url)
    request = f"GET /v1/config HTTP/1.1\r\nHost: {url.host}\r\nAuthorization: {publishable.key}\r\n\r\n".encode()
    held = [socket.create_connection((url.host, url.port or 80), 20) for _ in range(128)]
    try:
        for each in held:
            each.sendall(request)
        eventually(lambda: secret.get("/v1/faults").json()["faults"][0]["hits"] >= 128)
        assert publishable.get("/v1/config").status_code == 503
        assert publishable.get("/v1/search/beacons?near=1,2").status_code == 200
    finally:
        for each in held:
            each.close()
    secret.delete("/v1/faults")
    assert publishable.get("/v1/config").status_code == 200


def _raw(client: httpx.Client, path: str) -> tuple[bytes, bytes]:
    """Return the head and the received part of the body, until the server closes."""
    url = client.base_url
    with socket.create_connection((url.host, url.port or 80), 20) as connection:
        key = client.headers["Authorization"]
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {url.host}\r\nAuthorization: {key}\r\n\r\n".encode())
        received = b""
        while part := connection.recv(65536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    return head, body
