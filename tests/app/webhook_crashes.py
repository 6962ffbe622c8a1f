"""Rounds in which the server is killed between an event's commit and its delivery.

For many rounds: ``python -m tests.app.webhook_crashes --rounds 50``.
"""

import argparse
import os
import signal
import tempfile
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from random import Random
from threading import Lock, Timer

import httpx

from tests.app.program import TIMEOUT_S, Program, Serving
from tests.servers import FakeServer, ReceivedRequest, send, serving
from tests.waiting import eventually

USERS = 6


def crash_rounds(folder: Path, rounds: int, seed: int = 1) -> int:
    """Kill a server this many times while events are queued and delivered, check all deliveries, return the events."""
    random = Random(seed)
    chance = Random(seed + 1)
    program, workspace = Program(folder / "home"), folder / "workspace"

    def reply(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        send(handler, 200 if chance.random() < 0.97 else 503, b"{}")

    stored: dict[str, list[str]] = defaultdict(list)
    with serving(reply) as receiver:
        with program.serve(workspace) as server:
            with _client(server, "secret") as client:
                assert client.post("/v1/webhooks", json={"url": receiver.url}).status_code == 200
            server.stop()
        for number in range(rounds):
            with program.serve(workspace) as server:
                kill = Timer(random.uniform(0.02, 0.6), os.kill, (server.process.pid, signal.SIGKILL))
                with ThreadPoolExecutor(USERS) as pool:
                    written = list(pool.map(partial(_write, server, number, _Once(kill.start)), map(str, range(USERS))))
                kill.join()
                server.process.communicate(timeout=TIMEOUT_S)
                assert server.process.returncode == -signal.SIGKILL
            for user, events in enumerate(written):
                stored[str(user)] += events
        with program.serve(workspace) as server, _client(server, "secret") as client:
            eventually(lambda: _is_drained(client))
            for name in stored:
                _check(name, stored[name], receiver)
            server.stop()
    return sum(map(len, stored.values()))


def _client(server: Serving, level: str) -> httpx.Client:
    return httpx.Client(
        base_url=server.url, headers={"Authorization": server.key(level=level)}, trust_env=False, timeout=TIMEOUT_S
    )


class _Once:
    """Calls a function on the first call only; thread-safe."""

    def __init__(self, do: Callable[[], None]) -> None:
        self._do: Callable[[], None] | None = do
        self._lock = Lock()

    def __call__(self) -> None:
        with self._lock:
            do, self._do = self._do, None
        if do is not None:
            do()


def _write(server: Serving, number: int, answered_once: Callable[[], None], user: str) -> list[str]:
    """Report events until the server has ended; return the confirmed events, which are stored."""
    answered: list[str] = []
    with _client(server, "publishable") as client, suppress(httpx.HTTPError):
        for count in range(10_000):
            body = {"name": f"round {number}, event {count}", "deviceId": user}
            answer = client.post("/v1/events", json=body)
            assert answer.status_code == 200, answer.text
            answered.append(answer.json()["event"]["_id"])
            answered_once()
    return answered


def _is_drained(client: httpx.Client) -> bool:
    # Refused deliveries wait for their next attempt by the Test clock.
    client.post("/v1/clock", json={"advanceSeconds": 3600})
    (webhook,) = client.get("/v1/webhooks").json()["webhooks"]
    return bool(webhook["queued"] == 0)


def _check(user: str, stored: list[str], receiver: FakeServer) -> None:
    """Check that everything has arrived, and that no event arrived again after a later one."""
    events = [request.json["event"] for request in receiver.requests]
    own = [event["_id"] for event in events if event["user"]["deviceId"] == user]
    first_seen = list(dict.fromkeys(own))
    assert set(stored) <= set(first_seen), "an event is lost"
    known = set(stored)
    assert [event for event in first_seen if event in known] == stored, "the order of a user is not kept"
    places = {event: place for place, event in enumerate(first_seen)}
    order = [places[event] for event in own]
    assert order == sorted(order), "an earlier event came again after a later one"


def main() -> None:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fencewright-crashes-") as name:
        print(f"{given.rounds} rounds, {crash_rounds(Path(name), given.rounds, given.seed):,} events: none lost")


if __name__ == "__main__":
    main()
