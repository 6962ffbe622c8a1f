"""What is near a point: GET /v1/search/geofences and /v1/search/users."""

from dataclasses import replace
from types import MappingProxyType

from app.api.answers import GeofenceSearchAnswer, UserSearchAnswer
from app.api.encoding import Encoded, encode_answer, encode_found, encode_user
from app.api.endpoint_limits import Rate
from app.api.operations import Call, Operation, Resource
from app.api.requests import GeofenceSearchQuery, UserSearchQuery
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude
from engine.domain.metadata import NO_METADATA
from engine.domain.queries import DEFAULT_LIMIT, NearbyQuery, NearbyUserQuery
from engine.domain.routing import check_minutes
from engine.domain.travel import TravelMode

MAX_WITH_GEOMETRY = 100
DEFAULT_USERS = 10
MIN_USER_RADIUS_M = 100
MAX_USER_RADIUS_M = 10_000


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
    return NearbyQuery(
        near=_near(query.near),
        limit=query.limit or DEFAULT_LIMIT,
        radius_m=query.radius,
        tags=query.tags or frozenset(),
        metadata=NO_METADATA if query.metadata is None else MappingProxyType(query.metadata),
    )


async def search_users(call: Call[UserSearchQuery, None]) -> Encoded:
    """Find users, nearest first."""
    query = user_query_of(call.query)
    found = await call.services.run(call.services.engine.nearby_users, call.environment, query)
    return encode_answer({"users": [encode_user(user) for user in found]})


def user_query_of(query: UserSearchQuery) -> NearbyUserQuery:
    """Return the engine's query; what `radius` counts depends on `mode`."""
    mode = None if query.mode is None else TravelMode(query.mode)
    near = NearbyUserQuery(
        near=_near(query.near),
        limit=query.limit or DEFAULT_USERS,
        mode=mode,
        metadata=NO_METADATA if query.metadata is None else MappingProxyType(query.metadata),
    )
    if query.radius is None:
        return near
    if mode is not None:
        return replace(near, minutes=check_minutes(query.radius, "radius"))
    if not MIN_USER_RADIUS_M <= query.radius <= MAX_USER_RADIUS_M:
        within = f"within [{MIN_USER_RADIUS_M}, {MAX_USER_RADIUS_M}] metres"
        raise InvalidParameter("radius", f"radius: must be {within}, not {query.radius:g}.")
    return replace(near, radius_m=query.radius)


def _near(given: tuple[float, float]) -> Point:
    latitude, longitude = given
    return Point(check_longitude(longitude, "near"), check_latitude(latitude, "near"))


RESOURCES = (
    Resource(
        "/v1/search/users",
        {
            "GET": Operation(
                name="searchUsers",
                summary="Find users near a point, nearest first",
                level=KeyLevel.SECRET,
                rate=Rate(100),
                handler=search_users,
                query=UserSearchQuery,
                answer=UserSearchAnswer,
            )
        },
    ),
    Resource(
        "/v1/search/geofences",
        {
            "GET": Operation(
                name="searchGeofences",
                summary="Find geofences near a point, nearest first",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(100),
                handler=search_geofences,
                query=GeofenceSearchQuery,
                answer=GeofenceSearchAnswer,
            )
        },
    ),
)
