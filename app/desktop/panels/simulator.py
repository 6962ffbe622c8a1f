"""The simulator: a track that is played through the engine as a device."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSlider,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.model.simulation import Sender, Simulation, SimulationState, Status
from app.desktop.model.words import clock_time, count, duration, full_time
from app.desktop.panels.numbers import NumberBox
from app.desktop.panels.widgets import GRID, EmptyState, Field, button, label, panel, tool_button
from app.desktop.style import colors
from engine.domain.errors import InvalidParameter
from engine.geo.zones import zone_at

SPEEDS: tuple[tuple[str, float | None], ...] = (
    ("Recorded ×1", 1.0),
    ("×2", 2.0),
    ("×5", 5.0),
    ("×10", 10.0),
    ("×60", 60.0),
    ("×600", 600.0),
    ("As fast as possible", None),
)
_STATES = {
    SimulationState.STOPPED: "Ready",
    SimulationState.PLAYING: "Playing",
    SimulationState.PAUSED: "Paused",
    SimulationState.FINISHED: "Finished",
    SimulationState.FAILED: "Stopped by an error",
}


class SimulatorPanel(QWidget):
    """Controls of the simulation. What needs the window (files, questions, Live) it asks for by a signal."""

    open_requested = Signal()
    timing_requested = Signal()
    play_requested = Signal()
    step_requested = Signal()

    def __init__(self, simulation: Simulation) -> None:
        super().__init__()
        self._simulation = simulation
        self._theme: Theme = "light"
        self._make_controls()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._make_empty())
        self._stack.addWidget(self._make_body())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._connect()
        simulation.loaded.connect(self._on_loaded)
        self.set_theme("light")
        self._on_loaded()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Let the user make the panel small."""
        return QSize(280, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for all of it."""
        return QSize(480, 236)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self._theme = theme
        for control, name in ((self.step, "skip-forward"), (self.stop, "stop")):
            control.setIcon(icon(name, theme))
        self.refresh()

    def refresh(self) -> None:
        """Show where the simulation is."""
        status = self._simulation.status
        playing = status.state is SimulationState.PLAYING
        on_accent = colors(self._theme).on_accent
        self.play.setIcon(icon("pause" if playing else "play", self._theme, color=on_accent))
        self.play.setToolTip("Pause (Space)" if playing else "Play (Space)")
        for field in (self.device, self.accuracy, self.foreground, self.stopped):
            field.setDisabled(playing)
        self.stop.setEnabled(status.position > 0 or playing)
        self.step.setEnabled(status.position < status.total)
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setMaximum(status.total)
                self.slider.setValue(status.position)
        self._show_texts(status)

    def _show_texts(self, status: Status) -> None:
        fixes = self._simulation.fixes
        fix = fixes[max(status.position, 1) - 1] if fixes else None
        zone = zone_at(fix.point.longitude, fix.point.latitude) if fix else None
        self.clock.setText(clock_time(fix.at, zone) if fix else "")
        self.clock.setToolTip(full_time(fix.at, zone) if fix else "")
        self.state.setText(f"{_STATES.get(status.state, '')} · {status.position:,} of {status.total:,} fixes")
        self.error.setText(str(status.error) if status.error else "")
        self.error.setVisible(status.error is not None)
        self._show_retimed(status.retimed)

    def _show_retimed(self, fixes: int) -> None:
        """Say that times were replaced, in one line: the panel has room for one."""
        self.note.setText(f"{count(fixes, 'fix', 'fixes')} in the past of the device: timed as now.")
        self.note.setToolTip(
            f"{self._simulation.device} has reported a later time before, so the present time replaced the track's. "
            "To keep the track's times, play it as another device."
        )
        self.note.setVisible(fixes > 0)

    def _make_controls(self) -> None:
        self.play = tool_button("Play (Space)", self.play_requested.emit, "PlayButton")
        self.step = tool_button("Send the next fix (→)", self.step_requested.emit, "StepButton")
        self.stop = tool_button("Stop and go back to the start", self._simulation.stop, "StopButton")
        self.play.setIconSize(QSize(18, 18))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Position in the track")
        self.clock = label()
        self.state = label(role="muted")
        self.error = label(role="error", wrap=True)
        self.note = label(role="muted", wrap=True)
        self.name = label()
        self.timing = button("Times…", self.timing_requested.emit)
        sender = Sender()
        self.device = QLineEdit(sender.device)
        self.accuracy = NumberBox("m")
        self.accuracy.setValue(sender.accuracy_m)
        self.foreground = QCheckBox("App in the foreground")
        self.foreground.setToolTip("Every fix says so (foreground). Stop detection lets such fixes pass.")
        self.stopped = QCheckBox("Standing still")
        self.stopped.setToolTip("Every fix says so (stopped), wherever it is. Stop detection lets such fixes pass.")
        self.speed = QComboBox()
        for text, factor in SPEEDS:
            self.speed.addItem(text, factor)
        self.speed.setCurrentIndex(next(i for i, each in enumerate(SPEEDS) if each[1] == self._simulation.speed))

    def _make_empty(self) -> QWidget:
        body, layout = panel()
        layout.addWidget(
            EmptyState(
                "No track loaded",
                "Open a GPX, CSV or GeoJSON track, or drop one here, and play it as a device through your fences.",
                button("Open a track…", self.open_requested.emit, "primary"),
            )
        )
        return body

    def _make_body(self) -> QWidget:
        body, layout = panel(margins=12)
        self._fields = {
            "deviceId": Field("Device", self.device),
            "accuracy": Field("Accuracy", self.accuracy),
            "speed": Field("Speed", self.speed),
        }
        layout.addLayout(self._make_head())
        layout.addLayout(self._make_transport())
        layout.addWidget(self.error)
        layout.addWidget(self.note)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for param, stretch in (("deviceId", 3), ("accuracy", 2), ("speed", 3)):
            row.addWidget(self._fields[param], stretch, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(row)
        layout.addLayout(self._make_switches())
        layout.addStretch(1)
        return body

    def _make_switches(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * GRID)
        for switch in (self.foreground, self.stopped):
            row.addWidget(switch)
        row.addStretch(1)
        return row

    def _make_head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self.name)
        texts.addWidget(self.state)
        row.addLayout(texts, 1)
        row.addWidget(self.timing)
        row.addWidget(button("Open…", self.open_requested.emit))
        return row

    def _make_transport(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        for control in (self.play, self.step, self.stop):
            row.addWidget(control)
        row.addWidget(self.slider, 1)
        row.addWidget(self.clock)
        return row

    def _connect(self) -> None:
        self.slider.sliderReleased.connect(lambda: self._simulation.seek(self.slider.value()))
        self.slider.actionTriggered.connect(self._on_slider_action)
        self.speed.currentIndexChanged.connect(lambda: self._simulation.set_speed(self.speed.currentData()))
        self.device.editingFinished.connect(self._configure)
        self.accuracy.valueChanged.connect(self._configure)
        self.foreground.toggled.connect(self._configure)
        self.stopped.toggled.connect(self._configure)

    def set_up(self, device: str, accuracy_m: float, speed: float | None) -> None:
        """Fill in the controls."""
        self.device.setText(device)
        self.accuracy.setValue(accuracy_m)
        self.speed.setCurrentIndex(next(i for i, each in enumerate(SPEEDS) if each[1] == speed))
        self.configured()

    def configured(self) -> bool:
        """Take what is said of the device; show what is wrong with them and return whether nothing is."""
        errors: dict[str, str] = {}
        try:
            self._simulation.configure(self._sender())
        except InvalidParameter as error:
            errors[error.param] = error.message
        for param, field in self._fields.items():
            field.show_error(errors.get(param))
        return not errors

    def _sender(self) -> Sender:
        return Sender(
            self.device.text().strip(),
            self.accuracy.value(),
            foreground=self.foreground.isChecked(),
            stopped=self.stopped.isChecked(),
        )

    def _configure(self, *_: object) -> None:
        self.configured()

    def _on_slider_action(self, _action: int) -> None:
        """A click beside the handle or a key moves at once; dragging ends with its release."""
        if not self.slider.isSliderDown():
            self._simulation.seek(self.slider.sliderPosition())

    def _on_loaded(self) -> None:
        track = self._simulation.track
        self._stack.setCurrentIndex(1 if track else 0)
        if track is not None:
            fixes = self._simulation.fixes
            length = duration((fixes[-1].at - fixes[0].at).total_seconds())
            self.name.setText(f"{track.name} · {length}")
        self.refresh()
