"""A preview of the diagnostics before they are saved: the list of their parts, and each part in full."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontDatabase, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.panels.layouts import in_column, in_dialog
from app.desktop.panels.widgets import label
from app.diagnostics.bundle import LEFT_OUT
from app.diagnostics.collecting import Part

_SIZE = QSize(820, 560)
_LIST_PX = 180


class DiagnosticsDialog(QDialog):
    """Shows everything that would be saved. Emits `save_requested` if the user agrees."""

    save_requested = Signal()

    def __init__(self, parent: QWidget, parts: Sequence[Part]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save diagnostics"))
        self.resize(_SIZE.boundedTo(parent.size()))
        self._parts = tuple(parts)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Parts"))
        self.list.addItems([part.name for part in self._parts])
        self.about = label("", "muted", wrap=True)
        self.content = QPlainTextEdit()
        self.content.setAccessibleName(tr("Content of the part"))
        self.content.setReadOnly(True)
        self.content.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        right = QWidget()
        in_column(self.about, (self.content, 1), of=right, margins=0)
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([_LIST_PX, _SIZE.width() - _LIST_PX])
        in_dialog(
            self,
            label(tr("This is everything that will be saved. {privacy_note}", privacy_note=LEFT_OUT), wrap=True),
            (split, 1),
            self._make_buttons(),
        )
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(0)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay out the list again, now that it has its style."""
        super().showEvent(event)
        self.list.doItemsLayout()

    @property
    def parts(self) -> Sequence[Part]:
        """The displayed parts."""
        return self._parts

    def _make_buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        self.save = QPushButton(tr("Save…"))
        self.save.setDefault(True)
        self.save.clicked.connect(lambda: self.save_requested.emit())
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        return buttons

    def _show(self, row: int) -> None:
        part = self._parts[row]
        self.about.setText(f"{part.about[:1].upper()}{part.about[1:]}")
        self.content.setPlainText(part.content)
