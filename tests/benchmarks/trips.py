"""Frequency of jumps in the ETA of a trip: ``python -m tests.benchmarks.trips [--area porto] [--routes 20]``.

Devices drive along routes between random positions, half of them with a detour, with 8 m of noise (normal, in each
direction). After each fix, the trip's ETA is compared with the previous one. For comparison, a plain distance from each
fix is measured as well. The last column is the processor time of `Etas.of`, which runs in the writer's thread.
"""

import argparse
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from statistics import median
from time import sleep, thread_time

import numpy as np

from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.geometry import Point
from engine.domain.routing import Directions, Route, RouteOptions, Router
from engine.domain.tracking.trips import Trip, TripStatus
from engine.domain.tracking.updates import Fix
from engine.domain.travel import TravelMode
from engine.geo.earth import distance_m, metres_per_degree
from engine.routing.areas import AreaRouter
from engine.trips.eta import Etas
from tests.benchmarks.routing import BOXES
from tests.engine.routing.extracts import kept_area
from tests.shared import SharedData

NOISE_M = 8.0
EVERY_S = 10.0
START = datetime(2026, 3, 2, 8, tzinfo=UTC)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--area", default="porto", choices=BOXES)
    parser.add_argument("--routes", type=int, default=20)
    options = parser.parse_args()
    router = AreaRouter((kept_area(options.area, SharedData().extract(options.area)),))
    ways = list(_ways(router, options.area, options.routes, Random(5)))
    print("| ETA | updates | raised by over a minute | share | largest rise, min | µs in the writer |")
    print("|---|---:|---:|---:|---:|---:|")
    etas = Etas(lambda: router)
    spent: list[float] = []
    followed = [_followed(etas, way, Random(n), str(n), spent) for n, way in enumerate(ways)]
    _print("trip", followed, spent)
    plain = [_plain(router, way, Random(n)) for n, way in enumerate(ways)]
    _print("plain distance", plain, [])
    etas.close()
    router.close()


def _print(name: str, runs: Sequence[Sequence[float]], spent: Sequence[float]) -> None:
    rises = [after - before for run in runs for before, after in pairwise(run)]
    high = [rise for rise in rises if rise > 60]
    micro = f"{median(spent) * 1e6:.0f}" if spent else "–"
    largest = max(rises) / 60
    print(f"| {name} | {len(rises)} | {len(high)} | {len(high) / len(rises):.1%} | {largest:.1f} | {micro} |")


def _ways(router: Router, area: str, count: int, random: Random) -> Iterator[Route]:
    """Yield routes to a destination, every other one through a third position, as drivers with local knowledge would
    go."""
    west, south, east, north = BOXES[area]
    while count:
        points = [Point(random.uniform(west, east), random.uniform(south, north)) for _ in range(2 + count % 2)]
        try:
            way = next(iter(router.directions(points, Directions(RouteOptions()))), None)
        except FencewrightError:
            continue
        if way is not None and way.travel.distance_m > 3_000:
            count -= 1
            yield way


def _fixes(way: Route, random: Random) -> Iterator[Fix]:
    """Yield fixes every few seconds, at the route's own average speed."""
    along = [0.0]
    for (x, y), (u, v) in pairwise(way.line):
        along.append(along[-1] + distance_m(x, y, u, v))
    longitudes, latitudes = zip(*way.line, strict=True)
    east_m, north_m = metres_per_degree(latitudes[0])
    steps = int(way.travel.duration_s / EVERY_S)
    for step in range(steps):
        metres = along[-1] * step / steps
        longitude = float(np.interp(metres, along, longitudes)) + random.gauss(0, NOISE_M) / east_m
        latitude = float(np.interp(metres, along, latitudes)) + random.gauss(0, NOISE_M) / north_m
        yield Fix(Point(longitude, latitude), NOISE_M, START + timedelta(seconds=step * EVERY_S))


def _followed(etas: Etas, way: Route, random: Random, name: str, spent: list[float]) -> list[float]:
    """Return the durations that a trip along a route reports once it has a route."""
    end = Point(*way.line[-1])
    trip = Trip(name, Environment.TEST, name, TripStatus.STARTED, START, START, START, mode=TravelMode.CAR)
    durations = []
    for fix in _fixes(way, random):
        began = thread_time()
        (eta,) = etas.of(trip, [end], fix)
        spent.append(thread_time() - began)
        if eta.is_routed:
            durations.append(eta.duration_s)
        sleep(0.02)  # a device reports every few seconds, by which time the route is found
    return durations


def _plain(router: Router, way: Route, random: Random) -> list[float]:
    end = Point(*way.line[-1])
    found = (router.route(fix.point, end, RouteOptions()) for fix in _fixes(way, random))
    return [route.travel.duration_s for route in found if route is not None]


if __name__ == "__main__":
    main()
