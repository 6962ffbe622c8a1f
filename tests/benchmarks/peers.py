"""Location updates compared with PostgreSQL and PostGIS, in alternating turns: ``python -m tests.benchmarks.peers``.

Three servers receive the same updates of the same devices, with the same geofences. The first is `fencewright serve`.
The second is a minimal endpoint (uvicorn, asyncpg) over a function in the database, which stores the user's last
position, their current geofences, the entries and exits, and the update itself in one durable transaction. The third is
that function, called directly without HTTP. At first, the benchmark checks that both return the same entries and exits
for some thousand updates, and ends if they do not. A turn measures each server once, from an empty state. It prints a
line for each, with our rate divided by the rate of the other, and the last lines have the medians. The written bytes
are those that the processes of the server wrote to files, until all committed data is in its tables. PostgreSQL,
PostGIS and the development tools are required.
"""

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from time import monotonic, perf_counter, sleep
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
import uvloop

from tests.benchmarks.postgis.cluster import Cluster, Missing, running, written_by
from tests.benchmarks.track import DEVICES, Devices, cpu_s_of, drive, prepared, requests_of, server

KEPT: Final = {"none": 0, "kept": 100_000}
"""Number of kept updates, by the name of the rules in `tests.benchmarks.track`."""

CHECKED: Final = 2_500
"""Number of devices that send two updates each before the measurement."""

AT_ONCE: Final = 16
"""Number of connections that send the first update of each device, which is not measured."""

_PAUSE_S: Final = 1.2
"""Pause in seconds after which our server accepts a device's next update and has emptied the database's log."""

type Entries = list[tuple[str, str]]
"""The events of an update, as pairs of type and external ID of the geofence."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of the table."""

    name: str
    connections: int
    updates_per_second: float
    p50_ms: float
    cpu_us: float
    written_kb: float
    events: int


@dataclass(frozen=True, slots=True)
class Peer:
    """A running server: its address, its resource usage, and whether its responses count as written bytes."""

    url: str
    key: str
    counts_answers: bool
    cpu_s: Callable[[], float]
    written: Callable[[], int]
    write_out: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Given:
    """The conditions of a line: the numbers of geofences and updates, the rules, and the folders of both servers."""

    fences: int
    rules: str
    updates: int
    kept: Path
    folder: Path
    cluster: Cluster


@contextmanager
def ours(given: Given, _connections: int) -> Iterator[Peer]:
    """Run `fencewright serve` on a new copy of the workspace."""
    workspace = prepared(given.kept, given.folder, given.fences, given.rules)
    with server(workspace) as found:
        number = found.process
        # The log is written to the database file one second after a commit.
        yield Peer(found.url, found.key, True, lambda: found.cpu_s, lambda: written_by(number), lambda: sleep(_PAUSE_S))


@contextmanager
def postgis(given: Given, connections: int) -> Iterator[Peer]:
    """Run the endpoint over PostGIS, from an empty state."""
    from tests.benchmarks.postgis.loading import empty, write_out

    cluster = given.cluster
    uvloop.run(empty(cluster))
    values = [str(cluster.socket), cluster.user, str(connections), str(KEPT[given.rules])]
    command = [sys.executable, "-m", "tests.benchmarks.postgis.endpoint", *values]
    with Popen(command, stdout=PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            yield Peer(
                url,
                "none",
                False,
                lambda: cluster.cpu_s + cpu_s_of(process.pid),
                lambda: cluster.written,
                lambda: uvloop.run(write_out(cluster)),
            )
        finally:
            process.terminate()


def devices_of(given: Given, connections: int) -> list[Devices]:
    """Return the devices of each connection, which are the same for all servers."""
    rng = Random(given.fences)
    each = max(1, DEVICES // connections)
    return [Devices(f"c{connections}-{number}-", each, given.fences, rng) for number in range(connections)]


def first_of(devices: Sequence[Devices]) -> list[list[bytes]]:
    """Return an update of each device, for several connections at once."""
    first = [body for each in devices for body in each.first()]
    return [first[number::AT_ONCE] for number in range(AT_ONCE)]


def over_http(
    name: str, run: Callable[[Given, int], AbstractContextManager[Peer]], given: Given, connections: int
) -> Figures:
    """Measure a server over HTTP."""
    devices = devices_of(given, connections)
    with run(given, max(connections, AT_ONCE)) as peer:
        uvloop.run(drive(peer.url, [requests_of(iter(bodies), DEVICES, peer.key) for bodies in first_of(devices)]))
        batches = [requests_of(each.more(), given.updates // connections, peer.key) for each in devices]
        peer.write_out()
        cpu_s, written = peer.cpu_s(), peer.written()
        seconds, done = uvloop.run(drive(peer.url, batches))
        cpu_s = peer.cpu_s() - cpu_s
        peer.write_out()
        written = peer.written() - written
    if peer.counts_answers:
        written -= sum(connection.received for connection in done)
    latencies = [latency for connection in done for latency in connection.latencies]
    events = sum(connection.events for connection in done)
    return _figures(name, connections, seconds, latencies, cpu_s, written, events)


def _figures(
    name: str, connections: int, seconds: float, latencies: Sequence[float], cpu_s: float, written: int, events: int
) -> Figures:
    count = len(latencies)
    p50_ms = statistics.median(latencies) * 1e3
    return Figures(name, connections, count / seconds, p50_ms, cpu_s / count * 1e6, written / count / 1e3, events)


def directly(given: Given, connections: int) -> Figures:
    """Measure the function in the database, called from this process over the same number of connections."""
    from tests.benchmarks.postgis.loading import empty, write_out

    cluster, devices = given.cluster, devices_of(given, connections)
    uvloop.run(empty(cluster))
    uvloop.run(_call(given, first_of(devices)))
    bodies = [list(islice(each.more(), given.updates // connections)) for each in devices]
    uvloop.run(write_out(cluster))
    written = cluster.written
    seconds, cpu_s, latencies, events = uvloop.run(_call(given, bodies))
    uvloop.run(write_out(cluster))
    return _figures("PostGIS directly", connections, seconds, latencies, cpu_s, cluster.written - written, events)


async def _call(given: Given, batches: Sequence[Sequence[bytes]]) -> tuple[float, float, list[float], int]:
    """Call the function with each batch over its own connection.

    Return the seconds, the seconds of processor time, the latencies and the number of events.
    """
    from tests.benchmarks.postgis.endpoint import CALL, values_of
    from tests.benchmarks.postgis.loading import connected

    most = KEPT[given.rules]
    values = [[values_of(body, "127.0.0.1", most) for body in batch] for batch in batches]
    connections = [await connected(given.cluster) for _ in batches]
    statements = [await connection.prepare(CALL) for connection in connections]
    began, cpu_s = perf_counter(), given.cluster.cpu_s
    done = await asyncio.gather(*map(_call_each, statements, values))
    seconds, cpu_s = perf_counter() - began, given.cluster.cpu_s - cpu_s
    for connection in connections:
        await connection.close()
    latencies = [latency for found, _ in done for latency in found]
    return seconds, cpu_s, latencies, sum(events for _, events in done)


async def _call_each(statement: Any, batch: Sequence[tuple[Any, ...]]) -> tuple[list[float], int]:
    latencies, events = [], 0
    for values in batch:
        began = perf_counter()
        answer = await statement.fetchval(*values)
        latencies.append(perf_counter() - began)
        events += answer.count('"type":"user.')
    return latencies, events


MEASURED: Final[dict[str, Callable[[Given, int], Figures]]] = {
    "Fencewright": lambda given, connections: over_http("Fencewright", ours, given, connections),
    "PostGIS": lambda given, connections: over_http("PostGIS", postgis, given, connections),
    "PostGIS directly": directly,
}


def answers(peer: Peer, given: Given, count: int) -> list[Entries]:
    """Return the events of each update that some devices send one after the other, twice each."""
    devices = Devices("check-", count, given.fences, Random(1))
    address = urlsplit(peer.url)
    assert address.hostname is not None
    connection = HTTPConnection(address.hostname, address.port or 80, timeout=60)
    headers = {"Authorization": peer.key, "Content-Type": "application/json"}
    more = devices.more()
    found = []
    for bodies in (devices.first(), (next(more) for _ in range(count))):
        began = monotonic()
        for body in bodies:
            connection.request("POST", "/v1/track", body, headers)
            response = connection.getresponse()
            content = response.read()
            if response.status != 200:
                raise RuntimeError(content.decode())
            found.append(sorted(map(_entry, orjson.loads(content)["events"])))
        sleep(max(0.0, _PAUSE_S - (monotonic() - began)))
    connection.close()
    return found


def _entry(event: dict[str, Any]) -> tuple[str, str]:
    return event["type"], event["geofence"]["externalId"]


def check(given: Given, count: int = CHECKED) -> str:
    """Compare the events of both servers for each update; return a summary, or raise `RuntimeError`."""
    with ours(given, 1) as peer:
        expected = answers(peer, given, count)
    with postgis(given, 1) as peer:
        found = answers(peer, given, count)
    differing = [number for number, pair in enumerate(zip(expected, found, strict=True)) if pair[0] != pair[1]]
    if differing:
        number = differing[0]
        raise RuntimeError(
            f"{len(differing)} of {len(expected)} updates were answered differently; number {number} "
            f"by {expected[number]} and {found[number]}"
        )
    kinds = [kind for events in expected for kind, _ in events]
    return (
        f"{len(expected):,} updates, {kinds.count('user.entered_geofence'):,} entries and "
        f"{kinds.count('user.exited_geofence'):,} exits: the same by both"
    )


def turn(given: Given, connections: int, number: int) -> dict[str, Figures]:
    """Measure each server once, in a different order each turn, and print the lines."""
    names = list(MEASURED)
    first = number % len(names)
    found = {name: MEASURED[name](given, connections) for name in (*names[first:], *names[:first])}
    for name in names:
        _print(given, found[name], found["Fencewright"])
    if len({each.events for each in found.values()}) > 1:
        raise RuntimeError(f"the events differ: {', '.join(f'{each.name} {each.events}' for each in found.values())}")
    return found


def _print(given: Given, line: Figures, ours: Figures) -> None:
    print(
        f"{line.name:>17} {given.rules:>5} {line.connections:>11} {line.updates_per_second:>10,.0f} "
        f"{line.p50_ms:>8.2f} {line.cpu_us:>7.0f} {line.written_kb:>8.1f} {line.events:>7,} "
        f"{ours.updates_per_second / line.updates_per_second:>8.3f}",
        flush=True,
    )


def print_medians(rules: str, connections: int, turns: Sequence[dict[str, Figures]]) -> None:
    """Print the medians of all turns, with the ratios of each turn."""
    for name in MEASURED:
        lines = [each[name] for each in turns]
        rate, cpu_us, written_kb = (
            statistics.median(values)
            for values in zip(*((each.updates_per_second, each.cpu_us, each.written_kb) for each in lines), strict=True)
        )
        shares = [each["Fencewright"].updates_per_second / each[name].updates_per_second for each in turns]
        print(
            f"{rules}, {connections} connections, {name}: {rate:,.0f} updates/s, {cpu_us:.0f} us, {written_kb:.1f} kB; "
            f"ours is {statistics.median(shares):.3f} times as fast ({', '.join(f'{each:.3f}' for each in shares)})"
        )


def options() -> argparse.Namespace:
    """Parse the command-line options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fences", type=int, default=100_000)
    parser.add_argument("--rules", nargs="+", choices=KEPT, default=["kept"])
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--updates", type=int, default=40_000, help="updates in each line; a quarter at one connection")
    parser.add_argument("--turns", type=int, default=3, help="how often everything is measured, by turns")
    parser.add_argument("--workspaces", type=Path, help="where workspaces are kept for the next run")
    return parser.parse_args()


def compare(args: argparse.Namespace, folder: Path, cluster: Cluster) -> None:
    """Compare the events, and print the table and the medians."""
    kept = args.workspaces or folder
    kept.mkdir(parents=True, exist_ok=True)
    print(check(Given(args.fences, "kept", 0, kept, folder, cluster)))
    print("             name rules connections  updates/s   p50 ms  CPU us written kB events  ours is")
    turns = defaultdict(list)
    for number in range(args.turns):
        for rules in args.rules:
            for connections in args.connections:
                updates = args.updates if connections > 1 else args.updates // 4
                given = Given(args.fences, rules, updates, kept, folder, cluster)
                turns[rules, connections].append(turn(given, connections, number))
    for (rules, connections), found in turns.items():
        print_medians(rules, connections, found)


def main() -> int:
    """Print the table; return 2 if a requirement is missing."""
    args = options()
    # Like Ctrl-C: ends all started processes and removes the folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        from tests.benchmarks.postgis.loading import load
    except ModuleNotFoundError as error:
        print(f"The Python package {error.name} is not installed: sh packaging/test.sh --collect-only", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="fencewright-peers-") as name, running(Path(name) / "pg") as cluster:
            uvloop.run(load(cluster, args.fences))
            compare(args, Path(name), cluster)
    except Missing as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
