"""The simulated phone of the simulator's track: its noise and motion, computed outside the window's thread."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.simulation.noise import NoiseDialog
from app.desktop.model.simulation.status import SimulationState
from app.desktop.panels.simulation.phone import PhoneRow
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.tracking.tracks import Track
from engine.simulation.phone import EXACT, Phone
from engine.simulation.timing import ScheduledFix


class PhoneController(QObject):
    """Applies the requested phone to the track; of several requests in a row, only the last one counts."""

    def __init__(self, window: QWidget, model: WorkspaceModel, row: PhoneRow) -> None:
        super().__init__(window)
        self._window, self._model, self._row = window, model, row
        self._wanted: Phone = EXACT
        self._working = False
        self._of: Track | None = None
        row.wanted.connect(self._want)
        row.noise_requested.connect(self.open)
        model.simulation.loaded.connect(self._on_loaded)
        model.simulation_progressed.connect(self.refresh)
        self.refresh()

    def open(self) -> None:
        """Open the dialog for the parameters of the noise."""
        dialog = NoiseDialog(self._window, self._model.simulation.phone.noise)
        dialog.chosen.connect(self._row.want_noise)
        dialog.open()

    def expect(self, phone: Phone) -> None:
        """Use this phone for the next track."""
        self._wanted = phone

    def refresh(self) -> None:
        """Disable the row while the track plays."""
        simulation = self._model.simulation
        playing = simulation.status.state is SimulationState.PLAYING
        self._row.setEnabled(simulation.track is not None and not playing)

    def _on_loaded(self) -> None:
        """Apply the previous phone to a new track; a demonstration is played unchanged."""
        simulation = self._model.simulation
        before, self._of = self._of, simulation.track
        is_new = simulation.track is not None and simulation.track is not before
        if is_new and simulation.demonstration is None and self._wanted != simulation.phone:
            self._work()
            return
        if not self._working:
            self._row.show_phone(simulation.phone)
        self.refresh()

    def _want(self, phone: Phone) -> None:
        self._wanted = phone
        if not self._working:
            self._work()

    def _work(self) -> None:
        simulation, phone = self._model.simulation, self._wanted
        exact = simulation.exact
        if not exact:
            return
        self._working = True

        def done(fixes: tuple[ScheduledFix, ...]) -> None:
            self._working = False
            if simulation.exact is not exact or self._wanted != phone:
                self._work()
            else:
                simulation.carry(phone, fixes)

        def failed(error: Exception) -> None:
            self._working = False
            if simulation.exact is not exact or self._wanted != phone:
                self._work()
                return
            self._wanted = simulation.phone
            self._row.show_phone(simulation.phone)
            self._model.report_error(error)

        self._model.operations.preview(lambda: phone.reports(exact), done, failed)
