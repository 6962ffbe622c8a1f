"""The panes of the window, which F6 goes through: the toolbar, the panels, the map, the status bar."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from app.desktop.map import MapView
from app.desktop.window.actions.actions import Actions
from app.desktop.window.docks import Docks
from app.desktop.window.status import StatusLine
from app.desktop.window.toolbar import Toolbar

_TAB = Qt.FocusPolicy.TabFocus.value


class Panes(QObject):
    """Gives the keyboard to the next pane, or the one before: to what in it had it last, else to its first control."""

    def __init__(
        self, window: QMainWindow, toolbar: Toolbar, docks: Docks, map_view: MapView, status: StatusLine
    ) -> None:
        super().__init__(window)
        self._toolbar, self._docks, self._map, self._status = toolbar, docks, map_view, status
        self._last: dict[str, QWidget] = {}
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus)

    def connect_actions(self, actions: Actions) -> None:
        """Let the actions act."""
        actions.next_pane.triggered.connect(lambda: self.go(1))
        actions.previous_pane.triggered.connect(lambda: self.go(-1))

    def all(self) -> list[QWidget]:
        """Return the panes that are seen, from the left to the right and from above to below."""
        around = sorted((*self._docks.seen(), self._map), key=_place)
        return [self._toolbar, *around, self._status]

    def go(self, step: int) -> None:
        """Give the keyboard to another pane."""
        panes, focus = self.all(), QApplication.focusWidget()
        present = next((at for at, pane in enumerate(panes) if focus is not None and _holds(pane, focus)), None)
        begin = (-1 if step > 0 else 0) if present is None else present
        for number in range(1, len(panes) + 1):
            if self._enter(panes[(begin + step * number) % len(panes)]):
                return

    def _enter(self, pane: QWidget) -> bool:
        if pane is self._map:
            self._map.take_keyboard()
            return True
        last = self._last.get(pane.objectName())
        target = last if last is not None and isValid(last) and _takes_keyboard(last) and _holds(pane, last) else None
        target = target or next(_in_order(pane), None)
        if target is None:
            return False
        target.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is None:
            return
        for pane in (self._toolbar, self._status, *self._docks.all()):
            if _holds(pane, now):
                self._last[pane.objectName()] = now
                return


def _holds(pane: QWidget, widget: QWidget) -> bool:
    return pane is widget or pane.isAncestorOf(widget)


def _takes_keyboard(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy().value & _TAB)


def _in_order(pane: QWidget) -> Iterator[QWidget]:
    """Return the controls of a pane in the order in which Tab goes through them."""
    found: list[QWidget] = []
    at = pane.nextInFocusChain()
    while at is not None and at is not pane:
        if pane.isAncestorOf(at) and _takes_keyboard(at):
            found.append(at)
        at = at.nextInFocusChain()
    return iter(found)


def _place(pane: QWidget) -> tuple[int, int]:
    corner = pane.mapTo(pane.window(), pane.rect().topLeft())
    return corner.y() // 100, corner.x()
