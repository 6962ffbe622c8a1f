"""A window in a separate process, in which a user works until the process is killed."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from app.desktop.application import make_application
from app.desktop.memory import Memory
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from tests.desktop.window.kept import wait_until

TRACK = "time,lat,lon\n" + "".join(f"2026-05-12T06:0{n}:00Z,46.05,14.5{n}\n" for n in range(6))
CAMERA = (14.51, 46.06, 14.0)


def click(window: MainWindow, button: QToolButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def work(window: MainWindow, folder: Path) -> None:
    """Change everything that is kept: in Live, with two geofences selected, at a fix of a track, with other panels."""
    window.workspaces.open(folder)
    wait_until(lambda: window.model.session is not None and window.model.session.url is not None)
    session = window.model.session
    assert session is not None
    click(window, window.toolbar.environments.live)
    for number in range(3):
        session.engine.geofences.create(
            Environment.LIVE,
            GeofenceChange(
                tag="store",
                external_id=str(number),
                description=f"Store {number}",
                type="circle",
                coordinates=(14.5, 46.05),
                size=120.0,
            ),
        )
    wait_until(lambda: len(window.model.fences) == 3)
    first, second = (fence.id for fence in window.model.fences.all() if fence.external_id in "02")
    window.model.selection.select_fences([first, second], second)
    click(window, window.form.switch.buttons[1])
    click(window, window.docks.title(window.docks.users).fold)
    window.actions_.geofence_table.trigger()
    words = window.table.head.words
    words.setFocus()
    QTest.keyClicks(words, "state:enabled")
    file = folder.parent / "walk.csv"
    file.write_text(TRACK)
    window.tracks.open(file)
    wait_until(lambda: window.model.simulation.track is not None)
    window.simulator.slider.setFocus()
    for _ in range(4):
        QTest.keyClick(window.simulator.slider, Qt.Key.Key_Up)
    longitude, latitude, zoom = CAMERA
    window.map.show_point(longitude, latitude, zoom=zoom)
    wait_until(lambda: window.map.zoom() == zoom and window.operations.under_way == 0)


def main(folder: Path) -> None:
    """Work in the workspace, and wait for the process to be killed."""
    application = make_application()
    window = MainWindow(bind(WorkspaceSession, "127.0.0.1", 0), Memory(folder.parent / "config"))
    window.resize(1280, 800)
    window.show()
    wait_until(window.map.is_ready)
    work(window, folder)
    sys.stdout.write("done\n")
    sys.stdout.flush()
    application.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
