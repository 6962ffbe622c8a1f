"""Deliveries of events to webhooks, in a separate module since the sending process loads nothing else."""

from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class DeliveryStatus(StrEnum):
    """Status of a delivery: waiting for its next attempt, acknowledged, or given up."""

    QUEUED = "queued"
    DELIVERED = "delivered"
    FAILED = "failed"


class DeliveryKind(StrEnum):
    """Reason of a delivery."""

    EVENT = "event"
    REPLAY = "replay"
    TEST = "test"


class Attempt(Struct, frozen=True):
    """The outcome of a request: the status of the response, or the `error` in its place, and the duration."""

    status_code: int | None
    error: str | None
    duration_ms: int

    @property
    def acknowledged(self) -> bool:
        """Whether the receiver acknowledged the request."""
        return self.error is None


class Waiting(Struct, frozen=True):
    """The part of a queued delivery that determines its order and time."""

    number: int
    lane: str
    kind: DeliveryKind
    due_at: datetime
    attempts: int = 0
    first_at: datetime | None = None


class Tried(Struct, frozen=True):
    """A delivery after an attempt at `at`, with its new status and the next due time."""

    delivery: Waiting
    attempt: Attempt
    at: datetime
    status: DeliveryStatus
    due_at: datetime

    @property
    def again(self) -> Waiting:
        """The delivery waiting for its next attempt."""
        before = self.delivery
        first_at = before.first_at or self.at
        return Waiting(before.number, before.lane, before.kind, self.due_at, before.attempts + 1, first_at)


class Delivery(Struct, frozen=True):
    """Events on their way to a webhook.

    Deliveries of one `lane`, which are about the same user, are made one after the other. `due_at` is the time of the
    next attempt, `last` the outcome of the latest one. `body` is the content to send, and is set only on request.
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
        """The identifier, which has a fixed length."""
        return f"{self.number:024x}"


class QueueLength(Struct, frozen=True):
    """Numbers of waiting and of abandoned deliveries of a webhook."""

    queued: int
    failed: int
