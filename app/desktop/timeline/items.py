"""Items drawn in the timeline: curves with their bands, presences and marks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsItem,
    QGraphicsSimpleTextItem,
    QStyleOptionGraphicsItem,
    QWidget,
)

from app.desktop.icons import mark_shape
from app.desktop.map.values import EventKind
from app.desktop.model.timeline.reduce import Columns, extremes, polyline, runs
from app.desktop.plotting import pyqtgraph as pg
from app.desktop.style import Colors
from engine.geo.earth import Floats

_BAND_ALPHA: Final = 38
_GROUND_ALPHA: Final = 190
_STYLES: Final = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
BAR_ALPHA: Final = 120


def line_style(number: int) -> Qt.PenStyle:
    """Return the style of one of several lines of the same colour."""
    return _STYLES[number % len(_STYLES)]


class Caption(QGraphicsSimpleTextItem):
    """A small text in the corner of a plot, drawn on top of it."""

    def __init__(self, text: str, plot: QGraphicsItem) -> None:
        super().__init__(text, plot)
        font = QFont(QApplication.font())
        font.setPointSizeF(max(font.pointSizeF() - 1.5, 6.5))
        self.setFont(font)
        self.setPos(4, 1)
        self.setZValue(20)
        self._ground = QColor()

    def set_colors(self, color: str, ground: str, alpha: int = _GROUND_ALPHA) -> None:
        """Set the colours of text and background, and the opacity of the background."""
        self.setBrush(QColor(color))
        self._ground = QColor(ground)
        self._ground.setAlpha(alpha)
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: Any = None) -> None:
        """Draw the background and the text."""
        painter.fillRect(self.boundingRect(), self._ground)
        super().paint(painter, option, widget)


class Band(pg.GraphicsObject):  # type: ignore[misc]
    """The area between two lines."""

    def __init__(self) -> None:
        super().__init__()
        self._paths: list[QPolygonF] = []
        self._box = QRectF()
        self._brush = QBrush()

    def set_color(self, color: str) -> None:
        """Set the colour of the fill, which is translucent."""
        made = QColor(color)
        made.setAlpha(_BAND_ALPHA)
        self._brush = QBrush(made)
        self.update()

    def set_edges(self, x: Floats, low: Floats, high: Floats) -> None:
        """Set the two lines to fill between, with gaps where a value is missing."""
        self.prepareGeometryChange()
        self._paths = [_polygon(x[part], low[part], high[part]) for part in runs(low)]
        self._box = QRectF()
        for path in self._paths:
            self._box = self._box.united(path.boundingRect())

    def boundingRect(self) -> QRectF:  # noqa: N802 (Qt's name)
        """Return the bounding box of the band."""
        return self._box

    def paint(self, painter: QPainter, _option: Any, _widget: QWidget | None = None) -> None:
        """Fill the band."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._brush)
        for path in self._paths:
            painter.drawPolygon(path)


def _polygon(x: Floats, low: Floats, high: Floats) -> QPolygonF:
    made: QPolygonF = pg.functions.arrayToQPolygonF(np.concatenate((x, x[::-1])), np.concatenate((high, low[::-1])))
    return made


class CurveItem:
    """The curve of one geofence, with its accuracy band, in a view."""

    def __init__(self, view: Any) -> None:
        self._view = view
        self.band = Band()
        self.line = pg.PlotCurveItem(connect="finite", skipFiniteCheck=False)
        view.addItem(self.band, ignoreBounds=True)
        view.addItem(self.line, ignoreBounds=True)
        self.least = self.greatest = float("nan")
        self._low = self._high = np.empty(0)

    def set_look(self, color: str, style: Qt.PenStyle, *, selected: bool) -> None:
        """Set the colour of the geofence's tag and the style of the line, which is stronger if selected."""
        pen = QPen(QColor(color), 3 if selected else 1)
        pen.setCosmetic(True)
        pen.setStyle(Qt.PenStyle.SolidLine if selected else style)
        self.line.setPen(pen)
        self.line.setZValue(3 if selected else 2)
        self.band.set_color(color)

    def measure(self, columns: Columns, distances: Floats) -> None:
        """Determine the least and the greatest visible distance."""
        self._low, self._high = extremes(columns, distances)
        known = ~np.isnan(self._low)
        self.least = float(self._low[known].min()) if known.any() else float("nan")
        self.greatest = float(self._high[known].max()) if known.any() else float("nan")

    def draw(self, columns: Columns, limits: tuple[float, float]) -> None:
        """Draw the curve, clipped to limits beyond which it is not visible."""
        x, y = polyline(columns, np.clip(self._low, *limits), np.clip(self._high, *limits))
        # Only curves with few points are antialiased. With many points each column has its own line anyway.
        self.line.setData(x, y, antialias=columns.whole)

    def draw_band(self, columns: Columns, distances: Floats, widest_m: Floats, limits: tuple[float, float]) -> None:
        """Draw the accuracy band in wider columns, as filling is slow and its edge is soft."""
        low, high = extremes(columns, distances)
        self.band.set_edges(columns.x, np.clip(low - widest_m, *limits), np.clip(high + widest_m, *limits))

    def remove(self) -> None:
        """Remove the curve from the view."""
        self._view.removeItem(self.band)
        self._view.removeItem(self.line)


class Lane(Struct, frozen=True):
    """Presences in one geofence as (start, end, start of the dwell), and the periods it was closed, in seconds."""

    color: str
    bars: tuple[tuple[float, float, float | None], ...]
    closed: tuple[tuple[float, float], ...]


class Lanes(pg.GraphicsObject):  # type: ignore[misc]
    """A row for each geofence, from top to bottom: a bar for each presence, hatched while the geofence is closed."""

    def __init__(self) -> None:
        super().__init__()
        self._lanes: Sequence[Lane] = ()
        self._end = 0.0
        self._hatch = QColor()

    def set_colors(self, colors: Colors) -> None:
        """Set the colour of the hatching."""
        self._hatch = QColor(colors.strong_border)
        self.update()

    def set_lanes(self, lanes: Sequence[Lane], end: float) -> None:
        """Show these rows until the given end."""
        self.prepareGeometryChange()
        self._lanes, self._end = lanes, end
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 (Qt's name)
        """Return the bounding box of all rows."""
        return QRectF(0.0, 0.0, max(self._end, 1e-9), max(len(self._lanes), 1))

    def paint(self, painter: QPainter, _option: Any, _widget: QWidget | None = None) -> None:
        """Draw the visible presences, with a minimum width for short ones."""
        view = self.viewRect()
        pixel = self.pixelWidth() or 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        for row, lane in enumerate(self._lanes):
            self._paint_closed(painter, lane, row, view)
            for begin, end, dwelled in lane.bars:
                if end >= view.left() and begin <= view.right():
                    left, right = max(begin, view.left()), min(max(end, begin + 2 * pixel), view.right())
                    _bar(painter, lane.color, BAR_ALPHA, row, left, right)
                    if dwelled is not None:
                        _bar(painter, lane.color, 255, row, max(dwelled, left), right)

    def _paint_closed(self, painter: QPainter, lane: Lane, row: int, view: QRectF) -> None:
        brush = QBrush(self._hatch, Qt.BrushStyle.BDiagPattern)
        # The pattern must keep its size at any zoom.
        inverted, possible = painter.transform().inverted()
        if possible:
            brush.setTransform(inverted)
        for begin, end in lane.closed:
            if end >= view.left() and begin <= view.right():
                left, right = max(begin, view.left()), min(end, view.right())
                painter.fillRect(QRectF(left, row + 0.08, right - left, 0.84), brush)


def _bar(painter: QPainter, color: str, alpha: int, row: int, left: float, right: float) -> None:
    made = QColor(color)
    made.setAlpha(alpha)
    if right > left:
        painter.fillRect(QRectF(left, row + 0.18, right - left, 0.64), made)


@lru_cache
def mark_symbol(kind: EventKind) -> QPainterPath:
    """Return the symbol of a kind of event for a scatter plot, the same as on the map."""
    _, corners = mark_shape(kind)
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(across * 0.45, down * 0.45) for across, down in corners]))
    path.closeSubpath()
    return path


def mark_color(kind: EventKind) -> str:
    """Return the colour for marks of a kind of event."""
    return mark_shape(kind)[0]
