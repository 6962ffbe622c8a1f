"""Diagnostics in the window: everything is shown before it is saved, and nothing else is saved."""

from __future__ import annotations

import logging
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.diagnostics.log import recent_log
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("diagnostics", "toolbar")


def test_the_shown_diagnostics_are_saved(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user.given()
    logger = logging.getLogger("planted")
    logger.addHandler(recent_log())
    logger.propagate = False
    key = user.engine.workspace.keys.all()[1].value
    logger.warning("refused the key %s of 'somebody'", key)
    assert user.window.actions_.diagnostics in user.window.menus.help.actions()
    user.window.actions_.diagnostics.trigger()
    user.until(lambda: user.window.diagnostics.dialog is not None)
    dialog = user.window.diagnostics.dialog
    assert dialog is not None
    shown = {}
    dialog.list.setFocus()
    for row in range(dialog.list.count()):
        assert dialog.list.currentRow() == row
        shown[dialog.parts[row].name] = dialog.content.toPlainText()
        QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    assert "refused the key prj_test_sk_(key)" in shown["log.txt"] or "(secret)" in shown["log.txt"]
    assert all(key not in text and "somebody" not in text for text in shown.values())
    assert '"geofencesShown": 1' in shown["settings.json"]
    file = tmp_path / "for-support"
    monkeypatch.setattr(user.window.files, "save_file", lambda title, name, kinds, chosen: chosen(file))
    user.click(dialog.save)
    saved = file.with_name("for-support.zip")
    user.until(saved.exists)
    user.until(lambda: not dialog.isVisible())
    with ZipFile(saved) as archive:
        names = [name for name in archive.namelist() if name != "README.txt"]
        assert {name: archive.read(name).decode() for name in names} == shown
    assert user.window.message.text.text() == f"Saved diagnostics in {saved}."


def test_an_unwritable_folder_is_reported(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user.window.actions_.diagnostics.trigger()
    user.until(lambda: user.window.diagnostics.dialog is not None)
    dialog = user.window.diagnostics.dialog
    assert dialog is not None
    missing = tmp_path / "missing" / "a.zip"
    monkeypatch.setattr(user.window.files, "save_file", lambda title, name, kinds, chosen: chosen(missing))
    user.click(dialog.save)
    user.until(lambda: "cannot be written" in user.window.message.text.text())
    assert dialog.isVisible()
    dialog.reject()
