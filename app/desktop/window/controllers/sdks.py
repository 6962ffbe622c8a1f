"""The dialog for connecting an SDK, filled from the open workspace and updated as first requests arrive."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.sdks import SdkDialog
from app.desktop.map.values import Theme
from app.desktop.relay import Relay
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.workspaces import EndpointController
from app.desktop.workspace_model import WorkspaceModel
from app.sdks.snippets import Target
from engine.domain.environment import KeyLevel

USUAL_URL = "http://127.0.0.1:8787"


class SdkController(QObject):
    """Opens the dialog and keeps it up to date while it is open."""

    def __init__(self, window: QWidget, model: WorkspaceModel, endpoint: EndpointController) -> None:
        super().__init__(model)
        self._window, self._model, self._endpoint = window, model, endpoint
        self._unsubscribe: Callable[[], None] | None = None
        self._theme: Theme = "light"
        self._dialog: SdkDialog | None = None
        self._relay = Relay(self)
        endpoint.shown.connect(self._show)
        model.opened.connect(self._show)
        model.environment_changed.connect(self._show)

    @property
    def dialog(self) -> SdkDialog:
        """The dialog, created on first use."""
        if self._dialog is None:
            dialog = self._dialog = SdkDialog(self._window)
            dialog.set_theme(self._theme)
            self._relay.rung.connect(dialog.show_arrivals)
            dialog.start_requested.connect(lambda: self._endpoint.toggle(True))
            dialog.finished.connect(lambda _: self._follow(None))
        return self._dialog

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.sdks.triggered.connect(lambda: self.open())

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the dialog's icons."""
        self._theme = theme
        if self._dialog is not None:
            self._dialog.set_theme(theme)

    def open(self) -> None:
        """Open the dialog."""
        if self._model.session is not None:
            self.dialog.show()
            self._show()
            self.dialog.raise_()
            self.dialog.activateWindow()

    def _show(self) -> None:
        session = self._model.session
        if session is None or self._dialog is None or not self._dialog.isVisible():
            return
        environment, keys = self._model.environment, session.engine.workspace.keys
        url = session.url
        target = Target(
            url or USUAL_URL,
            keys.value(environment, KeyLevel.PUBLISHABLE),
            keys.value(environment, KeyLevel.SECRET),
        )
        self._follow(session.sightings.subscribe)
        self._dialog.show_target(target, environment, session.sightings, running=url is not None)

    def _follow(self, subscribe: Callable[[Callable[[], None]], Callable[[], None]] | None) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._unsubscribe = None if subscribe is None else subscribe(self._relay.ring)
