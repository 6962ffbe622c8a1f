"""The editor of tracking options: a preset for each state of the user, and one table with the options of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.project import Tracking
from app.desktop.model.words import capital
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.tables import set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import GRID, Field, FormPage, button, caption, label, panel
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.sdk import (
    ANDROID_ONLY,
    CHOICES,
    IOS_ONLY,
    PRESETS,
    SDK_NAMES,
    OptionValue,
    TrackingOptions,
    TrackingPreset,
    most_of,
    preset_values,
    spell_options,
    spell_value,
)

_PRESETS: Final = (None, *TrackingPreset)
_FINISHING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
_OPTION: Final = 0
_NOTHING: Final = "–"
_FILLED: Final = "filled"
_WIDTHS_PX: Final = (250, 0, 0, 0)


class TrackingEntry(Entry[ProjectSettings]):
    """The options for one state of the user; the field itself is their preset.

    `shown` is emitted when the options that the field shows have changed.
    """

    shown = Signal()

    def __init__(self, setting: Tracking) -> None:
        self.box = ChoiceBox()
        self.box.addItems([capital(setting.unset), tr("Continuous"), tr("Responsive"), tr("Efficient")])
        super().__init__(setting.name, Field(setting.title, self.box, hint=setting.hint))
        self.column = setting.column
        self.options: TrackingOptions | None = None
        """The options that the field shows."""
        self._unset = setting.unset
        self.box.activated.connect(self._choose)

    def value(self, record: ProjectSettings) -> TrackingOptions | None:
        """Return the options of a record."""
        options: TrackingOptions | None = getattr(record, self.name)
        return options

    def words(self, record: ProjectSettings) -> str:
        """Return the preset and its changes as text."""
        return spell_options(self.value(record)) or self._unset

    def fill(self, record: ProjectSettings) -> None:
        """Show the options of a record."""
        self._set(self.value(record))

    def state(self) -> object:
        """Return the options that the field shows."""
        return (self.options,)

    def put_back(self, state: object) -> None:
        """Show options that are not stored."""
        assert isinstance(state, tuple)
        self._set(state[0])

    def change(self, name: str, value: OptionValue | None) -> None:
        """Propose another value of one option; None is the value of the preset."""
        if self.options is not None:
            self._propose(self.options.with_option(name, value))

    def _choose(self, index: int) -> None:
        preset = _PRESETS[index]
        if preset is None:
            self._propose(None)
        else:
            self._propose(TrackingOptions(preset) if self.options is None else self.options.with_preset(preset))

    def _propose(self, options: TrackingOptions | None) -> None:
        self._set(options)
        self.give(options)

    def _set(self, options: TrackingOptions | None) -> None:
        self.options = options
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(_PRESETS.index(None if options is None else options.preset))
        self.shown.emit()


class OptionsModel(TitledModel):
    """The options of a platform as rows, the states of the user as columns."""

    def __init__(self, entries: Sequence[TrackingEntry]) -> None:
        super().__init__((tr("Option"), *(entry.column for entry in entries)))
        self._entries = entries
        self._bold = QFont()
        self._bold.setBold(True)
        self.ios = False
        self.names: tuple[str, ...] = ()
        self.show_platform(ios=False)
        for entry in entries:
            entry.shown.connect(self._refresh)

    def show_platform(self, *, ios: bool) -> None:
        """Show the options that a platform has, with their values there."""
        self.beginResetModel()
        self.ios = ios
        self.names = tuple(name for name in SDK_NAMES if name not in (ANDROID_ONLY if ios else IOS_ONLY))
        self.endResetModel()

    def is_changed(self, index: Index) -> bool:
        """Return whether a cell differs from its preset."""
        options = self._options(index)
        return options is not None and self.names[index.row()] in options.changes

    def reset(self, index: Index) -> None:
        """Give a cell the value of its preset."""
        self._entries[index.column() - 1].change(self.names[index.row()], None)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return flags that make the options of states with a preset editable."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if self._options(index) is not None else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell for a role."""
        name, options = self.names[index.row()], self._options(index)
        match role:
            case Qt.ItemDataRole.DisplayRole if index.column() == _OPTION:
                return SDK_NAMES[name]
            case Qt.ItemDataRole.DisplayRole:
                return _NOTHING if options is None else _text(name, options.values(ios=self.ios)[name])
            case Qt.ItemDataRole.EditRole if options is not None:
                return options.values(ios=self.ios)[name]
            case Qt.ItemDataRole.FontRole if self.is_changed(index):
                return self._bold
            case Qt.ItemDataRole.ToolTipRole if options is not None:
                value = _text(name, preset_values(options.preset, ios=self.ios)[name])
                return tr("Value of the preset: {value}", value=value)
            case _:
                return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 (Qt's name)
        """Propose another value."""
        if role != Qt.ItemDataRole.EditRole or value == self.data(index, role):
            return False
        self._entries[index.column() - 1].change(self.names[index.row()], value)
        return True

    def _count(self) -> int:
        return len(self.names)

    def _options(self, index: Index) -> TrackingOptions | None:
        return None if index.column() == _OPTION else self._entries[index.column() - 1].options

    def _refresh(self) -> None:
        self.dataChanged.emit(self.index(0, 0), self.index(len(self.names) - 1, len(self._entries)))


class OptionDelegate(QStyledItemDelegate):
    """Offers the possible values of an option while it is edited."""

    def createEditor(  # noqa: N802 (Qt's name)
        self, parent: QWidget, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        """Return a choice of words, or a field for a number."""
        model = index.model()
        assert isinstance(model, OptionsModel)
        name = model.names[index.row()]
        words = _words(name)
        if words:
            box = ChoiceBox()
            box.setParent(parent)
            box.addItems([spell_value(word) for word in words])
            box.activated.connect(lambda _: self._finish(box))
            box.setAccessibleName(SDK_NAMES[name])
            return box
        number = NumberBox("", decimals=0)
        number.setParent(parent)
        number.setRange(0, most_of(name))
        number.setSuffix(_unit(name))
        number.setAccessibleName(SDK_NAMES[name])
        return number

    def initStyleOption(  # noqa: N802 (Qt's name)
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Leave out the text below an editor, which is transparent."""
        super().initStyleOption(option, index)
        view = self.parent()
        if isinstance(view, QTableView) and view.indexWidget(index) is not None:
            option.text = ""

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:  # noqa: N802 (Qt's name)
        """Show the value of a cell when its editor opens, not when settings change while the user is typing."""
        if editor.property(_FILLED):
            return
        editor.setProperty(_FILLED, True)
        value = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, ChoiceBox):
            editor.setCurrentText(spell_value(value))
        elif isinstance(editor, NumberBox):
            editor.set_number(value)

    def setModelData(  # noqa: N802 (Qt's name)
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Propose the chosen value."""
        assert isinstance(model, OptionsModel)
        if isinstance(editor, ChoiceBox):
            model.setData(index, _words(model.names[index.row()])[editor.currentIndex()])
        elif isinstance(editor, NumberBox) and editor.take():
            model.setData(index, int(editor.value()))

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep a number open that is invalid, with its error."""
        is_key = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in _FINISHING
        if is_key and isinstance(editor, NumberBox) and not editor.take():
            return True
        return super().eventFilter(editor, event)

    def _finish(self, editor: QWidget) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)


class OptionsTable(QWidget):
    """The options of all states of the user in a table, for one platform at a time."""

    def __init__(self, entries: Sequence[TrackingEntry]) -> None:
        super().__init__()
        self.model = OptionsModel(entries)
        self.view: QTableView = table_view(self.model, tr("Tracking options"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        triggers = QAbstractItemView.EditTrigger
        self.view.setEditTriggers(
            triggers.DoubleClicked | triggers.SelectedClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )
        self.view.setItemDelegate(OptionDelegate(self.view))
        self.view.setMinimumHeight(260)
        set_widths(self.view, _WIDTHS_PX)
        self.platform = ChoiceBox()
        self.platform.addItems(["Android", "iOS"])
        self.platform.currentIndexChanged.connect(lambda at: self.model.show_platform(ios=at == 1))
        self.reset = button(tr("Reset option"), self._reset)
        self.view.selectionModel().currentChanged.connect(self._enable)
        self.model.modelReset.connect(self._enable)
        self.model.dataChanged.connect(self._enable)
        self._enable()
        head = in_row(caption(tr("Values on"), self.platform), self.platform, STRETCH, self.reset, spacing=GRID)
        note = tr("Bold values differ from the preset. Apps receive options on start and with each location update.")
        in_column(head, (self.view, 1), label(note, "hint", wrap=True), of=self, margins=0, spacing=GRID)

    def _reset(self) -> None:
        self.model.reset(self.view.currentIndex())

    def _enable(self, *_: object) -> None:
        index = self.view.currentIndex()
        self.reset.setEnabled(index.isValid() and self.model.is_changed(index))


def tracking_page(entries: Sequence[Entry[ProjectSettings]]) -> QWidget:
    """Return the page of the tracking options."""
    states = [entry for entry in entries if isinstance(entry, TrackingEntry)]
    body, column = panel(margins=12)
    column.setSpacing(GRID)
    column.addLayout(in_row(*((entry.field, 1, Qt.AlignmentFlag.AlignTop) for entry in states), spacing=2 * GRID))
    for entry in entries:
        if entry not in states:
            column.addWidget(entry.field)
    column.addWidget(OptionsTable(states), 1)
    return FormPage(body)


def _words(name: str) -> tuple[OptionValue, ...]:
    """Return the possible values of an option, or none if it is a number."""
    if name in CHOICES:
        return CHOICES[name]
    return (True, False) if isinstance(PRESETS[TrackingPreset.RESPONSIVE][name], bool) else ()


def _unit(name: str) -> str:
    """Return the unit of a numeric option, to be added to its number."""
    return " s" if name.endswith("_s") else " m" if name.endswith("_m") else ""


def _text(name: str, value: OptionValue) -> str:
    return spell_value(value) + _unit(name)
