"""Streams of events: events per second, and the cost of readers for clients that track.

``python -m tests.benchmarks.streams``. The server, the devices and the readers are separate processes. The devices are
those of `tests.benchmarks.track`, and 5 % of their updates cause an event. Measurements alternate between no readers
and readers. At the end, all readers read all stored events from the beginning.
"""

import argparse
import asyncio
import multiprocessing
import random
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from time import perf_counter
from typing import cast
from urllib.parse import urlsplit

import orjson
import uvloop

from tests.benchmarks.track import DEVICES, Devices, Server, drive, measure, prepared, requests_of, server

FENCES = 1_000
CONNECTIONS = 16
EACH = DEVICES // CONNECTIONS
MARK = b"\nid: "


class Reading(asyncio.Protocol):
    """A reader that counts events."""

    def __init__(self, request: bytes, counted: list[int]) -> None:
        self._request = request
        self._counted = counted
        self._end = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(self._request)

    def data_received(self, data: bytes) -> None:
        data = self._end + data
        self._counted[0] += data.count(MARK)
        self._end = data[-(len(MARK) - 1) :]


async def _read(url: str, key: str, readers: int, query: str, pipe: Pipe) -> None:
    """Read until asked to stop, and answer each question with the number of events received."""
    host, _, port = urlsplit(url).netloc.partition(":")
    request = f"GET /v1/events/stream{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n".encode()
    counted = [0]
    loop = asyncio.get_running_loop()
    for _ in range(readers):
        await loop.create_connection(lambda: Reading(request, counted), host, int(port))
    pipe.send(0)
    while await asyncio.to_thread(pipe.recv):
        pipe.send(counted[0])


def _run_readers(url: str, key: str, readers: int, query: str, pipe: Pipe) -> None:
    uvloop.run(_read(url, key, readers, query, pipe))


class Readers:
    """Readers in a separate process."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def count(self) -> int:
        """Number of events they have read in total."""
        self._pipe.send(True)
        return int(self._pipe.recv())

    def wait_for(self, count: int) -> None:
        """Return when they have read this many events."""
        while self.count() < count:
            pass


@contextmanager
def readers(running: Server, secret: str, count: int, query: str = "") -> Iterator[Readers]:
    """Run this many readers during the block."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_run_readers, args=(running.url, secret, count, query, there))
    process.start()
    try:
        here.recv()
        yield Readers(here)
        here.send(False)
        process.join()
    finally:
        process.kill()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, nargs="+", default=[0, 1, 50])
    parser.add_argument("--updates", type=int, default=20_000, help="updates of each turn")
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name:
        folder = Path(name)
        workspace = prepared(folder, folder, FENCES, "kept")
        with server(workspace) as running:
            _measure(running, workspace, given)


def _measure(running: Server, workspace: Path, given: argparse.Namespace) -> None:
    secret = orjson.loads((workspace.parent / f"{workspace.name}.ready").read_bytes())["keys"]["test"]["secret"]
    rng = random.Random(1)
    devices = [Devices(f"d{number}-", EACH, FENCES, rng) for number in range(CONNECTIONS)]
    uvloop.run(drive(running.url, [requests_of(device.first(), EACH, running.key) for device in devices]))
    rates: dict[int, list[float]] = {count: [] for count in given.readers}
    cpu_us: dict[int, list[float]] = {count: [] for count in given.readers}
    print("readers  updates/s  CPU us  events/s read  late by ms")
    for _ in range(given.turns):
        for count in given.readers:
            with readers(running, secret, count) as reading:
                began = perf_counter()
                line = measure(running, FENCES, "kept", given.updates, devices)
                ended = perf_counter()
                events = round(line.events_share * (given.updates // CONNECTIONS) * CONNECTIONS)
                reading.wait_for(events * count)
                late_ms = (perf_counter() - ended) * 1e3
            rates[count].append(line.updates_per_second)
            cpu_us[count].append(line.cpu_us)
            read_s = events * count / (ended - began)
            print(f"{count:>7} {line.updates_per_second:>10,.0f} {line.cpu_us:>7.0f} {read_s:>14,.0f} {late_ms:>11.0f}")
    for count in given.readers:
        rate, cpu = statistics.median(rates[count]), statistics.median(cpu_us[count])
        print(f"median with {count} readers: {rate:,.0f} updates/s, {cpu:.0f} us of processor time each")
    _measure_past(running, secret, given.readers)


def _measure_past(running: Server, secret: str, counts: list[int]) -> None:
    with readers(running, secret, 1, "?lastEventId=0") as reading:
        stored, before = reading.count(), -1
        while stored != before or not stored:
            before, stored = stored, reading.count()
            asyncio.run(asyncio.sleep(0.5))
    for count in filter(None, counts):
        began = perf_counter()
        with readers(running, secret, count, "?lastEventId=0") as reading:
            reading.wait_for(stored * count)
            seconds = perf_counter() - began
        print(f"{count} readers of {stored:,} stored events: {stored * count / seconds:,.0f} events/s")


if __name__ == "__main__":
    main()
