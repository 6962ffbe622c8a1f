"""All versions of the geofences and of the settings, with the times at which they came into force."""

from datetime import datetime
from typing import Final, NamedTuple

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.settings import EARLIER_SETTINGS, ProjectSettings
from engine.domain.tracking.explaining import GeofenceVersion
from engine.store.geofences import MOST_VERSIONS
from engine.store.records.cells import from_ms
from engine.store.records.fields import settings_of
from engine.store.records.geofence_rows import geofence_of
from engine.store.staging.records import GEOFENCES
from engine.store.tables import edits, geofence_versions
from engine.store.tables import settings as settings_table
from engine.store.updates import all_versions

_LAST: Final = 2**62
"""A revision later than every edit."""


class GeofenceHistory(NamedTuple):
    """All versions of the geofences of an environment, and the moments of edits in the order of their revisions.

    A version holds from its geofence's revision up to `until`, or until now if that is None. `since` is the revision
    from which all versions are kept. Edits before the first moment happened at an unknown time.
    """

    versions: tuple[GeofenceVersion, ...]
    moments: tuple[tuple[datetime, int], ...]
    since: int


class SettingsVersion(NamedTuple):
    """Settings with their version number and the time since which they hold, or None for the first."""

    number: int
    since: datetime | None
    settings: ProjectSettings


def geofence_history(connection: sa.Connection, environment: Environment) -> GeofenceHistory:
    """Return all versions of geofences, also of deleted ones, and when they were edited.

    This takes several statements, so the connection must read all from the same commit.
    """
    table, live = GEOFENCES.present(connection), int(environment.live)
    present = connection.execute(sa.select(table).where(table.c.live == live))
    versions = [GeofenceVersion(geofence_of(row), None) for row in present]
    versions += all_versions(connection, environment, 0, _LAST)
    noted = sa.select(edits.c.at, edits.c.revision).where(edits.c.live == live).order_by(edits.c.revision)
    moments = tuple((from_ms(at), revision) for at, revision in connection.execute(noted))
    return GeofenceHistory(tuple(versions), moments, _complete_since(connection, live))


def settings_history(connection: sa.Connection, environment: Environment) -> tuple[SettingsVersion, ...]:
    """Return all versions of the settings, oldest first."""
    table = settings_table.c
    statement = sa.select(table.number, table.changed_at, table.content).where(table.live == int(environment.live))
    rows = connection.execute(statement.order_by(table.number))
    later = (SettingsVersion(number, from_ms(at), settings_of(content)) for number, at, content in rows)
    return SettingsVersion(0, None, EARLIER_SETTINGS), *later


def _complete_since(connection: sa.Connection, live: int) -> int:
    """Return the revision from which no former version was deleted, or 0 if none ever was."""
    version = geofence_versions.c
    if (connection.execute(sa.select(sa.func.max(version.number))).scalar() or 0) <= MOST_VERSIONS:
        return 0
    first = sa.select(sa.func.min(version.until)).where(version.live == live)
    return connection.execute(first).scalar() or 0
