"""Trips: create, change, list, read and delete them, and advance through their legs."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from app.api.http.rates import Rate
from app.api.v1.operations import Call, Routes
from app.api.v1.route import Found, answer_along_roads
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.portions import encode_page
from app.api.wire.event import TripOutcomeAnswer, encode_event
from app.api.wire.trips.record import (
    TripAnswer,
    TripDetailsRecord,
    TripListAnswer,
    TripRouteAnswer,
    encode_details,
    encode_leg,
    encode_trip_route,
)
from app.api.wire.trips.request import (
    LegOrderBody,
    LegUpdateBody,
    TripCreateBody,
    TripListQuery,
    TripQueryOptions,
    TripUpdateBody,
    trip_change,
)
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.queries import TripDetails
from engine.domain.routing import MAX_PATH, Fixed, Router
from engine.domain.tracking.trips import DEFAULT_TRIPS, Trip, TripQuery
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.trips.trips import TripOutcome

routes = Routes(KeyLevel.PUBLISHABLE)

MOST_WITH_LOCATIONS: Final = 100
"""Maximum number of trips in a list with locations, and its number by default."""

MOST_LISTED_LOCATIONS: Final = 1_000
"""Maximum number of locations of a trip in a list."""

MOST_LOCATIONS: Final = 100_000
"""Maximum number of locations of a single trip, and of those that its route is matched from."""


@routes("POST", "/v1/trips", name="createTrip", summary="Create a trip", answer=TripOutcomeAnswer, errors=(409, 503))
async def create(call: Call[None, TripCreateBody]) -> Encoded:
    """Store a new trip, which waits for its user's first location update."""
    trips, change = call.services.engine.trips, trip_change(call.body)
    return await _changed(call, partial(trips.create, call.environment, change))


@routes(
    "GET",
    "/v1/trips",
    name="listTrips",
    summary="List trips, newest first",
    answer=TripListAnswer,
    level=KeyLevel.SECRET,
)
async def list_trips(call: Call[TripListQuery, None]) -> Encoded:
    """List trips, newest first by the order of `sortBy`."""
    trips, query = call.services.engine.trips, call.query
    most = MOST_LISTED_LOCATIONS if query.include_locations else 0
    wanted = query_of(query)
    if most and "limit" not in query.model_fields_set:
        wanted = replace(wanted, limit=MOST_WITH_LOCATIONS)
    if most and wanted.limit > MOST_WITH_LOCATIONS:
        raise InvalidParameter("limit", f"limit: must be at most {MOST_WITH_LOCATIONS} with includeLocations.")

    def run() -> Encoded:
        page = trips.page(call.environment, wanted)
        users = trips.users_of(call.environment, page.items)

        def encode(trip: Trip) -> TripDetailsRecord:
            return encode_details(trips.details_of(trip, users.get(trip.id), locations=most))

        return encode_page("trips", encode, page)

    return await call.services.run(run)


@routes(
    "GET",
    "/v1/trips/{id}",
    name="readTrip",
    summary="Get a trip by _id or externalId",
    answer=TripAnswer,
    level=KeyLevel.SECRET,
)
async def read(call: Call[TripQueryOptions, None]) -> Encoded:
    """Read the trip with an ``_id`` or external ID."""
    most = MOST_LOCATIONS if call.query.include_locations else 0
    return _answer(await call.services.run(partial(_details, call, locations=most)))


@routes(
    "GET",
    "/v1/trips/{id}/route",
    name="readTripRoute",
    summary="Get the roads that the user of an ended trip followed",
    answer=TripRouteAnswer,
    level=KeyLevel.SECRET,
    rate=Rate(100),
    errors=(503,),
)
async def read_route(call: Call[None, None]) -> Encoded:
    """Match the kept locations of an ended trip to roads."""
    details = await call.services.run(partial(_details, call, locations=MOST_LOCATIONS))
    path = path_of(details)
    return await answer_along_roads(call, partial(_route, path, details.trip.mode))


def path_of(details: TripDetails) -> list[Fixed]:
    """Return the path of an ended trip. Raises `InvalidParameter` for one in progress, or without a path."""
    status, found = details.trip.status, details.locations or ()
    if status.is_open:
        raise InvalidParameter("id", f"id: this trip is {status}; it has a route once it has ended.")
    if len(found) < 2:
        kept = "has no kept locations" if not found else "has only one kept location"
        raise InvalidParameter("id", f"id: this trip {kept}; a route needs two.")
    count = min(len(found), MAX_PATH)
    chosen = (found[number * (len(found) - 1) // (count - 1)] for number in range(count))
    # Without times: those of a test's updates, sent within moments, would forbid every road.
    return [Fixed(each.point, accuracy_m=each.accuracy_m) for each in chosen]


def _route(path: Sequence[Fixed], mode: TravelMode, router: Router) -> Found:
    try:
        return encode_trip_route(router.match(path, mode)), []
    except InvalidParameter as error:
        raise InvalidParameter("id", f"id: the locations of this trip: {error.message}") from None


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
    trips = call.services.engine.trips
    return _answer(await call.services.run(lambda: trips.details(trips.delete(call.environment, call.path["id"]))))


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
    trips, change = call.services.engine.trips, trip_change(call.body)
    return await _changed(call, partial(trips.update, call.environment, call.path["id"], change))


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
    return await _changed(call, legs)


@routes(
    "PUT", "/v1/trips/{id}/legs", name="reorderTripLegs", summary="Reorder the legs of a trip", answer=TripOutcomeAnswer
)
async def reorder(call: Call[None, LegOrderBody]) -> Encoded:
    """Reorder the legs of a trip."""
    trips, order = call.services.engine.trips, tuple(call.body.legs)
    return await _changed(call, partial(trips.reorder, call.environment, call.path["id"], order))


def _details(call: Call[Any, Any], *, locations: int) -> TripDetails:
    trips = call.services.engine.trips
    return trips.details(trips.get(call.environment, call.path["id"]), locations=locations)


def _answer(details: TripDetails) -> Encoded:
    return encode_answer({"trip": encode_details(details)})


async def _changed(call: Call[Any, Any], change: Callable[[], TripOutcome]) -> Encoded:
    """Make a change and return the trip with its user, and its events."""
    trips = call.services.engine.trips

    def run() -> tuple[TripOutcome, TripDetails]:
        outcome = change()
        return outcome, trips.details(outcome.trip)

    outcome, details = await call.services.run(run)
    leg = {} if outcome.leg is None else {"leg": encode_leg(outcome.leg)}
    return encode_answer({"trip": encode_details(details), **leg, "events": list(map(encode_event, outcome.events))})


def query_of(query: TripListQuery) -> TripQuery:
    """Return the engine's query."""
    return TripQuery(
        limit=query.limit or DEFAULT_TRIPS,
        statuses=query.status,
        external_ids=frozenset(query.external_id or ()),
        tag=query.destination_geofence_tag,
        external_id=query.destination_geofence_external_id,
        is_late=query.delayed,
        user=query.user_id,
        by_creation=query.sort_by == "createdAt",
        created_before=query.created_before,
        created_after=query.created_after,
        updated_before=query.updated_before,
        updated_after=query.updated_after,
    )
