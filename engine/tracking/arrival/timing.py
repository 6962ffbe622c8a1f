"""The times of updates: the one that is accepted, and whether it is late or ahead of the engine's clock."""

from datetime import datetime, timedelta
from typing import Final

from engine.domain.tracking.updates import NO_CLIENT_TIME, Fix, LocationUpdate, Timing, User

AHEAD: Final = timedelta(seconds=60)
"""How far a client's time may be ahead of the engine's clock for later updates to be compared with it."""


def newest_time(user: User | None, now: datetime) -> datetime | None:
    """Return the newest client time of a user's updates; None if there is none to compare with.

    A time that is ahead of the engine's clock is none: the clock was set back.
    """
    if user is None:
        return None
    newest = user.updated_at if user.newest_at is None else user.newest_at
    return None if newest == NO_CLIENT_TIME or newest > now + AHEAD else newest


def accepted(update: LocationUpdate, user: User | None, now: datetime) -> Fix:
    """Return the fix with its accepted time: the client's, or the engine's for an update that is late."""
    at, late_after = update.taken_at(now), None
    if at is None:
        at = now
    else:
        newest = newest_time(user, now)
        if user is not None and newest is not None and _is_late(at, newest, user):
            at, late_after = now, newest
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


def _is_late(at: datetime, newest: datetime, user: User) -> bool:
    # A track that is played again ends with the newest time: after late updates, that is late as well.
    return at < newest or (at == newest and user.in_order is not None)


def timing_of(fix: Fix, now: datetime) -> Timing:
    """Return how the time of a fix compares with the engine's clock and the updates before it."""
    if fix.late_after is not None:
        return Timing.LATE
    return Timing.ON_TIME if fix.at <= now or fix.at <= now + AHEAD else Timing.AHEAD


def newest_after(fix: Fix, timing: Timing, user: User | None, now: datetime) -> datetime | None:
    """Return `User.newest_at` after a fix."""
    newest = newest_time(user, now)
    if timing is Timing.ON_TIME and (newest is None or newest <= fix.at):
        return None
    return NO_CLIENT_TIME if newest is None else newest
