"""Locking shapes from the form and the menu. Locks are stored with the workspace."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject

from app.desktop.language import counted, tr
from app.desktop.model.shaping.locks import read_locks, write_locks
from app.desktop.model.words import fence_name
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.window.actions.actions import Actions
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence

_log = logging.getLogger(__name__)


class LockController(QObject):
    """Locks and unlocks the shapes of the selected geofences. A lock does not restrict undo or other clients."""

    def __init__(self, model: WorkspaceModel, form: FenceForm, message: MessageLine) -> None:
        super().__init__(form)
        self._model, self._form, self._message = model, form, message
        form.shape.lock_toggled.connect(self._on_toggled)
        form.shape.shape_shown.connect(self._show)
        model.opened.connect(self._read)
        model.selection.changed.connect(self._enable)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        self._action = actions.lock
        self._action.triggered.connect(lambda: self.toggle())
        self._enable()

    def toggle(self) -> None:
        """Lock the selected geofences, or unlock them if all of them are locked."""
        fences = [fence for each in self._model.selection.fence_ids if (fence := self._model.fences.get(each))]
        if fences:
            locks = self._model.fences.locks
            self._set(fences, locked=not all(locks.is_locked(fence.id) for fence in fences))

    def _on_toggled(self, locked: bool) -> None:
        fence = self._form.fence
        if fence is not None:
            self._set([fence], locked=locked)

    def _set(self, fences: list[Geofence], *, locked: bool) -> None:
        self._model.fences.locks.set([fence.id for fence in fences], locked=locked)
        self._model.fences.show_again(fence.id for fence in fences)
        subject = fence_name(fences[0]) if len(fences) == 1 else counted(len(fences), "geofence")
        self._message.show_info(
            tr(
                "{locked_or_unlocked} the shape of {geofences}.",
                locked_or_unlocked=tr("Locked") if locked else tr("Unlocked"),
                geofences=subject,
            )
        )
        self._keep()

    def _show(self, fence: Geofence | None) -> None:
        self._form.shape.show_locked(locked=fence is not None and self._model.fences.locks.is_locked(fence.id))

    def _enable(self) -> None:
        self._action.setEnabled(bool(self._model.selection.fence_ids))

    def _read(self) -> None:
        session = self._model.session
        if session is not None:
            workspace = session.engine.workspace
            self._model.fences.locks.replace(() if workspace.temporary else read_locks(workspace.folder))

    def _keep(self) -> None:
        session = self._model.session
        if session is None or session.engine.workspace.temporary:
            return
        folder, kept = session.engine.workspace.folder, self._model.fences.locks.kept

        def failed(error: Exception) -> None:
            _log.warning("the locks of shapes are not kept in %s: %s", folder, error)

        self._model.operations.change(lambda: write_locks(folder, kept), lambda _: None, failed)
