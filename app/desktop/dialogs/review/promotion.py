"""Promotion from Test to Live, or back: the differences, chosen one by one, with the fields side by side."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLineEdit, QSplitter, QWidget

from app.desktop.dialogs.review.fields import FIELD_WIDTHS, FieldModel, review_view
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.review.promotion import KINDS, PromotionBook, changes_text, field_rows
from app.desktop.model.words import fence_name
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import button, label, tip_text
from app.desktop.style import colors
from engine.geofences.promotion.differences import Difference, Kind

_TITLES: Final = ("", tr("Tag"), tr("External ID"), tr("Description"), tr("Changes"))
_WIDTHS: Final = (104, 104, 112, 176, 0)
_STATE, _CHANGES = 0, 4
_ALL: Final = tr("All changes")


class DifferenceModel(TitledModel):
    """A model of the geofences that differ, each with a check mark."""

    def __init__(self, book: PromotionBook) -> None:
        super().__init__(_TITLES)
        self._book = book
        self._rows = book.items
        self._theme: Theme = "light"

    def set_theme(self, theme: Theme) -> None:
        """Set the theme, which determines the colour of deletions."""
        self._theme = theme

    def row(self, at: int) -> Difference:
        """Return a displayed difference."""
        return self._rows[at]

    def filter(self, kind: Kind | None, text: str) -> None:
        """Filter the rows."""
        self.beginResetModel()
        self._rows = self._book.matching(kind, text)
        self.endResetModel()

    def choose_all(self, chosen: bool) -> None:
        """Check or uncheck all shown rows."""
        self._choose(self._rows, chosen)

    def toggle(self, at: int) -> None:
        """Check or uncheck a row."""
        item = self._rows[at]
        self._choose((item,), not self._book.is_chosen(item))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a cell; the first column can be checked."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == _STATE else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        item = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _cell(item, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(_cell(item, index.column()))
            case Qt.ItemDataRole.CheckStateRole if index.column() == _STATE:
                return Qt.CheckState.Checked if self._book.is_chosen(item) else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.ForegroundRole if item.kind is Kind.MISSING and self._book.is_chosen(item):
                return QColor(colors(self._theme).danger)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 (Qt's name)
        """Check or uncheck a row."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self._choose((self._rows[index.row()],), Qt.CheckState(value) is Qt.CheckState.Checked)
        return True

    def _choose(self, items: tuple[Difference, ...], chosen: bool) -> None:
        self._book.choose(items, chosen)
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, _CHANGES))

    def _count(self) -> int:
        return len(self._rows)


class PromotionDialog(QDialog):
    """Lists the differences. It is modeless, so the map stays usable. Emits the user's decisions."""

    promote_requested = Signal()
    save_requested = Signal()
    again_requested = Signal()
    row_chosen = Signal(object)

    def __init__(self, parent: QWidget, book: PromotionBook, theme: Theme) -> None:
        super().__init__(parent)
        self.book = book
        changes = book.plan.changes
        source, target = changes.source.value.capitalize(), changes.target.value.capitalize()
        self._live = changes.target.live
        self._busy = False
        self.setWindowTitle(
            tr(
                "Promote {source_environment} to {target_environment}",
                source_environment=source,
                target_environment=target,
            )
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(840, 520)
        self.model, self.fields = (
            DifferenceModel(book),
            FieldModel(
                tr("{target_environment} now", target_environment=target),
                tr("From {source_environment}", source_environment=source),
            ),
        )
        self.model.set_theme(theme)
        self.view = review_view(self.model, tr("Geofences that differ"), _WIDTHS)
        self.field_view = review_view(self.fields, tr("Fields"), FIELD_WIDTHS)
        self.kinds = ChoiceBox()
        self.text = QLineEdit()
        self.check_all = button(tr("Select all"), lambda: self.model.choose_all(True))
        self.uncheck_all = button(tr("Select none"), lambda: self.model.choose_all(False))
        self.warning = label("", "error", wrap=True)
        self.error = label("", "error", wrap=True)
        self.hint = label("", "hint", wrap=True)
        self.promote = button("", self.promote_requested.emit, "live" if self._live else "primary")
        self.save = button(tr("Save change set…"), self.save_requested.emit)
        self.again = button(tr("Compare again"), self.again_requested.emit)
        self.cancel = button(tr("Cancel"), self.reject)
        self._connect()
        self._arrange(book.summary())
        self._enable()
        if book.items:
            self.view.selectRow(0)
        self.view.setFocus()

    def show_hint(self, text: str) -> None:
        """Show that the list may be out of date, unless an error is shown."""
        if not self.error.isVisible():
            self.hint.setText(text)
            self.hint.setVisible(True)
            self.again.setVisible(True)

    def show_error(self, text: str) -> None:
        """Show an error."""
        self.hint.hide()
        self.error.setText(text)
        self.error.setVisible(bool(text))
        self.again.setVisible(bool(text))

    def show_busy(self, busy: bool) -> None:
        """Prevent a second run, even if the selection changes in the meantime."""
        self._busy = busy
        self._enable()

    def _connect(self) -> None:
        self.kinds.setAccessibleName(tr("Kind"))
        self.kinds.addItem(_ALL)
        self.kinds.addItems(list(KINDS.values()))
        self.text.setPlaceholderText(tr("Filter geofences"))
        self.text.setAccessibleName(tr("Filter geofences"))
        self.text.setClearButtonEnabled(True)
        self.kinds.currentIndexChanged.connect(self._filter)
        self.text.textChanged.connect(self._filter)
        self.view.selectionModel().currentRowChanged.connect(self._on_row)
        self.model.dataChanged.connect(lambda *_: self._enable())
        toggle = QShortcut(QKeySequence(Qt.Key.Key_Space), self.view, context=Qt.ShortcutContext.WidgetShortcut)
        toggle.activated.connect(self._toggle)
        self.show_error("")

    def _toggle(self) -> None:
        if (at := self.view.currentIndex()).isValid():
            self.model.toggle(at.row())

    def _on_row(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            item = self.model.row(index.row())
            self.fields.show(tuple(field_rows(item)))
            self.row_chosen.emit(item)

    def _filter(self, *_: object) -> None:
        chosen = self.kinds.currentIndex()
        self.model.filter(tuple(KINDS)[chosen - 1] if chosen > 0 else None, self.text.text())
        self.fields.show(())
        if self.model.rowCount():
            self.view.selectRow(0)

    def _enable(self) -> None:
        chosen = len(self.book.chosen().items)
        self.promote.setText(tr("Promote {count:,}", count=chosen) if chosen else tr("Nothing to promote"))
        for each in (self.promote, self.save):
            each.setEnabled(bool(chosen) and not self._busy)
        self.warning.setText(self.book.warning())
        self.warning.setVisible(bool(self.book.warning()))

    def _arrange(self, summary: str) -> None:
        layout = in_dialog(
            self,
            label(summary, "label", wrap=True),
            in_row(self.kinds, (self.text, 1), self.check_all, self.uncheck_all),
        )
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.view)
        split.addWidget(self.field_view)
        split.setSizes([260, 140])
        split.setChildrenCollapsible(False)
        layout.addWidget(split, 1)
        layout.addWidget(self.warning)
        layout.addWidget(self.error)
        layout.addWidget(self.hint)
        layout.addLayout(in_row(self.save, self.again, STRETCH, self.promote, self.cancel))


def _cell(item: Difference, column: int) -> str:
    fence = item.geofence
    return (KINDS[item.kind], fence.tag, fence.external_id, fence_name(fence), changes_text(item))[column]
