"""Webhooks: create, list, change, delete and test them, and resend or replay their deliveries."""

from functools import partial
from typing import Any

from app.api.v1.operations import Call, Routes
from app.api.v1.records import or_unset
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.portions import encode_page
from app.api.wire.webhook import (
    DeliveryAnswer,
    DeliveryListAnswer,
    DeliveryListQuery,
    ReplayRangeAnswer,
    ReplayRangeBody,
    WebhookAnswer,
    WebhookCreate,
    WebhookListAnswer,
    WebhookUpdate,
    encode_delivery,
    encode_webhook,
)
from engine.domain.environment import KeyLevel
from engine.domain.geofence import UNSET
from engine.domain.queries import DEFAULT_LIMIT
from engine.domain.webhooks.delivery import Delivery, DeliveryStatus
from engine.domain.webhooks.webhook import DeliveryMode, DeliveryQuery, Webhook, WebhookChange
from engine.engine import Engine

routes = Routes(KeyLevel.SECRET)


@routes("GET", "/v1/webhooks", name="listWebhooks", summary="List webhooks", answer=WebhookListAnswer)
async def list_all(call: Call[None, None]) -> Encoded:
    """List webhooks, oldest first."""
    webhooks = call.services.engine.webhooks.all(call.environment)
    lengths = await call.services.run(call.services.engine.webhooks.lengths, webhooks)
    return encode_answer({"webhooks": [encode_webhook(webhook, lengths[webhook.id]) for webhook in webhooks]})


@routes("POST", "/v1/webhooks", name="createWebhook", summary="Create a webhook", answer=WebhookAnswer, errors=(409,))
async def create(call: Call[None, WebhookCreate]) -> Encoded:
    """Create a webhook."""
    webhooks = call.services.engine.webhooks
    return await _answer(call, await call.services.run(webhooks.create, call.environment, change_of(call.body)))


@routes("GET", "/v1/webhooks/{id}", name="readWebhook", summary="Get a webhook", answer=WebhookAnswer)
async def read(call: Call[None, None]) -> Encoded:
    """Read the webhook with an ``_id``."""
    return await _answer(call, call.services.engine.webhooks.get(call.environment, call.path["id"]))


@routes("PATCH", "/v1/webhooks/{id}", name="updateWebhook", summary="Update a webhook", answer=WebhookAnswer)
async def update(call: Call[None, WebhookUpdate]) -> Encoded:
    """Change the webhook with an ``_id``."""
    webhooks, change = call.services.engine.webhooks, change_of(call.body)
    return await _answer(call, await call.services.run(webhooks.update, call.environment, call.path["id"], change))


@routes(
    "DELETE",
    "/v1/webhooks/{id}",
    name="deleteWebhook",
    summary="Delete a webhook with its deliveries",
    answer=WebhookAnswer,
)
async def delete(call: Call[None, None]) -> Encoded:
    """Delete the webhook with an ``_id`` and return it."""
    webhooks = call.services.engine.webhooks
    return await _answer(call, await call.services.run(webhooks.delete, call.environment, call.path["id"]))


@routes(
    "POST",
    "/v1/webhooks/{id}/test",
    name="testWebhook",
    summary="Send a sample event and return the outcome",
    answer=DeliveryAnswer,
)
async def test(call: Call[None, None]) -> Encoded:
    """Send a sample event immediately and return the outcome."""
    webhooks = call.services.engine.webhooks
    return _delivered(await call.services.run(webhooks.test, call.environment, call.path["id"]))


@routes(
    "POST",
    "/v1/webhooks/{id}/replay",
    name="replayWebhook",
    summary="Queue the events of a time range again",
    answer=ReplayRangeAnswer,
)
async def replay(call: Call[None, ReplayRangeBody]) -> Encoded:
    """Queue the events of a time range again."""
    webhooks, body = call.services.engine.webhooks, call.body
    count = await call.services.run(webhooks.replay, call.environment, call.path["id"], body.after, body.before)
    return encode_answer({"queued": count})


@routes(
    "GET",
    "/v1/webhooks/{id}/deliveries",
    name="listDeliveries",
    summary="List the deliveries of a webhook, newest first",
    answer=DeliveryListAnswer,
)
async def deliveries(call: Call[DeliveryListQuery, None]) -> Encoded:
    """List deliveries, newest first."""
    webhooks, query = call.services.engine.webhooks, query_of(call.query)
    found = partial(webhooks.deliveries, call.environment, call.path["id"], query)
    return await call.services.run(lambda: encode_page("deliveries", encode_delivery, found()))


@routes(
    "GET",
    "/v1/webhooks/{id}/deliveries/{delivery}",
    name="readDelivery",
    summary="Get a delivery with its body",
    answer=DeliveryAnswer,
)
async def delivery(call: Call[None, None]) -> Encoded:
    """Read a delivery with its body."""
    webhooks, path = call.services.engine.webhooks, call.path
    return _delivered(await call.services.run(webhooks.delivery, call.environment, path["id"], path["delivery"]))


@routes(
    "POST",
    "/v1/webhooks/{id}/deliveries/{delivery}/resend",
    name="resendDelivery",
    summary="Send a finished delivery again",
    answer=DeliveryAnswer,
    errors=(409,),
)
async def resend(call: Call[None, None]) -> Encoded:
    """Queue a finished delivery again."""
    webhooks, path = call.services.engine.webhooks, call.path
    return _delivered(await call.services.run(webhooks.resend, call.environment, path["id"], path["delivery"]))


async def _answer(call: Call[Any, Any], webhook: Webhook) -> Encoded:
    engine: Engine = call.services.engine
    lengths = await call.services.run(engine.webhooks.lengths, [webhook])
    return encode_answer({"webhook": encode_webhook(webhook, lengths[webhook.id])})


def _delivered(found: Delivery) -> Encoded:
    return encode_answer({"delivery": encode_delivery(found)})


def change_of(body: WebhookUpdate) -> WebhookChange:
    """Return the fields to set; null is treated as absent."""
    return WebhookChange(
        url=or_unset(body.url),
        token=or_unset(body.token),
        mode=UNSET if body.delivery is None else DeliveryMode(body.delivery),
        event_types=UNSET if body.event_types is None else tuple(body.event_types),
        tags=UNSET if body.tags is None else tuple(body.tags),
        enabled=or_unset(body.enabled),
        paused=or_unset(body.paused),
    )


def query_of(query: DeliveryListQuery) -> DeliveryQuery:
    """Return the engine's query."""
    return DeliveryQuery(
        limit=query.limit or DEFAULT_LIMIT,
        status=None if query.status is None else DeliveryStatus(query.status),
        created_before=query.created_before,
        created_after=query.created_after,
    )
