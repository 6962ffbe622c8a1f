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
    x, y = figure.middle
    fits = width <= right - left and _is_around(figure, width)
    if not fits and _size(figure) > _SMALL:
        return None
    lock = HEIGHT_PX if figure.fence.locked else 0.0
    if not fits:
        y = bottom + HEIGHT_PX / 2 + _GAP + lock
    half = HEIGHT_PX / 2
    return Name(figure.fence, (x, y), (x - width / 2, y - half - lock, x + width / 2, y + half))


def _size(figure: Figure) -> float:
    left, top, right, bottom = figure.box
    return max(right - left, bottom - top)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _is_around(figure: Figure, width: float) -> bool:
    """Return whether a geofence contains a text at its centre, unlike a narrow, slanting polygon."""
    x, y = figure.middle
    rings = [QPolygonF([QPointF(*at) for at in ring]) for ring in figure.rings]
    places = [QPointF(x + share * width, y) for share in (-0.5, 0.0, 0.5)]
    return not rings or all(any(ring.containsPoint(at, Qt.FillRule.OddEvenFill) for ring in rings) for at in places)
