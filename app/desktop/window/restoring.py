"""The view of a workspace, saved during work and restored when the workspace is opened again."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.memory import Memory
from app.desktop.model.fences import FenceDelta
from app.desktop.model.restoring.tracks import KeptTrack, write_track
from app.desktop.model.restoring.view import (
    MAX_SELECTED,
    NOTHING,
    Camera,
    Found,
    KeptView,
    TrackPlace,
    encode_view,
    read_kept,
    write_view,
)
from app.desktop.model.simulation.sender import Timing
from app.desktop.model.words import error_text
from app.desktop.panels.fence_table.table import FenceTable
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.simulator import SPEEDS, SimulatorPanel
from app.desktop.session import Session
from app.desktop.timeline.panel import TimelinePanel
from app.desktop.window.controllers.areas import AreaController
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.controllers.simulation.phones import PhoneController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track
from engine.domain.values import replace

_KEPT_EVERY_MS = 1_000
"""Interval of saving, and so the most that a crash can lose, in milliseconds."""


class Parts(Struct, frozen=True):
    """The parts of the window whose state is saved."""

    window: QMainWindow
    map: MapView
    on_map: OnMap
    form: FenceForm
    table: FenceTable
    simulator: SimulatorPanel
    phones: PhoneController
    timeline: TimelinePanel
    online_map: QAction


class ViewKeeper(QObject):
    """Saves the view of the open workspace with it, and restores that of the next one.

    Nothing is saved for temporary workspaces, or if the window remembers nothing.
    """

    restored = Signal()
    """Emitted when the map shows its saved view."""

    def __init__(self, parts: Parts, model: WorkspaceModel, memory: Memory, message: MessageLine) -> None:
        super().__init__(parts.window)
        self._parts, self._model, self._memory, self._message = parts, model, memory, message
        self._found = NOTHING
        self._opening = self._complained = False
        self._settled = False
        """Whether restoring is complete; nothing is saved before that."""
        self._written = b""
        self._track: KeptTrack | None = None
        self._place: TrackPlace | None = None
        self._soon = QTimer(self, singleShot=True, interval=_KEPT_EVERY_MS)
        self._soon.timeout.connect(self.keep)

    def follow(self, areas: AreaController) -> None:
        """Connect the signals of everything that is saved."""
        self.restored.connect(areas.stay)
        parts, model = self._parts, self._model
        for changed in (parts.map.camera_changed, model.environment_changed, model.simulation_progressed):
            changed.connect(self._ring)
        model.selection.changed.connect(self._ring)
        model.simulation.loaded.connect(self._on_loaded)
        model.fences.changed.connect(self._on_fences)
        parts.online_map.toggled.connect(self._ring)
        parts.form.switch.chosen.connect(self._ring)
        parts.table.head.filter_changed.connect(self._ring)
        parts.timeline.unfolded.connect(self._ring)
        for dock in parts.window.findChildren(QDockWidget):
            dock.visibilityChanged.connect(self._ring)
            dock.dockLocationChanged.connect(self._ring)
        # No signal reports resized panels, so the map between them is watched.
        parts.map.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Note that panels around the map were resized."""
        if event.type() == QEvent.Type.Resize:
            self._ring()
        return super().eventFilter(watched, event)

    # Saving

    @property
    def _folder(self) -> Path | None:
        """The folder of the open workspace if its view is saved, else None."""
        session = self._model.session
        if session is None or session.engine.workspace.temporary or not self._memory.remembers:
            return None
        if session.engine.watch.problem is not None:
            return None  # another workspace may be at its path
        return session.engine.workspace.folder

    def _ring(self, *_: object) -> None:
        if self._settled and not self._soon.isActive():
            self._soon.start()

    def keep(self) -> None:
        """Save the view in a thread, unless it is unchanged since the last time."""
        self._soon.stop()
        folder = self._folder
        if folder is None or not self._settled or not self._parts.map.is_ready():
            return
        view = self._view()
        content = encode_view(view)
        if content != self._written:
            self._written = content
            self._model.operations.change(lambda: write_view(folder, view), lambda _: None, self._on_failed)

    def _view(self) -> KeptView:
        parts, selection = self._parts, self._model.selection
        return KeptView(
            environment=self._model.environment,
            camera=Camera(*parts.map.center(), parts.map.zoom()),
            online_map=parts.online_map.isChecked(),
            fence_ids=selection.fence_ids if len(selection.fence_ids) <= MAX_SELECTED else (),
            fence_id=selection.fence_id,
            beacon_id=selection.beacon_id,
            form_page=parts.form.page,
            table_filter=parts.table.filter_text,
            timeline=parts.timeline.is_open,
            panels=bytes(parts.window.saveState().data()),
            track=self._track_place(),
        )

    def _track_place(self) -> TrackPlace | None:
        simulation, kept = self._model.simulation, self._track
        if kept is None or simulation.track is not kept.track:
            return None
        if self._place is not None:
            return self._place
        sender = replace(simulation.sender, trip_to=None)  # a trip would start again
        return TrackPlace(kept.key, simulation.status.position, simulation.speed, sender, simulation.phone)

    def _on_loaded(self) -> None:
        """Save a newly loaded track of the user, or delete the saved one if it was unloaded or replaced by a
        demonstration."""
        self._go_on()
        folder, simulation = self._folder, self._model.simulation
        own = simulation.track if simulation.demonstration is None else None
        if folder is None or not self._settled or own is (self._track.track if self._track else None):
            return
        self._track = None if own is None else self._new_track(own)
        kept = self._track
        self._model.operations.change(lambda: write_track(folder, kept), lambda _: None, self._on_failed)
        self._ring()

    def _new_track(self, track: Track) -> KeptTrack:
        simulation = self._model.simulation
        timing = simulation.timing
        if timing.assume_speed_kmh is not None and timing.start is None and simulation.exact:
            # Its start was the time at which it was loaded.
            timing = Timing(timing.assume_speed_kmh, simulation.exact[0].at)
        return KeptTrack(token_hex(8), track, timing)

    def _on_failed(self, error: Exception) -> None:
        self._written = b""
        if not self._complained:
            self._complained = True
            self._message.complain(
                tr("The view of this workspace could not be saved. {error}", error=error_text(error))
            )

    # Restoring

    def read(self, session: Session) -> Found:
        """Return the saved view and track of a workspace. Runs in a worker thread."""
        workspace = session.engine.workspace
        return NOTHING if workspace.temporary or not self._memory.remembers else read_kept(workspace.folder)

    def leave(self) -> None:
        """Save the view of the workspace being closed, and stop saving until the next one is restored."""
        self.keep()
        self._soon.stop()
        self._settled = False
        self._track, self._place, self._written = None, None, b""

    def begin(self, found: Found) -> Environment | None:
        """Prepare to restore the next workspace, and return its last shown environment, or None if unknown."""
        self._found, self._opening, self._complained = found, True, False
        view = found.view
        if view is None:
            return None
        self._parts.on_map.begin_at(view.camera.longitude, view.camera.latitude, view.camera.zoom)
        return view.environment

    def restore(self) -> None:
        """Restore the view of the workspace that has been opened."""
        self._opening = False
        view = self._found.view
        if view is not None:
            self._restore_parts(view)
            self.restored.emit()
        self._restore_track(self._found)
        if self._found.problem:
            self._message.complain(self._found.problem)
        self._on_fences(None)

    def _restore_parts(self, view: KeptView) -> None:
        parts = self._parts
        parts.timeline.unfold(view.timeline)
        if view.panels:
            parts.window.restoreState(view.panels)
        parts.form.show_section(min(view.form_page, len(parts.form.sections) - 1))
        parts.table.show_filter(view.table_filter)
        parts.online_map.setChecked(view.online_map)

    def _restore_track(self, found: Found) -> None:
        kept, simulation = found.track, self._model.simulation
        if kept is None:
            return
        place = found.view.track if found.view is not None else None
        if place is not None and place.key != kept.key:
            place = None
        if place is not None:
            self._parts.phones.expect(place.phone)
        self._parts.on_map.know_track(kept.track)
        try:
            simulation.load(kept.track, kept.timing, self._model.now())
        except InvalidParameter as error:
            self._message.complain(
                tr("The track of the simulator cannot be restored. {error}", error=error_text(error))
            )
            return
        self._track, self._place = kept, place
        self._go_on()

    def _go_on(self) -> None:
        """Return to the saved position of the track once its phone is applied again."""
        simulation, place = self._model.simulation, self._place
        if place is None or self._track is None or simulation.track is not self._track.track:
            self._place = None
            return
        if simulation.phone != place.phone:
            return
        self._place = None
        try:
            simulation.configure(place.sender)
        except InvalidParameter:
            return
        if place.speed in [speed for _, speed in SPEEDS]:
            simulation.set_speed(place.speed)
        self._parts.simulator.fill()
        if 0 < place.position <= len(simulation.fixes):
            simulation.seek(place.position)

    def _on_fences(self, _: FenceDelta | None) -> None:
        """Restore the selection once the geofences are loaded."""
        if self._settled or self._folder is None or self._model.fences.is_waiting or self._opening:
            return
        view, self._found = self._found.view, NOTHING
        self._settled = True
        if view is not None:
            self._select(view)
        self._on_loaded()  # another track may have been opened in the meantime
        self._ring()

    def _select(self, view: KeptView) -> None:
        selection, fences = self._model.selection, self._model.fences
        there = tuple(each for each in view.fence_ids if fences.get(each) is not None)
        if there:
            selection.select_fences(there, view.fence_id)
        elif view.beacon_id is not None and self._model.beacons.get(view.beacon_id) is not None:
            selection.select_beacon(view.beacon_id)
