"""Pasting geofences on the map."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.model.editing.changes import FenceEditor, Outcome
from app.desktop.model.editing.naming import DEFAULT_TAG, new_fences
from app.desktop.model.shaping.pasting import read_pasted
from app.desktop.model.shaping.texts import Wire
from app.desktop.model.words import error_text
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import GeofenceChange


class PasteController(QObject):
    """Creates the geofences described by the clipboard's text in one undo step, and shows them."""

    def __init__(
        self, model: WorkspaceModel, map_view: MapView, form: FenceForm, fences: FenceController, message: MessageLine
    ) -> None:
        super().__init__(map_view)
        self._model, self._map, self._form, self._fences, self._message = model, map_view, form, fences, message

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.paste.triggered.connect(lambda: self.paste())

    def paste(self) -> None:
        """Read the clipboard in the background and create its geofences, after a confirmation in Live."""
        session = self._model.session
        if session is None:
            return
        text, order = QGuiApplication.clipboard().text(), self._form.shape.chosen
        wire = Wire(session.geofence_json, session.read_geofence_json)
        environment = self._model.environment

        def read(shapes: tuple[GeofenceChange, ...]) -> None:
            if session is self._model.session and environment is self._model.environment:
                self._create(shapes)

        def failed(error: Exception) -> None:
            self._message.complain(error_text(error))

        self._model.operations.preview(lambda: read_pasted(text, order, wire), read, failed)

    def _create(self, shapes: tuple[GeofenceChange, ...]) -> None:
        shown = self._model.fences.get(self._model.selection.fence_id)
        tag = shown.tag if shown is not None else DEFAULT_TAG
        changes = new_fences(self._model.fences.named(), tag, shapes)
        noun = counted(len(changes), "geofence")

        def work(editor: FenceEditor) -> Outcome:
            return editor.create_all(tr("Paste {geofences}", geofences=noun), changes)

        def done(outcome: Outcome) -> None:
            self._model.selection.select_fences(outcome.fence_ids)
            self._map.fit_fences(outcome.fence_ids, animate=True)

        self._fences.change_all(
            tr("Create {geofences} in Live?", geofences=noun),
            tr("Create"),
            tr("Pasted {geofences}.", geofences=noun),
            work,
            done,
        )
