"""The table of geofences by mouse and keyboard: listed, sorted, filtered, selected, and followed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QMenu

from app.desktop.panels.fence_table.table import FenceTable
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from tests.desktop.window.test_selection import camera
from tests.desktop.window.user import LEFT, NO_KEYS, User, unmarked
from tests.engine.fixtures import import_csv

pytestmark = pytest.mark.parts("availability", "commands", "fences", "list", "many", "selection", "table", "undoing")

TEST = Environment.TEST
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def table(user: User) -> FenceTable:
    """The table, opened with its shortcut over several stores and depots."""
    header = "description,type,tag,externalId,coordinates,radius,enabled,metadata.floor"
    rows = "\n".join(
        f'Gate {n},circle,{"depot" if n % 3 == 2 else "store"},{n},"[{14.5 + n * 0.002:.4f},46.05]",{60 + n * 10},'
        f"{'false' if n % 4 == 3 else 'true'},{n % 5}"
        for n in range(12)
    )
    import_csv(user.engine, TEST, f"{header}\n{rows}\n".encode())
    user.until(lambda: len(user.window.model.fences) == 12)
    user.window.map.show_point(14.5, 46.05, zoom=15)
    user.press(Qt.Key.Key_G, CTRL)
    table = user.window.table
    user.until(lambda: table.is_awake and len(table.rows) == 12)
    return table


def listed(table: FenceTable) -> list[str]:
    return [fence.external_id for fence in table.rows.fences(0, len(table.rows) - 1)]


def click_row(table: FenceTable, row: int, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    table.view.scrollTo(table.model.index(row, 0))
    QTest.mouseClick(table.view.viewport(), LEFT, keys, table.view.visualRect(table.model.index(row, 0)).center())


def click_title(table: FenceTable, name: str) -> None:
    header = table.view.horizontalHeader()
    section = [column.name for column in table.model.columns].index(name)
    table.view.scrollTo(table.model.index(0, section))
    at = QPoint(header.sectionViewportPosition(section) + 12, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, NO_KEYS, at)


def choose(user: User, box: QComboBox, text: str) -> None:
    """Choose an entry with the keyboard."""
    box.setFocus()
    steps = box.findText(text) - box.currentIndex()
    for _ in range(abs(steps)):
        QTest.keyClick(box, Qt.Key.Key_Down if steps > 0 else Qt.Key.Key_Up)
    assert box.currentText() == text


def selected(user: User) -> list[str]:
    """Return the selection, which the table must also mark."""
    table, ids = user.window.table, user.window.model.selection.fence_ids
    marked = table.model.ids_in(table.view.selectionModel().selection())
    assert set(marked) == {each for each in ids if table.rows.row(each) is not None}
    fences: list[Geofence | None] = [user.window.model.fences.get(each) for each in ids]
    return [fence.external_id for fence in fences if fence is not None]


def test_titles_sort_and_numbers_count_as_numbers(user: User, table: FenceTable) -> None:
    assert listed(table) == [str(n) for n in range(12)]
    click_title(table, "description")
    assert listed(table) == [str(n) for n in reversed(range(12))]
    click_title(table, "radius")
    assert listed(table) == [str(n) for n in range(12)]
    click_title(table, "tag")
    assert listed(table)[:4] == ["2", "5", "8", "11"]


def test_the_filter_is_typed_and_chosen(user: User, table: FenceTable) -> None:
    note = user.window.docks.title(user.window.docks.table).note
    assert note.whole == "12"
    user.type(table.head.words, "gate floor:1", enter=False)
    user.until(lambda: listed(table) == ["1", "6", "11"])
    assert note.whole == "3 of 12"
    choose(user, table.head.state, "Disabled")
    user.until(lambda: listed(table) == ["11"])
    assert table.filter_text == "gate floor:1 state:disabled"
    user.press(Qt.Key.Key_Escape, on=table.head.words)
    user.until(lambda: len(table.rows) == 12)
    assert table.head.state.currentText() == "Any state"
    choose(user, table.head.tag, "depot")
    user.until(lambda: listed(table) == ["2", "5", "8", "11"])
    user.type(table.head.words, "state:shut", enter=False)
    user.until(lambda: table.head.words.property("invalid") is True)
    assert "must be enabled" in table.head.words.toolTip()
    user.type(table.head.words, "nothing like it", enter=False)
    user.until(lambda: len(table.rows) == 0)
    assert user.window.model.selection.fence_ids == ()


def test_rows_are_selected_here_and_everywhere(user: User, table: FenceTable) -> None:
    click_row(table, 1)
    assert selected(user) == ["1"]
    assert user.window.form.fence is not None
    assert user.window.form.fence.external_id == "1"
    click_row(table, 3, SHIFT)
    click_row(table, 5, CTRL)
    assert selected(user) == ["1", "2", "3", "5"]
    assert user.window.form.fence.external_id == "5"
    tree = user.window.list
    assert set(tree.model.ids_in(tree.view.selectionModel().selection())) == set(user.window.model.selection.fence_ids)
    QTest.keyClick(table.view, Qt.Key.Key_A, CTRL)
    assert len(selected(user)) == 12
    QTest.keyClick(table.view, Qt.Key.Key_Escape)
    assert selected(user) == []
    user.select(user.window.model.fences.all()[4])
    assert selected(user) == [user.window.model.fences.all()[4].external_id]
    click_row(table, 0)
    QTest.keyClick(table.view, Qt.Key.Key_Down, SHIFT)
    for _ in range(2):
        QTest.keyClick(table.view, Qt.Key.Key_Delete)
    user.until(lambda: listed(table) == [str(n) for n in range(2, 12)])
    user.idle()
    user.press(Qt.Key.Key_Z, CTRL, on=table.view)
    user.until(lambda: listed(table) == [str(n) for n in range(12)])
    user.idle()
    assert sorted(selected(user)) == ["0", "1"]


def test_the_filter_hides_selected_rows_and_a_click_leaves_them_out(user: User, table: FenceTable) -> None:
    click_row(table, 1)
    click_row(table, 2, SHIFT)
    user.type(table.head.words, "tag:store", enter=False)
    user.until(lambda: len(table.rows) == 8)
    assert selected(user) == ["1", "2"]
    click_row(table, 4, CTRL)
    assert selected(user) == ["1", listed(table)[4]]


def test_others_change_and_delete_rows(user: User, table: FenceTable) -> None:
    fences = {fence.external_id: fence for fence in user.window.model.fences.all()}
    click_row(table, 2)
    user.engine.geofences.update(TEST, fences["2"].id, GeofenceChange(description="Zebra"))
    user.until(lambda: listed(table)[-1] == "2")
    assert selected(user) == ["2"]
    user.engine.geofences.delete(TEST, fences["2"].id)
    user.until(lambda: len(table.rows) == 11)
    assert selected(user) == []
    user.window.toolbar.environments.live.click()
    user.until(lambda: table.rows.total == 0)
    user.window.toolbar.environments.test.click()
    user.until(lambda: len(table.rows) == 11)


@pytest.mark.whole_window
def test_a_hidden_table_shows_changes_when_it_is_shown(user: User, table: FenceTable) -> None:
    user.window.docks.bring(user.window.docks.events)
    user.until(lambda: not table.is_awake)
    made = user.given(99)
    many = "\n".join(f'Far {n},circle,far,{n},"[15,46]",60' for n in range(3_000))
    import_csv(user.engine, TEST, f"description,type,tag,externalId,coordinates,radius\n{many}\n".encode())
    user.until(lambda: len(user.window.model.fences) == 3_013)
    user.window.model.selection.select_fence(made.id)
    user.press(Qt.Key.Key_G, CTRL)
    user.until(lambda: len(table.rows) == 3_013)
    assert selected(user) == ["99"]
    user.engine.geofences.delete(TEST, made.id)
    user.until(lambda: len(table.rows) == 3_012)


def test_columns_are_chosen_in_a_menu_and_the_sort_stays(user: User, table: FenceTable) -> None:
    click_title(table, "radius")
    click_title(table, "radius")
    user.click(table.head.columns)
    user.until(table.menu.isVisible)
    toggle(table.menu, "Tag")
    toggle(table.menu, "Area")
    names = [column.name for column in table.model.columns]
    assert "tag" not in names
    assert names.index("area") == names.index("radius") + 1
    assert listed(table)[0] == "11"
    table._fill_menu()
    submenu = table.menu.findChild(QMenu)
    assert submenu is not None
    toggle(submenu, "floor")
    assert table.model.columns[-1].name == "metadata.floor"
    click_title(table, "metadata.floor")
    assert listed(table)[:3] == ["0", "5", "10"]
    table.menu.close()


def toggle(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if unmarked(action.text()) == text).trigger()


@pytest.mark.slow
def test_a_double_click_and_enter_go_there(user: User, table: FenceTable) -> None:
    click_row(table, 1)
    before = camera(user)
    at = table.view.visualRect(table.model.index(1, 0)).center()
    QTest.mouseDClick(table.view.viewport(), LEFT, NO_KEYS, at)
    user.until(lambda: camera(user)[1] > before[1])
    user.window.map.show_point(*before[0], zoom=before[1])
    user.until(lambda: camera(user) == before)
    user.press(Qt.Key.Key_Return, on=table.view)
    user.until(lambda: camera(user)[1] > before[1])


def test_long_and_right_to_left_texts_are_shown_whole_in_their_tips(user: User, table: FenceTable) -> None:
    fence = user.given(50, tag="x" * 200)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(description="שער צפוני <b>"))
    user.until(lambda: table.rows.text(table.rows.row(fence.id) or 0, table.model.columns[0]) == "שער צפוני <b>")
    row = table.rows.row(fence.id)
    assert row is not None
    tip = table.model.index(row, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "x" * 200
    assert "&lt;b&gt;" in table.model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)
