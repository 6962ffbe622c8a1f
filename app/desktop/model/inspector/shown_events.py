"""The events shown in the table: the filtered events, newest first, and the pinned ones."""

from collections.abc import Iterable
from typing import Protocol

from app.desktop.model.event_log import EventLog
from app.desktop.model.inspector.filtering import EventSieve
from app.desktop.model.notify import Notifier
from engine.domain.tracking.updates import Event


class EventRows(Protocol):
    """Events as rows. New events are added at the top, and dropped events are removed from the end."""

    replaced: Notifier[[]]
    adding: Notifier[[int]]
    added: Notifier[[tuple[Event, ...]]]
    dropping: Notifier[[int]]
    dropped: Notifier[[int]]

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    def __getitem__(self, row: int) -> Event:
        """Return the event of a row."""
        ...

    def row(self, event_id: str) -> int | None:
        """Return the row of an event, or None."""
        ...


class _Rows:
    def __init__(self) -> None:
        self._events: list[Event] = []
        self.replaced: Notifier[[]] = Notifier()
        self.adding: Notifier[[int]] = Notifier()
        self.added: Notifier[[tuple[Event, ...]]] = Notifier()
        self.dropping: Notifier[[int]] = Notifier()
        self.dropped: Notifier[[int]] = Notifier()

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, row: int) -> Event:
        return self._events[row]

    def row(self, event_id: str) -> int | None:
        """Return the row of an event, or None."""
        return next((row for row, event in enumerate(self._events) if event.id == event_id), None)


class ShownEvents(_Rows):
    """The events of the log that pass the filter."""

    def __init__(self, log: EventLog) -> None:
        super().__init__()
        self._log = log
        self.sieve = EventSieve()
        log.replaced.connect(self._refill)
        log.added.connect(self._on_added)
        log.dropping.connect(self._on_dropping)
        self._refill()

    def show(self, sieve: EventSieve) -> None:
        """Apply another filter."""
        self.sieve = sieve
        self._refill()

    def _refill(self) -> None:
        self._events = list(self._passing(self._log.all()))
        self.replaced.emit()

    def _passing(self, events: Iterable[Event]) -> Iterable[Event]:
        return events if self.sieve.is_open else filter(self.sieve.passes, events)

    def _on_added(self, oldest_first: tuple[Event, ...]) -> None:
        new = tuple(self._passing(oldest_first))
        if new:
            self.adding.emit(len(new))
            self._events[:0] = reversed(new)
            self.added.emit(new)

    def _on_dropping(self, count: int) -> None:
        """Remove the events that the log is about to drop."""
        dropped_ids = {event.id for event in self._log.all()[len(self._log) - count :]}
        left = len(self._events)
        while left and self._events[left - 1].id in dropped_ids:
            left -= 1
        if dropped := len(self._events) - left:
            self.dropping.emit(dropped)
            del self._events[left:]
            self.dropped.emit(dropped)


class PinnedEvents(_Rows):
    """The pinned events, newest first, regardless of the filter."""

    def __init__(self, log: EventLog) -> None:
        super().__init__()
        self._log = log
        log.reread.connect(self._forget)

    def has(self, event: Event) -> bool:
        """Return whether an event is pinned."""
        return self.row(event.id) is not None

    def toggle(self, event: Event) -> None:
        """Pin or unpin an event."""
        others = [each for each in self._events if each.id != event.id]
        if len(others) == len(self._events):
            others.append(event)
        self._events = sorted(others, key=lambda each: (each.created_at, each.id), reverse=True)
        self.replaced.emit()

    def _forget(self) -> None:
        """Unpin events that no longer exist. Events older than the log may still be in the workspace."""
        known = self._log.all()
        oldest = known[-1].actual_created_at if known else None
        kept = [
            self._log.get(each.id) or each
            for each in self._events
            if oldest is not None and (self._log.get(each.id) is not None or each.actual_created_at < oldest)
        ]
        if kept != self._events:
            self._events = kept
            self.replaced.emit()
