"""Webhooks and their deliveries: requests, responses, and the bodies sent to receivers."""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

import orjson
from pydantic import BeforeValidator, Field

from app.api.wire.common.answers import AnswerModel, Id, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import encode_time
from app.api.wire.common.fields import COMMA_TEXT, ONE_FAULT, Identifier, Moment, Text, read_list
from app.api.wire.common.requests import Limit, RequestModel, Switch
from app.api.wire.event import EventRecord, encode_event
from app.api.wire.user import EventUserAnswer, UserRecord, encode_user, encode_user_summary
from engine.delivery.judging import MAX_FILTERS, MAX_TOKEN, MAX_URL, MIN_TOKEN
from engine.domain.queries import DEFAULT_LIMIT
from engine.domain.tracking.updates import Event, User
from engine.domain.webhooks.delivery import Delivery, DeliveryKind, DeliveryStatus, QueueLength
from engine.domain.webhooks.webhook import CHUNK, DeliveryMode, Webhook

type Filters = Annotated[
    list[Identifier], Field(max_length=MAX_FILTERS), ONE_FAULT, BeforeValidator(read_list), COMMA_TEXT
]


class WebhookUpdate(RequestModel):
    """The fields of a webhook to set; the others stay."""

    url: Text | None = Field(
        None,
        description=f"http or https, up to {MAX_URL:,} characters. Live webhooks cannot use private addresses.",
    )
    token: Text | None = Field(
        None,
        description=(
            f"The secret that signs requests, {MIN_TOKEN} to {MAX_TOKEN} characters; generated if a webhook is "
            "created without one."
        ),
    )
    delivery: Literal["single", "multiple"] | None = Field(
        None,
        description=(
            f"single: one event per request; multiple: up to {CHUNK} events of one location update. Defaults to single."
        ),
    )
    event_types: Filters | None = Field(None, description="Only events of these types; empty for all.")
    tags: Filters | None = Field(
        None, description="Only events of geofences and beacons with one of these tags; empty for all events."
    )
    enabled: Switch = Field(None, description="If false, no events are queued or sent. Defaults to true.")
    paused: Switch = Field(None, description="If true, events are queued but not sent. Defaults to false.")


class WebhookCreate(WebhookUpdate):
    """A new webhook."""

    url: Text = Field(
        description=f"http or https, up to {MAX_URL:,} characters. Live webhooks cannot use private addresses."
    )


class DeliveryListQuery(RequestModel):
    """Query of deliveries, newest first."""

    limit: Limit = DEFAULT_LIMIT
    status: Literal["queued", "delivered", "failed"] | None = None
    created_before: Moment | None = None
    created_after: Moment | None = None


class ReplayRangeBody(RequestModel):
    """The time range of events to send again, by `createdAt`."""

    after: Moment
    before: Moment


class WebhookRecord(Record):
    """A receiver of events."""

    _id: Id
    createdAt: Time
    updatedAt: Time
    live: bool
    url: Annotated[str, Field(min_length=1)]
    token: Annotated[str, Field(min_length=MIN_TOKEN, description="The secret that signs requests.")]
    delivery: Annotated[str, one_of(*DeliveryMode)]
    eventTypes: Annotated[list[str], Field(description="Empty for all.")]
    tags: Annotated[list[str], Field(description="Empty for all events.")]
    enabled: bool
    paused: bool
    queued: Annotated[int, Field(ge=0, description="Number of queued deliveries.")]
    failed: Annotated[int, Field(ge=0, description="Number of kept deliveries that failed.")]


class DeliveryRecord(Record):
    """Events on their way to a webhook."""

    _id: Id
    webhookId: Id
    status: Annotated[str, one_of(*DeliveryStatus, description="failed: not delivered within 24 hours.")]
    kind: Annotated[str, one_of(*DeliveryKind)]
    eventIds: Annotated[list[Id], Field(min_length=1)]
    eventTypes: Annotated[list[str], Field(min_length=1)]
    createdAt: Time
    attempts: Annotated[int, Field(ge=0)]
    nextAttemptAt: NotRequired[
        Annotated[Time, Field(description="While queued; earlier deliveries for the user are sent first.")]
    ]
    lastAttemptAt: NotRequired[Time]
    statusCode: NotRequired[Annotated[int, Field(ge=100, le=999, description="Status of the last response.")]]
    error: NotRequired[Annotated[str, Field(min_length=1, description="Why the last attempt failed.")]]
    durationMs: NotRequired[Annotated[int, Field(ge=0, description="Duration of the last attempt.")]]
    deviceId: NotRequired[str]
    body: NotRequired[Annotated[str, Field(description="The body that is sent; only on a single delivery.")]]


class WebhookAnswer(AnswerModel):
    """One webhook."""

    webhook: WebhookRecord


class WebhookListAnswer(AnswerModel):
    """Webhooks, oldest first."""

    webhooks: list[WebhookRecord]


class DeliveryAnswer(AnswerModel):
    """One delivery."""

    delivery: DeliveryRecord


class DeliveryListAnswer(PageAnswerModel):
    """Deliveries, newest first."""

    deliveries: list[DeliveryRecord]


class ReplayRangeAnswer(AnswerModel):
    """Number of events queued."""

    queued: Annotated[int, Field(ge=0, description="Number of events queued.")]


class SingleBody(Record):
    """Body that a webhook with the delivery single receives."""

    event: EventRecord
    user: UserRecord | EventUserAnswer


class MultipleBody(Record):
    """Body that a webhook with the delivery multiple receives."""

    events: Annotated[list[EventRecord], Field(min_length=1, max_length=CHUNK)]
    user: UserRecord | EventUserAnswer


def encode_webhook(webhook: Webhook, length: QueueLength) -> WebhookRecord:
    """Return a webhook."""
    return {
        "_id": webhook.id,
        "createdAt": encode_time(webhook.created_at),
        "updatedAt": encode_time(webhook.updated_at),
        "live": webhook.environment.live,
        "url": webhook.url,
        "token": webhook.token,
        "delivery": webhook.mode.value,
        "eventTypes": list(webhook.event_types),
        "tags": list(webhook.tags),
        "enabled": webhook.enabled,
        "paused": webhook.paused,
        "queued": length.queued,
        "failed": length.failed,
    }


def encode_delivery(delivery: Delivery) -> DeliveryRecord:
    """Return a delivery; ``body`` is included if it was loaded."""
    encoded: DeliveryRecord = {
        "_id": delivery.id,
        "webhookId": delivery.webhook_id,
        "status": delivery.status.value,
        "kind": delivery.kind.value,
        "eventIds": list(delivery.event_ids),
        "eventTypes": list(delivery.event_types),
        "createdAt": encode_time(delivery.created_at),
        "attempts": delivery.attempts,
    }
    if delivery.status is DeliveryStatus.QUEUED:
        encoded["nextAttemptAt"] = encode_time(delivery.due_at)
    if delivery.last_at is not None:
        encoded["lastAttemptAt"] = encode_time(delivery.last_at)
    if (last := delivery.last) is not None:
        encoded["durationMs"] = last.duration_ms
        if last.status_code is not None:
            encoded["statusCode"] = last.status_code
        if last.error is not None:
            encoded["error"] = last.error
    if delivery.device_id:
        encoded["deviceId"] = delivery.device_id
    if delivery.body is not None:
        encoded["body"] = delivery.body.decode()
    return encoded


class WirePayloads:
    """The bodies sent to receivers; events and users are encoded as in all responses."""

    def user(self, user: User) -> bytes:
        """Return a user as JSON."""
        return orjson.dumps(encode_user(user))

    def user_of(self, event: Event) -> bytes:
        """Return the user fields of an event as JSON, for a user who is otherwise unknown."""
        return orjson.dumps(encode_user_summary(event.user))

    def event(self, event: Event) -> bytes:
        """Return an event as JSON."""
        return orjson.dumps(encode_event(event))

    def body(self, mode: DeliveryMode, events: Sequence[bytes], user: bytes) -> bytes:
        """Return ``{"event", "user"}``, or ``{"events", "user"}``."""
        if mode is DeliveryMode.SINGLE:
            return b'{"event":%b,"user":%b}' % (events[0], user)
        return b'{"events":[%b],"user":%b}' % (b",".join(events), user)

    def without(self, body: bytes, event_id: str) -> bytes | None:
        """Return a body without one of its events, or None if no other event is left."""
        content = orjson.loads(body)
        left = [event for event in content.get("events", ()) if event["_id"] != event_id]
        return orjson.dumps(content | {"events": left}) if left else None
