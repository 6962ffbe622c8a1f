"""A simulated fleet: planned in the background, sent from its own thread, shown in the status line."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import ceil

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.simulation.fleet import FleetDialog, FleetWish
from app.desktop.language import counted, tr
from app.desktop.model.fences import made_of
from app.desktop.model.simulation.status import without_routes
from app.desktop.operations import Lane, Task
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.ports import Cancelled, Progress
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.engine import Engine
from engine.geo.shapes import shape_of
from engine.simulation.fleet.fleet import Fleet, FleetState, FleetStatus
from engine.simulation.fleet.plan import Ground, Target, ground_around
from engine.simulation.fleet.trips import Lap, laps
from engine.simulation.fleet.updates import duration_s, updates_of

_MOST_TARGETS = 1_000


class FleetController(QObject):
    """Plans, starts and stops one fleet at a time."""

    _progressed = Signal(object)

    def __init__(
        self, window: QWidget, model: WorkspaceModel, message: MessageLine, confirmation: LiveConfirmation
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._message, self._confirmation = window, model, message, confirmation
        self._dialog: FleetDialog | None = None
        self.fleet: Fleet | None = None
        self._task: Task | None = None
        self._unrouted = 0
        """Number of updates that were sent without the route of their trip."""
        self._lasts_s = 0
        """Duration of the fleet in simulated time, in seconds; 0 if it has no end, in which case the bar shows no
        progress."""
        self._progressed.connect(self._on_progress)
        model.environment_changed.connect(self._leave)
        model.opened.connect(self._forget)

    @property
    def dialog(self) -> FleetDialog:
        """The dialog, created on first use."""
        if self._dialog is None:
            dialog = self._dialog = FleetDialog(self._window)
            dialog.start_requested.connect(self._on_start)
            dialog.stop_requested.connect(self.stop)
        return self._dialog

    def open(self) -> None:
        """Open the dialog."""
        if self._model.session is not None:
            self.dialog.show_tags(self._model.fences.tags())
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()

    def stop(self) -> None:
        """Cancel the planning or stop the running fleet."""
        if self._task is not None:
            self._task.cancel()
        if self.fleet is not None:
            self.fleet.ask_to_stop()

    def _leave(self) -> None:
        """Stop the fleet before its workspace is closed, which happens in the same worker."""
        self.stop()
        if self.fleet is not None:
            self._model.operations.retire(self.fleet.stop)

    def _forget(self) -> None:
        """Clear the status of a fleet that ended in the previous workspace."""
        if self._dialog is not None and self.fleet is None and self._task is None:
            self._dialog.show_status(None)

    def _on_start(self, wish: FleetWish) -> None:
        if self._task is None:
            text = tr("Simulate {devices} in Live?", devices=counted(wish.plan.devices, "device"))
            self._confirmation.confirm(text, tr("Start"), lambda: self._plan(wish))

    def _plan(self, wish: FleetWish) -> None:
        session = self._model.session
        if session is None:
            return
        engine, environment = session.engine, self._model.environment
        fences = [made_of(fence) for fence in self._model.fences.named() if wish.tag and fence.tag == wish.tag]

        def work(progress: Progress) -> tuple[Lap, ...]:
            return laps(engine.routing, wish.plan, _ground(engine, fences), progress)

        self.dialog.show_planning()
        self._task = self._model.operations.aside(
            Lane.PLANNING,
            tr("Finding trips for the fleet"),
            work,
            lambda found: self._run(engine, environment, wish, found),
            self._on_failed,
        )

    def _on_failed(self, error: Exception) -> None:
        self._task = None
        self.dialog.show_status(None)
        if not isinstance(error, Cancelled):
            self.dialog.show_error(error)

    def _run(self, engine: Engine, environment: Environment, wish: FleetWish, found: Sequence[Lap]) -> None:
        cancelled = self._task is not None and self._task.cancelled
        self._task = None
        if cancelled or self._model.environment is not environment:
            self.dialog.show_status(None)
            return
        text = tr("Fleet of {devices}", devices=counted(wish.plan.devices, "device"))
        task = self._task = self._model.operations.begin(text, lambda: fleet.stop())
        self._unrouted = 0

        def send(updates: Sequence[LocationUpdate]) -> list[int | BaseException]:
            if task.cancelled:
                raise Cancelled
            answers = engine.tracking.track_all(environment, updates)
            self._unrouted += sum(isinstance(answer, TrackResult) and answer.lacks_route for answer in answers)
            return [answer if isinstance(answer, BaseException) else len(answer.events) for answer in answers]

        start = engine.clock_of(environment).now()
        devices = [updates_of(wish.plan, lap, start) for lap in found]
        self._lasts_s = ceil(duration_s(wish.plan, found) or 0)
        fleet = self.fleet = Fleet(send, devices, speed=wish.speed, on_progress=self._emit_progress)
        fleet.start()
        self.dialog.show_status(fleet.status)

    def _emit_progress(self, status: FleetStatus) -> None:
        """Emit the status of the fleet. Runs in the fleet's thread, which may outlive the window."""
        with suppress(RuntimeError):
            self._progressed.emit(status)

    def _on_progress(self, status: FleetStatus) -> None:
        fleet, task = self.fleet, self._task
        if fleet is None or task is None:
            return
        self.dialog.show_status(status)
        task.progressed.emit(min(int(status.elapsed_s), self._lasts_s), self._lasts_s)
        if task.cancelled:
            fleet.ask_to_stop()
        if status.state not in (FleetState.READY, FleetState.RUNNING):
            self.fleet = self._task = None
            self._model.operations.end(task)
            self._report_end(status)

    def _report_end(self, status: FleetStatus) -> None:
        """Report that the fleet has arrived if its dialog is hidden, or that updates without a route have inaccurate
        ETAs."""
        if self._unrouted:
            self._message.show_info(without_routes(self._unrouted))
            return
        if status.state is FleetState.FINISHED and not self.dialog.isVisible():
            self._message.show_info(
                tr("The fleet has arrived: {fixes} sent.", fixes=counted(status.sent, "fix", "fixes")),
                tr("Show"),
                self.open,
            )


def _ground(engine: Engine, fences: Sequence[Geofence]) -> Ground:
    """Return the ground for a fleet: around the geofences if any are given, else within the areas in use."""
    targets = [Target(shape_of(fence.geometry).center, fence.id) for fence in fences[:_MOST_TARGETS]]
    return ground_around(targets, () if targets else tuple(area.bounds for area in engine.areas.in_use()))
