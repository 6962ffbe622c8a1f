"""Filters of the table are saved, chosen again, renamed and deleted, and still exist when the workspace is reopened."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.desktop.model.fence_table.saved import SavedFilter, read_filters
from app.desktop.panels.fence_table.table import FenceTable
from engine.store.workspace import WINDOW
from tests.desktop.window.test_fence_menus import pick, texts
from tests.desktop.window.test_selection import given_many
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("many", "table", "workspaces")

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def table(user: User, tmp_path: Path) -> FenceTable:
    """The table over a workspace on disk."""
    open_workspace(user, tmp_path / "shops")
    given_many(user, 4)
    user.press(Qt.Key.Key_G, CTRL)
    user.until(lambda: len(user.window.table.rows) == 4)
    return user.window.table


def open_workspace(user: User, folder: Path) -> None:
    before = user.window.model.session
    user.window.workspaces.open(folder)
    user.until(lambda: user.window.model.session is not before)
    user.idle()


def menu_entries(user: User) -> list[str]:
    user.click(user.window.table.head.saved)
    return texts(user.window.many.filters.menu)


def names(user: User) -> list[str]:
    return [each.name for each in user.window.many.filters.saved.all]


def name_it(user: User, name: str) -> None:
    prompt = user.window.many.filters.prompt
    assert prompt is not None
    user.until(prompt.isVisible)
    line = prompt.findChild(QLineEdit)
    assert line is not None
    line.selectAll()
    QTest.keyClicks(line, name)
    QTest.keyClick(line, Qt.Key.Key_Return)
    user.until(lambda: user.window.many.filters.prompt is None)


def choose(user: User, text: str) -> None:
    user.click(user.window.table.head.saved)
    pick(user, user.window.many.filters.menu, text)


def test_a_filter_is_saved_and_is_there_again(user: User, table: FenceTable, tmp_path: Path) -> None:
    assert menu_entries(user) == ["No saved filters", "Save filter…"]
    user.window.many.filters.menu.close()
    user.type(table.head.words, "id:00* 3", enter=False)
    user.until(lambda: len(table.rows) == 1)
    choose(user, "Save filter…")
    name_it(user, "Three & more")
    assert user.window.message.text.text() == "Saved filter “Three & more”."
    user.idle()
    kept = (SavedFilter("Three & more", "id:00* 3"),)
    assert read_filters(tmp_path / "shops") == (kept, "")
    open_workspace(user, tmp_path / "other")
    assert user.window.many.filters.saved.all == ()
    assert table.filter_text == ""
    open_workspace(user, tmp_path / "shops")
    user.until(lambda: user.window.many.filters.saved.all == kept)
    choose(user, "Three && more")
    user.until(lambda: len(table.rows) == 1)
    assert table.filter_text == "id:00* 3"


def test_a_filter_is_renamed_and_deleted(user: User, table: FenceTable) -> None:
    user.type(table.head.words, "001", enter=False)
    choose(user, "Save filter…")
    name_it(user, "One")
    choose(user, "Rename “One”…")
    name_it(user, "Uno")
    assert names(user) == ["Uno"]
    choose(user, "Delete “Uno”")
    assert names(user) == []
    user.click(user.window.message.button)
    assert names(user) == ["Uno"]
    choose(user, "Rename “Uno”…")
    name_it(user, " ")
    assert user.window.message.text.text() == "Name: must not be empty."
    assert names(user) == ["Uno"]
    user.idle()


def test_a_broken_file_is_reported(user: User, table: FenceTable, tmp_path: Path) -> None:
    open_workspace(user, tmp_path / "other")
    (tmp_path / "shops" / WINDOW).write_bytes(b"{")
    open_workspace(user, tmp_path / "shops")
    user.until(lambda: "cannot be read" in user.window.message.text.text())
    user.type(table.head.words, "002", enter=False)
    user.until(lambda: len(table.rows) == 1)
