"""The choice of geofences for a back-test: those of the workspace, of another one, or of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal

from app.desktop.language import tr
from app.desktop.model.backtests.wish import FenceEntry, FenceSource
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.widgets import tip_text

_CHOOSE_FILES: Final = "choose files"
_CHOOSE_WORKSPACE: Final = "choose workspace"
_REQUESTS: Final = (_CHOOSE_FILES, _CHOOSE_WORKSPACE)


class FenceChoice(ChoiceBox):
    """A choice of geofences. The last entries ask for a workspace or files, which then become entries of their own."""

    files_requested = Signal()
    workspace_requested = Signal()
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.files: tuple[Path, ...] = ()
        self._chosen: FenceEntry | None = None
        self._before = 0
        self._add_requests()
        self.activated.connect(self._on_activated)

    def offer(self, entries: Sequence[FenceEntry]) -> None:
        """Offer geofences of workspaces, and keep the choice if possible."""
        before = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for entry in entries:
                self._insert(self.count(), entry)
            if self._chosen is not None and self.findData(_key(self._chosen)) < 0:
                self._insert(self.count(), self._chosen)
            if self.files:
                self.addItem(", ".join(file.name for file in self.files), FenceSource.FILES.value)
            self._add_requests()
            self.setCurrentIndex(max(0, self.findData(before) if before not in _REQUESTS else 0))
        self._before = self.currentIndex()
        if self.currentData() != before:
            self.changed.emit()

    @property
    def source(self) -> FenceSource:
        """The chosen geofences, or none before any are offered."""
        data = self.currentData()
        return FenceSource.NONE if data in _REQUESTS else FenceSource(data.partition(" ")[0])

    @property
    def folder(self) -> Path | None:
        """The folder of the chosen workspace, unless it is the open one."""
        if self.source is not FenceSource.WORKSPACE:
            return None
        return Path(self.currentData().partition(" ")[2])

    def take(self, files: Sequence[Path]) -> None:
        """Choose files."""
        self.files = tuple(files)
        self._take(FenceEntry(", ".join(file.name for file in files), FenceSource.FILES))

    def take_workspace(self, entry: FenceEntry) -> None:
        """Choose a workspace, which stays an entry."""
        self._chosen = entry
        self._take(entry)

    def _take(self, entry: FenceEntry) -> None:
        at = self.findData(_key(entry))
        if at < 0:
            at = self.findData(_CHOOSE_WORKSPACE)
            self._insert(at, entry)
        self.setItemText(at, entry.text)
        self.setCurrentIndex(at)
        self._before = at
        self.changed.emit()

    def _insert(self, at: int, entry: FenceEntry) -> None:
        self.insertItem(at, entry.text, _key(entry))
        if entry.folder is not None:
            self.setItemData(at, tip_text(str(entry.folder)), Qt.ItemDataRole.ToolTipRole)

    def _add_requests(self) -> None:
        self.addItem(tr("Workspace…"), _CHOOSE_WORKSPACE)
        self.addItem(tr("Files…"), _CHOOSE_FILES)

    def _on_activated(self, at: int) -> None:
        """Ask for files or a workspace, and keep the former choice until they are chosen."""
        request = self.itemData(at)
        if request not in _REQUESTS:
            self._before = at
            self.changed.emit()
            return
        self.setCurrentIndex(self._before)
        (self.files_requested if request == _CHOOSE_FILES else self.workspace_requested).emit()


def _key(entry: FenceEntry) -> str:
    """Return the data of an entry."""
    return entry.source.value if entry.folder is None else f"{entry.source.value} {entry.folder}"
