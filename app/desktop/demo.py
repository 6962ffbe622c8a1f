"""The demonstration: a fictitious lorry crosses the Channel through fictitious geofences, in the real window."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer

from app.desktop.application import make_application
from app.desktop.map import MapProfile, MapView
from app.desktop.memory import Memory
from app.desktop.model.simulation.sender import Demonstration, Sender
from app.desktop.model.simulation.status import SimulationState
from app.desktop.platforms import has_display
from app.desktop.session import OpenSession
from app.desktop.signals import on_signals
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.imports import ImportFile
from engine.domain.queries import Counts
from engine.domain.tracking.updates import Event
from engine.store.workspace import MEMORY

DEVICE = "lorry-7"
ACCURACY_M = 5_000.0
"""Accuracy of a fix by cell tower, coarse enough that its circle shows at the trip's scale and confidence varies."""
SIZE = (1280, 800)
_SHOWN_SPEED = 600.0
VIEW = (2.72, 51.05, 8.0)
"""Longitude, latitude and zoom that show the whole trip, with room for the names of countries."""
_GIVEN_UP_AFTER_MS = 90_000


def demo_file(name: str) -> Path:
    """Return the path of one of the demo's files."""
    with as_file(files("resources") / "demo" / name) as path:
        return path


class Demo(QObject):
    """Runs the demonstration from the first window to the last event."""

    def __init__(
        self,
        screenshot: Path | None,
        on_event: Callable[[Event], None],
        open_session: OpenSession,
        *,
        begun: MapView | None = None,
    ) -> None:
        """Create the window; `begun` is a map whose page has begun to load; by default the window creates its own."""
        self._application = make_application()
        super().__init__()
        self._screenshot = screenshot
        self._on_event = on_event
        # Without a display the user cannot close the window, so the demo ends after its last event then, too.
        self._close_at_end = screenshot is not None or not has_display()
        speed = None if self._close_at_end else _SHOWN_SPEED
        self._demonstration = Demonstration(Sender(DEVICE, ACCURACY_M), speed)
        self._played = False
        self._error: BaseException | None = None
        self._reported = 0
        self._expected: int | None = None
        self._shown: int | None = None
        self.window = MainWindow(bind(open_session, "127.0.0.1", 0), Memory(), begun=begun)
        if self._close_at_end:
            self.window.resize(*SIZE)

    def run(self) -> int:
        """Show the window and play; raises the error if the demo failed."""
        deadline = QTimer(self, singleShot=True, interval=_GIVEN_UP_AFTER_MS)
        deadline.timeout.connect(lambda: self._fail(FencewrightError("The demo did not finish.")))
        if self._close_at_end:
            deadline.start()
        self.start()
        with on_signals(self.window.finish):
            self._application.exec()
        deadline.stop()
        self.window.deleteLater()
        MapProfile.release_shared()
        if self._error is not None:
            raise self._error
        return 0

    def start(self) -> None:
        """Show the window and start playing."""
        self._connect()
        self.window.show()
        self.window.workspaces.open(MEMORY)

    def _connect(self) -> None:
        window = self.window
        window.ended.connect(self._application.quit)
        # Only the first workspace belongs to the demo. The user may open others afterwards.
        window.workspaces.opened.connect(self._import_fences, Qt.ConnectionType.SingleShotConnection)
        window.map.failed.connect(self._on_problem)
        window.model.problem.connect(self._on_problem)
        window.model.events_arrived.connect(self._on_events)
        window.model.counted.connect(self._on_counted)
        window.model.simulation_progressed.connect(self._on_progress)
        window.model.simulation.loaded.connect(self._play)

    def _import_fences(self) -> None:
        session = self.window.model.session
        assert session is not None
        data = demo_file("fences.csv").read_bytes()
        self.window.operations.change(
            lambda: session.engine.imports.run(Environment.TEST, ImportFile(data, "fences.csv")),
            lambda _: self.window.tracks.open(demo_file("track.gpx"), self._demonstration),
            self._fail,
        )

    def _play(self) -> None:
        """Play the demo once; the user plays it again, or another track, by hand."""
        if not self._played and self._is_shown and self.window.model.simulation.playable:
            self._played = True
            self.window.tracks.play()

    @property
    def _is_shown(self) -> bool:
        return self.window.model.simulation.demonstration is self._demonstration

    def _on_problem(self, text: str) -> None:
        """End with the error if the window cannot show it to a user, or if playing has not begun."""
        if self._close_at_end or not self._played:
            self._fail(FencewrightError(text))

    def _on_events(self, events: tuple[Event, ...]) -> None:
        try:
            for event in events:
                self._on_event(event)
        except Exception as error:  # noqa: BLE001 - such as a closed pipe: raised again when the window is gone
            self._fail(error)
            return
        self._reported += len(events)
        self._finish_when_reported()

    def _on_progress(self) -> None:
        status = self.window.model.simulation.status
        if not self._is_shown:
            return
        if status.state is SimulationState.FAILED:
            self._fail(status.error or FencewrightError("The track could not be played."))
        elif status.state is SimulationState.FINISHED and self._expected is None and self._close_at_end:
            self._count()

    def _count(self) -> None:
        """Query the number of events, since the last of them may still be on their way to the window."""
        session = self.window.model.session
        assert session is not None

        def counted(counts: Counts) -> None:
            self._expected = counts.events
            self._finish_when_reported()

        self.window.operations.read(lambda: session.engine.history.counts(Environment.TEST), counted, self._fail)

    def _on_counted(self, counts: Counts) -> None:
        self._shown = counts.events
        self._finish_when_reported()

    def _finish_when_reported(self) -> None:
        """Take the picture when the table, the map and the status line have received the last event."""
        if self._expected is not None and self._reported == self._shown == self._expected:
            self._expected = None
            self._select()
            longitude, latitude, zoom = VIEW
            self.window.map.show_point(longitude, latitude, zoom=zoom)
            self.window.map.when_settled(self._when_idle)

    def _select(self) -> None:
        entries = [event for event in self.window.model.events.all() if event.duration_s is None]
        # Select the second to last entry, since the device covers the last one.
        self.window.model.selection.select_event(next(iter(entries[1:]), None))

    def _when_idle(self) -> None:
        """Take the picture once the reason of the selected event is shown, too."""
        if self.window.operations.under_way:
            self.window.operations.idle.connect(self._take_picture, Qt.ConnectionType.SingleShotConnection)
        else:
            self._take_picture()

    def _take_picture(self) -> None:
        if self._screenshot is not None and not self.window.grab().save(str(self._screenshot)):
            self._fail(FencewrightError(f"The picture could not be saved as {self._screenshot}."))
            return
        self.window.finish()

    def _fail(self, error: BaseException) -> None:
        self._error = self._error or error
        self.window.finish()
