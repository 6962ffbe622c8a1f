"""Trips: create, change, list, read and delete them, and advance through their legs."""

from functools import partial

from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.portions import encode_page
from app.api.wire.event import TripOutcomeAnswer, encode_event
from app.api.wire.trips.record import TripAnswer, TripListAnswer, encode_leg, encode_trip
from app.api.wire.trips.request import (
    LegOrderBody,
    LegUpdateBody,
    TripCreateBody,
    TripListQuery,
    TripUpdateBody,
    trip_change,
)
from engine.domain.environment import KeyLevel
from engine.domain.tracking.trips import Trip, TripQuery
from engine.trips.trips import TripOutcome

routes = Routes(KeyLevel.PUBLISHABLE)


@routes("POST", "/v1/trips", name="createTrip", summary="Create a trip", answer=TripOutcomeAnswer, errors=(409, 503))
async def create(call: Call[None, TripCreateBody]) -> Encoded:
    """Store a new trip, which waits for its user's first location update."""
    return _outcome(
        await call.services.run(call.services.engine.trips.create, call.environment, trip_change(call.body))
    )


@routes(
    "GET",
    "/v1/trips",
    name="listTrips",
    summary="List trips, newest update first",
    answer=TripListAnswer,
    level=KeyLevel.SECRET,
)
async def list_trips(call: Call[TripListQuery, None]) -> Encoded:
    """List trips, newest update first."""
    trips = partial(call.services.engine.trips.page, call.environment, query_of(call.query))
    return await call.services.run(lambda: encode_page("trips", encode_trip, trips()))


@routes(
    "GET",
    "/v1/trips/{id}",
    name="readTrip",
    summary="Get a trip by _id or externalId",
    answer=TripAnswer,
    level=KeyLevel.SECRET,
)
async def read(call: Call[None, None]) -> Encoded:
    """Read the trip with an ``_id`` or external ID."""
    return _answer(await call.services.run(call.services.engine.trips.get, call.environment, call.path["id"]))


@routes(
    "DELETE",
    "/v1/trips/{id}",
    name="deleteTrip",
    summary="Delete a trip by _id or externalId",
    answer=TripAnswer,
    level=KeyLevel.SECRET,
)
async def delete(call: Call[None, None]) -> Encoded:
    """Delete the trip with an ``_id`` or external ID and return it; its events are kept."""
    return _answer(await call.services.run(call.services.engine.trips.delete, call.environment, call.path["id"]))


@routes(
    "PATCH",
    "/v1/trips/{id}/update",
    name="updateTrip",
    summary="Update a trip or its status",
    answer=TripOutcomeAnswer,
    errors=(503,),
)
async def update(call: Call[None, TripUpdateBody]) -> Encoded:
    """Change the trip with an ``_id`` or external ID."""
    change = trip_change(call.body)
    return _outcome(
        await call.services.run(call.services.engine.trips.update, call.environment, call.path["id"], change)
    )


@routes(
    "PATCH",
    "/v1/trips/{id}/legs/{legId}",
    name="updateTripLeg",
    summary="Set the status of a leg of a trip",
    answer=TripOutcomeAnswer,
)
async def update_leg(call: Call[None, LegUpdateBody]) -> Encoded:
    """Set the status of a leg of a trip."""
    trips, status = call.services.engine.trips, call.body.status
    legs = partial(trips.update_leg, call.environment, call.path["id"], call.path["legId"], status)
    return _outcome(await call.services.run(legs))


@routes(
    "PUT", "/v1/trips/{id}/legs", name="reorderTripLegs", summary="Reorder the legs of a trip", answer=TripOutcomeAnswer
)
async def reorder(call: Call[None, LegOrderBody]) -> Encoded:
    """Reorder the legs of a trip."""
    order = tuple(call.body.legs)
    return _outcome(
        await call.services.run(call.services.engine.trips.reorder, call.environment, call.path["id"], order)
    )


def _answer(trip: Trip) -> Encoded:
    return encode_answer({"trip": encode_trip(trip)})


def _outcome(outcome: TripOutcome) -> Encoded:
    leg = {} if outcome.leg is None else {"leg": encode_leg(outcome.leg)}
    return encode_answer({"trip": encode_trip(outcome.trip), **leg, "events": list(map(encode_event, outcome.events))})


def query_of(query: TripListQuery) -> TripQuery:
    """Return the engine's query."""
    return TripQuery(
        limit=query.limit,
        statuses=query.status,
        external_ids=frozenset(query.external_id or ()),
        user_id=query.user_id,
        created_before=query.created_before,
        created_after=query.created_after,
        updated_before=query.updated_before,
        updated_after=query.updated_after,
    )
