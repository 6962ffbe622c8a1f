"""Clients that close their side of the connection as soon as they have sent, like `nc` and small devices."""

import socket

import orjson
import pytest

from app.api.server.server import ApiServer
from tests.app.api.conftest import Api, fix
from tests.app.api.wire import Wire, meta_of, request

BODY = b'{"deviceId":"half","latitude":47.1,"longitude":9.5,"accuracy":5}'
KEPT = "Connection: keep-alive"


def answer_to(server: ApiServer, data: bytes) -> bytes:
    """Send data, close the sending side, and return everything the server sends until it closes."""
    with Wire(server.port, timeout_s=8) as wire:
        wire.send(data)
        wire.socket.shutdown(socket.SHUT_WR)
        return wire.rest()


def track(key: str | None, *headers: str, body: bytes = BODY) -> bytes:
    sent = request("POST", "/v1/track", f"Authorization: {key}", *headers, body=body)
    return sent.replace(b"Connection: close\r\n", b"")


def test_a_whole_request_is_answered(server: ApiServer, publishable: Api) -> None:
    for path in ("/v1/config", "/v1/search/geofences?near=47,9", "/openapi.json"):
        answer = answer_to(server, request("GET", path, f"Authorization: {publishable.key}"))
        assert answer.startswith(b"HTTP/1.1 200 "), path
    for headers in ([f"Content-Length: {len(BODY)}"], [f"Content-Length: {len(BODY)}", "Expect: 100-continue"]):
        answer = answer_to(server, track(publishable.key, *headers))
        assert b"HTTP/1.1 200 " in answer
        assert b'"deviceId":"half"' in answer
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
    assert b" 200 " in answer_to(server, track(publishable.key, "Transfer-Encoding: chunked", body=chunked))


def test_several_are_answered_in_their_order(server: ApiServer, publishable: Api) -> None:
    one = track(publishable.key, f"Content-Length: {len(BODY)}")
    other = request("GET", "/v1/ping", f"Authorization: {publishable.key}").replace(b"Connection: close\r\n", b"")
    answers = answer_to(server, (one + other) * 40)
    assert answers.count(b"HTTP/1.1 200 ") == 80
    assert answers.rstrip().endswith(b'"ip":"127.0.0.1"}')


@pytest.mark.parametrize(
    "begun",
    [
        b"P",
        b"GET /v1/pi",
        b"GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"GET /v1/ping HTTP/1.1\nHost: 127.0.0.1\n\n",
        track(None, "Content-Length: 100"),
        track(None, "Content-Length: 100", body=b""),
        track(None, "Content-Length: 500000"),
        track(None, "Transfer-Encoding: chunked", body=b""),
        track(None, "Transfer-Encoding: chunked", body=b"ff\r\n" + BODY),
        track(None, "Transfer-Encoding: chunked", body=b"%x\r\n%s\r\n" % (len(BODY), BODY)),
        track(None, "Transfer-Encoding: chunked", body=b"%x\r\n%s\r\n0\r\n" % (len(BODY), BODY)),
    ],
)
def test_an_incomplete_request_is_refused_at_once(server: ApiServer, publishable: Api, begun: bytes) -> None:
    begun = begun.replace(b"Authorization: None", f"Authorization: {publishable.key}".encode())
    answer = answer_to(server, begun)
    assert answer.startswith(b"HTTP/1.1 400 "), answer
    assert b"x-radar-request-id: " in answer
    assert meta_of(answer) == {"code": 400, "message": "The request ended before it was complete."}


def test_one_that_is_broken_off_after_others(server: ApiServer, publishable: Api) -> None:
    whole = track(publishable.key, f"Content-Length: {len(BODY)}")
    answers = answer_to(server, whole * 3 + whole[:-5])
    assert answers.count(b"HTTP/1.1 200 ") == 3
    assert meta_of(answers[answers.rindex(b"HTTP/1.1") :])["code"] == 400


def test_nothing_at_all_is_closed(server: ApiServer, publishable: Api) -> None:
    assert answer_to(server, b"") == b""
    assert publishable.post("/v1/track", json=fix("after")).status_code == 200


def test_a_client_that_has_left_altogether_does_no_harm(server: ApiServer, secret: Api) -> None:
    waits = request("GET", "/v1/events?type=never&waitSeconds=20", f"Authorization: {secret.key}")
    for _ in range(30):
        with Wire(server.port) as wire:
            wire.send(waits)
    assert orjson.loads(secret.get("/v1/ping").content)["ip"] == "127.0.0.1"
