"""The visible texts of windows and dialogs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPushButton,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from tests.desktop.visible_texts import visible_texts


def test_texts_are_those_a_user_sees(qtbot: QtBot) -> None:
    window = QDialog()
    qtbot.addWidget(window)
    QLabel("Radius", window)
    QLabel("hidden", window).hide()
    QPushButton("&Apply && close", window)
    QLineEdit(window).setPlaceholderText("Filter")
    icon = QToolButton(window)
    icon.setText("only an icon")
    listed = QListWidget(window)
    listed.addItems([f"Store {number:02}" for number in range(20)])
    assert visible_texts(window) == sorted(
        ["Apply && close", "Filter", "Radius", *(f"Store {number:02}" for number in range(12))]
    )


def test_texts_that_differ_each_time_are_left_out(qtbot: QtBot) -> None:
    window = QDialog()
    qtbot.addWidget(window)
    QLabel("18 sections found", window)
    QListWidget(window).addItem("When events fire")
    assert visible_texts(window, whole=False) == ["0 sections found"]


def test_texts_of_panels_behind_others_and_of_other_windows_are_left_out(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    docks = []
    for name in ("Events", "Users"):
        dock = QDockWidget(window)
        dock.setWidget(QLabel(f"{name} of the dock"))
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        docks.append(dock)
    window.tabifyDockWidget(*docks)
    docks[1].raise_()
    window.show()
    QLabel("in a dialog", QDialog(window))
    assert "Users of the dock" in visible_texts(window)
    assert not {"Events of the dock", "in a dialog"} & set(visible_texts(window))
