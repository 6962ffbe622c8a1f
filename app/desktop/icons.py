"""Icons of one family (Phosphor), in the colours of the theme; and small pictures that are drawn here."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import qtawesome
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from app.desktop.map.values import Theme
from app.desktop.style import colors

_DOT = 12
_SCALE = 3


def icon(name: str, theme: Theme, *, color: str | None = None) -> QIcon:
    """Return an icon of the family, such as ``polygon``, in the theme's text colour or another one."""
    c = colors(theme)
    made: QIcon = qtawesome.icon(
        f"ph.{name}", color=color or c.muted, color_active=color or c.text, color_disabled=c.strong_border
    )
    return made


def application_icon() -> QIcon:
    """Return the program's own icon."""
    return QIcon(str(files("resources") / "icons" / "fencewright.svg"))


@lru_cache(maxsize=256)
def dot(color: str, *, filled: bool = True) -> QIcon:
    """Return the mark of a fence: a filled circle, or a ring where it is disabled."""
    pixmap = _canvas()
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(color), 1.8))
        painter.setBrush(QColor(color) if filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QRectF(1.9, 1.9, 8.2, 8.2))
    return _always(pixmap)


@lru_cache(maxsize=256)
def event_mark(color: str, *, entry: bool) -> QIcon:
    """Return the mark of an event: a triangle that points up for an entry and down for an exit."""
    pixmap = _canvas()
    points = [QPointF(6, 1.6), QPointF(11, 10.2), QPointF(1, 10.2)]
    if not entry:
        points = [QPointF(point.x(), _DOT - point.y()) for point in points]
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
        painter.drawPolygon(points)
    return _always(pixmap)


def _always(pixmap: QPixmap) -> QIcon:
    """Return an icon that keeps its colour in a selected row."""
    made = QIcon(pixmap)
    made.addPixmap(pixmap, QIcon.Mode.Selected)
    return made


def _canvas() -> QPixmap:
    pixmap = QPixmap(_DOT * _SCALE, _DOT * _SCALE)
    pixmap.setDevicePixelRatio(_SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap
