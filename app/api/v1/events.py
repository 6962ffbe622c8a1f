"""GET /v1/events: the events of an environment, and waiting for the first one."""

import asyncio

from app.api.answers import EventListAnswer
from app.api.encoding import Encoded, encode_answer, encode_event
from app.api.feed import Waiter
from app.api.operations import Call, Operation, Resource
from app.api.requests import EventListQuery
from engine.domain.environment import Environment, KeyLevel
from engine.domain.queries import DEFAULT_LIMIT, EventQuery, Page
from engine.domain.tracking import Event


async def list_events(call: Call[EventListQuery, None]) -> Encoded:
    """List events, newest first; with `waitSeconds`, wait for the first when there is none yet."""
    query = query_of(call.query)
    if call.query.wait_seconds:
        page = await _first_events(call, query)
    else:
        page = await call.services.run(call.services.engine.events, call.environment, query)
    return encode_answer({"events": [encode_event(event) for event in page.items]}, has_more=page.has_more)


async def _first_events(call: Call[EventListQuery, None], query: EventQuery) -> Page[Event]:
    environment: Environment = call.environment
    deadline = asyncio.get_running_loop().time() + call.query.wait_seconds
    # Listening starts before the first look, so that no event falls between the two.
    with Waiter(call.services.feed, environment, query) as waiter:
        while True:
            page = await call.services.run(call.services.engine.events, environment, query)
            if page.items or not await waiter.wait(deadline):
                return page


def query_of(query: EventListQuery) -> EventQuery:
    """Return the engine's query."""
    return EventQuery(
        limit=query.limit or DEFAULT_LIMIT,
        user_id=query.user_id,
        device_id=query.device_id,
        type=query.type,
        tag=query.tag,
        external_id=query.external_id,
        created_before=query.created_before,
        created_after=query.created_after,
    )


RESOURCES = (
    Resource(
        "/v1/events",
        {
            "GET": Operation(
                name="listEvents",
                summary="List events, newest first, or wait for the first",
                level=KeyLevel.SECRET,
                handler=list_events,
                query=EventListQuery,
                answer=EventListAnswer,
            )
        },
    ),
)
