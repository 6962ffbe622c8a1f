"""Context help, which opens the documentation at the section for the focused part of the window."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from app.desktop.dialogs.help.dialog import HelpDialog
from app.desktop.map import MapView
from app.desktop.map.values import Theme
from app.desktop.model.help.pages import FIRST
from app.desktop.window.actions.actions import Actions
from app.desktop.window.docks import Docks
from app.desktop.window.status import StatusLine
from app.desktop.window.toolbar import Toolbar


class HelpController(QObject):
    """Opens the help dialog, which is created on first use."""

    def __init__(
        self, window: QMainWindow, docks: Docks, map_view: MapView, toolbar: Toolbar, status: StatusLine
    ) -> None:
        super().__init__(window)
        self._window = window
        self._theme: Theme = "light"
        self.dialog: HelpDialog | None = None
        self._sections: tuple[tuple[QWidget, str], ...] = (
            (toolbar.search, "desktop.md#search"),
            (docks.fences, "window-editing.md#several-geofences"),
            (docks.layers, "window-map.md#layers"),
            (docks.fence, "window-editing.md#drawing-and-editing"),
            (docks.beacon, "window-editing.md#beacons"),
            (docks.why, "window-inspecting.md#why"),
            (docks.user, "window-inspecting.md#why"),
            (docks.whatif, "window-simulation.md#what-if"),
            (docks.request, "window-inspecting.md#requests"),
            (docks.delivery, "window-inspecting.md#webhooks"),
            (docks.simulator, "window-simulation.md#the-simulator"),
            (docks.events, "window-inspecting.md#events-and-selection"),
            (docks.users, "window-inspecting.md#users"),
            (docks.requests, "window-inspecting.md#requests"),
            (docks.webhooks, "window-inspecting.md#webhooks"),
            (docks.table, "window-editing.md#the-table-of-geofences"),
            (docks.checks, "window-editing.md#checks"),
            (map_view, "window-editing.md#drawing-and-editing"),
            (status, "window-workspaces.md#the-endpoint"),
        )

    @property
    def sections(self) -> tuple[tuple[QWidget, str], ...]:
        """Parts of the window with the page and heading of their sections in the documentation."""
        return self._sections

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.help.triggered.connect(lambda: self.open())

    def set_theme(self, theme: Theme) -> None:
        """Show the help in the colours of a theme."""
        self._theme = theme
        if self.dialog is not None:
            self.dialog.set_theme(theme)

    def open(self) -> None:
        """Show the documentation of the part with the keyboard focus."""
        name, _, anchor = self._section().partition("#")
        if self.dialog is None:
            self.dialog = HelpDialog(self._window, self._theme)
        self.dialog.open_page(name, anchor)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
        self.dialog.words.setFocus()

    def _section(self) -> str:
        focus = QApplication.focusWidget()
        if focus is None:
            return FIRST
        found = (section for part, section in self._sections if part is focus or part.isAncestorOf(focus))
        return next(found, FIRST)
