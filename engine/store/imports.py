"""Reading and writing the history of imports. Functions that write run inside the writer's transaction."""

import zlib
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

import orjson
import sqlalchemy as sa
from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.imports import (
    MAX_LISTED_ERRORS,
    Channel,
    ImportQuery,
    ImportRecord,
    ImportStatus,
    RefusedRow,
    RowError,
)
from engine.domain.ports import Progress, no_progress, reporting
from engine.domain.queries import Page
from engine.domain.values import replace
from engine.store.paging import page_of
from engine.store.records.cells import from_ms, to_ms
from engine.store.records.geofence_rows import geofence_content, geofence_of_content
from engine.store.records.rows import environment_of
from engine.store.statements import Row, insert_rows
from engine.store.tables import import_items, imports

MOST_KEPT: Final = 1_000
"""Number of imports kept of an environment."""

MOST_UNDOABLE: Final = 50
"""Number of an environment's last imports that can be undone, because the former geofences are kept."""

_COUNTS: Final = ("rows", "created", "updated", "unchanged", "deleted", "failed")


class ImportedItem(Struct, frozen=True):
    """A geofence changed by an import: its former state, or None for a new one, and the digest of its new state.

    `stored` is None if the import deleted the geofence.
    """

    geofence_id: str
    before: Geofence | None
    stored: str | None

    @property
    def deleted(self) -> bool:
        """Whether the import deleted the geofence."""
        return self.stored is None


class KeptImport(Struct, frozen=True):
    """An import with the revision of the geofences it stored."""

    record: ImportRecord
    number: int
    revision: int


def digest_of(geofence: Geofence) -> str:
    """Return a digest of a geofence's content, regardless of when and by which edit it was stored."""
    content = geofence_content(replace(geofence, updated_at=geofence.created_at, revision=0))
    return blake2b(content.encode(), digest_size=16).hexdigest()


def next_number(connection: sa.Connection) -> int:
    """Return the number of the next import."""
    return (connection.execute(sa.select(sa.func.max(imports.c.number))).scalar() or 0) + 1


def item_rows(number: int, items: Collection[ImportedItem], report: Progress = no_progress) -> Iterator[Row]:
    """Yield the rows of the geofences that an import changes, with the future number of the import."""
    return (_item_row(number, item) for item in reporting(items, report))


def keep_items(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """Store the former geofences of an import, as returned by `item_rows`."""
    insert_rows(connection, import_items, rows)


def add_import(connection: sa.Connection, record: ImportRecord, revision: int, number: int) -> None:
    """Add an import to the history under its number, and delete the oldest imports beyond the limit."""
    connection.execute(sa.insert(imports).values(number=number, **_row(record, revision)))
    _forget_old(connection, record.environment)


def mark_undone(connection: sa.Connection, kept: KeptImport, at: datetime) -> None:
    """Record that an import was undone. The former geofences are deleted later, when there is time."""
    undone = {"status": ImportStatus.UNDONE.value, "undone_at": to_ms(at), "undoable": 0}
    connection.execute(sa.update(imports).where(imports.c.number == kept.number).values(undone))


def find_import(connection: sa.Connection, environment: Environment, import_id: str) -> KeptImport | None:
    """Return an import by its identifier, with all errors that are kept."""
    statement = sa.select(imports).where(imports.c.live == int(environment.live), imports.c.id == import_id)
    row = connection.execute(statement).one_or_none()
    return None if row is None else KeptImport(_record_of(row), row.number, row.revision)


def import_page(connection: sa.Connection, environment: Environment, query: ImportQuery) -> Page[ImportRecord]:
    """Return imports, newest first, each with its first errors."""
    table = imports.c
    statement = (
        sa.select(*(column for column in table if column is not table.problems))
        .where(table.live == int(environment.live))
        .order_by(table.number.desc())
    )
    if query.before is not None:
        before = sa.select(table.number).where(table.id == query.before).scalar_subquery()
        statement = statement.where(table.number < before)
    return page_of(map(_listed, connection.execute(statement.limit(query.limit + 1))), query.limit)


def items_of(connection: sa.Connection, kept: KeptImport) -> list[ImportedItem]:
    """Return the geofences that an import changed."""
    table = import_items.c
    statement = sa.select(import_items).where(table.import_number == kept.number).order_by(table.number)
    return [_item_of(row) for row in connection.execute(statement)]


def created_by(connection: sa.Connection, environment: Environment, name: str) -> frozenset[str]:
    """Return the geofences that imports of files of this name created, as far as their details are kept."""
    table = import_items.c
    of_file = sa.select(imports.c.number).where(imports.c.live == int(environment.live), imports.c.name == name)
    statement = sa.select(table.geofence).where(table.import_number.in_(of_file), table.content.is_(None))
    return frozenset(connection.execute(statement).scalars())


def forget_imports(connection: sa.Connection, environment: Environment) -> None:
    """Delete all imports of an environment from the history."""
    numbers = sa.select(imports.c.number).where(imports.c.live == int(environment.live))
    connection.execute(sa.delete(import_items).where(import_items.c.import_number.in_(numbers)))
    connection.execute(sa.delete(imports).where(imports.c.live == int(environment.live)))


def _forget_old(connection: sa.Connection, environment: Environment) -> None:
    of_environment = imports.c.live == int(environment.live)
    numbers = sa.select(imports.c.number).where(of_environment).order_by(imports.c.number.desc())
    with_items = numbers.where(imports.c.undoable == 1)
    old = list(connection.execute(with_items.offset(MOST_UNDOABLE)).scalars())
    if old:
        connection.execute(sa.update(imports).where(imports.c.number.in_(old)).values(undoable=0))
    removed = list(connection.execute(numbers.offset(MOST_KEPT)).scalars())
    if removed:
        connection.execute(sa.delete(imports).where(imports.c.number.in_(removed)))


def _row(record: ImportRecord, revision: int) -> dict[str, Any]:
    problems = _problems(record)
    content: dict[str, Any] = {name: getattr(record, name) for name in _COUNTS}
    content |= {kind: listed[:MAX_LISTED_ERRORS] for kind, listed in problems.items()}
    content["warned"] = record.warned
    has_more = any(len(listed) > MAX_LISTED_ERRORS for listed in problems.values())
    return {
        "id": record.id,
        "live": int(record.environment.live),
        "name": record.name,
        "sha256": record.sha256,
        "channel": record.channel.value,
        "status": record.status.value,
        "created_at": to_ms(record.created_at),
        "undone_at": None if record.undone_at is None else to_ms(record.undone_at),
        "revision": revision,
        "undoable": int(record.undoable),
        "content": orjson.dumps(content).decode(),
        "problems": zlib.compress(orjson.dumps(problems)) if has_more else None,
    }


def _problems(record: ImportRecord) -> dict[str, list[tuple[Any, ...]]]:
    """Return the errors and warnings of an import, and its refused rows."""
    return {
        "errors": [(error.row, error.column, error.message) for error in record.errors],
        "warnings": [(warning.row, warning.column, warning.message) for warning in record.warnings],
        "refused": [(row.row, row.tag, row.external_id, row.name) for row in record.refused],
    }


def _listed(row: sa.Row[Any]) -> ImportRecord:
    """Return an import for a list; earlier versions kept more errors beside its counts."""
    record = _record_of(row)
    most = MAX_LISTED_ERRORS
    return replace(record, errors=record.errors[:most], warnings=record.warnings[:most], refused=record.refused[:most])


def _record_of(row: sa.Row[Any]) -> ImportRecord:
    content = orjson.loads(row.content)
    packed = row._mapping.get("problems")
    problems = content if packed is None else orjson.loads(zlib.decompress(packed))
    return ImportRecord(
        id=row.id,
        environment=environment_of(row.live),
        name=row.name,
        sha256=row.sha256,
        channel=Channel(row.channel),
        status=ImportStatus(row.status),
        created_at=from_ms(row.created_at),
        errors=tuple(RowError(*error) for error in problems["errors"]),
        # Earlier versions did not keep warnings, nor what refused rows were meant for.
        warned=content.get("warned", 0),
        warnings=tuple(RowError(*warning) for warning in problems.get("warnings", ())),
        refused=tuple(RefusedRow(*each) for each in problems.get("refused", ())),
        undone_at=None if row.undone_at is None else from_ms(row.undone_at),
        undoable=bool(row.undoable),
        **{name: content[name] for name in _COUNTS},
    )


def _item_row(number: int, item: ImportedItem) -> dict[str, Any]:
    return {
        "import_number": number,
        "geofence": item.geofence_id,
        "content": None if item.before is None else geofence_content(item.before),
        "stored": item.stored,
    }


def _item_of(row: sa.Row[Any]) -> ImportedItem:
    before = None if row.content is None else geofence_of_content(row.content)
    return ImportedItem(row.geofence, before, row.stored)
