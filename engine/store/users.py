"""Writing users and events. Each function runs inside the writer's transaction."""

from collections.abc import Sequence

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.tracking.explaining import Cleared
from engine.domain.tracking.updates import Event, User
from engine.store.beacons import forget_stays
from engine.store.delivery.deliveries import clear_deliveries
from engine.store.records.cells import cell_of
from engine.store.records.rows import event_row, user_row
from engine.store.statements import Row, delete_rows, insert_rows
from engine.store.tables import (
    events,
    former_presences,
    noted_updates,
    presences,
    trips,
    updates,
    user_cells,
    users,
)
from engine.store.updates import drop_needless_former, drop_of_device, drop_of_user, note_last_number
from engine.store.writer import Batch


def put_user(batch: Batch, user: User, before: User | None, last_kept: int) -> None:
    """Add a user to the batch, with their former state `before` or None, and the number of the last kept update."""
    batch.put(users, user.id, user_row(user, last_kept))
    if before is not None and (before.user_id, before.install_id) != (user.user_id, user.install_id):
        # A user that is not stored yet is inserted with both by the batch.
        both = {"user_id": user.user_id, "install_id": user.install_id}
        changed = sa.update(users).where(users.c.id == user.id).values(both)
        batch.connection.execute(changed)
    if before is not None:
        if cell_of(before.fix.point) == cell_of(user.fix.point):
            return
        former = _cell_row(before)
        batch.drop(user_cells, tuple(former.values()), former)
    cell = _cell_row(user)
    batch.put(user_cells, tuple(cell.values()), cell)


def insert_users(connection: sa.Connection, added: Sequence[User]) -> None:
    """Insert new users."""
    insert_rows(connection, users, [user_row(user) for user in added])
    insert_rows(connection, user_cells, [_cell_row(user) for user in added])


def remove_user(connection: sa.Connection, user: User) -> None:
    """Delete a user with their presences, stays near beacons, kept updates and trips, but not their events."""
    note_last_number(connection)
    connection.execute(sa.delete(presences).where(presences.c.user == user.id))
    connection.execute(sa.delete(former_presences).where(former_presences.c.user == user.id))
    forget_stays(connection, [user.id])
    drop_of_user(connection, user.environment, user.device_id, user.id)
    drop_needless_former(connection, user.environment)
    connection.execute(sa.delete(noted_updates).where(noted_updates.c.user == user.id))
    connection.execute(sa.delete(trips).where(trips.c.user == user.id))
    delete_rows(connection, user_cells, [_cell_row(user)])
    connection.execute(sa.delete(users).where(users.c.id == user.id))


def add_event(connection: sa.Connection, event: Event) -> None:
    """Store an event that does not belong to a location update."""
    insert_rows(connection, events, [event_row(event)])


def replace_event(connection: sa.Connection, event: Event) -> None:
    """Replace a stored event."""
    connection.execute(sa.update(events).where(events.c.id == event.id).values(event_row(event)))


def remove_event(connection: sa.Connection, event_id: str) -> None:
    """Delete an event."""
    connection.execute(sa.delete(events).where(events.c.id == event_id))


def clear(connection: sa.Connection, environment: Environment, device_id: str | None) -> Cleared:
    """Delete users, events, updates, trips and deliveries of an environment, or only those of one device."""
    live = int(environment.live)

    def remove(table: sa.Table, *wanted: sa.ColumnElement[bool]) -> int:
        return connection.execute(sa.delete(table).where(table.c.live == live, *wanted)).rowcount

    def of_device(table: sa.Table) -> list[sa.ColumnElement[bool]]:
        return [] if device_id is None else [table.c.device_id == device_id]

    removed = sa.select(users.c.id).where(users.c.live == live, *of_device(users))
    note_last_number(connection)
    connection.execute(sa.delete(presences).where(presences.c.user.in_(removed)))
    remove(former_presences, *([] if device_id is None else [former_presences.c.user.in_(removed)]))
    forget_stays(connection, removed)
    connection.execute(sa.delete(noted_updates).where(noted_updates.c.user.in_(removed)))
    clear_deliveries(connection, environment, device_id)
    of_users = [] if device_id is None else [trips.c.user.in_(removed)]
    removed_trips = remove(trips, *of_users)
    removed_updates = remove(updates) if device_id is None else drop_of_device(connection, environment, device_id)
    remove(user_cells, *([] if device_id is None else [user_cells.c.user.in_(removed)]))
    cleared = Cleared(
        users=remove(users, *of_device(users)),
        events=remove(events, *of_device(events)),
        updates=removed_updates,
        trips=removed_trips,
    )
    drop_needless_former(connection, environment)
    return cleared


def _cell_row(user: User) -> Row:
    return {"live": int(user.environment.live), "cell": cell_of(user.fix.point), "user": user.id}
