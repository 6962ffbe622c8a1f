"""Placement of the names of geofences on the sheet: as on the screen, without overlaps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPolygonF

from app.desktop.map.values import MapFence
from app.desktop.map_export.content import Figure
from app.desktop.map_export.frame import Box, Pixel

AT_MOST: Final = 400
TRIED_UP_TO: Final = 1_500
"""Number of the largest geofences for which a place for the name is searched."""

HEIGHT_PX: Final = 15.0
_APART: Final = 12.0
_GAP: Final = 3.0
_NAMED_FROM: Final = 14.0
_SMALL: Final = 72.0
"""Maximum size of a geofence whose name may be underneath, where it still clearly belongs to it."""


class Name(Struct, frozen=True):
    """A name with its centre and the box that it takes, including the padlock above it."""

    fence: MapFence
    middle: Pixel
    box: Box


def placed_names(figures: Iterable[Figure], width_of: Callable[[str], float]) -> list[Name]:
    """Return the names that fit; the figures are sorted largest first."""
    placed: list[Name] = []
    tried = 0
    for figure in figures:
        if len(placed) >= AT_MOST or tried >= TRIED_UP_TO:
            break
        if figure.dot or not figure.fence.label or _size(figure) < _NAMED_FROM:
            continue
        tried += 1
        name = _name(figure, width_of(figure.fence.label) + _APART)
        if name is not None and not any(_meet(name.box, other.box) for other in placed):
            placed.append(name)
    return placed


def _name(figure: Figure, width: float) -> Name | None:
    """Return the place of a name: inside its geofence, or below it if it is small, otherwise None."""
    left, _, right, bottom = figure.box
    place = _place_inside(figure, width) if width <= right - left else None
    if place is None and _size(figure) > _SMALL:
        return None
    lock = HEIGHT_PX if figure.fence.locked else 0.0
    x, y = place or (figure.middle[0], bottom + HEIGHT_PX / 2 + _GAP + lock)
    half = HEIGHT_PX / 2
    return Name(figure.fence, (x, y), (x - width / 2, y - half - lock, x + width / 2, y + half))


def _size(figure: Figure) -> float:
    left, top, right, bottom = figure.box
    return max(right - left, bottom - top)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _place_inside(figure: Figure, width: float) -> Pixel | None:
    """Return a place at which a geofence contains a text, or None, as in a narrow, slanting polygon."""
    if not figure.rings:
        return figure.middle
    rings = [QPolygonF([QPointF(*at) for at in ring]) for ring in figure.rings]
    across, down = ((-0.5, -0.25, 0.0, 0.25, 0.5), (-0.5, 0.0, 0.5)) if figure.places else ((-0.5, 0.0, 0.5), (0.0,))

    def is_inside(x: float, y: float) -> bool:
        around = (ring.containsPoint(QPointF(x, y), Qt.FillRule.OddEvenFill) for ring in rings)
        return sum(around) % 2 == 1

    def contains_text(x: float, y: float) -> bool:
        return all(is_inside(x + right * width, y + below * HEIGHT_PX) for right in across for below in down)

    return next((place for place in figure.places or (figure.middle,) if contains_text(*place)), None)
