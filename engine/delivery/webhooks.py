"""The webhooks of an open workspace: lookup, changes and tests, and listing, resending and replaying of deliveries."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any, Final

from engine.delivery.dispatcher import Dispatcher, encoded
from engine.delivery.judging import MAX_WEBHOOKS, changed, created
from engine.delivery.outbox import Outbox, WebhookBook, chunks, new_delivery
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound, StorageUnavailable
from engine.domain.geofence import Extent, GeofenceSummary
from engine.domain.geometry import GeometryType, Point
from engine.domain.metadata import NO_METADATA
from engine.domain.ports import Clock
from engine.domain.queries import Change, Page
from engine.domain.tracking.updates import UNKNOWN_DEVICE, Confidence, Event, EventType, Fix, User
from engine.domain.values import replace
from engine.domain.webhooks.delivery import Delivery, DeliveryKind, DeliveryStatus, QueueLength
from engine.domain.webhooks.webhook import DeliveryQuery, Payloads, Webhook, WebhookChange
from engine.store.database import Database
from engine.store.delivery.deliveries import (
    add_deliveries,
    deliveries_of_event,
    delivery_page,
    find_delivery,
    hasten,
    next_due,
    past_events,
    queue_lengths,
    remove_delivery,
    replace_body,
    requeue,
)
from engine.store.delivery.webhooks import remove_webhook, save_webhook
from engine.store.queries import find_event
from engine.store.writer import Connection, Writer

MAX_REPLAYED: Final = 50_000
"""Maximum number of events queued by one replay."""

_PORTION: Final = 500
"""Number of events of a replay queued at a time, for which location updates have to wait."""

DEVICE: Final = "webhook-test"
_HERE: Final = Point(9.5209, 47.1410)
_RADIUS_M: Final = 100.0


class Webhooks:
    """Finds and changes webhooks. Thread-safe, except that changes must not be made in the writer's thread."""

    def __init__(
        self,
        book: WebhookBook,
        outbox: Outbox,
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        make_id: Callable[[], str],
        payloads: Callable[[], Payloads] | None,
        dispatcher: Dispatcher | None,
        changed: Callable[[Change], None],
    ) -> None:
        """Create the webhooks of a workspace.

        Without a `dispatcher` deliveries are only queued, and another process sends them later.
        """
        self._book = book
        self._outbox = outbox
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._make_id = make_id
        self._payloads = payloads
        self._dispatcher = dispatcher
        self._changed = changed

    @property
    def tokens(self) -> frozenset[str]:
        """All tokens since the workspace was opened, which logs must not contain."""
        return self._book.tokens

    # Queries

    def all(self, environment: Environment) -> tuple[Webhook, ...]:
        """Return the webhooks of an environment, oldest first."""
        return self._book.of(environment)

    def get(self, environment: Environment, webhook_id: str) -> Webhook:
        """Return a webhook. Raises `NotFound`."""
        return self._book.get(environment, webhook_id)

    def lengths(self, webhooks: Sequence[Webhook]) -> dict[str, QueueLength]:
        """Return the numbers of waiting and given-up deliveries of each webhook."""
        return self._database.read(lambda connection: queue_lengths(connection, [each.id for each in webhooks]))

    def deliveries(self, environment: Environment, webhook_id: str, query: DeliveryQuery) -> Page[Delivery]:
        """Return deliveries of a webhook, newest first. Raises `NotFound`."""
        webhook = self.get(environment, webhook_id)
        return self._database.read(lambda connection: delivery_page(connection, webhook.id, query))

    def delivery(self, environment: Environment, webhook_id: str, delivery_id: str) -> Delivery:
        """Return a delivery with its body. Raises `NotFound`."""
        webhook = self.get(environment, webhook_id)
        return self._database.read(lambda connection: self._delivery(connection, webhook, delivery_id))

    def next_due(self, environment: Environment) -> datetime | None:
        """Return when the next delivery of an environment is due, or None if no delivery is waiting."""
        webhook_ids = [webhook.id for webhook in self._book.of(environment)]
        return self._database.read(lambda connection: next_due(connection, webhook_ids))

    # Changes

    def create(self, environment: Environment, change: WebhookChange) -> Webhook:
        """Store a new webhook. Raises `InvalidParameter`, or `Conflict` if there are too many."""
        now = self._clocks[environment].now()
        webhook = created(change, environment, self._make_id, now)

        def work(connection: Connection) -> Webhook:
            if len(self._book.of(environment)) >= MAX_WEBHOOKS:
                raise Conflict("url", f"url: there are already {MAX_WEBHOOKS} webhooks, the maximum.")
            save_webhook(connection, webhook)
            return webhook

        return self._writer.run(work, self._note)

    def update(self, environment: Environment, webhook_id: str, change: WebhookChange) -> Webhook:
        """Change a webhook. Raises `NotFound` or `InvalidParameter`."""
        now = self._clocks[environment].now()

        def work(connection: Connection) -> Webhook:
            webhook = changed(self.get(environment, webhook_id), change, now)
            save_webhook(connection, webhook)
            return webhook

        return self._writer.run(work, self._note)

    def delete(self, environment: Environment, webhook_id: str) -> Webhook:
        """Delete a webhook with its deliveries, and return it. Raises `NotFound`."""

        def work(connection: Connection) -> Webhook:
            webhook = self.get(environment, webhook_id)
            remove_webhook(connection, webhook.id)
            return webhook

        def then(webhook: Webhook) -> None:
            self._book.drop(webhook)
            if self._dispatcher is not None:
                self._dispatcher.wake()
            self._notify(environment)

        return self._writer.run(work, then, forgets=True)

    # Sending

    def test(self, environment: Environment, webhook_id: str) -> Delivery:
        """Send a sample event immediately and return the outcome, even if the webhook is disabled.

        Raises `NotFound`.
        """
        webhook = self.get(environment, webhook_id)
        if self._dispatcher is None or self._payloads is None:
            raise StorageUnavailable("This process does not send webhooks.")
        now = self._clocks[environment].now()
        user, event = sample(webhook, self._make_id, now)
        payloads = self._payloads()
        body = payloads.body(webhook.mode, [payloads.event(event)], payloads.user(user))
        number = self._writer.run(lambda _: self._outbox.next_number())
        attempt = self._dispatcher.try_once(webhook, number, body)
        draft = new_delivery(
            number, webhook, DeliveryKind.TEST, f"test {number}", user.device_id, [event.id], [event.type], now, body
        )
        delivery = replace(
            draft,
            status=DeliveryStatus.DELIVERED if attempt.acknowledged else DeliveryStatus.FAILED,
            attempts=1,
            first_at=now,
            last_at=now,
            last=attempt,
        )

        def work(connection: Connection) -> Delivery:
            self.get(environment, webhook_id)
            add_deliveries(connection, environment, [delivery])
            return delivery

        return self._writer.run(work, lambda _: self._notify(environment))

    def resend(self, environment: Environment, webhook_id: str, delivery_id: str) -> Delivery:
        """Send a finished delivery again in a lane of its own, and return it.

        A delivery that is still waiting becomes due immediately, as do those it waits for, and keeps its number of
        attempts. Raises `NotFound`.
        """
        now = self._clocks[environment].now()

        def work(connection: Connection) -> Delivery:
            before = self._delivery(connection, self.get(environment, webhook_id), delivery_id)
            if before.status is DeliveryStatus.QUEUED:
                hasten(connection, before, now)
                return replace(before, due_at=now)
            kind = DeliveryKind.REPLAY if before.kind is DeliveryKind.EVENT else before.kind
            after = replace(
                before, kind=kind, status=DeliveryStatus.QUEUED, lane=f"resent {before.number}", due_at=now,
                attempts=0, first_at=None,
            )  # fmt: skip
            requeue(connection, after)
            return after

        def then(delivery: Delivery) -> None:
            if self._dispatcher is not None:
                self._dispatcher.rescan(delivery.webhook_id)
            self._notify(environment)

        return self._writer.run(work, then)

    def replay(self, environment: Environment, webhook_id: str, after: datetime, before: datetime) -> int:
        """Queue the events of a period that the webhook subscribes to, behind waiting ones, and return their number.

        Raises `NotFound`, or `InvalidParameter` naming ``after`` or ``before``.
        """
        if after >= before:
            raise InvalidParameter("before", "before: must be later than after.")
        now = self._clocks[environment].now()
        webhook = self.get(environment, webhook_id)
        types, tags = webhook.event_types, webhook.tags
        found = self._database.read(
            lambda connection: past_events(
                connection, environment, after, before, types=types, tags=tags, most=MAX_REPLAYED + 1
            )
        )
        if len(found) > MAX_REPLAYED:
            raise InvalidParameter(
                "before", f"before: the range contains more than {MAX_REPLAYED:,} events; choose a shorter one."
            )
        moments = [tuple(moment) for _, moment in groupby(found, key=_moment)]
        for portion in _portions(moments):
            add = partial(self._add_replayed, webhook=webhook, moments=portion, now=now)
            self._writer.run(add, lambda _: self._notify(environment))
        return len(found)

    def forget_event(self, connection: Connection, event_id: str) -> None:
        """Remove a deleted event from the deliveries that contain it, in the writer's thread."""
        for number, event_ids, body in deliveries_of_event(connection, event_id):
            if body is None:
                # The body is created from the events that exist when it is sent. A delivery without events must not be
                # waited for.
                if not self._is_any_left(connection, event_ids, event_id):
                    remove_delivery(connection, number)
                    self._outbox.note_removed()
                continue
            left = None if self._payloads is None else self._payloads().without(body, event_id)
            if left is None:
                remove_delivery(connection, number)
                self._outbox.note_removed()
            else:
                replace_body(connection, number, left)

    def close(self) -> None:
        """Stop sending."""
        if self._dispatcher is not None:
            self._dispatcher.close()

    def _is_any_left(self, connection: Connection, event_ids: Sequence[str], deleted_id: str) -> bool:
        others = (event_id for event_id in event_ids if event_id != deleted_id)
        return any(
            find_event(connection, environment, other) is not None for other in others for environment in Environment
        )

    def _add_replayed(
        self, connection: Connection, webhook: Webhook, moments: Sequence[Sequence[Any]], now: datetime
    ) -> None:
        # Another thread may have deleted it since the last portion.
        self.get(webhook.environment, webhook.id)
        add_deliveries(connection, webhook.environment, list(self._replayed(webhook, moments, now)))

    def _replayed(self, webhook: Webhook, moments: Sequence[Sequence[Any]], now: datetime) -> Iterator[Delivery]:
        """Yield the deliveries of past events, combining those of one moment of a user if the mode allows it."""
        for moment in moments:
            for some in chunks(webhook.mode, moment):
                yield new_delivery(
                    self._outbox.next_number(),
                    webhook,
                    DeliveryKind.REPLAY,
                    some[0].user or some[0].device_id,
                    some[0].device_id,
                    [row.id for row in some],
                    [row.type for row in some],
                    now,
                )

    def _delivery(self, connection: Connection, webhook: Webhook, delivery_id: str) -> Delivery:
        number = _number_of(delivery_id)
        found = None if number is None else find_delivery(connection, webhook.id, number)
        if found is None:
            raise NotFound("delivery", f"No delivery of this webhook has the _id {delivery_id!r}.")
        if found.body is None and self._payloads is not None:
            found = replace(found, body=encoded(connection, webhook, found, self._payloads()))
        return found

    def _note(self, webhook: Webhook) -> None:
        self._book.put(webhook)
        if self._dispatcher is not None:
            self._dispatcher.wake()
        self._notify(webhook.environment)

    def _notify(self, environment: Environment) -> None:
        self._changed(Change(environment, webhooks=True))


def _moment(row: Any) -> tuple[Any, ...]:
    return row.user, row.device_id, row.created_at


def _portions(moments: Sequence[Sequence[Any]]) -> Iterator[Sequence[Sequence[Any]]]:
    """Yield groups of moments with about as many events as are queued at a time."""
    portion: list[Sequence[Any]] = []
    size = 0
    for moment in moments:
        portion.append(moment)
        size += len(moment)
        if size >= _PORTION:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _number_of(delivery_id: str) -> int | None:
    """Return the number encoded in an identifier, or None if it is invalid."""
    if len(delivery_id) != 24:
        return None
    try:
        number = int(delivery_id, 16)
    except ValueError:
        return None
    return number if 0 < number < 2**63 else None


def sample(webhook: Webhook, make_id: Callable[[], str], now: datetime) -> tuple[User, Event]:
    """Return a sample user and their entry event for a geofence that does not exist."""
    tag = webhook.tags[0] if webhook.tags else "test"
    extent = Extent(GeometryType.CIRCLE, _HERE, _RADIUS_M)
    geofence = GeofenceSummary(make_id(), tag, "1", "Webhook test", NO_METADATA, extent)
    user = User(
        id=make_id(),
        environment=webhook.environment,
        device_id=DEVICE,
        user_id=None,
        description=None,
        metadata=NO_METADATA,
        fix=Fix(_HERE, 10.0, now),
        device=UNKNOWN_DEVICE,
        ip=None,
        created_at=now,
        updated_at=now,
        geofences=(geofence,),
    )
    event = Event(
        id=make_id(),
        environment=webhook.environment,
        type=EventType.ENTERED_GEOFENCE,
        created_at=now,
        actual_created_at=now,
        user=user.summary,
        geofence=geofence,
        point=_HERE,
        accuracy_m=10.0,
        confidence=Confidence.HIGH,
    )
    return user, event
