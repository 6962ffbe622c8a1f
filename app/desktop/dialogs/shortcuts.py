"""A list of the keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QWidget

from app.desktop.language import tr
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import GRID, key_text, label

_MAP_KEYS = (
    (tr("← → ↑ ↓, with Shift farther"), tr("Pan the map; while drawing: move the crosshair")),
    ("+ −", tr("Zoom")),
    ("Space", tr("While drawing: add a vertex at the crosshair")),
    (tr("Enter or double click"), tr("Finish the polygon")),
    (tr("Enter"), tr("Create the previewed isochrone; edit the selected geofence's vertices")),
    (tr("Tab, arrows, Ins, Del"), tr("While editing vertices: choose, move, add, remove")),
    (tr("Backspace, Del"), tr("While drawing: remove the last vertex")),
    (tr("↑ ↓, Page ↑ ↓, Enter"), tr("In search: choose a result, jump to the next group, go to it")),
    (tr("Esc"), tr("Cancel drawing; revert the text in a field")),
)


class ShortcutsDialog(QDialog):
    """Lists all actions with a shortcut. It reads them from the actions, so that it is never out of date."""

    def __init__(self, parent: QWidget, actions: Iterable[QAction]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = [*((_keys(action), action.iconText()) for action in actions if action.shortcuts()), *_MAP_KEYS]
        half = (len(rows) + 1) // 2
        columns = in_row(_grid(rows[:half]), _grid(rows[half:]), spacing=5 * GRID)
        layout = in_column(columns, of=self, margins=(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID), spacing=2 * GRID)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)


def _grid(rows: Sequence[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(2 * GRID)
    grid.setVerticalSpacing(GRID // 2)
    grid.setColumnStretch(1, 1)
    for row, (keys, text) in enumerate(rows):
        grid.addWidget(label(keys, "label"), row, 0, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(label(text), row, 1)
    grid.setRowStretch(len(rows), 1)
    return grid


def _keys(action: QAction) -> str:
    return tr(" or ").join(dict.fromkeys(map(key_text, action.shortcuts())))
