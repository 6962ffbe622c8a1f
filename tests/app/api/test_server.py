"""The server: ports, threads, and clients that misbehave."""

import logging
import socket
import threading
from collections.abc import Iterator

import httpx
import pytest

from app.api import protocol
from app.api.protocol import BoundedProtocol
from app.api.server import ApiServer, bind
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import AddressInUse, FencewrightError, InvalidParameter
from engine.domain.queries import EventQuery
from engine.engine import Engine
from tests.app.api.wire import Wire, meta_of, request


@pytest.fixture
def key(engine: Engine) -> str:
    return engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)


@pytest.fixture
def own_server(engine: Engine) -> Iterator[ApiServer]:
    """A server that the test may stop or slow down."""
    with ApiServer(engine, port=0) as server:
        yield server


def answers(server: ApiServer) -> bool:
    return httpx.get(f"{server.url}/openapi.json").status_code == 200


def api_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("fencewright-api")]


def test_start_and_stop_can_be_repeated(engine: Engine) -> None:
    server = ApiServer(engine, port=0)
    states = [server.running]
    for _ in range(2):
        server.start()
        server.start()
        states.append(server.running)
        assert answers(server)
        server.stop()
        server.stop()
        states.append(server.running)
    assert states == [False, True, False, True, False]
    assert api_threads() == []


def test_it_starts_from_any_thread(engine: Engine) -> None:
    server = ApiServer(engine, port=0)
    thread = threading.Thread(target=server.start)
    thread.start()
    thread.join()
    try:
        assert answers(server)
    finally:
        server.stop()


def test_a_busy_port_says_what_to_do(own_server: ApiServer, engine: Engine) -> None:
    with pytest.raises(AddressInUse, match=rf"Port {own_server.port} .* another port"):
        ApiServer(engine, port=own_server.port).start()
    assert answers(own_server)


def test_a_port_can_be_taken_again_at_once(engine: Engine) -> None:
    with ApiServer(engine, port=0) as first:
        port = first.port
        assert answers(first)
    with ApiServer(engine, port=port) as second:
        assert answers(second)


@pytest.mark.parametrize(
    ("host", "port", "param"), [("127.0.0.1", 70000, "port"), ("127.0.0.1", -1, "port"), ("192.0.2.1", 0, "host")]
)
def test_impossible_addresses(host: str, port: int, param: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        bind(host, port)
    assert caught.value.param == param


def test_a_server_that_cannot_start_says_so(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("no loop")

    monkeypatch.setattr("app.api.server._loop_factory", broken)
    with pytest.raises(FencewrightError, match="could not be started"):
        ApiServer(engine, port=0).start()


@pytest.mark.parametrize(
    ("host", "url"), [("127.0.0.1", "http://127.0.0.1:5"), ("0.0.0.0", "http://127.0.0.1:5"), ("::1", "http://[::1]:5")]
)
def test_urls(engine: Engine, host: str, url: str) -> None:
    assert ApiServer(engine, host, 5).url == url


def test_logging_is_left_alone(own_server: ApiServer) -> None:
    assert answers(own_server)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        assert not any(type(handler) is logging.StreamHandler for handler in logging.getLogger(name).handlers)


def test_who_waits_is_sent_home_when_it_stops(engine: Engine, key: str) -> None:
    server = ApiServer(engine, port=0)
    server.start()
    asked = threading.Event()
    original = engine.events

    def events(environment: Environment, query: EventQuery) -> object:
        asked.set()
        return original(environment, query)

    with Wire(server.port) as wire, pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "events", events)
        wire.send(request("GET", "/v1/events?type=nothing&waitSeconds=30", f"Authorization: {key}"))
        assert asked.wait(10)
        server.stop()
        assert b'"events":[]' in wire.rest()


@pytest.mark.parametrize("size", [40_000, 1_000_000])
def test_a_huge_head_is_refused(own_server: ApiServer, size: int) -> None:
    for data in (
        request("GET", "/v1/ping", "X-Junk: " + "x" * size),
        request("GET", "/v1/ping?" + "x" * size),
        b"GET /v1/ping HTTP/1.1\r\nX: " + b"x" * size,
        b"x" * size,
    ):
        with Wire(own_server.port) as wire:
            wire.send(data)
            answer = wire.rest()
            if answer:  # a reset may overtake the answer while megabytes are still being sent
                assert answer.startswith(b"HTTP/1.1 400 ")
                assert meta_of(answer)["code"] == 400
    assert answers(own_server)


def test_a_large_body_behind_a_small_head_is_no_huge_head(own_server: ApiServer, key: str) -> None:
    body = b'{"deviceId":"x","latitude":1,"longitude":1,"accuracy":1,"pad":"' + b"x" * 200_000 + b'"}'
    with Wire(own_server.port) as wire:
        wire.send(request("POST", "/v1/track", f"Authorization: {key}", f"Content-Length: {len(body)}", body=body))
        assert wire.rest().startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("data", [b"\x16\x03\x01\x02\x00\x01\x00", b"HELLO\r\n\r\n", b"GET /\xff HTTP/1.1\r\n\r\n"])
def test_what_is_not_http_is_refused_in_our_shape(own_server: ApiServer, data: bytes) -> None:
    with Wire(own_server.port) as wire:
        wire.send(data)
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert meta_of(answer)["code"] == 400


@pytest.mark.parametrize(
    "unfinished",
    [
        b"",
        b"\r\n",
        b"POST /v1/tr",
        b"POST /v1/track HTTP/1.1\r\nHost: x",
    ],
)
def test_unfinished_requests_do_not_live_for_ever(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, unfinished: bytes
) -> None:
    monkeypatch.setattr(BoundedProtocol, "deadline_s", 0.1)
    monkeypatch.setattr("app.api.server.SWEEP_S", 0.05)
    with ApiServer(engine, port=0) as server, Wire(server.port) as wire:
        wire.send(unfinished)
        assert wire.rest() == b""
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_an_unfinished_body_does_not_live_for_ever(
    engine: Engine, key: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(BoundedProtocol, "deadline_s", 0.1)
    monkeypatch.setattr("app.api.server.SWEEP_S", 0.05)
    with ApiServer(engine, port=0) as server, Wire(server.port) as wire:
        wire.send(request("POST", "/v1/track", f"Authorization: {key}", "Content-Length: 9", body=b"{"))
        assert wire.rest() == b""
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_an_unfinished_second_request_does_not_live_for_ever(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedProtocol, "deadline_s", 0.2)
    monkeypatch.setattr("app.api.server.SWEEP_S", 0.05)
    with ApiServer(engine, port=0) as server, Wire(server.port) as wire:
        wire.send(b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\nGET /docs")
        assert wire.rest().count(b"HTTP/1.1 200") == 1


def test_there_is_a_limit_to_connections(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 3)
    with ApiServer(engine, port=0) as server:
        wires = [Wire(server.port) for _ in range(4)]
        try:
            answer = wires[3].rest()
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert meta_of(answer)["code"] == 503
        finally:
            for wire in wires:
                wire.socket.close()


def test_clients_that_leave_are_no_crash(
    own_server: ApiServer, engine: Engine, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    for cut in (b'{"deviceId":', b""):
        with Wire(own_server.port) as wire:
            wire.send(request("POST", "/v1/track", f"Authorization: {key}", "Content-Length: 100", body=cut))
    with Wire(own_server.port) as wire:
        wire.send(request("GET", "/v1/events?waitSeconds=0.1&type=none", f"Authorization: {key}"))
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    own_server.stop()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_who_asks_before_sending_a_large_body_is_told_at_once(own_server: ApiServer, key: str) -> None:
    headers = (f"Authorization: {key}", "Expect: 100-continue", "Content-Length: 2000000")
    with Wire(own_server.port) as wire:
        wire.send(request("POST", "/v1/track", *headers))
        answer = wire.rest()
    assert b"100 Continue" not in answer
    assert meta_of(answer)["param"] == "body"


def test_an_announced_giant_is_refused_without_reading_it(own_server: ApiServer, key: str) -> None:
    with Wire(own_server.port) as wire:
        wire.send(request("POST", "/v1/track", f"Authorization: {key}", "Content-Length: 99999999999"))
        assert meta_of(wire.rest())["param"] == "body"


@pytest.mark.parametrize("query", ["near=1|2", "near=1,2&tags=[a]", "near=1,2&tags=ä", 'near=1,2&metadata[a]="b"'])
def test_raw_characters_in_query_strings(own_server: ApiServer, key: str, query: str) -> None:
    with Wire(own_server.port) as wire:
        line = request("GET", "/v1/search/geofences?@", f"Authorization: {key}").replace(b"@", query.encode())
        wire.send(line)
        assert meta_of(wire.rest())["code"] in (200, 400)


def test_the_clients_own_word_about_its_address_is_not_believed(own_server: ApiServer, key: str) -> None:
    headers = {"Authorization": key, "X-Forwarded-For": "203.0.113.9"}
    assert httpx.get(f"{own_server.url}/v1/ping", headers=headers).json()["ip"] == "127.0.0.1"


def test_an_upgrade_that_java_offers_does_not_lose_the_body(own_server: ApiServer, key: str) -> None:
    """Java's own client offers HTTP/2 with every first request."""
    body = b'{"deviceId":"java","latitude":1,"longitude":1,"accuracy":1}'
    data = request(
        "POST", "/v1/track", f"Authorization: {key}", f"Content-Length: {len(body)}",
        "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA", body=body,
    ).replace(b"Connection: close", b"Connection: Upgrade, HTTP2-Settings")  # fmt: skip
    with Wire(own_server.port, timeout_s=5) as wire:
        wire.send(data)
        answer = wire.socket.recv(65536)
    assert answer.startswith(b"HTTP/1.1 200")
