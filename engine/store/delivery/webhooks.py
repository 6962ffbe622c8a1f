"""Stored webhooks."""

from collections.abc import Sequence
from typing import Any

import orjson
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.webhooks.webhook import DeliveryMode, Webhook
from engine.store.records.cells import from_ms, to_ms
from engine.store.records.rows import environment_of
from engine.store.statements import upsert_rows
from engine.store.tables import deliveries, delivery_bodies, webhooks


def load_webhooks(connection: sa.Connection) -> dict[Environment, list[Webhook]]:
    """Return the webhooks of each environment, oldest first."""
    found: dict[Environment, list[Webhook]] = {environment: [] for environment in Environment}
    for row in connection.execute(sa.select(webhooks).order_by(webhooks.c.created_at, webhooks.c.id)):
        found[environment_of(row.live)].append(_webhook_of(row))
    return found


def save_webhook(connection: sa.Connection, webhook: Webhook) -> None:
    """Insert a webhook, or replace the one with the same identifier."""
    upsert_rows(connection, webhooks, [_row(webhook)])


def replace_webhooks(connection: sa.Connection, environment: Environment, wanted: Sequence[Webhook]) -> None:
    """Store the webhooks of an environment, and delete all others with their deliveries."""
    wanted_ids = {webhook.id for webhook in wanted}
    stored = connection.execute(sa.select(webhooks.c.id).where(webhooks.c.live == int(environment.live)))
    for webhook_id in stored.scalars().all():
        if webhook_id not in wanted_ids:
            remove_webhook(connection, webhook_id)
    upsert_rows(connection, webhooks, [_row(webhook) for webhook in wanted])


def remove_webhook(connection: sa.Connection, webhook_id: str) -> None:
    """Delete a webhook and its deliveries."""
    numbers = sa.select(deliveries.c.number).where(deliveries.c.webhook == webhook_id)
    connection.execute(sa.delete(delivery_bodies).where(delivery_bodies.c.number.in_(numbers)))
    connection.execute(sa.delete(deliveries).where(deliveries.c.webhook == webhook_id))
    connection.execute(sa.delete(webhooks).where(webhooks.c.id == webhook_id))


def _row(webhook: Webhook) -> dict[str, Any]:
    content = {
        "url": webhook.url,
        "token": webhook.token,
        "mode": webhook.mode,
        "event_types": webhook.event_types,
        "tags": webhook.tags,
        "enabled": webhook.enabled,
        "paused": webhook.paused,
    }
    return {
        "id": webhook.id,
        "live": int(webhook.environment.live),
        "created_at": to_ms(webhook.created_at),
        "updated_at": to_ms(webhook.updated_at),
        "content": orjson.dumps(content).decode(),
    }


def _webhook_of(row: sa.Row[Any]) -> Webhook:
    content = orjson.loads(row.content)
    return Webhook(
        row.id,
        environment_of(row.live),
        content["url"],
        content["token"],
        DeliveryMode(content["mode"]),
        tuple(content["event_types"]),
        tuple(content["tags"]),
        content["enabled"],
        content["paused"],
        from_ms(row.created_at),
        from_ms(row.updated_at),
    )
