"""A user of the window, who clicks, types and waits."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QMessageBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.desktop.map.values import Position
from app.desktop.model.editing.changes import FenceEditor, Outcome
from app.desktop.session import Session
from app.desktop.window.main_window import MainWindow
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.engine import Engine
from tests.desktop.map.hand import Hand

LEFT = Qt.MouseButton.LeftButton
_MARK = re.compile(r"(?<!&)&(?!&)")
NO_KEYS = Qt.KeyboardModifier.NoModifier
CENTRE: Position = (14.5, 46.05)
EDGE: Position = (14.502, 46.05)
CORNERS: tuple[Position, ...] = ((14.496, 46.048), (14.504, 46.048), (14.504, 46.052))


def unmarked(text: str) -> str:
    """Return the text of an entry without the mark of its letter. "&&" remains an ampersand."""
    return _MARK.sub("", text)


class User:
    """A user's actions, as real events, and the resulting state of the engine."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot = qtbot
        self.window = window
        self.hand = Hand(qtbot, window.map)

    @property
    def session(self) -> Session:
        """The open session."""
        assert self.window.model.session is not None
        return self.window.model.session

    @property
    def engine(self) -> Engine:
        """The engine of the open workspace."""
        return self.session.engine

    def stored(self, environment: Environment = Environment.TEST) -> list[Geofence]:
        """Return the geofences in the engine, by external ID."""
        return sorted(self.engine.geofences.all(environment), key=lambda fence: fence.external_id)

    def only(self) -> Geofence:
        """Return the only geofence in the engine."""
        (fence,) = self.stored()
        return fence

    def given(self, number: int = 1, tag: str = "store", longitude: float = 14.5, radius_m: float = 120.0) -> Geofence:
        """Create a geofence outside the window, and return it once the window shows it."""
        fence = self.engine.geofences.create(
            self.window.model.environment,
            GeofenceChange(
                tag=tag,
                external_id=str(number),
                description=f"{tag.capitalize()} {number}",
                type="circle",
                coordinates=(longitude, 46.05),
                size=radius_m,
            ),
        )
        self.until(lambda: self.window.model.fences.get(fence.id) is not None)
        return fence

    def select(self, fence: Geofence) -> None:
        """Scroll to a geofence in the list and click it."""
        view, index = self.window.list.view, self.window.list.model.index_of(fence.id)
        view.scrollTo(index)
        rect = view.visualRect(index)
        self.click_in(view, rect.center())
        assert self.window.model.selection.fence_id == fence.id

    def click(self, widget: QWidget) -> None:
        """Click in the middle of a widget. A check box is clicked at its mark."""
        at = QPoint(8, widget.height() // 2) if isinstance(widget, QAbstractButton) else widget.rect().center()
        QTest.mouseClick(widget, LEFT, NO_KEYS, at)

    def click_in(self, view: QAbstractScrollArea, at: QPoint) -> None:
        """Click at a point of a view's contents."""
        QTest.mouseClick(view.viewport(), LEFT, NO_KEYS, at)

    def tool(self, action: QAction) -> None:
        """Click a tool in the toolbar as soon as it is enabled, since the window receives stored changes later."""
        made = self.window.toolbar.widgetForAction(action)
        assert isinstance(made, QToolButton)
        self.until(action.isEnabled)
        self.click(made)

    def type(self, field: QWidget, text: str, *, enter: bool = True) -> None:
        """Replace the text of a field."""
        self.click(field)
        inner = field if isinstance(field, QLineEdit) else field.findChild(QLineEdit)
        assert isinstance(inner, QLineEdit)
        inner.setFocus()
        inner.selectAll()
        QTest.keyClicks(inner, text)
        if enter:
            QTest.keyClick(inner, Qt.Key.Key_Return)

    def empty(self, line: QLineEdit) -> None:
        """Clear the text of a field."""
        self.type(line, "", enter=False)
        for key in (Qt.Key.Key_Delete, Qt.Key.Key_Return):
            QTest.keyClick(line, key)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEYS, on: QWidget | None = None) -> None:
        """Press a key with the focus on a widget."""
        target = on or self.window
        target.setFocus()
        QTest.keyClick(target, key, modifiers)

    def draw_circle(self) -> Geofence:
        """Draw a circle with the mouse and return the stored geofence."""
        before = {fence.id for fence in self.stored()}
        self.tool(self.window.actions_.circle)
        self.hand.click(CENTRE)
        self.hand.move((14.501, 46.05))
        self.hand.click(EDGE)
        return self._new(before)

    def draw_polygon(self) -> Geofence:
        """Draw a triangle with the mouse and return the stored geofence."""
        before = {fence.id for fence in self.stored()}
        self.tool(self.window.actions_.polygon)
        for corner in CORNERS:
            self.hand.click(corner)
        self.hand.click(CORNERS[0])
        return self._new(before)

    def _new(self, before: set[str]) -> Geofence:
        self.until(lambda: len(self.stored()) > len(before))
        self.until(lambda: self.window.model.selection.fence_id not in (None, *before))
        return next(fence for fence in self.stored() if fence.id not in before)

    def accept_import(self) -> None:
        """Import the file whose preview is about to open."""
        self.until(lambda: self.window.imports.preview is not None)
        preview = self.window.imports.preview
        assert preview is not None
        self.click(preview.accept_button)

    def until(self, ready: Callable[[], bool], timeout: int = 60_000) -> None:
        """Wait until a condition holds."""
        self.qtbot.waitUntil(ready, timeout=timeout)

    def hold(self, monkeypatch: pytest.MonkeyPatch, name: str) -> Event:
        """Delay an operation of the geofence editor until the returned event is set."""
        go_on, act = Event(), getattr(FenceEditor, name)

        def act_later(*arguments: Any, **options: Any) -> Outcome:
            assert go_on.wait(60)
            outcome: Outcome = act(*arguments, **options)
            return outcome

        monkeypatch.setattr(FenceEditor, name, act_later)
        return go_on

    def idle(self) -> None:
        """Wait until no operation is in progress."""
        self.until(lambda: self.window.operations.under_way == 0)

    def box(self) -> QMessageBox:
        """Return the open question."""
        found: list[QMessageBox] = []

        def there() -> bool:
            found[:] = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox) and w.isVisible()]
            return bool(found)

        self.until(there)
        return found[0]

    def answer(self, text: str) -> None:
        """Click a button of the open question."""
        box = self.box()
        button = next(each for each in box.buttons() if each.text().replace("&", "") == text)
        QTest.mouseClick(button, LEFT)
        self.until(lambda: not (isValid(box) and box.isVisible()))
