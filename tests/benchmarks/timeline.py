"""Frames of the timeline with a hundred thousand fixes: ``python -m tests.benchmarks.timeline``.

A frame is the cost of a step of panning, zooming or scrubbing in the GUI thread: the selection of the points to draw,
and the painting of everything in memory by Qt's raster engine. Distances are measured in another thread.
"""

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterator
from time import perf_counter, thread_time
from zoneinfo import ZoneInfo

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from app.desktop.model.colors import OKABE_ITO
from app.desktop.model.timeline.timeline import Bar, Mark, Overlay, Timeline, timeline_of
from app.desktop.model.words import EventKind
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.engine import Engine
from engine.tracking.series.way import Way
from tests.engine.fixtures import HOME, NOON, circle

FRAMES = 60
_KINDS: tuple[EventKind, ...] = ("entry", "exit", "dwell")


def way(fixes: int) -> Way:
    """Return a random walk with one fix per second."""
    chance = np.random.default_rng(1)
    longitudes = HOME.longitude + np.cumsum(chance.normal(0, 2e-5, fixes))
    latitudes = HOME.latitude + np.cumsum(chance.normal(0, 2e-5, fixes))
    times = NOON.timestamp() + np.arange(fixes, dtype=np.float64)
    return Way(times, longitudes, latitudes, chance.uniform(4, 40, fixes))


def measured(fixes: int, fences: int) -> tuple[Timeline, float, float]:
    """Return a timeline, and the seconds that the speeds and the distances took."""
    walked, chance = way(fixes), np.random.default_rng(2)
    with Engine.open(":memory:") as engine:
        for number, at in enumerate(chance.integers(0, fixes, fences).tolist()):
            center = Point(float(walked.longitudes[at]), float(walked.latitudes[at]))
            engine.geofences.create(Environment.TEST, circle(str(number), center=center, radius_m=80))
        began = perf_counter()
        curves = engine.tracking.curves(Environment.TEST, walked)
        took = perf_counter() - began
    began = perf_counter()
    made = timeline_of("walk", "phone-1", walked, ZoneInfo("Europe/Vaduz"), curves)
    return made, perf_counter() - began, took


def overlay_of(timeline: Timeline, marks: int) -> Overlay:
    """Return presences and marks along the whole timeline."""
    chance = np.random.default_rng(3)
    ids = [curve.geofence.id for curve in timeline.curves]
    firsts = sorted(chance.integers(0, len(timeline) - 300, marks // 2).tolist())
    bars = tuple(Bar(ids[n % len(ids)], at, at + 200, at + 120 if n % 3 else None) for n, at in enumerate(firsts))
    places = sorted(chance.integers(0, len(timeline), marks).tolist())
    return Overlay(bars, tuple(Mark(at, ids[n % len(ids)], _KINDS[n % 3], "") for n, at in enumerate(places)))


def frames(name: str, act: Callable[[float], None], draw: Callable[[], None]) -> Iterator[str]:
    """Yield a line with the figures of some frames."""
    took, worked = [], []
    for number in range(FRAMES):
        began, worked_before = perf_counter(), thread_time()
        act(number / FRAMES)
        draw()
        took.append((perf_counter() - began) * 1e3)
        worked.append((thread_time() - worked_before) * 1e3)
    figures = statistics.median(worked), statistics.quantiles(worked, n=20)[18], max(worked), statistics.median(took)
    yield f"{name:<24} {' '.join(f'{figure:>8.1f}' for figure in figures)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fixes", type=int, default=100_000)
    parser.add_argument("--fences", type=int, default=5)
    parser.add_argument("--marks", type=int, default=400)
    parser.add_argument("--size", type=int, nargs=2, default=[1_240, 360])
    parser.add_argument("--picture", help="where to save what was drawn last")
    given = parser.parse_args()
    application = QApplication.instance() or QApplication(sys.argv[:1])
    began = perf_counter()
    from app.desktop.timeline.graph import TimelineGraph

    print(f"pyqtgraph imported in {(perf_counter() - began) * 1e3:.0f} ms")
    timeline, speeds_s, distances_s = measured(given.fixes, given.fences)
    print(f"{given.fixes:,} fixes, {len(timeline.curves)} geofences: distances {distances_s:.2f} s off the GUI thread")
    print(f"speeds {speeds_s * 1e3:.0f} ms")
    graph = TimelineGraph()
    graph.resize(*given.size)
    graph.show()
    graph.show_timeline(timeline, Overlay(), fit=True)
    ids = [curve.geofence.id for curve in timeline.curves]
    graph.show_fences(ids, dict(zip(ids, OKABE_ITO, strict=False)))
    graph.show_overlay(overlay_of(timeline, given.marks))
    application.processEvents()

    def draw() -> None:
        graph.viewport().repaint()

    length = float(timeline.offsets_s[-1])
    box = graph.main.box
    print(f"{'ms a frame':<24} {'median':>8} {'p95':>8} {'max':>8} {'elapsed':>8}")
    for line in (
        *frames("zooming from all", lambda t: box.setXRange(length * t / 2.1, length * (1 - t / 2.1), padding=0), draw),
        *frames(
            "panning a fifth of it",
            lambda t: box.setXRange(length * t * 0.8, length * (t * 0.8 + 0.2), padding=0),
            draw,
        ),
        *frames("panning ten minutes", lambda t: box.setXRange(length * t, length * t + 600, padding=0), draw),
        *frames("scrubbing, all in view", _scrub(graph, length), draw),
    ):
        print(line)
    if given.picture:
        graph.fit()
        application.processEvents()
        graph.grab().save(given.picture)
    graph.close()


def _scrub(graph: object, length: float) -> Callable[[float], None]:
    from app.desktop.timeline.graph import TimelineGraph

    assert isinstance(graph, TimelineGraph)
    graph.fit()
    return lambda t: graph.show_playhead(int(t * length))


if __name__ == "__main__":
    main()
