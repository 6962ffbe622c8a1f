"""Commands of the window itself: showing panels, the command palette, the shortcut sheet."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow, QWidget

from app.desktop.dialogs.about import AboutDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.shortcuts import ShortcutsDialog
from app.desktop.panels.geofence.listing import FenceList
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.search import SearchController
from app.desktop.window.docks import Docks
from app.desktop.window.status import StatusLine


class WindowCommands(QObject):
    """Performs the commands of the window itself."""

    def __init__(
        self,
        window: QMainWindow,
        centre: QWidget,
        actions: Actions,
        docks: Docks,
        fences: FenceList,
        search: SearchController,
        status: StatusLine,
    ) -> None:
        super().__init__(window)
        self._window, self._actions, self._docks = window, actions, docks
        self._fences, self._search, self._status = fences, search, status
        search.all_fences.connect(self._on_all_fences)
        for action, dock in (
            (actions.why, docks.why),
            (actions.user, docks.user),
            (actions.users, docks.users),
            (actions.requests, docks.requests),
            (actions.webhooks, docks.webhooks),
        ):
            action.triggered.connect(lambda _=False, dock=dock: docks.bring(dock))
        actions.filter.triggered.connect(self._on_filter)
        actions.commands.triggered.connect(self._on_commands)
        actions.shortcuts.triggered.connect(lambda: ShortcutsDialog(window, actions.all()).open())
        actions.about.triggered.connect(lambda: AboutDialog(window).open())
        actions.quit.triggered.connect(lambda: window.close())
        self._give_keys(centre)

    def _give_keys(self, centre: QWidget) -> None:
        """Limit shortcuts that tables and lists also use to the parts of the window in which they are unambiguous."""
        actions, docks = self._actions, self._docks
        for action in (actions.step, actions.back):
            centre.addAction(action)
            docks.simulator.addAction(action)
        centre.addAction(actions.delete)
        centre.addAction(actions.select_all)
        for dock in (docks.fences, docks.table):
            dock.addAction(actions.delete)
        centre.addAction(actions.paste)

    def _on_all_fences(self, text: str) -> None:
        self._docks.fences.show()
        self._fences.filter(text)

    def _on_filter(self) -> None:
        self._docks.bring(self._docks.fences)
        self._fences.words.setFocus()
        self._fences.words.selectAll()

    def _on_commands(self) -> None:
        keys = self._status.keys
        of_keys = keys.menu().actions() if keys.isEnabled() else ()
        CommandPalette(self._window, (*self._actions.all(), *of_keys), self._search.start_with).open()
