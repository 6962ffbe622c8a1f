"""Icons of one family (Phosphor) in the colours of the theme, and small pictures that are drawn here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import orjson
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPen, QPixmap

from app.desktop.map.values import EventKind, Theme
from app.desktop.style import colors

_DOT = 12
_SCALE = 3
_LETTER_SHARE: Final = 0.875
"""Share of an icon's height that its letter takes. The rest is for the margins that the font adds."""


@lru_cache(maxsize=512)
def icon(name: str, theme: Theme, *, color: str | None = None) -> QIcon:
    """Return an icon of the family, such as ``polygon``, in the theme's text colour or another one."""
    c = colors(theme)
    return QIcon(_Letter(_letters()[name], color or c.muted, active=color or c.text, disabled=c.strong_border))


class _Letter(QIconEngine):
    """A letter of the icon font. Its pictures are cached, one for each size and mode."""

    def __init__(self, letter: str, normal: str, *, active: str, disabled: str) -> None:
        super().__init__()
        self._letter = letter
        self._colors = {QIcon.Mode.Normal: normal, QIcon.Mode.Disabled: disabled}
        self._active = active
        self._pictures: dict[tuple[int, int, QIcon.Mode], QPixmap] = {}

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return a picture of the given size."""
        key = size.width(), size.height(), mode
        if key not in self._pictures:
            picture = self._pictures[key] = QPixmap(size)
            picture.fill(Qt.GlobalColor.transparent)
            with QPainter(picture) as painter:
                self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        return self._pictures[key]

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        """Paint the letter at the device's resolution."""
        font = QFont(_family())
        font.setPixelSize(round(_LETTER_SHARE * rect.height()))
        painter.save()
        painter.setPen(QColor(self._colors.get(mode, self._active)))
        painter.setFont(font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._letter)
        painter.restore()


def _font_file(pattern: str) -> Path:
    """Return a file of the icon fonts, without the slow import of their package."""
    found = find_spec("qtawesome")
    assert found is not None
    assert found.origin is not None
    return next((Path(found.origin).parent / "fonts").glob(pattern))


@cache
def _letters() -> Mapping[str, str]:
    """Return the letter of each icon by its name."""
    codes: dict[str, str] = orjson.loads(_font_file("phosphor-charmap-*.json").read_bytes())
    return {name: chr(int(code, 16)) for name, code in codes.items()}


@cache
def _family() -> str:
    """Load the font and return its family name."""
    return QFontDatabase.applicationFontFamilies(
        QFontDatabase.addApplicationFont(str(_font_file("phosphor-[0-9]*.ttf")))
    )[0]


def application_icon() -> QIcon:
    """Return the application's icon."""
    return QIcon(str(files("resources") / "icons" / "fencewright.svg"))


@lru_cache(maxsize=256)
def dot(color: str, *, filled: bool = True, locked: bool = False) -> QIcon:
    """Return the mark of a geofence: a filled circle, a ring if it is disabled, or a padlock if it is locked."""
    pixmap = _canvas()
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(color), 1.8))
        painter.setBrush(QColor(color) if filled else Qt.BrushStyle.NoBrush)
        if locked:
            painter.drawRoundedRect(QRectF(1.9, 5.4, 8.2, 5.4), 1.2, 1.2)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawArc(QRectF(3.4, 1.4, 5.2, 7.0), 0, 180 * 16)
        else:
            painter.drawEllipse(QRectF(1.9, 1.9, 8.2, 8.2))
    return _always(pixmap)


_ARM = 0.42
_MARKS: Mapping[EventKind, tuple[str, tuple[tuple[float, float], ...]]] = {
    "entry": ("#009e73", ((0, -1.15), (1, 0.75), (-1, 0.75))),
    "exit": ("#d55e00", ((0, 1.15), (1, -0.75), (-1, -0.75))),
    "dwell": ("#0072b2", ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85))),
    "other": ("#8a5a9e", ((0, -1.2), (1, 0), (0, 1.2), (-1, 0))),
    "gained": (
        "#009e73",
        (
            *((-0.3, -1), (0.3, -1), (0.3, -0.3), (1, -0.3), (1, 0.3), (0.3, 0.3)),
            *((0.3, 1), (-0.3, 1), (-0.3, 0.3), (-1, 0.3), (-1, -0.3), (-0.3, -0.3)),
        ),
    ),
    "lost": ("#d55e00", ((-1, -0.3), (1, -0.3), (1, 0.3), (-1, 0.3))),
    "moved": ("#0072b2", ((-1, -0.3), (0.1, -0.3), (0.1, -0.9), (1, 0), (0.1, 0.9), (0.1, 0.3), (-1, 0.3))),
    "fraud": (
        "#c42b1c",
        (
            *((-1, _ARM - 1), (_ARM - 1, -1), (0, -_ARM), (1 - _ARM, -1), (1, _ARM - 1), (_ARM, 0)),
            *((1, 1 - _ARM), (1 - _ARM, 1), (0, _ARM), (_ARM - 1, 1), (-1, 1 - _ARM), (-_ARM, 0)),
        ),
    ),
}
"""The colour of each kind of event and the vertices of its mark, as on the map."""


def mark_shape(kind: EventKind) -> tuple[str, tuple[tuple[float, float], ...]]:
    """Return the colour and the vertices of an event's mark, as x and y from its centre."""
    return _MARKS[kind]


@lru_cache
def event_mark(kind: EventKind) -> QIcon:
    """Return the mark of an event: up for an entry, down for an exit, a square for a dwell, a cross for fraud."""
    pixmap = _canvas()
    color, corners = mark_shape(kind)
    middle, size = _DOT / 2, _DOT / 2 - 1
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
        painter.drawPolygon([QPointF(middle + across * size, middle + down * size) for across, down in corners])
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
