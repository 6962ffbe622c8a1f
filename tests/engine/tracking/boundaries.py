"""Polygons shaped like real boundaries, and positions at their boundaries, for comparison with the reference."""

from collections.abc import Iterator
from math import cos, pi, radians, sin
from random import Random
from typing import Any

import shapely

from engine.domain.geometry import Point, Polygon, Position
from engine.geo.parts import Rings, check_polygon
from tests.engine.tracking.measuring import moved


def shore(random: Random, x: float, y: float, size: float, vertices: int) -> list[Position]:
    """Return a ring with bays and headlands around a place; `size` is in degrees."""
    waves = [(random.uniform(0.02, 0.3) / n, n, random.uniform(0, 2 * pi)) for n in (1, 2, 3, 5, 8, 13, 34)]
    ring = []
    for step in range(vertices):
        turn = 2 * pi * step / vertices
        reach = size * (1 + sum(height * sin(n * turn + phase) for height, n, phase in waves))
        ring.append((_earthly(x + reach * cos(turn) / cos(radians(y))), y + reach * sin(turn)))
    return [*ring, ring[0]]


def _earthly(longitude: float) -> float:
    return longitude if -180 <= longitude <= 180 else (longitude + 540) % 360 - 180


def park_with_lake(random: Random) -> Polygon:
    """Return a park with a lake that has islands, and ponds."""
    x, y = 9.52, 47.14
    lake, pond = shore(random, x, y, 0.004, 300), shore(random, x + 0.009, y + 0.006, 0.0005, 40)
    islands = [[shore(random, x + east, y, 0.0007, 60)] for east in (-0.0015, 0.0015)]
    return check_polygon([[shore(random, x, y, 0.014, 700), lake, pond], *islands])


def municipality(random: Random) -> Polygon:
    """Return a town with exclaves, and enclaves of which one is again the town's."""
    x, y = -8.6, 41.15
    enclave = shore(random, x, y, 0.006, 120)
    exclaves = [[shore(random, x + 0.05, y + north, 0.006, 90)] for north in (-0.02, 0.0, 0.02)]
    counter = [shore(random, x, y, 0.0015, 40)]
    return check_polygon([[shore(random, x, y, 0.02, 900), enclave], *exclaves, counter])


def archipelago(random: Random) -> Polygon:
    """Return islands on both sides of ±180°, of which one is cut there, as in GeoJSON."""
    islands = [[shore(random, east, -16.8 + north, 0.02, 120)] for east, north in ((179.9, 0.1), (-179.85, 0.0))]
    whole = shapely.Polygon([(x % 360, y) for x, y in shore(random, 180.0, -16.5, 0.08, 500)])
    lagoon = shapely.Polygon([(x % 360, y) for x, y in shore(random, 180.0, -16.5, 0.02, 80)])
    sides = shapely.box(0, -90, 180, 90), shapely.box(180, -90, 360, 90)
    halves = [whole.difference(lagoon).intersection(side) for side in sides]
    cut = [[_ring(each.exterior, beyond)] for beyond, half in enumerate(halves) for each in shapely.get_parts(half)]
    return check_polygon([*islands, *cut])


def _ring(ring: Any, beyond: int) -> list[Position]:
    return [(x - 360 * beyond, y) for x, y in ring.coords]


def building(random: Random) -> Polygon:
    """Return a building with courtyards, one with a pavilion."""
    x, y = 14.5 + random.uniform(0, 0.1), 46.05

    def box(west: float, south: float, east: float, north: float) -> list[Position]:
        corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
        return [(x + 1e-5 * each[0], y + 1e-5 * each[1]) for each in corners]

    return check_polygon([[box(0, 0, 120, 90), box(10, 10, 50, 80), box(60, 20, 110, 70)], [box(25, 40, 35, 50)]])


def districts(random: Random) -> Polygon:
    """Return districts of a grid, which meet along edges, pieces of edges and in corners."""
    x, y, size = -74.0, 40.7, 0.004
    lines = [[0.0, *(step + random.uniform(-0.2, 0.2) for step in (1, 2, 3)), 4.0] for _ in range(2)]
    cells = [(column, row) for column in range(4) for row in range(4) if random.random() < 0.6] or [(0, 0)]
    parts: list[Rings] = []
    for column, row in cells:
        west, east = (x + size * lines[0][each] for each in (column, column + 1))
        south, north = (y + size * lines[1][each] for each in (row, row + 1))
        parts.append([[(west, south), (east, south), (east, north), (west, north), (west, south)]])
    return check_polygon(parts)


GENERATED = (park_with_lake, municipality, archipelago, building, districts)


def positions(random: Random, polygon: Polygon, accuracy_m: float) -> Iterator[Point]:
    """Yield positions on the boundary, near it, in holes, between parts and in parts, in any order."""
    shapes = [shapely.Polygon(part.ring, part.holes) for part in polygon.parts]
    lines = [shapely.LineString(ring) for ring in polygon.rings]
    found = [Point(*random.choice(ring)) for ring in random.choices(polygon.rings, k=8)]
    for line in random.choices(lines, k=16):
        edge = line.interpolate(random.random(), normalized=True)
        away_m = random.choice((0.3, 2.0, *(accuracy_m * part for part in (0.3, 0.9, 0.99, 1.01, 1.1, 2.0))))
        found.append(moved(Point(edge.x, edge.y), random.uniform(0, 360), away_m))
    inside = [shapely.Polygon(ring).representative_point() for ring in polygon.rings]
    found += [Point(_earthly(each.x), each.y) for each in random.sample(inside, min(6, len(inside)))]
    west, south, east, north = random.choice(shapes).bounds
    found += [Point(random.uniform(west, east), random.uniform(south, north)) for _ in range(6)]
    random.shuffle(found)
    yield from found
