"""The outbox, which joins the transaction of events, so that every stored event is also queued for delivery.

It is used in the writer's thread.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import batched
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.tracking.updates import Event, User
from engine.domain.webhooks.delivery import Delivery, DeliveryKind, DeliveryStatus
from engine.domain.webhooks.webhook import CHUNK, DeliveryMode, Payloads, Webhook
from engine.store.delivery.deliveries import add_deliveries, put_deliveries
from engine.store.writer import Batch, Connection

_LEAST_SECRET: Final = 8
"""Minimum length of a secret in a URL. Shorter values, such as a version, may appear in logs."""


class WebhookBook:
    """All webhooks, and all tokens that this process has seen."""

    def __init__(self, webhooks: Mapping[Environment, Sequence[Webhook]]) -> None:
        self._webhooks = {environment: tuple(webhooks[environment]) for environment in Environment}
        self._collecting = {environment: self._enabled(environment) for environment in Environment}
        self._tokens = frozenset(secret for webhook in self.all() for secret in _secrets(webhook))

    def of(self, environment: Environment) -> tuple[Webhook, ...]:
        """Return the webhooks of an environment, oldest first."""
        return self._webhooks[environment]

    def collecting(self, environment: Environment) -> tuple[Webhook, ...]:
        """Return the webhooks for which events are queued."""
        return self._collecting[environment]

    def all(self) -> tuple[Webhook, ...]:
        """Return the webhooks of both environments."""
        return tuple(webhook for environment in Environment for webhook in self._webhooks[environment])

    def get(self, environment: Environment, webhook_id: str) -> Webhook:
        """Return a webhook. Raises `NotFound`."""
        for webhook in self._webhooks[environment]:
            if webhook.id == webhook_id:
                return webhook
        raise NotFound("id", f"No webhook has the _id {webhook_id!r}.")

    @property
    def tokens(self) -> frozenset[str]:
        """All tokens since the workspace was opened and the secrets in URLs, including former ones."""
        return self._tokens

    def put(self, webhook: Webhook) -> None:
        """Store the current state of a webhook."""
        self._tokens = self._tokens.union(_secrets(webhook))
        others = self._webhooks[webhook.environment]
        known = any(each.id == webhook.id for each in others)
        now = tuple(webhook if each.id == webhook.id else each for each in others)
        self._set(webhook.environment, now if known else (*others, webhook))

    def drop(self, webhook: Webhook) -> None:
        """Drop a webhook."""
        left = tuple(each for each in self._webhooks[webhook.environment] if each.id != webhook.id)
        self._set(webhook.environment, left)

    def become(self, environment: Environment, webhooks: Sequence[Webhook]) -> None:
        """Store the webhooks of an environment in place of the current ones."""
        self._tokens = self._tokens.union(secret for webhook in webhooks for secret in _secrets(webhook))
        self._set(environment, tuple(sorted(webhooks, key=lambda webhook: (webhook.created_at, webhook.id))))

    def _set(self, environment: Environment, webhooks: tuple[Webhook, ...]) -> None:
        self._webhooks[environment] = webhooks
        self._collecting[environment] = self._enabled(environment)

    def _enabled(self, environment: Environment) -> tuple[Webhook, ...]:
        return tuple(webhook for webhook in self._webhooks[environment] if webhook.enabled)


def _secrets(webhook: Webhook) -> Iterator[str]:
    """Yield the token and the secrets in the URL, which are its password and the values of its query."""
    yield webhook.token
    parts = urlsplit(webhook.url)
    values = [value for _, value in parse_qsl(parts.query)]
    for value in (parts.password or "", *values):
        if len(value) >= _LEAST_SECRET:
            yield value


class Outbox:
    """Queues events for the webhooks that subscribe to them."""

    def __init__(self, book: WebhookBook, payloads: Callable[[], Payloads] | None, last_number: int) -> None:
        """Create an outbox.

        `payloads` returns the encoder of events. Without it, the process that sends the events encodes them later.
        """
        self._book = book
        self._payloads = payloads
        self._number = last_number
        self._has_queued = False
        self._has_removed = False

    def concerns(self, environment: Environment) -> bool:
        """Return whether the environment has webhooks that receive events."""
        return bool(self._book.collecting(environment))

    def join(self, batch: Batch, user: User, events: Sequence[Event]) -> None:
        """Add the deliveries of a location update's events to its batch."""
        environment = user.environment
        made = list(self._deliveries(environment, user, events))
        if made:
            put_deliveries(batch, environment, made)

    def store(
        self, connection: Connection, environment: Environment, user: User | None, events: Sequence[Event]
    ) -> None:
        """Store the deliveries of events that do not belong to a location update."""
        if self.concerns(environment):
            add_deliveries(connection, environment, list(self._deliveries(environment, user, events)))

    def next_number(self) -> int:
        """Return the number of a new delivery."""
        self._number += 1
        self._has_queued = True
        return self._number

    def take_queued(self) -> bool:
        """Return whether anything was queued since the last call."""
        queued, self._has_queued = self._has_queued, False
        return queued

    def note_removed(self) -> None:
        """Record that a delivery that may be waiting was removed."""
        self._has_removed = True

    def take_removed(self) -> bool:
        """Return whether anything was removed since the last call."""
        removed, self._has_removed = self._has_removed, False
        return removed

    def _deliveries(self, environment: Environment, user: User | None, events: Sequence[Event]) -> Iterator[Delivery]:
        encode = None if self._payloads is None else _Encoded(self._payloads(), user)
        for webhook in self._book.collecting(environment):
            wanted = [event for event in events if webhook.wants(event)]
            for some in chunks(webhook.mode, wanted):
                body = None if encode is None else encode.body(webhook.mode, some)
                yield self._delivery(webhook, some, body)

    def _delivery(self, webhook: Webhook, events: Sequence[Event], body: bytes | None) -> Delivery:
        first = events[0]
        user = first.user
        return new_delivery(
            self.next_number(),
            webhook,
            DeliveryKind.EVENT,
            user.id or user.device_id or user.user_id or "",
            user.device_id,
            [event.id for event in events],
            [event.type for event in events],
            first.actual_created_at,
            body,
        )


def chunks[T](mode: DeliveryMode, events: Iterable[T]) -> Iterator[tuple[T, ...]]:
    """Yield the events of each request."""
    return batched(events, 1 if mode is DeliveryMode.SINGLE else CHUNK)


def new_delivery(
    number: int,
    webhook: Webhook,
    kind: DeliveryKind,
    lane: str,
    device_id: str,
    event_ids: Sequence[str],
    event_types: Sequence[str],
    now: datetime,
    body: bytes | None = None,
) -> Delivery:
    """Return a delivery that is due immediately."""
    return Delivery(
        number=number,
        webhook_id=webhook.id,
        kind=kind,
        status=DeliveryStatus.QUEUED,
        lane=lane,
        device_id=device_id,
        event_ids=tuple(event_ids),
        event_types=tuple(dict.fromkeys(map(str, event_types))),
        created_at=now,
        due_at=now,
        body=body,
    )


class _Encoded:
    """The events of one moment and their user, each encoded once when a webhook first needs it."""

    def __init__(self, payloads: Payloads, user: User | None) -> None:
        self._payloads = payloads
        self._user = user
        self._encoded_user: bytes | None = None
        self._events: dict[str, bytes] = {}

    def body(self, mode: DeliveryMode, events: Sequence[Event]) -> bytes:
        return self._payloads.body(mode, [self._event(event) for event in events], self._of_user(events[0]))

    def _event(self, event: Event) -> bytes:
        if event.id not in self._events:
            self._events[event.id] = self._payloads.event(event)
        return self._events[event.id]

    def _of_user(self, event: Event) -> bytes:
        if self._encoded_user is None:
            payloads, user = self._payloads, self._user
            self._encoded_user = payloads.user_of(event) if user is None else payloads.user(user)
        return self._encoded_user
