"""Reading the geofences of a workspace for the window: a few at once, many in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from app.desktop.language import counted, tr
from app.desktop.model.fences import FenceBook
from app.desktop.operations import Lane, Operations, Task
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.ports import Cancelled
from engine.geofences.geofences import Geofences

AT_ONCE: Final = 3_000
"""So many are read before anybody could notice."""

CANCELLED: Final = tr("The geofences were not loaded. Open the workspace again to load them.")


class FenceReader:
    """Fills the book of geofences, and takes in what changes, also while they are being read."""

    def __init__(self, operations: Operations, book: FenceBook, said: Callable[[str], object]) -> None:
        self._operations, self._book, self._said = operations, book, said
        self._task: Task | None = None
        self._since: dict[str, Geofence | None] = {}

    def read(self, geofences: Geofences, environment: Environment) -> None:
        """Show the geofences of an environment."""
        self.stop()
        number = geofences.count(environment)
        if number <= AT_ONCE:
            self._book.replace(geofences.all(environment))
            return
        self._book.wait()
        task = self._operations.aside(
            Lane.READING,
            tr("Loading {geofences}", geofences=counted(number, "geofence")),
            lambda progress: geofences.all(environment, progress),
            lambda fences: self._show(task, fences),
            lambda error: self._fail(task, error),
        )
        self._task = task

    def stop(self) -> None:
        """Read no longer."""
        task, self._task = self._task, None
        self._since = {}
        if task is not None:
            task.cancel()

    def take(self, upserted: Iterable[Geofence], removed: Iterable[str]) -> None:
        """Show what changed; what was read before it changed does not come back."""
        upserted, removed = tuple(upserted), tuple(removed)
        self._book.apply(upserted, removed)
        if self._task is not None:
            self._since |= {fence.id: fence for fence in upserted}
            self._since |= dict.fromkeys(removed)

    def _show(self, task: Task, fences: Sequence[Geofence]) -> None:
        if task is not self._task:
            return
        self._task = None
        read: dict[str, Geofence | None] = {fence.id: fence for fence in fences}
        since, self._since = self._since, {}
        self._book.replace([fence for fence in (read | since).values() if fence is not None])

    def _fail(self, task: Task, error: Exception) -> None:
        if task is self._task:
            self._task = None
            self._book.replace(())
            self._said(CANCELLED if isinstance(error, Cancelled) else str(error))
