"""A window with the demo, and a camera for pictures of it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QPoint, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.demo import ACCURACY_M, DEVICE, SIZE, VIEW, demo_file
from app.desktop.memory import Memory
from app.desktop.model.simulation.sender import Demonstration, Sender
from app.desktop.model.simulation.status import SimulationState
from app.desktop.relay import Relay
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.endpoint import DEFAULT_PORT, LOOPBACK
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.store.workspace import MEMORY
from tests.engine.fixtures import import_csv

type Shot = tuple[str, QWidget | None]
"""The name of a picture, and the dialog or menu to lay over the window."""

_GIVE_UP_MS = 180_000
"""Enough for a back-test of a million fixes on a busy machine."""


def wait_for(ready: Callable[[], bool], description: str) -> None:
    """Process the window's events until `ready`."""
    loop = QEventLoop()
    look = QTimer(interval=20)
    # The condition may no longer hold when the loop has returned, so the result of the check counts.
    look.timeout.connect(lambda: loop.exit(1) if ready() else None)
    give_up = QTimer(singleShot=True, interval=_GIVE_UP_MS)
    give_up.timeout.connect(loop.quit)
    look.start()
    give_up.start()
    seen = loop.exec()
    look.stop()
    if not seen:
        raise TimeoutError(description)


def usual_port() -> int:
    """Return the default port of the endpoint, or 0 if another program uses it."""
    with socket.socket() as probe:
        return DEFAULT_PORT if probe.connect_ex((LOOPBACK, DEFAULT_PORT)) else 0


class Studio:
    """A window with the demo, and a camera."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        """Show a window whose workspaces have their endpoint at `port`. Pictures are saved in `folder`."""
        self.folder = folder
        self.window = MainWindow(bind(WorkspaceSession, LOOPBACK, port), Memory())
        self.window.resize(*SIZE)
        self.window.show()
        self.taken: list[Path] = []

    def wait(self, ready: Callable[[], bool], description: str) -> None:
        """Process the window's events until `ready`."""
        wait_for(ready, description)

    def settle(self) -> None:
        """Wait until everything is drawn, without the pauses before new counts and a new time are shown."""
        for relay in self.window.findChildren(Relay):
            relay.deliver()
        self.window.clock.show()
        done: list[bool] = []
        self.window.map.when_settled(lambda: done.append(True))
        wait_for(lambda: bool(done) and self.window.operations.under_way == 0, "the window does not settle")
        QApplication.processEvents()

    def open(self) -> None:
        """Open an empty temporary workspace, with the geofence and the events in front."""
        before = self.window.model.session
        if before is not None:
            # Otherwise it would still use the port when the new workspace needs it.
            before.stop_endpoint()
        self.window.workspaces.open(MEMORY)

        def there() -> bool:
            session = self.window.model.session
            return session is not None and session is not before and bool(session.url)

        wait_for(there, "workspace")
        self.window.message.dismiss()
        self.window.docks.bring(self.window.docks.fence)
        self.window.docks.bring(self.window.docks.events)

    def fill(self) -> None:
        """Import the demo's geofences and play half of its track."""
        session = self.window.model.session
        assert session is not None
        import_csv(session.engine, Environment.TEST, demo_file("fences.csv").read_bytes())
        self.window.tracks.open(demo_file("track.gpx"), Demonstration(Sender(DEVICE, ACCURACY_M), None))
        simulation = self.window.model.simulation
        wait_for(lambda: simulation.track is not None, "the track")
        self.window.tracks.play()
        wait_for(lambda: simulation.status.state is SimulationState.FINISHED, "the end of the track")
        wait_for(lambda: len(self.window.model.events) > 15, "the events")
        longitude, latitude, zoom = VIEW
        self.window.map.show_point(longitude, latitude, zoom=zoom)

    def select_event_at(self, external_id: str) -> None:
        """Select the latest event of a geofence."""
        events = self.window.model.events.all()
        wanted = (each for each in events if each.geofence and each.geofence.external_id == external_id)
        self.window.model.selection.select_event(next(wanted))

    def picture(self, widget: QWidget | None = None) -> QPixmap:
        """Return a picture of the window with a dialog or a menu over it, or of the window alone."""
        self.settle()
        picture = self.window.grab()
        if widget is not None:
            _lay_over(picture, self.window, widget)
        return picture

    def take(self, name: str, widget: QWidget | None = None) -> None:
        """Save a picture."""
        picture = self.picture(widget)
        file = self.folder / f"{name}.png"
        if not picture.save(str(file)):
            raise OSError(f"{file} could not be saved")
        self.taken.append(file)

    def close(self) -> None:
        """Close the window."""
        ended: list[bool] = []
        self.window.ended.connect(lambda: ended.append(True))
        self.window.close()
        wait_for(lambda: bool(ended), "the window does not end")
        self.window.deleteLater()
        QApplication.processEvents()


def _lay_over(picture: QPixmap, window: MainWindow, widget: QWidget) -> None:
    at = QPoint((window.width() - widget.width()) // 2, (window.height() - widget.height()) // 2)
    with QPainter(picture) as painter:
        painter.fillRect(picture.rect(), "#50000000")
        painter.drawPixmap(at, widget.grab())
