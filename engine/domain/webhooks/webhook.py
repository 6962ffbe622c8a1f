"""Webhooks, which receive events, and how what they receive is encoded."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.geofence import UNSET, Unset
from engine.domain.queries import DEFAULT_LIMIT
from engine.domain.tracking.updates import Event, EventType, User
from engine.domain.webhooks.delivery import DeliveryStatus

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


class Webhook(Struct, frozen=True):
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


class WebhookChange(Struct, frozen=True, kw_only=True):
    """The fields of a webhook to set; the others stay, or have their defaults in a new one."""

    url: str | Unset = UNSET
    token: str | Unset = UNSET
    mode: DeliveryMode | Unset = UNSET
    event_types: tuple[str, ...] | Unset = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    enabled: bool | Unset = UNSET
    paused: bool | Unset = UNSET


class DeliveryQuery(Struct, frozen=True, kw_only=True):
    """Deliveries of a webhook, newest first."""

    limit: int = DEFAULT_LIMIT
    status: DeliveryStatus | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None


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
