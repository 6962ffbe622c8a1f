"""The panes of the window, which F6 cycles through, and the order of Tab through their controls."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMainWindow, QTabBar, QWidget
from shiboken6 import isValid

from app.desktop.map import MapView
from app.desktop.panels.related import focus_proxy_of
from app.desktop.window.actions.actions import Actions
from app.desktop.window.docks import Docks
from app.desktop.window.status import StatusLine
from app.desktop.window.toolbar import Toolbar

_TAB = Qt.FocusPolicy.TabFocus.value
_ONE_ROW = 10
"""Distance between the centres of controls, in pixels, up to which they are in one row and ordered left to right."""


class Panes(QObject):
    """Moves the focus to the next or previous pane: to its last focused control, else to its first.

    Tab goes through all visible controls, pane by pane and in reading order. Qt would follow the order of creation,
    including panels hidden behind others.
    """

    def __init__(
        self, window: QMainWindow, toolbar: Toolbar, docks: Docks, map_view: MapView, status: StatusLine
    ) -> None:
        super().__init__(window)
        self._window, self._toolbar, self._docks, self._map, self._status = window, toolbar, docks, map_view, status
        self._led: tuple[QWidget, QWidget] | None = None
        self._last: dict[str, QWidget] = {}
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.next_pane.triggered.connect(lambda: self.go(1))
        actions.previous_pane.triggered.connect(lambda: self.go(-1))

    def all(self) -> list[QWidget]:
        """Return the visible panes, from left to right and top to bottom."""
        around = sorted((*self._docks.seen(), *self._docks.strips(), self._map), key=_place)
        return [self._toolbar, *around, self._status]

    def go(self, step: int) -> None:
        """Move the focus to another pane."""
        panes, focus = self.all(), QApplication.focusWidget()
        present = next((at for at, pane in enumerate(panes) if focus is not None and _holds(pane, focus)), None)
        begin = (-1 if step > 0 else 0) if present is None else present
        for number in range(1, len(panes) + 1):
            if self._enter(panes[(begin + step * number) % len(panes)]):
                return

    def lead(self, control: QWidget, part: QWidget) -> None:
        """Let Tab go from a control to a related part elsewhere in the window while that is visible."""
        self._led = control, part

    def step(self, *, forward: bool) -> bool:
        """Move the focus to the next or previous control; return whether there is one."""
        stops, focus = list(self._stops()), QApplication.focusWidget()
        if focus not in stops:
            return False
        target = stops[(stops.index(focus) + (1 if forward else -1)) % len(stops)]
        target.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def _stops(self) -> Iterator[QWidget]:
        """Yield all controls in the order of Tab."""
        centre, led = self._window.centralWidget() or self._map, self._led
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        docks = (dock for dock in self._docks.seen() if not dock.isFloating())
        around = sorted((*docks, *self._docks.strips(), *filter(_is_seen, bars), centre), key=_place)
        for part in (self._toolbar, *around, self._status):
            if part is centre and (page := self._map.render_widget()) is not None:
                yield page
            for control in _as_read(part):
                if led is None or not led[1].isAncestorOf(control):
                    yield control
                if led is not None and control is led[0]:
                    yield from _as_read(led[1])

    def _enter(self, pane: QWidget) -> bool:
        if pane is self._map:
            self._map.take_keyboard()
            return True
        last = self._last.get(pane.objectName())
        target = last if last is not None and isValid(last) and _takes_keyboard(last) and _holds(pane, last) else None
        target = target or next(iter(_as_read(pane)), None)
        if target is None:
            return False
        target.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is None:
            return
        for pane in (self._toolbar, self._status, *self._docks.strips(), *self._docks.all()):
            if _holds(pane, now):
                self._last[pane.objectName()] = now
                return


def _holds(pane: QWidget, widget: QWidget) -> bool:
    return pane is widget or pane.isAncestorOf(widget)


def _takes_keyboard(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy().value & _TAB)


def _is_seen(widget: QWidget) -> bool:
    return not widget.visibleRegion().isEmpty()


def _as_read(part: QWidget) -> list[QWidget]:
    """Return the controls of a part of the window in reading order, row by row."""
    found = [part] if _takes_keyboard(part) else []
    found += (each for each in part.findChildren(QWidget) if _takes_keyboard(each) and _is_control(each))
    middles = {each: each.mapTo(part, each.rect().center()) for each in found}
    rows: list[list[QWidget]] = []
    for each in sorted(found, key=lambda each: middles[each].y()):
        if not rows or middles[each].y() - middles[rows[-1][0]].y() > _ONE_ROW:
            rows.append([])
        rows[-1].append(each)
    return [each for row in rows for each in sorted(row, key=lambda each: middles[each].x())]


def _is_control(widget: QWidget) -> bool:
    """Return whether a widget is a control of its own, not a part of another one or of the map's page."""
    if focus_proxy_of(widget) is not None or isinstance(widget.parentWidget(), QAbstractItemView):
        return False
    while (parent := widget.parentWidget()) is not None:
        if isinstance(parent, QWebEngineView):
            return False
        widget = parent
    return True


def _place(pane: QWidget) -> tuple[int, int, int]:
    corner = pane.mapTo(pane.window(), pane.rect().topLeft())
    return corner.y() // 100, corner.x(), corner.y()
