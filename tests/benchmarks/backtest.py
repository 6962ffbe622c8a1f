"""Fixes per second of back-tests: ``python -m tests.benchmarks.backtest [--fixes 2000000] [--check N]``.

The first table is about one processor core, in processor time: 10,000 and 100,000 geofences, equally dense and half of
them polygons of eight vertices, and devices that walk, that stay within 100 m of a boundary, or that move 150 m between
two fixes, so that 7 % of these cause events, without rules and with all of them. `join` is the rate of the naive
spatial join in the same run: a query of a tree of the outlines and a test of each pair, without presences, rules or
events. All rates are medians of alternating runs.

The second table is a whole back-test from Parquet files to its output, with one worker and with two, in wall time. The
memory is the largest of a worker. The devices move 40 m between two fixes, one of fifty stays near a boundary, and two
of a hundred fixes cause an event.

``--check N`` decides N million fixes of synthetic tracks, and of recorded ones if the shared files exist, with all
rules and with late and repeated fixes, and compares every event with those of a loop of `step` over all fixes.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import shapely

from app import __version__
from engine.backtest.backtest import BacktestReport, Progress, Request, run
from engine.backtest.deciding import Decider
from engine.backtest.fences import FenceSet, Versions
from engine.backtest.fixes import Fixes, fixes_of
from engine.backtest.tallies import EventLog, Tallies
from engine.domain.settings import ProjectSettings
from engine.geo.shapes import PolygonShape, shape_of
from tests.benchmarks.backtest_check import check
from tests.benchmarks.backtest_histories import (
    ALL_RULES,
    STEP_M,
    Fences,
    far_tracks,
    fences_of,
    near_tracks,
    rows_of,
    write_history,
)

FAST_STEP_M = 150.0
PER_DEVICE = 1_000
RUNS = 3


def decide(fixes: Fixes, versions: Versions, settings: ProjectSettings) -> tuple[int, int]:
    """Decide fixes, and return the numbers of those decided one by one and of events."""
    log = EventLog()
    decider = Decider(versions, {0: settings}, log, Tallies())
    for _ in decider.run(fixes):
        pass
    decider.finish()
    return decider.decided, len(log)


def join(fixes: Fixes, outlines: np.ndarray, tree: shapely.STRtree) -> int:
    """Return the number of pairs of a fix and a geofence that contains it."""
    fix, fence = tree.query(shapely.points(fixes.longitude, fixes.latitude))
    return int(shapely.contains_xy(outlines[fence], fixes.longitude[fix], fixes.latitude[fix]).sum())


def outlines_of(fences: Fences) -> np.ndarray:
    """Return prepared outlines, those of circles with 64 vertices."""
    found = []
    for geofence in fences.geofences:
        shape = shape_of(geofence.geometry)
        if isinstance(shape, PolygonShape):
            found.append(shape.prepared)
        else:
            center = shape.center
            circle = shapely.buffer(shapely.Point(0, 0), shape.radius_m, quad_segs=16)
            scaled = shapely.get_coordinates(circle) / (55_600, 111_200) + (center.longitude, center.latitude)
            found.append(shapely.Polygon(scaled))
    outlines = np.array(found, object)
    shapely.prepare(outlines)
    return outlines


def rate(fixes: int, work: Callable[[], object]) -> float:
    """Return fixes per second of processor time."""
    begun = time.process_time()
    work()
    return fixes / (time.process_time() - begun)


def of_one_core(devices: int) -> None:
    """Print the rates of one core beside those of the naive join."""
    heads = f"{'geofences':>9} {'devices':<8} {'rules':<5} {'fixes':>9} {'decided':>9} {'events':>8}"
    print(f"{heads} {'fixes/s':>9} {'join/s':>9} of join")
    for count in (10_000, 100_000):
        side = (count / 10_000) ** 0.5
        fences = fences_of(count, side=side)
        versions = Versions(FenceSet(name="", geofences=fences.geofences))
        outlines = outlines_of(fences)
        tree = shapely.STRtree(outlines)
        kinds = {
            "walking": far_tracks(devices, PER_DEVICE, STEP_M, 2, side),
            "near": near_tracks(fences, max(1, devices // 3), PER_DEVICE, 3),
            "fast": far_tracks(devices, PER_DEVICE, FAST_STEP_M, 2, side),
        }
        for (name, tracks), (rules, settings) in product(
            kinds.items(), (("none", ProjectSettings()), ("all", ALL_RULES))
        ):
            fixes = fixes_of(rows_of(tracks, 5))
            decided, events = decide(fixes, versions, settings)
            join(fixes, outlines, tree)
            works = (
                partial(decide, fixes, versions, settings),
                partial(join, fixes, outlines, tree),
            )
            pairs = [tuple(rate(len(fixes), each) for each in works) for _ in range(RUNS)]
            own, joined = (statistics.median(each) for each in zip(*pairs, strict=True))
            print(
                f"{count:9,} {name:<8} {rules:<5} {len(fixes):9,} {decided:9,} {events:8,} {own:9,.0f} {joined:9,.0f} "
                f"{own / joined:.2f}",
                flush=True,
            )


def of_workers(fixes: int, rounds: int) -> None:
    """Print the time of whole back-tests with one worker and with two."""
    print(f"\n{'workers':>7} {'fixes':>11} {'events':>9} {'seconds':>8} {'fixes/s':>9} {'MB':>6}")
    fences = fences_of(10_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_history(folder / "history", fences, fixes)
        seconds: dict[int, list[float]] = {1: [], 2: []}
        for number in range(rounds * 2):
            workers = 1 + number % 2
            begun = time.perf_counter()
            report, peak_mb = whole(folder, f"output{number}", fences, workers)
            took_s = time.perf_counter() - begun
            seconds[workers].append(took_s)
            print(
                f"{workers:7} {report.fixes:11,} {report.events:9,} {took_s:8.1f} {report.fixes / took_s:9,.0f} "
                f"{peak_mb:6,.0f}",
                flush=True,
            )
        one, two = (statistics.median(seconds[workers]) for workers in (1, 2))
        print(f"two workers are {one / two:.2f} times as fast as one")


def whole(folder: Path, output: str, fences: Fences, workers: int) -> tuple[BacktestReport, float]:
    """Run a back-test, and return its report and the peak memory of a worker in MB."""
    peaks: dict[str, float] = {}

    def measure(now: Progress) -> None:
        for each in now.workers:
            peaks[each.name] = max(peaks.get(each.name, 0.0), _peak_mb(int(each.name.rpartition("-")[2])))

    request = Request(
        history=(str(folder / "history"),),
        columns={},
        accuracy_m=10.0,
        fences=FenceSet(name="", geofences=fences.geofences),
        against=None,
        settings=ProjectSettings(),
        output=folder / output,
        scheduler=None,
        workers=workers,
        resume=False,
        skip_bad=False,
        version=__version__,
    )
    return run(request, measure, lambda: False), max(peaks.values())


def _peak_mb(process: int) -> float:
    """Return the peak memory of a process so far, or 0 if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except FileNotFoundError:
        return 0.0
    return int(status.partition("VmHWM:")[2].split()[0]) / 1e3


def main() -> None:
    """Print the tables, or check events."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fixes", type=int, default=2_000_000, help="fixes of the whole back-test")
    parser.add_argument("--devices", type=int, default=300, help="devices of 1,000 fixes for one core")
    parser.add_argument("--rounds", type=int, default=1, help="whole back-tests with each number of workers")
    parser.add_argument("--check", type=float, metavar="MILLIONS", help="compare the events of so many fixes")
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    if arguments.check is not None:
        check(int(arguments.check * 1_000_000))
        return
    if arguments.devices:
        of_one_core(arguments.devices)
    if arguments.fixes:
        of_workers(arguments.fixes, arguments.rounds)


if __name__ == "__main__":
    main()
