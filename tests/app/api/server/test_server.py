"""The server: ports, threads, and clients that misbehave."""

import logging
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection

import httpx
import orjson
import pytest

from app.api.server import connections, pacing
from app.api.server.protocol import BoundedProtocol
from app.api.server.server import ApiServer, bind
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import AddressInUse, FencewrightError, InvalidParameter
from engine.domain.queries import EventQuery
from engine.engine import Engine
from tests.app.api.wire import Wire, meta_of, request
from tests.waiting import eventually


@pytest.fixture
def key(engine: Engine) -> str:
    return engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)


@pytest.fixture
def own_server(engine: Engine) -> Iterator[ApiServer]:
    """A server that the test may stop or slow down."""
    with ApiServer(engine, port=0) as server:
        yield server


def connections_of(server: ApiServer) -> list[BoundedProtocol]:
    """Return the current connections of a server."""
    assert server._run is not None
    found = list(server._run._server.server_state.connections)
    return [each for each in found if isinstance(each, BoundedProtocol)]


def waiting_for_clients(server: ApiServer) -> list[BoundedProtocol]:
    """Return the connections that wait for their client, which has no unread data at the server."""
    found = connections_of(server)
    return [each for each in found if each.client_since is not None and not connections.has_sent(each.transport)]


def await_answers(wire: Wire, number: int) -> None:
    """Wait until this many responses have arrived, without reading them."""
    eventually(lambda: wire.socket.recv(1_000_000, socket.MSG_PEEK).count(b"HTTP/1.1 ") == number)


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


def test_a_busy_port_is_reported_with_a_remedy(own_server: ApiServer, engine: Engine) -> None:
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


def test_a_server_that_cannot_start_reports_it(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("no loop")

    monkeypatch.setattr("app.api.server.server._loop_factory", broken)
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
    queried = threading.Event()
    original = engine.history.page

    def events(environment: Environment, query: EventQuery) -> object:
        queried.set()
        return original(environment, query)

    with Wire(server.port) as wire, pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.history, "page", events)
        wire.send(request("GET", "/v1/events?type=nothing&waitSeconds=30", f"Authorization: {key}"))
        assert queried.wait(60)
        server.stop()
        assert b'"events":[]' in wire.rest()


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200,
        b"POST /v1/track HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["does not read", "does not send the rest"],
)
def test_it_stops_without_waiting_for_a_client_for_long(
    engine: Engine, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    server = ApiServer(engine, port=0)
    server.start()
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(sent)
        time.sleep(0.3)
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 10
    assert caplog.messages == [], "nothing went wrong here"


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
            if answer:  # a reset may overtake the response while megabytes are still being sent
                assert answer.startswith(b"HTTP/1.1 400 ")
                assert meta_of(answer)["code"] == 400
    assert answers(own_server)


def test_a_large_body_behind_a_small_head_is_no_huge_head(own_server: ApiServer, key: str) -> None:
    body = b'{"deviceId":"x","latitude":1,"longitude":1,"accuracy":1,"pad":"' + b"x" * 200_000 + b'"}'
    with Wire(own_server.port) as wire:
        wire.send(request("POST", "/v1/track", f"Authorization: {key}", f"Content-Length: {len(body)}", body=body))
        assert wire.rest().startswith(b"HTTP/1.1 200")


CHUNKS = b"%x\r\n%s\r\n0\r\n"


@pytest.mark.parametrize("trailer", [b"X: %s\r\n", b"%s: x\r\n"])
@pytest.mark.parametrize("pause_s", [0, 0.05])
def test_trailers_have_a_limit_of_their_own(own_server: ApiServer, key: str, trailer: bytes, pause_s: float) -> None:
    body = own_track("trailing")
    head = request("POST", "/v1/track", f"Authorization: {key}", "Transfer-Encoding: chunked", "X: " + "x" * 20_000)
    for size, status in ((31_000, b"HTTP/1.1 200 "), (34_000, b"HTTP/1.1 400 ")):
        with Wire(own_server.port) as wire:
            wire.send(head + CHUNKS % (len(body), body))
            time.sleep(pause_s)
            wire.send(trailer % (b"x" * size) + b"\r\n")
            answer = wire.rest()
        assert answer.startswith(status), (size, answer)
    assert "chunk extensions and trailers" in str(meta_of(answer)["message"])


def test_many_small_chunks_are_no_large_trailer(own_server: ApiServer, key: str) -> None:
    body = own_track("many") + b" " * 60_000
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    with Wire(own_server.port) as wire:
        wire.send(request("POST", "/v1/track", f"Authorization: {key}", "Transfer-Encoding: chunked", body=chunks))
        assert wire.rest().startswith(b"HTTP/1.1 200 ")


def test_a_body_in_chunks_may_hold_blank_lines(own_server: ApiServer, key: str) -> None:
    body = own_track("blank").replace(b",", b",\r\n\r\n")
    head = request("POST", "/v1/track", f"Authorization: {key}", "Transfer-Encoding: chunked")
    data = head.replace(b"Connection: close\r\n", b"") + CHUNKS % (len(body), body) + b"X: y\r\n\r\n"
    with Wire(own_server.port) as wire:
        wire.send(data * 3 + request("GET", "/docs/start.js"))
        assert wire.rest().count(b"HTTP/1.1 200 ") == 4


@pytest.mark.slow
def test_the_next_request_follows_a_body_in_chunks(own_server: ApiServer, key: str) -> None:
    ping = request("GET", "/v1/ping").replace(b"Connection: close\r\n", b"")
    for size in (*range(1, 16), *range(230, 262), *range(490, 520), *range(4_060, 4_102)):
        for body in (b" " * size, b"\r\n" * size, b"\r\n\r\n\r" * (size // 5 + 1)):
            chunks = [b"%x\r\n%s\r\n" % (len(part), part) for part in (b"{}", body)]
            head = request("POST", "/v1/track", f"Authorization: {key}", "Transfer-Encoding: chunked")
            head = head.replace(b"Connection: close\r\n", b"")
            with Wire(own_server.port) as wire:
                wire.send(head + b"".join(chunks) + b"0\r\n\r\n" + ping + request("GET", "/v1/nothing"))
                assert re.findall(rb"HTTP/1.1 (\d+)", wire.rest()) == [b"400", b"401", b"404"], (size, body[:9])


@pytest.mark.parametrize("at_once", [True, False])
def test_trailers_are_no_headers(own_server: ApiServer, key: str, at_once: bool) -> None:
    body = own_track("trailing")
    head = request("POST", "/v1/track", "Transfer-Encoding: chunked")
    end = CHUNKS % (len(body), body) + f"Authorization: {key}\r\nHost: localhost\r\n\r\n".encode()
    with Wire(own_server.port) as wire:
        wire.send(head + end if at_once else head)
        if not at_once:
            time.sleep(0.05)
            wire.send(end)
        assert wire.rest().startswith(b"HTTP/1.1 401 ")


def test_a_large_head_behind_another_request_is_refused_as_well(own_server: ApiServer) -> None:
    first = b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for size, status in ((32_000, b"200"), (34_000, b"400")):
        with Wire(own_server.port) as wire:
            wire.send(first + request("GET", "/docs/start.js", "X: " + "x" * size))
            answer = wire.rest()
        assert answer[answer.rindex(b"HTTP/1.1 ") :].startswith(b"HTTP/1.1 " + status)


def test_a_client_that_sends_on_after_its_refusal_gets_the_answer(own_server: ApiServer) -> None:
    with Wire(own_server.port) as wire:
        for _ in range(10):
            wire.send(b"x" * 50_000)
            time.sleep(0.02)
        assert meta_of(wire.rest())["code"] == 400


@pytest.mark.parametrize("data", [b"\x16\x03\x01\x02\x00\x01\x00", b"HELLO\r\n\r\n", b"GET /\xff HTTP/1.1\r\n\r\n"])
def test_a_request_that_is_not_http_is_refused_in_the_usual_form(own_server: ApiServer, data: bytes) -> None:
    with Wire(own_server.port) as wire:
        wire.send(data)
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert meta_of(answer)["code"] == 400


@pytest.mark.parametrize("before", [b"", b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\n"])
@pytest.mark.parametrize("target", [b"http://localhost:x/v1/ping", b"http://[::1/v1/ping", b"http://"])
def test_an_address_that_is_none_is_refused_in_our_shape(
    own_server: ApiServer, caplog: pytest.LogCaptureFixture, before: bytes, target: bytes
) -> None:
    with Wire(own_server.port) as wire:
        wire.send(before + b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = wire.rest()
    refusal = answer[answer.rindex(b"HTTP/1.1 ") :]
    assert refusal.startswith(b"HTTP/1.1 400 ")
    assert meta_of(refusal)["code"] == 400
    assert not caplog.records


@pytest.fixture
def impatient(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    """A server whose deadlines expire within a fraction of a second."""
    monkeypatch.setattr("app.api.server.server.SWEEP_S", 0.05)
    for deadline in ("HEAD_DEADLINE_S", "PROGRESS_EVERY_S"):
        monkeypatch.setattr(pacing, deadline, 0.4)
    with ApiServer(engine, port=0) as server:
        yield server


@pytest.mark.parametrize(
    "unfinished",
    [
        b"",
        b"\r\n",
        b"\r\n\r\n",
        b"POST /v1/tr",
        b"POST /v1/track HTTP/1.1\r\nHost: x",
        b"POST /v1/track HTTP/1.1\r\nHost: x\r\n\r",
    ],
)
def test_an_unfinished_head_is_answered_and_cut(
    impatient: ApiServer, caplog: pytest.LogCaptureFixture, unfinished: bytes
) -> None:
    with Wire(impatient.port) as wire:
        wire.send(unfinished)
        assert_late(wire.rest())
    assert caplog.records == []


@pytest.mark.parametrize("path", ["/v1/track", "/v1/track/replay"])
@pytest.mark.parametrize("headers", ["Content-Length: 9", "Transfer-Encoding: chunked"])
def test_an_unfinished_body_is_answered_and_cut(
    impatient: ApiServer, key: str, caplog: pytest.LogCaptureFixture, headers: str, path: str
) -> None:
    with Wire(impatient.port) as wire:
        wire.send(request("POST", path, f"Authorization: {key}", headers, body=b"1\r\n{"))
        assert_late(wire.rest())
    assert caplog.records == []


def test_an_unfinished_body_of_a_request_that_is_answered_already_is_cut(impatient: ApiServer) -> None:
    with Wire(impatient.port) as wire:
        head = request("POST", "/v1/geofences", "Authorization: none", "Content-Length: 9")
        wire.send(head.replace(b"Connection: close\r\n", b""))
        answer = wire.rest()
    assert answer.count(b"HTTP/1.1") == answer.count(b"HTTP/1.1 401 ") == 1


def test_an_unfinished_second_request_is_answered_and_cut(impatient: ApiServer) -> None:
    with Wire(impatient.port) as wire:
        wire.send(b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\nGET /docs")
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 200")
    assert_late(answer[answer.rindex(b"HTTP/1.1") :])


def test_a_connection_that_idles_between_requests_ends_without_a_word(
    impatient: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "KEEP_ALIVE_S", 0.8)
    with Wire(impatient.port) as wire:
        started = time.monotonic()
        wire.send(b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert wire.rest().count(b"HTTP/1.1") == 1
    assert time.monotonic() - started > 0.7


def test_a_slow_body_that_comes_to_its_end_is_answered(
    engine: Engine, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.api.server.server.SWEEP_S", 0.05)
    monkeypatch.setattr(pacing, "PROGRESS_EVERY_S", 2)
    body = b'{"deviceId":"slow","latitude":1,"longitude":1,"accuracy":1}' + b" " * 40_000
    with ApiServer(engine, port=0) as server, Wire(server.port) as wire:
        wire.send(request("POST", "/v1/track", f"Authorization: {key}", f"Content-Length: {len(body)}"))
        for at in range(0, len(body), 4_000):
            wire.send(body[at : at + 4_000])
            time.sleep(0.3)
        assert wire.rest().startswith(b"HTTP/1.1 200 ")


def test_a_body_has_a_last_moment_whatever_its_progress(
    engine: Engine, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.api.server.server.SWEEP_S", 0.05)
    monkeypatch.setattr(pacing, "BODY_DEADLINE_S", 0.5)
    with ApiServer(engine, port=0) as server, Wire(server.port) as wire:
        wire.send(request("POST", "/v1/track/replay", f"Authorization: {key}", "Content-Length: 8000000"))
        sent = 0
        wire.socket.settimeout(0.02)
        while sent < 200:
            wire.send(b"x" * 2_000)
            sent += 1
            with suppress(TimeoutError):
                if answer := wire.socket.recv(65536):
                    break
        assert_late(answer)


def test_a_request_that_takes_long_is_not_cut(impatient: ApiServer, key: str) -> None:
    with Wire(impatient.port) as wire:
        wire.send(request("GET", "/v1/events?type=nothing&waitSeconds=1.5", f"Authorization: {key}"))
        assert wire.rest().startswith(b"HTTP/1.1 200 ")


def assert_late(answer: bytes) -> None:
    """Check that a response is a 408 in the form of other errors."""
    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n"), answer
    head = answer.lower().partition(b"\r\n\r\n")[0]
    for header in (b"connection: close", b"content-type: application/json", b"access-control-allow-origin: *"):
        assert header in head
    assert b"x-radar-request-id: " in head
    meta = meta_of(answer)
    assert meta["code"] == 408
    assert " did not arrive " in str(meta["message"])


def test_beyond_the_limit_of_connections_the_oldest_idle_one_goes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 3)
    script_request = b"GET /docs/start.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ApiServer(engine, port=0) as server, ExitStack() as stack:

        def connected(data: bytes) -> Wire:
            wire = stack.enter_context(Wire(server.port))
            wire.send(data)
            if data == script_request:
                await_answers(wire, 1)
            time.sleep(0.05)  # Each connection has a different moment.
            return wire

        served, silent, begun = connected(script_request), connected(b""), connected(b"GET /do")
        eventually(lambda: len(waiting_for_clients(server)) == 3)
        served.send(script_request)
        await_answers(served, 2)
        time.sleep(0.05)
        first = connected(script_request)
        assert meta_of(silent.rest())["code"] == 503
        second = connected(script_request)
        assert meta_of(begun.rest())["code"] == 503
        third = connected(script_request)
        assert served.rest().count(b"HTTP/1.1 200 ") == served.rest().count(b"HTTP/1.1") + 2
        for wire in (first, second, third):
            wire.send(script_request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            assert wire.rest().count(b"HTTP/1.1 200 ") == 2


@pytest.mark.slow
def test_a_new_connection_is_refused_if_none_waits_for_its_client(
    engine: Engine, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 3)
    with ApiServer(engine, port=0) as server, ExitStack() as stack:
        waiting = [stack.enter_context(Wire(server.port)) for _ in range(3)]
        for wire in waiting:
            wire.send(request("GET", "/v1/events?type=nothing&waitSeconds=5", f"Authorization: {key}"))
        eventually(lambda: len(connections_of(server)) == 3 and not waiting_for_clients(server))
        answer = stack.enter_context(Wire(server.port)).rest()
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert meta_of(answer)["code"] == 503
        assert all(wire.rest().startswith(b"HTTP/1.1 200 ") for wire in waiting)


@pytest.mark.slow
def test_a_connection_that_sends_ahead_ends_if_none_waits_for_its_client(
    engine: Engine, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 3)
    with ApiServer(engine, port=0) as server, ExitStack() as stack:
        waiting = [stack.enter_context(Wire(server.port)) for _ in range(3)]
        for number, wire in enumerate(waiting):
            poll = request("GET", "/v1/events?type=nothing&waitSeconds=5", f"Authorization: {key}")
            wire.send(poll if number else poll.replace(b"Connection: close\r\n", b"") * 2)
        eventually(lambda: len(connections_of(server)) == 3 and len(waiting_for_clients(server)) == 1)
        new = stack.enter_context(Wire(server.port))
        new.send(request("GET", "/docs/start.js"))
        assert new.rest().startswith(b"HTTP/1.1 200 ")
        answers = [wire.rest() for wire in waiting]
    assert [answer[:13] for answer in answers] == [b"", b"HTTP/1.1 200 ", b"HTTP/1.1 200 "]


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


def test_expect_continue_of_a_large_body_is_refused_at_once(own_server: ApiServer, key: str) -> None:
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


JAVA = ("Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA")
"""The upgrade to HTTP/2 that Java's own client offers with its first request."""


def offering(key: str, body: bytes, *headers: str) -> bytes:
    """Return a track request that offers another protocol."""
    data = request("POST", "/v1/track", f"Authorization: {key}", *headers, body=body)
    return data.replace(b"Connection: close", b"Connection: Upgrade, HTTP2-Settings")


def own_track(device: str) -> bytes:
    return b'{"deviceId":"%s","latitude":1,"longitude":1,"accuracy":1}' % device.encode()


@pytest.mark.parametrize("upgrade", ["Upgrade: h2c", "UPGRADE: h2c", "upgrade:websocket", "Upgrade: h2c, websocket"])
def test_an_upgrade_is_declined_and_the_request_served(
    own_server: ApiServer, key: str, caplog: pytest.LogCaptureFixture, upgrade: str
) -> None:
    body = own_track("java")
    with Wire(own_server.port) as wire:
        wire.send(offering(key, body, f"Content-Length: {len(body)}", upgrade, JAVA[1]))
        assert wire.socket.recv(65536).startswith(b"HTTP/1.1 200")
        chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        wire.send(offering(key, chunked, "Transfer-Encoding: chunked", upgrade, JAVA[1]))
        assert wire.socket.recv(65536).startswith(b"HTTP/1.1 200")
    assert caplog.records == []


def test_an_upgrade_in_pieces_is_declined_and_the_request_served(
    own_server: ApiServer, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    body = own_track("java")
    data = offering(key, body, f"Content-Length: {len(body)}", *JAVA)
    offer = data.index(b"Upgrade: h2c")
    for at in (*range(offer - 3, offer + 14), len(data) - len(body)):
        with Wire(own_server.port) as wire:
            wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            wire.send(data[:at])
            time.sleep(0.03)
            wire.send(data[at:])
            assert wire.socket.recv(65536).startswith(b"HTTP/1.1 200"), data[:at]
    assert caplog.records == []


def test_a_head_byte_by_byte(own_server: ApiServer, key: str) -> None:
    body = own_track("slow")
    data = request("POST", "/v1/track", f"Authorization: {key}", f"Content-Length: {len(body)}", body=body)
    with Wire(own_server.port) as wire:
        wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(len(data)):
            wire.send(data[at : at + 1])
        assert wire.rest().startswith(b"HTTP/1.1 200")


def test_an_unknown_method_in_pieces(own_server: ApiServer) -> None:
    with Wire(own_server.port) as wire:
        wire.send(b"BR")
        time.sleep(0.05)
        wire.send(b"EW /v1/track HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 405 ")
    assert b"\r\nallow: POST, OPTIONS\r\n" in answer
    assert meta_of(answer)["param"] == "method"


def test_no_tunnels(own_server: ApiServer) -> None:
    with Wire(own_server.port) as wire:
        wire.send(b"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n")
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 405 ")
    assert b"\r\nallow: " in answer
    assert meta_of(answer)["param"] == "method"


@pytest.mark.parametrize("path", ["//v1/ping", "///v1/ping", "/v1/ping/", "//api/v1/ping/", "/v1/ping//"])
def test_slashes_too_many_around_a_path_do_no_harm(own_server: ApiServer, key: str, path: str) -> None:
    with closing(HTTPConnection("127.0.0.1", own_server.port)) as client:
        client.request("GET", path, headers={"Authorization": key})
        answer = client.getresponse()
        assert (answer.status, orjson.loads(answer.read())["ip"]) == (200, "127.0.0.1")


@pytest.mark.parametrize("path", ["/v1/", "//v1//", "/ping/", "//docs", "//_workspace/now", "/v1/geofences/tag//"])
def test_slashes_too_many_elsewhere_are_no_path(own_server: ApiServer, key: str, path: str) -> None:
    with closing(HTTPConnection("127.0.0.1", own_server.port)) as client:
        client.request("GET", path, headers={"Authorization": key})
        answer = client.getresponse()
        assert (answer.status, orjson.loads(answer.read())["meta"]["code"]) == (404, 404)


def test_a_body_goes_with_a_path_of_too_many_slashes(own_server: ApiServer, key: str) -> None:
    body = b'{"deviceId":"slashes","latitude":47.1,"longitude":9.5,"accuracy":5}'
    with closing(HTTPConnection("127.0.0.1", own_server.port)) as client:
        for number, path in enumerate(("//v1/track", "/v1/track/")):
            client.request("POST", path, body.replace(b"slashes", b"slashes-%d" % number), {"Authorization": key})
            answer = client.getresponse()
            assert answer.status == 200
            assert orjson.loads(answer.read())["user"]["deviceId"] == f"slashes-{number}"
