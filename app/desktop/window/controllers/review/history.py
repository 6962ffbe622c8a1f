"""The history of geofences: the controller between the dialog, the map and the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.review.conflicts import ConflictsDialog
from app.desktop.dialogs.review.history import HistoryDialog
from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.model.editing.changes import FenceEditor, Outcome, RestoredAll
from app.desktop.model.fences import FenceDelta
from app.desktop.model.review.history import when_text
from app.desktop.model.words import error_text, fence_name
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.newest import Newest
from app.desktop.window.controllers.review.shapes import ReviewShapes
from app.desktop.window.controllers.undoing import UndoController
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.edits import EditPage, GeofenceEdit
from engine.domain.errors import Conflict

_SHAPE = ("coordinates",)


class HistoryController(QObject):
    """Shows the edits of the selected geofence and deleted geofences, and restores versions as one step."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        form: FenceForm,
        fences: FenceController,
        undoing: UndoController,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._fences, self._message = window, model, fences, message
        self._undoing, self._confirmation = undoing, confirmation
        self._shapes = ReviewShapes(model, map_view, "history")
        self._shown_id: str | None = None
        """The geofence whose edits are listed, even after its deletion."""
        self._older: int | None = None
        self._chosen: tuple[str, int] | None = None
        self._reading = Newest(model.operations.read)
        self.dialog: HistoryDialog | None = None
        form.basics.history_requested.connect(lambda: self.open(0))
        model.selection.changed.connect(self._on_selected)
        model.fences.changed.connect(self._on_fences)
        model.environment_changed.connect(self._close)
        model.opened.connect(self._close)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.history.triggered.connect(lambda: self.open(0))
        actions.deleted.triggered.connect(lambda: self.open(1))

        def show() -> None:
            actions.history.setEnabled(self._model.selection.fence_id is not None)

        self._model.selection.changed.connect(show)
        self._model.opened.connect(show)
        show()

    def open(self, page: int) -> None:
        """Open the dialog with the edits of the selected geofence or the deleted geofences."""
        if self._model.session is None:
            return
        if self._model.sandbox is not None:
            self._message.complain(tr("Keep or discard the sandbox first."))
            return
        if self.dialog is None:
            dialog = self.dialog = HistoryDialog(self._window, live=self._model.environment.live)
            dialog.row_chosen.connect(self._show)
            dialog.restore_requested.connect(self._restore)
            dialog.restore_all_requested.connect(self._restore_all)
            dialog.older_requested.connect(self._read_older)
            dialog.filtered.connect(lambda _: self._read())
            dialog.page_chosen.connect(lambda _: self._read())
            dialog.finished.connect(self._on_finished)
            dialog.show()
        self._shown_id = self._model.selection.fence_id or self._shown_id
        self.dialog.show_page(page)
        self.dialog.raise_()
        self._read()

    # Reading

    def _read(self) -> None:
        """Read the displayed list from the start."""
        dialog, session, environment = self.dialog, self._model.session, self._model.environment
        if dialog is None or session is None:
            return
        history, shown_id = session.engine.geofence_history, self._shown_id

        def shown(act: Callable[[], object]) -> None:
            if self.dialog is dialog:
                act()

        def failed(error: Exception) -> None:
            shown(lambda: dialog.show_error(error_text(error)))

        if dialog.shows_deleted:
            text = dialog.filter.text()
            self._reading.ask(
                lambda: history.deleted(environment, text),
                lambda edits: shown(lambda: dialog.show_deleted(edits)),
                failed,
            )
        elif shown_id is not None:
            self._reading.ask(
                lambda: history.page(environment, shown_id),
                lambda page: shown(lambda: self._fill(dialog, page)),
                failed,
            )
        else:
            self._reading.forget()
            dialog.show_edits(tr("No geofence is selected."), (), older=False)

    def _fill(self, dialog: HistoryDialog, page: EditPage) -> None:
        self._older = page.older
        name = fence_name(page.edits[0].geofence) if page.edits else ""
        dialog.show_edits(name or tr("Nothing is kept of this geofence."), page.edits, older=page.older is not None)

    def _read_older(self) -> None:
        dialog, session, environment = self.dialog, self._model.session, self._model.environment
        shown_id, older = self._shown_id, self._older
        if dialog is None or session is None or shown_id is None or older is None:
            return
        history = session.engine.geofence_history

        def done(page: EditPage) -> None:
            if self.dialog is dialog and (self._shown_id, self._older) == (shown_id, older):
                self._older = page.older
                dialog.add_edits(page.edits, older=page.older is not None)

        self._reading.ask(lambda: history.page(environment, shown_id, older), done, self._model.report_error)

    def _on_selected(self) -> None:
        fence_id = self._model.selection.fence_id
        if self.dialog is not None and fence_id is not None and fence_id != self._shown_id:
            self._shown_id = fence_id
            if not self.dialog.shows_deleted:
                self._read()

    def _on_fences(self, delta: FenceDelta) -> None:
        if self.dialog is None:
            return
        changed = delta.reset or any(fence.id == self._shown_id for fence in delta.upserted)
        if changed or self._shown_id in delta.removed or (self.dialog.shows_deleted and not delta.reset):
            self._read()

    # Display and restoring

    def _show(self, edit: GeofenceEdit | None) -> None:
        """Compare the version of an edit with the current geofence and draw both."""
        dialog = self.dialog
        if dialog is None:
            return
        if edit is None:
            self._chosen = None
            self._shapes.clear()
            return
        chosen, before = (edit.geofence_id, edit.revision), self._chosen
        # The list of deleted geofences may be newer than the model of the window.
        present = None if dialog.shows_deleted else self._model.fences.get(edit.geofence_id)
        dialog.show_present(present)
        # Changes by others do not move the map.
        self._shapes.show(present, edit.geofence, fit=chosen != before)
        self._chosen = chosen

    def _restore(self, edit: GeofenceEdit) -> None:
        """Restore a version of a geofence as one step. In Live, ask for confirmation."""
        dialog = self.dialog
        if dialog is None:
            return
        # The version that the user compared it with, regardless of later changes by others.
        version, seen = edit.geofence, dialog.present
        name = fence_name(version)

        def shown(act: Callable[[], object]) -> None:
            if self.dialog is dialog:
                act()

        def failed(error: Exception) -> None:
            if self.dialog is not dialog:
                self._model.report_error(error)
                return
            dialog.set_busy(False)
            self._show(dialog.chosen)
            dialog.show_error(error_text(error))

        def done(_: Outcome) -> None:
            shown(lambda: dialog.set_busy(False))
            self._model.selection.select_fence(version.id)

        def work(editor: FenceEditor) -> Outcome:
            return editor.put_all(tr("Restore {name}", name=name), {version.id: seen}, {version.id: version})

        try:
            if seen is not None and seen.geometry != version.geometry:
                self._model.fences.locks.check_change((seen,), _SHAPE)
        except Conflict as error:
            failed(error)
            return
        dialog.show_error("")
        dialog.set_busy(True)
        question = (
            tr("Restore {geofence_name} in Live?", geofence_name=name)
            if edit.after is None
            else tr("Restore {geofence_name} as of {time} in Live?", geofence_name=name, time=when_text(edit))
        )
        self._fences.change_all(
            question,
            tr("Restore"),
            tr("Restored {geofence_name}.", geofence_name=name),
            work,
            done,
            failed,
            lambda: shown(lambda: dialog.set_busy(False)),
        )

    def _restore_all(self, edits: Sequence[GeofenceEdit]) -> None:
        """Restore several deleted geofences as one step; those that conflict with others are listed."""
        dialog, versions = self.dialog, [edit.geofence for edit in edits]
        if dialog is None:
            return

        def shown(act: Callable[[], object]) -> None:
            if self.dialog is dialog:
                act()

        def failed(error: Exception) -> None:
            shown(lambda: dialog.set_busy(False))
            self._model.report_error(error)

        def done(answer: RestoredAll) -> None:
            shown(lambda: dialog.set_busy(False))
            restored = tr("Restored {geofences}.", geofences=counted(len(answer.outcome.fence_ids), "geofence"))
            if answer.outcome.fence_ids:
                self._undoing.offer(restored, answer.outcome)
                self._model.selection.select_fences(answer.outcome.fence_ids)
            if answer.refused:
                text = tr("{geofences} not restored.", geofences=counted(len(answer.refused), "geofence"))
                around = dialog if self.dialog is dialog else self._window
                ConflictsDialog(around, f"{restored} {text}", answer.refused).open()

        noun = counted(len(versions), "geofence")
        step = tr("Restore {geofences}", geofences=noun)
        dialog.set_busy(True)
        self._confirmation.confirm(
            tr("Restore {geofences} in Live?", geofences=noun),
            tr("Restore"),
            lambda: self._model.edit(lambda editor: editor.restore_all(step, versions), done, failed, step),
            lambda: shown(lambda: dialog.set_busy(False)),
        )

    # Closing

    def _on_finished(self) -> None:
        self.dialog = None
        self._shown_id = self._chosen = None
        self._shapes.clear()

    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.close()
