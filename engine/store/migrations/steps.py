"""The migrations between schemas, as run by Alembic, and the resulting schemas."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from engine.store.migrations.schema import Schema, schema_of

type Applied = Callable[[str], None]
"""A callback for each version that was reached."""

_FOLDER: Final = Path(__file__).parent


def run(connection: sa.Connection, applied: Applied) -> None:
    """Migrate a database from its recorded version to the newest, in its open transaction."""
    config = _config()
    config.attributes["connection"] = connection
    config.attributes["applied"] = lambda *, step, **_: applied(step.up_revision_id)
    command.upgrade(config, "head")


def versions() -> tuple[str, ...]:
    """Return the versions of the schema, oldest first."""
    return tuple(reversed([each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions()]))


@cache
def schemas() -> Mapping[str, Schema]:
    """Return the schema of each version, oldest first, by running the migrations in memory."""
    made: dict[str, Schema] = {}
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        run(connection, lambda version: made.update({version: schema_of(connection)}))
    engine.dispose()
    return made


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
