"""Deliveries of events to webhooks. Apart from the rest, because the process that sends loads nothing else."""

from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class DeliveryStatus(StrEnum):
    """Status of a delivery: it waits for its next attempt, was acknowledged, or was given up."""

    QUEUED = "queued"
    DELIVERED = "delivered"
    FAILED = "failed"


class DeliveryKind(StrEnum):
    """Reason of a delivery."""

    EVENT = "event"
    REPLAY = "replay"
    TEST = "test"


class Attempt(Struct, frozen=True):
    """The outcome of one request: the status of the answer, or the `error` in its place, and how long it took."""

    status_code: int | None
    error: str | None
    duration_ms: int

    @property
    def acknowledged(self) -> bool:
        """Whether the receiver has taken it."""
        return self.error is None


class Waiting(Struct, frozen=True):
    """The part of a queued delivery by which it is sent: whose turn it is, and when."""

    number: int
    lane: str
    kind: DeliveryKind
    due_at: datetime
    attempts: int = 0
    first_at: datetime | None = None


class Tried(Struct, frozen=True):
    """A delivery after an attempt at `at`: what it is now, and when it is due again."""

    delivery: Waiting
    attempt: Attempt
    at: datetime
    status: DeliveryStatus
    due_at: datetime

    @property
    def again(self) -> Waiting:
        """The delivery as it waits for its next attempt."""
        before = self.delivery
        first_at = before.first_at or self.at
        return Waiting(before.number, before.lane, before.kind, self.due_at, before.attempts + 1, first_at)


class Delivery(Struct, frozen=True):
    """Events on their way to a webhook.

    Deliveries of one `lane`, which are those about one user, are made one after the other. `due_at` is when the next
    attempt is to be made, `last` the outcome of the latest one. `body` is what is sent, where it was asked for.
    """

    number: int
    webhook_id: str
    kind: DeliveryKind
    status: DeliveryStatus
    lane: str
    device_id: str
    event_ids: tuple[str, ...]
    event_types: tuple[str, ...]
    created_at: datetime
    due_at: datetime
    attempts: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    last: Attempt | None = None
    body: bytes | None = None

    @property
    def id(self) -> str:
        """The identifier, as long as any other."""
        return f"{self.number:024x}"


class QueueLength(Struct, frozen=True):
    """Numbers of deliveries of a webhook that wait and that were given up."""

    queued: int
    failed: int
