"""Reading and writing trips. Functions that write run inside the writer's transaction."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.queries import Page
from engine.domain.tracking.trips import ACTIVE, Trip, TripQuery, TripStatus
from engine.store.paging import between, page_of
from engine.store.records.cells import to_ms
from engine.store.records.rows import environment_of
from engine.store.records.trip_contents import trip_content, trip_of_content
from engine.store.statements import upsert_rows
from engine.store.tables import trips, users

_AT_ONCE = 100
"""Number of trips that are read at a time."""

_OPEN = [status.value for status in TripStatus if status.is_open]
_ACTIVE = [status.value for status in ACTIVE]


def trip_row(trip: Trip) -> dict[str, Any]:
    """Return the row of `trips` that stores a trip."""
    return {
        "id": trip.id,
        "live": int(trip.environment.live),
        "external_id": trip.external_id,
        "status": trip.status.value,
        "user": trip.user,
        "user_id": trip.user_id,
        "created_at": to_ms(trip.created_at),
        "updated_at": to_ms(trip.updated_at),
        "content": orjson.dumps(trip_content(trip)).decode(),
    }


def save_trips(connection: sa.Connection, changed: Sequence[Trip]) -> None:
    """Insert trips or replace those with the same identifier."""
    upsert_rows(connection, trips, [trip_row(trip) for trip in changed])


def remove_trip(connection: sa.Connection, trip_id: str) -> None:
    """Delete a trip."""
    connection.execute(sa.delete(trips).where(trips.c.id == trip_id))


def open_trips(connection: sa.Connection) -> list[Trip]:
    """Return the active and pending trips of both environments, oldest first."""
    statement = sa.select(trips).where(trips.c.status.in_(_OPEN)).order_by(trips.c.created_at, trips.c.id)
    return [_trip_of(row) for row in connection.execute(statement)]


def find_trip(connection: sa.Connection, environment: Environment, key: str) -> Trip | None:
    """Return the trip with an identifier, else the last one created with that external ID."""
    table = trips.c
    # Identifiers increase with the engine's time, whereas `created_at` may be set by a simulated device.
    for column in (table.id, table.external_id):
        statement = (
            sa.select(trips)
            .where(table.live == int(environment.live), column == key)
            .order_by(table.id.desc())
            .limit(1)
        )
        if (row := connection.execute(statement).one_or_none()) is not None:
            return _trip_of(row)
    return None


def trip_page(connection: sa.Connection, environment: Environment, query: TripQuery) -> Page[Trip]:
    """Return trips by update time, newest first."""
    table = trips.c
    statement = (
        sa.select(trips)
        .where(table.live == int(environment.live))
        .where(*between(table.created_at, query.created_after, query.created_before))
        .where(*between(table.updated_at, query.updated_after, query.updated_before))
        .where(*_contents_wanted(query))
        .order_by((table.created_at if query.by_creation else table.updated_at).desc(), table.id.desc())
    )
    if query.statuses:
        statement = statement.where(table.status.in_([status.value for status in query.statuses]))
    if query.external_ids:
        statement = statement.where(table.external_id.in_(query.external_ids))
    if query.user is not None:
        statement = statement.where(_is_of(connection, environment, query.user))
    rows = connection.execute(statement.execution_options(yield_per=_AT_ONCE))
    return page_of(filter(query.takes, map(_trip_of, rows)), query.limit)


def _is_of(connection: sa.Connection, environment: Environment, user: str) -> sa.ColumnElement[bool]:
    """Return the condition that a trip is of a user: a user ID, or the identifier of a record.

    A trip that waits for its user has no record yet, only the IDs of the user or the device that it waits for.
    """
    table = trips.c
    stored = sa.select(users.c.user_id, users.c.device_id).where(
        users.c.live == int(environment.live), users.c.id == user
    )
    is_named = (table.user_id == user) | (table.user == user)
    if (record := connection.execute(stored).one_or_none()) is None:
        return is_named
    device = sa.func.json_extract(table.content, "$.device_id")
    waits: sa.ColumnElement[bool] = table.user_id.is_(None) & (device == record.device_id)
    if record.user_id is not None:
        waits |= table.user_id == record.user_id
    return is_named | (table.user.is_(None) & waits)


def _contents_wanted(query: TripQuery) -> Iterator[sa.ColumnElement[bool]]:
    """Yield conditions on the text of trips that leave out most of those that a query does not take."""
    for text in (query.tag, query.external_id):
        if text is not None:
            yield sa.func.instr(trips.c.content, orjson.dumps(text).decode()) > 0
    if query.is_late:
        yield sa.func.instr(trips.c.content, '"scheduled_arrival_at":') > 0


def active_trips(connection: sa.Connection, users: Iterable[str]) -> dict[str, Trip]:
    """Return the active trip of each user that has one, by the user's identifier."""
    table = trips.c
    statement = sa.select(trips).where(table.user.in_(list(users)), table.status.in_(_ACTIVE))
    found = sorted((_trip_of(row) for row in connection.execute(statement)), key=lambda trip: trip.turn)
    return {trip.user: trip for trip in found if trip.user is not None}


def _trip_of(row: sa.Row[Any]) -> Trip:
    return trip_of_content(orjson.loads(row.content), environment_of(row.live))
