"""References for tests of routers: a bare actor, a textbook decoder of polylines, and drives with noisy positions."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, radians, sqrt
from random import Random
from typing import Any

import orjson

from engine.domain.area import Area
from engine.domain.geometry import Point
from engine.domain.routing import MAX_SNAP_M, Fixed, Line
from engine.geo.earth import distance_m
from engine.routing.actors import actor_settings

Part = dict[str, Any]


class BareActor:
    """Valhalla with only our settings, and no other code of ours."""

    def __init__(self, area: Area) -> None:
        from valhalla import Actor, ValhallaError

        assert area.roads is not None
        self.error = ValhallaError
        self.actor = Actor(actor_settings(area.roads))

    def route(self, start: Point, end: Point, costing: str = "auto", **options: Any) -> Part | None:
        """Return the summary of a route, with its line."""
        request = {"locations": [place(start), place(end)], "costing": costing, **options}
        try:
            trip = orjson.loads(self.actor.route(orjson.dumps(request).decode()))["trip"]
        except self.error:
            return None
        return {**trip["summary"], "shape": trip["legs"][0]["shape"]}

    def edges(self, shape: str, how: str = "edge_walk", costing: str = "auto") -> list[Part]:
        """Return the edges along an encoded line that follows roads."""
        request = {"encoded_polyline": shape, "costing": costing, "shape_match": how}
        found: list[Part] = orjson.loads(self.actor.trace_attributes(orjson.dumps(request).decode()))["edges"]
        return found


def place(point: Point) -> Part:
    """Return a position in Valhalla's format."""
    return {"lat": point.latitude, "lon": point.longitude, "search_cutoff": MAX_SNAP_M}


def points_in(box: tuple[float, float, float, float], seed: int = 1) -> Iterator[Point]:
    """Yield random positions between (west, south, east, north)."""
    west, south, east, north = box
    random = Random(seed)
    while True:
        yield Point(round(random.uniform(west, east), 6), round(random.uniform(south, north), 6))


def textbook_decode(encoded: str, decimals: int) -> Line:
    """Decode a polyline number by number, as the format is usually explained."""
    numbers: list[int] = []
    value = shift = 0
    for character in encoded:
        chunk = ord(character) - 63
        value |= (chunk & 0x1F) << shift
        shift += 5
        if chunk < 0x20:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    latitude = longitude = 0
    line = []
    for north, east in zip(numbers[::2], numbers[1::2], strict=True):
        latitude, longitude = latitude + north, longitude + east
        line.append((longitude / 10**decimals, latitude / 10**decimals))
    return tuple(line)


def drive(line: Line, speed_mps: float, every_s: float, sigma_m: float, random: Random) -> list[Fixed]:
    """Return noisy positions along a line; consecutive noise is correlated (AR(1), 0.9)."""
    kept, size = 0.9, sqrt(1 - 0.9**2)
    east, north = random.gauss(0, sigma_m), random.gauss(0, sigma_m)
    fixes = []
    for longitude, latitude in _along(line, speed_mps * every_s):
        wide = 111_195 * cos(radians(latitude))
        fixes.append(Fixed(Point(longitude + east / wide, latitude + north / 111_195), accuracy_m=sigma_m))
        east = kept * east + size * random.gauss(0, sigma_m)
        north = kept * north + size * random.gauss(0, sigma_m)
    return fixes


def _along(line: Line, every_m: float) -> Iterator[tuple[float, float]]:
    ahead = 0.0
    for (x, y), (to_x, to_y) in pairwise(line):
        length = distance_m(x, y, to_x, to_y)
        while length and ahead <= length:
            share = ahead / length
            yield x + (to_x - x) * share, y + (to_y - y) * share
            ahead += every_m
        ahead -= length


def ways_of(edges: Sequence[Part]) -> set[int]:
    """Return the OpenStreetMap ways of the edges."""
    return {edge["way_id"] for edge in edges}
