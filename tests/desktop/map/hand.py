"""Real mouse and key events on the widget that receives them, aimed by longitude and latitude."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.map import MapView, Position
from tests.desktop.waiting import let_work

LEFT = Qt.MouseButton.LeftButton
_METRES_PER_DEGREE = 111_195.0
_FOLLOWED_MS = 30


class Hand:
    """Moves, clicks and drags. Positions are (longitude, latitude) unless they are points of the widget."""

    def __init__(self, qtbot: QtBot, view: MapView) -> None:
        self._qtbot = qtbot
        self._view = view

    def at(self, place: Position | QPoint) -> QPoint:
        """Return the position of a place on the widget, after the page has processed all previous requests."""
        if isinstance(place, QPoint):
            return place
        found: list[QPoint] = []
        self._view.to_widget_position(*place, found.append)
        self._qtbot.waitUntil(lambda: bool(found))
        return found[0]

    def move(self, place: Position | QPoint) -> None:
        """Move the mouse without a button."""
        QTest.mouseMove(self._target(), self.at(place))

    def click(self, place: Position | QPoint) -> None:
        """Move the mouse to a place and click."""
        point = self.at(place)
        QTest.mouseMove(self._target(), point)
        QTest.mouseClick(self._target(), LEFT, Qt.KeyboardModifier.NoModifier, point)

    def put_vertex(self, place: Position | QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Move, press and release with keys held down, slowly enough for the snapping to follow the mouse."""
        at, target = QPointF(self.at(place)), self._target()
        none = Qt.MouseButton.NoButton
        for kind, button, down in (
            (QEvent.Type.MouseMove, none, none),
            (QEvent.Type.MouseButtonPress, LEFT, LEFT),
            (QEvent.Type.MouseButtonRelease, LEFT, none),
        ):
            QApplication.sendEvent(target, QMouseEvent(kind, at, target.mapToGlobal(at), button, down, keys))
            let_work(_FOLLOWED_MS)

    def drag(self, start: Position | QPoint, end: Position | QPoint) -> None:
        """Press at the start, move to the end in a few steps, and release."""
        first, last = self.at(start), self.at(end)
        target = self._target()
        QTest.mouseMove(target, first)
        QTest.mousePress(target, LEFT, Qt.KeyboardModifier.NoModifier, first)
        for step in range(1, 6):
            QTest.mouseMove(target, first + (last - first) * step / 5)
        QTest.mouseRelease(target, LEFT, Qt.KeyboardModifier.NoModifier, last)

    def press(self, key: Qt.Key) -> None:
        """Press and release a key while the map has the focus."""
        self._target().setFocus()
        QTest.keyClick(self._target(), key)

    def settle(self) -> None:
        """Wait until everything is drawn."""
        settled: list[bool] = []
        self._view.when_settled(lambda: settled.append(True))
        self._qtbot.waitUntil(lambda: bool(settled))

    def color_at(self, place: Position | QPoint) -> QColor:
        """Return the current colour at a place."""
        point = self.at(place)
        self.settle()
        return self._view.grab().toImage().pixelColor(point)

    def picture(self) -> QImage:
        """Return the picture once everything is drawn, without the last line, in which the page marks its frames."""
        self.settle()
        image = self._view.grab().toImage()
        return image.copy(0, 0, image.width(), image.height() - 1)

    def _target(self) -> QWidget:
        widget = self._view.render_widget()
        assert widget is not None
        return widget


def metres_between(a: Position, b: Position) -> float:
    """Return the distance between two nearby positions, accurate enough to compare with a mouse."""
    middle = math.radians((a[1] + b[1]) / 2)
    return math.hypot((b[0] - a[0]) * math.cos(middle), b[1] - a[1]) * _METRES_PER_DEGREE


def metres_per_pixel(view: MapView) -> float:
    """Return the size of a pixel in the middle of the view, in metres on the ground."""
    latitude = math.radians(view.center()[1])
    return math.cos(latitude) * _METRES_PER_DEGREE * 360 / (256 * 2 ** view.zoom())
