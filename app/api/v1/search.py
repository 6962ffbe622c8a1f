"""GET /v1/search/geofences: the geofences near a point."""

from types import MappingProxyType

from app.api.answers import GeofenceSearchAnswer
from app.api.encoding import Encoded, encode_answer, encode_found
from app.api.operations import Call, Operation, Resource
from app.api.requests import GeofenceSearchQuery
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude
from engine.domain.metadata import NO_METADATA
from engine.domain.queries import DEFAULT_LIMIT, NearbyQuery

MAX_WITH_GEOMETRY = 100


async def search_geofences(call: Call[GeofenceSearchQuery, None]) -> Encoded:
    """Find geofences, nearest first."""
    include_geometry = call.query.include_geometry is not False
    query = query_of(call.query)
    if include_geometry and query.limit > MAX_WITH_GEOMETRY:
        raise InvalidParameter("limit", "limit: more than 100 results need includeGeometry=false.")
    found = await call.services.run(call.services.engine.nearby_geofences, call.environment, query)
    geofences = await call.services.run(lambda: [encode_found(nearby.geofence, include_geometry) for nearby in found])
    return encode_answer({"geofences": geofences})


def query_of(query: GeofenceSearchQuery) -> NearbyQuery:
    """Return the engine's query."""
    latitude, longitude = query.near
    return NearbyQuery(
        near=Point(check_longitude(longitude, "near"), check_latitude(latitude, "near")),
        limit=query.limit or DEFAULT_LIMIT,
        radius_m=query.radius,
        tags=query.tags or frozenset(),
        metadata=NO_METADATA if query.metadata is None else MappingProxyType(query.metadata),
    )


RESOURCES = (
    Resource(
        "/v1/search/geofences",
        {
            "GET": Operation(
                name="searchGeofences",
                summary="Find geofences near a point, nearest first",
                level=KeyLevel.PUBLISHABLE,
                handler=search_geofences,
                query=GeofenceSearchQuery,
                answer=GeofenceSearchAnswer,
            )
        },
    ),
)
