"""Place search, and the cost of places and regions per update: ``python -m tests.benchmarks.places``.

Builds the gazetteers of State College, lower Manhattan and Liechtenstein in a temporary folder. Searches are measured
in wall-clock time. Updates are measured in processor time, for a device that walks through lower Manhattan and stops at
every third fix.
"""

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, thread_time
from typing import Any

from engine.domain.addresses.place import PlaceQuery
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine
from engine.geocoding.geocoding import WORLD
from tests.engine.areas.gazetteers import build
from tests.engine.gazetteers import find_in
from tests.shared import SharedData

EXTRACTS = ("liechtenstein", "state-college", "nyc-lower")
SEARCHES = 500
UPDATES = 2_000
TEST = Environment.TEST


def main() -> None:
    """Measure and print the results."""
    with tempfile.TemporaryDirectory() as name, Engine.open(Path(name) / "workspace") as engine:
        world = WORLD / "world.sqlite"
        files = [build(SharedData().extract(each), Path(name) / each, world) for each in EXTRACTS]
        find_in(engine, *files, world=WORLD)
        _measure_searches(engine)
        _measure_updates(engine)


def _measure_searches(engine: Engine) -> None:
    queries: dict[str, dict[str, Any]] = {
        "restaurants": {"categories": frozenset({"restaurant"})},
        "cinemas": {"categories": frozenset({"cinema"})},
        "a chain": {"chains": frozenset({"starbucks"})},
        "100 shops in 10 km": {"groups": frozenset({"shopping-retail"}), "limit": 100, "radius_m": 10_000.0},
    }
    places = engine.geocoding.places
    places.search(PlaceQuery(near=Point(9.5, 47.1), categories=frozenset({"hotel"})))
    for name, fields in queries.items():
        points = [next(_walk(random.Random(seed))) for seed in range(SEARCHES)]
        _print(name, [_timed(lambda: places.search(PlaceQuery(near=each, **fields))) for each in points])  # noqa: B023


def _measure_updates(engine: Engine) -> None:
    track, used = engine._parts.tracker.track, list[float]()

    def timed(*given: Any) -> Any:
        begun = thread_time()
        result = track(*given)
        used.append(thread_time() - begun)
        return result

    engine._parts.tracker.track = timed  # type: ignore[assignment,method-assign]
    for name, on in (("off", False), ("on, new cells", True), ("on", True), ("off again", False)):
        engine.settings.change(TEST, SettingsChange(places=on, regions=on))
        used.clear()
        walk = _walk(random.Random(3))
        for number in range(UPDATES):
            engine.tracking.track(TEST, LocationUpdate(name, next(walk), 10.0, stopped=number % 3 == 0))
        _print(f"an update, places and regions {name}", used)


def _walk(dice: random.Random) -> Iterator[Point]:
    """Yield positions in lower Manhattan, each about ten metres from the previous one."""
    longitude, latitude = dice.uniform(-74.005, -73.985), dice.uniform(40.712, 40.73)
    while True:
        yield Point(longitude, latitude)
        longitude += dice.uniform(-1, 1) * 1e-4
        latitude += dice.uniform(-1, 1) * 1e-4


def _timed(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def _print(name: str, seconds: list[float]) -> None:
    middle, slowest = median(seconds), quantiles(seconds, n=20)[-1]
    print(f"{name:45} p50 {middle * 1e3:7.3f} ms   p95 {slowest * 1e3:7.3f} ms   max {max(seconds) * 1e3:6.1f} ms")


if __name__ == "__main__":
    main()
