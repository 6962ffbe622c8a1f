"""Webhooks, which receive events, and the encoding of their requests."""

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
"""Maximum number of events in one delivery."""

KNOWN_TYPES: Final = frozenset(
    {*EventType, "user.nearby_place_chain", "user.fired_trip_orders"}
    | {f"user.{action}_in_app_message" for action in ("displayed", "clicked", "dismissed")}
)
"""Types that begin with ``user.``. All other types are those of conversions."""


class DeliveryMode(StrEnum):
    """Number of events per request: one, or up to `CHUNK` of the same location update."""

    SINGLE = "single"
    MULTIPLE = "multiple"


class Webhook(Struct, frozen=True):
    """A receiver of events.

    Without `event_types`, it receives all types. Without `tags`, it receives events of all geofences and those without
    a geofence. `token` is the key of the signature. Unless it is `enabled`, no events are queued for it. While it is
    `paused`, they are queued but not sent.
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
        """Return whether an event is for this receiver."""
        if self.event_types and event.type not in self.event_types:
            return False
        named = event.geofence or event.beacon
        return not self.tags or (named is not None and named.tag in self.tags)


class WebhookChange(Struct, frozen=True, kw_only=True):
    """The fields of a webhook to set. Other fields keep their values, or get their defaults in a new webhook."""

    url: str | Unset = UNSET
    token: str | Unset = UNSET
    mode: DeliveryMode | Unset = UNSET
    event_types: tuple[str, ...] | Unset = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    enabled: bool | Unset = UNSET
    paused: bool | Unset = UNSET


class DeliveryQuery(Struct, frozen=True, kw_only=True):
    """A query for the deliveries of a webhook, newest first."""

    limit: int = DEFAULT_LIMIT
    status: DeliveryStatus | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None


class Payloads(Protocol):
    """Encodes the payloads of webhooks, whose format is known only to the interfaces."""

    def user(self, user: User) -> bytes:
        """Return a user as JSON."""
        ...

    def user_of(self, event: Event) -> bytes:
        """Return the user data of an event as JSON, for a user about whom nothing else is known."""
        ...

    def event(self, event: Event) -> bytes:
        """Return an event as JSON."""
        ...

    def body(self, mode: DeliveryMode, events: Sequence[bytes], user: bytes) -> bytes:
        """Return the body of a request from encoded events and their user."""
        ...

    def without(self, body: bytes, event_id: str) -> bytes | None:
        """Return a body without one of its events, or None if no event remains."""
        ...
