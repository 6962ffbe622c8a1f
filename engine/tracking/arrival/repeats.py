"""Updates that clients send again: recognized by what they report, and answered with the events of the first time.

A client that got no response sends its update again, or all of a replay. The last updates of each user are remembered
as hashes, in the transaction that stores what they changed.
"""

from collections import defaultdict
from datetime import datetime, timedelta
from hashlib import blake2b
from struct import pack
from typing import Final, NamedTuple

from engine.domain.tracking.updates import Event, LocationUpdate, User
from engine.store.queries import events_with_ids
from engine.store.updates import NotedUpdate, forget_noted, last_noted, note_update, noted_updates
from engine.store.writer import Batch, Connection
from engine.tracking.arrival.timing import AHEAD, newest_time
from engine.tracking.users import UserState

REMEMBERED: Final = 1_000
_FORGET_EVERY: Final = 100
"""A hundred more are remembered at most, so that forgetting the oldest costs little."""

_AGE_SPREAD: Final = timedelta(seconds=1)
"""How far the times of one update may differ that are computed from its age: requests take longer or shorter."""


class Mark(NamedTuple):
    """What an update is recognized by: the client's time, how far it may differ, and a hash of the rest."""

    at: datetime
    spread: timedelta
    digest: int

    def may_be_known(self, user: User, now: datetime) -> bool:
        """Whether an update like this may have been stored: not if it is newer than all that were."""
        newest = newest_time(user, now)
        return newest is None or self.at <= newest + self.spread or self.at > now + AHEAD


def mark_of(update: LocationUpdate, now: datetime) -> Mark | None:
    """Return what an update is recognized by; None if the client gave no time.

    What an update says of beacons and of a trip belongs to it, as it may generate events.
    """
    at = update.taken_at(now)
    if at is None:
        return None
    point = update.point
    content = pack("<3d", point.longitude, point.latitude, update.accuracy_m)
    if update.beacons is not None or update.trip is not None:
        content += repr((update.beacons, update.trip)).encode()
    digest = blake2b(content, digest_size=8, key=update.device_id.encode()[:64]).digest()
    return Mark(at, _AGE_SPREAD if update.at is None else timedelta(), int.from_bytes(digest, signed=True))


class Repeats:
    """The updates that are remembered. Used from the writer's thread alone."""

    def __init__(self) -> None:
        self._in_batch: defaultdict[str, list[tuple[Mark, tuple[Event, ...]]]] = defaultdict(list)
        self._too_old: dict[str, int] = {}

    def find(self, batch: Batch, user: User, mark: Mark) -> tuple[Event, ...] | None:
        """Return the events that an update generated the first time; None if it was not stored before."""
        for known, events in reversed(self._in_batch.get(user.id, ())):
            if _is_same(mark, known.at, known.spread, known.digest):
                return events
        span = mark.at - _AGE_SPREAD, mark.at + _AGE_SPREAD
        for noted in noted_updates(batch.connection, user.id, mark.digest, *span):
            if _is_same(mark, noted.at, noted.spread, mark.digest):
                return events_with_ids(batch.connection, noted.event_ids)
        return None

    def note(self, batch: Batch, state: UserState, mark: Mark, events: tuple[Event, ...]) -> None:
        """Put into the batch that a user's update is stored, and forget the oldest."""
        user_id = state.user.id
        if state.noted is None:
            state.noted = last_noted(batch.connection, user_id)
        state.noted += 1
        if not self._in_batch:
            batch.before_commit(lambda: self._finish(batch.connection))
        self._in_batch[user_id].append((mark, events))
        event_ids = tuple(event.id for event in events)
        note_update(batch, user_id, state.noted, mark.digest, NotedUpdate(mark.at, mark.spread, event_ids))
        if state.noted % _FORGET_EVERY == 0:
            self._too_old[user_id] = state.noted - REMEMBERED

    def forget(self) -> None:
        """Forget what a batch that was not committed has noted."""
        self._in_batch.clear()
        self._too_old.clear()

    def _finish(self, connection: Connection) -> None:
        for user_id, until in self._too_old.items():
            forget_noted(connection, user_id, until=until)
        self.forget()


def _is_same(mark: Mark, at: datetime, spread: timedelta, digest: int) -> bool:
    return mark.digest == digest and abs(mark.at - at) <= max(mark.spread, spread)
