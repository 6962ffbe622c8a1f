"""Integrity, size, counts and settings of a database, which may be open in another process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import orjson
import sqlalchemy as sa
from msgspec import Struct, field

from engine.domain.environment import Environment
from engine.store import tables
from engine.store.workspace import DATABASE

_MOST_PROBLEMS: Final = 20
_BUSY_S: Final = 5.0
_COUNTED: Final = (
    *(tables.geofences, tables.beacons, tables.users, tables.events, tables.updates, tables.trips),
    *(tables.webhooks, tables.deliveries, tables.imports),
)


class Diagnosis(Struct, frozen=True):
    """The condition of a database.

    `problems` are the problems found by its integrity check, empty if it is sound. `counts` are rows by table and
    environment. `settings` and `sync` are returned as stored, including any text that users entered.
    """

    there: bool = False
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    version: str = ""
    sizes_bytes: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    sync: Mapping[str, Any] = field(default_factory=dict)


def diagnose(folder: Path, cancelled: Callable[[], bool] = lambda: False) -> Diagnosis:
    """Return the condition of the database in a workspace's folder."""
    file = folder / DATABASE
    if not file.is_file():
        return Diagnosis(problems=("There is no database.",))
    sizes = {each.name: each.stat().st_size for each in sorted(folder.glob(f"{DATABASE}*")) if each.is_file()}
    engine = sa.create_engine(
        f"sqlite:///file:{file}?mode=ro&uri=true", connect_args={"timeout": _BUSY_S}, poolclass=sa.NullPool
    )
    begun = perf_counter()
    try:
        with closing(engine.connect()) as connection:
            problems = () if cancelled() else _problems(connection)
            return Diagnosis(
                there=True,
                problems=problems,
                seconds=perf_counter() - begun,
                version=str(connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() or ""),
                sizes_bytes=sizes,
                counts={str(table.name): _count(connection, table) for table in _COUNTED},
                settings={env.value: _settings(connection, env) for env in Environment},
                sync={env.value: _sync(connection, env) for env in Environment},
            )
    except (sa.exc.DBAPIError, ValueError) as error:
        reason = str(error.orig) if isinstance(error, sa.exc.DBAPIError) else str(error)
        return Diagnosis(there=True, problems=(reason,), seconds=perf_counter() - begun, sizes_bytes=sizes)
    finally:
        engine.dispose()


def _problems(connection: sa.Connection) -> tuple[str, ...]:
    found = connection.execute(sa.text(f"PRAGMA integrity_check({_MOST_PROBLEMS})")).scalars().all()
    return tuple(str(each) for each in found if each != "ok")


def _count(connection: sa.Connection, table: sa.Table) -> dict[str, int]:
    statement = sa.select(table.c.live, sa.func.count()).group_by(table.c.live)
    found = {int(live): int(number) for live, number in connection.execute(statement)}
    return {env.value: found.get(int(env.live), 0) for env in Environment}


def _settings(connection: sa.Connection, environment: Environment) -> Any:
    table = tables.settings
    statement = sa.select(table.c.content).where(table.c.live == int(environment.live)).order_by(table.c.number.desc())
    content = connection.execute(statement.limit(1)).scalar()
    return {} if content is None else orjson.loads(content)


def _sync(connection: sa.Connection, environment: Environment) -> Any:
    table = tables.sync_settings
    content = connection.execute(sa.select(table.c.content).where(table.c.live == int(environment.live))).scalar()
    return {} if content is None else orjson.loads(content)
