"""A workspace that is deleted or replaced while the window shows it: the message, and the ways out."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from engine.store.workspace import DATABASE, read_keys
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("lost", "views", "availability", "endpoint", "workspaces")

TEST = Environment.TEST


@pytest.fixture
def folder(user: User, tmp_path: Path) -> Path:
    """An open workspace with a geofence, and a backup of it without the geofence."""
    made = tmp_path / "work"
    user.window.workspaces.open(made)
    user.until(lambda: user.engine.workspace.folder == made and user.session.url is not None)
    user.engine.save_copy(tmp_path / "backup")
    user.given()
    user.idle()
    return made


def message_text(user: User) -> str:
    return user.window.message.text.text() if user.window.message.isVisible() else ""


def stands(user: User, text: str, offer: str = "Save a copy…") -> None:
    """Wait for the permanent message."""
    message = user.window.message
    user.until(lambda: text in message_text(user) and not message.close_button.isVisible())
    assert message.button.text() == offer


def test_a_copy_of_a_deleted_workspace_is_complete_and_can_be_opened(user: User, folder: Path, tmp_path: Path) -> None:
    key = user.engine.workspace.keys.value(TEST, KeyLevel.SECRET)
    shutil.rmtree(folder)
    stands(user, f"{folder / DATABASE} was deleted")
    copy = tmp_path / "copy"
    user.window.workspaces.save_copy(copy)
    user.until(lambda: "Saved a copy" in message_text(user))
    with closing(sqlite3.connect(copy / DATABASE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM geofences").fetchone() == (1,)
    assert read_keys(copy).value(TEST, KeyLevel.SECRET) == key
    user.click(user.window.message.button)
    user.until(lambda: user.engine.workspace.folder == copy)
    user.until(lambda: len(user.window.model.fences) == 1 and message_text(user) == "")
    user.given(tag="more")
    assert len(user.stored()) == 2
    assert not folder.exists()


@pytest.mark.slow
def test_the_copy_may_replace_the_deleted_workspace(user: User, folder: Path) -> None:
    shutil.rmtree(folder)
    stands(user, "was deleted")
    user.window.workspaces.save_copy(folder)
    user.until(lambda: "Saved a copy" in message_text(user))
    user.click(user.window.message.button)
    user.until(lambda: user.engine.watch.problem is None and len(user.window.model.fences) == 1)
    user.given(tag="more")
    user.idle()
    assert len(user.stored()) == 2


def test_the_message_stays_over_failures_it_causes_and_disappears_when_it_is_back(user: User, folder: Path) -> None:
    folder.rename(folder.with_name("away"))
    stands(user, "was deleted")
    user.window.message.complain(f"The geofence could not be saved. {user.engine.watch.problem}")
    assert user.window.message.button.text() == "Save a copy…"
    user.window.message.show_info("Something else.")
    user.window.message.dismiss()
    assert "was deleted" in message_text(user)
    folder.with_name("away").rename(folder)
    user.until(lambda: "The workspace is back" in message_text(user))
    user.given(tag="more")
    user.idle()
    assert len(user.stored()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("way", ["moved", "copied"])
def test_a_restored_backup_is_opened_in_place(user: User, folder: Path, way: str) -> None:
    new = folder / "new" if way == "moved" else folder / DATABASE
    shutil.copyfile(folder.with_name("backup") / DATABASE, new)
    if way == "moved":
        new.replace(folder / DATABASE)
    stands(user, str(folder / DATABASE), "Save a copy…" if way == "moved" else "Open again")
    message = user.window.message
    again = message.second if way == "moved" else message.button
    assert again.text() == "Open again"
    before = user.session
    user.click(again)
    user.until(lambda: user.session is not before and message_text(user) == "")
    assert user.engine.workspace.folder == folder
    assert len(user.stored()) == 0
    user.given()
    user.idle()
    with Engine.open(folder.with_name("backup")) as engine:
        assert len(engine.geofences.all(TEST)) == 0
    assert len(user.stored()) == 1
