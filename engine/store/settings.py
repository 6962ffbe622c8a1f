"""Reading and writing the project's settings. Every version is kept for the updates that were decided by it."""

from datetime import datetime

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.settings import EARLIER_SETTINGS, ProjectSettings
from engine.store.records.cells import to_ms
from engine.store.records.fields import settings_of, settings_text
from engine.store.tables import settings as table

type Numbered = tuple[int, ProjectSettings]
"""Settings with their version number. Version 0 has the defaults of a project from before new ones stored theirs."""


def current_settings(connection: sa.Connection, environment: Environment) -> Numbered:
    """Return the current settings."""
    statement = (
        sa.select(table.c.number, table.c.content)
        .where(table.c.live == int(environment.live))
        .order_by(table.c.number.desc())
        .limit(1)
    )
    row = connection.execute(statement).one_or_none()
    return (0, EARLIER_SETTINGS) if row is None else (row.number, settings_of(row.content))


def settings_versions(connection: sa.Connection, environment: Environment) -> dict[int, ProjectSettings]:
    """Return all versions of the settings by number."""
    statement = sa.select(table.c.number, table.c.content).where(table.c.live == int(environment.live))
    found = {number: settings_of(content) for number, content in connection.execute(statement)}
    return {0: EARLIER_SETTINGS} | found


def on_since(connection: sa.Connection, environment: Environment, name: str) -> int | None:
    """Return the number of the settings version since which a switch has been on, or None if it is off."""
    statement = (
        sa.select(table.c.number, table.c.content)
        .where(table.c.live == int(environment.live))
        .order_by(table.c.number.desc())
    )
    since = None
    for number, content in connection.execute(statement):
        if not getattr(settings_of(content), name):
            break
        since = number
    return since


def save_settings(
    connection: sa.Connection, environment: Environment, settings: ProjectSettings, now: datetime
) -> Numbered:
    """Store a new version of the settings and return it with its number."""
    row = {"live": int(environment.live), "changed_at": to_ms(now), "content": settings_text(settings)}
    number = connection.execute(sa.insert(table).values(row)).inserted_primary_key
    assert number is not None
    return int(number[0]), settings
