"""Reading the geofences of a workspace for the window: a few at once, many in the background."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal

from app.desktop.collecting import rest
from app.desktop.language import counted, tr
from app.desktop.map.packing import pack_fences
from app.desktop.model.fences import FenceBook
from app.desktop.model.map_layers.fences import FenceState, state_of
from app.desktop.operations import Lane, Operations, Task
from app.desktop.shapes import map_fence
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.ports import Cancelled, Progress
from engine.domain.values.dataclass import dataclass

if TYPE_CHECKING:
    from engine.geofences.geofences import Geofences

AT_ONCE: Final = 3_000
"""So many are read before anybody could notice."""

_PORTION: Final = 4_000
"""So many the map is given at once: many small portions would each have to go to its page and back."""

CANCELLED: Final = tr("The geofences were not loaded. Open the workspace again to load them.")


@dataclass(frozen=True, slots=True)
class Portion:
    """Some geofences as they are read: packed for the page of the map, and the tag and state of each by its ID."""

    packed: bytes
    kinds: Mapping[str, tuple[str, FenceState]]


@dataclass(frozen=True, slots=True)
class _Read:
    """All geofences by their IDs, and how many have each tag."""

    fences: dict[str, Geofence]
    tags: Counter[str]


class FenceReader(QObject):
    """Fills the book of geofences, and takes in what changes, also while they are being read.

    Of many `portion_read` carries each `Portion` when it is read, before the book has them: the map draws them
    meanwhile.
    """

    portion_read = Signal(object)
    _arrived = Signal(object, object)

    def __init__(
        self,
        operations: Operations,
        book: FenceBook,
        now: Callable[[], datetime],
        said: Callable[[str], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._operations, self._book, self._now, self._said = operations, book, now, said
        self._task: Task | None = None
        self._reading: object = None
        self._end_rest: Callable[[], None] = lambda: None
        self._since: dict[str, Geofence | None] = {}
        self._arrived.connect(self._take_portion, Qt.ConnectionType.QueuedConnection)

    def read(self, geofences: Geofences, environment: Environment) -> None:
        """Show the geofences of an environment."""
        self.stop()
        number = geofences.count(environment)
        if number <= AT_ONCE:
            self._book.replace(geofences.all(environment))
            return
        tags = geofences.tags(environment)
        self._book.wait(tags)
        drawing = _Drawing(self._book, tags, self._now)
        reading = self._reading = object()
        self._end_rest = rest()

        def work(progress: Progress) -> _Read:
            fences: dict[str, Geofence] = {}
            waiting: dict[str, Geofence] = {}
            for part in chain(geofences.parts(environment), ({},)):
                progress(len(fences), number)
                fences |= part
                waiting |= part
                if len(waiting) >= _PORTION or not part:
                    self._arrived.emit(reading, drawing.portion(waiting))
                    waiting = {}
            return _Read(fences, Counter(fence.summary.tag for fence in fences.values()))

        task = self._operations.aside(
            Lane.READING,
            tr("Loading {geofences}", geofences=counted(number, "geofence")),
            work,
            lambda read: self._show(task, read),
            lambda error: self._fail(task, error),
        )
        self._task = task

    def stop(self) -> None:
        """Read no longer."""
        task, self._task = self._task, None
        self._since, self._reading = {}, None
        self._end_rest()
        if task is not None:
            task.cancel()

    def take(self, upserted: Iterable[Geofence], removed: Iterable[str]) -> None:
        """Show what changed; what was read before it changed does not come back."""
        upserted, removed = tuple(upserted), tuple(removed)
        self._book.apply(upserted, removed)
        if self._task is not None:
            self._since |= {fence.id: fence for fence in upserted}
            self._since |= dict.fromkeys(removed)

    def _take_portion(self, reading: object, portion: Portion) -> None:
        if reading is self._reading:
            self.portion_read.emit(portion)

    def _show(self, task: Task, read: _Read) -> None:
        if task is not self._task:
            return
        self._task = self._reading = None
        since, self._since = self._since, {}
        self._book.take_read(read.fences, read.tags)
        present = [fence for fence in since.values() if fence is not None]
        self._book.apply(present, [fence_id for fence_id, fence in since.items() if fence is None])
        self._end_rest()

    def _fail(self, task: Task, error: Exception) -> None:
        if task is self._task:
            self._task = self._reading = None
            self._end_rest()
            self._book.replace(())
            self._said(CANCELLED if isinstance(error, Cancelled) else str(error))


class _Drawing:
    """How geofences are drawn that are being read, as it is known before: none is known to be closed."""

    def __init__(self, book: FenceBook, tags: Collection[str], now: Callable[[], datetime]) -> None:
        self._colors = {tag: book.color(tag) for tag in tags}
        self._locks, self._now = book.locks, now
        self._kinds: dict[tuple[str, FenceState], tuple[str, FenceState]] = {}
        """Each tag with each state once, for all geofences that have both."""

    def portion(self, fences: Mapping[str, Geofence]) -> Portion:
        """Return geofences as the map takes them."""
        states = {key: state_of(fence, self._now, closed=False) for key, fence in fences.items()}
        drawn = [
            map_fence(fence, self._colors.get(fence.tag, ""), locked=self._locks.is_locked(key), state=states[key])
            for key, fence in fences.items()
        ]
        shared = self._kinds
        kinds = {key: shared.setdefault(kind := (fence.tag, states[key]), kind) for key, fence in fences.items()}
        return Portion(pack_fences(drawn), kinds)
