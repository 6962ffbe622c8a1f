"""Tracks between the user and the simulation: opening, asking for times, playing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.desktop.desk import Desk
from app.desktop.dialogs.files import TRACKS, FileChooser
from app.desktop.dialogs.timing import TimingDialog
from app.desktop.model.simulation import SimulationState, Timing
from app.desktop.model.words import count
from app.desktop.panels.simulator import SimulatorPanel
from app.desktop.window.actions import Actions
from app.desktop.window.gate import Gate
from app.desktop.window.message import MessageLine
from engine.domain.errors import InvalidParameter
from engine.domain.tracks import Track
from engine.simulation.reading import read_track
from engine.simulation.timing import untimed_reason


class TrackController(QObject):
    """Loads tracks and plays them."""

    def __init__(
        self, window: QWidget, desk: Desk, panel: SimulatorPanel, files: FileChooser, message: MessageLine, gate: Gate
    ) -> None:
        super().__init__(window)
        self._window, self._desk, self._panel = window, desk, panel
        self._files, self._message, self._gate = files, message, gate
        self._allowed_in_live = False
        panel.open_requested.connect(self.choose)
        panel.timing_requested.connect(self.ask_for_times)
        panel.play_requested.connect(self.play)
        panel.step_requested.connect(self.step)
        desk.simulation_progressed.connect(panel.refresh)
        desk.simulation.loaded.connect(self._on_loaded)

    def connect_actions(self, actions: Actions) -> None:
        """Let the actions act."""
        actions.open_track.triggered.connect(lambda: self.choose())
        actions.play.triggered.connect(lambda: self._on_space())
        actions.step.triggered.connect(lambda: self.step())

    def choose(self) -> None:
        """Let the user choose a track file."""
        self._files.open_file("Open a track", TRACKS, self.open)

    def open(self, path: Path) -> None:
        """Read a track and load it."""
        self._desk.operations.read(lambda: read_track(path), self.load, self._desk.tell)

    def load(self, track: Track) -> None:
        """Load a track; where it does not tell its times, ask."""
        if untimed_reason(track) is not None:
            self._ask(track, Timing())
        else:
            self._take(track, Timing())

    def ask_for_times(self) -> None:
        """Let the user time the loaded track in another way."""
        simulation = self._desk.simulation
        if simulation.track is not None:
            self._ask(simulation.track, simulation.timing)

    def play(self) -> None:
        """Play, or pause."""
        simulation = self._desk.simulation
        if simulation.status.state is SimulationState.PLAYING:
            simulation.pause()
        elif self._ready():
            self._through_gate(simulation.play)

    def step(self) -> None:
        """Send the next fix."""
        if self._ready():
            self._through_gate(self._desk.simulation.step)

    def _ready(self) -> bool:
        if self._desk.simulation.track is None:
            self.choose()
            return False
        return self._panel.configured()

    def _through_gate(self, act: Callable[[], None]) -> None:
        def allowed() -> None:
            self._allowed_in_live = True
            act()

        if self._allowed_in_live:
            allowed()
            return
        fixes = count(len(self._desk.simulation.fixes), "update")
        self._gate.pass_through(f"Send {fixes} of {self._desk.simulation.device} to Live?", "Send", allowed)

    def _on_loaded(self) -> None:
        self._allowed_in_live = False

    def _ask(self, track: Track, timing: Timing) -> None:
        session = self._desk.session
        if session is None:
            return
        dialog = TimingDialog(self._window, track, timing, self._desk.now())
        dialog.chosen.connect(lambda chosen: self._take(track, chosen))
        dialog.open()

    def _take(self, track: Track, timing: Timing) -> None:
        session = self._desk.session
        if session is None:
            return
        try:
            self._desk.simulation.load(track, timing, self._desk.now())
        except InvalidParameter as error:
            self._message.complain(error.message)

    def _on_space(self) -> None:
        """Space plays, but a button that has the focus is pressed by it as everywhere."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractButton) and focus.objectName() != "PlayButton":
            focus.click()
        else:
            self.play()
