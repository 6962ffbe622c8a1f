"""Controller of sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.files import FileChooser
from app.desktop.dialogs.whatif.sweep import SweepDialog
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.words import error_text, fence_name
from app.desktop.operations import Lane, Task
from app.desktop.panels.whatif.panel import WhatIfPanel
from app.desktop.panels.widgets import key_text
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.files import write_file
from app.sweeps import DEFAULT_ACCURACY_M, SweepRequest, run_sweep, table_text
from engine.domain.errors import InvalidParameter
from engine.domain.fields.settings import changed_settings
from engine.domain.geofence import Geofence
from engine.domain.ports import Cancelled, Progress
from engine.domain.settings import NO_SETTINGS_CHANGE
from engine.domain.tracking.sweep import SweepPoint, SweepResult
from engine.domain.tracking.updates import EventType
from engine.domain.values import replace
from engine.simulation.noise.model import PRESETS

_DRAWN_EVERY_S = 0.2


class SweepController(QObject):
    """Opens the dialog for the selected geofence and the loaded track, and runs the requested sweep."""

    _found = Signal(object)

    def __init__(
        self, window: QWidget, model: WorkspaceModel, panel: WhatIfPanel, files: FileChooser, message: MessageLine
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._panel = window, model, panel
        self._files, self._message = files, message
        self._task: Task | None = None
        self._drawn = 0.0
        self._theme: Theme = "light"
        self.dialog: SweepDialog | None = None
        panel.sweep_requested.connect(self.open)
        self._found.connect(self._on_found)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the next dialog."""
        self._theme = theme

    def open(self) -> None:
        """Open the dialog, or report the missing geofence or track."""
        fence, track = self._fence(), self._model.simulation.track
        if fence is None:
            self._message.complain(tr("Select a geofence first."))
        elif track is None:
            self._message.complain(
                tr("Open the true track of the device first ({shortcut}).", shortcut=key_text("Ctrl+T"))
            )
        else:
            title = tr(
                "{geofence_name} · {track_name}. True events are those of the track without noise.",
                geofence_name=fence_name(fence.summary),
                track_name=track.name,
            )
            dialog = self.dialog = SweepDialog(self._window, title, self._theme)
            dialog.run_requested.connect(self.run)
            dialog.cancel_requested.connect(self.cancel)
            dialog.csv_requested.connect(self._choose_csv)
            dialog.png_requested.connect(self._choose_png)
            dialog.destroyed.connect(self._forget)
            dialog.open()

    def run(self) -> None:
        """Run the sweep requested in the dialog."""
        dialog, request = self.dialog, self._request()
        if dialog is None or request is None:
            return
        dialog.show_error("")

        def work(progress: Progress) -> SweepResult:
            return run_sweep(request, progress, lambda points: self._emit_points(request, points))

        def done(result: SweepResult) -> None:
            self._task = None
            if self.dialog is dialog:
                dialog.show_points(result, finished=True)
                dialog.show_running(False)

        def failed(error: Exception) -> None:
            self._task = None
            if self.dialog is dialog:
                dialog.show_running(False)
                if not isinstance(error, Cancelled):
                    dialog.show_error(error_text(error))

        dialog.show_running(True)
        self._task = self._model.operations.aside(Lane.SWEEPING, tr("Sweeping"), work, done, failed)

    def cancel(self) -> None:
        """Cancel the running sweep."""
        if self._task is not None:
            self._task.cancel()

    def _emit_points(self, request: SweepRequest, points: Sequence[SweepPoint]) -> None:
        """Emit the points found so far. Called in the thread of the sweep."""
        if monotonic() - self._drawn >= _DRAWN_EVERY_S:
            self._drawn = monotonic()
            self._found.emit(SweepResult(request.parameter, tuple(points)))

    def _on_found(self, result: SweepResult) -> None:
        if self.dialog is not None and self._task is not None:
            self.dialog.show_points(result, finished=False)

    def _forget(self) -> None:
        self.dialog = None

    def _fence(self) -> Geofence | None:
        return self._model.fences.get(self._model.selection.fence_id)

    def _request(self) -> SweepRequest | None:
        dialog, fence, simulation = self.dialog, self._fence(), self._model.simulation
        if dialog is None or fence is None or simulation.track is None:
            return None
        noise = dialog.noise.currentData()
        try:
            change = replace(NO_SETTINGS_CHANGE, **self._panel.changes())  # type: ignore[arg-type]
            return SweepRequest(
                parameter=dialog.chosen,
                low=dialog.low.value(),
                high=dialog.high.value(),
                steps=round(dialog.steps.value()),
                seeds=round(dialog.seeds.value()),
                geofence=fence,
                settings=changed_settings(self._model.settings, change),
                event_type=EventType(dialog.event_.currentData()),
                track=simulation.track,
                noise=None if noise is None else PRESETS[noise],
                now=self._model.now(),
                assume_speed_kmh=simulation.timing.assume_speed_kmh,
                accuracy_m=simulation.sender.accuracy_m or DEFAULT_ACCURACY_M,
            )
        except InvalidParameter as error:
            dialog.show_error(error_text(error))
            return None

    # Saving

    def _choose_csv(self) -> None:
        self._files.save_file(tr("Save the sweep"), "sweep.csv", tr("CSV (*.csv)"), self.save_csv)

    def _choose_png(self) -> None:
        self._files.save_file(tr("Save the picture"), "sweep.png", tr("PNG (*.png)"), self.save_png)

    def save_csv(self, file: Path) -> None:
        """Save the points as CSV."""
        dialog = self.dialog
        if dialog is not None and dialog.result_ is not None:
            self._save(dialog, file, table_text(dialog.result_).encode())

    def save_png(self, file: Path) -> None:
        """Save the curves as a PNG."""
        dialog = self.dialog
        if dialog is not None:
            self._save(dialog, file, dialog.plot.png())

    def _save(self, dialog: SweepDialog, file: Path, content: bytes) -> None:
        try:
            write_file(file, content)
        except InvalidParameter as error:
            dialog.show_error(error_text(error))
