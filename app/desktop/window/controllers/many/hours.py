"""Copying the hours of one geofence to others as one step."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.bulk_edit.hours import CopyHoursDialog
from app.desktop.language import tr
from app.desktop.model.fences import NamedFence
from app.desktop.model.words import error_text
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.many.editing import SET_HOURS, SeveralController
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import GeofenceChange
from engine.domain.hours import OperatingHours


class HoursController(QObject):
    """Opens the dialog for choosing the geofences that receive the hours in the form."""

    def __init__(self, window: QWidget, model: WorkspaceModel, form: FenceForm, several: SeveralController) -> None:
        super().__init__(window)
        self._window, self._model, self._form, self._several = window, model, form, several
        self.dialog: CopyHoursDialog | None = None
        form.hours.copy_requested.connect(self.open)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action for the geofence in the form."""
        actions.copy_hours.triggered.connect(self._form.hours.ask_copy)

        def show() -> None:
            actions.copy_hours.setEnabled(self._model.selection.fence_id is not None)

        self._model.selection.changed.connect(show)
        self._model.opened.connect(show)
        show()

    def open(self, hours: OperatingHours | None) -> None:
        """Ask for the geofences that receive these hours."""
        source = self._form.fence
        if source is None or self.dialog is not None:
            return
        others = sorted(
            (fence for fence in self._model.fences.named() if fence.id != source.id),
            key=lambda fence: (fence.tag, fence.description.casefold(), fence.external_id),
        )
        selected = [fence for fence in self._several.selected() if fence.id != source.id]
        dialog = CopyHoursDialog(self._window, source, hours, others, selected)
        self.dialog = dialog
        dialog.applied.connect(lambda fences: self._copy(dialog, hours, fences))
        dialog.finished.connect(self._on_finished)
        self._model.environment_changed.connect(dialog.reject)
        dialog.open()

    def _on_finished(self) -> None:
        self.dialog = None

    def _copy(self, dialog: CopyHoursDialog, hours: OperatingHours | None, fences: tuple[NamedFence, ...]) -> None:
        def shown(act: Callable[[], object]) -> None:
            if self.dialog is dialog:
                act()

        def failed(error: Exception) -> None:
            if self.dialog is not dialog:
                self._model.report_error(error)
                return
            dialog.set_busy(False)
            dialog.show_error(error_text(error))

        # Use the current geofences, as the dialog may have been open for some time.
        present = [fence for fence in (self._model.fences.get(each.id) for each in fences) if fence is not None]
        if not present:
            dialog.show_error(tr("These geofences have been deleted in the meantime."))
            return
        dialog.set_busy(True)
        self._several.change(
            present,
            GeofenceChange(operating_hours=hours),
            SET_HOURS,
            lambda: shown(dialog.accept),
            failed,
            lambda: shown(lambda: dialog.set_busy(False)),
        )
