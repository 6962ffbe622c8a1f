"""Choice of the columns of a file that become metadata."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.desktop.language import tr
from app.desktop.model.importing import KIND_NAMES, samples_text
from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import label, restyle, tip_text
from engine.domain.imports import Column
from engine.domain.metadata import MAX_GEOFENCE_KEYS
from engine.tabular.kinds import ALL

_TITLES = (tr("Column"), tr("Values as"), tr("First values"))
_WIDTHS = (200, 112)
_ROW_PX = 26
_SHOWN_ROWS = 5


class MetadataChoice(QWidget):
    """A list of columns with their kinds and first values, of which the checked ones become metadata."""

    changed = Signal()

    def __init__(self, columns: Sequence[Column], chosen: Sequence[str]) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self.table = QTableWidget(len(columns), len(_TITLES))
        self.count = label("", "muted", wrap=True)
        self._arrange()
        self._used: frozenset[str] = frozenset()
        self._all = ALL in chosen
        self._fill(chosen)
        self.table.itemChanged.connect(self._on_changed)
        self._show_count()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The checked columns that have no other meaning."""
        return tuple(column.name for column, item in self._items() if self._is_chosen(column, item))

    @property
    def is_valid(self) -> bool:
        """Whether at most the allowed number of columns is checked."""
        return len(self.chosen) <= MAX_GEOFENCE_KEYS

    def show_used(self, used: Collection[str]) -> None:
        """Hide the columns that are read as fields."""
        self._used = frozenset(used)
        for at, (column, _) in enumerate(self._items()):
            self.table.setRowHidden(at, column.name in used)
        if self._all:
            self._choose_first()
        self._show_count()

    def _is_chosen(self, column: Column, item: QTableWidgetItem) -> bool:
        return item.checkState() is Qt.CheckState.Checked and column.name not in self._used

    def _items(self) -> Iterator[tuple[Column, QTableWidgetItem]]:
        for at, column in enumerate(self._columns):
            item = self.table.item(at, 0)
            assert item is not None
            yield column, item

    def _choose_first(self) -> None:
        """Check the first columns that are not used and have values, up to the limit."""
        self._all, room = False, MAX_GEOFENCE_KEYS
        for column, item in self._items():
            wanted = room > 0 and column.name not in self._used and bool(column.samples)
            item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
            room -= wanted

    def _on_changed(self, item: QTableWidgetItem) -> None:
        if item.column() == 0:
            self._show_count()
            self.changed.emit()

    def _show_count(self) -> None:
        count = len(self.chosen)
        text = tr("{count:,} of at most {most} keys of the metadata", count=count, most=MAX_GEOFENCE_KEYS)
        left_out = [
            column.name
            for column, item in self._items()
            if column.samples and column.name not in self._used and not self._is_chosen(column, item)
        ]
        if left_out:
            text += tr("; not imported: {columns}", columns=", ".join(left_out))
        self.count.setText(text)
        restyle(self.count, "role", "muted" if self.is_valid else "error")

    def _fill(self, chosen: Sequence[str]) -> None:
        for at, column in enumerate(self._columns):
            first = QTableWidgetItem(column.name)
            first.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            first.setCheckState(Qt.CheckState.Checked if column.name in chosen else Qt.CheckState.Unchecked)
            self.table.setItem(at, 0, first)
            for place, text in ((1, KIND_NAMES[column.kind]), (2, samples_text(column))):
                item = QTableWidgetItem(text)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                item.setToolTip(tip_text(text))
                self.table.setItem(at, place, item)

    def _arrange(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(list(_TITLES))
        table.setAccessibleName(tr("Columns that become metadata"))
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(_ROW_PX)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, width)
        header.setSectionResizeMode(len(_WIDTHS), QHeaderView.ResizeMode.Stretch)
        table.setMinimumHeight(_ROW_PX * (min(len(self._columns), _SHOWN_ROWS) + 1) + 8)
        in_column(self.table, self.count, of=self, margins=0)
