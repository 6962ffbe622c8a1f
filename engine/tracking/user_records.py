"""The users of an open workspace: querying and deleting them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import shapely

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point, Ring
from engine.domain.metadata import matches
from engine.domain.queries import Change, NearbyUserQuery, Page, UserFilter, UserQuery
from engine.domain.routing import Router
from engine.domain.tracking.updates import User
from engine.domain.values import replace
from engine.geo.earth import distance_m
from engine.store.database import Database
from engine.store.queries import (
    count_users,
    find_user,
    user_of_install,
    user_page,
    users_after,
    users_in_box,
    users_in_geofence,
    users_with_ids,
)
from engine.store.records.cells import box_of_reach
from engine.store.users import remove_user
from engine.store.writer import Connection, Writer
from engine.tracking.context import Fences, with_extents
from engine.tracking.place_state import Around, chains_near, visible
from engine.tracking.segments import segments_of
from engine.tracking.settings import SettingsBook

AT_ONCE: Final = 500
"""Number of users read at a time when all are requested."""

_FIRST_LOOK_M: Final = 250.0
_ALONG_EDGES: Final = 1.01
"""Maximum factor by which an edge, straight on a map, may be farther away than the two vertices it connects."""


class Users:
    """Finds users, with the details that the settings allow to be shown. Thread-safe."""

    def __init__(
        self,
        database: Database,
        writer: Writer,
        books: Mapping[Environment, SettingsBook],
        geofence: Callable[[Environment, str], Geofence],
        router: Callable[[], Router],
        changed: Callable[[Change], None],
        fences: Mapping[Environment, Fences],
        around: Around,
    ) -> None:
        """Create the users of a workspace.

        `geofence` returns a geofence by its identifier. `changed` is called in the writer's thread after the commit.
        `fences` are the geofences by position, and `around` returns the chains near a position.
        """
        self._database = database
        self._writer = writer
        self._books = books
        self._geofence = geofence
        self._router = router
        self._changed = changed
        self._fences = fences
        self._around = around

    def page(self, environment: Environment, query: UserQuery) -> Page[User]:
        """Return users by update time, newest first."""
        page = self._database.read_at_once(lambda connection: user_page(connection, environment, query))
        return self._page_as_seen(environment, page)

    def all(self, environment: Environment, wanted: UserFilter) -> Iterator[tuple[User, ...]]:
        """Yield all users in batches, in the order of their identifiers."""
        after = ""
        while found := self._database.read(
            lambda connection, after=after: users_after(connection, environment, wanted, after, AT_ONCE)  # type: ignore[misc]
        ):
            yield tuple(self._as_seen(environment, user) for user in found)
            after = found[-1].id

    def count(self, environment: Environment, wanted: UserFilter) -> int:
        """Return how many users match."""
        return self._database.read(lambda connection: count_users(connection, environment, wanted))

    def get(self, environment: Environment, key: str) -> User:
        """Return the user with this _id, else user ID, else device ID (the last user). Raises `NotFound`."""
        return self._as_seen(environment, self._database.read(lambda connection: _user(connection, environment, key)))

    def nearby(self, environment: Environment, query: NearbyUserQuery) -> tuple[User, ...]:
        """Return users by distance, nearest first. Raises `InvalidParameter` ``near`` if no route is known."""
        rings = None if query.mode is None else rings_around(self._router(), query)
        found = self._database.read(lambda connection: nearby_users(connection, environment, query, rings))
        return tuple(self._as_seen(environment, user) for user in found)

    def of_app(self, environment: Environment, ids: Iterable[str], install_id: str | None) -> User | None:
        """Return the user with the first known of these IDs, or else the last user of an installed app, or None."""

        def find(connection: Connection) -> User | None:
            known = (find_user(connection, environment, key) for key in ids)
            user = next((each for each in known if each is not None), None)
            if user is None and install_id is not None:
                user = user_of_install(connection, environment, install_id)
            return user

        user = self._database.read(find)
        return None if user is None else self._as_seen(environment, user)

    def in_geofence(self, environment: Environment, geofence_id: str, query: UserQuery) -> Page[User]:
        """Return the users in a geofence by update time, newest first. Raises `NotFound`."""
        geofence = self._geofence(environment, geofence_id)
        page = self._database.read(lambda connection: users_in_geofence(connection, environment, geofence.id, query))
        return self._page_as_seen(environment, page)

    def delete(self, environment: Environment, key: str) -> User:
        """Delete a user with their presences and kept updates, and return the user. Their events are kept."""

        def work(connection: Connection) -> User:
            user = _user(connection, environment, key)
            remove_user(connection, user)
            return user

        return self._writer.run(work, lambda _: self._changed(Change(environment, reread=True)), forgets=True)

    def _as_seen(self, environment: Environment, user: User) -> User:
        book = self._books[environment]
        settings = book.settings
        user = with_extents(visible(user, settings, book.since), self._fences[environment])
        if settings.places:
            user = replace(user, nearby_chains=chains_near(user.fix, settings, self._around))
        return replace(user, segments=segments_of(user, settings)) if settings.segments else user

    def _page_as_seen(self, environment: Environment, page: Page[User]) -> Page[User]:
        return Page(tuple(self._as_seen(environment, user) for user in page.items), page.has_more)


def _user(connection: Connection, environment: Environment, key: str) -> User:
    user = find_user(connection, environment, key)
    if user is None:
        raise NotFound("id", f"No user has the ID, user ID or device ID {key!r}.")
    return user


def nearby_users(
    connection: Connection, environment: Environment, query: NearbyUserQuery, rings: tuple[Ring, ...] | None
) -> tuple[User, ...]:
    """Return users by distance, nearest first. With `rings`, only users inside one of them."""
    wanted = None if rings is None else shapely.MultiPolygon([shapely.Polygon(ring) for ring in rings])
    reach_m = query.radius_m if rings is None else _reach_m(query.near, rings)
    found: list[tuple[float, str]] = []
    # If there are many users, the nearest ones are close, so the search area grows step by step.
    for within_m in _widening(reach_m):
        found = []
        for user_id, point, metadata in users_in_box(connection, environment, box_of_reach(query.near, within_m)):
            away = distance_m(query.near.longitude, query.near.latitude, point.longitude, point.latitude)
            near = away <= within_m and (wanted is None or _holds(wanted, point))
            if near and matches(metadata, query.metadata):
                found.append((away, user_id))
        if len(found) >= query.limit:
            break
    chosen = [user_id for _, user_id in sorted(found)[: query.limit]]
    users = {user.id: user for user in users_with_ids(connection, chosen)}
    return tuple(users[user_id] for user_id in chosen)


def rings_around(router: Router, query: NearbyUserQuery) -> tuple[Ring, ...] | None:
    """Return the rings from within which one arrives in time, or None if the query is for a distance."""
    if query.mode is None:
        return None
    (rings,) = router.isochrones(query.near, [query.minutes], query.mode, "near").bands
    return rings


def _holds(area: shapely.MultiPolygon, point: Point) -> bool:
    return bool(shapely.intersects_xy(area, point.longitude, point.latitude))


def _reach_m(near: Point, rings: tuple[Ring, ...]) -> float:
    """Return a distance from a point within which all rings lie."""
    corners = [position for ring in rings for position in ring]
    away = max((distance_m(near.longitude, near.latitude, *corner) for corner in corners), default=0.0)
    return away * _ALONG_EDGES


def _widening(reach_m: float) -> Iterator[float]:
    """Yield increasing distances, ending with `reach_m`."""
    within_m = _FIRST_LOOK_M
    while within_m < reach_m:
        yield within_m
        within_m *= 2
    yield reach_m
