"""How fast a queue of webhook deliveries drains, and what tracking notices: ``python -m tests.benchmarks.webhooks``.

The server runs as its users run it (``fencewright serve``), the receiver and the devices in processes of their own;
all share the machine. First the queue drains alone. Then updates are tracked by turns in one server: without a webhook,
while their deliveries are queued (the webhook is paused), and while deliveries are sent. Where other programs use the
machine as well, processor time tells more than what is done in a second: ``CPU us`` is the server's own for an update
or a delivery, without the process that makes the requests, whose time is ``sender us``. The last line has the medians.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
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
from engine.domain.webhooks import WebhookChange
from engine.store.workspace import read_keys
from tests.benchmarks.track import Devices, Server, drive, requests_of, server
from tests.benchmarks.workspaces import copied, place

TEST = Environment.TEST
FENCES = 1_000
CONNECTIONS = 16


class Receiver(asyncio.Protocol):
    """Answers each request at once; counts them all."""

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


@contextmanager
def receiver() -> Iterator[str]:
    """Run a receiver in a process of its own, and yield its address."""
    command = [sys.executable, "-m", "tests.benchmarks.webhooks", "--receive"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def fill(workspace: Path, url: str, queued: int) -> None:
    """Queue deliveries in a workspace, as they are queued while a webhook is paused: each of a user of its own."""
    with Engine.open(workspace, payloads=WirePayloads()) as engine:
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
    """Pause the one webhook, or go on."""
    (webhook,) = client.get("/v1/webhooks").json()["webhooks"]
    assert client.patch(f"/v1/webhooks/{webhook['_id']}", json={"paused": paused}).status_code == 200


def drain(client: httpx.Client, url: str, already: int, queued: int) -> float:
    """Let the queue drain; return the seconds until everything was received."""
    began = perf_counter()
    pause(client, paused=False)
    while int(httpx.get(url).text) < already + queued:
        sleep(0.05)
    return perf_counter() - began


def sender_s(running: Server) -> float:
    """Return the processor time of the process that makes the requests."""
    times = [child.cpu_times() for child in psutil.Process(running.process).children(recursive=True)]
    return float(sum(each.user + each.system for each in times))


def track(running: Server, devices: list[Devices], seconds: float) -> tuple[float, float]:
    """Track for about some seconds; return the updates in a second, and the server's processor time for one."""
    done, took, cpu_s = 0, 0.0, running.cpu_s
    while took < seconds:
        batches = [requests_of(device.more(), 100, running.key) for device in devices]
        lasted, connections = uvloop.run(drive(running.url, batches))
        took, done = took + lasted, done + sum(len(connection.latencies) for connection in connections)
    return done / took, (running.cpu_s - cpu_s) / done * 1e6


def alone(kept: Path, folder: Path, queued: int) -> None:
    """Let a queue drain while nobody tracks, and print how fast."""
    with receiver() as url:
        filled = copied(kept, folder, FENCES, rules=False)
        fill(filled, url, queued)
        with server(filled) as running, client_of(filled, running) as client:
            before, cpu_s = int(httpx.get(url).text), running.cpu_s
            took = drain(client, url, before, queued)
            print(
                f"queue alone  {queued / took:>8,.0f}/s  CPU us {(running.cpu_s - cpu_s) / queued * 1e6:.0f}  "
                f"sender us {sender_s(running) / queued * 1e6:.0f}",
                flush=True,
            )


class Beside:
    """Updates by turns without a webhook, while deliveries are queued, and while they are sent; in one server."""

    def __init__(self, running: Server, client: httpx.Client, url: str, seconds: float) -> None:
        self._running, self._client, self._url, self._seconds = running, client, url, seconds
        self._devices = [Devices(f"d{number}-", 400, FENCES, random.Random(number)) for number in range(CONNECTIONS)]
        (webhook,) = client.get("/v1/webhooks").json()["webhooks"]
        self._webhook = f"/v1/webhooks/{webhook['_id']}"
        self._track()

    def turn(self) -> tuple[float, float, float, float]:
        """Return the updates in a second in each of the three states, and the deliveries in a second in the last."""
        self._set(enabled=False)
        plain, plain_us = self._track()
        self._set(enabled=True, paused=True)
        queued, queued_us = self._track()
        before, began = int(httpx.get(self._url).text), perf_counter()
        self._set(paused=False)
        sent, sent_us = self._track()
        rate = (int(httpx.get(self._url).text) - before) / (perf_counter() - began)
        self._set(paused=True)
        print(
            f"updates  {plain:>6,.0f}/s  queued {queued / plain:4.0%}  sent {sent / plain:4.0%}  "
            f"CPU us {plain_us:.0f} {queued_us:.0f} {sent_us:.0f}  deliveries {rate:>6,.0f}/s",
            flush=True,
        )
        return plain, queued, sent, rate

    def _track(self) -> tuple[float, float]:
        return track(self._running, self._devices, self._seconds)

    def _set(self, **changes: bool) -> None:
        assert self._client.patch(self._webhook, json=changes).status_code == 200


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
    parser.add_argument("--queued", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each turn tracks in each state")
    parser.add_argument("--turns", type=int, default=6)
    given = parser.parse_args()
    if given.receive:
        uvloop.run(receive())
        return
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name, receiver() as url:
        folder = Path(name)
        print(f"load {os.getloadavg()[0]:.1f}")
        alone(folder, folder, given.queued)
        filled = copied(folder, folder, FENCES, rules=False)
        fill(filled, url, given.queued)
        with server(filled) as running, client_of(filled, running) as client:
            beside = Beside(running, client, url, given.seconds)
            turns = [beside.turn() for _ in range(given.turns)]
    shares = [(queued / plain, sent / plain, sent / queued, rate) for plain, queued, sent, rate in turns]
    queued, sent, of_queued, rate = (statistics.median(column) for column in zip(*shares, strict=True))
    print(f"medians: of the updates without a webhook {queued:.0%} while deliveries are queued, {sent:.0%} while they ")
    print(f"are sent ({of_queued:.0%} of those while they are queued); {rate:,.0f} deliveries/s meanwhile")


if __name__ == "__main__":
    main()
