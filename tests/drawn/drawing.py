"""Drawing of an extract in metres: streets that are connected where their lines cross, with houses, and places."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import cos, hypot, radians
from pathlib import Path
from typing import Final

from engine.domain.area import Bounds
from tests.engine.areas.extracts import Extract

M_PER_DEGREE: Final = 111_195.0
_BESIDE_M: Final = 12.0
"""Distance between the middle of a street and the middle of its houses, in metres."""

_HALF_M: Final = 4.0

type Place = tuple[float, float]
"""Metres east and north of the origin."""


@dataclass
class _Line:
    places: list[Place]
    tags: dict[str, str]


@dataclass
class Drawing:
    """An extract in metres around an origin. All addresses are in `postcode` of `city` by default."""

    longitude: float
    latitude: float
    city: str
    postcode: str
    tags: dict[str, str] = field(default_factory=dict)
    """Additional tags of all addresses."""

    extract: Extract = field(default_factory=Extract)
    _lines: list[_Line] = field(default_factory=list)

    def at(self, place: Place) -> tuple[float, float]:
        """Return the longitude and the latitude of a place."""
        east, north = place
        per_longitude = M_PER_DEGREE * cos(radians(self.latitude))
        return round(self.longitude + east / per_longitude, 7), round(self.latitude + north / M_PER_DEGREE, 7)

    def place_of(self, longitude: float, latitude: float) -> Place:
        """Return the place of a position."""
        per_longitude = M_PER_DEGREE * cos(radians(self.latitude))
        return (longitude - self.longitude) * per_longitude, (latitude - self.latitude) * M_PER_DEGREE

    def street(
        self, name: str, start: Place, end: Place, numbers: str = "", *, city: str = "", code: str = "", **tags: str
    ) -> None:
        """Draw a straight street with houses in the order of their numbers.

        `numbers` are separated by spaces, each optionally followed by a colon and the use of the building. Even ones
        are on the right.
        """
        self._lines.append(_Line([start, end], {"highway": "residential", "name": name} | tags))
        east, north = end[0] - start[0], end[1] - start[1]
        length = hypot(east, north)
        every = numbers.split()
        for index, written in enumerate(every, start=1):
            number, _, use = written.partition(":")
            number = number.replace("_", " ")
            share = index / (len(every) + 1)
            side = _BESIDE_M if number[-1:] in "02468" else -_BESIDE_M
            middle = (
                start[0] + share * east + side * north / length,
                start[1] + share * north - side * east / length,
            )
            self.house(middle, number, name, city=city, code=code, building=use or "house")

    def house(
        self, middle: Place, number: str, street: str, *, city: str = "", code: str = "", building: str, **tags: str
    ) -> None:
        """Draw a building with an address."""
        self.area(middle, _HALF_M, building=building, **self.address(number, street, city, code), **tags)

    def address(self, number: str, street: str, city: str = "", code: str = "") -> dict[str, str]:
        """Return the tags of an address."""
        parts = {"housenumber": number, "street": street, "city": city or self.city, "postcode": code or self.postcode}
        return {f"addr:{key}": value for key, value in parts.items()} | self.tags

    def area(self, middle: Place, half_m: float, /, **tags: str) -> int:
        """Draw a square, and return its way."""
        (east, north), half = middle, half_m
        corners = [(east - half, north - half), (east + half, north - half)]
        corners += [(east + half, north + half), (east - half, north + half)]
        nodes = [self.point(corner) for corner in corners]
        return self.extract.way([*nodes, nodes[0]], **tags)

    def point(self, place: Place, /, **tags: str) -> int:
        """Draw a point, and return its node."""
        longitude, latitude = self.at(place)
        return self.extract.node(longitude, latitude, **tags)

    def points(self, places: Iterable[Place], names: Sequence[str], /, **tags: str) -> None:
        """Draw points of one kind, each with a name."""
        for place, name in zip(places, names, strict=True):
            self.point(place, name=name, **tags)

    def line(self, *places: Place, **tags: str) -> None:
        """Draw a line other than a street, such as a river."""
        self.extract.way([self.point(place) for place in places], **tags)

    def boundary(self, middle: Place, half_m: float, level: int, name: str, **tags: str) -> None:
        """Draw the boundary of an administrative division."""
        way = self.area(middle, half_m)
        shared = {"type": "boundary", "boundary": "administrative", "admin_level": str(level), "name": name}
        self.extract.relation([("w", way, "outer")], **shared | tags)

    def write(self, file: Path, stating: Bounds | None = None) -> Path:
        """Write the extract, with a node wherever streets cross."""
        nodes: dict[Place, int] = {}
        for line in self._lines:
            places = sorted(self._crossings(line), key=lambda place: _from_start(line, place))
            ids = [nodes.get(place) or nodes.setdefault(place, self.point(place)) for place in dict.fromkeys(places)]
            self.extract.way(ids, **line.tags)
        self._lines.clear()
        return self.extract.write(file, stating=stating)

    def _crossings(self, line: _Line) -> list[Place]:
        found = [_rounded(place) for place in line.places]
        for other in self._lines:
            crossing = None if other is line else _crossing(line, other)
            if crossing is not None:
                found.append(_rounded(crossing))
        return found


def _from_start(line: _Line, place: Place) -> float:
    return hypot(place[0] - line.places[0][0], place[1] - line.places[0][1])


def _rounded(place: Place) -> Place:
    return round(place[0], 1), round(place[1], 1)


def _crossing(one: _Line, other: _Line) -> Place | None:
    """Return the position at which two straight streets cross or meet."""
    (x1, y1), (x2, y2) = one.places
    (x3, y3), (x4, y4) = other.places
    across = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
    if abs(across) < 1e-6:
        return next((place for place in one.places if place in other.places), None)
    share = ((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3)) / across
    its_share = ((x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1)) / across
    if not (-1e-9 <= share <= 1 + 1e-9 and -1e-9 <= its_share <= 1 + 1e-9):
        return None
    return x1 + share * (x2 - x1), y1 + share * (y2 - y1)
