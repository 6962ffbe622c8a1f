"""Location updates per second over HTTP, durable: ``python -m tests.benchmarks.track``.

The server runs as its users run it (``fencewright serve``), the client in this process, and both share the machine.
Each update is for its own device. 30 % of the fixes lie inside a geofence, and 5 % cause an event. 10 % of the
geofences are polygons of 200 vertices. The rules are ``none`` (and no update is kept), ``few`` (50 are), ``kept`` (the
defaults) or ``all``. Each line is one closed loop per connection: the next update is sent when the previous one is
answered, which happens after its commit. If other programs use the machine as well, the server's processor time per
update is more meaningful than the updates per second. `of bare` is the rate relative to that of a bare uvicorn that
answers the same requests of the same client with a constant in the same minute.
"""

import argparse
import asyncio
import math
import os
import random
import ssl
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from time import perf_counter, sleep
from typing import cast
from urllib.parse import urlsplit

import orjson
import uvloop

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from tests.benchmarks.workspaces import copied, place

SHARE_INSIDE = 0.3
SHARE_EVENTS = 0.05
DEVICES = 12_800

SETTINGS = {
    "none": SettingsChange(kept_updates=0),
    "few": SettingsChange(kept_updates=50),
    "kept": SettingsChange(),
    "all": SettingsChange(
        stop_detection=True,
        buffer_entries=True,
        buffer_exits=True,
        operating_hours_restriction=True,
        dwell_event=True,
        default_dwell_threshold_s=300,
        fraud=True,
        # The devices here jump between two positions, which is not meant as fraud.
        jumped_speed_mps=100_000,
    ),
}
"""The settings: no rules and no update kept, the last 50 kept, the defaults with 100,000 kept, and every rule."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of the table."""

    fences: int
    rules: str
    connections: int
    updates_per_second: float
    p50_ms: float
    p99_ms: float
    cpu_us: float
    events_share: float
    peak_mb: float
    of_bare: float = math.nan


@dataclass(frozen=True, slots=True)
class Server:
    """A running `fencewright serve`: its address, its Test keys, its process, and its start-up time."""

    url: str
    key: str
    process: int
    secret: str
    ready_cpu_s: float

    @property
    def cpu_s(self) -> float:
        """Processor time that the process has used so far, in seconds."""
        return cpu_s_of(self.process)

    @property
    def peak_mb(self) -> float:
        """Peak memory of the process so far, in MB."""
        status = Path(f"/proc/{self.process}/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1e3


def cpu_s_of(process: int) -> float:
    """Return the processor time that a process has used so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Devices:
    """Devices that stand still and occasionally cross a boundary."""

    def __init__(self, prefix: str, count: int, fences: int, rng: random.Random) -> None:
        self._rng = rng
        self._inside = [rng.random() < SHARE_INSIDE for _ in range(count)]
        self._homes = [place(rng.randrange(fences)) for _ in range(count)]
        self._prefix = prefix

    def first(self) -> Iterator[bytes]:
        """Yield one update for each device."""
        return (self._update(number) for number in range(len(self._homes)))

    def more(self) -> Iterator[bytes]:
        """Yield an endless series of updates, in which as many devices enter as leave, so that the share inside is
        constant."""
        while True:
            for number, inside in enumerate(self._inside):
                share = SHARE_EVENTS / 2 / (SHARE_INSIDE if inside else 1 - SHARE_INSIDE)
                if self._rng.random() < share:
                    self._inside[number] = not inside
                yield self._update(number)

    def _update(self, number: int) -> bytes:
        longitude, latitude = self._homes[number]
        if not self._inside[number]:
            # Outside every geofence's bounding box, but within the area that they fill.
            longitude, latitude = longitude + 0.0061, latitude + 0.0057
        longitude, latitude = longitude + self._rng.uniform(-5e-5, 5e-5), latitude + self._rng.uniform(-5e-5, 5e-5)
        return (
            f'{{"deviceId":"{self._prefix}{number}","latitude":{latitude:.7f},"longitude":{longitude:.7f},'
            '"accuracy":12,"deviceType":"Web","stopped":true}'
        ).encode()


class Connection(asyncio.Protocol):
    """One keep-alive connection that sends its requests one after the other."""

    def __init__(self, requests: Iterable[bytes], done: asyncio.Future[None]) -> None:
        self._requests = iter(requests)
        self._done = done
        self._buffer = b""
        self.latencies: list[float] = []
        self.events = 0
        self.received = 0

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
        self.received += len(self._buffer)
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


async def drive(url: str, batches: Sequence[Iterable[bytes]]) -> tuple[float, list[Connection]]:
    """Send each batch over its own connection, all at once, and return the seconds and the connections."""
    loop = asyncio.get_running_loop()
    scheme, address, *_ = urlsplit(url)
    host, _, port = address.partition(":")
    tls = None
    if scheme == "https":
        tls = ssl.create_default_context()
        tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    pairs = [(batch, loop.create_future()) for batch in batches]
    began = perf_counter()
    connections = [
        (await loop.create_connection(lambda pair=pair: Connection(*pair), host, int(port), ssl=tls))[1]
        for pair in pairs
    ]
    await asyncio.gather(*(done for _, done in pairs))
    return perf_counter() - began, connections


def requests_of(bodies: Iterator[bytes], count: int, key: str) -> list[bytes]:
    """Return `count` requests with these bodies, as sent over the wire."""
    head = f"POST /v1/track HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\nContent-Type: application/json\r\n"
    return [f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body for body in islice(bodies, count)]


def measure(server: Server, fences: int, rules: str, updates: int, devices: list[Devices]) -> Figures:
    """Return the figures of one line of the table."""
    connections = len(devices)
    batches = [requests_of(device.more(), updates // connections, server.key) for device in devices]
    cpu_s = server.cpu_s
    seconds, done = uvloop.run(drive(server.url, batches))
    cpu_s = server.cpu_s - cpu_s
    latencies = sorted(latency for connection in done for latency in connection.latencies)
    return Figures(
        fences,
        rules,
        connections,
        len(latencies) / seconds,
        statistics.median(latencies) * 1e3,
        latencies[int(len(latencies) * 0.99)] * 1e3,
        cpu_s / len(latencies) * 1e6,
        sum(connection.events for connection in done) / len(latencies),
        server.peak_mb,
    )


@contextmanager
def server(folder: Path, *options: str, module: str = "app.main", workspace: str | None = None) -> Iterator[Server]:
    """Run `fencewright serve` on the workspace in `folder`, or on another one. The ready file is next to it."""
    ready = folder.parent / f"{folder.name}.ready"
    ready.unlink(missing_ok=True)
    command = [sys.executable, "-m", module, "serve", "--workspace", workspace or str(folder), "--port", "0", *options]
    log_file = folder.parent / f"{folder.name}.log"
    with (
        log_file.open("wb") as log,
        subprocess.Popen([*command, "--ready-file", str(ready)], stderr=log) as process,
    ):
        try:
            while not ready.exists():
                if process.poll() is not None:
                    raise RuntimeError(f"the server did not start: {log_file.read_text(encoding='utf-8')[-2000:]}")
                sleep(0.01)
            content = orjson.loads(ready.read_bytes())
            keys = content["keys"]["test"]
            yield Server(content["url"], keys["publishable"], process.pid, keys["secret"], cpu_s_of(process.pid))
        finally:
            process.terminate()


@contextmanager
def bare_server() -> Iterator[Server]:
    """Run a uvicorn that answers each request with a constant as large as the response to an update."""
    command = [sys.executable, "-m", "tests.benchmarks.bare"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            yield Server(url, "none", process.pid, "none", cpu_s_of(process.pid))
        finally:
            process.terminate()


def bare_rate(connections: int, requests: int) -> float:
    """Return how many requests a bare uvicorn answers per second."""
    devices = [Devices(f"b{number}-", 100, 1_000, random.Random(number)) for number in range(connections)]
    with bare_server() as running:
        measure(running, 0, "", connections * 20, devices)
        return measure(running, 0, "", requests, devices).updates_per_second


def fsync_p50_ms(folder: Path, rounds: int = 300) -> float:
    """Return how long a small durable write takes on this disk."""
    times = []
    with (folder / "fsync").open("wb", buffering=0) as stream:
        for _ in range(rounds):
            stream.write(b"x" * 4096)
            began = perf_counter()
            os.fsync(stream.fileno())
            times.append(perf_counter() - began)
    return statistics.median(times) * 1e3


def prepared(kept: Path, folder: Path, fences: int, rules: str) -> Path:
    """Return a copy in `folder` of the workspace with these geofences and rules in `kept`, creating it if necessary."""
    copy = copied(kept, folder, fences, rules=rules == "all")
    with Engine.open(copy) as engine:
        engine.settings.change(Environment.TEST, SETTINGS[rules])
    return copy


def run(workspace: Path, fences: int, rules: str, connections: list[int], updates: int) -> Iterator[Figures]:
    """Yield one line for each number of connections."""
    rng = random.Random(fences)
    with server(workspace) as running:
        for count in connections:
            each = max(1, DEVICES // count)
            devices = [Devices(f"c{count}-{number}-", each, fences, rng) for number in range(count)]
            first = [requests_of(device.first(), each, running.key) for device in devices]
            uvloop.run(drive(running.url, first))
            number = updates if count > 1 else updates // 4
            line = measure(running, fences, rules, number, devices)
            yield replace(line, of_bare=line.updates_per_second / bare_rate(count, number))


def options() -> argparse.Namespace:
    """Parse the options of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fences", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--rules", nargs="+", choices=SETTINGS, default=["kept"])
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--updates", type=int, default=60_000, help="updates in each line of the table")
    parser.add_argument("--turns", type=int, default=1, help="how often everything is measured, by turns")
    parser.add_argument("--workspaces", type=Path, help="where workspaces are kept for the next run")
    return parser.parse_args()


def main() -> None:
    """Print the table."""
    given = options()
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name:
        folder = Path(name)
        kept = given.workspaces or folder
        kept.mkdir(parents=True, exist_ok=True)
        print(f"fsync p50 {fsync_p50_ms(folder):.2f} ms")
        print("   fences rules connections  updates/s   p50 ms   p99 ms  CPU us  events  peak MB  of bare")
        for fences, rules in list(product(given.fences, given.rules)) * given.turns:
            for line in run(prepared(kept, folder, fences, rules), fences, rules, given.connections, given.updates):
                print(
                    f"{line.fences:>9,} {line.rules:>5} {line.connections:>11} {line.updates_per_second:>10,.0f} "
                    f"{line.p50_ms:>8.2f} {line.p99_ms:>8.2f} {line.cpu_us:>7.0f} {line.events_share:>7.1%} "
                    f"{line.peak_mb:>8,.0f} {line.of_bare:>8.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
