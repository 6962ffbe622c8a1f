"""Pending changes of Live, field by field, which can be applied or discarded one by one or all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.desktop.language import counted, tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.pending import Key, Owner, Pending, PendingChanges
from app.desktop.model.editing.pending_words import note_of, owner_name, title_of, value_text
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, button, label, restyle, tip_text
from app.desktop.relay import Relay
from app.desktop.style import colors

_FIELD, _NOW, _WANTED, _STATE = range(4)
_KEY = Qt.ItemDataRole.UserRole
_SHOWN_EVERY_MS = 250
_NOTHING = tr("No pending changes. Changes that you make in Live wait here until you apply them.")
_WIDTHS = {_FIELD: 180, _NOW: 160, _WANTED: 160}


class PendingList(QTreeWidget):
    """A tree with a row for each record with pending changes, and below it a row for each field."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("PendingList")
        self.setHeaderLabels([tr("Change"), tr("In Live"), tr("Pending"), ""])
        self.setUniformRowHeights(True)
        self.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = self.header()
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)
        header.setSectionResizeMode(_STATE, QHeaderView.ResizeMode.Stretch)
        self._theme: Theme = "light"

    def set_theme(self, theme: Theme) -> None:
        """Set the colours of conflicts."""
        self._theme = theme

    def show_changes(self, book: PendingChanges) -> None:
        """Show the pending changes and keep the selection."""
        chosen, current, scrolled = self.chosen_keys(), self._key(self.currentItem()), self.verticalScrollBar().value()
        with QSignalBlocker(self):
            self.clear()
            for owner in book.owners():
                self.addTopLevelItem(self._record(book, owner))
            self.expandAll()
            for item in self._fields():
                item.setSelected(self._key(item) in chosen)
                if self._key(item) == current:
                    self.setCurrentItem(item, _FIELD, self.selectionModel().SelectionFlag.NoUpdate)
        self.verticalScrollBar().setValue(scrolled)
        self.itemSelectionChanged.emit()

    def chosen_keys(self) -> frozenset[Key]:
        """Return the selected fields, including those of selected records."""
        found: set[Key] = set()
        for item in self.selectedItems():
            fields = [item] if item.parent() else _children(item)
            found.update(key for key in map(self._key, fields) if key is not None)
        return frozenset(found)

    def row_of(self, key: Key) -> QTreeWidgetItem:
        """Return the row of a field."""
        return next(item for item in self._fields() if self._key(item) == key)

    def owner_at(self, item: QTreeWidgetItem) -> Owner:
        """Return the record that a row belongs to."""
        key = self._key(item if item.parent() else item.child(0))
        return key[0] if key is not None else None

    def _fields(self) -> Iterable[QTreeWidgetItem]:
        for number in range(self.topLevelItemCount()):
            record = self.topLevelItem(number)
            assert record is not None
            yield from _children(record)

    @staticmethod
    def _key(item: QTreeWidgetItem | None) -> Key | None:
        found: Key | None = item.data(_FIELD, _KEY) if item is not None else None
        return found

    def _record(self, book: PendingChanges, owner: Owner) -> QTreeWidgetItem:
        state = tr("Deleted in Live since") if book.is_deleted(owner) else ""
        item = QTreeWidgetItem([owner_name(book, owner), "", "", state])
        font = item.font(_FIELD)
        font.setBold(True)
        item.setFont(_FIELD, font)
        if state:
            self._warn(item, _STATE)
        item.addChildren([self._field(book, change) for change in book.of(owner)])
        return item

    def _field(self, book: PendingChanges, change: Pending) -> QTreeWidgetItem:
        fence = None if change.owner is None else book.fence(change.owner)
        deleted, conflict = book.is_deleted(change.owner), book.conflicts(change)
        now = "" if deleted else value_text(change, book.stored(change), fence)
        texts = [title_of(change, fence), now, value_text(change, change.value, fence), _state(book, change)]
        item = QTreeWidgetItem(texts)
        item.setData(_FIELD, _KEY, change.key)
        for column, text in enumerate(texts):
            item.setToolTip(column, tip_text(text))
        item.setToolTip(_STATE, tip_text(change.error or note_of(book, change)))
        if conflict or change.error:
            self._warn(item, _STATE)
        if conflict and not deleted:
            self._warn(item, _NOW)
        return item

    def _warn(self, item: QTreeWidgetItem, column: int) -> None:
        item.setForeground(column, QBrush(QColor(colors(self._theme).danger)))


class PendingDialog(QDialog):
    """Emits the changes to apply or discard. The dialog is modeless, so the window stays usable."""

    apply_requested = Signal(object)
    discard_requested = Signal(object)
    show_requested = Signal(object)

    def __init__(self, parent: QWidget, book: PendingChanges) -> None:
        super().__init__(parent)
        self._book = book
        self.setWindowTitle(tr("Pending changes – Live"))
        self.resize(800, 420)
        self.text = label()
        self.list = PendingList()
        self.list.setAccessibleName(tr("Pending changes"))
        self.apply = self._button(tr("Apply to Live"), self._chosen, self.apply_requested.emit, "live")
        self.discard = self._button(tr("Discard"), self._chosen, self.discard_requested.emit)
        self.apply_all = self._button(tr("Apply all to Live"), self._all, self.apply_requested.emit, "live")
        self.discard_all = self._button(tr("Discard all"), self._all, self.discard_requested.emit)
        self.close_button = button(tr("Close"), self.close)
        self._arrange()
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda item: self.show_requested.emit(self.list.owner_at(item)))
        # Many changes may arrive one by one, so update the list once for all of them.
        self._changed = Relay(self, interval_ms=_SHOWN_EVERY_MS)
        self._changed.rung.connect(self._refresh)
        book.changed.connect(self._changed.ring)

    def open_list(self) -> None:
        """Show the list with the first pending change selected."""
        self.list.show_changes(self._book)
        first = next(iter(self._book), None)
        if first is not None and not self.list.chosen_keys():
            self.list.setCurrentItem(self.list.row_of(first.key))
        self._refresh_text()
        self.show()
        self.raise_()
        self.activateWindow()
        self.list.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Set the colours of conflicts."""
        self.list.set_theme(theme)
        self._refresh()

    def _refresh(self) -> None:
        if self.isVisible():
            self.list.show_changes(self._book)
            self._refresh_text()

    def _refresh_text(self) -> None:
        changes = tuple(self._book)
        conflicts = sum(self._book.conflicts(change) for change in changes)
        refused = sum(bool(change.error) for change in changes)
        text = tr("{changes} not in Live yet.", changes=counted(len(changes), "change")) if changes else _NOTHING
        if conflicts:
            text += tr(
                " {conflicts}: Live has changed since; you will be asked before it is overwritten.",
                conflicts=counted(conflicts, "conflict"),
            )
        if refused:
            text += tr(" {count} refused.", count=refused)
        self.text.setText(text)
        restyle(self.text, "role", "error" if conflicts or refused else "")
        self._enable()

    def _chosen(self) -> tuple[Pending, ...]:
        chosen = self.list.chosen_keys()
        return tuple(change for change in self._book if change.key in chosen)

    def _all(self) -> tuple[Pending, ...]:
        return tuple(self._book)

    def _button(
        self, text: str, which: Callable[[], tuple[Pending, ...]], act: Callable[[object], object], role: str = ""
    ) -> QPushButton:
        return button(text, lambda: act(which()), role)

    def _enable(self) -> None:
        ready = {change.key for change in self._book if not change.sent}
        for each in (self.apply, self.discard):
            each.setEnabled(bool(ready & self.list.chosen_keys()))
        for each in (self.apply_all, self.discard_all):
            each.setEnabled(bool(ready))

    def _arrange(self) -> None:
        in_dialog(
            self,
            self.text,
            (self.list, 1),
            in_row(
                self.apply, self.discard, STRETCH, self.discard_all, self.apply_all, self.close_button, spacing=GRID
            ),
        )


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (item.child(number) for number in range(item.childCount()))
    return [child for child in found if child is not None]


def _state(book: PendingChanges, change: Pending) -> str:
    if change.sent:
        return tr("Applying…")
    if change.error:
        return change.error
    if book.is_deleted(change.owner):
        return tr("Geofence deleted")
    if not book.conflicts(change):
        return ""
    fence = None if change.owner is None else book.fence(change.owner)
    return tr("Changed since, was {old_value}", old_value=value_text(change, change.seen, fence))
