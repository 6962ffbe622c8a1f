"""The user's own imagery: a list of sources, topmost first, and a form for the selected one."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QWidget

from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.map_layers.imagery_form import ImageryForm
from app.desktop.language import tr
from app.desktop.model.imagery.book import ImageryBook, new_id
from app.desktop.model.imagery.sources import ImagerySource, Kind
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import GRID, EmptyState, FormPage, button, label
from engine.domain.values import replace

_DESCRIPTION: Final = tr(
    "Show aerial images or maps of your own under the geofences: from a server of tiles "
    "(XYZ, TMS) or from a WMS. Nothing is loaded before you agree to it."
)
_ROW_PX: Final = 28
_ID: Final = Qt.ItemDataRole.UserRole


class ImageryDialog(QDialog):
    """Emits the user's requests. The dialog is modeless, so the map stays usable."""

    save_requested = Signal(object)
    shown_requested = Signal(str, bool)
    opacity_chosen = Signal(str, float)
    move_requested = Signal(str, int)
    removal_requested = Signal(str)
    layers_requested = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Imagery"))
        self.resize(720, 560)
        self._book = ImageryBook()
        self._new: ImagerySource | None = None
        self._current = ""
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Sources of imagery, the topmost first"))
        self.form = ImageryForm()
        self.add_xyz = button(tr("Add XYZ tiles"), lambda: self._add(Kind.XYZ))
        self.add_wms = button(tr("Add WMS"), lambda: self._add(Kind.WMS))
        self.up = button(tr("Move up"), lambda: self.move_requested.emit(self._current, -1))
        self.down = button(tr("Move down"), lambda: self.move_requested.emit(self._current, 1))
        self.remove = button(tr("Remove…"), self._ask_removal)
        self.save = button(tr("Save"), self._save, "primary")
        self.revert = button(tr("Revert"), self._revert)
        self.problem = label("", "error", wrap=True)
        self._page = FormPage(self.form)
        self._empty = EmptyState(tr("No imagery yet"), _DESCRIPTION)
        self._arrange()
        self.list.currentItemChanged.connect(self._on_chosen)
        self.list.itemChanged.connect(self._on_checked)
        self.form.edited.connect(self._enable)
        self.form.layers_wanted.connect(lambda: self.layers_requested.emit(self.form.typed()))
        self.form.opacity_chosen.connect(self._on_opacity)
        self._show()

    # Display

    def show_book(self, book: ImageryBook) -> None:
        """Show the stored sources."""
        former, now = self._book.get(self._current), book.get(self._current)
        self._book = book
        if self._new is not None and book.get(self._new.id) is not None:
            self._new = None
        self._show(saved=now is not None and (former is None or _content(former) != _content(now)))

    def show_error(self, param: str, message: str) -> None:
        """Show an error at its field, or below the form if it has none."""
        there = self.form.show_error(param, message)
        self.problem.setText("" if there else message)

    def show_source(self, source_id: str) -> None:
        """Select a source."""
        item = self._item(source_id)
        if item is not None:
            self.list.setCurrentItem(item)

    def _sources(self) -> tuple[ImagerySource, ...]:
        return (*((self._new,) if self._new is not None else ()), *self._book.sources)

    def _show(self, *, saved: bool = False) -> None:
        """Show the list and the form of the selected source; the form keeps its input until it is `saved`."""
        sources = self._sources()
        chosen = self._current if any(each.id == self._current for each in sources) else ""
        with QSignalBlocker(self.list):
            self.list.clear()
            for source in sources:
                item = QListWidgetItem(source.name or tr("New imagery"))
                item.setData(_ID, source.id)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                is_on = source.shown and self._book.may_ask(source) and source is not self._new
                item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
                item.setSizeHint(QSize(0, _ROW_PX))
                self.list.addItem(item)
            self._current = chosen or (sources[0].id if sources else "")
            current = self._item(self._current)
            if current is not None:
                self.list.setCurrentItem(current)
        shown = next((each for each in sources if each.id == self._current), None)
        same = shown is not None and self.form.source is not None and shown.id == self.form.source.id
        if shown is not None and (saved or not same or not self.form.is_changed):
            self.form.show_source(shown)
            self.problem.clear()
        self._enable()

    def _enable(self) -> None:
        ids = [source.id for source in self._sources()]
        at = ids.index(self._current) if self._current in ids else -1
        is_kept = at >= 0 and self._book.get(self._current) is not None
        self._page.setVisible(at >= 0)
        self._empty.setVisible(at < 0)
        first = 1 if self._new is not None else 0
        self.up.setEnabled(is_kept and at > first)
        self.down.setEnabled(is_kept and at < len(ids) - 1)
        self.remove.setEnabled(at >= 0)
        is_changed = at >= 0 and (not is_kept or self.form.is_changed)
        self.save.setEnabled(is_changed)
        self.revert.setEnabled(is_changed)
        for each in (self.add_xyz, self.add_wms):
            each.setEnabled(self._new is None)

    def _item(self, source_id: str) -> QListWidgetItem | None:
        items = (self.list.item(row) for row in range(self.list.count()))
        return next((item for item in items if item.data(_ID) == source_id), None)

    # User actions

    def _add(self, kind: Kind) -> None:
        if not self._saved():
            return
        self._new = ImagerySource(new_id(), "", kind, "", "", shown=True)
        self._current = self._new.id
        self._show()
        self.form.name.setFocus()

    def _save(self) -> None:
        self.show_error("", "")
        if not self.form.take_numbers():
            return
        typed, kept = self.form.typed(), self._book.get(self._current)
        self.save_requested.emit(typed if kept is None else replace(typed, shown=kept.shown))

    def _revert(self) -> None:
        source = self._book.get(self._current)
        if source is None:
            self._new = None
            self._show()
        else:
            self.form.show_source(source)
            self.problem.clear()
            self._enable()

    def _saved(self) -> bool:
        """Save the input and return whether no unsaved input is left."""
        if self.save.isEnabled() and self.form.source is not None:
            self._save()
        return not self.save.isEnabled()

    def _on_chosen(self, item: QListWidgetItem | None, _: object) -> None:
        if item is None or item.data(_ID) == self._current:
            return
        wanted = str(item.data(_ID))
        if self._saved():
            self._current = wanted
        self._show()

    def _on_checked(self, item: QListWidgetItem) -> None:
        source_id, on = str(item.data(_ID)), item.checkState() == Qt.CheckState.Checked
        if self._new is not None and source_id == self._new.id:
            self._show()
        else:
            self.shown_requested.emit(source_id, on)

    def _on_opacity(self, opacity: float) -> None:
        source = self._book.get(self._current)
        if source is not None and source.opacity != opacity:
            self.opacity_chosen.emit(self._current, opacity)

    def _ask_removal(self) -> None:
        source = self._book.get(self._current)
        if source is None:
            self._revert()
            return
        text = tr("Remove the imagery “{imagery_name}”?", imagery_name=source.name)
        ask(self, tr("Remove imagery"), text, [(tr("Remove"), lambda: self.removal_requested.emit(source.id))])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Let Enter save the form without closing the dialog."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self.save.isEnabled():
            self._save()

    def reject(self) -> None:
        """Close the dialog, after a confirmation if input would be lost."""
        typed = self.form.source is not None and bool(self._current) and self.form.is_changed
        if not typed:
            self._leave()
            return
        ask(self, tr("Close imagery"), tr("Discard what you changed in this form?"), [(tr("Discard"), self._leave)])

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Close the dialog as Escape does."""
        event.ignore()
        self.reject()

    def _leave(self) -> None:
        self._revert()
        super().reject()

    # Construction

    def _arrange(self) -> None:
        self.list.setFixedWidth(208)
        left = in_column((self.list, 1), spacing=GRID)
        for pair in ((self.add_xyz,), (self.add_wms,), (self.up, self.down)):
            left.addLayout(in_row(*pair, spacing=GRID))
        left.addWidget(self.remove)
        right = in_column((self._page, 1), (self._empty, 1), spacing=GRID)
        buttons = in_row((self.problem, 1), spacing=GRID)
        buttons.addStretch(0)
        for each in (self.save, self.revert, button(tr("Close"), self.reject)):
            buttons.addWidget(each)
        right.addLayout(buttons)
        in_row(left, (right, 1), of=self, margins=2 * GRID, spacing=2 * GRID)


def _content(source: ImagerySource) -> ImagerySource:
    """Return the part of a source that the form saves; the rest takes effect at once."""
    return replace(source, shown=False, opacity=1.0)
