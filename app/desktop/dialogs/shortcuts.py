"""The sheet of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from app.desktop.panels.widgets import GRID, label

_MAP_KEYS = (
    ("Enter or double click", "Finish the polygon"),
    ("Enter", "Create the previewed isochrone"),
    ("Backspace, Del", "Remove the last vertex"),
    ("↑ ↓, Page ↑ ↓, Enter", "In search: choose a result, jump to the next group, go to it"),
    ("Esc", "Cancel drawing; revert the text in a field"),
)


class ShortcutsDialog(QDialog):
    """Every action that has a key, read from the actions themselves so that the sheet is always right."""

    def __init__(self, parent: QWidget, actions: Iterable[QAction]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * GRID)
        grid.setVerticalSpacing(GRID)
        rows = [(_keys(action), action.iconText()) for action in actions if action.shortcuts()]
        for row, (keys, text) in enumerate([*rows, *_MAP_KEYS]):
            grid.addWidget(label(keys, "label"), row, 0, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(label(text), row, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addLayout(grid)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)


def _keys(action: QAction) -> str:
    form = QKeySequence.SequenceFormat.NativeText
    return " or ".join(dict.fromkeys(keys.toString(form) for keys in action.shortcuts()))
