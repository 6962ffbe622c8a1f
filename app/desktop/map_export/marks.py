"""Drawing of the exported map's contents, with the same look as on the screen."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from app.desktop.icons import mark_shape
from app.desktop.map.values import EventKind, Theme
from app.desktop.map_export.content import Content, Figure
from app.desktop.map_export.frame import Frame, Pixel
from app.desktop.map_export.legend import Entry, Symbol
from app.desktop.map_export.names import HEIGHT_PX, placed_names
from app.desktop.style import colors
from engine.domain.ports import Progress

_DOT: Final = 3.5
_DEVICE_NAMES_UP_TO: Final = 20
_REPORT_EVERY: Final = 100
_DASH: Final = (4.0, 3.0)
_WAY_DASH: Final = (0.6, 2.0)
_DEVICE: Final = "#0072b2"
_TRACK: Final[dict[Theme, str]] = {"light": "#46566b", "dark": "#a9bbcf"}
_HEAT: Final = {0.0: "#2b83ba", 0.4: "#5ec962", 0.7: "#fdc83c", 1.0: "#d7261e"}
_BEACON: Final[dict[Theme, str]] = {"light": "#5b3cc4", "dark": "#8c72f0"}


def font(size_px: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the window's font in a size of the sheet."""
    made = QFont(QGuiApplication.font())
    made.setPixelSize(size_px)
    made.setWeight(weight)
    return made


class MapPainter:
    """Paints the content of a frame, with its upper left corner at the painter's origin."""

    def __init__(self, painter: QPainter, theme: Theme, frame: Frame) -> None:
        self._painter, self._theme, self._frame = painter, theme, frame
        ink = colors(theme)
        self._text, self._halo, self._muted = QColor(ink.text), QColor(ink.panel), QColor(ink.faint)

    def paint(self, content: Content, progress: Progress, *, with_names: bool) -> None:
        """Paint the geofences, largest first, their names, and the contents above them."""
        total = len(content.figures)
        for at, figure in enumerate(content.figures):
            if at % _REPORT_EVERY == 0:
                progress(total + at, 2 * total)
            self._paint_figure(figure)
        if with_names:
            self._paint_names(content)
        self._paint_track(content)
        self._paint_way(content)
        for place, enabled in content.beacons:
            self._disc(place, 6.0, QColor(_BEACON[self._theme]) if enabled else self._muted)
        for place, kind in content.events:
            paint_event(self._painter, QPointF(*place), kind, 7.0)
        self._paint_devices(content)

    def _paint_figure(self, figure: Figure) -> None:
        painter, fence = self._painter, figure.fence
        color = QColor(fence.color)
        if figure.dot:
            self._disc(
                figure.middle, _DOT, color if fence.enabled else self._halo, self._halo if fence.enabled else color
            )
            return
        fill = QColor(color)
        fill.setAlphaF(0.2 if fence.enabled else 0.07)
        edge = QColor(color)
        edge.setAlphaF(1.0 if fence.enabled else 0.65)
        pen = _round(edge, 2.0 if fence.enabled else 1.5)
        if fence.closed:
            pen.setDashPattern(_DASH)
        painter.setPen(pen)
        painter.setBrush(fill)
        if figure.rings:
            # By the odd-even rule, so that holes stay empty.
            path = QPainterPath()
            for ring in figure.rings:
                path.addPolygon(QPolygonF([QPointF(x, y) for x, y in ring]))
                path.closeSubpath()
            painter.drawPath(path)
        else:
            left, top, right, bottom = figure.box
            painter.drawEllipse(QRectF(left, top, right - left, bottom - top))
        self._hatch(figure, color)

    def _hatch(self, figure: Figure, color: QColor) -> None:
        if figure.hatch:
            faded = QColor(color)
            faded.setAlphaF(0.55)
            self._painter.setPen(QPen(faded, 1.25))
            path = QPainterPath()
            for start, end in figure.hatch:
                path.moveTo(*start)
                path.lineTo(*end)
            self._painter.setBrush(Qt.BrushStyle.NoBrush)
            self._painter.drawPath(path)

    def _paint_names(self, content: Content) -> None:
        letters = font(12, QFont.Weight.DemiBold)
        metrics = QFontMetricsF(letters)
        for name in placed_names(content.figures, metrics.horizontalAdvance):
            x, y = name.middle
            width = metrics.horizontalAdvance(name.fence.label)
            self._words(QPointF(x - width / 2, y + metrics.ascent() / 2 - 2), name.fence.label, letters)
            if name.fence.locked:
                self._paint_lock(x, y - HEIGHT_PX)

    def _paint_lock(self, x: float, y: float) -> None:
        for color, width in ((self._halo, 4.0), (self._text, 1.5)):
            paint_lock(self._painter, QPointF(x, y), _round(color, width))

    def _words(self, at: QPointF, text: str, letters: QFont) -> None:
        """Write a text with a halo; it remains a text in formats that support texts."""
        outline = QPainterPath()
        outline.addText(at, letters, text)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(_round(self._halo, 3.0))
        self._painter.drawPath(outline)
        self._painter.setPen(self._text)
        self._painter.setFont(letters)
        self._painter.drawText(at, text)

    def _paint_track(self, content: Content) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for line in content.track:
            points = QPolygonF([QPointF(x, y) for x, y in line])
            for color, width in ((self._halo, 5.0), (QColor(_TRACK[self._theme]), 2.5)):
                self._painter.setPen(_round(color, width))
                self._painter.drawPolyline(points)

    def _paint_way(self, content: Content) -> None:
        """Paint the route of a trip as on the screen: dashed, with a ring at its destination."""
        accent = QColor(colors(self._theme).accent)
        for line in content.way:
            points = QPolygonF([QPointF(x, y) for x, y in line])
            for color, width, dashes in ((self._halo, 7.0, None), (accent, 3.5, _WAY_DASH)):
                pen = _round(color, width)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                if dashes is not None:
                    pen.setDashPattern(dashes)
                self._painter.setBrush(Qt.BrushStyle.NoBrush)
                self._painter.setPen(pen)
                self._painter.drawPolyline(points)
        for end in content.destinations:
            self._disc(end, 7.0, self._halo, accent, 3.0)

    def _paint_devices(self, content: Content) -> None:
        letters = font(11, QFont.Weight.DemiBold)
        height = QFontMetricsF(letters).ascent()
        for _, (left, top, right, bottom), _ in content.devices:
            around = QColor("#56b4e9")
            around.setAlphaF(0.16)
            self._painter.setBrush(around)
            self._painter.setPen(QPen(QColor(_DEVICE), 1.25))
            if right - left < 4 * self._frame.width:
                self._painter.drawEllipse(QRectF(left, top, right - left, bottom - top))
        for at, _, name in content.devices:
            self._disc(at, 7.0, QColor(_DEVICE), QColor("#ffffff"), 3.0)
            if len(content.devices) <= _DEVICE_NAMES_UP_TO:
                self._words(QPointF(at[0] + 13, at[1] + height / 2 - 1), name, letters)

    def _disc(self, at: Pixel, radius: float, color: QColor, edge: QColor | None = None, width: float = 1.25) -> None:
        self._painter.setPen(QPen(edge or self._halo, width))
        self._painter.setBrush(color)
        self._painter.drawEllipse(QPointF(*at), radius, radius)


def _round(color: QColor, width: float) -> QPen:
    """Return a pen with rounded corners."""
    pen = QPen(color, width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def paint_event(painter: QPainter, middle: QPointF, kind: EventKind, size: float) -> None:
    """Paint the mark of an event."""
    color, corners = mark_shape(kind)
    points = QPolygonF([QPointF(middle.x() + across * size, middle.y() + down * size) for across, down in corners])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_round(QColor("#ffffff"), size / 2))
    painter.drawPolygon(points)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawPolygon(points)


def paint_lock(painter: QPainter, middle: QPointF, pen: QPen) -> None:
    """Paint a padlock."""
    x, y = middle.x(), middle.y()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawRect(QRectF(x - 4.5, y - 1.0, 9.0, 6.5))
    painter.drawArc(QRectF(x - 3.0, y - 4.0, 6.0, 6.0), 0, 180 * 16)


def paint_symbol(painter: QPainter, middle: QPointF, entry: Entry, theme: Theme) -> None:
    """Paint the symbol of a legend entry."""
    ink = colors(theme)
    box = QRectF(middle.x() - 7, middle.y() - 5, 14, 10)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    match entry.symbol:
        case Symbol.TAG:
            fill = QColor(entry.color)
            fill.setAlphaF(0.25)
            painter.setBrush(fill)
            painter.setPen(QPen(QColor(entry.color), 2))
            painter.drawRect(box)
        case Symbol.DISABLED:
            painter.setPen(QPen(QColor(ink.muted), 1.25))
            painter.drawRect(box)
            for x in (box.left(), box.left() + 7):
                painter.drawLine(QPointF(x, box.bottom()), QPointF(x + 7, box.top()))
        case Symbol.CLOSED:
            pen = QPen(QColor(ink.muted), 2)
            pen.setDashPattern((2.0, 1.5))
            painter.setPen(pen)
            painter.drawRect(box)
        case Symbol.TRACK:
            painter.setPen(QPen(QColor(_TRACK[theme]), 2.5))
            painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()))
        case Symbol.WAY:
            pen = QPen(QColor(ink.accent), 3)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setDashPattern(_WAY_DASH)
            painter.setPen(pen)
            painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()))
        case Symbol.LOCK:
            paint_lock(painter, QPointF(middle.x(), middle.y() - 1.0), QPen(QColor(ink.text), 1.5))
        case Symbol.HEAT:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_heat_ramp(box))
            painter.drawRect(box)
        case Symbol.DEVICE | Symbol.BEACON:
            painter.setPen(QPen(QColor("#ffffff"), 2))
            painter.setBrush(QColor(_DEVICE if entry.symbol is Symbol.DEVICE else _BEACON[theme]))
            painter.drawEllipse(middle, 6, 6)
        case Symbol.EVENT:
            paint_event(painter, middle, entry.kind, 5.0)
        case Symbol.NONE:
            pass


def _heat_ramp(box: QRectF) -> QBrush:
    """Return the colours of the heat map, from low to high."""
    ramp = QLinearGradient(box.topLeft(), box.topRight())
    for at, color in _HEAT.items():
        ramp.setColorAt(at, QColor(color))
    return QBrush(ramp)
