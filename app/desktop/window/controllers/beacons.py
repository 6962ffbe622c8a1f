"""Beacons in the window: listing, placing on the map, editing, moving and deleting them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.beacons import BeaconsDialog
from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.model.beacons import BeaconDelta, beacon_name
from app.desktop.model.editing.beacon_sheet import new_sheet
from app.desktop.model.editing.changes import Outcome
from app.desktop.model.words import error_text
from app.desktop.panels.beacon.form import BeaconForm
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.undoing import UndoController
from app.desktop.window.docks import Docks
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geometry import Point
from engine.domain.tracking.beacon import Beacon, BeaconChange

_CLOSE_ZOOM = 17.0


class BeaconController(QObject):
    """Performs the user's actions in the form, the list and the map as operations, and shows their results."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        form: BeaconForm,
        docks: Docks,
        undoing: UndoController,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._map, self._form, self._docks = window, model, map_view, form, docks
        self._undoing, self._message, self._confirmation = undoing, message, confirmation
        self._last_created: str | None = None
        self._held: tuple[float, float] | None = None
        self._moving: str | None = None
        """The beacon that the next click with the tool moves, or None if the click places a new one."""
        self._deleting: set[str] = set()
        self._question: QMessageBox | None = None
        self._agreed: tuple[tuple[str, str], ...] = ()
        """The unsaved input that the user has agreed to discard."""
        self.dialog = BeaconsDialog(window, model.beacons)
        self._connect()

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.beacons.triggered.connect(lambda: self._open())
        actions.beacon.triggered.connect(lambda: self._start_tool())
        actions.delete.triggered.connect(lambda: self.delete(self._model.selection.beacon_id))
        self.dialog.new_requested.connect(actions.beacon.trigger)
        self._form.place_requested.connect(lambda: self._start_tool(self._form.beacon))

    def _connect(self) -> None:
        model, form, map_view = self._model, self._form, self._map
        self.dialog.beacon_chosen.connect(self._go_to)
        map_view.beacon_clicked.connect(self._choose)
        map_view.beacon_placed.connect(self._on_placed)
        map_view.beacon_moved.connect(self._on_dragged)
        map_view.tool_changed.connect(self._on_tool)
        form.save_requested.connect(self._save)
        form.restore_requested.connect(self._restore)
        form.delete_requested.connect(self.delete)
        form.zoom_requested.connect(self._zoom_to)
        form.edited.connect(self._show_state)
        model.selection.changed.connect(self._on_selection)
        model.beacons.changed.connect(self._on_beacons)
        model.environment_changed.connect(form.leave)
        model.opened.connect(lambda: form.forget_drafts())

    # List and map

    def _open(self) -> None:
        if self._model.session is not None:
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()

    def _choose(self, beacon_id: str) -> None:
        self._model.selection.select_beacon(beacon_id)
        self._docks.bring(self._docks.beacon)

    def _go_to(self, beacon_id: str) -> None:
        if self._model.beacons.get(beacon_id) is not None:
            self._choose(beacon_id)
            self._zoom_to(beacon_id)

    def _zoom_to(self, beacon_id: str) -> None:
        beacon = self._model.beacons.get(beacon_id)
        if beacon is not None:
            point = beacon.point
            self._map.show_point(point.longitude, point.latitude, zoom=max(self._map.zoom(), _CLOSE_ZOOM))

    def _on_selection(self) -> None:
        beacon = self._model.beacons.get(self._model.selection.beacon_id or "")
        if beacon is not None:
            self._form.show_beacon(beacon)
            self.dialog.show_beacon(beacon.id)
        elif not self._form.dirty:
            self._form.show_beacon(None)
        self._show_state()

    def _show_state(self) -> None:
        """Show the title of the form and the handle of its beacon on the map."""
        self._docks.note(self._docks.beacon, self._form.title)
        shown, selected = self._form.beacon, self._model.selection.beacon_id
        is_held = self._form.is_new or (shown is not None and shown.id == selected and not self._form.lost)
        point = (self._form.point if shown is None else shown.point) if is_held else None
        position = None if point is None else (point.longitude, point.latitude)
        if position != self._held:
            self._hold(position)

    def _hold(self, position: tuple[float, float] | None) -> None:
        self._held = position
        self._map.hold_beacon(position)

    def _on_beacons(self, delta: BeaconDelta) -> None:
        """Follow changes that others make to the beacon in the form."""
        self._form.fields.set_tags(self._model.beacons.tags())
        self._form.forget_drafts(delta.removed)
        shown = self._form.beacon
        if shown is None:
            return
        if shown.id in delta.removed and shown.id in self._deleting:
            self._form.give_up()
        elif shown.id in delta.removed:
            self._form.lose_beacon()
        elif (stored := next((each for each in delta.upserted if each.id == shown.id), None)) is not None:
            self._form.show_beacon(stored)

    def leave(self, verb: str, leave: Callable[[], object], stay: Callable[[], object] = lambda: None) -> None:
        """Call `leave`, which closes the workspace, at once or after the user agrees to discard input; else `stay`."""
        unsaved = self._form.unsaved()
        if not unsaved or unsaved == self._agreed:
            leave()
            return
        if self._question is not None:
            stay()
            return

        def discard() -> None:
            self._agreed = unsaved
            leave()

        names = unsaved[0][0] if len(unsaved) == 1 else counted(len(unsaved), "beacon")
        text = tr("Discard the unsaved changes of {beacons} and {action}?", beacons=names, action=verb)
        self._question = ask(self._window, tr("Beacons"), text, [(tr("Discard and {action}", action=verb), discard)])
        self._question.finished.connect(self._on_answered)
        self._question.rejected.connect(lambda: stay())

    def _on_answered(self) -> None:
        self._question = None

    # New beacons

    def _start_tool(self, beacon: Beacon | None = None) -> None:
        self._map.beacon_tool()
        self._moving = None if beacon is None else beacon.id

    def _on_tool(self, tool: str) -> None:
        if tool != "beacon":
            self._moving = None

    def _on_placed(self, longitude: float, latitude: float) -> None:
        moved = self._model.beacons.get(self._moving or "")
        self._map.select_tool()
        if moved is not None:
            self._move(moved, Point(longitude, latitude))
        else:
            self.start_at(Point(longitude, latitude))

    def start_at(self, point: Point) -> None:
        """Show the form of a new beacon at a point."""
        if self._model.session is None:
            return
        last = self._model.beacons.get(self._last_created or "")
        self._model.selection.select_beacon(None)
        self._form.show_new(new_sheet(self._model.environment, self._model.beacons.all(), last))
        self._form.place(point)
        self._docks.bring(self._docks.beacon)

    # Storing

    def _save(self, beacon: Beacon | None, change: BeaconChange) -> None:
        environment = self._model.environment if beacon is None else beacon.environment
        name = change.description if beacon is None else beacon_name(beacon)
        verb, done = (tr("Create"), tr("Create")) if beacon is None else (tr("Save"), tr("Change"))

        def act() -> None:
            self._form.begin(change)
            self._model.edit_beacons(
                environment,
                lambda editor: editor.create(change) if beacon is None else editor.edit(beacon, change),
                lambda outcome: self._on_saved(environment, beacon, change, outcome),
                lambda error: self._refuse(beacon, error),
            )

        self._confirmation.confirm(tr("{action} {beacon_name} in Live?", action=done, beacon_name=name), verb, act)

    def _on_saved(
        self, environment: Environment, beacon: Beacon | None, change: BeaconChange, outcome: Outcome
    ) -> None:
        if beacon is not None:
            self._form.accept(beacon.id, change)
            return
        assert outcome.beacon is not None
        self._last_created = outcome.beacon.id
        if self._form.finish_new(environment):
            self._model.selection.select_beacon(outcome.beacon.id)

    def _refuse(self, beacon: Beacon | None, error: Exception) -> None:
        """Report an error in the user's input, even if the form now shows another beacon."""
        if not self._form.refuse(beacon.id if beacon else "", _param(error), error_text(error)):
            name = f"{beacon_name(beacon)}: " if beacon else ""
            self._message.complain(f"{name}{error_text(error)}")

    def _restore(self, beacon: Beacon, change: BeaconChange) -> None:
        def act() -> None:
            self._form.begin(change)
            self._model.edit_beacons(beacon.environment, lambda editor: editor.restore(beacon, change), done, failed)

        def done(outcome: Outcome) -> None:
            self._form.accept(beacon.id, change)
            if outcome.beacon is not None and beacon.environment is self._model.environment:
                self._model.selection.select_beacon(beacon.id)

        def failed(error: Exception) -> None:
            self._refuse(beacon, error)

        self._confirmation.confirm(
            tr("Restore {beacon_name} in Live?", beacon_name=beacon_name(beacon)), tr("Restore"), act
        )

    def _on_dragged(self, longitude: float, latitude: float) -> None:
        point, shown = Point(longitude, latitude), self._form.beacon
        # The handle stays at the drop position until the operation has ended.
        self._held = (longitude, latitude)
        if self._form.is_new:
            self._form.place(point)
        elif shown is not None:
            self._move(shown, point)

    def _move(self, beacon: Beacon, point: Point) -> None:
        """Move a beacon, or show its stored position on the map again if this fails."""
        change = BeaconChange(geometry=point)

        def act() -> None:
            self._model.edit_beacons(beacon.environment, lambda editor: editor.edit(beacon, change), done, failed)

        def done(_: Outcome) -> None:
            if self._form.beacon is not None and self._form.beacon.id == beacon.id:
                self._form.forget_place()

        def failed(error: Exception) -> None:
            self._message.complain(f"{beacon_name(beacon)}: {error_text(error)}")
            self._show_state()

        self._confirmation.confirm(
            tr("Move {beacon_name} in Live?", beacon_name=beacon_name(beacon)), tr("Move"), act, self._show_state
        )

    def delete(self, beacon_id: str | None) -> None:
        """Delete a beacon. The user can undo this."""
        beacon = self._model.beacons.get(beacon_id or "")
        if beacon is None or beacon.id in self._deleting:
            return

        def act() -> None:
            self._deleting.add(beacon.id)
            self._model.edit_beacons(beacon.environment, lambda editor: editor.delete(beacon.id), done, failed)

        def done(outcome: Outcome) -> None:
            self._deleting.discard(beacon.id)
            self._undoing.offer(tr("Deleted {beacon_name}.", beacon_name=beacon_name(beacon)), outcome)

        def failed(error: Exception) -> None:
            self._deleting.discard(beacon.id)
            self._model.report_error(error)

        self._confirmation.confirm(
            tr("Delete {beacon_name} from Live?", beacon_name=beacon_name(beacon)), tr("Delete"), act
        )


def _param(error: Exception) -> str:
    return error.param if isinstance(error, InvalidParameter | Conflict | NotFound) else ""
