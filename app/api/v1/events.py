"""Events: list and wait, stream, read, delete, verify, and report conversions."""

import asyncio

import orjson

from app.api.http.errors import shown
from app.api.http.feed import Waiter
from app.api.http.streams.reader import Follow
from app.api.v1.operations import Call, Routes, Streamed
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.portions import encode_page
from app.api.wire.event import (
    FROM_THE_FIRST,
    ConversionBody,
    EventAnswer,
    EventListAnswer,
    EventListQuery,
    EventRecord,
    EventStreamQuery,
    VerificationBody,
    encode_event,
)
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.metadata import MAX_USER_KEYS, NO_METADATA, check_metadata
from engine.domain.queries import DEFAULT_LIMIT, EventFilter, EventQuery, Page
from engine.domain.tracking.updates import ANONYMOUS_DEVICE, Conversion, Device, DeviceType, Event, Reporter
from engine.tracking.event_records import MESSAGE_TYPES, OWN_TYPES

routes = Routes(KeyLevel.SECRET)


@routes(
    "GET",
    "/v1/events/stream",
    name="streamEvents",
    summary="Stream events as they happen",
    answer=Streamed(EventRecord),
)
async def stream(call: Call[EventStreamQuery, None]) -> Follow:
    """Stream events as they are stored, starting after the last event that the client received."""
    query = call.query
    wanted = EventFilter(
        user_id=query.user_id,
        device_id=query.device_id,
        types=_one_of(query.type),
        tags=_one_of(query.tag),
        external_id=query.external_id,
    )
    return Follow(call.environment, wanted, encode_message, query.heartbeat_seconds, await _number_after(call))


async def _first_events(call: Call[EventListQuery, None], query: EventQuery) -> Page[Event]:
    environment: Environment = call.environment
    deadline = asyncio.get_running_loop().time() + call.query.wait_seconds
    # Start listening before the first query, so that no event is missed between the two.
    with Waiter(call.services.feed, environment, query) as waiter:
        while True:
            page = await call.services.run(call.services.engine.history.page, environment, query)
            if page.items or not await waiter.wait(deadline):
                return page


@routes(
    "GET",
    "/v1/events",
    name="listEvents",
    summary="List events, newest first, or wait for the first one",
    answer=EventListAnswer,
)
async def list_events(call: Call[EventListQuery, None]) -> Encoded:
    """List events, newest first; with `waitSeconds`, wait for the first one if the list is empty."""
    query = query_of(call.query)
    if call.query.wait_seconds:
        page = await _first_events(call, query)
    else:
        page = await call.services.run(call.services.engine.history.page, call.environment, query)
    return await call.services.run(encode_page, "events", encode_event, page)


@routes(
    "POST",
    "/v1/events",
    name="reportConversion",
    summary="Log a conversion, a custom event",
    answer=EventAnswer,
    level=KeyLevel.PUBLISHABLE,
)
async def report(call: Call[None, ConversionBody]) -> Encoded:
    """Store a custom event of the client."""
    conversion = conversion_of(call.body)
    return _answer(await call.services.run(call.services.engine.history.log_conversion, call.environment, conversion))


@routes("GET", "/v1/events/{id}", name="readEvent", summary="Get an event", answer=EventAnswer)
async def read(call: Call[None, None]) -> Encoded:
    """Read the event with an ``_id``."""
    return _answer(await call.services.run(call.services.engine.history.get, call.environment, call.path["id"]))


@routes("DELETE", "/v1/events/{id}", name="deleteEvent", summary="Delete an event", answer=EventAnswer)
async def delete(call: Call[None, None]) -> Encoded:
    """Delete the event with an ``_id`` and return it."""
    return _answer(await call.services.run(call.services.engine.history.delete, call.environment, call.path["id"]))


def conversion_of(body: ConversionBody) -> Conversion:
    """Return the engine's conversion for a request body."""
    kind, param = (body.name, "name") if body.name is not None else (body.type, "type")
    if kind is None:
        raise InvalidParameter("name", "name: this parameter is required; type is accepted, too.")
    if kind.lower().startswith(OWN_TYPES) and kind not in MESSAGE_TYPES:
        raise InvalidParameter(param, f"{param}: names that begin with user. are reserved.")
    if body.device_id is None and body.user_id is None and body.install_id is None:
        raise InvalidParameter("deviceId", "deviceId: deviceId, userId or installId is required.")
    metadata = NO_METADATA if body.metadata is None else check_metadata(body.metadata, max_keys=MAX_USER_KEYS)
    device_type = None if body.device_type is None else DeviceType(body.device_type)
    device = Device(device_type, body.device_os, body.device_make, body.device_model)
    reporter = Reporter(device, body.sdk_version, body.install_id)
    is_anonymous = bool(body.anonymous) or body.device_id == ANONYMOUS_DEVICE
    return Conversion(
        kind,
        body.device_id,
        body.user_id,
        body.created_at,
        metadata,
        reporter,
        is_anonymous,
        body.revenue,
        None if body.duration is None else body.duration * 60,
    )


def _answer(event: Event) -> Encoded:
    return encode_answer({"event": encode_event(event)})


def query_of(query: EventListQuery) -> EventQuery:
    """Return the engine's query."""
    return EventQuery(
        limit=query.limit or DEFAULT_LIMIT,
        user_id=query.user_id,
        device_id=query.device_id,
        types=_one_of(query.type),
        tags=_one_of(query.tag),
        external_id=query.external_id,
        created_before=query.created_before,
        created_after=query.created_after,
    )


def _one_of(text: str | None) -> frozenset[str]:
    """Return the values of comma-separated text, and the whole text, since a value may contain a comma."""
    return frozenset() if text is None else frozenset({text, *filter(None, map(str.strip, text.split(",")))})


@routes(
    "PUT",
    "/v1/events/{id}/verification",
    name="verifyEvent",
    summary="Accept or reject an event",
    answer=EventAnswer,
    level=KeyLevel.PUBLISHABLE,
)
async def verify(call: Call[None, VerificationBody]) -> Encoded:
    """Store the verification of an event."""
    verified, place = call.body.verification, call.body.verified_place_id
    engine = call.services.engine
    return _answer(await call.services.run(engine.history.verify, call.environment, call.path["id"], verified, place))


async def _number_after(call: Call[EventStreamQuery, None]) -> int | None:
    """Return the number of the last event that the client received; raises `InvalidParameter`."""
    header = call.last_event_id
    event_id = call.query.last_event_id if header is None else header
    if event_id is None or event_id == FROM_THE_FIRST:
        return None if event_id is None else 0
    number = await call.services.run(call.services.engine.history.number_of, call.environment, event_id)
    if number is None:
        param = "lastEventId" if header is None else "Last-Event-ID"
        raise InvalidParameter(
            param,
            f"{param}: no event of {call.environment.value.capitalize()} has the _id {shown(event_id)}; it may have "
            "been deleted. Leave it out to get only new events, or send 0 to get all.",
        )
    return number


def encode_message(event: Event) -> bytes:
    """Return an event as a message of the stream."""
    return b"id: %s\ndata: %s\n\n" % (event.id.encode(), orjson.dumps(encode_event(event)))
