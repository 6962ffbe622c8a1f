"""The injected faults of the open workspace in the status line and in a dialog."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.faults import FaultsDialog
from app.desktop.relay import Relay
from app.desktop.window.actions.actions import Actions
from app.desktop.window.status import StatusLine
from app.desktop.workspace_model import WorkspaceModel
from app.faults.book import Faults
from app.faults.rules import FaultRule
from engine.domain.errors import FencewrightError, NotFound

_SHOWN_EVERY_MS = 200


class FaultController(QObject):
    """Follows the injected faults, including those set elsewhere.

    Faults affect Test regardless of the displayed environment.
    """

    def __init__(self, window: QWidget, model: WorkspaceModel, status: StatusLine) -> None:
        super().__init__(window)
        self._window, self._model, self._status = window, model, status
        self._unsubscribe: Callable[[], None] | None = None
        self._dialog: FaultsDialog | None = None
        self._news = Relay(self, interval_ms=_SHOWN_EVERY_MS)
        self._news.rung.connect(self._show)
        status.faults_requested.connect(self.open)
        model.opened.connect(self._follow)

    @property
    def dialog(self) -> FaultsDialog:
        """The dialog, created on first use."""
        if self._dialog is None:
            dialog = self._dialog = FaultsDialog(self._window)
            dialog.add_requested.connect(self._on_add)
            dialog.remove_requested.connect(self._on_remove)
            dialog.clear_requested.connect(self._on_clear)
            self._show()
        return self._dialog

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.faults.triggered.connect(lambda: self.open())

    def open(self) -> None:
        """Open the dialog."""
        if self._model.session is not None:
            self.dialog.show_error(None)
            self._show()
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()

    def close(self) -> None:
        """Stop following the faults."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    @property
    def _faults(self) -> Faults | None:
        return self._model.session.faults if self._model.session is not None else None

    def _follow(self) -> None:
        self.close()
        if (faults := self._faults) is not None:
            self._unsubscribe = faults.subscribe(self._news.ring)
        self._show()

    def _show(self) -> None:
        faults = self._faults
        self._status.show_faults(faults.active if faults is not None else 0)
        if self._dialog is not None:
            self._dialog.show_faults(faults.all() if faults is not None else ())

    def _on_add(self, rule: FaultRule) -> None:
        if (faults := self._faults) is None:
            return
        try:
            faults.add(rule)
        except FencewrightError as error:
            self.dialog.show_error(error)
        else:
            self.dialog.show_error(None)
            self._show()

    def _on_remove(self, fault_id: str) -> None:
        if (faults := self._faults) is not None:
            with suppress(NotFound):  # another client has already removed it
                faults.remove(fault_id)
            self._show()

    def _on_clear(self) -> None:
        if (faults := self._faults) is not None:
            faults.clear()
            self._show()
