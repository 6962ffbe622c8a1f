"""Handling of updates that arrive late, ahead of the clock, out of order or repeatedly."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import blake2b
from struct import pack
from typing import Final, NamedTuple, Protocol

from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import BeaconStays
from engine.domain.tracking.updates import (
    NO_CLIENT_TIME,
    Event,
    Fix,
    InOrder,
    LocationUpdate,
    PlaceState,
    Presence,
    Timing,
    User,
)
from engine.store.queries import events_with_ids
from engine.store.updates import NotedUpdate, forget_noted, last_noted, note_update, noted_updates
from engine.store.writer import Batch, Connection
from engine.tracking.place_state import Around, Moved, begun, move, still_interrupted
from engine.tracking.step import Presences, Step
from engine.tracking.users import UserState

AHEAD: Final = timedelta(seconds=60)
"""How far a client's time may be ahead of the engine's clock and still be compared with later updates."""

REMEMBERED: Final = 1_000
FORGET_EVERY: Final = 100
"""Interval, in updates, at which the oldest are forgotten, so up to this many more are remembered at low cost."""

_AGE_SPREAD: Final = timedelta(seconds=1)
"""Allowed difference between the times of a repeated update that are computed from its age, as request times vary."""


class Known(Protocol):
    """The times of a user that matter when an update arrives."""

    @property
    def updated_at(self) -> datetime:
        """Time of the last fix."""
        ...

    @property
    def newest_at(self) -> datetime | None:
        """The client's newest time, or None if it is `updated_at`."""
        ...

    @property
    def in_order(self) -> object | None:
        """The state before late updates, or None if the last one was in order."""
        ...


def newest_time(user: Known | None, now: datetime) -> datetime | None:
    """Return the newest client time of a user's updates, or None without a time to compare with.

    A time ahead of the engine's clock is ignored, because the clock must have been set back.
    """
    if user is None:
        return None
    newest = user.updated_at if user.newest_at is None else user.newest_at
    return None if newest == NO_CLIENT_TIME or newest > now + AHEAD else newest


def latest_time(user: User | None, now: datetime) -> datetime | None:
    """Return the newest time of a user's updates, even if it is ahead of the engine's clock, or None."""
    if user is not None and user.updated_at > now + AHEAD:
        return user.updated_at
    return newest_time(user, now)


def accepted_time(taken_at: datetime | None, user: Known | None, now: datetime) -> tuple[datetime, datetime | None]:
    """Return the accepted time of a fix, and the newest time before it if it is late.

    The accepted time is the client's, or the engine's for a late update and for one without a time.
    """
    if taken_at is None:
        return now, None
    newest = newest_time(user, now)
    if user is not None and newest is not None and _is_late(taken_at, newest, user):
        return now, newest
    return taken_at, None


def accepted(update: LocationUpdate, user: Known | None, now: datetime) -> Fix:
    """Return the fix with its accepted time."""
    at, late_after = accepted_time(update.taken_at(now), user, now)
    return Fix(
        update.point,
        update.accuracy_m,
        at,
        bool(update.foreground),
        bool(update.stopped),
        update.altitude_m,
        update.vertical_accuracy_m,
        update.source,
        late_after,
    )


def _is_late(at: datetime, newest: datetime, user: Known) -> bool:
    # A replayed track ends with the newest time. After late updates, that counts as late as well.
    return at < newest or (at == newest and user.in_order is not None)


def timing_of(fix: Fix, now: datetime) -> Timing:
    """Return the timing of a fix relative to the engine's clock and previous updates."""
    if fix.late_after is not None:
        return Timing.LATE
    return Timing.ON_TIME if fix.at <= now or fix.at <= now + AHEAD else Timing.AHEAD


def newest_after(fix: Fix, timing: Timing, user: Known | None, now: datetime) -> datetime | None:
    """Return `User.newest_at` after a fix."""
    newest = newest_time(user, now)
    if timing is Timing.ON_TIME and (newest is None or newest <= fix.at):
        return None
    return NO_CLIENT_TIME if newest is None else newest


class Mark(NamedTuple):
    """The mark of an update: the client's time, how much it may differ, and a hash of the other fields."""

    at: datetime
    spread: timedelta
    digest: int

    def may_be_known(self, user: User, now: datetime) -> bool:
        """Return whether a matching update may have been stored, which is false if it is newer than all stored ones."""
        newest = newest_time(user, now)
        return newest is None or self.at <= newest + self.spread or self.at > now + AHEAD


def mark_of(update: LocationUpdate, now: datetime) -> Mark | None:
    """Return the mark by which an update is recognised, or None if the client sent no time.

    The mark includes beacons and trip options, as they may generate events.
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
    """The remembered updates. Must be used only in the writer's thread."""

    def __init__(self) -> None:
        self._in_batch: defaultdict[str, list[tuple[Mark, tuple[Event, ...]]]] = defaultdict(list)
        self._too_old: dict[str, int] = {}

    def find(self, batch: Batch, user: User, mark: Mark) -> tuple[Event, ...] | None:
        """Return the events that an update generated the first time, or None if it was not stored before."""
        for known, events in reversed(self._in_batch.get(user.id, ())):
            if _is_same(mark, known.at, known.spread, known.digest):
                return events
        span = mark.at - _AGE_SPREAD, mark.at + _AGE_SPREAD
        for noted in noted_updates(batch.connection, user.id, mark.digest, *span):
            if _is_same(mark, noted.at, noted.spread, mark.digest):
                return events_with_ids(batch.connection, noted.event_ids)
        return None

    def note(self, batch: Batch, state: UserState, mark: Mark, events: tuple[Event, ...]) -> None:
        """Add the record of a user's update to the batch, and schedule the deletion of the oldest records."""
        user_id = state.user.id
        if state.noted is None:
            state.noted = last_noted(batch.connection, user_id)
        state.noted += 1
        if not self._in_batch:
            batch.before_commit(lambda: self._finish(batch.connection))
        self._in_batch[user_id].append((mark, events))
        event_ids = tuple(event.id for event in events)
        note_update(batch, user_id, state.noted, mark.digest, NotedUpdate(mark.at, mark.spread, event_ids))
        if state.noted % FORGET_EVERY == 0:
            self._too_old[user_id] = state.noted - REMEMBERED

    def forget(self) -> None:
        """Discard the records of a batch that was not committed."""
        self._in_batch.clear()
        self._too_old.clear()

    def _finish(self, connection: Connection) -> None:
        for user_id, until in self._too_old.items():
            forget_noted(connection, user_id, until=until)
        self.forget()


def _is_same(mark: Mark, at: datetime, spread: timedelta, digest: int) -> bool:
    return mark.digest == digest and abs(mark.at - at) <= max(mark.spread, spread)


def all_presences(presences: Presences, in_order: InOrder | None) -> Mapping[str, Presence]:
    """Return the presences of a user, including those from in-order updates only."""
    return presences if in_order is None else {**in_order.presences, **presences}


def moved_in_order(
    state: PlaceState, in_order: InOrder | None, fix: Fix, settings: ProjectSettings, number: int, around: Around
) -> Moved:
    """Return the changes of a fix to a user's place and regions; `state` is the valid state before it."""
    if fix.late_after is not None:
        return move(state, fix, settings, number, around)
    interrupted = None if in_order is None else in_order.stay
    return move(begun(state, fix, in_order), fix, settings, number, around, interrupted)


def in_order_after(
    in_order: InOrder | None,
    before: InOrder | None,
    fix: Fix,
    taken: Step,
    moved: Moved,
    settings: ProjectSettings,
    around: Around,
    now: datetime,
    beacon_stays: BeaconStays | None = None,
) -> InOrder | None:
    """Return `User.in_order` after a fix.

    `before` is the state before the fix, or None for a new user. `beacon_stays` are the stays near beacons after the
    fix, or None if it does not report beacons.
    """
    if fix.late_after is not None:
        return before if in_order is None else in_order
    if in_order is None:
        return None
    ended = still_interrupted(in_order.stay, moved, fix, settings, around)
    if ended is None and (beacon_stays is not None or not in_order.beacons):
        return None
    stay = moved.after.stay if ended is None else ended
    return InOrder(taken.presences, fix, now, stay, in_order.beacons if beacon_stays is None else beacon_stays)
