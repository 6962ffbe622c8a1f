"""The Track menu of the simulator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import while_open
from app.desktop.dialogs.files import FileChooser
from app.desktop.dialogs.tracks.numbers import NumberField, NumbersDialog
from app.desktop.dialogs.tracks.recording import RecordingDialog
from app.desktop.language import tr, translated
from app.desktop.map import MapView
from app.desktop.map.values import Position
from app.desktop.model.natural import naturally_sorted
from app.desktop.panels.menus import Menu
from app.desktop.panels.simulator import SimulatorPanel
from app.desktop.panels.widgets import tip_text
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.track_menu.editing import TrackEditing
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import RecordedQuery, Track
from engine.simulation.drawn import drawn_track
from engine.simulation.writing.writing import TrackFormat, left_out

_EXPORTS: Final = (
    (TrackFormat.GPX, "GPX…", tr("GPX (*.gpx)"), ".gpx"),
    (TrackFormat.XCODE, tr("GPX for Xcode…"), tr("GPX for Xcode (*.gpx)"), ".gpx"),
    (TrackFormat.CSV, "CSV…", tr("CSV (*.csv)"), ".csv"),
    (TrackFormat.GEOJSON, tr("GeoJSON…"), tr("GeoJSON (*.geojson)"), ".geojson"),
    (TrackFormat.ADB, tr("Android emulator script…"), tr("Shell scripts (*.sh)"), ".sh"),
    (TrackFormat.GEO_FIX, tr("Emulator console commands…"), tr("Text (*.txt)"), ".txt"),
)
_SPEED_KMH: Final = 5.0
_INTERVAL_S: Final = 1.0


class TrackMenu(QObject):
    """Draws, records, edits and exports the simulator's track."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        tracks: TrackController,
        panel: SimulatorPanel,
        map_view: MapView,
        files: FileChooser,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._tracks, self._map = window, model, tracks, map_view
        self._files, self._message = files, message
        self.editing = TrackEditing(window, model, files, message)
        self.menu = Menu(panel)
        self.menu.setToolTipsVisible(True)
        self._edits: list[QAction] = []
        self.menu.aboutToShow.connect(self._enable)
        panel.track_menu.setMenu(self.menu)
        map_view.track_drawn.connect(self._on_drawn)

    def connect_actions(self, actions: Actions) -> None:
        """Fill the menu and connect the tool for drawing."""
        menu, editing = self.menu, self.editing
        menu.addAction(actions.open_track)
        menu.addAction(actions.draw_track)
        actions.draw_track.triggered.connect(lambda: self._map.start_drawing_track())
        menu.addAction(actions.record_track)
        actions.record_track.triggered.connect(lambda: self.record())
        menu.addSeparator()
        self._add(tr("Cut before here"), tr("Remove the fixes before the slider"), editing.cut_before)
        self._add(tr("Cut after here"), tr("Remove the fixes after the slider"), editing.cut_after)
        self._add(tr("Reverse"), tr("Reverse the direction, keeping the duration"), editing.reverse)
        self._add(tr("Resample…"), tr("Space the fixes evenly in time"), editing.resample)
        self._add(tr("Join…"), tr("Append another track"), editing.join)
        self.undo = menu.addAction(tr("Undo edit"), editing.undo)
        menu.addSeparator()
        exports = menu.submenu(tr("Export"))
        self._edits.append(exports.menuAction())
        for track_format, text, kinds, suffix in _EXPORTS:
            exports.addAction(text, partial(self.export, track_format, kinds, suffix))
        self._enable()

    def record(self) -> None:
        """Ask for a device and load the track that it sent."""
        devices = naturally_sorted(user.device_id for user in self._model.users.all())
        selected = self._model.selection.event
        dialog = RecordingDialog(self._window, devices, selected.user.device_id if selected else None)
        dialog.chosen.connect(partial(self._record, dialog))
        dialog.open()

    def export(self, track_format: TrackFormat, kinds: str, suffix: str) -> None:
        """Let the user choose the file for the exported track."""
        track = self.editing.reported
        if track is not None:
            suggestion = f"{Path(track.name).stem or 'track'}{suffix}"
            self._files.save_file(tr("Export the track"), suggestion, kinds, partial(self._write, track, track_format))

    def _add(self, text: str, tip: str, act: Callable[[], None]) -> None:
        action = self.menu.addAction(text, act)
        action.setToolTip(tip_text(tip))
        self._edits.append(action)

    def _enable(self) -> None:
        for action in self._edits:
            action.setEnabled(self.editing.editable)
        self.undo.setEnabled(self.editing.undoable)

    def _write(self, track: Track, track_format: TrackFormat, file: Path) -> None:
        session = self._model.session

        def written(_: None) -> None:
            done = tr("Exported to {file_name}.", file_name=file.name)
            if missing := left_out(track, track_format):
                self._message.keep(" ".join((done, *map(translated, missing))))
            else:
                self._message.show_info(done)

        if session is not None:
            work = partial(session.export_track, file, track, track_format)
            self._model.operations.read(work, written, self._model.report_error)

    def _record(self, dialog: RecordingDialog, device: str, sent: bool) -> None:
        session, environment = self._model.session, self._model.environment
        if session is None:
            return

        def read() -> Track:
            if sent:
                return session.sent_track(environment, device)
            return session.engine.tracking.recorded(environment, RecordedQuery(device_id=device))

        def loaded(track: Track) -> None:
            dialog.accept()
            self._tracks.load(track)

        self._model.operations.read(read, while_open(dialog, loaded), while_open(dialog, dialog.refuse))

    def _on_drawn(self, positions: tuple[Position, ...]) -> None:
        points = [Point(longitude, latitude) for longitude, latitude in positions]
        fields = (
            NumberField("assume_speed_kmh", tr("Speed"), "km/h", _SPEED_KMH),
            NumberField("interval_s", tr("Fix interval"), "s", _INTERVAL_S),
        )
        text = tr("The device moves along the track at this speed, starting now.")
        dialog = NumbersDialog(self._window, tr("Draw a track"), text, fields, tr("Load"))
        dialog.chosen.connect(partial(self._draw, dialog, points))
        dialog.finished.connect(lambda _: self._map.discard_drawing())
        dialog.open()

    def _draw(self, dialog: NumbersDialog, points: list[Point], numbers: dict[str, float | None]) -> None:
        speed, interval, start = numbers["assume_speed_kmh"] or 0.0, numbers["interval_s"] or 0.0, self._model.now()

        def loaded(track: Track) -> None:
            dialog.accept()
            self._tracks.load(track)

        self._model.operations.read(
            lambda: drawn_track(points, speed, interval, start),
            while_open(dialog, loaded),
            while_open(dialog, dialog.refuse),
        )
