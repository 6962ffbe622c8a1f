"""Waits until a workspace that another process has open is free."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.operations import Operations
from engine.store.workspace import is_locked

_LOOK_EVERY_MS = 1_000


class Waiting(QObject):
    """Checks every second whether the workspace is still locked; `free` is emitted once it is not."""

    free = Signal(object)

    def __init__(self, operations: Operations, parent: QObject) -> None:
        super().__init__(parent)
        self._operations = operations
        self._folder: Path | None = None
        self._rest = QTimer(self, singleShot=True, interval=_LOOK_EVERY_MS)
        self._rest.timeout.connect(self._look)

    def start(self, folder: Path) -> None:
        """Wait for this workspace, replacing any previous one."""
        self._folder = folder
        self._rest.start()

    def stop(self) -> None:
        """Stop waiting."""
        self._folder = None
        self._rest.stop()

    def _look(self) -> None:
        folder = self._folder
        if folder is not None:
            # A lock that cannot be read counts as none: opening the workspace reports the problem.
            self._operations.read(
                lambda: is_locked(folder),
                lambda locked: self._on_answer(folder, locked),
                lambda _: self._on_answer(folder, False),
            )

    def _on_answer(self, folder: Path, locked: bool) -> None:
        if folder != self._folder:
            return
        if locked:
            self._rest.start()
        else:
            self.stop()
            self.free.emit(folder)
