"""Composition of the sheet from the ground and the map's contents; on paper also at a scale, cropped to the page."""

from __future__ import annotations

import math
from typing import Final

from msgspec import Struct
from PySide6.QtGui import QPageLayout

from app.desktop.language import tr
from app.desktop.map.still import Ground, View
from app.desktop.map.values import Position
from app.desktop.map_export.content import Snapshot, content_of
from app.desktop.map_export.frame import Frame, metres_per_pixel, ratio_text
from app.desktop.map_export.options import MapExportOptions
from app.desktop.map_export.sheet import MARGIN, Sheet, SheetContent
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress
from engine.domain.values import replace

_LEAST_WIDTH_PX: Final = 700
"""Minimum width of a page in pixels of the map, at which texts are legible. It may be up to twice as wide."""

_ZOOMS: Final = range(2, 21)
_AROUND_PX: Final = 100.0
"""Minimum height of the title, the credits and the margins of a page."""

_LEAST_HEIGHT_PX: Final = 160


class Room(Struct, frozen=True):
    """The space available on a page, in millimetres."""

    width_mm: float
    height_mm: float

    @classmethod
    def of(cls, page: QPageLayout) -> Room:
        """Return the room within the margins of a page."""
        inner = page.paintRect(QPageLayout.Unit.Millimeter)
        return cls(inner.width(), inner.height())


def view_at_ratio(center: Position, ratio: int, room: Room) -> View:
    """Return the section of a map at a scale on a page, before the height of its legend is known."""
    sizes = [(zoom, metres_per_pixel(center[1], zoom) * 1_000.0 / ratio) for zoom in _ZOOMS]
    zoom, pixel_mm = next((each for each in sizes if room.width_mm / each[1] >= _LEAST_WIDTH_PX), sizes[-1])
    width = math.floor(room.width_mm / pixel_mm - 2 * MARGIN)
    height = math.floor(room.height_mm / pixel_mm - _AROUND_PX)
    if width < _LEAST_HEIGHT_PX or height < _LEAST_HEIGHT_PX:
        shown = ratio_text(ratio)
        raise InvalidParameter(
            "output", tr("The map cannot be drawn at {scale} here. Choose a smaller scale.", scale=shown)
        )
    return View(center, float(zoom), (width, height))


def compose(
    ground: Ground, snapshot: Snapshot, options: MapExportOptions, date: str, room: Room | None, progress: Progress
) -> Sheet:
    """Return the sheet, cropped to the room if it has a scale.

    Raises `InvalidParameter` for ``output`` if the legend leaves no room for the map.
    """
    frame = Frame(ground.corner, ground.zoom, *ground.size)
    ratio = options.ratio if room is not None else None
    parts = SheetContent(
        options.title, ground.image, frame, content_of(snapshot, frame, progress), snapshot.tag_colors,
        ground.attribution, date, options.theme, options.with_legend, options.with_names, options.with_scale,
        options.with_north, ratio,
    )  # fmt: skip
    sheet = Sheet(parts)
    if room is None or ratio is None:
        return sheet
    return _cut(sheet, parts, snapshot, room.height_mm / sheet.pixel_mm, progress)


def _cut(sheet: Sheet, parts: SheetContent, snapshot: Snapshot, room_px: float, progress: Progress) -> Sheet:
    """Return the sheet with the map cropped above and below if it is too high for the page."""
    excess = math.ceil(sheet.size.height() - room_px)
    if excess <= 0:
        return sheet
    frame = parts.frame
    # Crop the same amount on both sides: half a pixel off the middle changes the scale, and at 1:5,000,000 the map's
    # width.
    rows = math.ceil(excess / 2)
    if frame.height - 2 * rows < _LEAST_HEIGHT_PX:
        raise InvalidParameter(
            "output", tr("The legend leaves no room for the map on this paper. Leave it out, or choose a larger paper.")
        )
    scale = parts.ground.width() / frame.width
    less = frame.cropped(rows, rows)
    ground = parts.ground.copy(0, round(rows * scale), parts.ground.width(), round(less.height * scale))
    return Sheet(replace(parts, ground=ground, frame=less, content=content_of(snapshot, less, progress)))
