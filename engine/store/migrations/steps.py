"""The steps from schema to schema, as Alembic runs them, and the schemas that they make."""

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
"""Called with each version that was reached."""

_FOLDER: Final = Path(__file__).parent


def run(connection: sa.Connection, applied: Applied) -> None:
    """Bring a database from the version that it notes to the newest, in the transaction that is open on it."""
    config = _config()
    config.attributes["connection"] = connection
    config.attributes["applied"] = lambda *, step, **_: applied(step.up_revision_id)
    command.upgrade(config, "head")


def versions() -> tuple[str, ...]:
    """Return the versions of the schema, the first one first."""
    return tuple(reversed([each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions()]))


@cache
def schemas() -> Mapping[str, Schema]:
    """Return the schema of each version, the first one first, as the steps make it in memory."""
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
