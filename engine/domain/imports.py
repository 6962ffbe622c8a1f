"""Imports of geofences or beacons from a file: what is asked for, what became of each row, and the record of it."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field

from engine.domain.environment import Environment

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

WHOLE_FILE: Final = 0
"""The row of an error that is about the file as a whole."""

type Key = tuple[str, str]
"""The tag and external ID of a record."""


class ImportKind(StrEnum):
    """The records that a table holds."""

    GEOFENCES = "geofences"
    BEACONS = "beacons"


class RowError(Struct, frozen=True):
    """Error of a row that was not imported, or a warning about one that was.

    `row` counts lines of the table as a spreadsheet does: the header is row 1. `column` is None when the row as a
    whole is at fault, and `row` is `WHOLE_FILE` when no row is.
    """

    row: int
    column: str | None
    message: str


class Channel(StrEnum):
    """The way by which a file came."""

    FILE = "file"
    SYNC = "sync"


class ImportFile(Struct, frozen=True):
    """A file to import: its bytes, what it is called, and the way by which it came."""

    data: bytes
    name: str
    channel: Channel = Channel.FILE

    @property
    def sha256(self) -> str:
        """The hash of the bytes, in hexadecimal digits."""
        return sha256(self.data).hexdigest()


class ImportOptions(Struct, frozen=True, kw_only=True):
    """Options of an import: how the file is read, and which rows are stored.

    `layer` is the one to read of a file that has several. `mapping` names the column of the file for fields that are
    called otherwise there, `fixed` the value for fields of which a row says nothing; a field is spelled as a column of
    the CSV. Unless the good rows are kept, a file with an
    error changes nothing. `delete_missing` deletes the geofences that are neither in the file nor among `kept`;
    never where a row has an error, since it might be the one, and only those that are `deletable`, where that says any.
    """

    layer: str | None = None
    mapping: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    fixed: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    keep_good_rows: bool = False
    delete_missing: bool = False
    kept: frozenset[Key] = frozenset()
    deletable: frozenset[Key] | None = None


DEFAULT_OPTIONS: Final = ImportOptions()


class RowAction(StrEnum):
    """Action of an import for a row."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    ERROR = "error"


class JudgedRow[R](Struct, frozen=True):
    """Effect of an import on a row: the record after it and before it, and the columns in which these differ."""

    row: int
    action: RowAction
    record: R | None = None
    before: R | None = None
    differing: tuple[str, ...] = ()
    errors: tuple[RowError, ...] = ()


class ImportReport(Struct, frozen=True):
    """How many rows a table had, and what became of them. A dry run reports what would have become of them.

    Where nothing was stored because of an error, the counts say what would have been. `warnings` are about rows that
    were imported, though not quite as one may expect; of the `columns` of the file, those `ignored` say nothing.
    `judged` are the rows of a dry run; `import_id` is the record of what was no dry run.
    """

    rows: int
    created: int
    updated: int
    errors: tuple[RowError, ...]
    dry_run: bool = False
    warnings: tuple[RowError, ...] = ()
    kind: ImportKind = ImportKind.GEOFENCES
    unchanged: int = 0
    deleted: int = 0
    columns: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    stored: bool = True
    judged: tuple[JudgedRow[Any], ...] = ()
    import_id: str | None = None

    @property
    def failed(self) -> int:
        """Number of rows that were not imported."""
        return len({error.row for error in self.errors})


class ImportStatus(StrEnum):
    """Status of an import."""

    IMPORTED = "imported"
    REFUSED = "refused"
    UNDONE = "undone"


MAX_KEPT_ERRORS: Final = 1_000
"""How many errors of an import its record keeps."""


class ImportRecord(Struct, frozen=True, kw_only=True):
    """An import as the history keeps it. A refused one stored nothing; its counts of changes are 0.

    `failed` are the rows with errors, of which the first `MAX_KEPT_ERRORS` are kept. `undoable` tells that the history
    still knows what there was before; a later change of its geofences may forbid it nevertheless.
    """

    id: str
    environment: Environment
    name: str
    sha256: str
    channel: Channel
    status: ImportStatus
    created_at: datetime
    rows: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: int = 0
    errors: tuple[RowError, ...] = ()
    undone_at: datetime | None = None
    undoable: bool = False


class ImportOutcome(Struct, frozen=True):
    """An import that was carried out or refused: its record, the whole report, and the keys that its rows name."""

    record: ImportRecord
    report: ImportReport
    keys: frozenset[Key] = frozenset()


class ImportQuery(Struct, frozen=True, kw_only=True):
    """Imports, newest first; `before` is the identifier of one, and the page begins with the next older."""

    limit: int = 100
    before: str | None = None
