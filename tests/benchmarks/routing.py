"""Routing over HTTP compared with a bare Valhalla actor: ``python -m tests.benchmarks.routing [--area porto]``.

Each request is sent over HTTP to a server in this process. Alternately, its requests to Valhalla are sent to a bare
actor. At the end, eight clients mix all operations. Isochrones have no operation of their own, so they are requested
from the engine's router.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

import httpx
import orjson

from app.api.server.server import ApiServer
from engine import Engine
from engine.domain.area import Area
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.domain.routing import RouteOptions, TravelMode
from engine.geo.earth import distance_m
from engine.routing.actors import EXACT_MATRIX, actor_settings, make_tool
from engine.routing.areas import AreaRouter
from engine.routing.asking import costing_of, matrix_request
from engine.routing.process.client import Order, ProcessTool
from tests.engine.routing.extracts import kept_area
from tests.engine.routing.reference import drive, points_in
from tests.shared import SharedData

ROUNDS = 40
KM = 10
CLIENTS = 8
BOXES = {"porto": (-8.66, 41.12, -8.54, 41.20), "liechtenstein": (9.49, 47.06, 9.54, 47.24)}
"""West, south, east and north edges of regions with streets."""


@dataclass
class Line:
    """Milliseconds of one line of the table."""

    name: str
    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        ours, bare = median(self.ours), median(self.bare)
        p95 = [quantiles(times, n=20)[-1] for times in (self.ours, self.bare)]
        figures = f"{ours:.1f} | {p95[0]:.1f} | {bare:.1f} | {p95[1]:.1f} | {ours - bare:+.1f} | {ours / bare:.2f}"
        return f"| {self.name} | {figures} |"


class Recorder:
    """Records the engine's requests to Valhalla, so that they can be repeated."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []

    def install(self) -> None:
        """Start recording."""
        usual = ProcessTool.__call__

        def noting(tool: ProcessTool, order: Order, request: str) -> str:
            self.requests.append((order.action, request))
            return usual(tool, order, request)

        ProcessTool.__call__ = noting  # type: ignore[method-assign, assignment]


class BareTool:
    """Bare actors in this process."""

    def __init__(self, roads: Path) -> None:
        self._usual, self._exact = (make_tool(roads, exact=exact) for exact in (False, True))

    def __call__(self, action: str, request: str) -> str:
        """Return the answer."""
        return (self._exact if action == EXACT_MATRIX else self._usual)(action, request)


def spelled(*points: Point) -> str:
    """Return positions in wire format."""
    return "|".join(f"{point.latitude},{point.longitude}" for point in points)


def pairs(box: tuple[float, float, float, float], router: AreaRouter) -> Iterator[tuple[Point, Point]]:
    """Yield pairs of positions about 10 km apart by road."""
    points = points_in(box, seed=2)
    while True:
        start, end = next(points), next(points)
        away = distance_m(start.longitude, start.latitude, end.longitude, end.latitude)
        if not KM * 500 < away < KM * 1000:
            continue
        route = router.route(start, end, RouteOptions())
        if route is not None and abs(route.travel.distance_m / 1000 - KM) < 1.5:
            yield start, end


def measure(line: Line, ask: Callable[[], Any], recorder: Recorder, bare: BareTool) -> None:
    """Measure one request, and its requests to Valhalla."""
    ask()
    recorder.requests.clear()
    began = perf_counter()
    ask()
    line.ours.append((perf_counter() - began) * 1000)
    requests = list(recorder.requests)
    began = perf_counter()
    for action, request in requests:
        bare(action, request)
    line.bare.append((perf_counter() - began) * 1000)


def lines(area: Area, client: httpx.Client, router: AreaRouter, recorder: Recorder, bare: BareTool) -> Iterator[Line]:
    """Measure all lines of the table."""
    box = BOXES[area.name]
    places = points_in(box, seed=3)
    ways = list(islice(pairs(box, router), ROUNDS))

    def get(name: str, **query: str) -> Callable[[], Any]:
        return lambda: orjson.loads(client.get(f"/v1/route/{name}", params=query).raise_for_status().content)

    def line(name: str, calls: Iterator[Callable[[], Any]], rounds: int = ROUNDS) -> Line:
        made = Line(name)
        for ask in islice(calls, rounds):
            measure(made, ask, recorder, bare)
        return made

    yield line(
        "distance, 10 km", (get("distance", origin=spelled(a), destination=spelled(b), modes="car") for a, b in ways)
    )
    yield line("directions, 10 km", (get("directions", locations=spelled(a, b)) for a, b in ways))
    for mode in ("car", "foot", "bike"):
        matrices = (
            get("matrix", origins=spelled(*islice(places, 25)), destinations=spelled(*islice(places, 25)), mode=mode)
            for _ in range(8)
        )
        yield line(f"matrix 25 × 25, {mode}", matrices, 8)
    for travel in (TravelMode.CAR, TravelMode.TRUCK, TravelMode.BIKE, TravelMode.FOOT):
        centers = list(islice(places, ROUNDS))
        yield line(f"isochrone, 10 minutes, {travel}", (_isochrone(router, center, travel) for center in centers))
    yield line("match of 100 points", (_match(client, router, a, b) for a, b in ways))
    yield line("optimize of 10", (get("optimize", locations=spelled(*islice(places, 10))) for _ in range(20)), 20)


def _isochrone(router: AreaRouter, center: Point, mode: TravelMode) -> Callable[[], Any]:
    return lambda: router.isochrones(center, [10], mode)


def _match(client: httpx.Client, router: AreaRouter, start: Point, end: Point) -> Callable[[], Any]:
    ask = _match_of(router, start, end)
    return lambda: ask(client)


def _match_of(router: AreaRouter, start: Point, end: Point) -> Callable[[httpx.Client], bytes]:
    route = router.route(start, end, RouteOptions())
    assert route is not None
    metres = route.travel.distance_m / 101
    path = [
        {"coordinates": spelled(fixed.point), "accuracy": 8}
        for fixed in drive(route.line, metres, 1, 8, Random(1))[:100]
    ]
    body = {"path": path, "roadAttributes": "names"}
    return lambda client: client.post("/v1/route/match", json=body).raise_for_status().content


def settings(area: Area, rounds: int = 9) -> None:
    """Print the time for a matrix with our settings and with Valhalla's own, measured alternately."""
    from valhalla import Actor, get_config

    assert area.roads is not None
    places = points_in(BOXES[area.name], seed=3)
    actors = [Actor(actor_settings(area.roads)), Actor(get_config(tile_extract=area.roads, tile_dir=""))]
    times: list[list[float]] = [[], []]
    for turn in range(rounds):
        request = matrix_request(list(islice(places, 25)), list(islice(places, 25)), costing_of(TravelMode.CAR))
        for actor, taken in zip(actors, times, strict=True):
            began = process_time()
            actor.matrix(orjson.dumps(request).decode())
            if turn:  # the first turn reads the tiles
                taken.append((process_time() - began) * 1000)
    ours, theirs = (median(taken) for taken in times)
    print(f"\nmatrix 25 × 25, car: {ours:.0f} ms of processor time, with Valhalla's settings {theirs:.0f}", end=" ")
    print(f"(ratio {ours / theirs:.2f})")


def mixed(area: Area, client: httpx.Client, router: AreaRouter) -> Iterator[Callable[[httpx.Client], bytes]]:
    """Yield requests of all five operations."""
    places = points_in(BOXES[area.name], seed=6)

    def get(name: str, **query: str) -> Callable[[httpx.Client], bytes]:
        return lambda client: client.get(f"/v1/route/{name}", params=query).raise_for_status().content

    for mode in ("car", "foot", "bike", "truck"):
        for _ in range(5):
            some = [spelled(next(places)) for _ in range(6)]
            yield get("distance", origin=some[0], destination=some[1], modes=mode)
            yield get("matrix", origins="|".join(some[:3]), destinations="|".join(some[3:]), mode=mode)
            yield get("directions", locations="|".join(some[:2]), mode=mode)
            yield get("optimize", locations="|".join(some), mode=mode)
    for start, end in islice(pairs(BOXES[area.name], router), 5):
        yield _match_of(router, start, end)


def load(area: Area, client: httpx.Client, router: AreaRouter, seconds: float) -> None:
    """Send requests from eight clients at once, and compare each response with that of a single client."""
    calls = list(mixed(area, client, router))
    right = [ask(client) for ask in calls]
    until = perf_counter() + seconds

    def keep_asking(seed: int) -> tuple[int, int]:
        random, wrong, times = Random(seed), 0, 0
        with httpx.Client(base_url=client.base_url, headers=client.headers, timeout=60, trust_env=False) as own:
            while perf_counter() < until:
                number = random.randrange(len(calls))
                wrong += calls[number](own) != right[number]
                times += 1
        return times, wrong

    with ThreadPoolExecutor(CLIENTS) as clients:
        done = list(clients.map(keep_asking, range(CLIENTS)))
    answered, wrong = (sum(column) for column in zip(*done, strict=True))
    print(f"\n{CLIENTS} clients for {seconds:g} s: {answered} answers, {wrong} wrong.")


def run(name: str, seconds: float) -> None:
    """Print the table."""
    area = kept_area(name, SharedData().extract(name))
    assert area.roads is not None
    recorder = Recorder()
    bare = BareTool(area.roads)
    recorder.install()
    with tempfile.TemporaryDirectory() as folder, Engine.open(Path(folder)) as engine:
        router = AreaRouter([area])
        engine._parts.routers._current = router  # an extract outside the workspace
        with ApiServer(engine, port=0) as server:
            key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
            with httpx.Client(
                base_url=server.url, headers={"Authorization": key}, timeout=60, trust_env=False
            ) as client:
                print("| request | p50 ms | p95 ms | bare p50 | bare p95 | difference | ratio |")
                print("|---|---:|---:|---:|---:|---:|---:|")
                for line in lines(area, client, router, recorder, bare):
                    print(line, flush=True)
                settings(area)
                load(area, client, router, seconds)
                print(f"\nThe process of the searches takes {router.searches.memory_bytes / 1e6:.0f} MB.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--area", default="porto", choices=BOXES)
    parser.add_argument("--seconds", type=float, default=60, help="how long eight clients ask at once")
    chosen = parser.parse_args()
    run(chosen.area, chosen.seconds)
