"""Values of What if: geofences edited in a sandbox, and the resulting differences."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from engine.domain.geofence import Geofence
from engine.domain.imports import ImportFile
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.replayed_event import ReplayedEvent


class FenceEdits(Struct, frozen=True):
    """Edits of a sandbox: changed and added geofences, and the identifiers of deleted ones."""

    saved: tuple[Geofence, ...] = ()
    removed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.saved or self.removed)

    @property
    def touched(self) -> frozenset[str]:
        """The geofences that differ from the stored ones."""
        return self.removed | {geofence.id for geofence in self.saved}


NO_EDITS = FenceEdits()


class Assignment(Struct, frozen=True):
    """A field of a geofence as text, named as in a CSV; the geofence by its ``_id`` or ``tag/externalId``."""

    geofence: str
    field: str
    value: str


class RequestedEdits(Struct, frozen=True, kw_only=True):
    """Edits as specified by a user: assigned fields, files of geofences, and geofences to remove."""

    assignments: tuple[Assignment, ...] = ()
    files: tuple[ImportFile, ...] = ()
    removed: tuple[str, ...] = ()


class DifferenceKind(StrEnum):
    """Kind of difference: how an event was changed."""

    GAINED = "gained"
    LOST = "lost"
    MOVED = "moved"


class Difference(Struct, frozen=True):
    """An event that differs in a sandbox.

    `explanation` is the decision in the sandbox: why a gained or moved event fired, or why a lost one did not. It is
    None for events that are not of geofences, and if the sandbox has no such geofence.
    """

    kind: DifferenceKind
    before: ReplayedEvent | None
    after: ReplayedEvent | None
    explanation: Explanation | None = None

    @property
    def event(self) -> ReplayedEvent:
        """The event in the sandbox, or the original one if it was lost."""
        event = self.after or self.before
        assert event is not None
        return event

    @property
    def moved_s(self) -> float | None:
        """The delay in seconds relative to the original event; negative if it is earlier."""
        if self.before is None or self.after is None:
            return None
        return (self.after.created_at - self.before.created_at).total_seconds()


type Pair = Paired[ReplayedEvent]

type Paired[T] = tuple[T | None, T | None]
"""An event before and after a change; one of them is None if it was gained or lost."""


class Comparable(Protocol):
    """An event that can be compared with those of another run."""

    @property
    def key(self) -> tuple[str, str, datetime, str | None]:
        """The identity of an event across runs: user, type, time and what it is about."""
        ...


def paired[T: Comparable](before: Sequence[T], after: Sequence[T]) -> list[Paired[T]]:
    """Return the differences between two runs, in the order of time.

    An event on one side only counts as moved if the other side has an unmatched event of the same type, geofence and
    user, and no event common to both lies between them. If there are several, it is paired with the last one before it.
    """
    kinds: dict[tuple[object, ...], list[Paired[T]]] = {}
    by_key = {event.key: event for event in after}
    known = {event.key for event in before}
    for event in before:
        kinds.setdefault(_kind(event), []).append((event, by_key.get(event.key)))
    for event in after:
        if event.key not in known:
            kinds.setdefault(_kind(event), []).append((None, event))
    found = [pair for pairs in kinds.values() for pair in _moved(sorted(pairs, key=_at))]
    return sorted(found, key=_at)


def _kind(event: Comparable) -> tuple[object, ...]:
    user, event_type, _, about = event.key
    return user, event_type, about


def _at[T: Comparable](pair: Paired[T]) -> float:
    event = pair[0] or pair[1]
    assert event is not None
    return event.key[2].timestamp()


def _moved[T: Comparable](pairs: list[Paired[T]]) -> list[Paired[T]]:
    """Return the differences among events of one kind, given in the order of time."""
    found: list[Paired[T]] = []
    waiting: list[Paired[T]] = []
    for before, after in pairs:
        if before is not None and after is not None:
            found += waiting
            waiting = []
        elif waiting and (waiting[-1][0] is None) != (before is None):
            other = waiting.pop()
            found.append((other[0] or before, other[1] or after))
        else:
            waiting.append((before, after))
    return found + waiting
