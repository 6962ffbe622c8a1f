"""Stored deliveries: finding, listing and deleting them; and the port through which stored events reach them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Protocol

import orjson
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.queries import Page
from engine.domain.tracking.updates import Event, User
from engine.domain.webhooks.delivery import Attempt, Delivery, DeliveryKind, DeliveryStatus, QueueLength
from engine.domain.webhooks.webhook import DeliveryQuery
from engine.store.delivery.waiting import SETTLE
from engine.store.paging import between, page_of
from engine.store.records.cells import from_ms, to_ms
from engine.store.records.contents import moment_or_none
from engine.store.statements import insert_rows
from engine.store.tables import deliveries, delivery_bodies, events
from engine.store.writer import Batch, Connection

KEPT: Final = 10_000
"""How many of the newest finished deliveries of a webhook are kept."""

_QUEUED: Final[sa.ColumnElement[str]] = sa.literal_column(f"'{DeliveryStatus.QUEUED}'")
"""A literal rather than a parameter, so that the partial index of queued deliveries by lane is used."""


class EventSink(Protocol):
    """Forwards events to their receivers, in the transaction that stores them."""

    def concerns(self, environment: Environment) -> bool:
        """Return whether events have any receivers."""
        ...

    def join(self, batch: Batch, user: User, events: Sequence[Event]) -> None:
        """Add the deliveries of a location update's events to its batch."""
        ...

    def store(
        self, connection: Connection, environment: Environment, user: User | None, events: Sequence[Event]
    ) -> None:
        """Store the deliveries of other events. `user` is None if there is no user yet."""
        ...


def delivery_row(delivery: Delivery, environment: Environment) -> dict[str, Any]:
    """Return the row of `deliveries` that stores a delivery, without its body."""
    last = delivery.last
    return {
        "number": delivery.number,
        "live": int(environment.live),
        "webhook": delivery.webhook_id,
        "lane": delivery.lane,
        "device_id": delivery.device_id,
        "kind": delivery.kind.value,
        "status": delivery.status.value,
        "event_ids": " ".join(delivery.event_ids),
        "event_types": orjson.dumps(delivery.event_types).decode(),
        "created_at": to_ms(delivery.created_at),
        "due_at": to_ms(delivery.due_at),
        "attempts": delivery.attempts,
        "first_at": None if delivery.first_at is None else to_ms(delivery.first_at),
        "last_at": None if delivery.last_at is None else to_ms(delivery.last_at),
        "status_code": None if last is None else last.status_code,
        "error": None if last is None else last.error,
        "duration_ms": None if last is None else last.duration_ms,
    }


def body_row(number: int, body: bytes) -> dict[str, Any]:
    """Return the row of `delivery_bodies` of a delivery."""
    return {"number": number, "body": body}


def last_number(connection: sa.Connection) -> int:
    """Return the highest number of a delivery."""
    return connection.execute(sa.select(sa.func.max(deliveries.c.number))).scalar() or 0


def is_any_queued(connection: sa.Connection, webhook_ids: Sequence[str]) -> bool:
    """Return whether a delivery to one of these webhooks is queued."""
    waiting = sa.select(deliveries.c.number).where(
        deliveries.c.webhook.in_(webhook_ids), deliveries.c.status == _QUEUED
    )
    return connection.execute(waiting.limit(1)).first() is not None


def settle_deliveries(connection: sa.Connection, rows: bytes) -> None:
    """Store the outcomes of deliveries from `settled_rows`. Deleted deliveries are not restored."""
    connection.exec_driver_sql(SETTLE, (rows.decode(),))


def forget_finished(connection: sa.Connection, webhook_id: str) -> None:
    """Delete the oldest finished deliveries of a webhook beyond `KEPT`."""
    table = deliveries.c
    of_webhook = table.webhook == webhook_id
    # Both are counted using only an index. Searching for the newest finished ones would also read all queued ones.
    stored, waiting = (
        sa.select(sa.func.count()).select_from(deliveries).where(of_webhook, *also).scalar_subquery()
        for also in ((), (table.status == _QUEUED,))
    )
    beyond = connection.execute(sa.select(stored - waiting)).scalar_one() - KEPT
    if beyond <= 0:
        return
    finished = (of_webhook, table.status != DeliveryStatus.QUEUED.value)
    oldest = sa.select(table.number).where(*finished).order_by(table.number).offset(beyond - 1).limit(1)
    limit = connection.execute(oldest).scalar_one()
    removed = sa.select(table.number).where(*finished, table.number <= limit)
    connection.execute(sa.delete(delivery_bodies).where(delivery_bodies.c.number.in_(removed)))
    connection.execute(sa.delete(deliveries).where(*finished, table.number <= limit))


def delivery_page(connection: sa.Connection, webhook_id: str, query: DeliveryQuery) -> Page[Delivery]:
    """Return deliveries of a webhook, newest first."""
    table = deliveries.c
    statement = (
        sa.select(deliveries)
        .where(table.webhook == webhook_id)
        .where(*between(table.created_at, query.created_after, query.created_before))
        .order_by(table.number.desc())
        .limit(query.limit + 1)
    )
    if query.status is not None:
        statement = statement.where(table.status == query.status.value)
    return page_of(map(delivery_of, connection.execute(statement)), query.limit)


def find_delivery(connection: sa.Connection, webhook_id: str, number: int) -> Delivery | None:
    """Return a delivery of a webhook, with its body if it has been encoded."""
    statement = (
        sa.select(deliveries, delivery_bodies.c.body)
        .join_from(deliveries, delivery_bodies, deliveries.c.number == delivery_bodies.c.number, isouter=True)
        .where(deliveries.c.webhook == webhook_id, deliveries.c.number == number)
    )
    row = connection.execute(statement).one_or_none()
    return None if row is None else delivery_of(row, row.body)


def queue_lengths(connection: sa.Connection, webhook_ids: Sequence[str]) -> dict[str, QueueLength]:
    """Return the number of queued deliveries of each webhook, and how many of the kept ones were given up."""
    table = deliveries.c
    found = dict.fromkeys(webhook_ids, QueueLength(0, 0))
    statement = (
        sa.select(table.webhook, table.status, sa.func.count())
        .where(table.webhook.in_(webhook_ids), table.status != DeliveryStatus.DELIVERED.value)
        .group_by(table.webhook, table.status)
    )
    for webhook, status, count in connection.execute(statement):
        before = found[webhook]
        is_queued = status == DeliveryStatus.QUEUED
        found[webhook] = QueueLength(count, before.failed) if is_queued else QueueLength(before.queued, count)
    return found


def next_due(connection: sa.Connection, webhook_ids: Sequence[str]) -> datetime | None:
    """Return the earliest due time of these webhooks' deliveries that wait for no other one, or None without any."""
    table = deliveries.c
    first = (
        sa.select(sa.func.min(table.number))
        .where(table.webhook.in_(webhook_ids), table.status == _QUEUED)
        .group_by(table.webhook, table.lane)
    )
    found = connection.execute(sa.select(sa.func.min(table.due_at)).where(table.number.in_(first))).scalar()
    return None if found is None else from_ms(found)


def deliveries_of_event(connection: sa.Connection, event_id: str) -> list[tuple[int, tuple[str, ...], bytes | None]]:
    """Return the number, the events and the body of each delivery that contains an event."""
    statement = (
        sa.select(deliveries.c.number, deliveries.c.event_ids, delivery_bodies.c.body)
        .join_from(deliveries, delivery_bodies, deliveries.c.number == delivery_bodies.c.number, isouter=True)
        .where(deliveries.c.event_ids.contains(event_id, autoescape=True))
    )
    return [(row.number, tuple(row.event_ids.split()), row.body) for row in connection.execute(statement)]


def hasten(connection: sa.Connection, delivery: Delivery, now: datetime) -> None:
    """Make a queued delivery and the earlier ones of its lane due immediately."""
    table = deliveries.c
    conditions = (table.webhook == delivery.webhook_id, table.lane == delivery.lane, table.number <= delivery.number)
    connection.execute(sa.update(deliveries).where(*conditions, table.status == _QUEUED).values(due_at=to_ms(now)))


def requeue(connection: sa.Connection, delivery: Delivery) -> None:
    """Queue a finished delivery again."""
    row = delivery_row(delivery, Environment.TEST)
    names = ("kind", "status", "lane", "due_at", "attempts", "first_at")
    changed = {name: row[name] for name in names}
    connection.execute(sa.update(deliveries).where(deliveries.c.number == delivery.number).values(changed))


def remove_delivery(connection: sa.Connection, number: int) -> None:
    """Delete a delivery."""
    connection.execute(sa.delete(delivery_bodies).where(delivery_bodies.c.number == number))
    connection.execute(sa.delete(deliveries).where(deliveries.c.number == number))


def replace_body(connection: sa.Connection, number: int, body: bytes) -> None:
    """Replace the body of a delivery."""
    connection.execute(sa.delete(delivery_bodies).where(delivery_bodies.c.number == number))
    connection.execute(sa.insert(delivery_bodies).values(body_row(number, body)))


def clear_deliveries(connection: sa.Connection, environment: Environment, device_id: str | None) -> None:
    """Delete all deliveries of an environment, or those of one of its devices."""
    wanted = [deliveries.c.live == int(environment.live)]
    if device_id is not None:
        wanted.append(deliveries.c.device_id == device_id)
    removed = sa.select(deliveries.c.number).where(*wanted)
    connection.execute(sa.delete(delivery_bodies).where(delivery_bodies.c.number.in_(removed)))
    connection.execute(sa.delete(deliveries).where(*wanted))


def put_deliveries(batch: Batch, environment: Environment, made: Sequence[Delivery]) -> None:
    """Add new deliveries to a batch."""
    batch.append(deliveries, [delivery_row(delivery, environment) for delivery in made])
    batch.append(delivery_bodies, [body_row(each.number, each.body) for each in made if each.body is not None])


def add_deliveries(connection: sa.Connection, environment: Environment, made: Sequence[Delivery]) -> None:
    """Store new deliveries."""
    insert_rows(connection, deliveries, [delivery_row(delivery, environment) for delivery in made])
    bodies = [body_row(each.number, each.body) for each in made if each.body is not None]
    insert_rows(connection, delivery_bodies, bodies)


def past_events(
    connection: sa.Connection,
    environment: Environment,
    after: datetime,
    before: datetime,
    *,
    types: Sequence[str],
    tags: Sequence[str],
    most: int,
) -> list[Any]:
    """Return the first events of a time range in order: id, type, user, device_id, created_at."""
    table = events.c
    statement = (
        sa.select(table.id, table.type, table.user, table.device_id, table.created_at)
        .where(table.live == int(environment.live), *between(table.created_at, after, before))
        .order_by(table.number)
        .limit(most)
    )
    if types:
        statement = statement.where(table.type.in_(types))
    if tags:
        statement = statement.where(table.tag.in_(tags))
    return list(connection.execute(statement))


def delivery_of(row: sa.Row[Any], body: bytes | None = None) -> Delivery:
    """Return the delivery that a row of `deliveries` stores."""
    last = None
    if row.last_at is not None:
        last = Attempt(row.status_code, row.error, row.duration_ms or 0)
    return Delivery(
        number=row.number,
        webhook_id=row.webhook,
        kind=DeliveryKind(row.kind),
        status=DeliveryStatus(row.status),
        lane=row.lane,
        device_id=row.device_id,
        event_ids=tuple(row.event_ids.split()),
        event_types=tuple(orjson.loads(row.event_types)),
        created_at=from_ms(row.created_at),
        due_at=from_ms(row.due_at),
        attempts=row.attempts,
        first_at=moment_or_none(row.first_at),
        last_at=moment_or_none(row.last_at),
        last=last,
        body=body,
    )
