"""What is suspicious about an update."""

from collections.abc import Iterable
from datetime import datetime

from engine.domain.fraud import NO_FRAUD, Fraud, FraudCheck
from engine.domain.settings import ProjectSettings
from engine.domain.tracking import Fix, LocationUpdate, User
from engine.geo.earth import distance_m


def judged(
    update: LocationUpdate, fix: Fix, before: User | None, others: Iterable[User], settings: ProjectSettings
) -> Fraud:
    """Return what the checks find in an update.

    `before` is the user as it was, `others` are the device's other records. A check keeps when it last failed.
    """
    failed = frozenset(_failures(update, fix, before, others, settings))
    known = before.fraud if before is not None and before.fraud is not None else NO_FRAUD
    last = dict(known.last) | dict.fromkeys(sorted(failed), fix.at)
    names = {update.device_id, update.user_id}
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
    update: LocationUpdate, fix: Fix, before: User | None, others: Iterable[User], settings: ProjectSettings
) -> Iterable[FraudCheck]:
    if update.mocked:
        yield FraudCheck.MOCKED
    if update.compromised:
        yield FraudCheck.COMPROMISED
    if fix.accuracy_m > settings.inaccurate_accuracy_m:
        yield FraudCheck.INACCURATE
    if before is not None and _speed_mps(before.fix, fix) > settings.jumped_speed_mps:
        yield FraudCheck.JUMPED
    if settings.proxy_addresses is not None and update.ip in settings.proxy_addresses:
        yield FraudCheck.PROXY
    if any(_shares(update.user_id, fix.at, other, settings.sharing_window_s) for other in others):
        yield FraudCheck.SHARING


def _speed_mps(before: Fix, fix: Fix) -> float:
    """Return how fast the device must have been at least, were both fixes as wrong as they may be."""
    apart_m = distance_m(before.point.longitude, before.point.latitude, fix.point.longitude, fix.point.latitude)
    surely_m = apart_m - before.accuracy_m - fix.accuracy_m
    if surely_m <= 0:
        return 0.0
    seconds = (fix.at - before.at).total_seconds()
    return surely_m / seconds if seconds > 0 else float("inf")


def _shares(user_id: str | None, at: datetime, other: User, window_s: float) -> bool:
    if user_id is None or other.user_id is None or other.user_id == user_id:
        return False
    return 0 <= (at - other.updated_at).total_seconds() <= window_s
