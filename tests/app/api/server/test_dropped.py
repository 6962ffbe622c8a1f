"""Faults after which clients send a request again by themselves, on connections of their own."""

import asyncio
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from threading import Event
from time import sleep

import pytest

from app.api.http.faults import GIVE_UP, FaultGate
from app.api.server import protocol
from app.api.server.pacing import UNUSED_S
from app.api.server.server import ApiServer
from app.faults.book import Fault
from app.faults.rules import DropTime, FaultKind, FaultRule
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.conftest import Api
from tests.app.api.server.test_server import connections_of
from tests.app.api.wire import Wire
from tests.waiting import eventually

DROP = FaultRule(kind=FaultKind.DROP, path="/v1/context", times=1)
"""A fault for an operation that these tests do not call, unless stated otherwise."""

LATE = FaultRule(kind=FaultKind.STATUS, status=408, path="/v1/context", times=1)
BUSY = FaultRule(kind=FaultKind.STATUS, status=503, path="/v1/context", times=1)
BODY = b'{"deviceId":"kept","latitude":47.1,"longitude":9.5,"accuracy":5}'
TIMEOUT_S = 10
TRACK = f"Content-Length: {len(BODY)}"

type Lines = Callable[..., bytes]


@pytest.fixture(autouse=True)
def _none_left(server: ApiServer) -> Iterator[None]:
    yield
    server.faults.clear()


@pytest.fixture
def ask(publishable: Api) -> Lines:
    """A function that returns the bytes of a request whose connection stays open."""

    def lines(path: str, *headers: str, method: str = "GET", body: bytes = b"") -> bytes:
        head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: {publishable.key}", *headers]
        return "\r\n".join(head).encode() + b"\r\n\r\n" + body

    return lines


def arm(server: ApiServer, rule: FaultRule) -> Fault:
    """Add a fault as the API does, and wait until all connections that it has to end have ended."""
    fault = server.faults.add(rule)
    wait(server.faults.renewals, TIMEOUT_S)
    return fault


def answer(connection: socket.socket) -> tuple[str, bytes]:
    """Return the head and the body of one response."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _more(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    size = re.search(rb"content-length: (\d+)", head)
    assert size is not None
    while len(body) < int(size[1]):
        body += _more(connection)
    return head.decode(), body


def _more(connection: socket.socket) -> bytes:
    part = connection.recv(65536)
    assert part, "the connection was closed"
    return part


def stays_open(head: str) -> bool:
    return "connection: close" not in head


def test_no_connection_has_a_second_request_while_a_drop_is_set(server: ApiServer, ask: Lines) -> None:
    arm(server, DROP)
    requests = (
        ask("/v1/ping"),
        ask("/v1/none"),
        ask("/v1/track", TRACK, method="POST", body=BODY),
        ask("/v1/track", "Origin: https://shop.example", "Access-Control-Request-Method: POST", method="OPTIONS"),
    )
    for request in requests:
        with Wire(server.port) as wire:
            wire.send(request)
            head, _ = answer(wire.socket)
            assert not stays_open(head)
            assert wire.rest() == b""


def test_connections_are_kept_again_once_the_drop_is_over(server: ApiServer, ask: Lines) -> None:
    fault = arm(server, DROP)
    with Wire(server.port) as wire:
        wire.send(ask("/v1/context?coordinates=47,9"))
        assert wire.rest() == b""
    assert server.faults.get(fault.id).is_spent
    with Wire(server.port) as wire:
        for _ in range(3):
            wire.send(ask("/v1/ping"))
            assert stays_open(answer(wire.socket)[0])


@pytest.mark.parametrize(("rule", "closes"), [(DROP, True), (LATE, True), (BUSY, False)])
def test_idle_connections_end_before_the_fault_is_confirmed(
    server: ApiServer, ask: Lines, rule: FaultRule, closes: bool
) -> None:
    with ExitStack() as opened:
        wires = [opened.enter_context(Wire(server.port, timeout_s=5)) for _ in range(5)]
        for wire in wires:
            wire.send(ask("/v1/ping"))
            assert stays_open(answer(wire.socket)[0])
        arm(server, rule)
        for wire in wires:
            if closes:
                assert wire.socket.recv(1) == b""
            else:
                wire.send(ask("/v1/ping"))
                assert stays_open(answer(wire.socket)[0])


def test_a_client_that_sets_the_fault_gets_the_answer_after_they_have_ended(
    server: ApiServer, secret: Api, ask: Lines
) -> None:
    with Wire(server.port) as wire:
        wire.send(ask("/v1/ping"))
        answer(wire.socket)
        response = secret.post("/v1/faults", json={"kind": "drop", "path": "/v1/context"})
        assert response.headers["connection"] == "close"
        wire.socket.setblocking(False)
        assert wire.socket.recv(1) == b""


def test_a_connection_that_was_opened_in_advance_ends_too(server: ApiServer, ask: Lines) -> None:
    with Wire(server.port) as early:
        # The system has accepted the connection for the server, which may not know of it yet.
        eventually(lambda: early.socket.getsockname() in [each.client for each in connections_of(server)])
        arm(server, DROP)
        early.socket.setblocking(False)
        assert early.socket.recv(1) == b""
    with Wire(server.port) as later:
        assert later.socket.recv(1) == b"", "nor are those kept that are opened while it is set"


def test_a_request_that_is_on_its_way_when_the_fault_is_set_is_answered(
    server: ApiServer, ask: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "UNUSED_S", TIMEOUT_S)
    with Wire(server.port) as fresh:
        server.faults.add(DROP)
        fresh.send(ask("/v1/ping"))
        assert answer(fresh.socket)[1]
        wait(server.faults.renewals, TIMEOUT_S)
        assert fresh.rest() == b""


def test_earlier_requests_are_answered(server: ApiServer, ask: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    """One request is held, and one has been answered in part, when the drop is set."""
    released = Event()

    async def hold(_gate: FaultGate, _line: object, _seconds: float) -> None:
        while not released.is_set():
            await asyncio.sleep(0.01)

    monkeypatch.setattr(FaultGate, "wait", hold)
    arm(server, FaultRule(kind=FaultKind.LATENCY, latency_ms=1, path="/v1/ping"))
    arm(server, FaultRule(kind=FaultKind.SLOW, bytes_per_second=1, path="/v1/config"))
    with Wire(server.port) as held, Wire(server.port) as slow, ThreadPoolExecutor() as pool:
        held.send(ask("/v1/ping"))
        slow.send(ask("/v1/config"))
        assert slow.socket.recv(1, socket.MSG_PEEK)
        eventually(lambda: [fault.hits for fault in server.faults.all()] == [1, 1])
        arm(server, DROP)
        released.set()
        answers = [pool.submit(answer, wire.socket) for wire in (held, slow)]
        (held_head, _), (slow_head, _) = (each.result() for each in answers)
        assert not stays_open(held_head)
        assert stays_open(slow_head), "it had begun"
        assert held.rest() == slow.rest() == b""


def test_requests_that_were_sent_ahead_are_answered_or_dropped_in_their_turn(server: ApiServer, ask: Lines) -> None:
    fault = arm(server, FaultRule(kind=FaultKind.DROP, path="/v1/ping", nth=3))
    with Wire(server.port) as wire:
        wire.send(ask("/v1/ping") * 5)
        answers = wire.rest()
    assert answers.count(b"HTTP/1.1 200 OK") == 2
    assert server.faults.get(fault.id).hits == 1
    arm(server, DROP)
    with Wire(server.port) as wire:
        wire.send(ask("/v1/ping") * 5)
        answers = wire.rest()
    assert answers.count(b"HTTP/1.1 200 OK") == 5
    assert answers.count(b"connection: close") == 1


@pytest.mark.parametrize("when", DropTime)
@pytest.mark.parametrize(
    ("agent", "received"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36", GIVE_UP),
        ("okhttp/4.12.0", b""),
        ("Shop/1 CFNetwork/3826 Darwin/24.6.0", b""),
    ],
)
def test_only_browsers_get_the_responses_that_make_them_give_up(
    server: ApiServer, ask: Lines, when: DropTime, agent: str, received: bytes
) -> None:
    arm(server, FaultRule(kind=FaultKind.DROP, when=when, path="/v1/track"))
    request = ask("/v1/track", TRACK, f"User-Agent: {agent}", method="POST", body=BODY)
    with Wire(server.port) as wire:
        wire.send(request)
        assert wire.rest() == received
    with Wire(server.port) as proxy:
        proxy.send(request.replace(b"HTTP/1.1", b"HTTP/1.0"))
        assert proxy.rest() == b""


def test_every_second_is_dropped_on_connections_of_their_own(server: ApiServer, ask: Lines) -> None:
    arm(server, FaultRule(kind=FaultKind.DROP, path="/v1/ping", every=2))
    found = []
    for _ in range(6):
        with Wire(server.port) as wire:
            wire.send(ask("/v1/ping"))
            found.append(wire.rest()[:15])
    assert found == [b"HTTP/1.1 200 OK", b""] * 3


def test_https(tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        Engine.open(tmp_path_factory.mktemp("tls") / "workspace") as engine,
        ApiServer(engine, port=0, tls=True) as server,
    ):
        key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
        request = f"GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n".encode()
        context = ssl.create_default_context(cadata=engine.workspace.certificates.authority().pem.decode())
        with Wire(server.port) as raw, context.wrap_socket(raw.socket, server_hostname="127.0.0.1") as used:
            used.sendall(request)
            answer(used)
            arm(server, DROP)
            assert used.recv(1) == b""
        with Wire(server.port) as raw:
            sleep(UNUSED_S + 0.7)
            with context.wrap_socket(raw.socket, server_hostname="127.0.0.1") as late:
                late.sendall(request)
                assert not stays_open(answer(late)[0]), "it had not shaken hands, and could not have sent a request"


def test_other_commands_of_the_program_keep_their_connections(tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        Engine.open(tmp_path_factory.mktemp("control") / "workspace") as engine,
        ApiServer(engine, port=0, control_token="token") as server,
        Wire(server.port, timeout_s=5) as wire,
    ):
        key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
        for _ in range(2):
            wire.send(f"GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n".encode())
            assert stays_open(answer(wire.socket)[0])
            arm(server, DROP)


BROWSER = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36"
TIMED_OUT = FaultRule(kind=FaultKind.STATUS, status=408, path="/v1/track", times=1)


def head_of(wire: Wire) -> bytes:
    """Return the head of a response as soon as a browser would see it."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _more(wire.socket)
    return received.partition(b"\r\n")[0]


def test_a_request_that_a_browser_sends_again_after_408_meets_the_same_fault(server: ApiServer, ask: Lines) -> None:
    fault = arm(server, TIMED_OUT)
    request = ask("/v1/track", TRACK, BROWSER, method="POST", body=BODY)
    for _ in range(3):
        with Wire(server.port) as wire:
            wire.send(request)
            assert head_of(wire).startswith(b"HTTP/1.1 408")
    with Wire(server.port) as wire:
        wire.send(request)
        head, body = answer(wire.socket)
        assert head.startswith("HTTP/1.1 408")
        assert b"an injected fault" in body
    with Wire(server.port) as page:
        page.send(request)
        assert answer(page.socket)[0].startswith("HTTP/1.1 200"), "the page has had its answer, and tries again"
    assert server.faults.get(fault.id).hits == 1


@pytest.mark.parametrize("other", ["device", "client"])
def test_no_other_request_is_taken_for_one_that_is_sent_again(server: ApiServer, ask: Lines, other: str) -> None:
    arm(server, TIMED_OUT)
    with Wire(server.port) as wire:
        wire.send(ask("/v1/track", TRACK, BROWSER, method="POST", body=BODY))
        assert head_of(wire).startswith(b"HTTP/1.1 408")
    agent = BROWSER if other == "device" else BROWSER.replace("Chrome", "Edg")
    body = BODY.replace(b"kept", b"else") if other == "device" else BODY
    with Wire(server.port) as wire:
        wire.send(ask("/v1/track", TRACK, agent, method="POST", body=body))
        assert answer(wire.socket)[0].startswith("HTTP/1.1 200")


def test_a_page_that_tries_again_before_it_has_read_the_408(server: ApiServer, ask: Lines) -> None:
    arm(server, TIMED_OUT)
    request = ask("/v1/track", TRACK, BROWSER, method="POST", body=BODY)
    with Wire(server.port) as first, Wire(server.port) as second:
        first.send(request)
        assert head_of(first).startswith(b"HTTP/1.1 408")
        second.send(request)
        assert answer(second.socket)[0].startswith("HTTP/1.1 200")


def test_other_clients_get_the_408_at_once(server: ApiServer, ask: Lines) -> None:
    arm(server, TIMED_OUT)
    request = ask("/v1/track", TRACK, "User-Agent: okhttp/4.12.0", method="POST", body=BODY)
    with Wire(server.port) as wire:
        wire.send(request)
        assert head_of(wire).startswith(b"HTTP/1.1 408")
    with Wire(server.port) as wire:
        wire.send(request)
        assert answer(wire.socket)[0].startswith("HTTP/1.1 200"), "they send again only what was not answered"
