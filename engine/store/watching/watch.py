"""Checks every second whether an open workspace has been replaced, and reports changes."""

import logging
import os
import sys
from threading import Event, Thread
from typing import Final

from engine.domain.errors import StorageUnavailable
from engine.domain.ports import Listeners
from engine.store.database import Database
from engine.store.workspace import Workspace

log = logging.getLogger(__name__)

EVERY_S: Final = 1.0


class WorkspaceWatch:
    """Notifies `changed` of a problem with the files of a workspace, or of None when it has been resolved.

    Each commit does its own check. This covers the time between commits, and problems that need not be noticed
    immediately.
    """

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self.changed: Listeners[[StorageUnavailable | None]] = Listeners()
        self._workspace, self._database, self.files = workspace, database, database.files
        self._last_message: str | None = None
        self._closed = Event()
        self._thread = Thread(target=self._run, name="workspace-watch")
        self._thread.start()

    @property
    def problem(self) -> StorageUnavailable | None:
        """The problem found by the last look, if any."""
        return self.files.problem

    @property
    def has_copy(self) -> bool:
        """Whether a copy of the workspace in its former state can still be saved."""
        return not self.files.is_overwritten

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(EVERY_S):
            try:
                self._look()
            except Exception:
                log.exception("The files of the workspace could not be looked at")

    def _look(self) -> None:
        problem = self.files.look(thoroughly=True)
        # Another process that has opened the workspace may already have written to it.
        if (problem is None or self.files.is_overwritten) and not self._workspace.hold():
            self.files.is_taken = True
            problem = self.files.look(thoroughly=True)
        if problem is None:
            self._workspace.remember()
        is_safe = self._database.make_safe()
        message = None if problem is None else problem.message
        if message == self._last_message:
            return
        self._last_message = message
        if problem is None:
            log.warning("The workspace is back, and can be used again.")
        else:
            log.warning("%s", problem)
            if is_safe and self.has_copy and sys.platform == "linux":
                held = f"/proc/{os.getpid()}/fd/{self.files.descriptor}"
                log.warning("Until this process ends, %s is the complete database, and can be copied.", held)
        self.changed.notify(problem)
