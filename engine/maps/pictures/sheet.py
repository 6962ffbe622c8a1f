"""The features of all tiles of a view, in pixels of the picture."""

import logging
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct

from engine.maps.pictures.features import POLYGON, Feature, Value, read_features
from engine.maps.pictures.outlines import Box, clipped_ring
from engine.maps.pictures.view import Placed, Positions, View
from engine.maps.protobuf import DamagedMessage
from engine.maps.tile import Tile, TilePlace

_KEPT: Final = 48
MARGIN_PX: Final = 64
"""How far outside the picture a feature may still be visible in it, since lines are wide."""

_FAR_PX: Final = 4_000
"""How far outside the picture positions may be; FreeType cannot fill outlines that extend much farther."""

logger = logging.getLogger(__name__)

type Layers = dict[str, list[Feature]]
type TileSource = Callable[[TilePlace], Tile | None]


class Drawn(Struct, frozen=True):
    """A feature in pixels. `box` is that of its tile, which has the features a bit beyond its edges too."""

    kind: int
    properties: dict[str, Value]
    parts: list[Positions]
    box: Box


class Sheet:
    """The features in and around a view."""

    def __init__(self, view: View, tiles: Iterable[tuple[Placed, Layers]]) -> None:
        self.view = view
        self._tiles = list(tiles)
        (width, height), margin = view.pixels, MARGIN_PX * view.scale
        self.near: Final[Box] = (-margin, -margin, width + margin, height + margin)
        self.box: Final[Box] = (-_FAR_PX, -_FAR_PX, width + _FAR_PX, height + _FAR_PX)

    @property
    def is_empty(self) -> bool:
        """Whether there are no tiles."""
        return not self._tiles

    def features(self, layer: str, kinds: Container[object] | None = None) -> Iterator[Drawn]:
        """Yield the features of a layer, or only those of some kinds, that may be visible."""
        for placed, layers in self._tiles:
            corner, edge = np.array([placed.left, placed.top]), placed.edge
            box = (placed.left, placed.top, placed.left + edge, placed.top + edge)
            (left, top), (right, bottom) = ((np.array(end) - corner) / edge for end in (self.near[:2], self.near[2:]))
            for feature in layers.get(layer, ()):
                (west, north), (east, south) = feature.low, feature.high
                if west > right or north > bottom or east < left or south < top:
                    continue
                if kinds is not None and feature.properties.get("kind") not in kinds:
                    continue
                parts = [part * edge + corner for part in feature.parts]
                if feature.kind == POLYGON:
                    parts = [self._clipped(part) for part in parts]
                yield Drawn(feature.kind, feature.properties, parts, box)

    def _clipped(self, ring: Positions) -> Positions:
        left, top, right, bottom = self.box
        (west, north), (east, south) = ring.min(axis=0), ring.max(axis=0)
        inside = west >= left and north >= top and east <= right and south <= bottom
        return ring if inside else clipped_ring(ring, self.box)


def sheet_of(view: View, source: TileSource, first_zoom: int, last_zoom: int) -> Sheet:
    """Return the features of a source of tiles; damaged tiles are left out."""
    found = []
    for placed in view.tiles(last_zoom):
        tile = source(placed.place) if placed.place.z >= first_zoom else None
        if tile is not None:
            found.append((placed, _features(tile.packed, placed.place)))
    return Sheet(view, found)


@lru_cache(_KEPT)
def _features(packed: bytes, place: TilePlace) -> Layers:
    try:
        return read_features(packed)
    except DamagedMessage:
        logger.warning("A tile is damaged and is left out of pictures: %s", place)
        return {}
