"""The panel of layers, with the tags and states that the map shows, and the choice of colouring by tag or state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTreeView, QWidget

from app.desktop.icons import dot
from app.desktop.language import tr
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import GRID, button, caption, label, tip_text

type _Index = QModelIndex | QPersistentModelIndex

_NAME, _NUMBER = range(2)
_MAX_LETTERS: Final = 200
_ROW_PX: Final = 24


class LayerRow(Struct, frozen=True):
    """One layer: its key, name and colour ("" if it has none), its number of geofences, and their visibility."""

    key: str
    name: str
    color: str
    number: int
    shown: bool


class LayerRows(QAbstractTableModel):
    """Layers as rows with a check box.

    The model changes nothing itself, but emits `toggled` with the user's choice.
    """

    toggled = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[LayerRow] = ()

    def show(self, rows: Sequence[LayerRow]) -> None:
        """Show these rows. If the keys are the same, the rows keep their place in the view."""
        same = [row.key for row in rows] == [row.key for row in self.rows]
        if same:
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, _NUMBER))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 (Qt's name)
        """Return the number of layers."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, _parent: _Index | None = None) -> int:  # noqa: N802 (Qt's name)
        """Return 2, for the name and the number."""
        return 2

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Return flags that make each row checkable."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == _NAME else flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the data of a cell for a role."""
        row = self.rows[index.row()]
        if index.column() == _NUMBER:
            return _number_data(row, role)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.name
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(row.name)
            case Qt.ItemDataRole.DecorationRole:
                return dot(row.color) if row.color else None
            case Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if row.shown else Qt.CheckState.Unchecked
            case _:
                return None

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 (Qt)
        """Emit the layer and the visibility the user has chosen."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.toggled.emit(self.rows[index.row()].key, Qt.CheckState(value) == Qt.CheckState.Checked)
        return True


def _number_data(row: LayerRow, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return tr("{count:,}", count=row.number)
        case Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        case _:
            return None


class LayerList(QTreeView):
    """A list of layers in which Space toggles the row with the keyboard focus."""

    def __init__(self, rows: LayerRows, name: str) -> None:
        super().__init__()
        self.setModel(rows)
        self.setObjectName("LayerList")
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_NUMBER, QHeaderView.ResizeMode.ResizeToContents)

    def event(self, event: QEvent) -> bool:
        """Claim Space for the check boxes, since it plays the track elsewhere in the window."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
        ):
            event.accept()
            return True
        return super().event(event)


class LayersPanel(QWidget):
    """A panel whose signals request that states or tags are shown or hidden, or that colours show tags or states.

    The controller makes the changes.
    """

    state_toggled = Signal(str, bool)
    tags_toggled = Signal(object, bool)
    coloring_chosen = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._tags: Sequence[LayerRow] = ()
        self.note = label(role="hint", wrap=True)
        self.coloring = ChoiceBox()
        self.coloring.setAccessibleName(tr("Colour geofences by"))
        self.coloring.addItem(tr("Tag"), False)
        self.coloring.addItem(tr("State"), True)
        self.states, self.tags = LayerRows(), LayerRows()
        self.state_list = LayerList(self.states, tr("Geofences shown by state"))
        self.tag_list = LayerList(self.tags, tr("Geofences shown by tag"))
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("Filter tags"))
        self.words.setAccessibleName(tr("Filter tags"))
        self.words.setClearButtonEnabled(True)
        self.words.setMaxLength(_MAX_LETTERS)
        self.all = button(tr("All"), lambda: self._toggle_listed(True))
        self.none = button(tr("None"), lambda: self._toggle_listed(False))
        self._arrange()
        self.coloring.activated.connect(lambda _: self.coloring_chosen.emit(self.coloring.currentData()))
        self.states.toggled.connect(self.state_toggled)
        self.tags.toggled.connect(lambda tag, shown: self.tags_toggled.emit((tag,), shown))
        self.words.textChanged.connect(self._list_tags)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.words, context=Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self.words.clear)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the same width as the list of geofences."""
        return QSize(208, 420)

    def show_layers(self, states: Sequence[LayerRow], tags: Sequence[LayerRow], *, by_state: bool, note: str) -> None:
        """Show the current layers."""
        self.states.show(states)
        self._tags = tags
        self._list_tags()
        with QSignalBlocker(self.coloring):
            self.coloring.setCurrentIndex(int(by_state))
        self.note.setText(note)

    def clear_filter(self) -> None:
        """List all tags."""
        self.words.clear()

    def _list_tags(self) -> None:
        words = self.words.text().casefold().split()
        listed = [row for row in self._tags if all(word in row.name.casefold() for word in words)]
        self.tags.show(listed)
        noun = tr("listed tags") if words else tr("tags")
        self.all.setAccessibleName(tr("Show all {tags}", tags=noun))
        self.none.setAccessibleName(tr("Hide all {tags}", tags=noun))
        self.all.setEnabled(any(not row.shown for row in listed))
        self.none.setEnabled(any(row.shown for row in listed))

    def _toggle_listed(self, shown: bool) -> None:
        self.tags_toggled.emit(tuple(row.key for row in self.tags.rows), shown)

    def _arrange(self) -> None:
        color = in_row(caption(tr("Colour by"), self.coloring), (self.coloring, 1), spacing=GRID)
        which = in_row((caption(tr("Tags"), self.tag_list), 1), self.all, self.none, spacing=GRID)
        self.state_list.setFixedHeight(4 * _ROW_PX + GRID)
        self.state_list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(
            self.note,
            color,
            caption(tr("States"), self.state_list),
            self.state_list,
            which,
            self.words,
            (self.tag_list, 1),
            of=self,
            margins=GRID,
            spacing=GRID,
        )
