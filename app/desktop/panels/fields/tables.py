"""Fields that are tables, whose cells are edited in place."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QTableWidget, QWidget

from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.widgets import Field


class EditTable(QTableWidget):
    """A table that knows whether one of its cells is being edited. `closed` comes when none is any more."""

    closed = Signal()

    def __init__(self, rows: int = 0, columns: int = 0) -> None:
        super().__init__(rows, columns)
        # Tab leaves it, unless a cell is open: then it opens the next one.
        self.setTabKeyNavigation(False)

    @property
    def editing(self) -> bool:
        """Whether a cell is open."""
        return self.state() == QAbstractItemView.State.EditingState

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:  # noqa: N802 (Qt's name)
        """Tell that a cell was closed, unless the next one is open."""
        super().closeEditor(editor, hint)
        if not self.editing:
            self.closed.emit()

    def take(self) -> None:
        """Take over what stands in the open cell."""
        editor = self.indexWidget(self.currentIndex()) if self.editing else None
        if editor is not None:
            self.commitData(editor)
            self.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)


class TableEditor(Protocol):
    """A widget around such a table. `refused` carries what is wrong with what was typed."""

    refused: Any

    @property
    def table(self) -> EditTable:
        """The table."""
        ...

    def state(self) -> object:
        """Return the rows as they stand there, for `put_back`."""
        ...

    def put_back(self, state: object) -> None:
        """Show rows as they stood there before."""
        ...


class TableEntry[Record, Editor: TableEditor](Entry[Record]):
    """What is edited in a table, as a whole."""

    def __init__(self, name: str, field: Field, editor: Editor) -> None:
        super().__init__(name, field)
        self.editor = editor
        editor.refused.connect(self.refuse)
        editor.table.closed.connect(self.follow)

    @property
    def typed(self) -> bool:
        """Whether a cell is open."""
        return self.editor.table.editing

    def settle(self) -> None:
        """Take over what stands in the open cell."""
        self.editor.table.take()

    def state(self) -> object:
        """Return the rows."""
        return self.editor.state()

    def put_back(self, state: object) -> None:
        """Show rows that are not stored."""
        self.editor.put_back(state)
