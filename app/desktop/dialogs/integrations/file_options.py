"""Options of the files of a sync, as shown below their list: which columns are read, chosen from the file itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.desktop.language import tr
from app.desktop.model.nightly_sync import options_text
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import GRID, button, label
from engine.domain.nightly.settings import FileOptions
from engine.outbound.urls import shown_url


class FileOptionsEditor(QWidget):
    """Shows the options of one file at a time, and keeps those of all listed files until they are saved."""

    columns_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._options: dict[str, FileOptions] = {}
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("File"))
        self.choice.currentIndexChanged.connect(lambda _: self._show())
        self.columns = button(tr("Columns…"), lambda: self.columns_requested.emit(self.file))
        self.columns.setToolTip(tr("Read the file, and choose the column for each field"))
        self.reset = button(tr("Reset"), self._reset)
        self.reset.setToolTip(tr("Read the file without options"))
        self.text = label("", "hint", wrap=True)
        row = in_row((self.choice, 1), self.columns, self.reset, margins=0, spacing=GRID)
        in_column(row, self.text, of=self, margins=0, spacing=GRID // 2)
        self._show()

    @property
    def file(self) -> str:
        """The chosen file, or an empty text."""
        return self.choice.currentData() or ""

    @property
    def options(self) -> tuple[FileOptions, ...]:
        """The options of all files, also of those of the other protocol, which are not listed."""
        return tuple(self._options.values())

    def options_of(self, file: str) -> FileOptions | None:
        """Return the options of a file, or None if it has none."""
        return self._options.get(file)

    def fill(self, options: Iterable[FileOptions]) -> None:
        """Show stored options instead of those chosen here."""
        self._options = {each.file: each for each in options}
        self._show()

    def set_options(self, options: FileOptions) -> None:
        """Show new options of a file."""
        self._options[options.file] = options
        if (at := self.choice.findData(options.file)) >= 0:
            self.choice.setCurrentIndex(at)
        self._show()

    def show_files(self, files: Sequence[str]) -> None:
        """List files; the chosen one stays chosen."""
        if list(files) == self._files:
            return
        before = self.file
        self.choice.blockSignals(True)
        self.choice.clear()
        for file in files:
            self.choice.addItem(shown_url(file), file)
        self.choice.setCurrentIndex(max(0, self.choice.findData(before)))
        self.choice.blockSignals(False)
        self._show()

    @property
    def _files(self) -> list[str]:
        return [self.choice.itemData(at) for at in range(self.choice.count())]

    def _reset(self) -> None:
        self._options.pop(self.file, None)
        self._show()

    def _show(self) -> None:
        known = self._options.get(self.file)
        self.setVisible(bool(self.file))
        self.reset.setEnabled(known is not None)
        self.text.setText(tr("All columns are read by their names.") if known is None else options_text(known))
