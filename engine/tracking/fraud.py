"""Checks for suspicious updates."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from msgspec import Struct

from engine.domain.settings import ProjectSettings
from engine.domain.tracking.fraud import NO_FRAUD, Fraud, FraudCheck
from engine.domain.tracking.updates import Fix, LocationUpdate, User
from engine.geo.earth import distance_m
from engine.tracking.users import UserState

_AGE_S: Final = 1.0
"""Tolerance for two ages of the same moment, since each is counted until its request is answered."""


class Reported(Struct, frozen=True):
    """The parts of an update that the checks use.

    `came` is the engine's time. `taken_at` is the device's time, None if it sends none, and is derived from an age if
    `is_aged`.
    """

    device_id: str
    user_id: str | None
    ip: str | None
    mocked: bool
    compromised: bool
    came: datetime
    taken_at: datetime | None = None
    is_aged: bool = False


class Seen(Struct, frozen=True):
    """A record of a device after its previous update, with the engine's time at which that came."""

    user_id: str | None
    fix: Fix
    fraud: Fraud | None
    came: datetime


def fraud_of(
    update: LocationUpdate,
    fix: Fix,
    now: datetime,
    state: UserState | None,
    states: Iterable[UserState],
    settings: ProjectSettings,
) -> Fraud:
    """Check an update for fraud. `states` are all records of its device, `state` is the user's own."""
    own = update.device_id, update.user_id, update.ip, bool(update.mocked), bool(update.compromised)
    reported = Reported(*own, now, update.taken_at(now), is_aged=update.at is None and update.age_s is not None)
    others = [_seen(other.user) for other in states if other is not state]
    return judged(reported, fix, None if state is None else _seen(state.user), others, settings)


def _seen(user: User) -> Seen:
    fix = user.fix if user.in_order is None else user.in_order.fix
    return Seen(user.user_id, fix, user.fraud, user.actual_updated_at or user.updated_at)


def judged(
    reported: Reported, fix: Fix, before: Seen | None, others: Iterable[Seen], settings: ProjectSettings
) -> Fraud:
    """Return the results of the checks of an update.

    `before` is the user's previous record, and `others` are the device's other records. The result includes when each
    check last failed.
    """
    failed = frozenset(_failures(reported, fix, before, others, settings))
    known = before.fraud if before is not None and before.fraud is not None else NO_FRAUD
    last = dict(known.last) | dict.fromkeys(sorted(failed), fix.at)
    names = {reported.device_id, reported.user_id}
    return Fraud(
        failed,
        tuple(sorted(last.items())),
        blocked=not names.isdisjoint(settings.blocked),
        bypassed=not names.isdisjoint(settings.bypassed),
    )


def newly_failed(before: Fraud | None, after: Fraud) -> bool:
    """Return whether a check fails that did not fail at the previous update."""
    known = before or NO_FRAUD
    return not after.passed and (bool(after.failed - known.failed) or (after.blocked and not known.blocked))


def _failures(
    reported: Reported, fix: Fix, before: Seen | None, others: Iterable[Seen], settings: ProjectSettings
) -> Iterable[FraudCheck]:
    if reported.mocked:
        yield FraudCheck.MOCKED
    if reported.compromised:
        yield FraudCheck.COMPROMISED
    if fix.accuracy_m > settings.inaccurate_accuracy_m:
        yield FraudCheck.INACCURATE
    if before is not None and _jumped(reported, fix, before, settings.jumped_speed_mps):
        yield FraudCheck.JUMPED
    if settings.proxy_addresses is not None and reported.ip in settings.proxy_addresses:
        yield FraudCheck.PROXY
    if any(_shares(reported.user_id, fix.at, other, settings.sharing_window_s) for other in others):
        yield FraudCheck.SHARING


def _jumped(reported: Reported, fix: Fix, before: Seen, speed_mps: float) -> bool:
    """Return whether the device moved farther than possible, even with the largest errors of both fixes."""
    here, there = fix.point, before.fix.point
    apart_m = distance_m(there.longitude, there.latitude, here.longitude, here.latitude)
    surely_m = apart_m - before.fix.accuracy_m - fix.accuracy_m
    if surely_m <= 0:
        return False
    seconds = _elapsed_s(reported, fix, before)
    return seconds is not None and surely_m > speed_mps * seconds


def _elapsed_s(reported: Reported, fix: Fix, before: Seen) -> float | None:
    """Return the time between two fixes in either order, or None if the clocks do not determine it."""
    seconds = ((reported.taken_at or fix.at) - before.fix.at).total_seconds()
    if reported.taken_at is not None and not reported.is_aged:
        return abs(seconds)
    if reported.came <= before.came:
        return None  # the engine's clock stands still or was set back
    if reported.is_aged:
        return max(_AGE_S, abs(seconds))
    return seconds if seconds > 0 else None


def _shares(user_id: str | None, at: datetime, other: Seen, window_s: float) -> bool:
    if user_id is None or other.user_id is None or other.user_id == user_id:
        return False
    return abs((at - other.fix.at).total_seconds()) <= window_s
