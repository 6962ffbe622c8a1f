"""Queries for stored records. Each function takes a connection and an environment."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, Protocol

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.metadata import Metadata, matches
from engine.domain.queries import (
    BeaconQuery,
    Counts,
    EventFilter,
    EventQuery,
    EventRun,
    GeofenceQuery,
    Page,
    RecordQuery,
    UserFilter,
    UserQuery,
)
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.updates import Event, User, UserSummary
from engine.domain.values import replace
from engine.store.beacons import beacon_of, beacons_near
from engine.store.paging import between, page_of
from engine.store.records.cells import cell_ranges, cell_rows
from engine.store.records.contents import metadata_of
from engine.store.records.geofence_rows import geofence_of
from engine.store.records.rows import event_of, user_of
from engine.store.staging.records import BEACONS, GEOFENCES
from engine.store.tables import events, presences, user_cells, users
from engine.store.trips import active_trips

_MOST_CELL_ROWS: Final = 400
"""Number of cell rows above which reading all users is not slower."""

_NEAR: Final = 20
"""Factor by which more of the last events are searched than are requested, to find those of one environment."""

_IN_BOX: Final = sa.select(users.c.id, users.c.longitude, users.c.latitude, users.c.metadata).where(
    users.c.live == sa.bindparam("live"),
    users.c.latitude.between(sa.bindparam("south"), sa.bindparam("north")),
    users.c.longitude.between(sa.bindparam("west"), sa.bindparam("east")),
)
_OF_DEVICE: Final = sa.select(users).where(
    users.c.live == sa.bindparam("live"), users.c.device_id == sa.bindparam("device")
)
"""Built once because it runs for the first update of every device."""

_IN_CELLS: Final = _IN_BOX.join_from(users, user_cells, user_cells.c.user == users.c.id).where(
    user_cells.c.live == sa.bindparam("live"),
    user_cells.c.cell.between(sa.bindparam("first"), sa.bindparam("last")),
)


def geofence_page(connection: sa.Connection, environment: Environment, query: GeofenceQuery) -> Page[Geofence]:
    """Return geofences by update time, newest first."""
    return record_page(connection, environment, GEOFENCES.present(connection), geofence_of, query)


def beacon_page(connection: sa.Connection, environment: Environment, query: BeaconQuery) -> Page[Beacon]:
    """Return beacons by update time, newest first."""
    return record_page(connection, environment, BEACONS.present(connection), beacon_of, query)


class Record(Protocol):
    """A stored record with metadata."""

    @property
    def metadata(self) -> Metadata:
        """Key-value pairs set by the client."""
        ...


def record_page[R: Record](
    connection: sa.Connection,
    environment: Environment,
    records: sa.FromClause,
    record_of: Callable[[sa.Row[Any]], R],
    query: RecordQuery,
) -> Page[R]:
    """Return records of a table with tag and external ID by update time, newest first."""
    table = records.c
    statement = (
        sa.select(records)
        .where(table.live == int(environment.live))
        .where(*_equal({table.tag: query.tag, table.external_id: query.external_id}))
        .where(*between(table.created_at, query.created_after, query.created_before))
        .where(*between(table.updated_at, query.updated_after, query.updated_before))
        .order_by(table.updated_at.desc(), table.id.desc())
    )
    found = map(record_of, connection.execute(statement))
    return page_of((record for record in found if matches(record.metadata, query.metadata)), query.limit)


def user_page(connection: sa.Connection, environment: Environment, query: UserQuery) -> Page[User]:
    """Return users by update time, newest first, each with the geofences they are in and the beacons they are near."""
    return _user_page(connection, environment, query)


def users_in_geofence(
    connection: sa.Connection, environment: Environment, geofence_id: str, query: UserQuery
) -> Page[User]:
    """Return the users in a geofence by update time, newest first."""
    inside = sa.select(presences.c.user).where(presences.c.geofence == geofence_id)
    return _user_page(connection, environment, query, users.c.id.in_(inside))


def _user_page(
    connection: sa.Connection, environment: Environment, query: UserQuery, *wanted: sa.ColumnElement[bool]
) -> Page[User]:
    table = users.c
    statement = (
        sa.select(users)
        .where(*_users_wanted(environment, query), *wanted)
        .order_by(table.updated_at.desc(), table.id.desc())
        .limit(query.limit + 1)
    )
    rows = connection.execute(statement).all()
    return page_of(_with_surroundings(connection, rows), query.limit)


def users_after(
    connection: sa.Connection, environment: Environment, wanted: UserFilter, after: str, limit: int
) -> list[User]:
    """Return the first users whose identifier comes after another, sorted by identifier."""
    of_environment, *others = _users_wanted(environment, wanted)
    if not (wanted.user_id or wanted.device_id):
        # Prevents the use of the index by environment, with which all users would be read and sorted for each part.
        of_environment = users.c.live + 0 == int(environment.live)
    statement = sa.select(users).where(users.c.id > after, of_environment, *others).order_by(users.c.id).limit(limit)
    return _with_surroundings(connection, connection.execute(statement).all())


def count_users(connection: sa.Connection, environment: Environment, wanted: UserFilter) -> int:
    """Return the number of users that match."""
    statement = sa.select(sa.func.count()).select_from(users).where(*_users_wanted(environment, wanted))
    return int(connection.execute(statement).scalar_one())


def _users_wanted(environment: Environment, wanted: UserFilter) -> Iterator[sa.ColumnElement[bool]]:
    table = users.c
    yield table.live == int(environment.live)
    yield from _equal({table.user_id: wanted.user_id, table.device_id: wanted.device_id})
    yield from between(table.updated_at, wanted.updated_after, wanted.updated_before)


def users_in_box(
    connection: sa.Connection, environment: Environment, box: tuple[float, float, float, float]
) -> Iterator[tuple[str, Point, Metadata]]:
    """Yield the identifier, position and metadata of each user within a box: west, south, east, north."""
    west, south, east, north = box
    values = {"live": int(environment.live), "west": west, "south": south, "east": east, "north": north}
    wide = cell_rows(box) > _MOST_CELL_ROWS
    cells = [{}] if wide else [{"first": first, "last": last} for first, last in cell_ranges(box)]
    statement = _IN_BOX if wide else _IN_CELLS
    found = chain.from_iterable(connection.execute(statement, values | each) for each in cells)
    for user_id, longitude, latitude, metadata in found:
        yield user_id, Point(longitude, latitude), metadata_of(metadata)


def users_with_ids(connection: sa.Connection, ids: Sequence[str]) -> list[User]:
    """Return users in no particular order, each with the geofences they are in."""
    return _with_surroundings(connection, connection.execute(sa.select(users).where(users.c.id.in_(ids))).all())


def find_user(connection: sa.Connection, environment: Environment, key: str) -> User | None:
    """Return the user with an identifier, user ID or device ID, in this order. The one updated last is preferred."""
    table = users.c
    for column in (table.id, table.user_id, table.device_id):
        statement = (
            sa.select(users)
            .where(table.live == int(environment.live), column == key)
            .order_by(table.updated_at.desc(), table.id.desc())
            .limit(1)
        )
        if found := _with_surroundings(connection, connection.execute(statement).all()):
            return found[0]
    return None


def summaries_of_users(
    connection: sa.Connection, environment: Environment, keys: Iterable[str]
) -> dict[str, UserSummary]:
    """Return users by the keys that `find_user` finds them with, without reading each of them on its own."""
    found: dict[str, UserSummary] = {}
    table, wanted = users.c, set(keys)
    for column in (table.id, table.user_id, table.device_id):
        statement = (
            sa.select(users, column.label("key"))
            .where(table.live == int(environment.live), column.in_(wanted - found.keys()))
            .order_by(table.updated_at, table.id)
        )
        found |= {row.key: user_of(row).summary for row in connection.execute(statement)}
    return found


def user_of_install(connection: sa.Connection, environment: Environment, install_id: str) -> User | None:
    """Return the user of an installed app who was updated last."""
    table = users.c
    statement = (
        sa.select(users)
        .where(table.live == int(environment.live), table.install_id == install_id)
        .order_by(table.updated_at.desc(), table.id.desc())
        .limit(1)
    )
    found = _with_surroundings(connection, connection.execute(statement).all())
    return found[0] if found else None


def _with_surroundings(connection: sa.Connection, rows: Sequence[sa.Row[Any]]) -> list[User]:
    """Return users, each with the geofences they are in, the beacons they are near and the trip they are on."""
    if not rows:
        return []
    ids = [row.id for row in rows]
    inside, near = _geofences_around(connection, ids), beacons_near(connection, ids)
    trips = active_trips(connection, ids)
    users_inside = (user_of(row, tuple(inside[row.id]), near.get(row.id, ())) for row in rows)
    return [replace(user, trip=trips[user.id]) if user.id in trips else user for user in users_inside]


def _geofences_around(connection: sa.Connection, ids: list[str]) -> dict[str, list[GeofenceSummary]]:
    """Return the geofences that each user is in, sorted by tag and external ID."""
    table = GEOFENCES.present(connection)
    fence = table.c
    columns = (fence.id, fence.tag, fence.external_id, fence.description, fence.metadata)
    statement = (
        sa.select(presences.c.user, *columns)
        .join(table, fence.id == presences.c.geofence)
        .where(presences.c.user.in_(ids))
        .order_by(fence.tag, fence.external_id)
    )
    found: dict[str, list[GeofenceSummary]] = defaultdict(list)
    for row in connection.execute(statement):
        summary = GeofenceSummary(row.id, row.tag, row.external_id, row.description, metadata_of(row.metadata))
        found[row.user].append(summary)
    return found


def event_page(connection: sa.Connection, environment: Environment, query: EventQuery) -> Page[Event]:
    """Return events by time, newest first."""
    table = events.c
    statement = (
        sa.select(events)
        .where(*_events_wanted(environment, query))
        .order_by(table.created_at.desc(), table.number.desc())
        .limit(query.limit + 1)
    )
    return page_of(map(event_of, connection.execute(statement)), query.limit)


def event_run(
    connection: sa.Connection, environment: Environment, wanted: EventFilter, after: int, limit: int
) -> EventRun:
    """Return the first events with a number above `after`, in order.

    Numbers are assigned in commit order and never reused, so no event can later appear among those already read.
    """
    newest = newest_event_number(connection)
    statement = (
        sa.select(events)
        .where(events.c.number > after, events.c.number <= newest, *_events_wanted_in_order(environment, wanted))
        .order_by(events.c.number)
        .limit(limit)
    )
    found = tuple((row.number, event_of(row)) for row in connection.execute(statement))
    return EventRun(found, found[-1][0] if len(found) == limit else max(newest, after))


def newest_events(connection: sa.Connection, environment: Environment, count: int) -> tuple[Event, ...]:
    """Return the most recently stored events, newest first.

    The last events of both environments are searched first. If most of them belong to the other environment, the index
    by environment is used. Neither reads many unwanted events.
    """
    number, live = events.c.number, int(environment.live)
    last = sa.select(events).where(events.c.live + 0 == live, number > newest_event_number(connection) - _NEAR * count)
    found = connection.execute(last.order_by(number.desc()).limit(count)).all()
    if len(found) < count:
        # The addition prevents the database from scanning the whole table backwards.
        numbers = sa.select(number).where(events.c.live == live).order_by((number + 0).desc()).limit(count)
        wanted = sa.select(events).where(number.in_(numbers)).order_by(number.desc())
        found = connection.execute(wanted).all()
    return tuple(event_of(row) for row in found)


def number_before_newest(
    connection: sa.Connection, environment: Environment, wanted: EventFilter, count: int
) -> int | None:
    """Return the number after which the newest `count` events come, or None if there are no others."""
    statement = sa.select(events.c.number).where(*_events_wanted(environment, wanted))
    return connection.execute(statement.order_by(events.c.number.desc()).offset(count).limit(1)).scalar()


def newest_event_number(connection: sa.Connection) -> int:
    """Return the number of the most recently stored event of either environment, or 0 if there is no event."""
    return int(connection.execute(sa.select(sa.func.max(events.c.number))).scalar() or 0)


def newest_event_id(connection: sa.Connection, environment: Environment) -> str | None:
    """Return the identifier of the most recently stored event."""
    statement = sa.select(events.c.id).where(events.c.live == int(environment.live)).order_by(events.c.number.desc())
    return connection.execute(statement.limit(1)).scalar()


def event_number(connection: sa.Connection, environment: Environment, event_id: str) -> int | None:
    """Return the number of the event with an identifier."""
    statement = sa.select(events.c.number).where(events.c.live == int(environment.live), events.c.id == event_id)
    return connection.execute(statement).scalar()


def count_events(connection: sa.Connection, environment: Environment, wanted: EventFilter) -> int:
    """Return the number of events that match."""
    statement = sa.select(sa.func.count()).select_from(events).where(*_events_wanted(environment, wanted))
    return int(connection.execute(statement).scalar_one())


def _events_wanted(environment: Environment, wanted: EventFilter) -> Iterator[sa.ColumnElement[bool]]:
    table = events.c
    yield table.live == int(environment.live)
    yield from _equal(
        {
            table.user: wanted.user,
            table.user_id: wanted.user_id,
            table.device_id: wanted.device_id,
            table.external_id: wanted.external_id,
        }
    )
    for column, values in ((table.type, wanted.types), (table.tag, wanted.tags)):
        if values:
            yield column.in_(sorted(values))
    yield from between(table.created_at, wanted.created_after, wanted.created_before)


def _events_wanted_in_order(environment: Environment, wanted: EventFilter) -> Iterator[sa.ColumnElement[bool]]:
    """Yield the same conditions for a query sorted by number.

    With the index by environment, all of its events would be read and sorted for each run. Only the events of one
    device are few enough for that.
    """
    of_environment, *others = _events_wanted(environment, wanted)
    yield of_environment if wanted.device_id else events.c.live + 0 == int(environment.live)
    yield from others


def find_event(connection: sa.Connection, environment: Environment, event_id: str) -> Event | None:
    """Return the event with an identifier."""
    statement = sa.select(events).where(events.c.live == int(environment.live), events.c.id == event_id)
    row = connection.execute(statement).one_or_none()
    return None if row is None else event_of(row)


def events_with_ids(connection: sa.Connection, ids: Sequence[str]) -> tuple[Event, ...]:
    """Return the events with these identifiers that are still stored, in the order in which they were stored."""
    if not ids:
        return ()
    found = connection.execute(sa.select(events).where(events.c.id.in_(ids)).order_by(events.c.number))
    return tuple(event_of(row) for row in found)


def counts(connection: sa.Connection, environment: Environment) -> Counts:
    """Return the number of records of each kind in an environment."""

    def count(table: sa.FromClause) -> int:
        statement = sa.select(sa.func.count()).select_from(table).where(table.c.live == int(environment.live))
        return int(connection.execute(statement).scalar_one())

    return Counts(count(GEOFENCES.present(connection)), count(users), count(events))


def users_of_device(connection: sa.Connection, environment: Environment, device_id: str) -> list[tuple[User, int]]:
    """Return all users of a device: the logged-out user, and one for each user ID.

    Each comes with the number of its last kept update, or 0 without one.
    """
    rows = connection.execute(_OF_DEVICE, {"live": int(environment.live), "device": device_id})
    return [(user_of(row), row.last_kept or 0) for row in rows]


def _equal(wanted: dict[sa.ColumnElement[Any], str | None]) -> list[sa.ColumnElement[bool]]:
    return [column == value for column, value in wanted.items() if value is not None]
