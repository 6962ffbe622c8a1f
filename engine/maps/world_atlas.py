"""The world's land, coasts and borders, from the atlas that the window also draws (Natural Earth, as TopoJSON)."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import orjson
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.domain.errors import NotFound

type Detail = Literal["50m", "10m"]
type Places = NDArray[np.float64]
"""Positions, one a row: longitude and latitude, or world coordinates (0 to 1 to the right and down)."""

ATLAS: Final = Path(__file__).parents[2] / "resources" / "web" / "assets" / "world-atlas"
MARGIN: Final = 1 / 32
"""How far shapes that cross ±180° extend into the opposite edge of the world, to cover the margins of its tiles."""

_LEAST: Final = 4
"""Minimum number of positions of a ring. The precision of the atlas reduced some islands to lines."""

_STEEPEST: Final = 89.0
_WORLD: Final = (-MARGIN, -1.0, 1 + MARGIN, 2.0)


class Country(Struct, frozen=True):
    """A country's name, its position, and the area of its largest part as a share of the world's square."""

    name: str
    point: shapely.Point
    size: float


class Atlas:
    """Shapes of the world to draw, in world coordinates."""

    def __init__(self, detail: Detail) -> None:
        """Read an atlas. Raises `NotFound` for ``source`` if it has not been built."""
        file = ATLAS / f"countries-{detail}.json"
        try:
            topology = orjson.loads(file.read_bytes())
        except OSError:
            raise NotFound("source", f"{file.name} is missing: the web assets have not been built.") from None
        self._arcs = _arcs(topology)
        self._countries = topology["objects"]["countries"]["geometries"]
        self.land = shapely.STRtree(list(self._parts_of(_flat(topology["objects"]["land"]))))
        shared = self._users()
        self.coast = self._lines(arc for arc, users in shared.items() if len(users) == 1)
        self.borders = self._lines(arc for arc, users in shared.items() if len(users) > 1)

    @cached_property
    def countries(self) -> list[Country]:
        """The countries with their names, largest first."""
        found = []
        for geometry in self._countries:
            parts = list(self._parts_of([geometry]))
            if parts:
                largest = max(parts, key=lambda part: part.area)
                point = shapely.Point(largest.representative_point())
                found.append(Country(geometry["properties"]["name"], point, largest.area))
        return sorted(found, key=lambda country: -country.size)

    def outlines(self) -> Iterator[tuple[str, str, list[Places]]]:
        """Yield each country's numeric ISO code ("" for those without), its name and its rings.

        Rings extend beyond ±180° if the country does.
        """
        for geometry in self._countries:
            rings = [
                _projected(_round_pole(_unwrapped(self._ring(ring))))
                for polygon in _polygons(geometry)
                for ring in polygon
            ]
            yield str(geometry.get("id", "")), geometry["properties"]["name"], rings

    def _users(self) -> dict[int, set[int]]:
        """Return, for each arc, the countries that it borders."""
        users: dict[int, set[int]] = defaultdict(set)
        for index, geometry in enumerate(self._countries):
            for polygon in _polygons(geometry):
                for ring in polygon:
                    for arc in ring:
                        users[arc if arc >= 0 else ~arc].add(index)
        return users

    def _lines(self, arcs: Iterable[int]) -> shapely.STRtree:
        lines = [line for arc in arcs for piece in _without_cut(self._arcs[arc]) for line in _in_world_line(piece)]
        return shapely.STRtree(lines)

    def _parts_of(self, geometries: Iterable[dict[str, Any]]) -> Iterator[shapely.Polygon]:
        for geometry in geometries:
            for polygon in _polygons(geometry):
                shell, *holes = [_projected(_round_pole(_unwrapped(self._ring(ring)))) for ring in polygon]
                if len(shell) < _LEAST:
                    continue
                holes = [hole for hole in holes if len(hole) >= _LEAST]
                yield from _in_world(shapely.Polygon(shell, holes))

    def _ring(self, arcs: Sequence[int]) -> Places:
        parts = [self._arcs[arc] if arc >= 0 else self._arcs[~arc][::-1] for arc in arcs]
        return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def _arcs(topology: dict[str, Any]) -> list[Places]:
    scale, move = (np.array(topology["transform"][name]) for name in ("scale", "translate"))
    return [np.cumsum(np.array(arc, dtype=np.float64), axis=0) * scale + move for arc in topology["arcs"]]


def _flat(geometry: dict[str, Any]) -> list[dict[str, Any]]:
    return geometry["geometries"] if geometry["type"] == "GeometryCollection" else [geometry]


def _polygons(geometry: dict[str, Any]) -> list[list[list[int]]]:
    arcs = geometry.get("arcs", [])
    return [arcs] if geometry["type"] == "Polygon" else arcs if geometry["type"] == "MultiPolygon" else []


def _unwrapped(places: Places) -> Places:
    """Return positions with longitudes made continuous across ±180°."""
    turns = np.cumsum(np.round(np.diff(places[:, 0]) / 360))
    return np.column_stack([places[:, 0] - np.concatenate([[0], turns * 360]), places[:, 1]])


def _round_pole(ring: Places) -> Places:
    """Return a ring around a pole closed along that pole."""
    if abs(ring[-1, 0] - ring[0, 0]) < 180:
        return ring
    pole = math.copysign(90, ring[0, 1])
    return np.vstack([ring, [[ring[-1, 0], pole], [ring[0, 0], pole]]])


def _projected(places: Places) -> Places:
    """Return positions in the coordinates of web maps."""
    latitude = np.radians(np.clip(places[:, 1], -_STEEPEST, _STEEPEST))
    return np.column_stack([places[:, 0] / 360 + 0.5, 0.5 - np.arcsinh(np.tan(latitude)) / (2 * np.pi)])


def _without_cut(places: Places) -> Iterator[Places]:
    """Yield the parts of a coast, without the cuts by which the atlas closes rings along ±180° and the pole."""
    on_cut = (np.abs(places[:, 0]) > 179.99) | (places[:, 1] < -89.9)
    cuts = np.flatnonzero(on_cut[1:] & on_cut[:-1]) + 1
    yield from (part for part in np.split(places, cuts) if len(part) > 1)


def _in_world_line(places: Places) -> Iterator[BaseGeometry]:
    return _in_world(shapely.LineString(_projected(_unwrapped(places))))


def _in_world(shape: BaseGeometry) -> Iterator[Any]:
    """Yield the parts of a shape within the world of the tiles, with parts beyond ±180° moved to the opposite edge."""
    west, _, east, _ = shape.bounds
    if west >= 0 and east <= 1:
        clipped = [shape]
    else:
        moved = (shapely.transform(shape, lambda places, by=by: places + np.array([by, 0])) for by in (-1, 0, 1))
        clipped = [shapely.clip_by_rect(copy, *_WORLD) for copy in moved]
    for part in clipped:
        yield from (piece for piece in shapely.get_parts(part) if not piece.is_empty and piece.geom_type in _DRAWN)


_DRAWN: Final = ("Polygon", "LineString")
