"""The project's settings, and the deletion of its Test data."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.clear import ClearDialog, cleared_text
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.model.editing.changes import names_of
from app.desktop.model.editing.pending_words import NO_SETTINGS_WAIT, waiting_of_settings
from app.desktop.model.natural import naturally_sorted
from app.desktop.model.words import error_text
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.user import UserPanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter
from engine.domain.queries import Counts
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.domain.tracking.explaining import Cleared


class ProjectController(QObject):
    """Performs the user's choices in the dialogs as operations and shows their results.

    `dialog_made` is emitted when the settings dialog is created on first use.
    """

    dialog_made = Signal(SettingsDialog)

    def __init__(
        self, window: QWidget, model: WorkspaceModel, form: FenceForm, user: UserPanel, message: MessageLine
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._form, self._message = window, model, form, message
        self._counts: Counts | None = None
        self._dialog: SettingsDialog | None = None
        model.opened.connect(self._on_opened)
        model.environment_changed.connect(self._on_environment)
        model.settings_changed.connect(self._show)
        model.pending.changed.connect(self._show)
        model.counted.connect(self._on_counted)
        user.clear_requested.connect(self._on_clear_user)
        self._on_environment()

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.settings.triggered.connect(lambda: self.open())
        actions.segments.triggered.connect(lambda: self.open("segments"))
        actions.clear.triggered.connect(lambda: self.ask_to_clear())

    # Settings

    @property
    def dialog(self) -> SettingsDialog:
        """The dialog of the settings."""
        if self._dialog is None:
            self._dialog = SettingsDialog(self._window)
            self._dialog.changed.connect(self.change)
            self._dialog.withdrawn.connect(lambda name: self._model.pending.withdraw(None, name))
            self._dialog.show_environment(self._model.environment)
            self._show()
            self.dialog_made.emit(self._dialog)
        return self._dialog

    def settle(self) -> None:
        """Commit unfinished input in the settings."""
        if self._dialog is not None:
            self._dialog.settle()

    def open(self, setting: str | None = None) -> None:
        """Open the settings at the page of a setting."""
        if self._model.session is not None:
            if setting is not None:
                self.dialog.show_setting(setting)
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()
            self.dialog.setFocus()

    def change(self, change: SettingsChange) -> None:
        """Change settings and show errors at the settings.

        In Live the changes become pending.
        """
        session, environment = self._model.session, self.dialog.environment
        if session is None:
            return
        if environment.live:
            given = {name: getattr(change, name) for name in names_of(change)}
            self._model.pending.propose_settings(session.engine.settings.get(environment), given)
            return

        def done(_: ProjectSettings) -> None:
            if environment is self._model.environment:
                self._show()
                self.dialog.accept_change(change)

        def failed(error: Exception) -> None:
            if isinstance(error, InvalidParameter) and self.dialog.isVisible():
                self.dialog.refuse_change(change, error.param, error_text(error))
            else:
                self.dialog.refuse_change(change, "", error_text(error))
                self._model.report_error(error)

        self._model.operations.change(lambda: session.engine.settings.change(environment, change), done, failed)

    def _on_opened(self) -> None:
        """Discard unfinished input, which was for the previous workspace."""
        if self._dialog is not None:
            self._dialog.forget()
        self._show()

    def _on_environment(self) -> None:
        if self._dialog is not None:
            self._dialog.show_environment(self._model.environment)
        self._show()

    def _show(self) -> None:
        settings, live = self._model.settings, self._model.environment.live
        if self._dialog is not None:
            waiting = waiting_of_settings(self._model.pending) if live else NO_SETTINGS_WAIT
            self._dialog.show_settings(settings, waiting)
        self._form.set_project(settings)

    # Clearing

    def _on_counted(self, counts: Counts) -> None:
        self._counts = counts

    def _on_clear_user(self) -> None:
        user = self._model.selection.user
        self.ask_to_clear(user.device_id if user else None)

    def ask_to_clear(self, device_id: str | None = None) -> None:
        """Ask for the Test data to clear, with `device_id` as the suggestion."""
        if self._model.session is None or self._model.environment.live:
            return
        devices = naturally_sorted(user.device_id for user in self._model.users.all())
        dialog = ClearDialog(self._window, devices, device_id, self._counts)
        dialog.chosen.connect(self._clear)
        dialog.open()

    def _clear(self, device_id: str | None, geofences: bool, beacons: bool) -> None:
        session = self._model.session
        if session is None:
            return
        engine = session.engine

        def done(cleared: Cleared) -> None:
            self._message.show_info(cleared_text(cleared))

        self._model.operations.change(
            lambda: engine.history.clear_test_data(device_id, geofences=geofences, beacons=beacons),
            done,
            self._model.report_error,
        )
