"""Geofences in the window: drawing, editing and deleting them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.model.editing.changes import FenceEditor, Outcome, names_of, part_of
from app.desktop.model.editing.naming import DEFAULT_TAG, new_fence
from app.desktop.model.editing.pending import fence_with
from app.desktop.model.fences import FenceDelta
from app.desktop.model.words import error_text, fence_name
from app.desktop.operations import Failed
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.shapes import Drawn, geometry_change, moved_change
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.undoing import UndoController
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Geometry
from engine.domain.values import replace


class FenceController(QObject):
    """Performs the user's actions on the map and in the form as operations, and shows their results.

    `created` carries the ID of a geofence that the user has created, `refused` that of a geofence whose change failed.
    """

    created = Signal(str)
    refused = Signal(str)

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        form: FenceForm,
        undoing: UndoController,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._model, self._map, self._form = model, map_view, form
        self._undoing, self._message, self._confirmation = undoing, message, confirmation
        self._last_created: str | None = None
        self._deleting: set[str] = set()
        map_view.circle_drawn.connect(self.create)
        map_view.polygon_drawn.connect(self.create)
        map_view.fence_edited.connect(self.reshape)
        map_view.fence_delete_requested.connect(lambda _: self.delete_selected())
        form.changed.connect(self.edit)
        form.delete_requested.connect(self.delete)
        form.withdrawn.connect(model.pending.withdraw)
        form.restore_requested.connect(self.restore)
        form.left_behind.connect(self._on_left_behind)
        model.fences.changed.connect(self._on_fences)
        model.opened.connect(form.forget_drafts)
        form.shape_previewed.connect(self.preview_shape)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.delete.triggered.connect(lambda: self.delete_selected())

    # Creating

    def create(self, shape: Drawn) -> None:
        """Create a geofence from a drawn shape immediately, with defaults that the user can change in the form."""

        def failed(error: Exception) -> None:
            self._map.discard_drawing()
            self._message.complain(error_text(error))

        self.create_from(geometry_change(shape), _nothing, failed, self._map.discard_drawing)

    def create_from(
        self,
        geometry: GeofenceChange,
        done: Callable[[], object],
        failed: Callable[[Exception], None],
        cancelled: Callable[[], object] | None = None,
    ) -> None:
        """Create a geofence with this geometry and call `done`, or `cancelled` if the user declines."""
        last = self._model.fences.get(self._last_created)
        change = new_fence(self._model.fences.named(), last.tag if last else DEFAULT_TAG, geometry)

        def created(outcome: Outcome) -> None:
            self._last_created = outcome.fence_id
            done()
            # If the user is typing in the form, do not interrupt.
            if not self._form.has_keyboard:
                self._model.selection.select_fence(outcome.fence_id)
                self.created.emit(outcome.fence_id)

        def act() -> None:
            self._model.edit(lambda editor: editor.create(change), created, failed)

        self._confirmation.confirm(
            tr("Create {geofence_name} in Live?", geofence_name=change.description), tr("Create"), act, cancelled
        )

    # Editing

    def edit(self, fence_id: str, change: GeofenceChange) -> None:
        """Change fields of a geofence from the form and show errors at the fields.

        In Live the changes become pending.
        """
        fence = self._model.fences.get(fence_id)
        if fence is not None and self._is_locked(fence, change):
            return
        if self._form.fence is not None and self._form.fence.environment.live:
            shown = fence or self._form.fence
            given = {name: getattr(change, name) for name in names_of(change)}
            self._model.pending.propose_fence(shown, given, deleted=fence is None)
        elif fence is not None:
            self._store(fence, change)

    def _is_locked(self, fence: Geofence, change: GeofenceChange) -> bool:
        """Return whether a change would reshape a locked geofence; if so, show the error where the change was made."""
        try:
            self._model.fences.locks.check_change((fence,), names_of(change))
        except Conflict as error:
            self._refuse(fence, change, error)
            self._restore_on_map(fence.id)
            return True
        return False

    def _store(self, fence: Geofence, change: GeofenceChange) -> None:
        def done(_: Outcome) -> None:
            self._form.accept(fence.id, change)

        def failed(error: Exception) -> None:
            self._give_up(fence.id)
            self._refuse(fence, change, error)

        # The window may show the other environment by now.
        self._model.edit_in(fence.environment, lambda editor: editor.edit(fence, change), done, failed)

    def reshape(self, fence_id: str, shape: Drawn) -> None:
        """Store a shape that was dragged on the map, or show the stored shape again if this fails."""
        fence = self._model.fences.get(fence_id)
        if fence is None:
            return
        change = moved_change(self.shown(fence).geometry, shape)
        if change == GeofenceChange():
            self._restore_on_map(fence_id)
        else:
            self.change_shape(fence_id, change)

    def change_shape(self, fence_id: str, change: GeofenceChange) -> None:
        """Change the geometry of a geofence, or show the stored one again if this fails."""
        fence = self._model.fences.get(fence_id)
        if fence is None or self._is_locked(fence, change):
            return

        def act() -> None:
            self._model.edit_in(fence.environment, lambda editor: editor.edit(fence, change), done, failed)

        def done(_: Outcome) -> None:
            self._drop_pending(fence_id, change)

        def failed(error: Exception) -> None:
            self._give_up(fence_id)
            self._show_at_field(fence_id, error)

        revert: Callable[[], None] = lambda: self._give_up(fence_id)  # noqa: E731
        self._confirmation.confirm(
            tr("Change the shape of {geofence_name} in Live?", geofence_name=fence.description),
            tr("Change"),
            act,
            revert,
        )

    def store_text(
        self,
        fence: Geofence,
        change: GeofenceChange,
        done: Callable[[], object],
        failed: Callable[[Exception], None],
        cancelled: Callable[[], object],
    ) -> None:
        """Store a change typed as text, based on the version the user saw. In Live, ask for confirmation."""

        def stored(_: Outcome) -> None:
            self._drop_pending(fence.id, change)
            done()

        def act() -> None:
            self._model.edit_in(fence.environment, lambda editor: editor.edit(fence, change), stored, failed)

        self._confirmation.confirm(
            tr("Change {geofence_name} in Live?", geofence_name=fence.description), tr("Change"), act, cancelled
        )

    def _drop_pending(self, fence_id: str, change: GeofenceChange) -> None:
        """Drop the pending changes of fields that have just been stored."""
        pending, given = self._model.pending, names_of(change)
        pending.drop(each for each in pending.of(fence_id) if each.name in given)

    def _refuse(self, fence: Geofence, change: GeofenceChange, error: Exception) -> None:
        """Report an error in input from the form, even if the form now shows another geofence."""
        if self._form.refuse(fence.id, change, _param(error), error_text(error)):
            return
        if self._model.fences.get(fence.id) is None or self._is_shown(fence.id):
            self._message.complain(error_text(error))
        else:
            text = f"{fence_name(fence)}: {error_text(error)}"
            self._message.complain(text, tr("Show"), lambda: self._model.selection.select_fence(fence.id))

    def _is_shown(self, fence_id: str) -> bool:
        return self._form.fence is not None and self._form.fence.id == fence_id

    def _show_at_field(self, fence_id: str, error: Exception) -> None:
        param = _param(error)
        if self._is_shown(fence_id) and param in self._form.names:
            self._form.show_errors({param: error_text(error)})
        else:
            self._message.complain(error_text(error))

    def _give_up(self, fence_id: str) -> None:
        self.refused.emit(fence_id)
        self._restore_on_map(fence_id)

    def _restore_on_map(self, fence_id: str) -> None:
        fence = self._model.fences.get(fence_id)
        if fence is not None:
            self._show_on_map(self.shown(fence))

    def shown(self, fence: Geofence) -> Geofence:
        """Return a geofence as displayed on the map, including pending changes if it is in the form."""
        if not fence.environment.live or self._form.fence is None or self._form.fence.id != fence.id:
            return fence
        return fence_with(fence, self._model.pending.change_of_fence(fence.id))

    def _show_on_map(self, fence: Geofence) -> None:
        self._map.update_fences([self._model.drawn(fence)])

    def preview_shape(self, fence_id: str, geometry: Geometry) -> None:
        """Preview a geofence with another geometry on the map."""
        fence = self._model.fences.get(fence_id)
        if fence is not None:
            self._show_on_map(replace(fence, geometry=geometry))

    # Deletion by others

    def _on_fences(self, delta: FenceDelta) -> None:
        """Keep a geofence in the form if others delete it during editing, and select it again if it returns."""
        shown = self._form.fence
        if shown is None:
            return
        if shown.id in delta.removed and shown.id in self._deleting:
            self._form.give_up()
        elif shown.id in delta.removed:
            self._form.lose_fence()
        elif self._form.lost is not None and self._model.fences.get(shown.id) is not None:
            self._model.selection.select_fence(shown.id)

    def restore(self, fence: Geofence, change: GeofenceChange) -> None:
        """Restore a geofence that others have deleted, and apply the user's input to it."""
        seen = {name: part_of(fence, name) for name in names_of(change)}

        def work(editor: FenceEditor) -> Outcome:
            restored = editor.restore(fence)
            return editor.apply(fence.id, change, seen) if seen else restored

        def done(_: Outcome) -> None:
            self._form.accept(fence.id, change)
            self._model.selection.select_fence(fence.id)

        def failed(error: Exception) -> None:
            if _param(error) in names_of(change):
                self._refuse(fence, change, error)
            else:
                self._message.complain(
                    tr(
                        "{geofence_name} could not be restored. {error}",
                        geofence_name=fence_name(fence),
                        error=error_text(error),
                    )
                )

        self._model.edit_in(fence.environment, work, done, failed)

    def _on_left_behind(self, fence: Geofence, change: GeofenceChange) -> None:
        session = self._model.session

        def restore() -> None:
            if session is self._model.session:
                self.restore(fence, change)

        text = tr(
            "{geofence_name} was deleted by another client; your edits are not saved.", geofence_name=fence_name(fence)
        )
        self._message.complain(text, tr("Restore with it"), restore)

    # Deleting

    def delete(self, fence_id: str | None) -> None:
        """Delete a geofence. The user can undo this."""
        fence = self._model.fences.get(fence_id)
        if fence is None or fence.id in self._deleting:
            return

        pending = self._model.pending
        waiting = pending.of(fence.id)

        def act() -> None:
            self._deleting.add(fence.id)
            pending.drop(waiting)
            self._model.edit(lambda editor: editor.delete(fence.id), done, failed)

        def done(outcome: Outcome) -> None:
            self._deleting.discard(fence.id)
            self._undoing.offer(tr("Deleted {geofence_name}.", geofence_name=fence.description), outcome)

        def failed(error: Exception) -> None:
            self._deleting.discard(fence.id)
            pending.put_back(waiting, {fence.id: fence})
            self._model.report_error(error)

        question = tr("Delete {geofence_name} from Live?", geofence_name=fence.description)
        if waiting:
            question += tr(
                " Its {pending_changes} will be discarded.", pending_changes=counted(len(waiting), "pending change")
            )
        self._confirmation.confirm(question, tr("Delete"), act)

    # Several geofences

    def delete_selected(self) -> None:
        """Delete the selected geofences. The user can undo this as one step."""
        ids = self._model.selection.fence_ids
        fences = [fence for fence in map(self._model.fences.get, ids) if fence and fence.id not in self._deleting]
        if len(fences) > 1:
            self._delete_all(fences)
        elif fences:
            self.delete(fences[0].id)

    def _delete_all(self, fences: Sequence[Geofence]) -> None:
        pending, known = self._model.pending, {fence.id: fence for fence in fences}
        waiting = tuple(each for each in pending if each.owner in known) if fences[0].environment.live else ()
        noun = counted(len(fences), "geofence")
        text = tr("Delete {geofences}", geofences=noun)

        def act() -> None:
            self._deleting.update(known)
            pending.drop(waiting)
            self._model.edit(lambda editor: editor.delete_all(text, fences), done, failed, text)

        def done(outcome: Outcome) -> None:
            self._deleting.difference_update(known)
            self._undoing.offer(tr("Deleted {geofences}.", geofences=noun), outcome)

        def failed(error: Exception) -> None:
            self._deleting.difference_update(known)
            pending.put_back(waiting, known)
            self._model.report_error(error)

        question = tr("Delete {geofences} from Live?", geofences=noun)
        if waiting:
            question += tr(
                " {pending_changes} of them will be discarded.", pending_changes=counted(len(waiting), "pending change")
            )
        self._confirmation.confirm(question, tr("Delete"), act)

    def change_all(
        self,
        question: str,
        verb: str,
        message: str,
        work: Callable[[FenceEditor], Outcome],
        done: Callable[[Outcome], object] | None = None,
        failed: Failed | None = None,
        cancelled: Callable[[], object] | None = None,
        text: str = "",
    ) -> None:
        """Change several geofences as one step and report the result. In Live, ask `question` first.

        During the operation, `text` is displayed, or `verb` if it is empty. Without `failed`, errors are shown as
        messages. `cancelled` is called if the user declines.
        """

        def finish(outcome: Outcome) -> None:
            self._undoing.offer(message, outcome)
            if done is not None:
                done(outcome)

        act = lambda: self._model.edit(work, finish, failed, text or verb)  # noqa: E731
        self._confirmation.confirm(question, verb, act, cancelled)


def _param(error: Exception) -> str:
    return error.param if isinstance(error, InvalidParameter | Conflict | NotFound) else ""


def _nothing() -> None:
    """Do nothing, since the map already shows the shape."""
