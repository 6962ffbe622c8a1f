"""The short path of location updates, whose responses equal those of the ordinary path."""

import json
import socket
from collections.abc import Callable, Iterator

import pytest

from app.api.server.express import LONGEST_KEPT, MOST_KEPT, ShortHeads
from app.api.server.server import ApiServer
from app.api.wire.common.decoding import QUICK_BODY
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import StorageUnavailable
from engine.engine import Engine
from tests.app.api.conftest import Api

BODY = b'{"deviceId": "%s", "latitude": 47.1, "longitude": 9.5, "accuracy": 10}'

type Answer = tuple[int, dict[str, str], dict[str, dict[str, object]]]


class Wire:
    """A raw connection to the endpoint."""

    def __init__(self, server: ApiServer, key: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        self._file = self._socket.makefile("rb")
        self._key = key

    def request(self, body: bytes, *headers: str, host: str = "localhost", key: str | None = None) -> bytes:
        """Return a request, with its length unless a header specifies a transfer encoding."""
        lines = ["POST /v1/track HTTP/1.1", f"Host: {host}", f"Authorization: {key or self._key}", *headers]
        if not any(line.startswith("Transfer") for line in headers):
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode() + body

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def answer(self) -> Answer:
        status = int(self._file.readline().split()[1])
        headers = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        return status, headers, json.loads(self._file.read(int(headers["content-length"])))

    def ends(self) -> bool:
        return self._file.read(1) == b""

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@pytest.fixture
def key(engine: Engine) -> str:
    return engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)


@pytest.fixture
def wire(server: ApiServer, key: str) -> Iterator[Wire]:
    opened = Wire(server, key)
    yield opened
    opened.close()


def chunked(body: bytes) -> bytes:
    return (b"%x\r\n%s\r\n" % (len(body), body) if body else b"") + b"0\r\n\r\n"


def long_way(wire: Wire, body: bytes, **options: str) -> bytes:
    """Return the same request in chunks, which passes through all layers."""
    return wire.request(chunked(body), "Transfer-Encoding: chunked", **options)


def plain(answer: Answer) -> tuple[int, set[str], object]:
    """Return a response without the parts that differ between requests."""
    status, headers, content = answer
    if "user" in content:
        for volatile in ("createdAt", "updatedAt", "actualUpdatedAt", "_id", "deviceId"):
            content["user"].pop(volatile)
    return status, set(headers), content


@pytest.mark.parametrize(
    "build",
    [
        lambda wire, way: way(wire, BODY % b"phone"),
        lambda wire, way: way(wire, BODY[:-1] % b"phone" + b', "nearbyGeofences": true}'),
        lambda wire, way: way(wire, BODY % b"phone", key="prj_test_pk_unknown"),
        lambda wire, way: way(wire, BODY % b"phone", host="evil.example"),
        lambda wire, way: way(wire, b'{"deviceId": "phone"}'),
        lambda wire, way: way(wire, b'{"deviceId": "phone", "latitude": NaN, "longitude": 1, "accuracy": 1}'),
        lambda wire, way: way(wire, b"{"),
        lambda wire, way: way(wire, b""),
    ],
)
def test_both_ways_answer_alike(wire: Wire, build: Callable[[Wire, Callable[..., bytes]], bytes]) -> None:
    wire.send(build(wire, lambda wire, body, **options: wire.request(body, **options)))
    short = plain(wire.answer())
    wire.send(build(wire, long_way))
    assert short == plain(wire.answer())
    # Its head is known by now.
    wire.send(build(wire, lambda wire, body, **options: wire.request(body, **options)))
    assert short == plain(wire.answer())


def test_requests_sent_without_waiting_are_answered_in_order(wire: Wire) -> None:
    devices = [f"device-{number}" for number in range(20)]
    wire.send(b"".join(wire.request(BODY % device.encode()) for device in devices))
    assert [wire.answer()[2]["user"]["deviceId"] for _ in devices] == devices


def test_the_short_and_the_long_way_alternate_on_one_connection(wire: Wire) -> None:
    for number in range(6):
        body = BODY % str(number).encode()
        wire.send(wire.request(body) if number % 2 else long_way(wire, body))
        assert wire.answer()[2]["user"]["deviceId"] == str(number)


def test_a_request_in_pieces(wire: Wire) -> None:
    """The second request has a known head."""
    for device in ("slow", "late"):
        data = wire.request(BODY % device.encode())
        for at in range(0, len(data), 7):
            wire.send(data[at : at + 7])
        assert wire.answer()[2]["user"]["deviceId"] == device


def test_a_known_head_before_others_of_all_kinds(wire: Wire) -> None:
    """Known heads and parsed requests may follow each other on one connection in any order."""
    body = BODY % b"phone"
    short, chunks, wrong = wire.request(body), long_way(wire, body), wire.request(b"{" + b" " * (len(body) - 1))
    wire.send(short)
    assert wire.answer()[0] == 200
    wire.send(b"".join([short, chunks, short, wrong, chunks, wrong, short, short]))
    assert [wire.answer()[0] for _ in range(8)] == [200, 200, 200, 400, 200, 400, 200, 200]


def test_a_known_head_is_authorized_again(wire: Wire, engine: Engine, key: str) -> None:
    data = wire.request(BODY % b"phone")
    wire.send(data)
    assert wire.answer()[0] == 200
    engine.workspace.keys.rotate(Environment.TEST, KeyLevel.PUBLISHABLE)
    wire.send(data)
    assert wire.answer()[0] == 401


def test_a_fault_hits_a_request_whose_head_is_known(wire: Wire, secret: Api) -> None:
    data = wire.request(BODY % b"phone")
    wire.send(data)
    assert wire.answer()[0] == 200
    added = secret.post("/v1/faults", json={"kind": "status", "path": "/v1/track", "status": 503})
    try:
        assert added.status_code == 200
        wire.send(data)
        assert wire.answer()[0] == 503
    finally:
        secret.delete("/v1/faults")


def test_few_heads_are_known_and_no_long_ones() -> None:
    heads = ShortHeads()
    headers = {b"content-length": b"70"}
    heads.keep(b"x" * (LONGEST_KEPT + 1), headers)
    heads.keep(b"empty", {b"content-length": b"0"})
    for number in range(3 * MOST_KEPT):
        heads.keep(b"%d" % number, headers)
    known = [number for number in range(3 * MOST_KEPT) if heads.find(b"%d" % number)]
    assert known[-1] == 3 * MOST_KEPT - 1
    assert len(known) <= MOST_KEPT
    assert heads.find(b"x" * (LONGEST_KEPT + 1)) is None
    assert heads.find(b"empty") is None


def test_a_large_body_takes_the_long_way(wire: Wire) -> None:
    metadata = json.dumps({f"key-{number}": "x" * 2_000 for number in range(20)}).encode()
    body = b'{"deviceId": "large", "latitude": 1, "longitude": 2, "accuracy": 3, "metadata": %s}' % metadata
    assert len(body) > QUICK_BODY
    wire.send(wire.request(body))
    assert len(wire.answer()[2]["user"]["metadata"]) == 20  # type: ignore[arg-type]


def test_a_client_that_requests_close_is_disconnected(wire: Wire) -> None:
    wire.send(wire.request(BODY % b"phone", "Connection: close"))
    assert wire.answer()[1]["connection"] == "close"
    assert wire.ends()


def test_a_client_that_leaves_does_not_affect_others(server: ApiServer, key: str, wire: Wire) -> None:
    for _ in range(20):
        closed = Wire(server, key)
        closed.send(closed.request(BODY % b"gone"))
        closed.close()
    wire.send(wire.request(BODY % b"there"))
    assert wire.answer()[0] == 200


def test_a_full_disk_is_a_503(wire: Wire, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    monkeypatch.setattr(engine.tracking, "submit", refuse)
    wire.send(wire.request(BODY % b"phone"))
    status, _, content = wire.answer()
    assert (status, content["meta"]["message"]) == (503, "The disk is full.")


def test_a_fault_is_a_500_that_names_its_reference(
    wire: Wire, engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_arguments: object, **_named: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.api.server.express.location_update", fail)
    wire.send(wire.request(BODY % b"phone"))
    status, headers, content = wire.answer()
    assert status == 500
    assert headers["x-radar-request-id"] in str(content["meta"]["message"])
    assert "ZeroDivisionError" in caplog.text


def test_a_server_that_stops_answers_accepted_requests(engine: Engine, key: str) -> None:
    server = ApiServer(engine, port=0)
    server.start()
    wire = Wire(server, key)
    wire.send(wire.request(BODY % b"last"))
    assert wire.answer()[0] == 200
    server.stop()
    assert wire.ends()
    wire.close()
