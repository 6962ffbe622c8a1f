"""Areas from the dialog, the palette and a dropped file: built, used, shown, removed."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Event

import orjson
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from app.desktop.dialogs.areas import AreasDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.window.main_window import MainWindow
from engine.areas.folder import FORMAT
from engine.areas.library import BUNDLED
from engine.domain.area import Area
from engine.domain.geometry import Polygon
from engine.domain.ports import Progress, no_progress
from engine.store.workspace import MEMORY
from tests.desktop.map.hand import Hand, metres_between, metres_per_pixel
from tests.desktop.waiting import let_work
from tests.desktop.window.user import User
from tests.engine.areas.extracts import STEP, STREETS, place, town
from tests.engine.areas.geofabrik import playing
from tests.small_town import town_workspace

pytestmark = [pytest.mark.slow, pytest.mark.parts("areas", "shaping", "status", "tools", "undoing", "workspaces")]

CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
BUILD_MS = 90_000
MIDDLE = place(STREETS / 2, STREETS / 2)


@pytest.fixture(scope="session")
def extract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extract of a small town."""
    return town().write(tmp_path_factory.mktemp("extract") / "town-latest.osm.pbf")


@pytest.fixture(scope="session")
def built_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with an area of that extract. Tests must copy it."""
    return town_workspace(tmp_path_factory)


def names(user: User) -> list[str]:
    return [area.name for area in user.engine.areas.in_use()]


def dialog(user: User) -> AreasDialog:
    """Open the dialog by the text of its command."""
    user.press(Qt.Key.Key_K, CTRL)
    palette = user.window.findChildren(CommandPalette)[-1]
    QTest.keyClicks(palette.search, "areas")
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    found = user.window.areas.dialog
    user.until(found.isVisible)
    user.until(lambda: found.list.topLevelItemCount() > 0 or not user.engine.areas.list())
    user.idle()
    return found


def row(user: User, name: str) -> QTreeWidgetItem:
    shown = user.window.areas.dialog.list
    user.until(lambda: bool(shown.findItems(name, Qt.MatchFlag.MatchExactly)))
    return shown.item_of(name)


def toggle(user: User, name: str) -> None:
    """Click the check box of an area."""
    shown = user.window.areas.dialog.list
    rect = shown.visualItemRect(row(user, name))
    QTest.mouseClick(shown.viewport(), LEFT, pos=QPoint(rect.left() + 10, rect.center().y()))


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPoint(9, 9), action, data, buttons, Qt.KeyboardModifier.NoModifier))


def built(user: User, name: str) -> None:
    user.until(lambda: name in names(user), timeout=BUILD_MS)
    user.idle()


@pytest.mark.whole_window
def test_a_new_workspace_begins_at_the_streets(qtbot: QtBot, empty_window: MainWindow) -> None:
    if not (BUNDLED / "helsinki").is_dir():
        pytest.skip("the bundled area has not been built; the setup does it")
    with qtbot.waitSignal(empty_window.model.opened):
        empty_window.workspaces.open(MEMORY)
    user = User(qtbot, empty_window)
    user.until(lambda: empty_window.map.zoom() > 12)
    longitude, latitude = empty_window.map.center()
    assert (longitude, latitude) == pytest.approx((24.944, 60.172), abs=0.01)
    user.until(lambda: empty_window.status.counts.text().strip().startswith("Area: helsinki"))


def test_a_workspace_with_geofences_begins_at_them(user: User) -> None:
    user.given()
    user.window.model.opened.emit()
    user.window.model.show(user.window.model.environment)
    user.idle()
    user.hand.settle()
    assert user.window.map.center() == pytest.approx((14.5, 46.05), abs=0.01)


@pytest.mark.whole_window
def test_a_dropped_extract_becomes_an_area_whose_streets_are_seen(user: User, extract: Path) -> None:
    user.window.map.show_point(*MIDDLE, zoom=16)
    before = user.hand.picture()
    drop(user.window, extract)
    user.until(user.window.status.task.isVisible)
    assert user.window.status.task.text.text() == "Building an area from town-latest.osm.pbf"
    built(user, "town")
    assert names(user) == ["town"]
    assert user.window.message.text.text().startswith("The area town is ready.")
    user.window.map.show_point(*MIDDLE, zoom=16)
    assert user.hand.picture() != before
    assert not user.window.status.task.isVisible()


def test_an_area_whose_extract_claims_more_is_shown_at_its_real_extent(user: User, tmp_path: Path) -> None:
    """A header that claimed a quarter of the world made the map show Asia."""
    drop(user.window, town().write(tmp_path / "lying.osm.pbf", stating=(0.0, 0.0, 180.0, 90.0)))
    built(user, "lying")
    message = user.window.message
    user.until(lambda: message.text.text().startswith("The area lying is ready."))
    user.click(next(each for each in (message.button, message.second) if each.text() == "Go to it"))
    Hand(user.qtbot, user.window.map).settle()
    assert user.window.map.center() == pytest.approx(MIDDLE, abs=STEP)
    west, _, east, _ = user.window.map.bounds()
    assert east - west < 20 * STEP * STREETS


needs_helsinki = pytest.mark.skipif(not (BUNDLED / "helsinki").is_dir(), reason="the bundled area has not been built")


@needs_helsinki
def test_the_first_own_area_replaces_the_bundled_one_with_an_undo(user: User, extract: Path) -> None:
    message, counts = user.window.message, user.window.status.counts
    drop(user.window, extract)
    built(user, "town")
    user.until(lambda: message.text.text().startswith("The area town is ready."))
    user.idle()
    assert message.text.text().endswith("The bundled area helsinki is no longer in use.")
    assert message.button.text() == "Undo"
    assert names(user) == ["town"]
    let_work(7_000)
    assert message.isVisible(), "what was switched off unasked is told until somebody has seen it"
    user.click(message.button)
    user.until(lambda: sorted(names(user)) == ["helsinki", "town"])
    user.until(lambda: counts.text().strip().startswith("2 areas"))
    user.idle()
    assert user.window.message.text.text() == "The area helsinki is in use again."
    drop(user.window, extract.rename(extract.with_name("village.osm.pbf")))
    try:
        built(user, "village")
    finally:
        extract.with_name("village.osm.pbf").rename(extract)
    user.until(lambda: message.text.text() == "The area village is ready.")
    assert sorted(names(user)) == ["helsinki", "town", "village"]


@needs_helsinki
def test_one_may_go_to_the_new_area_all_the_same(user: User, extract: Path) -> None:
    user.given()
    drop(user.window, extract)
    built(user, "town")
    message = user.window.message
    user.until(lambda: message.text.text().startswith("The area town is ready."))
    assert message.second.text() == "Go to it"
    user.click(message.second)
    west, south, east, north = user.engine.areas.get("town").bounds
    user.until(lambda: west < user.window.map.center()[0] < east and south < user.window.map.center()[1] < north)


@needs_helsinki
def test_so_does_one_that_another_command_has_built(user: User, built_workspace: Path, tmp_path: Path) -> None:
    user.window.workspaces.open(tmp_path / "w")
    user.until(lambda: user.engine.workspace.folder == tmp_path / "w")
    user.until(lambda: user.window.areas.areas.in_use != ())
    user.idle()
    shutil.copytree(built_workspace, tmp_path / "w", dirs_exist_ok=True)
    user.engine.areas.refresh()  # requested from this process by the command
    message = user.window.message
    user.until(message.isVisible)
    assert message.text.text() == "The bundled area helsinki is no longer in use."
    user.click(message.button)
    user.until(lambda: sorted(names(user)) == ["helsinki", "town"])


@pytest.mark.whole_window
@needs_helsinki
def test_areas_that_the_user_switches_off_are_not_reported(user: User, extract: Path) -> None:
    shown = dialog(user)
    user.type(shown.file, str(extract), enter=False)
    user.type(shown.name, "one")
    built(user, "one")
    user.until(lambda: user.window.message.button.text() == "Undo")
    toggle(user, "helsinki")
    user.until(lambda: sorted(names(user)) == ["helsinki", "one"])
    user.until(lambda: not user.window.message.isVisible())
    user.idle()
    toggle(user, "helsinki")
    user.until(lambda: names(user) == ["one"])
    user.idle()
    assert not user.window.message.isVisible()


@pytest.mark.whole_window
def test_areas_are_built_used_and_removed_in_the_dialog(user: User, extract: Path) -> None:
    shown = dialog(user)
    assert not shown.build.isEnabled()
    user.type(shown.file, str(extract), enter=False)
    user.type(shown.name, "one")
    user.until(lambda: not shown.build.isEnabled())
    built(user, "one")
    assert shown.file.text() == ""
    assert row(user, "one").checkState(0) is Qt.CheckState.Checked
    user.type(shown.file, str(extract), enter=False)
    user.type(shown.name, "two", enter=False)
    shown.build.setFocus()
    user.click(shown.build)
    user.until(lambda: not shown.build.isEnabled())
    assert not shown.region.hasFocus(), "nobody asked for a download"
    assert shown.list.hasFocus()
    built(user, "two")
    user.until(lambda: sorted(names(user)) == ["one", "two"])
    toggle(user, "one")
    user.until(lambda: names(user) == ["two"])
    user.idle()
    assert row(user, "one").checkState(0) is Qt.CheckState.Unchecked
    toggle(user, "one")
    user.until(lambda: sorted(names(user)) == ["one", "two"])
    user.idle()
    shown.list.setCurrentItem(row(user, "one"))
    user.click(shown.remove)
    user.answer("Remove")
    user.until(lambda: names(user) == ["two"])
    user.until(lambda: not shown.list.findItems("one", Qt.MatchFlag.MatchExactly))


@pytest.mark.whole_window
def test_an_error_is_shown_at_the_field(user: User, extract: Path, tmp_path: Path) -> None:
    shown = dialog(user)
    nonsense = tmp_path / "nonsense.osm.pbf"
    nonsense.write_bytes(b"not an extract")
    for file, name, param, words in (
        (nonsense, "", "file", f"{nonsense} is not an OpenStreetMap extract"),
        (tmp_path / "none.osm.pbf", "", "file", f"{tmp_path / 'none.osm.pbf'}: no such file"),
        (extract, "a/b", "name", "Name: must be 1 to 64"),
    ):
        user.type(shown.file, str(file), enter=False)
        user.type(shown.name, name, enter=False)
        user.click(shown.build)
        error = shown.fields[param].error
        user.until(error.isVisible, timeout=BUILD_MS)
        user.idle()
        assert error.text().startswith(words)
        assert shown.file.text() == str(file)


def test_building_can_be_cancelled_and_leaves_nothing(user: User, extract: Path) -> None:
    before = names(user)
    drop(user.window, extract)
    user.until(user.window.status.task.isVisible)
    user.click(user.window.status.task.cancel)
    user.until(lambda: user.window.message.text.text() == "Cancelled; no area was built.", timeout=BUILD_MS)
    user.idle()
    assert names(user) == before
    assert not [area for area in user.engine.areas.list() if area.name == "town"]
    assert not user.window.status.task.isVisible()


def test_an_import_does_not_wait_for_a_build(
    user: User, extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported, build = Event(), user.engine.areas.build

    def build_after_the_import(file: Path, name: str | None = None, progress: Progress = no_progress) -> Area:
        assert imported.wait(BUILD_MS / 1000)
        return build(file, name, progress)

    monkeypatch.setattr(user.engine.areas, "build", build_after_the_import)
    table = tmp_path / "stores.csv"
    rows = "".join(f'Store {n},circle,store,{n},"[14.5,46.05]",100\n' for n in range(50))
    table.write_text("description,type,tag,externalId,coordinates,radius\n" + rows)
    task = user.window.status.task
    drop(user.window, extract)
    user.until(task.isVisible)
    drop(user.window, table)
    user.accept_import()
    user.until(lambda: len(user.stored()) == 50)
    user.until(lambda: task.isVisible() and task.text.text() == "Building an area from town-latest.osm.pbf")
    imported.set()
    built(user, "town")
    assert not task.isVisible()


@pytest.mark.whole_window
def test_a_region_is_downloaded_and_an_unknown_one_reported(
    user: User, extract: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(extract.read_bytes()) as server:
        monkeypatch.setenv("FENCEWRIGHT_REGIONS", f"{server.url}/index.json")
        shown = dialog(user)
        user.type(shown.region, "atlantis")
        error = shown.fields["region"].error
        user.until(error.isVisible)
        user.idle()
        assert "atlantis" in error.text()
        user.type(shown.region, "europe/town", enter=False)
        user.click(shown.add)
        built(user, "town")
    assert not error.isVisible()


@pytest.mark.whole_window
def test_an_extract_is_chosen_from_the_palette(user: User, extract: Path) -> None:
    user.press(Qt.Key.Key_K, CTRL)
    palette = user.window.findChildren(CommandPalette)[-1]
    QTest.keyClicks(palette.search, "from an extract")
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    user.until(lambda: bool(user.window.findChildren(QFileDialog)))
    chooser = user.window.findChildren(QFileDialog)[-1]
    chooser.fileSelected.emit(str(extract))
    chooser.reject()
    assert user.window.areas.dialog.file.text() == str(extract)


@pytest.mark.whole_window
def test_go_to_shows_the_whole_area(user: User) -> None:
    if not (BUNDLED / "helsinki").is_dir():
        pytest.skip("the bundled area has not been built; the setup does it")
    shown = dialog(user)
    shown.list.setCurrentItem(row(user, "helsinki"))
    assert not shown.remove.isEnabled(), "it came with the program"
    user.click(shown.go)
    Hand(user.qtbot, user.window.map).settle()
    west, south, east, north = user.window.map.bounds()
    assert west < 24.9351 < 24.9535 < east
    assert south < 60.1641 < 60.1792 < north
    assert east - west < 25 * STEP * STREETS


@pytest.mark.whole_window
@pytest.mark.parametrize("held", [False, True], ids=["snaps", "alt suspends"])
def test_vertices_snap_to_streets(user: User, built_workspace: Path, tmp_path: Path, *, held: bool) -> None:
    user.window.workspaces.open(shutil.copytree(built_workspace, tmp_path / "snapping"))
    user.until(lambda: user.window.status.counts.text().strip().startswith("Area: town"))
    # The map moves to the area by itself before anything is drawn there.
    user.until(lambda: metres_between(user.window.map.center(), MIDDLE) < 1_000)
    user.idle()
    user.hand.settle()
    actions = user.window.actions_
    user.window.map.show_point(*MIDDLE, zoom=17)
    user.hand.settle()
    assert user.window.map.zoom() == 17
    user.press(Qt.Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
    user.until(lambda: actions.road_snapping.isChecked() and actions.snapping.isChecked())
    user.tool(actions.polygon)
    user.hand.settle()
    keys = Qt.KeyboardModifier.AltModifier if held else Qt.KeyboardModifier.NoModifier
    for column, row in ((2, 2.4), (2.5, 2.7), (2.7, 2.4)):
        user.hand.put_vertex(user.hand.at(place(column, row)) + QPoint(6, 0), keys)
    user.hand.press(Qt.Key.Key_Return)
    user.until(lambda: len(user.stored()) == 1)
    drawn = user.only().geometry
    assert isinstance(drawn, Polygon)
    offset_m = metres_between(drawn.ring[0], (place(2, 0)[0], drawn.ring[0][1]))
    off_m = 6 * metres_per_pixel(user.window.map)
    assert offset_m == pytest.approx(off_m if held else 0, abs=0.3 * off_m)
    # Without a street nearby, the vertex remains at the clicked position.
    there = user.hand.at(place(2.5, 2.7)) + QPoint(6, 0)
    assert (user.hand.at(drawn.ring[1]) - there).manhattanLength() <= 2


@pytest.fixture
def aged(built_workspace: Path, tmp_path: Path) -> Path:
    """A workspace with an area that was built by an older version of the program."""
    workspace = shutil.copytree(built_workspace, tmp_path / "aged")
    (manifest,) = workspace.rglob("area.json")
    manifest.write_bytes(orjson.dumps(orjson.loads(manifest.read_bytes()) | {"format": FORMAT - 1}))
    return workspace


def test_an_area_of_an_old_format_is_rebuilt_in_sight(user: User, aged: Path) -> None:
    user.window.workspaces.open(aged)
    task = user.window.status.task
    user.until(task.isVisible)
    user.until(lambda: task.text.text() == "Rebuilding town")
    user.until(lambda: task.bar.maximum() == 100 and task.bar.value() > 0, timeout=BUILD_MS)
    user.until(lambda: user.window.message.text.text() == "The area town is ready.", timeout=BUILD_MS)
    user.until(lambda: user.window.status.counts.text().strip().startswith("Area: town"))
    user.idle()
    assert not task.isVisible()


def test_rebuilding_an_area_can_be_cancelled(user: User, aged: Path) -> None:
    user.window.workspaces.open(aged)
    task = user.window.status.task
    user.until(lambda: task.isVisible() and task.text.text() == "Rebuilding town")
    user.click(task.cancel)
    user.until(lambda: user.window.message.text.text().startswith("Cancelled; town has an old format"))
    user.idle()
    assert names(user) == []
    user.click(user.window.message.button)
    assert user.window.areas.dialog.isVisible()
    toggle(user, "town")
    built(user, "town")
