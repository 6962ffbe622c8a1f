"""The sheet of an exported map, from top to bottom: the title, the map, the legend and the attributions."""

from __future__ import annotations

from math import ceil
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.map_export.content import Content
from app.desktop.map_export.frame import Frame, length_text, nice_length, ratio_text
from app.desktop.map_export.legend import Entry, entries_of, heading_of, rows_of
from app.desktop.map_export.marks import MapPainter, font, paint_symbol
from app.desktop.style import Colors, colors
from engine.domain.ports import Progress

MARGIN: Final = 16.0
_TITLE: Final = 34.0
_ROW: Final = 22.0
_SYMBOL: Final = 22.0
_APART: Final = 20.0
_SCALE_PX: Final = 120.0
_SIDE: Final = 10.0


class SheetContent(Struct, frozen=True):
    """The contents of a sheet."""

    title: str
    ground: QImage
    frame: Frame
    content: Content
    tag_colors: dict[str, str]
    attribution: str
    date: str
    theme: Theme
    with_legend: bool = True
    with_names: bool = True
    with_scale: bool = True
    with_north: bool = True
    ratio: int | None = None


class Sheet:
    """Lays out and paints a sheet, in pixels of the map, with any painter. Texts and geofences are vectors."""

    def __init__(self, parts: SheetContent) -> None:
        self._parts = parts
        self._colors: Colors = colors(parts.theme)
        self._width = float(parts.frame.width)
        self._entries: list[Entry] = entries_of(parts.content, parts.tag_colors) if parts.with_legend else []
        metrics = QFontMetricsF(font(12))
        widths = [_SYMBOL + metrics.horizontalAdvance(entry.text) + _APART for entry in self._entries]
        self._widths = [min(width, self._width) for width in widths]
        self._rows = rows_of(self._widths, self._width)
        self._top = MARGIN + (_TITLE if parts.title else 0.0)
        self._below = self._top + parts.frame.height
        rows = (1 + len(self._rows)) * _ROW + 8.0 if parts.with_legend else 0.0
        self._foot = self._below + 8.0 + rows
        self._foot_height = self._foot_box(0.0).height()

    @property
    def shows_users(self) -> bool:
        """Whether the sheet shows positions of users."""
        content = self._parts.content
        return bool(content.devices or content.events or content.track or content.way or content.has_heat)

    @property
    def pixel_mm(self) -> float:
        """The size of a map pixel on paper at the chosen scale, or 0 without a scale."""
        ratio = self._parts.ratio
        return 0.0 if ratio is None else self._parts.frame.metres_per_pixel() * 1_000.0 / ratio

    @property
    def size(self) -> QSizeF:
        """The size of the whole sheet."""
        return QSizeF(self._width + 2 * MARGIN, ceil(self._foot + self._foot_height + MARGIN))

    def paint(self, painter: QPainter, progress: Progress) -> None:
        """Paint the sheet at the painter's origin; `progress` may raise to cancel it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        frame = QRectF(MARGIN, self._top, self._width, self._parts.frame.height)
        painter.fillRect(QRectF(QPointF(), self.size), QColor(self._colors.panel))
        painter.drawImage(frame, self._parts.ground)
        painter.save()
        painter.translate(frame.topLeft())
        MapPainter(painter, self._parts.theme, self._parts.frame).paint(
            self._parts.content, progress, with_names=self._parts.with_names
        )
        painter.restore()
        self._cover(painter, frame)
        if self._parts.with_scale:
            self._paint_scale(painter, frame)
        if self._parts.with_north:
            _paint_north(painter, frame, self._colors)
        self._paint_words(painter, frame)

    def _cover(self, painter: QPainter, frame: QRectF) -> None:
        """Cover shapes that extend beyond the frame, since not every format supports clipping."""
        size, paper = self.size, QColor(self._colors.panel)
        for around in (
            QRectF(0, 0, size.width(), frame.top()),
            QRectF(0, frame.bottom(), size.width(), size.height() - frame.bottom()),
            QRectF(0, frame.top(), frame.left(), frame.height()),
            QRectF(frame.right(), frame.top(), size.width() - frame.right(), frame.height()),
        ):
            painter.fillRect(around, paper)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._colors.strong_border), 1))
        painter.drawRect(frame)

    def _paint_scale(self, painter: QPainter, frame: QRectF) -> None:
        per_pixel = self._parts.frame.metres_per_pixel()
        metres = nice_length(_SCALE_PX * per_pixel)
        length = metres / per_pixel
        box = QRectF(frame.left() + 8, frame.bottom() - 38, length + 2 * _SIDE, 30)
        _paint_plate(painter, box, self._colors)
        left, right, low = box.left() + _SIDE, box.right() - _SIDE, box.bottom() - 7
        painter.setPen(QPen(QColor(self._colors.text), 1.5))
        painter.drawPolyline(
            QPolygonF([QPointF(left, low - 5), QPointF(left, low), QPointF(right, low), QPointF(right, low - 5)])
        )
        painter.setFont(font(11))
        painter.drawText(box.adjusted(0, 3, 0, -11), Qt.AlignmentFlag.AlignCenter, length_text(metres))

    def _paint_words(self, painter: QPainter, frame: QRectF) -> None:
        parts = self._parts
        if parts.title:
            painter.setPen(QColor(self._colors.text))
            painter.setFont(font(18, QFont.Weight.DemiBold))
            shown = painter.fontMetrics().elidedText(parts.title, Qt.TextElideMode.ElideRight, int(self._width))
            box = QRectF(frame.left(), MARGIN - 4, self._width, _TITLE)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        if parts.with_legend:
            self._paint_legend(painter, frame)
        painter.setPen(QColor(self._colors.muted))
        painter.setFont(font(11))
        painter.drawText(self._foot_box(self._foot), _FOOT, self._foot_text())

    def _paint_legend(self, painter: QPainter, frame: QRectF) -> None:
        y = self._below + 8.0
        painter.setPen(QColor(self._colors.text))
        painter.setFont(font(12, QFont.Weight.DemiBold))
        middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(frame.left(), y, self._width, _ROW), middle, heading_of(self._parts.content))
        for row in self._rows:
            y += _ROW
            x = frame.left()
            for at in row:
                entry = self._entries[at]
                paint_symbol(painter, QPointF(x + 8, y + _ROW / 2), entry, self._parts.theme)
                painter.setPen(QColor(self._colors.text))
                painter.setFont(font(12))
                room = self._widths[at] - _SYMBOL
                shown = painter.fontMetrics().elidedText(entry.text, Qt.TextElideMode.ElideRight, int(room))
                painter.drawText(QRectF(x + _SYMBOL, y, room, _ROW), middle, shown)
                x += self._widths[at]

    def _foot_text(self) -> str:
        ratio = self._parts.ratio
        scale = "" if ratio is None else tr("Scale {scale}", scale=ratio_text(ratio))
        return " · ".join(
            filter(None, (scale, self._parts.attribution, tr("Fencewright, {date}", date=self._parts.date)))
        )

    def _foot_box(self, top: float) -> QRectF:
        room = QRectF(MARGIN, top, self._width, 1_000.0)
        needed = QFontMetricsF(font(11)).boundingRect(room, _FOOT, self._foot_text())
        return QRectF(MARGIN, top, self._width, needed.height() + 2.0)


_FOOT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


def _paint_plate(painter: QPainter, box: QRectF, ink: Colors) -> None:
    """Paint the background of an element on the map."""
    painter.setPen(QPen(QColor(ink.border), 1))
    painter.setBrush(QColor(ink.panel))
    painter.drawRoundedRect(box, 4, 4)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_north(painter: QPainter, frame: QRectF, ink: Colors) -> None:
    box = QRectF(frame.right() - 38, frame.top() + 8, 30, 44)
    _paint_plate(painter, box, ink)
    x, top, low = box.center().x(), box.top() + 6, box.top() + 26
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ink.text))
    painter.drawPolygon(QPolygonF([QPointF(x, top), QPointF(x + 7, low), QPointF(x, low - 5), QPointF(x - 7, low)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(ink.text))
    painter.setFont(font(11, QFont.Weight.DemiBold))
    painter.drawText(QRectF(box.left(), low, box.width(), 18), Qt.AlignmentFlag.AlignCenter, "N")
