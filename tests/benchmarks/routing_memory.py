"""Memory of routing in several areas: ``python -m tests.benchmarks.routing_memory WORKSPACE``.

The program serves the workspace, whose areas are used. Clients mix all routing operations for some time, followed by an
idle period. Memory is the proportional share (PSS) of the program's process and all its child processes. Isochrones are
drawn for a few geofences with the tag ``routing-memory``, which stay in the workspace.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import median

import httpx
import orjson

from engine.areas.library import AreaLibrary
from engine.domain.area import Area, Bounds

MODES = ("car", "foot", "bike", "truck")
FENCES = 8
EVERY_S = 2.0
SPAN = 0.06
"""Size in degrees of the part around an area's centre in which positions lie."""

type Ask = Callable[[httpx.Client], httpx.Response]


def processes_of(pid: int) -> list[int]:
    """Return a process and its descendants that are still running."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *(other for child in children for other in processes_of(child))]


def memory_mb(pid: int) -> float:
    """Return the proportional share of memory of a process and its descendants."""
    total = 0
    for each in processes_of(pid):
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def place(random: Random, bounds: Bounds) -> str:
    """Return a position near the centre of an area."""
    west, south, east, north = bounds
    longitude, latitude = (west + east) / 2, (south + north) / 2
    return f"{latitude + random.uniform(-SPAN, SPAN):.6f},{longitude + random.uniform(-SPAN, SPAN):.6f}"


def isochrone(random: Random, area: Area) -> Ask:
    """Return a request that draws an isochrone for one of a few geofences."""
    latitude, longitude = place(random, area.bounds).split(",")
    body = {
        "description": "routing memory",
        "type": "isochrone",
        "coordinates": f"[{longitude},{latitude}]",
        "radius": random.choice((5, 10, 15)),
        "mode": random.choice(MODES),
    }
    path = f"/v1/geofences/routing-memory/{random.randrange(FENCES)}"
    return lambda client: client.put(path, json=body)


def request(random: Random, area: Area) -> Ask:
    """Return a random routing request in an area."""

    def places(count: int) -> str:
        return "|".join(place(random, area.bounds) for _ in range(count))

    def get(name: str, **query: str) -> Ask:
        return lambda client: client.get(f"/v1/route/{name}", params=query)

    mode = random.choice(MODES)
    start, end = places(1), places(1)
    return random.choice(
        (
            get("distance", origin=start, destination=end, modes=mode),
            get("distance", origin=start, destination=end, modes=mode),
            get("directions", locations=places(2), mode=mode),
            get("matrix", origins=places(5), destinations=places(5), mode=mode),
            get("matrix", origins=places(12), destinations=places(12), mode=mode),
            get("optimize", locations=places(5), mode=mode),
            lambda client: client.post(
                "/v1/route/match", json={"path": [{"coordinates": start}, {"coordinates": end}], "mode": mode}
            ),
            isochrone(random, area),
        )
    )


def ask_for(url: str, key: str, areas: tuple[Area, ...], seconds: float, seed: int) -> tuple[list[float], Counter[str]]:
    """Send requests one after the other, and return the milliseconds of each and the number of each status."""
    random, times, until = Random(seed), list[float](), time.monotonic() + seconds
    statuses = Counter[str]()
    with httpx.Client(base_url=url, headers={"Authorization": key}, timeout=60, trust_env=False) as client:
        while time.monotonic() < until:
            began = time.perf_counter()
            response = request(random, random.choice(areas))(client)
            times.append((time.perf_counter() - began) * 1000)
            reason = f" {response.json()['meta']['message']}" if response.is_server_error else ""
            statuses[f"{response.status_code}{reason}"] += 1
    return times, statuses


def watch(pid: int, seconds: float) -> list[float]:
    """Return repeated measurements of the memory over some time."""
    until, found = time.monotonic() + seconds, [memory_mb(pid)]
    while time.monotonic() < until:
        time.sleep(EVERY_S)
        found.append(memory_mb(pid))
    return found


def run(workspace: Path, clients: int, seconds: float, idle: float) -> None:
    """Print memory at the start, under load, and after the idle time."""
    areas = AreaLibrary(workspace).in_use()
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.json"
        command = [sys.executable, "-m", "app.main", "serve", "--workspace", str(workspace), "--port", "0"]
        process = subprocess.Popen([*command, "--ready-file", str(ready), "--stop-on-eof"], stdin=subprocess.PIPE)
        try:
            while not ready.exists():
                time.sleep(0.1)
            served = orjson.loads(ready.read_bytes())
            print(f"{len(areas)} areas; at the start {memory_mb(process.pid):.0f} MB", flush=True)
            key = served["keys"]["test"]["secret"]
            with ThreadPoolExecutor(clients) as pool:
                futures = [pool.submit(ask_for, served["url"], key, areas, seconds, seed) for seed in range(clients)]
                busy = watch(process.pid, seconds)
                answers = [future.result() for future in futures]
            times = sorted(took for taken, _ in answers for took in taken)
            statuses = sum((found for _, found in answers), Counter[str]())
            print(f"{clients} clients for {seconds:g} s: {len(times)} requests {dict(statuses)},", end=" ")
            print(f"p50 {median(times):.0f} ms, p95 {times[len(times) * 95 // 100]:.0f} ms;", end=" ")
            print(f"memory median {median(busy):.0f} MB, most {max(busy):.0f} MB", flush=True)
            watch(process.pid, idle)
            print(f"idle for {idle:g} s: {memory_mb(process.pid):.0f} MB", flush=True)
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--clients", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--idle", type=float, default=310)
    chosen = parser.parse_args()
    run(chosen.workspace, chosen.clients, chosen.seconds, chosen.idle)
