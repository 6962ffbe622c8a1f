"""The map of the world as vector tiles, cut from the atlas on request."""

import math
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from engine.maps.tile import Tile, TilePlace
from engine.maps.vector_tiles import EXTENT, Properties, encode_layer
from engine.maps.world_atlas import Atlas, Detail

DEEPEST_WORLD: Final = 8
"""Highest zoom of the tiles, which are enlarged beyond it: the atlas has no finer data."""

_FINE_FROM: Final = 6
_EDGE: Final = 80
"""Margin of a tile beyond its edges, in its own units, so that lines do not end there."""

_COARSE: Final = 4
"""Size below which details are not visible, in units of a tile, unless the tile is enlarged."""

_KEPT: Final = 1024
_NAMED_FROM: Final = 48
"""Width in pixels from which a country is large enough for its name."""


class WorldMap:
    """The tiles of the world. An atlas is read on first use."""

    def __init__(self) -> None:
        self._atlases: dict[Detail, Atlas] = {}
        self._lock = Lock()
        self._kept = lru_cache(_KEPT)(self._make)

    def tile(self, place: TilePlace) -> Tile | None:
        """Return a tile, or None if it has only sea or is beyond the highest zoom.

        Raises `NotFound` if the atlas has not been built.
        """
        return self._kept(place) if place.z <= DEEPEST_WORLD else None

    def _make(self, place: TilePlace) -> Tile | None:
        atlas = self._atlas("10m" if place.z >= _FINE_FROM else "50m")
        content = b"".join(
            [
                encode_layer("land", _cut(atlas.land, place, "Polygon")),
                encode_layer("coast", _cut(atlas.coast, place, "LineString")),
                encode_layer("borders", _cut(atlas.borders, place, "LineString")),
                encode_layer("countries", self._names(place)),
            ]
        )
        return Tile.plain(content) if content else None

    def _names(self, place: TilePlace) -> Iterator[tuple[BaseGeometry, Properties]]:
        """Yield the names of the countries in a tile, largest first; `from` is their lowest zoom, 0 to 8."""
        for country in self._atlas("50m").countries:
            x, y = (at * 2**place.z - start for at, start in ((country.point.x, place.x), (country.point.y, place.y)))
            if 0 <= x < 1 and 0 <= y < 1:
                zoom = math.ceil(math.log2(_NAMED_FROM / 512 / math.sqrt(country.size)))
                properties: Properties = {"name": country.name, "from": min(max(zoom, 0), DEEPEST_WORLD)}
                yield shapely.Point(round(x * EXTENT), round(y * EXTENT)), properties

    def _atlas(self, detail: Detail) -> Atlas:
        with self._lock:
            if detail not in self._atlases:
                self._atlases[detail] = Atlas(detail)
            return self._atlases[detail]


def _cut(tree: shapely.STRtree, place: TilePlace, kind: str) -> Iterator[tuple[BaseGeometry, Properties]]:
    """Yield the parts of shapes within a tile, in its units."""
    size, edge = 2.0**-place.z, 2.0**-place.z * _EDGE / EXTENT
    west, north = place.x * size, place.y * size
    box = (west - edge, north - edge, west + size + edge, north + size + edge)
    near = tree.geometries[tree.query(shapely.box(*box))]
    if not len(near):
        return
    scale = EXTENT / size
    moved = shapely.transform(shapely.clip_by_rect(near, *box), lambda at: (at - (west, north)) * scale)
    # A simplified line may cross itself, a polygon may not.
    tolerance = 1 if place.z == DEEPEST_WORLD else _COARSE
    simple = shapely.simplify(moved, tolerance, preserve_topology=kind == "Polygon")
    whole = shapely.set_precision(shapely.make_valid(simple), 1)
    for part in shapely.get_parts(shapely.get_parts(whole)):
        if part.geom_type == kind and not part.is_empty and not _is_dot(part, place):
            yield part, {}


def _is_dot(part: BaseGeometry, place: TilePlace) -> bool:
    """Return whether a shape is too small to be visible before the highest zoom."""
    west, north, east, south = part.bounds
    return place.z < DEEPEST_WORLD and max(east - west, south - north) < 2 * _COARSE
