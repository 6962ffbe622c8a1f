"""The choice of geofences for a back-test: those of the workspace, or files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal

from app.desktop.language import tr
from app.desktop.model.backtests.wish import FenceSource
from app.desktop.panels.fields.basic import ChoiceBox

_CHOOSE: Final = "choose"


class FenceChoice(ChoiceBox):
    """A choice of geofences. The last entry asks for files, which then become an entry of their own."""

    files_requested = Signal()
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.files: tuple[Path, ...] = ()
        self._before = 0
        self.addItem(tr("Files…"), _CHOOSE)
        self.activated.connect(self._on_activated)

    def offer(self, entries: Sequence[tuple[str, FenceSource]]) -> None:
        """Offer geofences of the workspace, and keep the choice if possible."""
        chosen = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for text, source in entries:
                self.addItem(text, source.value)
            if self.files:
                self.addItem(", ".join(file.name for file in self.files), FenceSource.FILES.value)
            self.addItem(tr("Files…"), _CHOOSE)
            self.setCurrentIndex(max(0, self.findData(chosen) if chosen != _CHOOSE else 0))
        self._before = self.currentIndex()

    @property
    def source(self) -> FenceSource:
        """The chosen geofences."""
        return FenceSource(self.currentData())

    def take(self, files: Sequence[Path]) -> None:
        """Choose files."""
        self.files = tuple(files)
        text, at = ", ".join(file.name for file in files), self.findData(FenceSource.FILES.value)
        if at < 0:
            at = self.count() - 1
            self.insertItem(at, text, FenceSource.FILES.value)
        self.setItemText(at, text)
        self.setCurrentIndex(at)
        self._before = at
        self.changed.emit()

    def _on_activated(self, at: int) -> None:
        """Ask for files, and keep the former choice until they are chosen."""
        if self.itemData(at) == _CHOOSE:
            self.setCurrentIndex(self._before)
            self.files_requested.emit()
        else:
            self._before = at
            self.changed.emit()
