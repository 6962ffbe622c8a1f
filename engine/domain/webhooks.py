"""Webhooks, which receive events, and the deliveries of events to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

from engine.domain.environment import Environment
from engine.domain.geofence import UNSET, Unset
from engine.domain.queries import DEFAULT_LIMIT
from engine.domain.tracking.updates import Event, EventType, User

CHUNK: Final = 5
"""How many events a delivery of several holds at most."""

KNOWN_TYPES: Final = frozenset(
    {*EventType, "user.nearby_place_chain", "user.fired_trip_orders"}
    | {f"user.{what}_in_app_message" for what in ("displayed", "clicked", "dismissed")}
)
"""The types that begin with ``user.``; every other word is a conversion's."""


class DeliveryMode(StrEnum):
    """Events per request: one, or up to `CHUNK` of one location update."""

    SINGLE = "single"
    MULTIPLE = "multiple"


@dataclass(frozen=True, slots=True)
class Webhook:
    """A receiver of events.

    No `event_types` means all of them, no `tags` events of any geofence and of none. `token` keys the signature. While
    it is not `enabled` no event is queued for it; while it is `paused` they are queued and not sent.
    """

    id: str
    environment: Environment
    url: str
    token: str
    mode: DeliveryMode
    event_types: tuple[str, ...]
    tags: tuple[str, ...]
    enabled: bool
    paused: bool
    created_at: datetime
    updated_at: datetime

    def wants(self, event: Event) -> bool:
        """Whether an event is for this receiver."""
        if self.event_types and event.type not in self.event_types:
            return False
        named = event.geofence or event.beacon
        return not self.tags or (named is not None and named.tag in self.tags)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookChange:
    """The fields of a webhook to set; the others stay, or have their defaults in a new one."""

    url: str | Unset = UNSET
    token: str | Unset = UNSET
    mode: DeliveryMode | Unset = UNSET
    event_types: tuple[str, ...] | Unset = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    enabled: bool | Unset = UNSET
    paused: bool | Unset = UNSET


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


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of one request: the status of the answer, or the `error` in its place, and how long it took."""

    status_code: int | None
    error: str | None
    duration_ms: int

    @property
    def acknowledged(self) -> bool:
        """Whether the receiver has taken it."""
        return self.error is None


@dataclass(frozen=True, slots=True)
class Waiting:
    """The part of a queued delivery by which it is sent: whose turn it is, and when."""

    number: int
    lane: str
    kind: DeliveryKind
    due_at: datetime
    attempts: int = 0
    first_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Tried:
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


@dataclass(frozen=True, slots=True)
class Delivery:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryQuery:
    """Deliveries of a webhook, newest first."""

    limit: int = DEFAULT_LIMIT
    status: DeliveryStatus | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None


@dataclass(frozen=True, slots=True)
class QueueLength:
    """Numbers of deliveries of a webhook that wait and that were given up."""

    queued: int
    failed: int


class Payloads(Protocol):
    """The encoding of what is sent to webhooks, which only the interfaces know."""

    def user(self, user: User) -> bytes:
        """Return a user as JSON."""
        ...

    def user_of(self, event: Event) -> bytes:
        """Return what an event tells of its user, who is not known otherwise, as JSON."""
        ...

    def event(self, event: Event) -> bytes:
        """Return an event as JSON."""
        ...

    def body(self, mode: DeliveryMode, events: Sequence[bytes], user: bytes) -> bytes:
        """Return the body of a request from encoded events and their user."""
        ...

    def without(self, body: bytes, event_id: str) -> bytes | None:
        """Return a body without one of its events; None where no other is left."""
        ...
