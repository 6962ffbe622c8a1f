"""Overlays of a map: paths, markers, and the credits of its data."""

import re
from typing import Final

import numpy as np
from msgspec import Struct

from engine.maps.look import LOOK
from engine.maps.pictures.canvas import Canvas, Color, color_of
from engine.maps.pictures.names import Names
from engine.maps.pictures.outlines import clipped_ring, outline_of, ring_around, segments_of, stroke
from engine.maps.pictures.view import Positions, View

PIN: Final = (32.0, 44.0)
"""Width and height of a marker in CSS pixels; its tip is at (16, 41)."""

_TIP: Final = np.array([16.0, 41.0])
_CREDIT_SIZE: Final = 9.5
_TAG: Final = re.compile("<[^>]*>")
_BRIGHT: Final = 3 * 200
_CURVE: Final = np.linspace(0.1, 1, 10)[:, None]


class Marker(Struct, frozen=True):
    """A pin with its tip at a position; `size` enlarges it."""

    longitude: float
    latitude: float
    color: str
    size: float = 1.0


class Path(Struct, frozen=True):
    """A line through longitudes and latitudes, or with `fill` the area within it.

    `border_width` is that of the border on each side of the line; all widths are in CSS pixels.
    """

    positions: tuple[tuple[float, float], ...]
    color: Color
    width: float
    fill: Color | None = None
    border: Color | None = None
    border_width: float = 0.0


def draw_path(canvas: Canvas, view: View, path: Path) -> None:
    """Draw a path."""
    line = view.placed(path.positions)
    width, height = view.pixels
    # A line that passes the picture may still reach into it with half of its width.
    margin = (path.width / 2 + path.border_width + 1) * view.scale
    box = (-margin, -margin, width + margin, height + margin)
    if path.fill is not None:
        canvas.fill(outline_of([clipped_ring(line, box)]), path.fill)
        line = np.concatenate([line, line[:1]])
    segments = segments_of([line], box, capped=True)
    if path.border is not None and path.border_width:
        canvas.fill(stroke(segments, (path.width + 2 * path.border_width) * view.scale), path.border)
    if path.width:
        canvas.fill(stroke(segments, path.width * view.scale), path.color)


def draw_marker(canvas: Canvas, view: View, marker: Marker) -> None:
    """Draw a marker like those that pages get as SVG."""
    [tip] = view.placed([(marker.longitude, marker.latitude)])
    enlarged = view.scale * marker.size

    def at(ring: Positions) -> Positions:
        placed: Positions = (ring - _TIP) * enlarged + tip
        return placed

    red, green, blue, _ = color = color_of(marker.color)
    shadow = ring_around(1.0) * (7, 2.5) + (16, 41)
    canvas.fill(outline_of([at(shadow)]), (0, 0, 0, 0.2))
    pin = at(_PIN)
    canvas.fill(outline_of([pin]), color)
    width, height = view.pixels
    closed = np.concatenate([pin, pin[:1]])
    canvas.fill(stroke(segments_of([closed], (-99, -99, width + 99, height + 99)), enlarged), (0, 0, 0, 0.35))
    dot = "#26323a" if red + green + blue > _BRIGHT else "#ffffff"
    # A circle has to be smooth at the scale at which it is drawn.
    canvas.fill(outline_of([ring_around(5.5 * enlarged) + at(np.array([[16.0, 16.0]]))]), color_of(dot))


def _pin() -> Positions:
    """Return the outline of the marker: the curves of the SVG, as corners."""
    curves = (
        ((16, 1.5), (8, 1.5), (1.5, 8), (1.5, 16)),
        ((1.5, 16), (1.5, 26.5), (16, 41), (16, 41)),
        ((16, 41), (16, 41), (30.5, 26.5), (30.5, 16)),
        ((30.5, 16), (30.5, 8), (24, 1.5), (16, 1.5)),
    )
    rest = 1 - _CURVE
    pieces = [
        rest**3 * np.array(a) + 3 * rest**2 * _CURVE * np.array(b) + 3 * rest * _CURVE**2 * np.array(c)
        + _CURVE**3 * np.array(d)
        for a, b, c, d in curves
    ]  # fmt: skip
    return np.concatenate(pieces)


_PIN: Final = _pin()


def credits_of(*, has_streets: bool) -> list[str]:
    """Return the credits of the data in a picture, the most important first."""
    sources = ("streets", "world") if has_streets else ("world",)
    return [_TAG.sub("", LOOK["attribution"][source]) for source in sources]


class Credits:
    """The credits in the lower right corner, as many as fit, on a translucent ground."""

    def __init__(self, names: Names, view: View, written: list[str]) -> None:
        self._names, self._view = names, view
        room = view.pixels[0] - 8 * view.scale
        texts = ["  ".join(written), *written[:1], written[0].replace(" contributors", "")]
        lines = [names.line(text, _CREDIT_SIZE) for text in texts]
        self._line = next((line for line in lines if line.length <= room), lines[-1])

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Their place in the picture."""
        (width, height), scale = self._view.pixels, self._view.scale
        return width - self._line.length - 8 * scale, height - 14 * scale, float(width), float(height)

    def draw(self, canvas: Canvas, theme: str) -> None:
        """Draw them above everything else."""
        left, top, right, bottom = self.box
        colors = LOOK["themes"][theme]["streets"]
        ground = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        canvas.fill(outline_of([ground]), color_of(colors["halo"], 0.85))
        rings = self._line.straight((left + right) / 2, (top + bottom) / 2)
        canvas.fill(outline_of(rings), color_of(colors["place"]))
