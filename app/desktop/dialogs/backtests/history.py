"""The history of a back-test: files, folders, addresses and workspaces, and the columns of their fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QListWidget, QListWidgetItem, QWidget

from app.desktop.language import tr
from app.desktop.model.backtests.wish import is_kept
from app.desktop.model.backtests.words import FIELD_TITLES
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import GRID, button, button_text, caption, tip_text
from engine.backtest.fields import FIELDS

_ROWS = 5
"""Number of fields in a column of the table."""


class HistoryList(QWidget):
    """The files, folders, addresses and workspaces. `changed` is emitted for each change."""

    changed = Signal()
    files_requested = Signal()
    folder_requested = Signal()
    workspace_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._names: Mapping[Path, str] = {}
        self.list = QListWidget()
        self.list.setAccessibleName(tr("History"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setFixedHeight(72)
        self.files = button(tr("Add files…"), self.files_requested.emit)
        self.folder = button(tr("Add folder…"), self.folder_requested.emit)
        self.workspace = button(tr("Kept updates of"))
        self.workspace.setToolTip(tr("Add the kept updates of a workspace"))
        self.menu = Menu(self.workspace)
        self.workspace.setMenu(self.menu)
        self.remove = button(tr("Remove"), self._on_remove)
        self.address = TextLine()
        self.address.setAccessibleName(tr("Address"))
        self.address.setPlaceholderText(tr("https:// or s3:// address"))
        self.address.returnPressed.connect(self._on_address)
        self.add = button(tr("Add address"), self._on_address)
        self.list.itemSelectionChanged.connect(self._enable)
        self.address.textChanged.connect(self._enable)
        QShortcut(
            QKeySequence(QKeySequence.StandardKey.Delete),
            self.list,
            self._on_remove,
            context=Qt.ShortcutContext.WidgetShortcut,
        )
        buttons = in_row(self.files, self.folder, self.workspace, STRETCH, self.remove, spacing=GRID)
        in_column(
            self.list,
            buttons,
            in_row((self.address, 1), self.add, spacing=GRID),
            of=self,
            margins=0,
            spacing=GRID,
        )
        self._enable()

    @property
    def items(self) -> tuple[str, ...]:
        """The files, folders, addresses, and folders of workspaces."""
        return tuple(self.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self.list.count()))

    def extend(self, items: Iterable[str]) -> None:
        """Add files, folders, addresses or workspaces that are not in the list yet."""
        added = [item for item in dict.fromkeys(items) if item not in self.items]
        for item in added:
            made = QListWidgetItem(self._text(item), self.list)
            made.setData(Qt.ItemDataRole.UserRole, item)
            made.setToolTip(tip_text(item))
        if added:
            self.changed.emit()

    def offer_workspaces(self, names: Mapping[Path, str]) -> None:
        """Offer the kept updates of these workspaces, and of one to choose."""
        if names == self._names:
            return
        self._names = names
        self.menu.clear()
        for folder, name in names.items():
            self.menu.addAction(button_text(name), partial(self.extend, (str(folder),)))
        self.menu.addSeparator()
        self.menu.addAction(tr("Other workspace…"), self.workspace_requested.emit)
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setText(self._text(item.data(Qt.ItemDataRole.UserRole)))

    def _text(self, item: str) -> str:
        if not is_kept(item):
            return item
        folder = Path(item)
        return tr("Kept updates of {workspace_name}", workspace_name=self._names.get(folder, folder.name))

    def _on_address(self) -> None:
        text = self.address.text().strip()
        if text:
            self.address.clear()
            self.extend((text,))

    def _on_remove(self) -> None:
        chosen = self.list.selectedItems()
        for item in chosen:
            self.list.takeItem(self.list.row(item))
        if chosen:
            self.changed.emit()

    def _enable(self) -> None:
        self.remove.setEnabled(bool(self.list.selectedItems()))
        self.add.setEnabled(bool(self.address.text().strip()))


class ColumnTable(QWidget):
    """The column of each field, which is found by its name unless another one is chosen."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.boxes = {field: ChoiceBox() for field in FIELDS}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GRID)
        for number, (field, box) in enumerate(self.boxes.items()):
            row, pair = number % _ROWS, number // _ROWS * 2
            grid.addWidget(caption(FIELD_TITLES[field], box), row, pair)
            grid.addWidget(box, row, pair + 1)
            grid.setColumnStretch(pair + 1, 1)
            box.currentIndexChanged.connect(self.changed)
        self.show_names(())

    @property
    def chosen(self) -> dict[str, str]:
        """The columns that were chosen, by field."""
        return {field: box.currentText() for field, box in self.boxes.items() if box.currentIndex() > 0}

    def show_names(self, names: Sequence[str]) -> None:
        """Offer the columns of a file, and keep the choices that are possible."""
        for box in self.boxes.values():
            with QSignalBlocker(box):
                kept = box.currentText()
                box.clear()
                box.addItems([tr("By its name"), *names])
                box.setCurrentIndex(max(0, box.findText(kept)) if kept in names else 0)
