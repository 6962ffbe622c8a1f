"""Pictures of tracks: the Track menu, drawing one on the map, its dialogs, and unreadable parts of a file."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.demo import VIEW, demo_file
from app.desktop.dialogs.tracks.skipped import SkippedDialog
from engine.domain.environment import Environment
from engine.simulation.formats.reading import parse_track
from tests.desktop.studio import Studio, wait_for
from tests.engine.fixtures import import_csv

_WAY = ((-0.004, -0.002), (-0.002, 0.002), (0.001, -0.001), (0.004, 0.002))
_BAD = b"lat,lon,accuracy\n47.14,9.52,5\n47.141,east,5\n47.142,9.521,0\n1\n"


def tracks_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the menu over a track, then a track being drawn."""
    window = studio.window
    studio.open()
    session = window.model.session
    assert session is not None
    window.toolbar.environments.test.click()
    import_csv(session.engine, Environment.TEST, demo_file("fences.csv").read_bytes())
    wait_for(lambda: len(window.model.fences) > 1, "the geofences")
    longitude, latitude, zoom = VIEW
    window.map.show_point(longitude, latitude, zoom=zoom)
    window.docks.bring(window.docks.simulator)
    window.actions_.draw_track.trigger()
    yield "track-tool", None
    window.map.cancel()
    window.map.track_drawn.emit(tuple((longitude + east, latitude + north) for east, north in _WAY))
    wait_for(lambda: QApplication.activeModalWidget() is not None, "the question for the speed")
    yield "track-speed", QApplication.activeModalWidget()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(lambda: window.model.simulation.track is not None, "the track")
    yield "track-drawn", None
    menu = window.track_menu.menu
    menu.aboutToShow.emit()
    menu.resize(menu.sizeHint())
    yield "menu-track", menu
    yield from _dialogs(window)
    window.model.simulation.unload()


def _dialogs(window: QWidget) -> Iterator[tuple[str, QWidget | None]]:
    from app.desktop.window.main_window import MainWindow

    assert isinstance(window, MainWindow)
    for name, ask in (
        ("track-resample", window.track_menu.editing.resample),
        ("track-record", window.track_menu.record),
    ):
        ask()
        dialog = QApplication.activeModalWidget()
        yield name, dialog
        if dialog is not None:
            dialog.close()
    track = parse_track(_BAD, "tour.csv")
    window.tracks.load(parse_track(_BAD.replace(b"accuracy", b"time").replace(b",5", b",2026-01-01"), "tour.csv"))
    yield "track-not-all-read", None
    skipped = SkippedDialog(window, track)
    skipped.show()
    yield "track-skipped", skipped
    skipped.close()
