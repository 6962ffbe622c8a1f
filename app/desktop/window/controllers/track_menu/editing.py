"""Editing the loaded track, with undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import while_open
from app.desktop.dialogs.files import TRACKS, FileChooser
from app.desktop.dialogs.tracks.numbers import NumberField, NumbersDialog
from app.desktop.dialogs.tracks.skipped import SkippedDialog, skipped_text
from app.desktop.language import counted, tr
from app.desktop.model.simulation.sender import Timing
from app.desktop.model.simulation.status import SimulationState
from app.desktop.model.simulation.tracks import track_of
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.editing import joined, part, resampled, reversed_track
from engine.simulation.timing import ScheduledFix

MOST_UNDONE = 20
_RESAMPLE_S = 5.0


class TrackEditing(QObject):
    """Edits the loaded track. Each edit creates a new track with the times of playback and can be undone."""

    changed = Signal()

    def __init__(self, window: QWidget, model: WorkspaceModel, files: FileChooser, message: MessageLine) -> None:
        super().__init__(window)
        self._window, self._model, self._files, self._message = window, model, files, message
        self._before: list[tuple[Track, Timing]] = []
        self._own: Track | None = None
        model.simulation.loaded.connect(self._on_loaded)

    @property
    def editable(self) -> bool:
        """Whether the loaded track belongs to the user and is not playing."""
        simulation = self._model.simulation
        playing = simulation.status.state is SimulationState.PLAYING
        return simulation.track is not None and simulation.demonstration is None and not playing

    @property
    def undoable(self) -> bool:
        """Whether there is an edit to undo."""
        return bool(self._before) and self.editable

    @property
    def track(self) -> Track | None:
        """The loaded track with the times of playback, without the effects of its phone."""
        return self._of(self._model.simulation.exact)

    @property
    def reported(self) -> Track | None:
        """The track as its phone reports it: the fixes that are sent."""
        return self._of(self._model.simulation.fixes)

    def cut_before(self) -> None:
        """Remove the fixes before the current one."""
        here = self._here
        self._edit(lambda track: part(track, here), tr("Cut"))

    def cut_after(self) -> None:
        """Remove the fixes after the current one."""
        here = self._here
        self._edit(lambda track: part(track, 1, here), tr("Cut"))

    def reverse(self) -> None:
        """Reverse the direction of the track."""
        self._edit(reversed_track, tr("Reversed"))

    def resample(self) -> None:
        """Ask for the interval of fixes and resample the track."""
        fields = (
            NumberField("resample", tr("Fix interval"), "s", _RESAMPLE_S),
            NumberField("keep_gaps", tr("Keep gaps longer than"), "s", None, tr("Fill all gaps")),
        )
        text = tr("New fixes are interpolated along straight lines between the recorded positions.")
        dialog = NumbersDialog(self._window, tr("Resample the track"), text, fields, tr("Resample"))
        dialog.chosen.connect(partial(self._resample, dialog))
        dialog.open()

    def join(self) -> None:
        """Let the user choose a track to append."""
        self._files.open_file(tr("Join a track"), TRACKS, self.join_file)

    def join_file(self, path: Path) -> None:
        """Append a track; if its times are too early, ask for the gap between the two."""
        self._model.operations.read(lambda: track_of(path), self._join, self._model.report_error)

    def undo(self) -> None:
        """Restore the track before the last edit."""
        if self._before and self._model.simulation.track is self._own:
            self._take(*self._before.pop())

    @property
    def _here(self) -> int:
        """Number of the last fix sent, or 1 before any was sent."""
        simulation = self._model.simulation
        return simulation.exact_index + 1 if simulation.fixes else 1

    def _of(self, fixes: Sequence[ScheduledFix]) -> Track | None:
        track = self._model.simulation.track
        if track is None:
            return None
        points = (
            TrackPoint(fix.point, fix.at, fix.accuracy_m, fix.foreground, fix.stopped, fix.speed_mps) for fix in fixes
        )
        return Track(track.name, tuple(points))

    def _resample(self, dialog: NumbersDialog, numbers: dict[str, float | None]) -> None:
        interval, gaps = numbers["resample"] or 0.0, numbers["keep_gaps"]
        self._edit(lambda track: resampled(track, interval, gaps), tr("Resampled"), dialog)

    def _join(self, other: Track) -> None:
        present = self.track
        if present is None:
            return
        try:
            joined(present, other)
        except InvalidParameter:
            if not other.timed:
                self._message.complain(
                    tr(
                        "{track_name} has no times. Open it, give it a speed and export it first.",
                        track_name=other.name,
                    )
                )
                return
            self._ask_for_gap(other)
            return
        self._edit(lambda track: joined(track, other), tr("Joined"), other=other)

    def _ask_for_gap(self, other: Track) -> None:
        fields = (NumberField("gap", tr("Start after"), "s", 60.0),)
        text = tr(
            "{track_name} was recorded before the end of the loaded track. Its times are shifted to follow it.",
            track_name=other.name,
        )
        dialog = NumbersDialog(self._window, tr("Join a track"), text, fields, tr("Join"))
        dialog.chosen.connect(
            lambda numbers: self._edit(
                lambda track: joined(track, other, numbers["gap"] or 0.0), tr("Joined"), dialog, other=other
            )
        )
        dialog.open()

    def _edit(
        self,
        edit: Callable[[Track], Track],
        done: str,
        dialog: NumbersDialog | None = None,
        *,
        other: Track | None = None,
    ) -> None:
        """Edit the track. `other` is a second track, some of whose points may have been unreadable."""
        present, simulation = self.track, self._model.simulation
        loaded, timing = simulation.track, simulation.timing
        if present is None or loaded is None or simulation.demonstration is not None:
            if dialog is not None:
                dialog.reject()
            return

        def finish(edited: Track) -> None:
            if dialog is not None:
                dialog.accept()
            if simulation.track is not loaded:
                return  # another track was opened in the meantime
            before = [*self._before, (loaded, timing)][-MOST_UNDONE:]
            self._take(edited, Timing())
            self._before = before
            self.changed.emit()
            self._report_done(
                tr(
                    "{completed_action}: {fixes} now.",
                    completed_action=done,
                    fixes=counted(len(edited.points), "fix", "fixes"),
                ),
                other,
            )

        work = partial(edit, present)
        if dialog is None:
            self._model.operations.read(work, finish, self._model.report_error)
        else:
            self._model.operations.read(work, while_open(dialog, finish), while_open(dialog, dialog.refuse))

    def _report_done(self, text: str, other: Track | None) -> None:
        undo = (tr("Undo"), self.undo)
        if other is None or not other.skipped:
            self._message.show_info(text, *undo)
            return
        show = (tr("Show all"), lambda: SkippedDialog(self._window, other).open())
        self._message.keep(f"{text} {skipped_text(other)}", undo, show)

    def _take(self, track: Track, timing: Timing) -> None:
        self._own = track
        self._model.simulation.load(track, timing, self._model.now())
        self.changed.emit()

    def _on_loaded(self) -> None:
        """Clear the edits of a track that is no longer loaded."""
        if self._model.simulation.track is not self._own:
            self._before.clear()
            self._own = None
        self.changed.emit()
