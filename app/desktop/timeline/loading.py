"""Loading of a timeline outside the window's thread: a track is measured, kept updates are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal

from app.desktop.language import tr
from app.desktop.model.simulation.status import Sent
from app.desktop.model.timeline.reading import PlayedTrack, TrackReader, UserReader, timeline_of_track
from app.desktop.model.timeline.timeline import Overlay, Timeline
from app.desktop.model.words import error_text
from app.desktop.relay import Relay
from app.desktop.timeline.panel import TimelinePanel
from app.desktop.window.controllers.newest import Newest
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.domain.tracking.updates import User

_READ_EVERY_MS: Final = 250


class TimelineLoader(QObject):
    """Loads the track, or the kept updates of a user, and follows new data.

    Nothing is loaded while the timeline is folded. `measured` carries the timeline, with its overlay if that was read
    at the same time. `overlay_read` carries the overlay of the track up to the fix played last.
    """

    measured = Signal(object, object)
    overlay_read = Signal(object)

    def __init__(self, model: WorkspaceModel, panel: TimelinePanel, also: Callable[[], frozenset[str]]) -> None:
        """Create a loader that also measures distances to the geofences with the IDs `also`, however far away."""
        super().__init__(panel)
        self._model, self._panel, self._also = model, panel, also
        self._track: TrackReader | None = None
        self._kept: UserReader | None = None
        self._series = -1
        self._generation = 0
        self._measuring = Newest(model.operations.preview)
        self._reading = Newest(model.operations.preview)
        self.measure_soon = Relay(self, interval_ms=_READ_EVERY_MS)
        self.measure_soon.rung.connect(self.measure)
        self.read_soon = Relay(self, interval_ms=_READ_EVERY_MS)
        self.read_soon.rung.connect(self._read)

    @property
    def settled(self) -> bool:
        """Whether nothing is being measured or read."""
        return not (self._measuring.busy or self._reading.busy)

    @property
    def is_of_series(self) -> bool:
        """Whether the track is still played as the same device, with its sent fixes still valid."""
        return self._series == self._model.simulation.series

    def load(self, user: User | None) -> None:
        """Load the kept updates of a user, or the track, from the start."""
        self._kept = None if user is None else UserReader(user)
        self.begin_series()
        self.measure()

    def begin_series(self) -> None:
        """Start reading the overlay of the track as if no fixes had been sent before."""
        self._track, self._series = TrackReader(self._model.simulation.device), self._model.simulation.series

    def follow_fences(self) -> None:
        """Measure everything again after geofences have changed."""
        if self._kept is not None:
            self._kept.measure_again()
        if self._panel.is_open:
            self.measure_soon.ring()

    def stop(self) -> None:
        """Stop measuring."""
        self._generation += 1

    def measure(self) -> None:
        """Measure the current data and abandon earlier requests."""
        self._generation += 1
        session, environment = self._model.session, self._model.environment
        if session is None or not self._panel.is_open:
            return
        engine, generation, also = session.engine, self._generation, self._also()
        kept, simulation = self._kept, self._model.simulation

        def progress(_done: int, _total: int) -> None:
            if generation != self._generation:
                raise Cancelled

        if kept is not None:
            self._panel.show_state(tr("Reading kept updates…"))
            self._measuring.ask(
                lambda: kept.read(engine, environment, also, progress),
                lambda found: self._emit_measured(generation, *found),
                self._on_failed,
            )
        elif simulation.track is not None:
            self._panel.show_state(tr("Measuring distances…"))
            track = PlayedTrack(simulation.track.name, simulation.fixes, simulation.sender, simulation.phone)
            self._measuring.ask(
                lambda: timeline_of_track(engine, environment, track, also, progress),
                lambda timeline: self._emit_measured(generation, timeline, None),
                self._on_failed,
            )
            self.read_soon.ring()

    def _emit_measured(self, generation: int, timeline: Timeline, overlay: Overlay | None) -> None:
        if generation == self._generation:
            self.measured.emit(timeline, overlay)

    def _read(self) -> None:
        """Read the overlay of the track up to the fix played last."""
        session, environment, simulation = self._model.session, self._model.environment, self._model.simulation
        track = self._track
        if session is None or track is None or self._kept is not None or not self._panel.is_open:
            return
        engine, series = session.engine, simulation.series
        sent: tuple[Sent, ...] = tuple(simulation.sent)

        def done(overlay: Overlay) -> None:
            if self._kept is None and series == self._model.simulation.series:
                self.overlay_read.emit(overlay)

        self._reading.ask(lambda: track.read(engine, environment, sent), done, self._on_failed)

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, InvalidParameter):
            self._panel.show_state(error_text(error))
        elif not isinstance(error, Cancelled):
            self._model.report_error(error)
