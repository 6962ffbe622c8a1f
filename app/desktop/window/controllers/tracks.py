"""Tracks for the simulation: opening them, asking for times, playing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.desktop.dialogs.files import SCENARIOS, TRACKS, FileChooser
from app.desktop.dialogs.timing import TimingDialog
from app.desktop.dialogs.tracks.skipped import SkippedDialog, skipped_text
from app.desktop.language import counted, tr
from app.desktop.model.simulation.sender import Demonstration, Timing
from app.desktop.model.simulation.status import SimulationState
from app.desktop.model.simulation.tracks import track_of
from app.desktop.model.words import error_text, fence_name, local_time
from app.desktop.panels.simulator import TEST_ONLY, SimulatorPanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.recordings import Recording, Saved
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track
from engine.geo.zones import zone_at
from engine.simulation.timing import untimed_reason

SCENARIO = ".fence.yaml"


class TrackController(QObject):
    """Loads tracks and plays them."""

    taken = Signal()
    """Emitted when the user's choice of a track was loaded."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        panel: SimulatorPanel,
        files: FileChooser,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._panel = window, model, panel
        self._files, self._message, self._confirmation = files, message, confirmation
        self._allowed_in_live = False
        panel.open_requested.connect(self.choose)
        panel.timing_requested.connect(self.ask_for_times)
        panel.play_requested.connect(self.play)
        panel.step_requested.connect(self.step)
        panel.replay_requested.connect(self.replay)
        model.simulation_progressed.connect(panel.refresh)
        model.simulation.loaded.connect(self._on_loaded)
        model.selection.changed.connect(self._offer_destination)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.open_track.triggered.connect(lambda: self.choose())
        actions.save_scenario.triggered.connect(lambda: self.choose_scenario())
        actions.play.triggered.connect(lambda: self._on_space())
        self._stepping = actions.step, actions.back
        actions.step.triggered.connect(lambda: self.step())
        actions.back.triggered.connect(lambda: self.back())
        self._on_loaded()
        actions.replay.triggered.connect(lambda: self.replay())

    def choose(self) -> None:
        """Let the user choose a track file."""
        self._files.open_file(tr("Open a track"), TRACKS, self.open)

    def open(self, path: Path, demonstration: Demonstration | None = None) -> None:
        """Read a track, either the user's own or a demonstration, and load it."""
        load = partial(self.load, demonstration=demonstration)
        self._model.operations.read(lambda: track_of(path), load, self._model.report_error)

    def load(self, track: Track, demonstration: Demonstration | None = None) -> None:
        """Load a track, asking for its times if it has none."""
        self._report_skipped(track)
        if untimed_reason(track) is not None:
            self._ask(track, Timing(), demonstration)
        else:
            self._take(track, Timing(), demonstration)

    def choose_scenario(self) -> None:
        """Let the user choose the file of a scenario."""
        track = self._model.simulation.track
        if track is None:
            self._message.show_info(tr("A scenario needs a track."), tr("Open a track…"), self.choose)
            return
        suggestion = f"{Path(track.name).stem or 'scenario'}{SCENARIO}"
        self._files.save_file(tr("Save as scenario"), suggestion, SCENARIOS, self.save_scenario)

    def save_scenario(self, file: Path) -> None:
        """Write the workspace, the loaded track and its events as a scenario."""
        session, environment, recording = (
            self._model.session,
            self._model.environment,
            self._model.simulation.recording(),
        )
        if session is None or recording is None:
            return
        file = file if file.name.endswith(SCENARIO) else file.with_name(f"{file.name}{SCENARIO}")
        self._model.operations.read(
            lambda: session.save_scenario(file, environment, recording),
            lambda saved: self._report_saved(file.name, recording, saved),
            lambda error: self._message.complain(error_text(error)),
        )

    def _report_saved(self, name: str, recording: Recording, saved: Saved) -> None:
        """Report the events that a scenario expects, and the reasons why it may not be as intended."""
        sentences = [
            tr("Saved {file_name}, which expects {events}.", file_name=name, events=counted(saved.events, "event"))
        ]
        if recording.is_partly_played:
            sent, fixes = saved.fixes, counted(len(recording.fixes), "fix", "fixes")
            text = tr(
                "The track is not played to its end: only {sent_count:,} of {fix_count} are in it.",
                sent_count=sent,
                fix_count=fixes,
            )
            sentences.append(text)
        elif recording.played == 0:
            sentences.append(tr("The track has not been played since it was loaded."))
        if recording.other_time is not None:
            zone = zone_at(recording.fixes[0].point.longitude, recording.fixes[0].point.latitude)
            recorded, played = local_time(recording.other_time, zone), local_time(recording.fixes[0].at, zone)
            text = tr(
                "The track was recorded {recorded_time} and is played at {played_time}: operating hours may decide "
                "differently.",
                recorded_time=recorded,
                played_time=played,
            )
            sentences.append(text)
        if saved.own_areas:
            areas = ", ".join(saved.own_areas)
            sentences.append(
                tr("The run used {area_names}: scenarios cannot use areas of a workspace.", area_names=areas)
            )
        self._message.show_info(" ".join(sentences))

    def _report_skipped(self, track: Track) -> None:
        """Report the parts of a track that could not be read; the rest is loaded."""
        if track.skipped:
            show = (tr("Show all"), lambda: SkippedDialog(self._window, track).open())
            self._message.keep(skipped_text(track), show)

    def ask_for_times(self) -> None:
        """Let the user assign other times to the loaded track."""
        simulation = self._model.simulation
        if simulation.track is not None:
            self._ask(simulation.track, simulation.timing, simulation.demonstration)

    def play(self) -> None:
        """Start or pause playback."""
        simulation = self._model.simulation
        if simulation.status.state is SimulationState.PLAYING:
            simulation.pause()
        elif self._ready():
            self._through_gate(simulation.play)

    def step(self) -> None:
        """Send the next fix."""
        if self._ready():
            self._through_gate(self._model.simulation.step)

    def back(self) -> None:
        """Go back to the previous fix without sending anything."""
        simulation = self._model.simulation
        if simulation.track is not None and simulation.playable:
            simulation.scrub(max(simulation.status.position - 1, 0))

    def replay(self) -> None:
        """Delete the device's data in Test and play the track from the start, as if for the first time."""
        session, simulation = self._model.session, self._model.simulation
        if session is None or self._model.environment.live or not self._ready():
            return
        engine, device = session.engine, simulation.device
        ended = simulation.reset()

        def forget() -> None:
            ended()
            engine.history.clear_test_data(device)

        def play(_: None) -> None:
            if simulation.playable and simulation.device == device and not self._model.environment.live:
                simulation.play()

        self._model.operations.change(forget, play, self._model.report_error)

    def _ready(self) -> bool:
        if self._model.simulation.track is None:
            self.choose()
            return False
        if not self._model.simulation.playable:
            text = tr("{reason} Open your own track to send it to Live.", reason=TEST_ONLY)
            self._message.show_info(text, tr("Open a track…"), self.choose)
            return False
        return self._panel.configured()

    def _through_gate(self, act: Callable[[], None]) -> None:
        def allowed() -> None:
            self._allowed_in_live = True
            act()

        if self._allowed_in_live:
            allowed()
            return
        fixes = counted(len(self._model.simulation.fixes), "update")
        self._confirmation.confirm(
            tr("Send {fixes} to Live as {device_id}?", fixes=fixes, device_id=self._model.simulation.device),
            tr("Send"),
            allowed,
        )

    def _on_loaded(self) -> None:
        self._allowed_in_live = False
        # Without a track, the arrow keys belong to the map.
        for action in self._stepping:
            action.setEnabled(self._model.simulation.track is not None)

    def _offer_destination(self) -> None:
        """Offer a trip of the simulated device to the selected geofence."""
        fence_id = self._model.selection.fence_id
        fence = None if fence_id is None else self._model.fences.get(fence_id)
        if fence is None:
            self._panel.offer_destination(None)
        else:
            self._panel.offer_destination(fence.id, fence_name(fence))

    def _ask(self, track: Track, timing: Timing, demonstration: Demonstration | None) -> None:
        session = self._model.session
        if session is None:
            return
        dialog = TimingDialog(self._window, track, timing, self._model.now())
        dialog.chosen.connect(lambda chosen: self._take(track, chosen, demonstration))
        dialog.open()

    def _take(self, track: Track, timing: Timing, demonstration: Demonstration | None) -> None:
        session = self._model.session
        if session is None:
            return
        try:
            self._model.simulation.load(track, timing, self._model.now(), demonstration)
        except InvalidParameter as error:
            self._message.complain(error_text(error))
        else:
            self.taken.emit()

    def _on_space(self) -> None:
        """Play or pause, or press the focused button, as Space does everywhere else."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractButton) and focus.objectName() != "PlayButton":
            focus.click()
        else:
            self.play()
