"""The events in the table, newest first."""

from collections.abc import Iterable, Sequence
from itertools import islice

from app.desktop.model.notify import Notifier
from engine.domain.tracking.updates import Event

KEPT = 5_000
"""Maximum number of displayed events, more than users scroll through. Older events stay in the workspace."""


class EventLog:
    """Events, newest first, also accessible by ID."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._events: list[Event] = []
        self._by_id: dict[str, Event] = {}
        self.replaced: Notifier[[]] = Notifier()
        self.adding: Notifier[[int]] = Notifier()
        self.added: Notifier[[tuple[Event, ...]]] = Notifier()
        self.dropping: Notifier[[int]] = Notifier()
        """Emitted before the last events are dropped, with their number."""
        self.reread: Notifier[[]] = Notifier()
        """Emitted after the displayed events were read again. Events that are no longer listed were deleted."""

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, row: int) -> Event:
        return self._events[row]

    def get(self, event_id: str) -> Event | None:
        """Return the event with this ID, if it is shown."""
        return self._by_id.get(event_id)

    def all(self) -> tuple[Event, ...]:
        """Return the events, newest first."""
        return tuple(self._events)

    def row(self, event_id: str) -> int | None:
        """Return the row of an event."""
        if event_id not in self._by_id:
            return None
        return next(row for row, event in enumerate(self._events) if event.id == event_id)

    def replace(self, newest_first: Sequence[Event]) -> None:
        """Show exactly these events. If they only continue the current ones, no row moves."""
        events = list(islice(newest_first, self._kept))
        new = self._new_in(events)
        if new is not None:
            self._drop(len(self._events) - (len(events) - new))
            self._put_on_top(tuple(reversed(events[:new])))
        else:
            self._events = events
            self._by_id = {event.id: event for event in self._events}
            self.replaced.emit()
        self.reread.emit()

    def _new_in(self, events: Sequence[Event]) -> int | None:
        """Return how many events precede the current ones, or None if the rest differs from them."""
        if not self._events or not events:
            return None
        first = self._events[0].id
        new = next((row for row, event in enumerate(events) if event.id == first), None)
        known = len(events) - (new or 0)
        return new if new is not None and self._events[:known] == events[new:] else None

    def add(self, oldest_first: Iterable[Event]) -> None:
        """Add new events at the top, skipping known ones, and drop the last if there are too many."""
        unseen = {event.id: event for event in oldest_first if event.id not in self._by_id}
        new = tuple(unseen.values())[-self._kept :]
        if not new:
            return
        self._drop(len(self._events) + len(new) - self._kept)
        self._put_on_top(new)

    def _put_on_top(self, oldest_first: tuple[Event, ...]) -> None:
        if not oldest_first:
            return
        self.adding.emit(len(oldest_first))
        self._events[:0] = reversed(oldest_first)
        self._by_id.update((event.id, event) for event in oldest_first)
        self.added.emit(oldest_first)

    def _drop(self, count: int) -> None:
        """Drop the last events."""
        if count <= 0:
            return
        self.dropping.emit(count)
        for event in self._events[-count:]:
            del self._by_id[event.id]
        del self._events[-count:]
