"""The simulator, which plays a track through the engine as a device."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import counted, tr
from app.desktop.map.values import Theme
from app.desktop.model.simulation.sender import Sender
from app.desktop.model.simulation.simulation import Simulation
from app.desktop.model.simulation.status import SimulationState, Status, without_routes
from app.desktop.model.words import clock_time, duration, error_text, full_time
from app.desktop.panels.fields.basic import ChoiceBox, Slider, TextLine
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.flow import Flow
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.simulation.phone import PhoneRow
from app.desktop.panels.widgets import (
    GRID,
    EmptyState,
    Field,
    OneLine,
    Scroll,
    button,
    label,
    panel,
    restyle,
    tip_text,
    tool_button,
)
from app.desktop.style import colors
from engine.domain.errors import InvalidParameter
from engine.geo.zones import zone_at

SPEEDS: tuple[tuple[str, float | None], ...] = (
    (tr("Recorded ×1"), 1.0),
    ("×2", 2.0),
    ("×5", 5.0),
    ("×10", 10.0),
    ("×60", 60.0),
    ("×600", 600.0),
    (tr("As fast as possible"), None),
)
_SCROLL_BAR = 10
_STATES = {
    SimulationState.STOPPED: tr("Ready"),
    SimulationState.PLAYING: tr("Playing"),
    SimulationState.PAUSED: tr("Paused"),
    SimulationState.FINISHED: tr("Finished"),
    SimulationState.FAILED: tr("Stopped by an error"),
}
_TRIP = tr("Trip to selected geofence")
TEST_ONLY = tr("The demo plays in Test only.")
REPLAY_TIP = tr("Delete the device's users, events and updates from Test, then play the track from the start")


class SimulatorPanel(QWidget):
    """The controls of the simulation.

    Signals request everything that needs the window, such as files, confirmations and Live.
    """

    open_requested = Signal()
    route_requested = Signal()
    timing_requested = Signal()
    play_requested = Signal()
    step_requested = Signal()
    replay_requested = Signal()

    def __init__(self, simulation: Simulation) -> None:
        super().__init__()
        self._simulation = simulation
        self._demonstration = simulation.demonstration
        self._theme: Theme = "light"
        self._make_controls()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._make_empty())
        self._stack.addWidget(self._make_body())
        in_column(self._stack, of=self, margins=0)
        self._connect()
        simulation.loaded.connect(self._on_loaded)
        self.set_theme("light")
        self._on_loaded()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that lets the user make the panel low, but not so narrow that it cuts off controls."""
        return QSize(self._body.minimumSizeHint().width() + _SCROLL_BAR, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with room for all controls."""
        return QSize(480, self._body.sizeHint().height())

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self._theme = theme
        for control, name in (
            (self.step, "skip-forward"),
            (self.stop, "stop"),
            (self.replay, "arrow-counter-clockwise"),
        ):
            control.setIcon(icon(name, theme))
        self.refresh()

    @property
    def lean_height(self) -> int:
        """Height of the panel down to its slider, in pixels."""
        if self._simulation.track is None:
            return self._empty.sizeHint().height()
        return self.play.mapTo(self, QPoint(0, self.play.height())).y() + 6

    def set_live(self, live: bool) -> None:
        """Allow resetting the device only in Test, as Live data cannot be deleted here."""
        self._test = not live
        self.refresh()

    def refresh(self) -> None:
        """Show the state of the simulation."""
        status = self._simulation.status
        playing, playable = status.state is SimulationState.PLAYING, self._simulation.playable
        on_accent = colors(self._theme).on_accent
        self.play.setIcon(icon("pause" if playing else "play", self._theme, color=on_accent))
        self.play.setToolTip(tr("Pause (Space)") if playing else tr("Play (Space)"))
        for field in (self.device, self.accuracy, self.foreground, self.stopped):
            field.setDisabled(playing)
        self.accuracy.setEnabled(not playing and self._simulation.phone.noise is None)
        self.trip.setEnabled(not playing and (self.trip.isChecked() or self._offered is not None))
        self.stop.setEnabled(status.position > 0 or playing)
        self.step.setEnabled(status.position < status.total and playable)
        self.replay.setEnabled(playable and self._test)
        for control in (self.play, self.slider):
            control.setEnabled(playable)
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
        self.clock.setToolTip(tip_text(full_time(fix.at, zone)) if fix else "")
        self.state.show_text(
            tr(
                "{state} · {fix_number:,} of {fix_count}",
                state=_STATES.get(status.state, ""),
                fix_number=status.position,
                fix_count=counted(status.total, "fix", "fixes"),
            )
        )
        self._show_note(status)

    def _show_note(self, status: Status) -> None:
        """Show an error, or why the track cannot be played, or notes on replaced times and missing routes.

        There is room for one line.
        """
        text, tip = self._note_of(status)
        restyle(self.note, "role", "error" if status.error else "muted")
        self.note.show_text(text)
        self.note.setToolTip(tip_text(tip or text))
        self.reset.setVisible(bool(status.retimed) and self._test and status.error is None)
        self.note.setVisible(bool(text) and not any(field.error.text() for field in self._fields.values()))

    def _note_of(self, status: Status) -> tuple[str, str]:
        if status.error is not None:
            return str(status.error), ""
        if self._simulation.demonstration is not None and not self._simulation.playable:
            return TEST_ONLY, tr("Open your own track to send it to Live.")
        notes = [self._note_of_times(status)] if status.retimed else []
        if status.unrouted:
            tip = tr("Their ETA is by an earlier route, or an estimate, so another run may have other events.")
            notes.append((without_routes(status.unrouted), tip))
        return " ".join(text for text, _ in notes), "\n".join(tip for _, tip in notes)

    def _note_of_times(self, status: Status) -> tuple[str, str]:
        """Return a note that times of the track were replaced, and the reason."""
        fixes = counted(status.retimed, "fix", "fixes")
        return (
            tr("{fixes} is older than the last update; using the current time.", fixes=fixes)
            if status.retimed == 1
            else tr("{fixes} are older than the last update; using the current time.", fixes=fixes),
            tr(
                "{device_id} has already reported a later time, so the current time replaces the track's. "
                "To keep the track's times, reset the device or play as another one.",
                device_id=self._simulation.device,
            ),
        )

    def _make_controls(self) -> None:
        self.play = tool_button(tr("Play (Space)"), self.play_requested.emit, "PlayButton")
        self.step = tool_button(tr("Send the next fix (→)"), self.step_requested.emit, "StepButton")
        self.stop = tool_button(tr("Stop and go back to the start"), self._simulation.stop, "StopButton")
        self.replay = tool_button(tr("Reset device and replay"), self.replay_requested.emit, "ReplayButton")
        self.replay.setToolTip(tip_text(REPLAY_TIP))
        self.reset = button(tr("Reset and replay"), self.replay_requested.emit)
        self.reset.setToolTip(tip_text(REPLAY_TIP))
        self.reset.setObjectName("NoteLink")
        self.reset.hide()
        self._test = True
        self.play.setIconSize(QSize(18, 18))
        self.slider = Slider()
        self.slider.setAccessibleName(tr("Position in the track"))
        self.clock = label()
        self.state = OneLine()
        self.state.setProperty("role", "muted")
        self.note = OneLine()
        # The line keeps its space while it is empty, so that the widgets below do not move.
        room = self.note.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.note.setSizePolicy(room)
        self.name = OneLine()
        self.track_menu = QToolButton()
        self.track_menu.setText(tr("Track ▾"))
        self.track_menu.setObjectName("TrackMenu")
        self.track_menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.timing = button(tr("Times…"), self.timing_requested.emit)
        sender = Sender()
        self.device = TextLine(sender.device)
        self.accuracy = NumberBox("m", unset=tr("As recorded"))
        self.accuracy.set_number(sender.accuracy_m)
        self.accuracy.setToolTip(tr("Sent with every fix. Leave empty to send the recorded accuracy."))
        self.foreground = QCheckBox(tr("App in the foreground"))
        self.foreground.setToolTip(tr("Sent with every fix (foreground). Such fixes pass stop detection."))
        self.stopped = QCheckBox(tr("Device stopped"))
        self.stopped.setToolTip(
            tr("Sent with every fix (stopped), even while it moves. Such fixes pass stop detection.")
        )
        self.trip = QCheckBox(_TRIP)
        self.trip.setEnabled(False)
        self._trip_to: str | None = None
        self._offered: str | None = None
        self.speed = ChoiceBox()
        self.speed.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.speed.setMinimumContentsLength(6)
        for text, factor in SPEEDS:
            self.speed.addItem(text, factor)
        self.speed.setCurrentIndex(next(i for i, each in enumerate(SPEEDS) if each[1] == self._simulation.speed))
        self.phone = PhoneRow()
        self._fields = {
            "device_id": Field(tr("Device"), self.device, gap=False),
            "accuracy": Field(tr("Accuracy"), self.accuracy, gap=False),
            "speed": Field(tr("Speed"), self.speed, gap=False),
        }

    def _make_empty(self) -> QWidget:
        body, layout = panel()
        self._empty = EmptyState(
            tr("No track loaded"),
            tr(
                "Open a track from a phone, a watch or a GPS receiver, drop one here, or draw one on the "
                "map (T). Then play it as a device through your geofences."
            ),
            button(tr("Open a track…"), self.open_requested.emit, "primary"),
            button(tr("Route a track…"), self.route_requested.emit),
        )
        layout.addWidget(self._empty)
        return body

    def _make_body(self) -> QWidget:
        self._body, layout = panel()
        layout.setContentsMargins(GRID, 6, GRID, 6)
        layout.setSpacing(6)
        layout.addLayout(self._make_head())
        layout.addLayout(self._make_transport())
        widths = (("device_id", 2), ("accuracy", 2), ("speed", 4))
        fields = ((self._fields[param], stretch, Qt.AlignmentFlag.AlignTop) for param, stretch in widths)
        noted = in_row((self.note, 1), self.reset, spacing=GRID)
        # Errors in fields are shown in the place of the note.
        layout.addLayout(in_column(in_row(*fields, spacing=GRID), noted, spacing=2))
        layout.addWidget(self._make_switches())
        layout.addWidget(self.phone)
        layout.addStretch(1)
        made = Scroll(self._body)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        return made

    def _make_switches(self) -> QWidget:
        made = QWidget()
        row = Flow(self.foreground, self.stopped, self.trip)
        row.setSpacing(6)
        made.setLayout(row)
        return made

    def offer_destination(self, geofence_id: str | None, name: str = "") -> None:
        """Offer a trip to this geofence. A trip in progress is kept."""
        self._offered = geofence_id
        if self.trip.isChecked():
            return
        self.trip.setEnabled(geofence_id is not None)
        self.trip.setToolTip(
            tip_text(tr("The first fix starts a trip to {geofence_name}, the last completes it", geofence_name=name))
            if geofence_id is not None
            else tr("Select a geofence as the destination of a trip.")
        )

    def _on_trip_toggled(self, on: bool) -> None:
        self._trip_to = self._offered if on else None
        self._configure()
        if not on:
            self.trip.setEnabled(self._offered is not None)

    def _make_head(self) -> QHBoxLayout:
        return in_row((in_column(self.name, self.state, spacing=2), 1), self.timing, self.track_menu, spacing=GRID)

    def _make_transport(self) -> QHBoxLayout:
        return in_row(self.play, self.step, self.stop, self.replay, (self.slider, 1), self.clock, spacing=6)

    def _connect(self) -> None:
        self.slider.sliderMoved.connect(self._simulation.scrub)
        self.slider.sliderReleased.connect(lambda: self._simulation.seek(self.slider.value()))
        self.slider.actionTriggered.connect(self._on_slider_action)
        self.speed.currentIndexChanged.connect(lambda: self._simulation.set_speed(self.speed.currentData()))
        self.device.editingFinished.connect(self._configure)
        self.accuracy.valueChanged.connect(self._configure)
        self.accuracy.refused.connect(self._configure)
        self.foreground.toggled.connect(self._configure)
        self.stopped.toggled.connect(self._configure)
        self.trip.toggled.connect(self._on_trip_toggled)

    def fill(self) -> None:
        """Show the settings with which the track is played."""
        sender = self._simulation.sender
        switches = (self.foreground, sender.foreground), (self.stopped, sender.stopped)
        controls = (self.device, self.accuracy, self.foreground, self.stopped, self.speed)
        blockers = [QSignalBlocker(control) for control in controls]
        self.device.setText(sender.device)
        self.accuracy.set_number(sender.accuracy_m)
        for switch, on in switches:
            switch.setChecked(on)
        self.speed.setCurrentIndex(next(i for i, each in enumerate(SPEEDS) if each[1] == self._simulation.speed))
        for blocker in blockers:
            blocker.unblock()
        self.configured()

    def configured(self) -> bool:
        """Apply the device settings, show errors at their fields, and return whether there are none."""
        errors: dict[str, str] = {}
        try:
            self.accuracy.check("accuracy")
            self._simulation.configure(self._sender())
        except InvalidParameter as error:
            errors[error.param] = error_text(error)
        for param, field in self._fields.items():
            field.show_error(errors.get(param))
        self._show_note(self._simulation.status)
        return not errors

    def _sender(self) -> Sender:
        return Sender(
            self.device.text().strip(),
            self.accuracy.number(),
            foreground=self.foreground.isChecked(),
            stopped=self.stopped.isChecked(),
            trip_to=self._trip_to,
        )

    def _configure(self, *_: object) -> None:
        self.configured()

    def _on_slider_action(self, _action: int) -> None:
        """Seek immediately after a key press or a click beside the handle. A drag takes effect on release."""
        if not self.slider.isSliderDown():
            self._simulation.seek(self.slider.sliderPosition())

    def _on_loaded(self) -> None:
        track = self._simulation.track
        shown = self.accuracy.number()
        if self._simulation.demonstration is not self._demonstration or self._simulation.sender.accuracy_m != shown:
            self._demonstration = self._simulation.demonstration
            self.fill()
        self._stack.setCurrentIndex(1 if track else 0)
        if track is not None:
            fixes = self._simulation.fixes
            length = duration((fixes[-1].at - fixes[0].at).total_seconds())
            self.name.show_text(f"{track.name} · {length}")
            self.name.setToolTip(tip_text(track.name))
        else:
            self.name.show_text("")
        self.refresh()
