"""Saved filters for the table of geofences: choosing, saving, renaming and deleting them.

Filters are stored with the workspace.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QInputDialog, QWidget

from app.desktop.language import tr
from app.desktop.model.fence_table.saved import MAX_NAME, SavedFilter, SavedFilters, read_filters, write_filters
from app.desktop.model.words import error_text
from app.desktop.panels.fence_table.table import FenceTable
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import button_text
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter


class SavedFilterController(QObject):
    """Fills the menu of saved filters and performs its commands."""

    def __init__(self, window: QWidget, model: WorkspaceModel, table: FenceTable, message: MessageLine) -> None:
        super().__init__(window)
        self._window, self._model, self._table, self._message = window, model, table, message
        self.saved = SavedFilters()
        self.saved.changed.connect(self._keep)
        self.menu = Menu(table)
        self.prompt: QInputDialog | None = None
        table.head.saved_wanted.connect(self._open)
        model.opened.connect(self._on_opened)

    # Storage

    def _on_opened(self) -> None:
        session = self._model.session
        self.saved.load(())
        self._table.show_filter("")
        if session is None or session.engine.workspace.temporary:
            return
        folder = session.engine.workspace.folder

        def done(answer: tuple[tuple[SavedFilter, ...], str]) -> None:
            if session is not self._model.session:
                return
            # Filters saved during the reading are kept.
            own = self.saved.all
            self.saved.load([*own, *(each for each in answer[0] if self.saved.named(each.name) is None)])
            if answer[1]:
                self._message.complain(answer[1])

        self._model.operations.read(lambda: read_filters(folder), done, self._model.report_error)

    def _keep(self) -> None:
        session = self._model.session
        if session is None or session.engine.workspace.temporary:
            return
        folder, filters = session.engine.workspace.folder, self.saved.all

        def failed(error: Exception) -> None:
            self._message.complain(tr("The filters could not be saved. {error}", error=error_text(error)))

        def write() -> None:
            session.engine.watch.files.check()
            write_filters(folder, filters)

        self._model.operations.change(write, lambda _: None, failed)

    # Menu

    def _open(self) -> None:
        self._fill()
        owner = self._table.head.saved
        self.menu.popup(owner.mapToGlobal(owner.rect().bottomLeft()))

    def _fill(self) -> None:
        self.menu.clear()
        text = self._table.filter_text.strip()
        present = self.saved.of_text(text)
        for each in self.saved.all:
            entry = self.menu.addAction(button_text(each.name))
            entry.setCheckable(True)
            entry.setChecked(each is present)
            entry.triggered.connect(lambda _=False, each=each: self._table.show_filter(each.text))
        if not len(self.saved):
            self.menu.addAction(tr("No saved filters")).setEnabled(False)
        self.menu.addSeparator()
        self.menu.addAction(tr("Save filter…"), self._ask_save).setEnabled(bool(text))
        if present is not None:
            self.menu.addAction(
                button_text(tr("Rename “{filter_name}”…", filter_name=present.name)), lambda: self._ask_rename(present)
            )
            self.menu.addAction(
                button_text(tr("Delete “{filter_name}”", filter_name=present.name)), lambda: self._delete(present)
            )

    def _ask_save(self) -> None:
        text = self._table.filter_text
        present = self.saved.of_text(text)

        def save(name: str) -> None:
            replaced = self.saved.named(name)
            made = self.saved.save(name, text)
            if replaced is None or replaced.text == made.text:
                self._message.show_info(tr("Saved filter “{filter_name}”.", filter_name=made.name))
            else:
                self._message.show_info(
                    tr("Replaced filter “{filter_name}”.", filter_name=made.name),
                    tr("Undo"),
                    lambda: self.saved.save(replaced.name, replaced.text),
                )

        self._ask(tr("Save filter"), present.name if present else "", save)

    def _ask_rename(self, filter_: SavedFilter) -> None:
        self._ask(tr("Rename filter"), filter_.name, lambda name: self.saved.rename(filter_.name, name))

    def _delete(self, filter_: SavedFilter) -> None:
        session = self._model.session
        self.saved.delete(filter_.name)

        def undo() -> None:
            if session is self._model.session:
                self.saved.save(filter_.name, filter_.text)

        self._message.show_info(tr("Deleted filter “{filter_name}”.", filter_name=filter_.name), tr("Undo"), undo)

    def _ask(self, title: str, name: str, act: Callable[[str], None]) -> None:
        """Ask for a name and call `act` with it; report the error if the name is invalid."""
        prompt = QInputDialog(self._window)
        prompt.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        prompt.setWindowTitle(title)
        prompt.setLabelText(tr("Name (at most {max_length} characters)", max_length=MAX_NAME))
        prompt.setTextValue(name)
        self.prompt = prompt

        def accepted(text: str) -> None:
            try:
                act(text)
            except InvalidParameter as error:
                self._message.complain(error_text(error))

        def finished() -> None:
            self.prompt = None

        prompt.textValueSelected.connect(accepted)
        prompt.finished.connect(finished)
        prompt.open()
