"""Confirmations of actions that cannot simply be undone. Enter gives the answer that does nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QPushButton

from app.desktop.dialogs.clear import ClearDialog
from app.desktop.model.simulation.status import SimulationState
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.window.user import CENTRE, EDGE, User, unmarked

pytestmark = pytest.mark.parts(
    "areas",
    "availability",
    "commands",
    "endpoint",
    "fences",
    "imports",
    "list",
    "many",
    "project",
    "selection",
    "tools",
    "tracks",
    "undoing",
)

TEST, LIVE = Environment.TEST, Environment.LIVE

CSV = b'description,type,tag,externalId,coordinates,radius\nOne,circle,a,1,"[14.5,46.05]",100\n'
GPX = """<?xml version="1.0"?>
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
<trkpt lat="46.05" lon="14.49"><time>2026-05-12T06:00:00Z</time></trkpt>
<trkpt lat="46.05" lon="14.50"><time>2026-05-12T06:00:10Z</time></trkpt>
</trkseg></trk></gpx>"""

type Ask = Callable[[User, Path], object]


def live(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment is LIVE)


def create(user: User, _: Path) -> None:
    live(user)
    user.tool(user.window.actions_.circle)
    for position in (CENTRE, EDGE):
        user.hand.click(position)


def reshape(user: User, _: Path) -> None:
    live(user)
    user.select(user.given())
    user.tool(user.window.actions_.move)
    user.hand.drag((14.4995, 46.0503), (14.5025, 46.0503))


def delete(user: User, _: Path) -> None:
    live(user)
    user.select(user.given())
    user.press(Qt.Key.Key_Delete, on=user.window.list.view)


def undo(user: User, _: Path) -> None:
    live(user)
    fence = user.given()
    user.window.model.edit(lambda editor: editor.edit(fence, GeofenceChange(description="Mine")))
    user.until(user.window.actions_.undo.isEnabled)
    user.tool(user.window.actions_.undo)


def overwrite(user: User, _: Path) -> None:
    fence = user.given()
    user.select(fence)
    user.type(user.window.form.basics.description, "Mine")
    user.until(lambda: user.only().description == "Mine")
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(description="Theirs"))
    user.until(lambda: user.window.form.basics.description.text() == "Theirs")
    user.until(user.window.actions_.undo.isEnabled)
    user.tool(user.window.actions_.undo)


def import_table(user: User, folder: Path) -> None:
    live(user)
    file = folder / "stores.csv"
    file.write_bytes(CSV)
    user.window.imports.import_file(file)
    user.accept_import()


def play(user: User, folder: Path) -> None:
    live(user)
    file = folder / "walk.gpx"
    file.write_text(GPX)
    user.window.tracks.open(file)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.STOPPED)
    user.press(Qt.Key.Key_Space)


def rotate(user: User, _: Path) -> None:
    menu = user.window.status.keys.menu()
    assert menu is not None
    next(entry for entry in menu.actions() if unmarked(entry.text()) == "Rotate Live secret key…").trigger()


def remove_area(user: User, folder: Path) -> None:
    user.window.actions_.areas.trigger()
    areas = user.engine.areas.list()
    if not areas:
        pytest.skip("there is no area on this machine")
    user.window.areas.ask_to_remove(areas[0])


def clear(user: User, _: Path) -> None:
    user.given()
    user.engine.tracking.track(TEST, LocationUpdate("phone-1", Point(14.5, 46.05), 10.0))
    user.until(lambda: len(user.window.model.users) == 1)
    user.window.actions_.clear.trigger()


def question(user: User) -> QDialog:
    def is_open() -> bool:
        return isinstance(QApplication.activeModalWidget(), QMessageBox | ClearDialog)

    user.until(is_open)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    return dialog


def stored(user: User) -> object:
    """Return everything that the confirmations protect."""
    engine = user.engine
    return [
        engine.workspace.keys.all(),
        [area.name for area in engine.areas.list()],
        *((engine.geofences.all(each), engine.history.counts(each)) for each in Environment),
    ]


def test_a_question_about_live_is_answered_with_no_when_something_else_is_shown(user: User, tmp_path: Path) -> None:
    delete(user, tmp_path)
    box = question(user)
    user.window.model.show(TEST)
    user.until(lambda: not box.isVisible())
    user.idle()
    assert len(user.stored(LIVE)) == 1


@pytest.mark.parametrize(
    "ask",
    [create, reshape, delete, undo, overwrite, import_table, play, rotate, remove_area, clear],
    ids=lambda ask: ask.__name__,
)
def test_enter_gives_the_answer_that_does_nothing(user: User, tmp_path: Path, ask: Ask) -> None:
    ask(user, tmp_path)
    dialog = question(user)
    user.idle()
    before = stored(user)
    safe = dialog.focusWidget()
    assert isinstance(safe, QPushButton)
    assert (unmarked(safe.text()), safe.isDefault()) == ("Cancel", True)
    handle = dialog.windowHandle()
    assert isinstance(handle, QWindow)
    QTest.keyClick(handle, Qt.Key.Key_Return)
    user.until(lambda: QApplication.activeModalWidget() is None)
    user.idle()
    QCoreApplication.processEvents()
    assert stored(user) == before
