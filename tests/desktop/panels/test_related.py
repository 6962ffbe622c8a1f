"""Widgets that another widget refers to, which are not its children and outlive it."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from app.desktop.panels.related import buddy_of, focus_proxy_of

ROOT = Path(__file__).parents[3]
LOOKUPS = re.compile(r"\.(?:buddy|nextInFocusChain|previousInFocusChain)\(\)")


def test_a_control_outlives_its_label(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label, line = QLabel("Name", window), QLineEdit(window)
    label.setBuddy(line)
    action = line.addAction("Clear")
    assert buddy_of(label) is line
    assert line.parentWidget() is window
    delete(label)
    assert isValid(action)
    assert line.actions() == [action]


def test_a_list_outlives_the_field_that_it_has_the_keyboard_from(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    choice = QComboBox(window)
    action = choice.addAction("Clear")
    choice.setEditable(True)
    line = choice.lineEdit()
    assert line is not None
    assert focus_proxy_of(line) is choice
    choice.setEditable(False)
    assert isValid(action)
    assert choice.parentWidget() is window


def test_a_lone_widget_is_related_to_nothing(qtbot: QtBot) -> None:
    label = QLabel("Name")
    qtbot.addWidget(label)
    assert buddy_of(label) is None
    assert focus_proxy_of(label) is None


def test_no_other_module_uses_related_widgets() -> None:
    files = (file for folder in ("app", "tests") for file in (ROOT / folder).rglob("*.py"))
    asking = {str(file.relative_to(ROOT)) for file in files if LOOKUPS.search(file.read_text(encoding="utf-8"))}
    assert asking == {"app/desktop/panels/related.py"}
