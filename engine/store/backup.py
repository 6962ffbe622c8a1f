"""A workspace as a whole: saving a copy while it is in use, and reading and restoring the contents of an environment.

Functions that write to the database run inside the writer's transaction.
"""

import shutil
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceError
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress
from engine.domain.settings import DEFAULT_SETTINGS
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.snapshots import Contents, KeptUser
from engine.domain.tracking.trips import Trip
from engine.domain.tracking.updates import Presence
from engine.store.beacons import beacon_of, remove, save
from engine.store.database import Database
from engine.store.geofences import forget_history
from engine.store.imports import forget_imports
from engine.store.nightly.records import forget_files
from engine.store.records.geofence_rows import geofence_of, geofence_row
from engine.store.records.rows import presence_of, presence_row, user_of
from engine.store.settings import current_settings, settings_versions
from engine.store.staging.records import BEACONS, GEOFENCES
from engine.store.statements import delete_rows, insert_rows
from engine.store.tables import events, geofences, presences, settings, trips, updates, users, webhooks
from engine.store.trips import open_trips, save_trips
from engine.store.users import clear, insert_users
from engine.store.workspace import DATABASE, Workspace


def save_copy(workspace: Workspace, database: Database, folder: Path, progress: Progress) -> None:
    """Write the current database, the keys and the settings into the new folder `folder`.

    The folder is created completely or not at all. Raises `WorkspaceError` if it exists and is not empty, or if it
    cannot be written. `progress` may raise `Cancelled`.
    """
    folder = folder.expanduser().absolute()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise WorkspaceError(f"{folder} already exists and is not an empty folder; choose a new name for the copy.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            database.copy_to(draft / DATABASE, progress)
            workspace.copy_small_files(draft)
            draft.replace(folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except OSError as error:
        raise WorkspaceError(f"The copy {folder} cannot be written: {error.strerror}.") from error


def read_contents(connection: sa.Connection, environment: Environment) -> Contents:
    """Return the settings, the geofences and beacons by key, the users by device, and the open trips."""
    live = int(environment.live)
    fences = GEOFENCES.present(connection)
    in_order = fences.c.tag, fences.c.external_id
    stored = connection.execute(sa.select(fences).where(fences.c.live == live).order_by(*in_order))
    table = BEACONS.present(connection)
    beacons = sa.select(table).where(table.c.live == live).order_by(table.c.tag, table.c.external_id)
    return Contents(
        current_settings(connection, environment)[1],
        tuple(map(geofence_of, stored)),
        _users(connection, live),
        tuple(map(beacon_of, connection.execute(beacons))),
        tuple(trip for trip in open_trips(connection) if trip.environment is environment),
    )


def _users(connection: sa.Connection, live: int) -> tuple[KeptUser, ...]:
    stays: dict[str, list[Presence]] = defaultdict(list)
    inside = sa.select(presences).join(users, users.c.id == presences.c.user).where(users.c.live == live)
    for row in connection.execute(inside.order_by(presences.c.entered_at, presences.c.geofence)):
        stays[row.user].append(presence_of(row))
    in_order = users.c.device_id, users.c.user_id, users.c.id
    rows = connection.execute(sa.select(users).where(users.c.live == live).order_by(*in_order))
    return tuple(KeptUser(user_of(row), tuple(stays[row.id])) for row in rows)


def record_counts(connection: sa.Connection) -> dict[str, int]:
    """Return the number of records of each kind in both environments, without kinds that have no records."""
    counts, records = (
        {},
        {
            "geofence": GEOFENCES.present(connection),
            "user": users,
            "event": events,
            "location update": updates,
            "trip": trips,
            "beacon": BEACONS.present(connection),
            "webhook": webhooks,
        },
    )
    for kind, table in records.items():
        counts[kind] = connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
    # A new workspace has one version, and one of an earlier program none.
    changed = any(
        list(settings_versions(connection, environment).values())[1:] not in ([], [DEFAULT_SETTINGS])
        for environment in Environment
    )
    return {kind: count for kind, count in {**counts, "change of settings": int(changed)}.items() if count}


def put_records(
    connection: sa.Connection,
    changed: Sequence[Geofence],
    removed: Iterable[Geofence],
    *,
    beacons: Sequence[Beacon],
    removed_beacons: Iterable[Beacon],
) -> None:
    """Store geofences and beacons, and delete others. The stays of users in deleted geofences are not ended."""
    # Delete all of them first, as geofences may have exchanged their tags and external IDs.
    delete_rows(connection, geofences, [{"id": each.id} for each in (*removed, *changed)])
    insert_rows(connection, geofences, [geofence_row(geofence) for geofence in changed])
    remove(connection, [beacon.id for beacon in removed_beacons])
    save(connection, beacons)


def put_back(
    connection: sa.Connection,
    environment: Environment,
    kept_users: Sequence[KeptUser],
    *,
    kept_trips: Sequence[Trip],
) -> None:
    """Replace the users and trips of an environment, and delete its events.

    All records of the past are deleted, too: updates, other trips, imports, and former versions of geofences.
    """
    clear(connection, environment, None)
    forget_history(connection, environment)
    forget_files(connection, environment)
    forget_imports(connection, environment)
    save_trips(connection, kept_trips)
    insert_users(connection, [each.user for each in kept_users])
    stays = ((each.user.id, stay) for each in kept_users for stay in each.stays)
    insert_rows(connection, presences, [presence_row(user_id, stay) for user_id, stay in stays])


def forget_settings(connection: sa.Connection, environment: Environment) -> None:
    """Delete all versions of an environment's settings, so that the defaults apply."""
    connection.execute(sa.delete(settings).where(settings.c.live == int(environment.live)))
