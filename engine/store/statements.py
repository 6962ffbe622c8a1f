"""Statements that write many rows at once.

Each call of the SQLite driver releases the GIL, which wakes the thread that serves requests, and must reacquire it.
Therefore many rows share one statement: up to 32 rows are written at once, and more in parts of 32 or 64 plus the rest.
This keeps the number of different statements small enough for the driver's cache of prepared statements.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

type Row = Mapping[str, Any]

MOST_ROWS: Final = 64
MOST_OF_ANY_NUMBER: Final = 32

ROWS_AT_ONCE: Final = 1_024
"""Number of rows that are created at a time if there are very many."""

KEPT_STATEMENTS: Final = 256
"""Number of prepared statements cached by a driver connection."""


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Insert rows in order. The database generates keys that are automatic numbers."""
    _send(connection, "insert", table, rows)


def upsert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Insert rows or replace those with the same primary key. No key may occur twice in `rows`."""
    _send(connection, "upsert", table, rows)


def upsertion(table: sa.Table, found: sa.Select[Any], dialect: sa.Dialect) -> sa.Insert:
    """Return a statement that inserts the rows of a query, all columns in order, or replaces rows with the same key."""
    columns = list(table.columns)
    inserted = _insert(table, dialect).from_select(_names(columns), found)
    statement: sa.Insert = _replacing(inserted, table, columns)
    return statement


def delete_rows(connection: sa.Connection, table: sa.Table, keys: Sequence[Row]) -> None:
    """Delete the rows with these primary keys."""
    _send(connection, "delete", table, keys)


def _send(connection: sa.Connection, kind: str, table: sa.Table, rows: Sequence[Row]) -> None:
    """Send rows with the driver's own cursor, as SQLAlchemy's overhead per statement exceeds the statement itself."""
    if not rows:
        return
    dialect = connection.dialect
    cursor = connection.connection.cursor()
    try:
        for part in _parts(rows):
            statement = _prepared(kind, table, dialect, len(part))
            parameters = statement.parameters(part)
            try:
                cursor.execute(statement.sql, parameters)
            except dialect.loaded_dbapi.Error as error:
                raise _wrapped_error(error, statement.sql, parameters, dialect) from error
    finally:
        cursor.close()


def _wrapped_error(error: Exception, sql: str, parameters: Any, dialect: sa.Dialect) -> BaseException:
    """Return a driver's error wrapped in SQLAlchemy's error."""
    return DBAPIError.instance(sql, parameters, error, dialect.loaded_dbapi.Error, dialect=dialect)


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    start = 0
    while left := len(rows) - start:
        size = left if left <= MOST_OF_ANY_NUMBER else min(MOST_ROWS, 1 << (left.bit_length() - 1))
        yield rows[start : start + size]
        start += size


class _Prepared:
    """A statement in the form the driver expects, compiled once."""

    def __init__(self, statement: sa.Insert | sa.Delete, columns: Sequence[str], dialect: sa.Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._columns = columns
        self._by_position = compiled.positiontup is not None
        names = self._columns
        # With a single name, itemgetter returns the value instead of a tuple.
        self._pick = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)

    def parameters(self, rows: Sequence[Row]) -> Any:
        """Return the values of rows in the form the driver expects: by position or by name."""
        if self._by_position:
            return tuple(chain.from_iterable(map(self._pick, rows)))
        return {_name(column, at): row[column] for at, row in enumerate(rows) for column in self._columns}


@lru_cache(maxsize=512)
def _prepared(kind: str, table: sa.Table, dialect: sa.Dialect, rows: int) -> _Prepared:
    if kind == "delete":
        keys = list(table.primary_key)
        wanted = [sa.and_(*(key == sa.bindparam(_name(key.name, at)) for key in keys)) for at in range(rows)]
        return _Prepared(sa.delete(table).where(sa.or_(*wanted)), _names(keys), dialect)
    insert = _insert(table, dialect)
    given = [column for column in table.columns if kind == "upsert" or column is not table.autoincrement_column]
    values: list[dict[str, sa.BindParameter[Any]]] = [
        {column.name: sa.bindparam(_name(column.name, at)) for column in given} for at in range(rows)
    ]
    statement = insert.values(values)
    if kind == "upsert":
        statement = _replacing(statement, table, given)
    return _Prepared(statement, _names(given), dialect)


def _replacing(insert: Any, table: sa.Table, given: Sequence[sa.Column[Any]]) -> Any:
    """Return an insert statement that updates rows with the same primary key instead."""
    free = [column for column in given if not (column.primary_key or column.info.get("fixed"))]
    changed = {column.name: insert.excluded[column.name] for column in free}
    key = list(table.primary_key)
    if not changed:
        return insert.on_conflict_do_nothing(index_elements=key)
    return insert.on_conflict_do_update(index_elements=key, set_=changed)


def _insert(table: sa.Table, dialect: sa.Dialect) -> Any:
    """Return an insert statement that can become an upsert, which each database writes differently."""
    if dialect.name == "postgresql":
        # Imported here because it is slow to load.
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    return sqlite.insert(table)


def _name(column: str, at: int) -> str:
    return f"{column}_{at}"


def _names(columns: Sequence[sa.Column[Any]]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)
