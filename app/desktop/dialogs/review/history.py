"""The history of a geofence, and the deleted geofences. The map stays usable."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QDialog, QSplitter, QTabBar, QWidget

from app.desktop.dialogs.review.fields import FIELD_WIDTHS, FieldModel, review_view
from app.desktop.language import tr
from app.desktop.model.review.history import author_text, compared, edit_text, is_present, when_text, when_tip
from app.desktop.model.words import fence_name
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.layouts import STRETCH, in_column, in_dialog, in_row
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import button, label, tip_text
from engine.domain.edits import GeofenceEdit
from engine.domain.geofence import Geofence
from engine.geofences.history import MOST_DELETED

_TITLES: Final = (tr("When"), tr("By"), tr("What changed"))
_DELETED_TITLES: Final = (tr("Deleted"), tr("By"), tr("Geofence"), tr("Tag"), tr("External ID"))
_WIDTHS: Final = (184, 208, 0)
_DELETED_WIDTHS: Final = (184, 208, 0, 96, 112)


class EditModel(TitledModel):
    """A model of edits, newest first: of one geofence, or the deletions of many."""

    def __init__(self, *, deleted: bool) -> None:
        super().__init__(_DELETED_TITLES if deleted else _TITLES)
        self._deleted = deleted
        self.edits: tuple[GeofenceEdit, ...] = ()

    def show(self, edits: tuple[GeofenceEdit, ...]) -> None:
        """Show other edits."""
        self.beginResetModel()
        self.edits = edits
        self.endResetModel()

    def add(self, edits: tuple[GeofenceEdit, ...]) -> None:
        """Append older edits."""
        if edits:
            self.beginInsertRows(QModelIndex(), len(self.edits), len(self.edits) + len(edits) - 1)
            self.edits += edits
            self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        edit = self.edits[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._cell(edit, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(self._cell(edit, index.column()) if index.column() else when_tip(edit))
        return None

    def _cell(self, edit: GeofenceEdit, column: int) -> str:
        if column < 2:
            return author_text(edit.author) if column else when_text(edit)
        if not self._deleted:
            return edit_text(edit)
        fence = edit.geofence
        return (fence_name(fence), fence.tag, fence.external_id)[column - 2]

    def _count(self) -> int:
        return len(self.edits)


class HistoryDialog(QDialog):
    """Lists edits and compares the selected version with the current one. Emits the user's requests.

    `filtered` requests the deleted geofences that match other words, `page_chosen` reports the page that was opened.
    """

    restore_requested = Signal(object)
    restore_all_requested = Signal(object)
    row_chosen = Signal(object)
    older_requested = Signal()
    filtered = Signal(str)
    page_chosen = Signal(int)

    def __init__(self, parent: QWidget, *, live: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("History of geofences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(840, 520)
        self.present: Geofence | None = None
        """The current state of the geofence whose version is selected."""
        self._version: tuple[str, int] | None = None
        self.pages = QTabBar()
        self.pages.addTab(tr("Selected geofence"))
        self.pages.addTab(tr("Deleted geofences"))
        self.edits, self.deleted = EditModel(deleted=False), EditModel(deleted=True)
        self.fields = FieldModel(tr("Now"), tr("This version"))
        self._busy = False
        self.view = review_view(self.edits, tr("Versions"), _WIDTHS)
        self.deleted_view = review_view(self.deleted, tr("Deleted geofences"), _DELETED_WIDTHS)
        self.field_view = review_view(self.fields, tr("Fields"), FIELD_WIDTHS)
        self.title = label("", "label", wrap=True)
        self.filter = TextLine()
        self.error = label("", "error", wrap=True)
        self.older = button(tr("Show earlier versions"), self.older_requested.emit)
        self.restore = button(tr("Restore"), self._restore, "live" if live else "primary")
        self.close_button = button(tr("Close"), self.reject)
        self._connect()
        self._arrange()
        self._show_page(0)

    @property
    def shows_deleted(self) -> bool:
        """Whether the page of deleted geofences is shown."""
        return self.pages.currentIndex() == 1

    @property
    def chosen(self) -> GeofenceEdit | None:
        """The edit of the selected version."""
        view, model = (self.deleted_view, self.deleted) if self.shows_deleted else (self.view, self.edits)
        at = view.currentIndex()
        return model.edits[at.row()] if at.isValid() and at.row() < len(model.edits) else None

    @property
    def selected(self) -> tuple[GeofenceEdit, ...]:
        """The selected deletions, in the order of the list."""
        return tuple(self.deleted.edits[row] for row in sorted(self._selected_rows()))

    def _selected_rows(self) -> set[int]:
        """Return the selected deletions by their ranges, since listing thousands of cells takes long."""
        ranges = self.deleted_view.selectionModel().selection()
        found = [ranges.at(at) for at in range(ranges.count())]
        rows = {row for each in found for row in range(each.top(), each.bottom() + 1)}
        return {row for row in rows if row < len(self.deleted.edits)}

    def show_edits(self, title: str, edits: tuple[GeofenceEdit, ...], *, older: bool) -> None:
        """Show the edits of the selected geofence, and whether there are older ones, and keep the selection."""
        chosen = self.chosen if not self.shows_deleted else None
        self._name = title
        self._fill(self.edits, edits)
        self.older.setVisible(older and not self.shows_deleted)
        self._older = older
        if not self.shows_deleted:
            self._show_title(title)
            revisions = [(edit.geofence_id, edit.revision) for edit in edits]
            known = None if chosen is None else (chosen.geofence_id, chosen.revision)
            self._choose(revisions.index(known) if known in revisions else 0)

    def add_edits(self, edits: tuple[GeofenceEdit, ...], *, older: bool) -> None:
        """Append older edits."""
        self.edits.add(edits)
        self._older = older
        self.older.setVisible(older)

    def show_deleted(self, edits: tuple[GeofenceEdit, ...]) -> None:
        """Show deleted geofences."""
        chosen, selected = self.chosen if self.shows_deleted else None, set(map(_version_of, self.selected))
        self._fill(self.deleted, edits)
        if self.shows_deleted:
            more = tr("The last {count:,} deleted geofences. Filter them to find others.", count=len(edits))
            full = more if len(edits) >= MOST_DELETED else ""
            self._show_title(full if edits else tr("No deleted geofences."))
            versions = list(map(_version_of, edits))
            known = None if chosen is None else _version_of(chosen)
            self._choose(versions.index(known) if known in versions else 0)
            self._select([row for row, version in enumerate(versions) if version in selected])

    def show_present(self, present: Geofence | None) -> None:
        """Compare the selected version with the current one."""
        self.present = present
        edit = self.chosen
        self.fields.show(() if edit is None else compared(present, edit.geofence))
        same = edit is not None and is_present(present, edit.geofence)
        count = len(self._selected_rows()) if self.shows_deleted else 1
        many = tr("Restore {count:,} geofences", count=count)
        self.restore.setText(tr("This is the present version") if same else many if count > 1 else tr("Restore"))
        self.restore.setEnabled(edit is not None and (not same or count > 1) and not self._busy)

    def show_error(self, text: str) -> None:
        """Show why restoring failed."""
        self.error.setText(text)
        self.error.setVisible(bool(text))

    def set_busy(self, busy: bool) -> None:
        """Prevent a second run, even if the edits change in the meantime."""
        self._busy = busy
        self.show_present(self.present)

    def show_page(self, page: int) -> None:
        """Show one of the pages."""
        self.pages.setCurrentIndex(page)

    def _show_page(self, page: int) -> None:
        deleted = page == 1
        self.view.setVisible(not deleted)
        self.deleted_view.setVisible(deleted)
        self.filter.setVisible(deleted)
        self.older.setVisible(self._older and not deleted)
        self._show_title("" if deleted else self._name)
        self.show_error("")
        self.page_chosen.emit(page)

    def _show_title(self, title: str) -> None:
        self.title.setText(title)
        self.title.setVisible(bool(title))

    def _choose(self, row: int) -> None:
        view, model = (self.deleted_view, self.deleted) if self.shows_deleted else (self.view, self.edits)
        if model.edits:
            view.selectRow(row)
        else:
            self.fields.show(())
            self.restore.setEnabled(False)
            self.row_chosen.emit(None)

    def _fill(self, model: EditModel, edits: tuple[GeofenceEdit, ...]) -> None:
        """Show other edits without reporting a selection; the caller selects a row afterwards."""
        self._filling = True
        model.show(edits)
        self._filling = False

    def _on_row(self, _index: QModelIndex, _before: QModelIndex) -> None:
        if self._filling:
            return
        chosen = self.chosen
        version = None if chosen is None else (chosen.geofence_id, chosen.revision)
        # Keep the error if only the list was read again.
        if version != self._version:
            self.show_error("")
        self._version = version
        self.row_chosen.emit(chosen)

    def _select(self, rows: list[int]) -> None:
        """Select several deletions, as before the list was read again."""
        if len(rows) < 2:
            return
        model, selection = self.deleted, QItemSelection()
        for _, run in groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
            run_rows = [row for _, row in run]
            selection.append(
                QItemSelectionRange(model.index(run_rows[0], 0), model.index(run_rows[-1], model.columnCount() - 1))
            )
        self.deleted_view.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _on_selected(self) -> None:
        if not self._filling:
            self.show_present(self.present)

    def _restore(self) -> None:
        if self.shows_deleted and len(self._selected_rows()) > 1:
            self.restore_all_requested.emit(self.selected)
        elif self.chosen is not None:
            self.restore_requested.emit(self.chosen)

    def _connect(self) -> None:
        self._name, self._older, self._filling = "", False, False
        self.filter.setPlaceholderText(tr("Filter deleted geofences"))
        self.filter.setAccessibleName(tr("Filter deleted geofences"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self.filtered)
        self.pages.setAccessibleName(tr("Lists"))
        self.pages.setExpanding(False)
        self.pages.setDrawBase(False)
        self.pages.currentChanged.connect(self._show_page)
        self.deleted_view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.deleted_view.selectionModel().selectionChanged.connect(lambda *_: self._on_selected())
        for view in (self.view, self.deleted_view):
            view.selectionModel().currentRowChanged.connect(self._on_row)

    def _arrange(self) -> None:
        layout = in_dialog(self, self.pages, self.title, self.filter)
        split = QSplitter(Qt.Orientation.Vertical)
        lists = QWidget()
        in_column(self.view, self.deleted_view, of=lists, margins=0)
        split.addWidget(lists)
        split.addWidget(self.field_view)
        split.setSizes([260, 140])
        split.setChildrenCollapsible(False)
        layout.addWidget(split, 1)
        layout.addWidget(self.error)
        layout.addLayout(in_row(self.older, STRETCH, self.restore, self.close_button))


def _version_of(edit: GeofenceEdit) -> tuple[str, int]:
    return edit.geofence_id, edit.revision
