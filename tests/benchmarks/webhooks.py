"""Drain rate of queued webhook deliveries and its impact on tracking: ``python -m tests.benchmarks.webhooks``.

The server runs as its users run it (``fencewright serve``), the receiver and the devices in separate processes, and all
share the machine. First the queue drains alone. Then updates are tracked in one server under alternating conditions:
without a webhook, while their deliveries are queued (the webhook is paused), and while deliveries are sent. If other
programs use the machine as well, processor time is more meaningful than rates. ``CPU us`` is the server's own time per
update or delivery, without the process that makes the requests, whose time is ``sender us``. The last line has the
medians.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import cast

import httpx
import psutil
import uvloop

from app.api.wire.webhook import WirePayloads
from engine import Engine
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.domain.ports import settle
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.webhooks.webhook import WebhookChange
from engine.store.workspace import read_keys
from tests.benchmarks.track import Devices, Server, cpu_s_of, drive, requests_of, server
from tests.benchmarks.workspaces import copied, place

TEST = Environment.TEST
FENCES = 1_000
CONNECTIONS = 16
MOST_PER_CONNECTION = 700
"""Number of requests per second that are prepared before they are sent."""


class Receiver(asyncio.Protocol):
    """Answers each request immediately, and counts them."""

    count = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self._buffer = cast(asyncio.Transport, transport), b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while True:
            head, found, body = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
            if len(body) < length:
                return
            self._buffer = body[length:]
            if head.startswith(b"GET"):
                text = b"%d" % Receiver.count
            else:
                text, Receiver.count = b"{}", Receiver.count + 1
            self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(text), text))


async def receive() -> None:
    """Receive until the process is ended."""
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(Receiver, "127.0.0.1", 0)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await listening.serve_forever()


@dataclass(frozen=True, slots=True)
class Receiving:
    """A running receiver: its address and its process."""

    url: str
    process: int


@contextmanager
def receiver() -> Iterator[Receiving]:
    """Run a receiver in a separate process."""
    command = [sys.executable, "-m", "tests.benchmarks.webhooks", "--receive"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Receiving(f"http://127.0.0.1:{int(process.stdout.readline())}", process.pid)
        finally:
            process.kill()


def fill(workspace: Path, url: str, queued: int) -> None:
    """Queue deliveries in a workspace as if its webhook were paused, each for a different user."""
    with Engine.open(workspace, payloads=WirePayloads) as engine:
        engine.settings.change(TEST, SettingsChange(rate_limit=False))
        engine.webhooks.create(TEST, WebhookChange(url=url, paused=True))
        futures: list[Future[TrackResult]] = [Future() for _ in range(queued)]
        for start in range(0, queued, 500):
            some = range(start, min(start + 500, queued))
            engine.tracking.submit(
                (TEST, LocationUpdate(f"queued{each}", Point(*place(each % FENCES)), 5.0), settle(futures[each]))
                for each in some
            )
        assert all(len(future.result().events) == 1 for future in futures)


def pause(client: httpx.Client, *, paused: bool) -> None:
    """Pause the only webhook, or resume it."""
    (webhook,) = client.get("/v1/webhooks").json()["webhooks"]
    assert client.patch(f"/v1/webhooks/{webhook['_id']}", json={"paused": paused}).status_code == 200


@dataclass(frozen=True, slots=True)
class Used:
    """Processor time that each process has used so far, in seconds."""

    server: float
    sender: float
    receiver: float
    client: float

    def since(self, before: "Used") -> "Used":
        """Return the processor time used since another reading."""
        return Used(
            self.server - before.server,
            self.sender - before.sender,
            self.receiver - before.receiver,
            self.client - before.client,
        )


@dataclass(frozen=True, slots=True)
class Stretch:
    """The work done in a period of time, and the processor time for it."""

    seconds: float
    updates: int
    deliveries: int
    used: Used

    @property
    def updates_per_second(self) -> float:
        return self.updates / self.seconds

    @property
    def deliveries_per_second(self) -> float:
        return self.deliveries / self.seconds

    @property
    def update_us(self) -> float:
        """Processor time of the server per update, including everything else that it does in the meantime."""
        return self.used.server / self.updates * 1e6

    @property
    def client_us(self) -> float:
        """Processor time of the client per update."""
        return self.used.client / self.updates * 1e6


class Meter:
    """Measures the processor time of the processes of a run."""

    def __init__(self, running: Server, receiving: Receiving) -> None:
        self._running, self._receiving = running, receiving

    def used(self) -> Used:
        times = [child.cpu_times() for child in psutil.Process(self._running.process).children(recursive=True)]
        sender_s = float(sum(each.user + each.system for each in times))
        return Used(self._running.cpu_s, sender_s, cpu_s_of(self._receiving.process), process_time())

    def received(self) -> int:
        return int(httpx.get(self._receiving.url).text)


def alone(kept: Path, folder: Path, queued: int) -> None:
    """Drain a queue without any tracking, and print how fast it is."""
    with receiver() as receiving:
        filled = copied(kept, folder, FENCES, rules=False)
        fill(filled, receiving.url, queued)
        with server(filled) as running, client_of(filled, running) as client:
            meter = Meter(running, receiving)
            before = meter.used()
            took = drain(client, meter, queued)
            used = meter.used().since(before)
            each_us = [each / queued * 1e6 for each in (used.server, used.sender, used.receiver)]
            print(
                f"queue alone  {queued / took:>8,.0f}/s  "
                "CPU us for one: server {:.0f}  sender {:.0f}  receiver {:.0f}".format(*each_us),
                flush=True,
            )


def drain(client: httpx.Client, meter: Meter, queued: int) -> float:
    """Drain the queue, and return the seconds until everything was received."""
    began = perf_counter()
    pause(client, paused=False)
    while meter.received() < queued:
        sleep(0.05)
    return perf_counter() - began


class Beside:
    """Updates in one server, alternately without a webhook, with queued deliveries, and with deliveries being sent."""

    def __init__(self, running: Server, client: httpx.Client, receiving: Receiving, seconds: float) -> None:
        self._running, self._client, self._meter = running, client, Meter(running, receiving)
        self._seconds = seconds
        self._devices = [Devices(f"d{number}-", 400, FENCES, random.Random(number)) for number in range(CONNECTIONS)]
        (webhook,) = client.get("/v1/webhooks").json()["webhooks"]
        self._webhook = f"/v1/webhooks/{webhook['_id']}"
        self._track(enabled=False)

    def turn(self) -> tuple[Stretch, Stretch, Stretch]:
        """Return the measurements in each of the three states."""
        plain = self._track(enabled=False)
        queued = self._track(enabled=True, paused=True)
        sent = self._track(paused=False)
        self._set(paused=True)
        each_us = [used / max(sent.deliveries, 1) * 1e6 for used in _for_deliveries(queued, sent)]
        print(
            f"updates  {plain.updates_per_second:>6,.0f}/s"
            f"  queued {queued.updates_per_second / plain.updates_per_second:4.0%}"
            f"  sent {sent.updates_per_second / plain.updates_per_second:4.0%}"
            f"  CPU us for an update {plain.update_us:.0f} {queued.update_us:.0f} {sent.update_us:.0f}"
            f"  client {plain.client_us:.0f} {queued.client_us:.0f} {sent.client_us:.0f}"
            f"  deliveries {sent.deliveries_per_second:>6,.0f}/s"
            "  CPU us for one: server {:.0f} sender {:.0f} receiver {:.0f}".format(*each_us),
            flush=True,
        )
        return plain, queued, sent

    def _track(self, **changes: bool) -> Stretch:
        """Change the webhook, and track for several seconds."""
        count = int(self._seconds * MOST_PER_CONNECTION)
        batches = [requests_of(device.more(), count, self._running.key) for device in self._devices]
        self._set(**changes)
        sent, before = self._meter.received(), self._meter.used()
        ends = perf_counter() + self._seconds
        seconds, connections = uvloop.run(drive(self._running.url, [_until(ends, batch) for batch in batches]))
        used = self._meter.used().since(before)
        done = sum(len(connection.latencies) for connection in connections)
        return Stretch(seconds, done, self._meter.received() - sent, used)

    def _set(self, **changes: bool) -> None:
        assert self._client.patch(self._webhook, json=changes).status_code == 200


def _for_deliveries(queued: Stretch, sent: Stretch) -> tuple[float, float, float]:
    """Return the processor time for deliveries of the server, without updates, and of the other two processes."""
    return sent.used.server - queued.update_us / 1e6 * sent.updates, sent.used.sender, sent.used.receiver


def _until(ends: float, requests: Sequence[bytes]) -> Iterator[bytes]:
    """Yield requests until a point in time."""
    for request in requests:
        if perf_counter() >= ends:
            return
        yield request


@contextmanager
def client_of(workspace: Path, running: Server) -> Iterator[httpx.Client]:
    """Yield a client with the secret key of Test."""
    key = read_keys(workspace).value(TEST, KeyLevel.SECRET)
    with httpx.Client(base_url=running.url, headers={"Authorization": key}, timeout=30) as client:
        yield client


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--receive", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--queued", type=int, default=50_000, help="how many drain alone; 0 to leave that out")
    parser.add_argument("--backlog", type=int, default=100_000, help="how many are queued when tracking begins")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each turn tracks in each state")
    parser.add_argument("--turns", type=int, default=6)
    given = parser.parse_args()
    if given.receive:
        uvloop.run(receive())
        return
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name, receiver() as receiving:
        folder = Path(name)
        print(f"load {os.getloadavg()[0]:.1f}")
        if given.queued:
            alone(folder, folder, given.queued)
        filled = copied(folder, folder, FENCES, rules=False)
        fill(filled, receiving.url, given.backlog)
        with server(filled) as running, client_of(filled, running) as client:
            beside = Beside(running, client, receiving, given.seconds)
            turns = [beside.turn() for _ in range(given.turns)]
    _summarise(turns)


def _summarise(turns: list[tuple[Stretch, Stretch, Stretch]]) -> None:
    def median(of: Callable[[Stretch, Stretch, Stretch], float]) -> float:
        return statistics.median(of(*turn) for turn in turns)

    def for_one(at: int) -> float:
        return median(lambda _, queued, sent: _for_deliveries(queued, sent)[at] / max(sent.deliveries, 1) * 1e6)

    queued = median(lambda plain, queued, _: queued.updates_per_second / plain.updates_per_second)
    sent = median(lambda plain, _, sent: sent.updates_per_second / plain.updates_per_second)
    of_queued = median(lambda _, queued, sent: sent.updates_per_second / queued.updates_per_second)
    rate = median(lambda _plain, _queued, sent: sent.deliveries_per_second)
    plain_us = median(lambda plain, _queued, _sent: plain.update_us)
    queued_us = median(lambda _plain, queued, _sent: queued.update_us)
    client_us = median(lambda plain, _queued, _sent: plain.client_us)
    print(f"medians: of the updates without a webhook {queued:.0%} while deliveries are queued, {sent:.0%} while they ")
    print(f"are sent ({of_queued:.0%} of those while they are queued); {rate:,.0f} deliveries/s meanwhile")
    print(f"processor time for an update: {plain_us:.0f} us, {queued_us:.0f} with queueing, and client {client_us:.0f}")
    print(f"for a delivery: server {for_one(0):.0f}, sender {for_one(1):.0f} and receiver {for_one(2):.0f} us")


if __name__ == "__main__":
    main()
