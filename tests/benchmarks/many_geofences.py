"""A user among many geofences: ``python -m tests.benchmarks.many_geofences [--turns 15]``.

The first table is about a user who stays inside 10, 100, 500 and 2,000 geofences: the cost of an update that changes
nothing, and the number of bytes by which each update grows the database. The second is about a user with a coarse fix,
with buffer entries on, near 100, 1,000 and 5,000 geofences, once with circles only and once with every second geofence
a polygon: the fix that enters all of them, the accurate one that leaves them, and the longest wait of another user in
the meantime. The first such fix computes the measures of the geofences. All other figures are medians, in milliseconds
of processor time, except for the waits, which are wall time. HTTP is not involved.
"""

import argparse
import gc
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from math import cos, pi, sin
from pathlib import Path
from threading import Event, Thread
from time import perf_counter, process_time, sleep

import sqlalchemy as sa

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate, TrackResult

TEST = Environment.TEST
CENTER = Point(9.5209, 47.141)
INSIDE = (10, 100, 500, 2_000)
NEAR = (100, 1_000, 5_000)
UPDATES = 200
COARSE_M = 20_000.0
_DEGREE_M = 111_000.0
_EAST_M = _DEGREE_M * cos(CENTER.latitude * pi / 180)


def at(east_m: float, north_m: float) -> Point:
    """Return a position by its offset in metres from the centre."""
    return Point(CENTER.longitude + east_m / _EAST_M, CENTER.latitude + north_m / _DEGREE_M)


def polygon(east_m: float, north_m: float, radius_m: float, corners: int = 8) -> Polygon:
    """Return a small polygon around a place."""
    turns = (2 * pi * corner / corners for corner in range(corners))
    ring = [at(east_m + radius_m * cos(turn), north_m + radius_m * sin(turn)) for turn in turns]
    return Polygon(tuple((point.longitude, point.latitude) for point in (*ring, ring[0])))


@contextmanager
def workspace(geometries: Sequence[Geometry], change: SettingsChange) -> Iterator[Engine]:
    """Open an engine with the given geofences and settings."""
    with tempfile.TemporaryDirectory() as folder:
        with Engine.open(Path(folder)) as engine:
            engine.settings.change(TEST, change)
            engine.geofences.put_all(TEST, [_geofence(*each) for each in enumerate(geometries)], ())
        with Engine.open(Path(folder)) as engine:
            # As the endpoint does: objects that exist by now are not garbage.
            gc.freeze()
            try:
                yield engine
            finally:
                gc.unfreeze()


def _geofence(number: int, geometry: Geometry) -> Geofence:
    summary = GeofenceSummary(f"{number:024x}", "shop", str(number), f"Shop {number}", {"size": number})
    now = datetime.now(UTC)
    return Geofence(summary.id, TEST, summary, geometry, enabled=True, created_at=now, updated_at=now)


def track(engine: Engine, device: str, point: Point, accuracy_m: float) -> TrackResult:
    """Send an update."""
    return engine.tracking.track(TEST, LocationUpdate(device_id=device, point=point, accuracy_m=accuracy_m))


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the processor time of some work, in milliseconds."""
    began = process_time()
    work()
    return (process_time() - began) * 1e3


def stored_bytes(engine: Engine) -> int:
    """Return the number of bytes that the database uses."""

    def used(connection: sa.Connection) -> int:
        size, pages, free = (
            int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
            for name in ("page_size", "page_count", "freelist_count")
        )
        return size * (pages - free)

    return engine._parts.database.read(used)


def inside(count: int) -> None:
    """Print the cost of an update of a user who stays inside this many geofences."""
    rng = random.Random(count)
    with workspace([Circle(at(rng.uniform(-50, 50), 0), 500.0) for _ in range(count)], SettingsChange()) as engine:
        entered = cpu_ms(lambda: track(engine, "phone", CENTER, 5.0))
        before = stored_bytes(engine)
        times = [cpu_ms(partial(track, engine, "phone", at(turn % 7, 0), 5.0)) for turn in range(UPDATES)]
        grown = (stored_bytes(engine) - before) / len(times)
        left = cpu_ms(lambda: track(engine, "phone", at(5_000, 0), 5.0))
    print(f"  {count:>6,} {entered:>10.1f} {statistics.median(times):>10.2f} {grown:>10,.0f} {left:>10.1f}", flush=True)


def coarse(count: int, turns: int, *, polygons: bool) -> None:
    """Print the cost of a coarse fix among this many geofences."""
    rng = random.Random(count)
    geometries: list[Geometry] = []
    for number in range(count):
        place = rng.uniform(-13_000, 13_000), rng.uniform(-13_000, 13_000)
        small = polygons and number % 2
        geometries.append(polygon(*place, rng.uniform(30, 200)) if small else Circle(at(*place), rng.uniform(30, 200)))
    with workspace(geometries, SettingsChange(buffer_entries=True)) as engine:
        entered, left, waits = [], [], []
        for turn in range(turns):
            entered.append(cpu_ms(partial(track, engine, f"phone {turn}", CENTER, COARSE_M)))
            left.append(cpu_ms(partial(track, engine, f"phone {turn}", at(40_000, 0), 5.0)))
        for turn in range(turns):
            with others(engine) as waited:
                track(engine, f"tablet {turn}", CENTER, COARSE_M)
                track(engine, f"tablet {turn}", at(40_000, 0), 5.0)
            waits.append(max(waited, default=0.0))
    figures = (entered[0], *(statistics.median(each) for each in (entered, left, waits)))
    kind = "with polygons" if polygons else "circles"
    print(f"  {count:>6,} {kind:>14} " + " ".join(f"{each:>10.1f}" for each in figures), flush=True)


@contextmanager
def others(engine: Engine) -> Iterator[list[float]]:
    """Let another user report continuously, and yield the waits in milliseconds."""
    waits: list[float] = []
    ended = Event()

    def report() -> None:
        while not ended.is_set():
            began = perf_counter()
            track(engine, "other", at(60_000, 60_000), 5.0)
            waits.append((perf_counter() - began) * 1e3)
            sleep(0.02)

    thread = Thread(target=report)
    thread.start()
    try:
        yield waits
    finally:
        ended.set()
        thread.join()


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inside", type=int, nargs="*", default=INSIDE)
    parser.add_argument("--near", type=int, nargs="*", default=NEAR)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    if given.inside:
        print("  inside   enter ms  update ms      bytes   leave ms")
    for count in given.inside:
        inside(count)
    if given.near:
        print("    near                  first ms   enter ms   leave ms    wait ms")
    for count in given.near:
        for polygons in (False, True):
            coarse(count, given.turns, polygons=polygons)


if __name__ == "__main__":
    main()
