"""GET and DELETE /v1/requests over real sockets: every request with its effects and without its key."""

import gzip
import json
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from app.api.http.request_log.ring import KEPT_BODY
from app.api.server.server import ApiServer
from app.api.v1.request_log.reader import RequestReader, position_of
from app.exchanges import Exchange, RequestSummary
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.engine import Engine
from tests.app.api.conftest import Api, MakeApi, assert_refused, circle, fix
from tests.app.api.wire import Wire, meta_of, request
from tests.waiting import eventually

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def cleared(server: ApiServer) -> None:
    """Start with an empty log."""
    for live in (True, False):
        server.requests.clear(live=live)


def logged(secret: Api, **query: Any) -> list[dict[str, Any]]:
    """Return the requests of the log, newest first."""
    listed: list[dict[str, Any]] = secret.get("/v1/requests", params=query).json()["requests"]
    return listed


def newest(secret: Api) -> dict[str, Any]:
    """Return the latest request of the log."""
    return logged(secret, limit=1)[0]


def test_a_request_is_logged_with_its_response_and_events(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    body = fix(name, userId="ann")
    answer = publishable.post("/v1/track", json=body)
    entry = newest(secret)
    assert (entry["method"], entry["path"], entry["environment"]) == ("POST", "/v1/track", "test")
    assert (entry["deviceId"], entry["userId"], entry["client"]) == (name, "ann", "127.0.0.1")
    assert json.loads(entry["body"]) == body
    assert entry["bodySize"] == len(entry["body"])
    assert entry["response"]["status"] == 200
    assert json.loads(entry["response"]["body"]) == answer.json()
    assert entry["events"] == [{"_id": each["_id"], "type": each["type"]} for each in answer.json()["events"]]
    assert [each["type"] for each in entry["events"]] == ["user.entered_geofence"]
    assert entry["requestId"] == answer.headers["x-radar-request-id"]
    assert entry["durationMs"] > 0
    assert entry["nearMisses"] == []
    assert secret.get(f"/v1/requests/{entry['number']}").json()["request"] == entry
    secret.post("/v1/geofences", json=circle(name))
    assert newest(secret)["response"]["status"] == 409


def test_both_ways_of_an_update_are_logged_alike(secret: Api, publishable: Api, name: str) -> None:
    publishable.post("/v1/track", json=fix(name))
    publishable.post("/v1/track?explain=false", json=fix(name))
    ordinary, express = logged(secret)
    for each in (ordinary, express):
        assert (each["method"], each["deviceId"], each["response"]["status"]) == ("POST", name, 200)
        assert json.loads(each["body"]) == fix(name)
        assert {"name": "x-radar-request-id", "value": each["requestId"]} in each["response"]["headers"]
    assert express["headers"] == ordinary["headers"]


@pytest.mark.parametrize(
    ("sent", "options"),
    [
        ("plain", {"json": fix("device")}),
        ("in a replay", {"json": {"replays": [fix("device")]}}),
        ("in a query", {"params": {"deviceId": "device"}}),
        ("percent-encoded", {"content": b"", "params": b"deviceId=%64evice"}),
        ("in a form", {"data": fix("device")}),
        ("in an encoded form", {"content": b"deviceId=%64evice", "headers": {"Content-Type": FORM}}),
        ("with escapes", {"content": b'{"deviceId": "\\u0064evice"}'}),
        ("packed", {"content": gzip.compress(b'{"deviceId": "device"}'), "headers": {"Content-Encoding": "gzip"}}),
    ],
)
def test_requests_are_found_however_their_values_are_written(
    secret: Api, publishable: Api, sent: str, options: dict[str, Any]
) -> None:
    publishable.post("/v1/track", json=fix("other", metadata={"device": "devices"}))
    publishable.post("/v1/track", **options)
    for query in ({"deviceId": "device"}, {"path": "/v1/track", "limit": 1}, {"method": "post", "deviceId": "device"}):
        (found,) = logged(secret, **query)
        assert found["deviceId"] == "device", sent
    assert logged(secret, deviceId="dev") == []
    assert logged(secret, deviceId="device", method="PUT") == []
    assert logged(secret, deviceId="device", path="/v1/users") == []


def test_masked_text_is_not_found_by_its_original(secret: Api, publishable: Api) -> None:
    key = publishable.key or ""
    publishable.get(f"/v1/config?key={key}")
    assert len(logged(secret, path="/v1/config?key=")) == 1
    assert logged(secret, path=f"/v1/config?key={key[:20]}") == []
    assert logged(secret, path="/v1/config?key=prj_test_pk_\u2026") != []


def test_only_requests_that_may_match_are_parsed(
    secret: Api, publishable: Api, server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing a request takes half a millisecond, and the log has thousands of them."""
    for number in range(50):
        publishable.post("/v1/track", json=fix(f"device-{number}"))
    read: list[int] = []
    summary = RequestReader.summary

    def noted(reader: RequestReader, exchange: Exchange) -> RequestSummary:
        read.append(exchange.number)
        return summary(reader, exchange)

    monkeypatch.setattr(RequestReader, "summary", noted)
    for query in ({"path": "/v1/geofences"}, {"method": "DELETE"}, {"deviceId": "device"}, {"userId": "ann"}):
        assert logged(secret, **query) == []
    assert not read
    assert len(logged(secret, deviceId="device-7")) == 1


def test_conversions_and_replays_name_their_events_and_lists_of_events_none(
    secret: Api, publishable: Api, name: str
) -> None:
    secret.post("/v1/geofences", json=circle(name))
    answer = publishable.post("/v1/track/replay", json={"replays": [fix(name, -73.5), fix(name)]}).json()
    replay = newest(secret)
    assert [each["_id"] for each in replay["events"]] == [each["_id"] for each in answer["events"]]
    assert replay["events"]
    assert replay["deviceId"] == name
    publishable.post("/v1/events", json={"name": "bought", "deviceId": name})
    assert [each["type"] for each in newest(secret)["events"]] == ["bought"]
    secret.get("/v1/events", params={"deviceId": name})
    assert newest(secret)["events"] == []


def test_keys_cannot_be_read_through_the_log(secret: Api, engine: Engine, server: ApiServer) -> None:
    values = [key.value for key in engine.workspace.keys.all()]
    with httpx.Client(base_url=server.url) as client:
        for value in values:
            escaped = "".join(f"\\u{ord(letter):04x}" for letter in value)
            client.get(f"/v1/users/{value}", headers={"Authorization": f"Bearer {value}", "X-Key": value})
            client.get(f"/v1/users?key={value}&publishableKey={value}&x=%70{value[1:]}")
            client.post(
                "/v1/track", json=fix(value, userId=value, metadata={value: value}), headers={"Authorization": value}
            )
            client.post(
                "/v1/track", content=f'{{"deviceId": "{escaped}", "{value}": 1}}', headers={"Authorization": value}
            )
            client.post("/v1/events", data={"name": value, "deviceId": value}, headers={"Authorization": value})
            client.request(value.replace("_", "-"), "/v1/track")
            client.get("/v1/track", headers={"Host": value, value: value})
    listed = json.dumps([httpx.get(f"{server.url}/v1/requests", headers={"Authorization": secret.key or ""}).json()])
    shown = json.dumps([server.requests.read(each) for each in server.requests.snapshot()], default=str)
    for value in values:
        for text in (listed, shown):
            assert value not in text
            assert value.rpartition("_")[2] not in text
    assert f"prj_test_sk_\\u2026{(secret.key or '')[-4:]}" in listed


def test_requests_of_live_are_not_shown_and_live_keys_do_not_open_the_log(
    secret: Api, live: Api, publishable: Api, server: ApiServer, make_api: MakeApi, engine: Engine, name: str
) -> None:
    live.post("/v1/track", json=fix(name))
    live.delete("/v1/track")
    live_publishable = make_api(engine.workspace.keys.value(Environment.LIVE, KeyLevel.PUBLISHABLE))
    live_publishable.get("/v1/users")
    assert logged(secret) == []
    assert len(server.requests.snapshot()) == 3
    number = server.requests.snapshot()[0].number
    assert_refused(secret.get(f"/v1/requests/{number}"), "number", status=404)
    for method, path in (("GET", "/v1/requests"), ("GET", f"/v1/requests/{number}"), ("DELETE", "/v1/requests")):
        assert_refused(live.request(method, path), "Authorization", "Test secret key", status=403)
        assert_refused(publishable.request(method, path), "Authorization", "secret key", status=403)
    assert secret.delete("/v1/requests").json()["cleared"] == 4, "what was not found, and what was refused"
    assert [each.live for each in server.requests.snapshot()] == [True] * 6


@pytest.mark.parametrize(
    ("sent", "status", "method", "path"),
    [
        (request("GET", "/nowhere?a=1"), 404, "GET", "/nowhere?a=1"),
        (request("BREW", "/v1/track"), 405, "BREW", "/v1/track"),
        (request("POST", "/v1/track", "Content-Length: 2", body=b"{}"), 401, "POST", "/v1/track"),
        (request("POST", "/v1/track", "Content-Length: 99999999"), 401, "POST", "/v1/track"),
        (request("CONNECT", "example.com:443"), 405, "CONNECT", "example.com:443"),
        (request("OPTIONS", "/v1/track"), 200, "OPTIONS", "/v1/track"),
        (request("GET", "/v1/users", "Host: evil.example"), 400, "GET", "/v1/users"),
        (b"GET /v1/track HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n", 400, "GET", "/v1/track"),
        (b"nothing of the kind\r\n\r\n", 400, "nothing", "of"),
        (b"POST /v1/track HTTP/1.1\r\nX: " + b"x" * 40_000, 400, "POST", "/v1/track"),
        (request("POST", "/v1/track", "Transfer-Encoding: chunked", body=b"zz\r\n"), 400, "POST", "/v1/track"),
    ],
)
def test_requests_refused_before_any_handler_are_logged(
    secret: Api, server: ApiServer, sent: bytes, status: int, method: str, path: str
) -> None:
    with Wire(server.port) as wire:
        wire.send(sent)
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 %d" % status)
    entry = newest(secret)
    assert (entry["response"]["status"], entry["method"], entry["path"]) == (status, method, path)
    assert json.loads(entry["response"]["body"])["meta"] == meta_of(answer)


def test_a_connection_that_sends_nothing_is_no_request(secret: Api, server: ApiServer) -> None:
    with Wire(server.port):
        pass
    assert logged(secret) == []


def test_of_large_bodies_the_beginning_and_the_size_are_kept(secret: Api, publishable: Api, name: str) -> None:
    metadata = {f"key{number}": "x" * 2_000 for number in range(32)}
    replays = [fix(name, metadata=metadata) for _ in range(10)]
    answer = publishable.post("/v1/track/replay", json={"replays": replays}, headers={"Accept-Encoding": "identity"})
    assert answer.status_code == 200
    entry = newest(secret)
    size = len(answer.request.content)
    assert (entry["bodySize"], entry["bodyTruncated"], len(entry["body"])) == (size, True, KEPT_BODY)
    assert answer.request.content.decode().startswith(entry["body"])
    response = entry["response"]
    assert (response["bodySize"], response["bodyTruncated"]) == (len(answer.content), True)
    assert len(response["body"].encode()) == KEPT_BODY
    assert entry["deviceId"] == name


def test_packed_bodies_are_logged_decompressed(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name, description="x" * 900))
    body = json.dumps(fix(name, userID="ann", metadata={"key": secret.key}))
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json", "Accept-Encoding": "gzip"}
    answer = publishable.post("/v1/track?explain=true", content=gzip.compress(body.encode()), headers=headers)
    assert answer.headers["content-encoding"] == "gzip"
    entry = newest(secret)
    assert entry["body"] == body.replace(secret.key or "", f"prj_test_sk_…{(secret.key or '')[-4:]}")
    assert [each["_id"] for each in entry["events"]] == [each["_id"] for each in answer.json()["events"]]
    assert entry["events"]
    assert entry["response"]["body"] == answer.text.replace(secret.key or "", f"prj_test_sk_…{(secret.key or '')[-4:]}")
    assert [each["param"] for each in entry["nearMisses"]] == ["userID"]


def test_reading_the_log_is_not_logged_unless_it_is_refused(secret: Api, publishable: Api) -> None:
    secret.get("/v1/requests")
    secret.get("/v1/requests", params={"limit": 0})
    publishable.get("/v1/requests")
    assert [each["response"]["status"] for each in logged(secret)] == [403, 400]


def test_filters(secret: Api, publishable: Api, name: str) -> None:
    publishable.post("/v1/track", json=fix(f"{name}-1", userId="ann"))
    publishable.post("/v1/track", json=fix(f"{name}-2", colour="red"))
    publishable.post("/api/v1/track", json={"deviceId": f"{name}-1"})
    secret.get("/v1/users", params={"deviceId": f"{name}-2"})
    secret.get("/v1/geofence")
    entries = logged(secret, order="asc")
    first, second, third, fourth, fifth = (each["number"] for each in entries)

    def found(**query: Any) -> list[int]:
        return [each["number"] for each in logged(secret, order="asc", **query)]

    assert found(method="get") == [fourth, fifth]
    assert found(path="/v1/track") == [first, second, third]
    assert found(path="/api/v1/track") == [first, second, third]
    assert found(status="4xx") == [third, fifth]
    assert found(status="200, 404") == [first, second, fourth, fifth]
    assert found(status="400") == [third]
    assert found(deviceId=f"{name}-1") == [first, third]
    assert found(deviceId=f"{name}-2") == [second, fourth]
    assert found(userId="ann") == [first]
    assert found(since=third) == [fourth, fifth]
    assert found(since=entries[2]["createdAt"]) == [
        each["number"] for each in entries if each["createdAt"] > entries[2]["createdAt"]
    ]
    assert found(since="2001-01-01") == [first, second, third, fourth, fifth]
    assert found(nearMisses="true") == [second, fifth]
    assert found(nearMisses="false") == [first, third, fourth]
    assert found(method="POST", status="2xx", nearMisses="true") == [second]
    page = secret.get("/v1/requests", params={"limit": 2}).json()
    assert [each["number"] for each in page["requests"]] == [fifth, fourth]
    assert page["meta"]["hasMore"] is True
    assert secret.get("/v1/requests", params={"limit": 5}).json()["meta"]["hasMore"] is False
    for param, value in (("order", "up"), ("since", "soon"), ("limit", "0")):
        assert_refused(secret.get("/v1/requests", params={param: value}), param)
    assert secret.delete("/v1/requests").json()["cleared"] == 8
    assert logged(secret) == []


@pytest.mark.parametrize("wrong", ["9xx", "6xx", "4", "200,,404", "ok", "20०"])
def test_a_status_that_none_has_is_refused_with_those_there_are(secret: Api, wrong: str) -> None:
    words = "must be a status from 100 to 599, or 1xx, 2xx, 3xx, 4xx or 5xx for all that begin so"
    assert_refused(secret.get("/v1/requests", params={"status": wrong}), "status", words)


def test_an_unknown_request_number_is_not_found(secret: Api) -> None:
    for number in ("1", "x", "%00", "999999999999999999999"):
        response = secret.get(f"/v1/requests/{number}")
        assert response.status_code == 404


def test_many_clients_at_once_are_all_logged_once(secret: Api, publishable: Api, server: ApiServer, name: str) -> None:
    def work(thread: int) -> None:
        with httpx.Client(base_url=server.url, headers={"Authorization": publishable.key or ""}) as client:
            for number in range(25):
                assert client.post("/v1/track", json=fix(f"{name}-{thread}-{number}")).status_code == 200
                client.get(f"/v1/nothing/{thread}/{number}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    entries = logged(secret, limit=1000)
    assert len(entries) == 200
    assert len({each["number"] for each in entries}) == 200
    devices = {each["deviceId"] for each in entries if each["response"]["status"] == 200}
    assert devices == {f"{name}-{thread}-{number}" for thread in range(4) for number in range(25)}
    for each in entries:
        if each["response"]["status"] == 200:
            assert json.loads(each["response"]["body"])["user"]["deviceId"] == json.loads(each["body"])["deviceId"]


def test_a_client_that_leaves_before_the_answer_is_logged_without_one(
    secret: Api, server: ApiServer, name: str
) -> None:
    path = f"/v1/events?waitSeconds=30&deviceId={name}"
    with Wire(server.port) as wire:
        wire.send(request("GET", path, f"Authorization: {secret.key}"))
        assert secret.get("/v1/ping").status_code == 200, "the other request has arrived before this one"
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # The event that it waited for comes after it has left.
    secret.post("/v1/events", json={"name": "bought", "deviceId": name})
    eventually(lambda: any(each["path"] == path for each in logged(secret)))
    entry = next(each for each in logged(secret) if each["path"] == path)
    assert "response" not in entry
    assert "requestId" not in entry


@pytest.mark.parametrize(
    ("params", "point"),
    [
        ({"latitude": 46.05, "longitude": "14.5"}, Point(14.5, 46.05)),
        ({"coordinates": "46.05,14.5"}, Point(14.5, 46.05)),
        ({"near": "46.05, 14.5", "limit": "5"}, Point(14.5, 46.05)),
        ({"origins": "46.05,14.5|47,15"}, Point(14.5, 46.05)),
        ({"latitude": 91, "longitude": 14.5}, None),
        ({"latitude": "nan", "longitude": 14.5}, None),
        ({"latitude": [1], "longitude": {}}, None),
        ({"latitude": 46.05}, None),
        ({"near": "46.05"}, None),
        ({"coordinates": [[[14.5, 46.05]]]}, None),
        ({"coordinates": "somewhere"}, None),
        ({}, None),
    ],
)
def test_the_position_of_a_request(params: dict[str, object], point: Point | None) -> None:
    assert position_of(params) == point
