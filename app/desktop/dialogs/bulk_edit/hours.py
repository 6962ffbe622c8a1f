"""Copying a geofence's hours to others: the selected ones, the ones with a tag, or some of a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QDialog, QRadioButton, QWidget

from app.desktop.language import counted, tr
from app.desktop.model.fences import NamedFence
from app.desktop.model.hours.words import spoken
from app.desktop.model.words import fence_name, name_of
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.tables import fix_rows, set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import button, label, tip_text
from engine.domain.geofence import Geofence
from engine.domain.hours import OperatingHours

_TITLES: Final = (tr("Geofence"), tr("Tag"), tr("Hours"))
_WIDTHS: Final = (176, 96, 0)
_NARROWEST_PX: Final = 40


class TargetModel(TitledModel):
    """Geofences to choose from, each with a check mark."""

    def __init__(self, fences: Sequence[NamedFence]) -> None:
        super().__init__(_TITLES)
        self._all = tuple(fences)
        self._rows = self._all
        self.chosen: set[str] = set()

    def filter(self, text: str) -> None:
        """Show only geofences that have all words of a text in their names or tags."""
        words = text.casefold().split()
        self.beginResetModel()
        self._rows = tuple(fence for fence in self._all if all(word in _text(fence) for word in words))
        self.endResetModel()

    def toggle(self, at: int) -> None:
        """Check or uncheck one."""
        self.chosen ^= {self._rows[at].id}
        self._notify_views()

    def check_shown(self) -> None:
        """Check all shown geofences, or uncheck them if all are checked."""
        shown = {fence.id for fence in self._rows}
        self.chosen = self.chosen - shown if shown <= self.chosen else self.chosen | shown
        self._notify_views()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a cell; the first column can be checked."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        fence = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _cell(fence, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(_cell(fence, index.column()))
            case Qt.ItemDataRole.CheckStateRole if index.column() == 0:
                return Qt.CheckState.Checked if fence.id in self.chosen else Qt.CheckState.Unchecked
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 (Qt's name)
        """Check or uncheck."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        fence_id = self._rows[index.row()].id
        checked = Qt.CheckState(value) is Qt.CheckState.Checked
        self.chosen = self.chosen | {fence_id} if checked else self.chosen - {fence_id}
        self._notify_views()
        return True

    def _notify_views(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, 0))

    def _count(self) -> int:
        return len(self._rows)


class CopyHoursDialog(QDialog):
    """Asks which geofences receive the hours of another; `applied` carries the chosen ones."""

    applied = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        source: Geofence,
        hours: OperatingHours | None,
        others: Sequence[NamedFence],
        selected: Sequence[NamedFence],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(tr("Copy the hours of {geofence_name}", geofence_name=fence_name(source)))
        self.resize(520, 480)
        self._busy = False
        self._others, self._selected = tuple(others), tuple(selected)
        self._summary = label(spoken(hours) or tr("Always open"), "label", wrap=True)
        self.to_selected = QRadioButton(tr("The other selected geofences ({count:,})", count=len(selected)))
        self.to_tag = QRadioButton(tr("All with the tag"))
        self.to_chosen = QRadioButton(tr("These geofences"))
        self._group = QButtonGroup(self)
        self.tags = ChoiceBox()
        self.filter = TextLine()
        self.model = TargetModel(self._others)
        self.view = table_view(self.model, tr("Geofences"))
        self.check_all = button(tr("Check all shown"), self.model.check_shown)
        self.error = label(role="error", wrap=True)
        self.copy = button(tr("Copy"), self._apply, "primary")
        self._fill(source)
        self._arrange()
        self._connect()
        self._show_state()

    def targets(self) -> tuple[NamedFence, ...]:
        """Return the chosen geofences."""
        if self.to_selected.isChecked():
            return self._selected
        if self.to_tag.isChecked():
            return tuple(fence for fence in self._others if fence.tag == self.tags.currentData())
        return tuple(fence for fence in self._others if fence.id in self.model.chosen)

    def show_error(self, message: str) -> None:
        """Show why nothing was copied, or hide the message if it is empty."""
        self.error.setText(message)
        self.error.setVisible(bool(message))

    def set_busy(self, busy: bool) -> None:
        """Prevent a second run, even if the user chooses other geofences in the meantime."""
        self._busy = busy
        self.copy.setEnabled(not busy and bool(self.targets()))

    def _fill(self, source: Geofence) -> None:
        numbers = Counter(fence.tag for fence in self._others)
        for tag in sorted(numbers):
            self.tags.addItem(tr("{tag} ({count:,})", tag=tag, count=numbers[tag]), tag)
        at = self.tags.findData(source.tag)
        self.tags.setCurrentIndex(max(at, 0))
        for each in (self.to_selected, self.to_tag, self.to_chosen):
            self._group.addButton(each)
        self.to_selected.setEnabled(bool(self._selected))
        self.to_tag.setEnabled(bool(numbers))
        first = self.to_selected if self._selected else self.to_tag if numbers else self.to_chosen
        first.setChecked(True)

    def _connect(self) -> None:
        self.tags.setAccessibleName(tr("Tag"))
        self.filter.setAccessibleName(tr("Filter geofences"))
        self.filter.setPlaceholderText(tr("Filter geofences"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self.model.filter)
        self.tags.activated.connect(lambda _: self.to_tag.setChecked(True))
        self._group.buttonToggled.connect(lambda *_: self._show_state())
        self.tags.currentIndexChanged.connect(lambda _: self._show_state())
        self.model.dataChanged.connect(lambda *_: self._on_checked())
        toggle = QShortcut(QKeySequence(Qt.Key.Key_Space), self.view, context=Qt.ShortcutContext.WidgetShortcut)
        toggle.activated.connect(self._toggle)

    def _on_checked(self) -> None:
        self.to_chosen.setChecked(True)
        self._show_state()

    def _toggle(self) -> None:
        if (at := self.view.currentIndex()).isValid():
            self.model.toggle(at.row())

    def _show_state(self) -> None:
        number = len(self.targets())
        self.copy.setText(tr("Copy to {geofences}", geofences=counted(number, "geofence")) if number else tr("Copy"))
        self.copy.setEnabled(number > 0 and not self._busy)
        self.show_error("")

    def _apply(self) -> None:
        targets = self.targets()
        if targets:
            self.applied.emit(targets)

    def _arrange(self) -> None:
        fix_rows(self.view, _NARROWEST_PX)
        set_widths(self.view, _WIDTHS)
        in_dialog(
            self,
            self._summary,
            self.to_selected,
            in_row(self.to_tag, (self.tags, 1)),
            self.to_chosen,
            in_row((self.filter, 1), self.check_all),
            (self.view, 1),
            self.error,
            in_row(STRETCH, self.copy, button(tr("Cancel"), self.reject)),
        )


def _text(fence: NamedFence) -> str:
    return f"{name_of(fence.description, fence.external_id)} {fence.tag} {fence.external_id}".casefold()


def _cell(fence: NamedFence, column: int) -> str:
    name = name_of(fence.description, fence.external_id)
    return (name, fence.tag, spoken(fence.rules.operating_hours) or tr("always open"))[column]
