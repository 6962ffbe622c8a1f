"""The part of the Mercator map that a picture shows, in pixels."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, Self

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from engine.maps.tile import TilePlace

type Positions = NDArray[np.float64]
"""Pairs of coordinates in an array of two columns."""

TILE_PX: Final = 256
"""The edge of the world at zoom 0. Zooms are those of maps with such tiles, as in the look."""

FIRST_ZOOM, LAST_ZOOM = 1.0, 23.0
FITTED_ZOOM: Final = 16.0
"""Highest zoom of a view that was fitted to positions, so that a single one still has surroundings."""

_MARGIN_PX: Final = 48
"""Room around fitted positions, in CSS pixels: the height of a marker."""

_LAST_LATITUDE: Final = 85.0511287798066
_SMALLEST: Final = 1e-9


class Placed(Struct, frozen=True):
    """A tile of a view: its place, its corner in the picture and its edge in pixels."""

    place: TilePlace
    left: float
    top: float
    edge: float


class View(Struct, frozen=True):
    """A part of the map: its size in CSS pixels, pixels per CSS pixel, centre and zoom."""

    width: int
    height: int
    scale: float
    longitude: float
    latitude: float
    zoom: float

    @classmethod
    def of_box(cls, box: tuple[float, float, float, float], width: int, height: int, scale: float) -> Self:
        """Return the closest view of a box: its southern latitude, western longitude, and the opposite ones."""
        return cls._fitted(_edges_of(box), (width, height), scale, 0, LAST_ZOOM)

    @classmethod
    def of_positions(cls, positions: Sequence[tuple[float, float]], width: int, height: int, scale: float) -> Self:
        """Return the closest view of positions, each a longitude and a latitude, with room for markers around them."""
        at = mercator(np.array(positions, dtype=np.float64))
        west, east = _span(at[:, 0])
        edges = west, float(at[:, 1].min()), east, float(at[:, 1].max())
        return cls._fitted(edges, (width, height), scale, _MARGIN_PX, FITTED_ZOOM)

    @classmethod
    def _fitted(
        cls,
        edges: tuple[float, float, float, float],
        size: tuple[int, int],
        scale: float,
        margin: float,
        last_zoom: float,
    ) -> Self:
        left, top, right, bottom = edges
        room_x, room_y = (max(length - 2 * margin, length / 4) for length in size)
        ratio = min(room_x / max(right - left, _SMALLEST), room_y / max(bottom - top, _SMALLEST))
        zoom = min(max(math.log2(ratio / TILE_PX), FIRST_ZOOM), last_zoom)
        longitude, latitude = unprojected((left + right) / 2, (top + bottom) / 2)
        return cls(*size, scale, longitude, latitude, zoom)

    def widened(self, positions: Sequence[tuple[float, float]]) -> Self:
        """Return the closest view with the same centre in which all positions are visible."""
        [centre] = mercator(np.array([[self.longitude, self.latitude]]))
        away = np.abs(mercator(np.array(positions, dtype=np.float64)) - centre)
        # The shorter way around the world.
        away[:, 0] = np.minimum(away[:, 0], 1 - away[:, 0])
        (x, y), (cx, cy) = away.max(axis=0).tolist(), centre.tolist()
        edges = cx - x, cy - y, cx + x, cy + y
        fitted = self._fitted(edges, (self.width, self.height), self.scale, _MARGIN_PX, FITTED_ZOOM)
        return structs.replace(self, zoom=fitted.zoom)

    def widened_to_box(self, box: tuple[float, float, float, float]) -> Self:
        """Return the closest view with the same centre that shows the whole of a box, given as in `of_box`."""
        [(cx, cy)] = mercator(np.array([[self.longitude, self.latitude]])).tolist()
        left, top, right, bottom = _edges_of(box)
        # The copy of the box closest to the centre.
        away = cx - (left + right) / 2
        x = abs(away - round(away)) + (right - left) / 2
        y = max(abs(top - cy), abs(bottom - cy))
        edges = cx - x, cy - y, cx + x, cy + y
        fitted = self._fitted(edges, (self.width, self.height), self.scale, 0, LAST_ZOOM)
        return structs.replace(self, zoom=fitted.zoom)

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return round(self.width * self.scale), round(self.height * self.scale)

    @property
    def world(self) -> float:
        """The edge of the whole world in pixels of the picture."""
        return float(TILE_PX * self.scale * 2.0**self.zoom)

    @property
    def corner(self) -> tuple[float, float]:
        """The upper left corner of the picture in pixels of the world."""
        (x, y), (width, height) = mercator(np.array([[self.longitude, self.latitude]]))[0] * self.world, self.pixels
        return float(x) - width / 2, float(y) - height / 2

    def placed(self, positions: Sequence[tuple[float, float]] | Positions) -> Positions:
        """Return longitudes and latitudes as pixels of the picture.

        Each position is at most half a world from the one before it, and the middle between the westernmost and the
        easternmost is at the copy of the world closest to the centre.
        """
        at = mercator(np.asarray(positions, dtype=np.float64).reshape(-1, 2))
        if len(at):
            at[:, 0] = np.unwrap(at[:, 0], period=1.0)
            middle = (at[:, 0].min() + at[:, 0].max()) / 2
            at[:, 0] += round((self.longitude + 180) / 360 - middle)
        return at * self.world - self.corner

    def tiles(self, last_zoom: int) -> Iterator[Placed]:
        """Yield the tiles that cover the view, at most those of `last_zoom`; the world repeats to the sides."""
        zoom = min(max(math.floor(self.zoom) - 1, 0), last_zoom)
        count = 2**zoom
        edge = self.world / count
        (left, top), (width, height) = self.corner, self.pixels
        for y in range(max(math.floor(top / edge), 0), min(math.ceil((top + height) / edge), count)):
            for x in range(math.floor(left / edge), math.ceil((left + width) / edge)):
                yield Placed(TilePlace(zoom, x % count, y), x * edge - left, y * edge - top, edge)


def mercator(positions: Positions) -> Positions:
    """Return longitudes and latitudes as parts of the world, from 0 to 1, to the right and down."""
    latitudes = np.radians(np.clip(positions[:, 1], -_LAST_LATITUDE, _LAST_LATITUDE))
    return np.stack([(positions[:, 0] + 180) / 360, (1 - np.arcsinh(np.tan(latitudes)) / math.pi) / 2], axis=1)


def _edges_of(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edge of a box as parts of the world; the right one may exceed 1."""
    south, west, north, east = box
    # A box may cross the antimeridian.
    at = mercator(np.array([[west, south], [east if east > west else east + 360, north]]))
    (left, bottom), (right, top) = at.tolist()
    return left, top, right, bottom


def unprojected(x: float, y: float) -> tuple[float, float]:
    """Return the longitude, within ±180, and the latitude of a part of the world."""
    longitude = (x * 360) % 360 - 180
    return longitude, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y))))


def _span(xs: NDArray[np.float64]) -> tuple[float, float]:
    """Return the narrowest span of all columns, which may cross the antimeridian: its end may exceed 1."""
    ordered = np.sort(xs)
    gaps = np.append(np.diff(ordered), ordered[0] + 1 - ordered[-1])
    widest = int(gaps.argmax())
    if widest == len(ordered) - 1:
        return float(ordered[0]), float(ordered[-1])
    return float(ordered[widest + 1]), float(ordered[widest] + 1)
