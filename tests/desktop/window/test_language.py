"""The language of the window: chosen in *View*, and shown in all texts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.desktop.memory import Memory
from app.desktop.window import languages
from app.desktop.window.languages import LanguageChoice
from app.desktop.window.message import MessageLine
from tests.desktop import LANGUAGE
from tests.translations import ROOT, catalogue_file

_SECONDS = 400


def test_the_language_is_chosen_for_the_next_start(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "languages", lambda: {"en": "English", "de": "Deutsch"})
    menu, message = QMenu(), MessageLine()
    for widget in (menu, message):
        qtbot.addWidget(widget)
    choice = LanguageChoice(menu, Memory(tmp_path), message)
    assert [(action.text(), action.isChecked()) for action in menu.actions()] == [
        *(("Follow system", True), ("English", False), ("Deutsch", False)),
    ]
    menu.actions()[2].trigger()
    assert "start Fencewright again" in message.text.text()
    assert Memory(tmp_path).language == "de"
    choice.deleteLater()


@pytest.mark.slow
@pytest.mark.timeout(_SECONDS + 20)
@pytest.mark.skipif(not catalogue_file("de").exists(), reason="python -m tests.translations makes the catalogue")
def test_no_text_of_the_window_stays_english_in_german() -> None:
    command = [sys.executable, "-m", "pytest", "tests/desktop/window/german.py", "-n", "0", "-q", "-p", "no:randomly"]
    environment = {**os.environ, LANGUAGE: "de"}
    environment.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout[-6_000:]
