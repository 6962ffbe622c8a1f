"""Checks for suspicious updates."""

from collections.abc import Iterable
from datetime import datetime

from engine.domain.settings import ProjectSettings
from engine.domain.tracking.fraud import NO_FRAUD, Fraud, FraudCheck
from engine.domain.tracking.updates import Fix
from engine.domain.values.dataclass import dataclass
from engine.geo.earth import distance_m


@dataclass(frozen=True, slots=True)
class Reported:
    """The parts of an update that the checks look at."""

    device_id: str
    user_id: str | None
    ip: str | None
    mocked: bool
    compromised: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """A record of a device as its last update left it."""

    user_id: str | None
    fix: Fix
    fraud: Fraud | None


def judged(
    reported: Reported, fix: Fix, before: Seen | None, others: Iterable[Seen], settings: ProjectSettings
) -> Fraud:
    """Return what the checks find in an update.

    `before` is the user's record as it was, `others` are the device's other records. A check keeps when it last
    failed.
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
    """Whether something fails that did not fail at the update before."""
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
    # A late fix has the engine's time, which says nothing about how fast the device moved.
    is_late = fix.late_after is not None
    if before is not None and not is_late and _speed_mps(before.fix, fix) > settings.jumped_speed_mps:
        yield FraudCheck.JUMPED
    if settings.proxy_addresses is not None and reported.ip in settings.proxy_addresses:
        yield FraudCheck.PROXY
    if any(_shares(reported.user_id, fix.at, other, settings.sharing_window_s) for other in others):
        yield FraudCheck.SHARING


def _speed_mps(before: Fix, fix: Fix) -> float:
    """Return how fast the device must have been at least, were both fixes as wrong as they may be."""
    apart_m = distance_m(before.point.longitude, before.point.latitude, fix.point.longitude, fix.point.latitude)
    surely_m = apart_m - before.accuracy_m - fix.accuracy_m
    if surely_m <= 0:
        return 0.0
    seconds = (fix.at - before.at).total_seconds()
    # A clock that stands still, or was put back, says nothing about speed.
    return surely_m / seconds if seconds > 0 else 0.0


def _shares(user_id: str | None, at: datetime, other: Seen, window_s: float) -> bool:
    if user_id is None or other.user_id is None or other.user_id == user_id:
        return False
    return 0 <= (at - other.fix.at).total_seconds() <= window_s
