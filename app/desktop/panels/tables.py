"""Tables of records: one row is selected at a time, and each keeps to one line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

ROW_PX = 28


def table_view(model: QAbstractItemModel, name: str, *, row_px: int = ROW_PX) -> QTableView:
    """Return a view of a model; `name` is what screen readers say."""
    view = QTableView()
    dress_table(view, model, name, row_px=row_px)
    return view


def dress_table(view: QTableView, model: QAbstractItemModel, name: str, *, row_px: int = ROW_PX) -> None:
    """Let a view show a model as all tables do; `name` is what screen readers say."""
    view.setModel(model)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setShowGrid(False)
    view.setWordWrap(False)
    # Tab leaves it; the arrows go from row to row.
    view.setTabKeyNavigation(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(row_px)
    view.setAccessibleName(name)
    header = view.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)


def fix_rows(view: QTableView, narrowest_px: int) -> None:
    """Keep all rows at one height, which thousands of them need, and columns from vanishing."""
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.horizontalHeader().setMinimumSectionSize(narrowest_px)


def set_widths(view: QTableView, widths_px: Sequence[int]) -> None:
    """Give columns their widths; one with 0 takes what the others leave."""
    header = view.horizontalHeader()
    for column, width in enumerate(widths_px):
        if width:
            header.resizeSection(column, width)
        else:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
