"""Fences between the user and the engine: drawing, editing, deleting, undo and redo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.desk import Desk
from app.desktop.dialogs.ask import Answer, ask
from app.desktop.map import MapView
from app.desktop.model.editing import ChangedByOthers, FenceEditor, Outcome
from app.desktop.model.naming import DEFAULT_TAG, new_fence
from app.desktop.panels.fence_form import FenceForm
from app.desktop.shapes import Drawn, geometry_change, moved_change
from app.desktop.window.actions import Actions
from app.desktop.window.gate import Gate
from app.desktop.window.message import MessageLine
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle


class FenceController(QObject):
    """Turns what happens on the map and in the form into operations, and shows what became of them.

    `created` carries the ID of a geofence that the user has made, `refused` that of one whose change failed.
    """

    created = Signal(str)
    refused = Signal(str)

    def __init__(
        self, window: QWidget, desk: Desk, map_view: MapView, form: FenceForm, message: MessageLine, gate: Gate
    ) -> None:
        super().__init__(window)
        self._window, self._desk, self._map, self._form = window, desk, map_view, form
        self._message, self._gate = message, gate
        self._last_created: str | None = None
        map_view.circle_drawn.connect(self.create)
        map_view.polygon_drawn.connect(self.create)
        map_view.fence_edited.connect(self.reshape)
        map_view.fence_delete_requested.connect(self.delete)
        form.changed.connect(self.edit)
        form.delete_requested.connect(self.delete)
        form.abandoned.connect(self._on_abandoned)
        form.radius_previewed.connect(self._preview_radius)

    def connect_actions(self, actions: Actions) -> None:
        """Let the actions act."""
        actions.delete.triggered.connect(lambda: self.delete(self._desk.selection.fence_id))
        actions.undo.triggered.connect(lambda: self.undo())
        actions.redo.triggered.connect(lambda: self.redo())
        self._desk.history_changed.connect(lambda: actions.show_history(self._desk.history))

    # Create

    def create(self, shape: Drawn) -> None:
        """Create a fence for a drawn shape, at once, with defaults that the form then lets the user change."""

        def failed(error: Exception) -> None:
            self._map.discard_drawing()
            self._message.complain(str(error))

        self.create_from(geometry_change(shape), _nothing, failed, self._map.discard_drawing)

    def create_from(
        self,
        geometry: GeofenceChange,
        done: Callable[[], object],
        failed: Callable[[Exception], None],
        cancelled: Callable[[], object] | None = None,
    ) -> None:
        """Create a fence with this geometry, then call `done`; `cancelled` where the user thinks better of it."""
        last = self._desk.fences.get(self._last_created)
        change = new_fence(self._desk.fences.all(), last.tag if last else DEFAULT_TAG, geometry)

        def created(outcome: Outcome) -> None:
            self._last_created = outcome.fence_id
            done()
            self._desk.selection.select_fence(outcome.fence_id)
            self.created.emit(outcome.fence_id)

        def act() -> None:
            self._desk.edit(lambda editor: editor.create(change), created, failed)

        self._gate.pass_through(f"Create {change.description} in Live?", "Create", act, cancelled)

    # Edit

    def edit(self, fence_id: str, change: GeofenceChange) -> None:
        """Change fields of a fence from the form; what is wrong is shown at the field."""
        fence = self._desk.fences.get(fence_id)
        if fence is None:
            return

        def failed(error: Exception) -> None:
            self._give_up(fence_id)
            self._show_at_field(fence_id, error)

        self._desk.edit(lambda editor: editor.edit(fence, change), lambda _: self._form.accept(), failed)

    def _on_abandoned(self, fence: Geofence, change: GeofenceChange) -> None:
        self._give_up(fence.id)
        text = f"Changes to {fence.description} were not applied to Live."
        self._message.complain(text, "Apply to Live", lambda: self.edit(fence.id, change))

    def reshape(self, fence_id: str, shape: Drawn) -> None:
        """Take a shape over that was dragged on the map; the map shows the stored one where that fails."""
        fence = self._desk.fences.get(fence_id)
        if fence is None:
            return
        change = moved_change(fence.geometry, shape)
        if change == GeofenceChange():
            self._restore_on_map(fence_id)
        else:
            self.change_shape(fence_id, change)

    def change_shape(self, fence_id: str, change: GeofenceChange) -> None:
        """Change the geometry of a fence; the map shows the stored one where that fails."""
        fence = self._desk.fences.get(fence_id)
        if fence is None:
            return

        def act() -> None:
            self._desk.edit(lambda editor: editor.edit(fence, change), lambda _: None, failed)

        def failed(error: Exception) -> None:
            self._give_up(fence_id)
            self._show_at_field(fence_id, error)

        revert: Callable[[], None] = lambda: self._give_up(fence_id)  # noqa: E731
        self._gate.pass_through(f"Change the shape of {fence.description} in Live?", "Change", act, revert)

    def _show_at_field(self, fence_id: str, error: Exception) -> None:
        param = error.param if isinstance(error, InvalidParameter | Conflict | NotFound) else ""
        shown = self._form.fence is not None and self._form.fence.id == fence_id
        if shown and param in self._form.params:
            self._form.show_errors({param: str(error)})
        else:
            self._message.complain(str(error))

    def _give_up(self, fence_id: str) -> None:
        self.refused.emit(fence_id)
        self._restore_on_map(fence_id)

    def _restore_on_map(self, fence_id: str) -> None:
        fence = self._desk.fences.get(fence_id)
        if fence is not None:
            self._show_on_map(fence)

    def _show_on_map(self, fence: Geofence) -> None:
        self._map.update_fences([self._desk.drawn(fence)])

    def _preview_radius(self, fence_id: str, metres: float) -> None:
        fence = self._desk.fences.get(fence_id)
        if fence is not None and isinstance(fence.geometry, Circle):
            self._show_on_map(replace(fence, geometry=replace(fence.geometry, radius_m=metres)))

    # Delete

    def delete(self, fence_id: str | None) -> None:
        """Delete a fence; it can be undone."""
        fence = self._desk.fences.get(fence_id)
        if fence is None:
            return

        def act() -> None:
            self._desk.edit(lambda editor: editor.delete(fence.id), done)

        def done(_: Outcome) -> None:
            self._message.say(f"Deleted {fence.description}.", "Undo", self.undo)

        self._gate.pass_through(f"Delete {fence.description} from Live?", "Delete", act)

    # Undo and redo

    def undo(self) -> None:
        """Take the last change back."""
        self._gate_step("Undo", self._desk.history.undo, self._undo)

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        self._gate_step("Redo", self._desk.history.redo, self._redo)

    def _gate_step(self, verb: str, what: str | None, step: Callable[[], None]) -> None:
        if what is not None:
            self._gate.pass_through(f"{verb} “{what}” in Live?", verb, step)

    def _undo(self, *, anyway: bool = False) -> None:
        self._step("Undo", lambda editor: editor.undo(anyway=anyway), self._undo_anyway, self._skip_undo)

    def _redo(self, *, anyway: bool = False) -> None:
        self._step("Redo", lambda editor: editor.redo(anyway=anyway), self._redo_anyway, self._skip_redo)

    def _undo_anyway(self) -> None:
        self._undo(anyway=True)

    def _redo_anyway(self) -> None:
        self._redo(anyway=True)

    def _skip_undo(self) -> None:
        self._desk.edit(lambda editor: editor.history.skip_undo())

    def _skip_redo(self) -> None:
        self._desk.edit(lambda editor: editor.history.skip_redo())

    def _step(
        self,
        verb: str,
        step: Callable[[FenceEditor], Outcome | None],
        anyway: Callable[[], None],
        skip: Callable[[], None],
    ) -> None:
        def done(outcome: Outcome | None) -> None:
            if outcome is not None and outcome.fence is not None:
                self._desk.selection.select_fence(outcome.fence_id)

        def failed(error: Exception) -> None:
            answers: list[Answer] = [("Skip this step", skip)]
            if isinstance(error, ChangedByOthers):
                answers.insert(0, (f"{verb} anyway", anyway))
            ask(self._window, f"{verb} is not possible", str(error), answers)

        self._desk.edit(step, done, failed)


def _nothing() -> None:
    """What is drawn has become what is shown."""
