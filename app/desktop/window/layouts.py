"""The layouts of the window: which panels are shown for a kind of work, and how large they are."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QWidget

from app.desktop.language import tr
from app.desktop.memory import Memory
from app.desktop.window.actions.actions import Actions
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine

NAMES: Final = ("design", "test", "develop")


class Layouts(QObject):
    """Switches between layouts. Each is remembered as the user has left it."""

    changed = Signal(str)

    def __init__(self, window: QMainWindow, docks: Docks, memory: Memory, message: MessageLine) -> None:
        super().__init__(window)
        self._window, self._docks, self._memory, self._message = window, docks, memory, message
        self._kept: dict[str, tuple[QByteArray, tuple[tuple[str, ...], ...]]] = {}
        self._before_map: tuple[QByteArray, Qt.WindowState] | None = None
        self._switches: dict[str, QAction] = {}
        self.present = ""
        """The chosen layout, or "" for the arrangement of a window that remembers nothing."""

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        self._switches = dict(
            zip(NAMES, (actions.design_layout, actions.test_layout, actions.develop_layout), strict=True)
        )
        for name, action in self._switches.items():
            action.triggered.connect(lambda _=False, name=name: self.choose(name))
        actions.reset_layout.triggered.connect(lambda: self.reset())
        self._map_alone = actions.map_alone
        self._map_alone.triggered.connect(lambda alone: self.show_map_alone() if alone else self.show_panels())

    def restore(self) -> None:
        """Show the layout of the last run, or the one for designing."""
        self._docks.arrange()
        if self._memory.remembers:
            self._kept = {name: kept for name in NAMES if (kept := self._memory.panels(name)) is not None}
            name = self._memory.layout
            self._enter(name if name in NAMES else NAMES[0])

    def save(self) -> None:
        """Remember all layouts."""
        self.show_panels()
        self._keep()
        for name, (state, folded) in self._kept.items():
            self._memory.save_panels(name, state, folded)
        self._memory.layout = self.present

    def choose(self, name: str) -> None:
        """Show a layout as the user has left it."""
        self.show_panels()
        self._keep()
        self._enter(name)

    def reset(self) -> None:
        """Show the present layout as it was at first."""
        self.show_panels()
        self._kept.pop(self.present, None)
        self._enter(self.present)

    def show_map_alone(self) -> None:
        """Fill the screen with the map."""
        if self._before_map is None:
            self._before_map = self._window.saveState(), self._window.windowState()
            for part in self._around():
                part.hide()
            self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowFullScreen)
            key = self._map_alone.shortcut().toString()
            self._message.show_info(tr("{shortcut} brings the panels back.", shortcut=key))
        self._map_alone.setChecked(True)

    def show_panels(self) -> None:
        """Show what was around the map before it was shown alone."""
        before, self._before_map = self._before_map, None
        if before is not None:
            self._window.setWindowState(before[1])
            for part in (self._window.menuBar(), self._window.statusBar()):
                part.show()
            self._window.restoreState(before[0])
            self._docks.show_strips()
        if self._switches:
            self._map_alone.setChecked(False)

    def _around(self) -> tuple[QWidget, ...]:
        window = self._window
        return window.menuBar(), window.statusBar(), *self._docks.bars(), *self._docks.all()

    def _keep(self) -> None:
        if self.present:
            self._kept[self.present] = self._window.saveState(), self._docks.folded()

    def _enter(self, name: str) -> None:
        self.present = name
        kept = self._kept.get(name)
        if kept is not None:
            self._window.restoreState(kept[0])
            self._docks.fold_again(kept[1])
        else:
            self._docks.fold_again(())
            {"design": self._design, "test": self._test, "develop": self._develop}.get(name, self._docks.arrange)()
        if name in self._switches:
            self._switches[name].setChecked(True)
            self.changed.emit(self._switches[name].text())

    # The first arrangement of each layout

    def _design(self) -> None:
        docks = self._docks
        docks.show_only(docks.fences, docks.fence)
        docks.set_widths((docks.fences, 156), (docks.fence, 294))

    def _test(self) -> None:
        docks = self._docks
        docks.show_only(docks.fence, docks.user, docks.why, docks.users, docks.events, docks.simulator)
        docks.why.raise_()
        docks.events.raise_()
        docks.set_widths((docks.why, 304))
        docks.set_widths((docks.simulator, 508), (docks.events, 450))
        docks.set_height_below(2 / 5)

    def _develop(self) -> None:
        docks = self._docks
        docks.show_only(docks.events, docks.webhooks, docks.requests)
        docks.requests.raise_()
        docks.set_height_below(9 / 20)
