"""Schemas of databases, and leftovers of an upgrade that an earlier program interrupted.

Python's driver opens no transaction before a statement that changes the schema. If an earlier program's upgrade was
interrupted, the changes before its first change of rows have therefore remained: empty tables, columns and indexes of a
later version.
"""

from collections.abc import Collection, Mapping

import sqlalchemy as sa
from msgspec import Struct

from engine.domain.errors import WorkspaceError

_TEMPORARY = "_alembic_tmp_"
"""Prefix of the temporary tables into which Alembic copies others."""


class Schema(Struct, frozen=True):
    """Tables with their columns and default values, and the names of indexes."""

    tables: Mapping[str, Mapping[str, str | None]]
    indexes: frozenset[str]


class Leftovers(Struct, frozen=True):
    """The leftovers to drop. Columns are pairs of a table and a column."""

    tables: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    indexes: tuple[str, ...]


def schema_of(connection: sa.Connection) -> Schema:
    """Return the schema of a database."""
    tables: dict[str, dict[str, str | None]] = {}
    columns = connection.exec_driver_sql(
        "SELECT m.name, c.name, c.dflt_value FROM sqlite_master m JOIN pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
    for table, column, default in columns:
        tables.setdefault(table, {})[column] = default
    indexes = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    return Schema(tables, frozenset(name for (name,) in indexes))


def lacking(now: Schema, wanted: Schema) -> list[str]:
    """Return the tables and columns that are missing in a database."""
    return [table for table in wanted.tables if table not in now.tables] + [
        f"{table}.{column}"
        for table, columns in wanted.tables.items()
        if table in now.tables
        for column in columns
        if column not in now.tables[table]
    ]


def drop_leftovers(connection: sa.Connection, wanted: Schema, later: Collection[Schema]) -> None:
    """Drop objects that only exist in a later version; raises `WorkspaceError` if rows would be lost."""
    now = schema_of(connection)
    found = _leftovers(now, wanted, later)
    for table in found.tables:
        _check_empty(connection, table, "", f"table {table}")
    for table, column in found.columns:
        default = now.tables[table][column] or "NULL"
        _check_empty(connection, table, f"WHERE {_quoted(column)} IS NOT {default}", f"column {table}.{column}")
    for index in found.indexes:
        connection.exec_driver_sql(f"DROP INDEX {_quoted(index)}")
    for table in found.tables:
        connection.exec_driver_sql(f"DROP TABLE {_quoted(table)}")
    for table, column in found.columns:
        connection.exec_driver_sql(f"ALTER TABLE {_quoted(table)} DROP COLUMN {_quoted(column)}")


def _leftovers(now: Schema, wanted: Schema, later: Collection[Schema]) -> Leftovers:
    known = {table for each in later for table in each.tables}
    columns = {(table, column) for each in later for table, names in each.tables.items() for column in names}
    indexes = {index for each in later for index in each.indexes}
    return Leftovers(
        tuple(
            table
            for table in now.tables
            if table not in wanted.tables and (table in known or table.startswith(_TEMPORARY))
        ),
        tuple(
            (table, column)
            for table, names in wanted.tables.items()
            for column in now.tables.get(table, {})
            if column not in names and (table, column) in columns
        ),
        tuple(sorted((now.indexes - wanted.indexes) & indexes)),
    )


def _check_empty(connection: sa.Connection, table: str, condition: str, label: str) -> None:
    rows = connection.exec_driver_sql(f"SELECT count(*) FROM {_quoted(table)} {condition}").scalar_one()
    if rows:
        raise WorkspaceError(
            f"the {label} is of a later version and holds values (rows: {rows:,}), which the upgrade would overwrite. "
            "If they are of no use to you, delete them with an SQLite tool"
        )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
