"""The table of geofences, without a window: ``python -m tests.benchmarks.fence_table [--fences 100000] [--turns 3]``.

Prints the processor time of listing, sorting and filtering that many geofences, in milliseconds, as medians: the total
time, and the longest time for which the window would have been blocked.
"""

import argparse
import random
import statistics
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from time import thread_time

from app.desktop.model.fence_table.columns import FIXED, column_of_key
from app.desktop.model.fence_table.rows import FenceRows
from app.desktop.model.fence_table.sieve import FenceSieve, Moment
from app.desktop.model.fences import FenceDelta
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon

NOW = datetime(2026, 5, 12, 6, 0, tzinfo=UTC)
SLICE_S = 0.012
FILTERS = ("north", "gate 12", "tag:store", "state:disabled north", "city:Ghent floor:3", "")


def fences(count: int) -> list[Geofence]:
    """Return circles and polygons with names, tags and metadata."""
    chance, made = random.Random(count), []
    for number in range(count):
        tag = chance.choice(("store", "depot", "school", "zone"))
        name = f"{chance.choice(('North', 'South', 'East'))} gate {chance.randrange(count)}"
        metadata = {"city": chance.choice(("Ghent", "Vaduz", "Ljubljana")), "floor": chance.randrange(10)}
        summary = GeofenceSummary(f"{number:024x}", tag, str(number), name, metadata)
        at = NOW - timedelta(seconds=chance.randrange(10**7))
        enabled = chance.random() > 0.2
        made.append(Geofence(summary.id, Environment.TEST, summary, _geometry(chance), enabled, at, at))
    return made


def _geometry(chance: random.Random) -> Geometry:
    longitude, latitude = chance.uniform(-10, 30), chance.uniform(40, 60)
    if chance.random() < 0.5:
        return Circle(Point(longitude, latitude), chance.uniform(10, 10_000))
    corners = ((0.0, 0.0), (0.01, 0.0), (0.01, 0.01), (0.0, 0.01), (0.0, 0.0))
    return Polygon(tuple((longitude + x, latitude + y) for x, y in corners))


def timed(begin: Callable[[], object], rows: FenceRows) -> tuple[float, float]:
    """Return the total time of an operation and its longest part."""
    parts = [_cpu_ms(begin)]
    while rows.busy:
        parts.append(_cpu_ms(lambda: rows.work(SLICE_S)))
    if rows.stale:
        parts.append(_cpu_ms(rows.arrange))
    return sum(parts), max(parts)


def _filter(rows: FenceRows, text: str, moment: Moment) -> None:
    rows.filter(FenceSieve.of(text, moment))


def _cpu_ms(work: Callable[[], object]) -> float:
    began = thread_time()
    work()
    return (thread_time() - began) * 1e3


def turn(some: list[Geofence]) -> Iterator[tuple[str, tuple[float, float]]]:
    """Run all steps once with a new table."""
    rows = FenceRows(lambda fence_id: fence_id[-1] == "0")
    moment = Moment(NOW, lambda fence_id: fence_id[-1] == "0")
    yield "list", timed(lambda: rows.replace(some), rows)
    for column in (*FIXED[1:], column_of_key("floor"), FIXED[0]):
        yield f"sort by {column.title}", timed(partial(rows.sort, column, descending=False), rows)
    for text in FILTERS:
        yield f"filter {text!r}", timed(partial(_filter, rows, text, moment), rows)
    yield "change one", timed(lambda: rows.take(FenceDelta((some[1],), (some[0].id,))), rows)
    ids = [fence.id for fence in some]
    yield "find the rows of all", timed(lambda: rows.runs(ids), rows)


def main() -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--fences", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    some = fences(options.fences)
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(options.turns):
        for name, times in turn(some):
            found.setdefault(name, []).append(times)
    print(f"{options.fences:,} geofences{'in all, ms':>30}{'longest, ms':>14}")
    for name, several in found.items():
        whole, longest = (statistics.median(part) for part in zip(*several, strict=True))
        print(f"  {name:<34}{whole:>10.1f}{longest:>14.1f}")


if __name__ == "__main__":
    main()
