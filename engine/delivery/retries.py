"""Schedule of retries of a failed delivery, as pure functions."""

from datetime import datetime, timedelta
from random import Random
from typing import Final

from engine.domain.values import replace
from engine.domain.webhooks.delivery import Attempt, DeliveryKind, DeliveryStatus, Tried, Waiting
from engine.outbound.posting.receiver import Posted
from engine.store.records.cells import from_ms, to_ms

FIRST_S: Final = 5.0
LONGEST_S: Final = 3600.0
GIVE_UP_S: Final = 24 * 3600.0
JITTER: Final = 0.2
"""Share by which a wait is varied, so that deliveries that failed together are not retried together."""


def tried(delivery: Waiting, attempt: Attempt, now: datetime) -> Tried:
    """Return the state of a delivery after an attempt, with the time it is due again."""
    if attempt.acknowledged:
        return Tried(delivery, attempt, now, DeliveryStatus.DELIVERED, now)
    last_chance = (delivery.first_at or now) + timedelta(seconds=GIVE_UP_S)
    if now >= last_chance or delivery.kind is DeliveryKind.TEST:
        return Tried(delivery, attempt, now, DeliveryStatus.FAILED, now)
    due_at = _stored(min(now + timedelta(seconds=wait_s(delivery)), last_chance))
    return Tried(delivery, attempt, now, DeliveryStatus.QUEUED, due_at)


def attempt_of(outcome: Posted) -> Attempt:
    """Return the outcome of a request in the form in which it is stored. Any 2xx status acknowledges."""
    status, error = outcome.status, outcome.error
    if status is not None and not 200 <= status < 300:
        error = f"answered {status}"
        if 300 <= status < 400:
            error += "; redirects are not followed"
    return Attempt(status, error, outcome.duration_ms)


def wait_s(delivery: Waiting) -> float:
    """Return how long to wait after one more attempt, which doubles each time up to an hour.

    The jitter is derived from the number of the delivery, so that runs with the same events have the same retries.
    """
    attempts = delivery.attempts + 1
    return _plain_s(attempts) * Random(f"{delivery.number} {attempts}").uniform(1 - JITTER, 1 + JITTER)


def by_clock(delivery: Waiting, now: datetime) -> Waiting:
    """Return a delivery adjusted to the clock: due now if it would wait longer than any with as many attempts.

    If the clock was set back, the delivery and all others behind it would otherwise wait until it has caught up.
    """
    longest_s = _plain_s(delivery.attempts) * (1 + JITTER) if delivery.attempts else 0.0
    if delivery.due_at <= now or delivery.due_at <= now + timedelta(seconds=longest_s):
        return delivery
    return replace(delivery, due_at=now, first_at=None)


def _stored(moment: datetime) -> datetime:
    """Return the next whole millisecond, so that the delivery is due when the clock reaches the stored time."""
    return from_ms(to_ms(moment - timedelta(microseconds=1)) + 1)


def _plain_s(attempts: int) -> float:
    # Limited because excessive powers would overflow.
    return min(FIRST_S * 2.0 ** min(attempts - 1, 32), LONGEST_S)
