"""Location updates per second over HTTP, durable: ``python -m tests.benchmarks.track``.

The server runs as its users run it (``fencewright serve``), the client in this process; both share the machine.
Every device is its own; 30 % of the fixes lie inside a geofence, 5 % cause an event; 10 % of the geofences are
polygons of 200 vertices. Each line is one closed loop per connection: the next update goes out when the last is
answered, and it is answered after its commit.
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
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import cos, pi, sin
from pathlib import Path
from time import perf_counter
from typing import cast
from urllib.parse import urlsplit

import orjson
import uvloop

from engine import Engine
from engine.domain.environment import Environment

SHARE_INSIDE = 0.3
SHARE_EVENTS = 0.05
SHARE_POLYGONS = 0.1
VERTICES = 200
AREA = (5.0, 45.0, 15.0, 55.0)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one line of the table shows."""

    fences: int
    connections: int
    updates_per_second: float
    p50_ms: float
    p99_ms: float
    events_share: float


def fence_table(count: int, rng: random.Random) -> tuple[bytes, list[tuple[float, float]]]:
    """Return a CSV of geofences, and their centres."""
    lines = ["description,type,tag,externalId,coordinates,radius"]
    centers = []
    for number in range(count):
        longitude, latitude = rng.uniform(AREA[0], AREA[2]), rng.uniform(AREA[1], AREA[3])
        centers.append((longitude, latitude))
        if rng.random() < SHARE_POLYGONS:
            ring = [
                [longitude + 0.002 * cos(2 * pi * i / VERTICES), latitude + 0.0013 * sin(2 * pi * i / VERTICES)]
                for i in range(VERTICES)
            ]
            lines.append(f'Fence {number},polygon,t{number % 100},{number},"{[*ring, ring[0]]}",')
        else:
            radius = rng.randint(20, 250)
            lines.append(f'Fence {number},circle,t{number % 100},{number},"[{longitude},{latitude}]",{radius}')
    return "\n".join(lines).encode(), centers


class Devices:
    """Devices that stand still, and now and then cross a boundary."""

    def __init__(self, prefix: str, count: int, centers: list[tuple[float, float]], rng: random.Random) -> None:
        self._rng = rng
        self._inside = [rng.random() < SHARE_INSIDE for _ in range(count)]
        self._homes = [rng.choice(centers) for _ in range(count)]
        self._prefix = prefix

    def first(self) -> Iterator[bytes]:
        """Yield one update for each device."""
        return (self._update(number) for number in range(len(self._homes)))

    def more(self) -> Iterator[bytes]:
        """Yield updates for ever; as many devices enter as leave, so that the share inside stays."""
        while True:
            for number, inside in enumerate(self._inside):
                share = SHARE_EVENTS / 2 / (SHARE_INSIDE if inside else 1 - SHARE_INSIDE)
                if self._rng.random() < share:
                    self._inside[number] = not inside
                yield self._update(number)

    def _update(self, number: int) -> bytes:
        longitude, latitude = self._homes[number]
        if not self._inside[number]:
            # Nowhere near any geofence's box, yet inside the area that they fill.
            longitude, latitude = longitude + 0.0061, latitude + 0.0057
        return (
            f'{{"deviceId":"{self._prefix}{number}","latitude":{latitude + self._rng.uniform(-5e-5, 5e-5):.7f},'
            f'"longitude":{longitude + self._rng.uniform(-5e-5, 5e-5):.7f},"accuracy":12,"deviceType":"Web"}}'
        ).encode()


class Connection(asyncio.Protocol):
    """One keep-alive connection that sends its requests one after the other."""

    def __init__(self, requests: list[bytes], done: asyncio.Future[None]) -> None:
        self._requests = iter(requests)
        self._done = done
        self._buffer = b""
        self.latencies: list[float] = []
        self.events = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        if not found or len(body) < length:
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self._done.set_exception(RuntimeError(self._buffer.decode()))
            return
        self.latencies.append(perf_counter() - self._sent)
        self.events += body.count(b'"type":"user.')
        self._buffer = b""
        self._send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._done.done():
            self._done.set_exception(error or ConnectionError("the server closed the connection"))

    def _send(self) -> None:
        request = next(self._requests, None)
        if request is None:
            self._done.set_result(None)
            self._transport.close()
            return
        self._sent = perf_counter()
        self._transport.write(request)


async def drive(url: str, batches: list[list[bytes]]) -> tuple[float, list[Connection]]:
    """Send each batch over its own connection, all at once; return the seconds it took and the connections."""
    loop = asyncio.get_running_loop()
    host, _, port = urlsplit(url).netloc.partition(":")
    pairs = [(batch, loop.create_future()) for batch in batches]
    began = perf_counter()
    connections = [
        (await loop.create_connection(lambda pair=pair: Connection(*pair), host, int(port)))[1]  # type: ignore[misc]
        for pair in pairs
    ]
    await asyncio.gather(*(done for _, done in pairs))
    return perf_counter() - began, connections


def requests_of(bodies: Iterator[bytes], count: int, key: str) -> list[bytes]:
    """Return `count` requests with these bodies, as they go over the wire."""
    head = f"POST /v1/track HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\nContent-Type: application/json\r\n"
    return [f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body for body in islice(bodies, count)]


def measure(url: str, key: str, fences: int, connections: int, updates: int, devices: list[Devices]) -> Figures:
    """Return the figures of one line of the table."""
    each = updates // connections
    batches = [requests_of(device.more(), each, key) for device in devices]
    seconds, done = uvloop.run(drive(url, batches))
    latencies = sorted(latency for connection in done for latency in connection.latencies)
    return Figures(
        fences,
        connections,
        len(latencies) / seconds,
        statistics.median(latencies) * 1e3,
        latencies[int(len(latencies) * 0.99)] * 1e3,
        sum(connection.events for connection in done) / len(latencies),
    )


@contextmanager
def server(workspace: Path) -> Iterator[tuple[str, str]]:
    """Run `fencewright serve` on a workspace; yield its address and its publishable Test key."""
    ready = workspace.parent / f"{workspace.name}.ready"
    command = [sys.executable, "-m", "app.main", "serve", "--workspace", str(workspace), "--port", "0"]
    with subprocess.Popen([*command, "--ready-file", str(ready)], stderr=subprocess.DEVNULL) as process:
        try:
            while not ready.exists():
                if process.poll() is not None:
                    raise RuntimeError("the server did not start")
                os.sched_yield()
            content = orjson.loads(ready.read_bytes())
            yield content["url"], content["keys"]["test"]["publishable"]
        finally:
            process.terminate()


def fsync_p50_ms(folder: Path, rounds: int = 300) -> float:
    """Return how long this disk takes to make a small write durable."""
    times = []
    with (folder / "fsync").open("wb", buffering=0) as stream:
        for _ in range(rounds):
            stream.write(b"x" * 4096)
            began = perf_counter()
            os.fsync(stream.fileno())
            times.append(perf_counter() - began)
    return statistics.median(times) * 1e3


def run(folder: Path, fences: int, connections: list[int], updates: int) -> Iterator[Figures]:
    """Yield a line for each number of connections."""
    rng = random.Random(fences)
    workspace = folder / f"fences-{fences}"
    table, centers = fence_table(fences, rng)
    with Engine.open(workspace) as engine:
        report = engine.import_csv(Environment.TEST, table)
        assert report.created == fences, report.errors[:3]
    with server(workspace) as (url, key):
        for count in connections:
            each = max(1, 6_400 // count)
            devices = [Devices(f"c{count}-{number}-", each, centers, rng) for number in range(count)]
            uvloop.run(drive(url, [requests_of(device.first(), each, key) for device in devices]))
            yield measure(url, key, fences, count, updates if count > 1 else updates // 4, devices)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fences", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--updates", type=int, default=60_000, help="updates in each line of the table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name:
        folder = Path(name)
        print(f"fsync p50 {fsync_p50_ms(folder):.2f} ms")
        print(f"{'fences':>8} {'connections':>12} {'updates/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'events':>7}")
        for fences in options.fences:
            for line in run(folder, fences, options.connections, options.updates):
                print(
                    f"{line.fences:>8,} {line.connections:>12} {line.updates_per_second:>10,.0f} "
                    f"{line.p50_ms:>8.2f} {line.p99_ms:>8.2f} {line.events_share:>7.1%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
