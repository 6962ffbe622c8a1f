"""Searches near a point: GET /v1/search/geofences, /v1/search/users and /v1/search/beacons."""

from functools import partial
from types import MappingProxyType

from app.api.http.rates import Rate
from app.api.v1.operations import Call, Routes
from app.api.wire.beacon import BeaconSearchAnswer, BeaconSearchQuery, encode_found_beacons
from app.api.wire.common.encoding import Encoded, encode_answer, in_json
from app.api.wire.geofence import GeofenceSearchAnswer, GeofenceSearchQuery, encode_found
from app.api.wire.user import UserSearchAnswer, UserSearchQuery, encode_user
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude
from engine.domain.metadata import NO_METADATA
from engine.domain.queries import DEFAULT_LIMIT, NearbyQuery, NearbyUserQuery
from engine.domain.routing import check_minutes
from engine.domain.travel import TravelMode
from engine.domain.values import replace

MAX_WITH_GEOMETRY = 100
DEFAULT_USERS = 10
MIN_USER_RADIUS_M = 100
MAX_USER_RADIUS_M = 10_000
DEFAULT_BEACONS = 10
DEFAULT_BEACON_RADIUS_M = 1_000.0


routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "GET",
    "/v1/search/users",
    name="searchUsers",
    summary="Find users near a point, nearest first",
    answer=UserSearchAnswer,
    level=KeyLevel.SECRET,
    rate=Rate(100),
)
async def search_users(call: Call[UserSearchQuery, None]) -> Encoded:
    """Find users, nearest first."""
    query = user_query_of(call.query)
    found = await call.services.run(call.services.engine.users.nearby, call.environment, query)
    return encode_answer({"users": [in_json(encode_user(user)) for user in found]})


def query_of(query: GeofenceSearchQuery) -> NearbyQuery:
    """Return the engine's query."""
    return NearbyQuery(
        near=_near(query.near),
        limit=query.limit or DEFAULT_LIMIT,
        radius_m=query.radius,
        tags=query.tags or frozenset(),
        metadata=NO_METADATA if query.metadata is None else MappingProxyType(query.metadata),
    )


@routes(
    "GET",
    "/v1/search/geofences",
    name="searchGeofences",
    summary="Find geofences near a point, nearest first",
    answer=GeofenceSearchAnswer,
    rate=Rate(100),
)
async def search_geofences(call: Call[GeofenceSearchQuery, None]) -> Encoded:
    """Find geofences, nearest first."""
    include_geometry = call.query.include_geometry is not False
    query = query_of(call.query)
    if include_geometry and query.limit > MAX_WITH_GEOMETRY:
        raise InvalidParameter("limit", "limit: more than 100 results need includeGeometry=false.")
    found = await call.services.run(call.services.engine.geofences.nearby, call.environment, query)
    encode = partial(encode_found, include_geometry=include_geometry)
    geofences = await call.services.run(lambda: [in_json(encode(nearby.geofence)) for nearby in found])
    return encode_answer({"geofences": geofences})


def user_query_of(query: UserSearchQuery) -> NearbyUserQuery:
    """Return the engine's query; the meaning of `radius` depends on `mode`."""
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


@routes(
    "GET",
    "/v1/search/beacons",
    name="searchBeacons",
    summary="Find enabled beacons near a point, nearest first",
    answer=BeaconSearchAnswer,
)
async def search_beacons(call: Call[BeaconSearchQuery, None]) -> Encoded:
    """Find enabled beacons, nearest first, and the identifiers for an SDK to scan for."""
    found = await call.services.run(call.services.engine.beacons.nearby, call.environment, beacon_query_of(call.query))
    return encode_found_beacons([nearby.beacon for nearby in found])


def beacon_query_of(query: BeaconSearchQuery) -> NearbyQuery:
    """Return the engine's query."""
    return NearbyQuery(
        near=_near(query.near),
        limit=query.limit or DEFAULT_BEACONS,
        radius_m=query.radius or DEFAULT_BEACON_RADIUS_M,
        tags=query.tags or frozenset(),
        metadata=NO_METADATA if query.metadata is None else MappingProxyType(query.metadata),
    )


def _near(given: tuple[float, float]) -> Point:
    latitude, longitude = given
    return Point(check_longitude(longitude, "near"), check_latitude(latitude, "near"))
