"""The projection of geofences to a picture: Web Mercator, cut where the gap between them is widest."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import asinh, atan, cos, degrees, radians, sinh, tan
from typing import Final, Self

from msgspec import Struct

from engine.backtest.results import FenceResult

WIDTH: Final = 1_000
_HEIGHTS: Final = (300, 660)
_MARGIN: Final = 34
_EQUATOR_M: Final = 40_075_016.686
_MOST_LATITUDE: Final = 85.05
_LEAST_SPAN: Final = 500 / _EQUATOR_M
"""Least width and height of what a picture shows, so that a single geofence is not all of it."""

_STEPS: Final = (30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_MOST_LINES: Final = 7
_NICE_M: Final = tuple(figure * 10**power for power in range(1, 8) for figure in (1, 2, 5))


class Projection(Struct, frozen=True):
    """A part of the world in a picture.

    The left edge of the world is at the longitude `cut`, so that the antimeridian may be inside. `left`, `top` and
    `scale` say where the picture is in it, whose width is 1.
    """

    cut: float
    left: float
    top: float
    scale: float
    height: float

    @classmethod
    def of(cls, geofences: Sequence[FenceResult]) -> Self:
        """Return the projection that shows all of some geofences, at least one."""
        cut = widest_gap([each.longitude for each in geofences])
        whole = cls(cut, 0, 0, 1, 0)
        placed = [(*whole.at(each.longitude, each.latitude), whole.length(each)) for each in geofences]
        left, right = min(x - size for x, _, size in placed), max(x + size for x, _, size in placed)
        top, bottom = min(y - size for _, y, size in placed), max(y + size for _, y, size in placed)
        across, down = max(right - left, _LEAST_SPAN), max(bottom - top, _LEAST_SPAN)
        scale = min((WIDTH - 2 * _MARGIN) / across, (_HEIGHTS[1] - 2 * _MARGIN) / down)
        height = max(_HEIGHTS[0], down * scale + 2 * _MARGIN)
        return cls(
            cut, (left + right) / 2 - WIDTH / scale / 2, (top + bottom) / 2 - height / scale / 2, scale, round(height)
        )

    def at(self, longitude: float, latitude: float) -> tuple[float, float]:
        """Return the position of a point in the picture."""
        x = (longitude - self.cut) % 360 / 360
        return (x - self.left) * self.scale, (_mercator(latitude) - self.top) * self.scale

    def length(self, geofence: FenceResult) -> float:
        """Return the length of a geofence's radius in the picture."""
        return self.scale * geofence.radius_m / _EQUATOR_M / _stretch(geofence.latitude)

    def meridians(self) -> Iterator[tuple[float, str]]:
        """Yield the positions and names of some meridians."""
        span = WIDTH / self.scale * 360
        step = _step(span)
        first = self.cut + self.left * 360
        for longitude in _multiples(first, first + span, step):
            name = (longitude + 180) % 360 - 180
            yield (longitude - first) / 360 * self.scale, _named(name, step, "EW")

    def parallels(self) -> Iterator[tuple[float, str]]:
        """Yield the positions and names of some parallels."""
        north, south = _latitude(self.top), _latitude(self.top + self.height / self.scale)
        step = _step(max(north - south, WIDTH / self.scale * 360 / 2))
        for latitude in _multiples(south, north, step):
            yield (_mercator(latitude) - self.top) * self.scale, _named(latitude, step, "NS")

    def scale_bar(self) -> tuple[float, str]:
        """Return the length and the label of a scale bar in the middle of the picture."""
        middle = _latitude(self.top + self.height / self.scale / 2)
        metres_per_unit = _EQUATOR_M * _stretch(middle) / self.scale
        most = WIDTH / 6 * metres_per_unit
        metres = max((each for each in _NICE_M if each <= most), default=_NICE_M[0])
        return metres / metres_per_unit, f"{metres:,} m" if metres < 1_000 else f"{metres // 1_000:,} km"


def widest_gap(longitudes: Sequence[float]) -> float:
    """Return the longitude in the middle of the widest gap between some, where a map of them can be cut."""
    ordered = sorted({each % 360 for each in longitudes})
    gap, start = max((east - west, west) for west, east in pairwise([*ordered, ordered[0] + 360]))
    return start + gap / 2


def _mercator(latitude: float) -> float:
    limited = max(-_MOST_LATITUDE, min(_MOST_LATITUDE, latitude))
    return 0.5 - asinh(tan(radians(limited))) / radians(360)


def _latitude(y: float) -> float:
    return degrees(atan(sinh((0.5 - y) * radians(360))))


def _stretch(latitude: float) -> float:
    return cos(radians(max(-_MOST_LATITUDE, min(_MOST_LATITUDE, latitude))))


def _step(span: float) -> float:
    return next((each for each in reversed(_STEPS) if span / each <= _MOST_LINES), _STEPS[0])


def _multiples(least: float, most: float, step: float) -> Iterator[float]:
    number = int(least // step) + 1
    while number * step < most:
        yield number * step
        number += 1


def _named(value: float, step: float, letters: str) -> str:
    digits = max(0, len(f"{step:g}".partition(".")[2]))
    letter = "" if abs(value) < step / 2 or abs(value) > 180 - step / 2 else letters[value < 0]
    return f"{abs(value):.{digits}f}°{letter}"
