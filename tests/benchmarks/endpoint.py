"""The cost of parts of the endpoint, in alternating turns: ``python -m tests.benchmarks.endpoint``.

Compares runs with and without the request log, and TLS with plain HTTP, by the server's processor time for one location
update as `tests.benchmarks.track` measures it. For a seed, it measures the processor time until the server is ready,
and the duration of a reset without changes and after all geofences were deleted.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NoReturn

import httpx
import orjson
import uvloop

from app.api.http.request_log.ring import Recorder, RequestLog
from tests.benchmarks.track import DEVICES, Devices, Server, drive, measure, prepared, requests_of, server
from tests.benchmarks.workspaces import place

FENCES = 1_000
CONNECTIONS = 16


def cpu_us(workspace: Path, updates: int, *options: str, module: str = "app.main") -> float:
    """Return the processor time of an update in microseconds."""
    rng = Random(FENCES)
    with server(workspace, *options, module=module) as running:
        devices = [Devices(f"c{number}-", DEVICES // CONNECTIONS, FENCES, rng) for number in range(CONNECTIONS)]
        first = [requests_of(each.first(), DEVICES // CONNECTIONS, running.key) for each in devices]
        uvloop.run(drive(running.url, first))
        return measure(running, FENCES, "kept", updates, devices).cpu_us


def seed(file: Path) -> Path:
    """Write a seed with a thousand geofences and a hundred users."""
    fences = [
        {"tag": "store", "externalId": str(number), "description": f"Store {number}", "type": "circle", "radius": 100}
        | {"coordinates": place(number)}
        for number in range(FENCES)
    ]
    users = [
        {"deviceId": f"phone {number}", "location": {"type": "Point", "coordinates": place(number)}}
        | {"locationAccuracy": 10, "geofences": [{"tag": "store", "externalId": str(number)}]}
        for number in range(100)
    ]
    file.write_bytes(orjson.dumps({"version": 1, "geofences": fences, "users": users}))
    return file


def resets(running: Server, secret: str) -> Iterator[tuple[float, float]]:
    """Yield the milliseconds of a reset without changes, and after all geofences were deleted."""
    with httpx.Client(base_url=running.url, headers={"Authorization": secret}, timeout=60) as client:
        while True:
            nothing = _timed_ms(client)
            for number in range(FENCES):
                client.delete(f"/v1/geofences/store/{number}").raise_for_status()
            yield nothing, _timed_ms(client)


def _timed_ms(client: httpx.Client) -> float:
    began = perf_counter()
    client.post("/v1/reset").raise_for_status()
    return (perf_counter() - began) * 1e3


def main() -> None:
    """Print the figures of each turn and their medians."""
    if sys.argv[1:2] == ["serve"]:
        _serve_without_log()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=40_000)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name:
        folder = Path(name)
        turns = [_turn(folder, given.updates) for _ in range(given.turns)]
        for feature, key, than in (("request log", "plain", "without"), ("TLS", "tls", "plain")):
            ratios = sorted(turn[key] / turn[than] for turn in turns)
            print(f"{feature}: {statistics.median(ratios):.3f} times ({ratios[0]:.3f} to {ratios[-1]:.3f})")
        for key in turns[0]:
            print(f"{key}: median {statistics.median(turn[key] for turn in turns):.1f}")


def _turn(folder: Path, updates: int) -> dict[str, float]:
    workspace = prepared(folder, folder, FENCES, "kept")
    here = "tests.benchmarks.endpoint"
    turn = {
        "without": cpu_us(workspace, updates, module=here),
        "plain": cpu_us(workspace, updates),
        "tls": cpu_us(workspace, updates, "--tls"),
    }
    file = seed(folder / "seed.json")
    with server(folder / "seeded", "--seed", str(file), workspace=":memory:") as running:
        turn["seed ready, s of processor time"] = running.ready_cpu_s
        reset = resets(running, running.secret)
        next(reset)
        turn["reset, ms"], turn["reset after deleting all, ms"] = next(reset)
    print({key: round(value, 2) for key, value in turn.items()}, flush=True)
    return turn


def _serve_without_log() -> NoReturn:
    """Run the program without the request log."""
    from app.main import main as program

    record = Recorder.__init__

    def without(self: Recorder, log: RequestLog | None) -> None:
        record(self, None)

    Recorder.__init__ = without  # type: ignore[method-assign]
    sys.exit(program())


if __name__ == "__main__":
    main()
