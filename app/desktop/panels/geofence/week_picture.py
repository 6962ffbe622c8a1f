"""The picture of a week: the geometry of its days and minutes, and the painting."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.desktop.language import translated
from app.desktop.model.hours.placing import DAY_MIN, Placed
from engine.domain.hours import DAYS

_ROW_PX: Final = 22
_HEAD_PX: Final = 16
_DAYS_PX: Final = 34
_RIGHT_PX: Final = 12
_HOURS: Final = (0, 6, 12, 18, 24)

HEIGHT_PX: Final = _HEAD_PX + 7 * _ROW_PX + 2
"""Height of seven rows below the line of hours."""


class WeekPicture:
    """Seven days below each other, in the width and the colours of a widget."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget

    # Geometry

    def point_of(self, day: int, minute: int) -> QPoint:
        """Return the point of a minute of a day."""
        return QPoint(round(self._x(minute)), _HEAD_PX + day * _ROW_PX + _ROW_PX // 2)

    def boxes(self, span: Placed) -> list[QRectF]:
        """Return the rectangles of a span: one on its day, and one on the next if it extends past midnight."""
        return [
            QRectF(self._x(begin), _HEAD_PX + day * _ROW_PX + 3, max(self._x(end) - self._x(begin) - 1, 2), _ROW_PX - 6)
            for day, begin, end in span.parts
        ]

    def day_at(self, at: QPointF) -> int:
        """Return the day of the row at a point, outside 0 to 6 if the point is above or below the week."""
        return int((at.y() - _HEAD_PX) // _ROW_PX)

    def minute_at(self, at: QPointF) -> float:
        """Return the minute at a point, outside the day if the point is left or right of it."""
        return (at.x() - _DAYS_PX) * DAY_MIN / max(self._widget.width() - _DAYS_PX - _RIGHT_PX, 1)

    def _x(self, minute: float) -> float:
        return _DAYS_PX + minute * (self._widget.width() - _DAYS_PX - _RIGHT_PX) / DAY_MIN

    # Painting

    def paint_days(self, painter: QPainter) -> None:
        """Paint the empty days, the lines of hours, and the frame if the widget has the keyboard focus."""
        palette, roles = self._widget.palette(), QPalette.ColorRole
        ink, line = palette.color(roles.WindowText), palette.color(roles.Mid)
        painter.setPen(ink)
        for hour in _HOURS:
            box = QRectF(self._x(hour * 60) - 12, 0, 24, _HEAD_PX - 2)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{hour}")
        for day, name in enumerate(DAYS):
            top = _HEAD_PX + day * _ROW_PX
            painter.setPen(ink)
            painter.drawText(QRectF(0, top, _DAYS_PX - 4, _ROW_PX), Qt.AlignmentFlag.AlignVCenter, translated(name))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.color(roles.Base))
            painter.drawRect(QRectF(self._x(0), top + 1, self._x(DAY_MIN) - self._x(0), _ROW_PX - 2))
        painter.setPen(QPen(line, 1))
        for hour in range(0, 25, 3):
            x = round(self._x(hour * 60)) + 0.5
            painter.drawLine(QPointF(x, _HEAD_PX + 1), QPointF(x, _HEAD_PX + 7 * _ROW_PX - 1))
        if self._widget.hasFocus():
            painter.setPen(QPen(palette.color(roles.Highlight), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self._widget.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def paint_span(self, painter: QPainter, span: Placed, *, is_held: bool) -> None:
        """Paint a span, with its times if there is room and with an edge if it is held."""
        palette, roles = self._widget.palette(), QPalette.ColorRole
        painter.setBrush(palette.color(roles.Highlight))
        for box in self.boxes(span):
            painter.setPen(QPen(palette.color(roles.WindowText), 2) if is_held else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(box, 2, 2)
            text = str(span.span)
            if painter.fontMetrics().horizontalAdvance(text) + 6 <= box.width():
                painter.setPen(palette.color(roles.HighlightedText))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def paint_minute(self, painter: QPainter, day: int, minute: int) -> None:
        """Mark a minute of a day."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._widget.palette().color(QPalette.ColorRole.WindowText))
        painter.drawRect(QRectF(self._x(minute) - 1, _HEAD_PX + day * _ROW_PX, 2, _ROW_PX))
