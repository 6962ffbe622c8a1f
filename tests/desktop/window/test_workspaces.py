"""Workspaces, Test and Live, the endpoint, importing, and the shutdown."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.desktop.map import MapProfile
from app.desktop.memory import Memory
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.session import WorkspaceSession
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import GeofenceChange
from engine.engine import Engine
from engine.store.workspace import KEYS, read_keys
from tests.desktop.waiting import let_work
from tests.desktop.window.user import User, unmarked

pytestmark = pytest.mark.parts(
    "availability",
    "beacons",
    "commands",
    "endpoint",
    "fences",
    "imports",
    "list",
    "lost",
    "many",
    "pending",
    "search_result",
    "selection",
    "tools",
    "tracks",
    "views",
    "workspaces",
)

LIVE, TEST = Environment.LIVE, Environment.TEST


def url(user: User) -> str | None:
    return user.session.url


def test_live_and_test_are_apart_and_unmistakable(user: User) -> None:
    user.given(1)
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment is LIVE)
    assert len(user.window.model.fences) == 0
    assert user.window.property("environment") == "live"
    user.click(user.window.toolbar.environments.test)
    user.until(lambda: len(user.window.model.fences) == 1)
    assert user.window.property("environment") == "test"


def test_storing_a_drawn_fence_in_live_is_confirmed(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.tool(user.window.actions_.circle)
    for position in ((14.5, 46.05), (14.502, 46.05)):
        user.hand.click(position)
    user.answer("Cancel")
    assert user.stored(LIVE) == []
    user.tool(user.window.actions_.circle)
    for position in ((14.5, 46.05), (14.502, 46.05)):
        user.hand.click(position)
    user.answer("Create")
    user.until(lambda: len(user.stored(LIVE)) == 1)
    assert user.stored(TEST) == []


def test_edits_of_live_wait_for_apply(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    fence = user.given()
    user.select(fence)
    form = user.window.form
    user.type(form.basics.description, "New name")
    user.click(form.basics.enabled)
    user.until(form.pending_bar.apply.isEnabled)
    assert user.engine.geofences.get(LIVE, fence.id) == fence
    user.click(form.pending_bar.apply)
    user.until(lambda: user.engine.geofences.get(LIVE, fence.id).description == "New name")
    assert not user.engine.geofences.get(LIVE, fence.id).enabled
    user.until(lambda: not form.pending_bar.apply.isEnabled())


def test_another_workspace_is_opened_and_the_first_is_released(user: User, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    user.window.workspaces.open(first)
    user.until(lambda: user.engine.workspace.folder == first)
    user.given()
    user.window.workspaces.open(second)
    user.until(lambda: user.engine.workspace.folder == second and url(user) is not None)
    user.idle()
    assert len(user.window.model.fences) == 0
    with Engine.open(first) as engine:
        assert len(engine.geofences.all(TEST)) == 1
    assert "second" in user.window.windowTitle()


def test_a_busy_workspace_is_reported_and_the_open_one_stays(user: User, tmp_path: Path) -> None:
    before = user.session
    with Engine.open(tmp_path / "busy"):
        user.window.workspaces.open(tmp_path / "busy")
        user.until(user.window.message.isVisible)
        assert "open in another process" in user.window.message.text.text()
    assert user.session is before


def test_the_open_workspace_is_not_opened_twice(user: User, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    user.window.workspaces.open(folder)
    user.until(lambda: user.engine.workspace.folder == folder)
    user.idle()
    before = user.session
    user.window.workspaces.open(folder / ".." / "one")
    assert user.window.message.text.text().endswith("is already open.")
    user.idle()
    assert user.session is before


def test_the_workspace_requested_last_is_open_in_the_end(user: User, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    user.window.workspaces.open(first)
    user.until(lambda: user.engine.workspace.folder == first)
    user.idle()
    user.window.workspaces.open(second)
    user.window.workspaces.open(first)
    user.until(lambda: user.engine.workspace.folder == second)
    user.until(lambda: user.engine.workspace.folder == first)
    user.idle()
    assert "another process" not in user.window.message.text.text()
    with Engine.open(second):
        pass


@pytest.mark.whole_window
def test_the_search_is_at_hand_in_the_smallest_window(user: User) -> None:
    window = user.window
    window.resize(300, 200)
    # The screen of the tests is narrower than the usual minimum width of the window.
    user.until(lambda: window.size() == window.minimumSize())
    assert window.width() <= 960
    assert window.height() == 600
    box = window.toolbar.search
    user.until(box.isVisible)
    assert window.toolbar.rect().contains(box.geometry())
    user.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert box.hasFocus()
    circle = window.toolbar.widgetForAction(window.actions_.circle)
    assert isinstance(circle, QToolButton)
    assert circle.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly
    window.resize(1280, 800)
    user.until(lambda: circle.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


def test_escape_on_the_map_removes_the_search_result(user: User) -> None:
    card = user.window.search_result.card
    user.window.actions_.what_is_here.trigger()
    user.until(card.isVisible)
    user.idle()
    drawn_on = user.window.map.render_widget()
    assert drawn_on is not None
    user.press(Qt.Key.Key_Escape, on=drawn_on)
    user.until(lambda: not card.isVisible())
    user.tool(user.window.actions_.circle)
    user.press(Qt.Key.Key_Escape, on=drawn_on)
    user.until(user.window.actions_.select.isChecked)


@pytest.mark.slow
def test_a_window_whose_workspace_is_busy_offers_another(
    qtbot: QtBot, empty_window: MainWindow, tmp_path: Path
) -> None:
    user = User(qtbot, empty_window)
    with Engine.open(tmp_path):
        empty_window.workspaces.open(tmp_path)
        user.until(empty_window.message.isVisible)
    assert empty_window.message.second.text() == "Open another…"
    assert not empty_window.actions_.circle.isEnabled()
    assert not empty_window.actions_.delete.isEnabled(), "nothing is selected"


@pytest.mark.slow
def test_a_copy_is_a_workspace_of_its_own(user: User, tmp_path: Path) -> None:
    user.given()
    user.window.workspaces.save_copy(tmp_path / "copy")
    user.until(lambda: "Saved a copy" in user.window.message.text.text())
    with Engine.open(tmp_path / "copy") as engine:
        assert [fence.description for fence in engine.geofences.all(TEST)] == ["Store 1"]


def test_the_endpoint_stops_and_starts(user: User) -> None:
    status = user.window.status
    assert status.endpoint.text().startswith("● 127.0.0.1:")
    user.click(status.toggle)
    user.until(lambda: status.endpoint.text() == "○ Endpoint stopped")
    assert url(user) is None
    user.click(status.toggle)
    user.until(lambda: url(user) is not None and status.endpoint.text().startswith("●"))


def test_address_and_keys_are_copied(user: User) -> None:
    clipboard = QGuiApplication.clipboard()
    user.click(user.window.status.copy_url)
    assert clipboard.text() == url(user)
    menu = user.window.status.keys.menu()
    assert menu is not None
    copied = []
    for entry in menu.actions()[:4]:
        entry.trigger()
        copied.append(clipboard.text())
    assert copied == [key.value for key in user.engine.workspace.keys.all()]
    assert user.engine.workspace.keys.value(TEST, KeyLevel.PUBLISHABLE) == copied[0]


@pytest.mark.parametrize("number", range(4))
def test_a_key_is_rotated_after_a_yes(user: User, number: int) -> None:
    menu = user.window.status.keys.menu()
    assert menu is not None
    keys = user.engine.workspace.keys
    before = keys.all()
    name = f"{before[number].environment.value.capitalize()} {before[number].level.value}"
    entry = next(entry for entry in menu.actions() if unmarked(entry.text()) == f"Rotate {name} key…")
    entry.trigger()
    assert user.box().text() == f"Rotate the {name} key?"
    user.answer("Cancel")
    user.idle()
    assert keys.all() == before
    entry.trigger()
    user.answer("Rotate")
    user.until(user.window.message.isVisible)
    assert [old == new for old, new in zip(before, keys.all(), strict=True)] == [each != number for each in range(4)]
    assert keys.find(before[number].value) is None
    user.click(user.window.message.button)
    assert QGuiApplication.clipboard().text() == keys.all()[number].value


def test_a_key_that_cannot_be_saved_is_reported_and_stays(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def refuse(file: Path, content: bytes) -> None:
        threads.append(threading.current_thread().name)
        raise OSError("the disk is full")

    monkeypatch.setattr("engine.store.keys.write_private", refuse)
    before = user.engine.workspace.keys.all()
    user.window.endpoint.rotate_key(TEST, KeyLevel.SECRET)
    user.answer("Rotate")
    user.until(user.window.message.isVisible)
    assert "could not be saved: the disk is full" in user.window.message.text.text()
    assert user.engine.workspace.keys.all() == before
    assert threads
    assert threads != [threading.main_thread().name]


def test_on_a_full_disk_a_key_stays_and_nothing_is_left(user: User) -> None:
    folder = user.engine.workspace.folder
    (folder / f".{KEYS}.{os.getpid()}").symlink_to("/dev/full")
    keys = user.engine.workspace.keys
    before = keys.all()
    user.window.endpoint.rotate_key(TEST, KeyLevel.SECRET)
    user.answer("Rotate")
    user.until(user.window.message.isVisible)
    refusal = "The keys could not be saved: No space left on device. They have not changed."
    assert user.window.message.text.text() == refusal
    assert (keys.all(), read_keys(folder).all()) == (before, before)
    assert not list(folder.glob(".keys*"))


def test_the_first_endpoint_waits_for_the_map_and_a_busy_port_is_reported(
    qtbot: QtBot, map_profile: MapProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desktop.window.controllers.workspaces._DRAWN_WITHIN_S", 600.0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        window = MainWindow(bind(WorkspaceSession, "127.0.0.1", port), profile=map_profile)
        user = User(qtbot, window)
        when_drawn: list[Callable[[], None]] = []
        begin = window.endpoint.begin
        monkeypatch.setattr(window.endpoint, "begin", lambda _: begin(when_drawn.append))
        window.show()
        window.workspaces.open(":memory:")
        user.until(lambda: bool(when_drawn))
        let_work(200)
        assert not window.message.isVisible()
        when_drawn[0]()
        user.until(window.message.isVisible)
        assert str(port) in window.message.text.text()
        assert window.status.endpoint.text() == "○ Endpoint stopped"
    user.click(window.message.button)
    user.until(lambda: user.session.url is not None)
    with qtbot.waitSignal(window.ended):
        window.close()
    window.deleteLater()


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPoint(9, 9), action, data, button, Qt.KeyboardModifier.NoModifier))


def test_a_dropped_table_is_previewed_and_its_good_rows_are_imported(user: User, tmp_path: Path) -> None:
    table = tmp_path / "fences.csv"
    rows = ('One,circle,store,1,"[14.5,46.05]",100', 'Two,circle,store,2,"[14.5,46.05]",9')
    table.write_text("description,type,tag,externalId,coordinates,radius\n" + "\n".join(rows))
    drop(user.window, table)
    user.until(lambda: user.window.imports.preview is not None)
    preview = user.window.imports.preview
    assert preview is not None
    actions = [preview.model.index(row, 1).data() for row in range(2)]
    assert (actions, preview.accept_button.isEnabled()) == (["Create", "Error"], False)
    user.click(preview.keep)
    user.click(preview.accept_button)
    user.until(lambda: [fence.description for fence in user.stored()] == ["One"])


def test_files_given_at_the_start_are_opened_in_the_first_workspace(user: User, tmp_path: Path) -> None:
    file = tmp_path / "one.geojson"
    polygon = '{"type":"Polygon","coordinates":[[[14.5,46],[14.6,46],[14.6,46.1],[14.5,46]]]}'
    file.write_text(f'{{"type":"Feature","properties":{{"externalId":"1","tag":"store"}},"geometry":{polygon}}}')
    user.window.open_files([file])
    for name in ("first", "second"):
        user.window.workspaces.open(tmp_path / name)
        user.until(lambda name=name: user.session.engine.workspace.folder == tmp_path / name)  # type: ignore[misc]
        if name == "first":
            user.until(lambda: user.window.imports.preview is not None)
            user.press(Qt.Key.Key_Escape, on=user.window.imports.preview)
            user.until(lambda: user.window.imports.preview is None)
    user.idle()
    assert user.window.imports.preview is None


@pytest.mark.parametrize("name", ["walk.csv", "walk.geojson"])
def test_a_dropped_track_is_opened(user: User, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    line = '{"type":"LineString","coordinates":[[14.5,46.0],[14.6,46.0]]}'
    times = '"coordTimes":["2026-05-12T06:00:00Z","2026-05-12T06:01:00Z"]'
    texts = {
        "walk.csv": "time,lat,lon\n2026-05-12T06:00:00Z,46.05,14.5\n2026-05-12T06:00:09Z,46.05,14.6\n",
        "walk.geojson": f'{{"type":"Feature","properties":{{{times}}},"geometry":{line}}}',
    }
    file.write_text(texts[name])
    drop(user.window, file)
    user.until(lambda: len(user.window.model.simulation.fixes) == 2)


def test_a_file_of_another_kind_is_refused(user: User, tmp_path: Path) -> None:
    drop(user.window, tmp_path / "photo.jpg")
    assert "photo.jpg cannot be opened" in user.window.message.text.text()


def test_the_window_remembers_its_position(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    memory.theme, memory.online_tiles, memory.fence_names = "dark", True, False
    memory.remember_workspace(tmp_path / "a")
    again = Memory(tmp_path)
    assert (again.theme, again.online_tiles, again.recent()) == ("dark", True, (tmp_path / "a",))
    assert not again.fence_names
    assert again.place() is None
    nothing = Memory()
    nothing.theme = "dark"
    assert (nothing.theme, nothing.recent(), nothing.place()) == ("light", (), None)


@pytest.mark.whole_window
def test_folded_panels_and_theme(user: User) -> None:
    docks = user.window.docks
    user.click(docks.title(docks.events).fold)
    assert not docks.events.isVisible()
    next(action for action in docks.actions() if unmarked(action.text()) == "Events").trigger()
    assert docks.events.isVisible()
    user.window.actions_.dark.trigger()
    assert user.window.appearance.theme == "dark"
    user.window.actions_.light.trigger()


@pytest.mark.slow
def test_another_theme_leaves_a_list_scrolled_as_it_was(user: User) -> None:
    for number in range(40):
        user.given(number)
    bar = user.window.list.view.verticalScrollBar()
    user.until(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    before = bar.value()
    for action in (user.window.actions_.dark, user.window.actions_.light):
        action.trigger()
        assert bar.value() == before
        QApplication.processEvents()
        assert bar.value() == before


def test_quitting_ends_playing(user: User, tmp_path: Path) -> None:
    file = tmp_path / "slow.csv"
    file.write_text("time,lat,lon\n2026-05-12T06:00:00Z,46.05,14.5\n2026-05-12T07:00:00Z,46.05,14.6\n")
    user.window.tracks.open(file)
    user.until(lambda: len(user.window.model.simulation.fixes) == 2)
    user.window.simulator.speed.setCurrentIndex(0)
    user.click(user.window.simulator.play)
    user.engine.geofences.create(
        TEST,
        GeofenceChange(tag="a", external_id="1", description="A", type="circle", coordinates=(14.5, 46.0), size=50.0),
    )
    # The fixtures close the window, after which nothing may be running.


@pytest.mark.whole_window
@pytest.mark.slow
@pytest.mark.new_window
def test_a_workspace_that_opens_while_the_window_closes_is_released(user: User, tmp_path: Path) -> None:
    user.window.workspaces.open(tmp_path / "w")
    user.window.close()
    user.until(lambda: user.window._ended)
    with WorkspaceSession(tmp_path / "w") as session:
        assert session.engine.workspace.folder == tmp_path / "w"
