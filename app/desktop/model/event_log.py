"""The events that the table shows: the newest first."""

from collections.abc import Iterable, Sequence
from itertools import islice

from app.desktop.model.notify import Notifier
from engine.domain.tracking.updates import Event

KEPT = 5_000
"""More than anyone scrolls through; older events stay in the workspace."""


class EventLog:
    """Events, newest first, and each by its id."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._events: list[Event] = []
        self._by_id: dict[str, Event] = {}
        self.replaced: Notifier[[]] = Notifier()
        self.adding: Notifier[[int]] = Notifier()
        self.added: Notifier[[tuple[Event, ...]]] = Notifier()

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, row: int) -> Event:
        return self._events[row]

    def get(self, event_id: str) -> Event | None:
        """Return the event with this id, if it is shown."""
        return self._by_id.get(event_id)

    def all(self) -> tuple[Event, ...]:
        """Return the events, newest first."""
        return tuple(self._events)

    def row(self, event_id: str) -> int | None:
        """Return where an event is."""
        if event_id not in self._by_id:
            return None
        return next(row for row, event in enumerate(self._events) if event.id == event_id)

    def replace(self, newest_first: Sequence[Event]) -> None:
        """Show exactly these events."""
        self._events = list(islice(newest_first, self._kept))
        self._by_id = {event.id: event for event in self._events}
        self.replaced.emit()

    def add(self, oldest_first: Iterable[Event]) -> None:
        """Put new events on top; those that are known already are left out."""
        unseen = {event.id: event for event in oldest_first if event.id not in self._by_id}
        new = tuple(unseen.values())[-self._kept :]
        if not new:
            return
        if len(self._events) + len(new) > self._kept:
            self.replace([*reversed(new), *self._events])
            return
        self.adding.emit(len(new))
        self._events[:0] = reversed(new)
        self._by_id.update(unseen)
        self.added.emit(new)
