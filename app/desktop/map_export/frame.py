"""Projection of the exported map: degrees to pixels of its frame, as in the displayed map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.map.values import MapCircle, Position

EARTH_RADIUS_M: Final = 6_371_000.0
_MAX_LATITUDE: Final = 85.0511287798
_NEAR_POLE: Final = 89.9999999
"""The pole itself is infinitely far away."""

type Pixel = tuple[float, float]
type Box = tuple[float, float, float, float]
"""(left, top, right, bottom)"""


class Frame(Struct, frozen=True):
    """A rectangle of the Mercator map: the position of its upper left corner, its zoom, its size in pixels.

    In a window that is higher than the world, the corner is beyond the latitude at which the map ends.
    """

    corner: Position
    zoom: float
    width: int
    height: int

    @property
    def world_px(self) -> float:
        """The width of the whole world in pixels."""
        return 256.0 * math.pow(2.0, self.zoom)

    @property
    def _top(self) -> float:
        return _mercator(max(-_NEAR_POLE, min(_NEAR_POLE, self.corner[1])))

    def pixel(self, longitude: float, latitude: float) -> Pixel:
        """Return the pixel of a position, in the copy of the world that its longitude belongs to."""
        x = (longitude - self.corner[0]) / 360.0 * self.world_px
        return x, (_world_y(latitude) - self._top) * self.world_px

    def ring(self, positions: Sequence[Position]) -> list[Pixel]:
        """Return a line in pixels, each step the short way round, also across ±180°."""
        pixels: list[Pixel] = []
        previous = positions[0][0] if positions else 0.0
        for longitude, latitude in positions:
            previous = longitude + 360.0 * round((previous - longitude) / 360.0)
            pixels.append(self.pixel(previous, latitude))
        return pixels

    def ellipse(self, circle: MapCircle) -> Box:
        """Return the box of a circle on the ground, which is an ellipse on the map."""
        arc = circle.radius_m / EARTH_RADIUS_M
        here = math.radians(circle.latitude)
        top = _world_y(circle.latitude + math.degrees(arc))
        bottom = _world_y(circle.latitude - math.degrees(arc))
        middle = math.atan(math.sinh(math.pi * (1.0 - (top + bottom))))
        cosine = (math.cos(arc) - math.sin(here) * math.sin(middle)) / (math.cos(here) * math.cos(middle))
        half = math.acos(max(-1.0, min(1.0, cosine))) / (2.0 * math.pi) * self.world_px
        x, _ = self.pixel(circle.longitude, 0.0)
        return x - half, (top - self._top) * self.world_px, x + half, (bottom - self._top) * self.world_px

    def copies(self, box: Box, grow: float) -> list[float]:
        """Return the horizontal offsets at which a box is visible, one for each copy of the world."""
        left, top, right, bottom = box
        if bottom < -grow or top > self.height + grow:
            return []
        first = math.ceil((-grow - right) / self.world_px)
        last = math.floor((self.width + grow - left) / self.world_px)
        return [copy * self.world_px for copy in range(first, last + 1)]

    def cropped(self, top: int, bottom: int) -> Frame:
        """Return the frame without some rows of pixels at its top and bottom."""
        y = self._top + top / self.world_px
        latitude = math.degrees(math.atan(math.sinh(math.pi * (1.0 - 2.0 * y))))
        return Frame((self.corner[0], latitude), self.zoom, self.width, self.height - top - bottom)

    def metres_per_pixel(self) -> float:
        """Return the length of a pixel on the ground at the centre of the frame."""
        y = self._top + self.height / 2 / self.world_px
        latitude = math.degrees(math.atan(math.sinh(math.pi * (1.0 - 2.0 * y))))
        return metres_per_pixel(latitude, self.zoom)


def metres_per_pixel(latitude: float, zoom: float) -> float:
    """Return the length of a pixel on the ground."""
    return 2.0 * math.pi * EARTH_RADIUS_M * math.cos(math.radians(latitude)) / (256.0 * math.pow(2.0, zoom))


def nice_length(limit: float) -> float:
    """Return the largest number of the form 1, 2 or 5 times a power of ten that is not above a limit."""
    power = 10.0 ** math.floor(math.log10(limit))
    digit = limit / power
    return power * (5 if digit >= 5 else 2 if digit >= 2 else 1)


def length_text(metres: float) -> str:
    """Return a length as in the map's scale bar: ``0.5 m``, ``200 m``, ``10 km``."""
    if metres < 1:
        return tr("{metres:.1f} m", metres=metres)
    return (
        tr("{metres:.0f} m", metres=metres) if metres < 1_000 else tr("{kilometres:.0f} km", kilometres=metres / 1_000)
    )


def ratio_text(ratio: int) -> str:
    """Return a scale in the notation of maps: ``1:25,000``."""
    return tr("1:{ratio:,}", ratio=ratio)


def box_of(pixels: Sequence[Pixel]) -> Box:
    """Return the box around a line."""
    xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
    return min(xs), min(ys), max(xs), max(ys)


def _world_y(latitude: float) -> float:
    return _mercator(max(-_MAX_LATITUDE, min(_MAX_LATITUDE, latitude)))


def _mercator(latitude: float) -> float:
    sine = math.sin(math.radians(latitude))
    return 0.5 - math.log((1.0 + sine) / (1.0 - sine)) / (4.0 * math.pi)
