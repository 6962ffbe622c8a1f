"""Table fields whose cells are edited in place."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QTableWidget, QWidget

from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.widgets import Field


class EditTable(QTableWidget):
    """A table that knows whether one of its cells is being edited.

    `closed` is emitted when editing ends.
    """

    closed = Signal()

    def __init__(self, rows: int = 0, columns: int = 0) -> None:
        super().__init__(rows, columns)
        # Tab leaves the table, except during editing, when it opens the next cell.
        self.setTabKeyNavigation(False)

    @property
    def editing(self) -> bool:
        """Whether a cell is being edited."""
        return self.state() == QAbstractItemView.State.EditingState

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:  # noqa: N802 (Qt's name)
        """Emit `closed` after a cell was closed, unless the next one is being edited."""
        super().closeEditor(editor, hint)
        if not self.editing:
            self.closed.emit()

    def take(self) -> None:
        """Commit the text of the cell being edited."""
        editor = self.indexWidget(self.currentIndex()) if self.editing else None
        if editor is not None:
            self.commitData(editor)
            self.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)


class TableEditor(Protocol):
    """A widget around an editable table.

    `refused` carries the error in the user's input.
    """

    refused: Any

    @property
    def table(self) -> EditTable:
        """The table."""
        ...

    def state(self) -> object:
        """Return the displayed rows for `put_back`."""
        ...

    def put_back(self, state: object) -> None:
        """Restore rows returned by `state`."""
        ...


class TableEntry[Record, Editor: TableEditor](Entry[Record]):
    """A field that is edited in a table, as a whole."""

    def __init__(self, name: str, field: Field, editor: Editor) -> None:
        super().__init__(name, field)
        self.editor = editor
        editor.refused.connect(self.refuse)
        editor.table.closed.connect(self.follow)

    @property
    def typed(self) -> bool:
        """Whether a cell is being edited."""
        return self.editor.table.editing

    def settle(self) -> None:
        """Commit the text of the cell being edited."""
        self.editor.table.take()

    def state(self) -> object:
        """Return the displayed rows."""
        return self.editor.state()

    def put_back(self, state: object) -> None:
        """Show rows that are not stored."""
        self.editor.put_back(state)
