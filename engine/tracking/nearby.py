"""Users by where they are: within a distance, or within a time of travel."""

import shapely

from engine.domain.environment import Environment
from engine.domain.geometry import Point, Ring
from engine.domain.queries import NearbyUserQuery, matches
from engine.domain.routing import Router
from engine.domain.tracking import User
from engine.geo.earth import distance_m
from engine.store.queries import users_in_box, users_with_ids
from engine.store.rows import box_of_reach
from engine.store.writer import Connection

type Box = tuple[float, float, float, float]


def nearby_users(
    connection: Connection, environment: Environment, query: NearbyUserQuery, rings: tuple[Ring, ...] | None
) -> tuple[User, ...]:
    """Return users by their distance, nearest first; with `rings`, those inside one of them."""
    box = box_of_reach(query.near, query.radius_m) if rings is None else _box_of(rings)
    wanted = None if rings is None else shapely.MultiPolygon([shapely.Polygon(ring) for ring in rings])
    found: list[tuple[float, str]] = []
    for user_id, point, metadata in users_in_box(connection, environment, box):
        away = distance_m(query.near.longitude, query.near.latitude, point.longitude, point.latitude)
        near = away <= query.radius_m if wanted is None else _holds(wanted, point)
        if near and matches(metadata, query.metadata):
            found.append((away, user_id))
    chosen = [user_id for _, user_id in sorted(found)[: query.limit]]
    users = {user.id: user for user in users_with_ids(connection, chosen)}
    return tuple(users[user_id] for user_id in chosen)


def rings_around(router: Router, query: NearbyUserQuery) -> tuple[Ring, ...] | None:
    """Return from within which rings one travels there in time; None when the query is about a distance."""
    if query.mode is None:
        return None
    (rings,) = router.isochrones(query.near, [query.minutes], query.mode, "near")
    return rings


def _holds(area: shapely.MultiPolygon, point: Point) -> bool:
    return bool(shapely.intersects_xy(area, point.longitude, point.latitude))


def _box_of(rings: tuple[Ring, ...]) -> Box:
    if not rings:
        return 0.0, 1.0, 0.0, -1.0
    positions = [position for ring in rings for position in ring]
    longitudes, latitudes = zip(*positions, strict=True)
    return min(longitudes), min(latitudes), max(longitudes), max(latitudes)
