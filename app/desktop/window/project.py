"""The project's settings, and clearing its Test data."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.desk import Desk
from app.desktop.dialogs.clear import ClearDialog, cleared_text
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.panels.fence_form import FenceForm
from app.desktop.panels.user import UserPanel
from app.desktop.session import Session
from app.desktop.window.actions import Actions
from app.desktop.window.message import MessageLine
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.explaining import Cleared
from engine.domain.queries import Counts
from engine.domain.settings import ProjectSettings, SettingsChange


class ProjectController(QObject):
    """Turns what is chosen in the dialogs into operations, and shows what became of them."""

    def __init__(self, window: QWidget, desk: Desk, form: FenceForm, user: UserPanel, message: MessageLine) -> None:
        super().__init__(window)
        self._window, self._desk, self._form, self._message = window, desk, form, message
        self._counts: Counts | None = None
        self._session: Session | None = None
        self.dialog = SettingsDialog(window)
        self.dialog.changed.connect(self.change)
        self.dialog.abandoned.connect(self._on_abandoned)
        desk.environment_changed.connect(self._on_environment)
        desk.settings_changed.connect(self._show)
        desk.counted.connect(self._on_counted)
        user.clear_requested.connect(self._on_clear_user)
        self._on_environment()

    def connect_actions(self, actions: Actions) -> None:
        """Let the actions act."""
        actions.settings.triggered.connect(lambda: self.open())
        actions.clear.triggered.connect(lambda: self.ask_to_clear())

    # Settings

    def open(self) -> None:
        """Open the settings."""
        if self._desk.session is not None:
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()
            self.dialog.setFocus()

    def change(self, change: SettingsChange) -> None:
        """Change settings; what is wrong is shown at the setting."""
        environment = self._desk.environment

        def done(_: ProjectSettings) -> None:
            if environment is self._desk.environment:
                self.dialog.accepted_by_engine()
                self._show()

        def failed(error: Exception) -> None:
            if isinstance(error, InvalidParameter) and self.dialog.isVisible():
                self.dialog.show_errors({error.param: error.message})
            else:
                self._desk.tell(error)

        self._desk.change_settings(change, done, failed)

    def _on_environment(self) -> None:
        self.dialog.show_environment(self._desk.environment)
        self._session = self._desk.session
        self._show()

    def _show(self) -> None:
        settings = self._desk.settings
        self.dialog.show_settings(settings)
        self._form.set_project(settings)

    def _on_abandoned(self, change: SettingsChange) -> None:
        # The window may show another workspace by now: the changes are for the one they were made in.
        session = self._session
        if session is None:
            return
        engine = session.engine

        def apply() -> None:
            self._desk.operations.change(
                lambda: engine.change_settings(Environment.LIVE, change), lambda _: self._show(), self._desk.tell
            )

        self._message.complain("Changes to the settings were not applied to Live.", "Apply to Live", apply)

    # Clearing

    def _on_counted(self, counts: Counts) -> None:
        self._counts = counts

    def _on_clear_user(self) -> None:
        user = self._desk.selection.user
        self.ask_to_clear(user.device_id if user else None)

    def ask_to_clear(self, device_id: str | None = None) -> None:
        """Ask what of Test is to be cleared; `device_id` is what is proposed."""
        if self._desk.session is None or self._desk.environment.live:
            return
        devices = tuple(sorted({user.device_id for user in self._desk.users.all()}))
        dialog = ClearDialog(self._window, devices, device_id, self._counts)
        dialog.chosen.connect(self._clear)
        dialog.open()

    def _clear(self, device_id: str | None, geofences: bool) -> None:
        session = self._desk.session
        if session is None:
            return
        engine = session.engine

        def done(cleared: Cleared) -> None:
            self._message.say(cleared_text(cleared))

        self._desk.operations.change(
            lambda: engine.clear_test_data(device_id, geofences=geofences), done, self._desk.tell
        )
