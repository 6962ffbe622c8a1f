"""Many readers, slow readers, and servers that stop in the middle of a stream."""

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import httpx
import pytest

from app.api.http.streams import tail
from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import GeofenceChange
from engine.domain.queries import EventFilter
from engine.domain.tracking.updates import Conversion
from engine.engine import Engine
from tests.app.api.conftest import unlimited
from tests.app.api.streams.client import Reader, Received, reading
from tests.app.program import Program, Serving
from tests.engine.fixtures import HOME, update

TEST = Environment.TEST
LARGE = {f"key{number}": "x" * 250 for number in range(16)}


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Engine]:
    """An engine that is not shared with other tests."""
    with Engine.open(tmp_path / "own") as engine:
        unlimited(engine)
        yield engine


def secret_of(engine: Engine) -> str:
    return engine.workspace.keys.value(TEST, KeyLevel.SECRET)


def happen(engine: Engine, count: int) -> list[str]:
    """Create many large events at once and return their identifiers."""
    change = GeofenceChange(
        tag="large",
        external_id="1",
        description="Large",
        type="circle",
        coordinates=(HOME.longitude, HOME.latitude),
        size=100,
        metadata=LARGE,
    )
    engine.geofences.create(TEST, change)
    updates = [(TEST, update(500 * (number % 2)), lambda _result, _error: None) for number in range(count)]
    engine.tracking.submit(updates)
    engine.tracking.track(TEST, update(500 * (count % 2)))
    return ids_of(engine)


def ids_of(engine: Engine) -> list[str]:
    """Return the identifiers of all events of Test in the order in which they were stored."""
    return [event.id for events in engine.history.all(TEST, EventFilter()) for event in events]


def buy(engine: Engine, device: str = "phone") -> str:
    return engine.history.log_conversion(TEST, Conversion("bought", device, None, None, {})).id


def test_a_slow_reader_gets_the_reason_of_its_end_and_loses_nothing(
    own: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "MAX_MESSAGES", 100)
    with ApiServer(own, port=0) as server:
        with reading(server.url, secret_of(own)) as slow, reading(server.url, secret_of(own), "type=bought") as quick:
            ids = happen(own, 2_500)
            bought = buy(own)
            assert quick.ids(1) == [bought], "nobody else waits for the slow one"
            messages = list(slow.messages())
        assert (messages[-1].type, messages[-1].data["reason"]) == ("end", "slowReader")
        got = [message.id for message in messages[:-1]]
        assert 0 < len(got) < len(ids)
        with reading(server.url, secret_of(own), Last_Event_ID=got[-1]) as again:
            got += again.ids(len(ids) + 1 - len(got))
    assert got == [*ids, bought]


def test_two_hundred_readers_get_the_same(own: Engine) -> None:
    with ApiServer(own, port=0) as server, ExitStack() as stack:
        first = buy(own)
        of_all = [stack.enter_context(reading(server.url, secret_of(own))) for _ in range(150)]
        of_one = [stack.enter_context(reading(server.url, secret_of(own), "deviceId=d-3")) for _ in range(25)]
        of_past = [stack.enter_context(reading(server.url, secret_of(own), "lastEventId=0")) for _ in range(25)]
        ids = [buy(own, f"d-{number % 10}") for number in range(50)]
        assert all(reader.ids(50) == ids for reader in of_all)
        assert all(reader.ids(5) == ids[3::10] for reader in of_one)
        assert all(reader.ids(51) == [first, *ids] for reader in of_past)


def test_more_streams_than_there_are_places_for_are_refused(own: Engine) -> None:
    with ApiServer(own, port=0) as server, ExitStack() as stack:
        assert server._run is not None
        server._run._server.config.app.services.streams.most = 2  # type: ignore[union-attr]
        readers = [stack.enter_context(reading(server.url, secret_of(own))) for _ in range(2)]
        refused = Reader(server.url, secret_of(own))
        assert refused.response.status == 503
        assert b"2 event streams are open" in refused.response.read()
        refused.close()
        readers[0].close()
        deadline = monotonic() + 20
        while (again := Reader(server.url, secret_of(own))).response.status != 200:
            again.close()
            assert monotonic() < deadline
        again.close()


def test_streams_end_at_once_when_the_server_stops_and_go_on_with_the_next(own: Engine) -> None:
    server = ApiServer(own, port=0)
    server.start()
    readers = [Reader(server.url, secret_of(own)).begin() for _ in range(20)]
    ids = [buy(own) for _ in range(5)]
    began = monotonic()
    server.stop()
    assert monotonic() - began < 5
    for reader in readers:
        *messages, end = reader.messages()
        assert [message.id for message in messages] == ids[: len(messages)]
        assert (end.type, end.data["reason"]) == ("end", "stopping")
        reader.close()
    between = buy(own)
    server.start()
    try:
        with reading(server.url, secret_of(own), Last_Event_ID=ids[-1]) as reader:
            assert reader.ids(1) == [between]
    finally:
        server.stop()


def test_a_reader_that_does_not_read_does_not_hold_up_the_stop(own: Engine) -> None:
    server = ApiServer(own, port=0)
    server.start()
    stuck = Reader(server.url, secret_of(own)).begin()
    assert stuck.connection.sock is not None
    stuck.connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    happen(own, 2_500)
    began = monotonic()
    server.stop()
    assert monotonic() - began < 10
    stuck.close()


class Follower(Thread):
    """Reads a stream, and reconnects with the last `id` after each interruption."""

    def __init__(self) -> None:
        super().__init__()
        self.server: Serving | None = None
        self.got: list[Received] = []
        self.ended = False
        self.served = Event()

    def run(self) -> None:
        while not self.ended:
            server = self.server
            if server is None:
                self.served.wait(0.05)
                continue
            last = {"Last-Event-ID": self.got[-1].id} if self.got else {"Last-Event-ID": "0"}
            # The server may be killed at any moment, even before the first bytes of the stream or within a message.
            with suppress(OSError, HTTPException), closing(Reader(server.url, server.key(), headers=last)) as reader:
                self.got += (message for message in reader.messages() if message.type == "message")


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_when_the_server_is_killed(program: Program, tmp_path: Path) -> None:
    follower = Follower()
    follower.start()
    reported: list[str] = []
    try:
        for number in range(2):
            with program.serve(tmp_path / "w") as server:
                follower.server = server
                reported += report_until_killed(server, 50 + 25 * number)
                follower.server = None
        with program.serve(tmp_path / "w") as server:
            follower.server = server
            listed = httpx.get(f"{server.url}/v1/events?limit=1000", headers={"Authorization": server.key()}).json()
            stored = [event["_id"] for event in reversed(listed["events"])]
            deadline = monotonic() + 30
            while len(follower.got) < len(stored) and monotonic() < deadline:
                follower.join(0.02)
            follower.ended = True
    finally:
        follower.ended = True
        follower.join()
    assert [message.id for message in follower.got] == stored
    assert set(reported) <= set(stored)
    assert len(reported) > 100


def report_until_killed(server: Serving, count: int) -> list[str]:
    """Report conversions, and kill the server without warning in the middle of them."""
    reported = []
    with httpx.Client(base_url=server.url, headers={"Authorization": server.key()}, trust_env=False) as client:
        for number in range(count + 1):
            if number == count:
                server.process.send_signal(signal.SIGKILL)
            try:
                answer = client.post("/v1/events", json={"name": "bought", "deviceId": "d"})
            except httpx.HTTPError:
                break
            reported.append(answer.json()["event"]["_id"])
    return reported
