"""Tables of records with single selection and one line per row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

ROW_PX = 28


def table_view(model: QAbstractItemModel, name: str, *, row_px: int = ROW_PX) -> QTableView:
    """Return a table view of a model. Screen readers announce it as `name`."""
    view = QTableView()
    dress_table(view, model, name, row_px=row_px)
    return view


def dress_table(view: QTableView, model: QAbstractItemModel, name: str, *, row_px: int = ROW_PX) -> None:
    """Set up a view with a model in the style of all tables. Screen readers announce it as `name`."""
    view.setModel(model)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setShowGrid(False)
    view.setWordWrap(False)
    # Tab leaves the table, and the arrow keys move from row to row.
    view.setTabKeyNavigation(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(row_px)
    view.setAccessibleName(name)
    header = view.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)


def fix_rows(view: QTableView, narrowest_px: int) -> None:
    """Fix the height of the rows, which thousands of rows require, and set a minimum width for columns."""
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.horizontalHeader().setMinimumSectionSize(narrowest_px)


def set_widths(view: QTableView, widths_px: Sequence[int]) -> None:
    """Set the widths of columns. A column with 0 takes the remaining width."""
    header = view.horizontalHeader()
    for column, width in enumerate(widths_px):
        if width:
            header.resizeSection(column, width)
        else:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
