"""Imports of geofences or beacons from a file: the options, the result of each row, and the record of the import."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from math import isfinite
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, field

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

WHOLE_FILE: Final = 0
"""The row number of an error about the file as a whole."""

type Key = tuple[str, str]
"""The tag and external ID of a record."""


class ImportKind(StrEnum):
    """The kinds of records in a table."""

    GEOFENCES = "geofences"
    BEACONS = "beacons"


class RowError(Struct, frozen=True):
    """An error of a row that was not imported, or a warning about one that was.

    `row` is the line of the table, counted as in a spreadsheet: the header is row 1. `column` is None if the error is
    about the whole row, and `row` is `WHOLE_FILE` if it is about the whole file.
    """

    row: int
    column: str | None
    message: str


class Channel(StrEnum):
    """The channel by which a file arrived."""

    FILE = "file"
    SYNC = "sync"


class ImportFile(Struct, frozen=True):
    """A file to import: its bytes, its name, and the channel by which it arrived."""

    data: bytes
    name: str
    channel: Channel = Channel.FILE

    @property
    def sha256(self) -> str:
        """The SHA-256 hash of the bytes, in hexadecimal digits."""
        return sha256(self.data).hexdigest()


class Repair(StrEnum):
    """The repairs of shapes in a file that cannot be geofences as they are."""

    RINGS = "rings"
    SIMPLIFY = "simplify"
    PARTS = "parts"
    LINES = "lines"


ALL_REPAIRS: Final = frozenset(Repair)
NO_REPAIRS: Final[frozenset[Repair]] = frozenset()
MIN_LINE_WIDTH_M: Final = 1.0
MAX_LINE_WIDTH_M: Final = 20_000.0


def repairs_of(names: Iterable[str], param: str = "repair") -> frozenset[Repair]:
    """Return the repairs with these names; raises `InvalidParameter` naming `param`."""
    wanted = dict.fromkeys(names)
    if unknown := [name for name in wanted if name not in frozenset(Repair)]:
        listed = ", ".join(Repair)
        raise InvalidParameter(param, f"{param}: there is no repair {unknown[0][:80]!r}. Repairs: {listed}.")
    return frozenset(map(Repair, wanted))


def check_line_width(width_m: float, param: str) -> float:
    """Return the width of a line in metres if a geofence can have it; raises `InvalidParameter` naming `param`."""
    if not (isfinite(width_m) and MIN_LINE_WIDTH_M <= width_m <= MAX_LINE_WIDTH_M):
        limits = f"between {MIN_LINE_WIDTH_M:.0f} and {MAX_LINE_WIDTH_M:.0f} metres"
        raise InvalidParameter(param, f"{param}: the width of a line must be {limits}, not {width_m:.12g}.")
    return width_m


class Encoding(StrEnum):
    """The encodings of text files that an import can read."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    LATIN_1 = "latin-1"
    WINDOWS_1252 = "windows-1252"

    @property
    def label(self) -> str:
        """The name of the encoding for users."""
        return _ENCODINGS[self]


_ENCODINGS: Final[Mapping[Encoding, str]] = {
    Encoding.UTF_8: "UTF-8",
    Encoding.UTF_16_LE: "UTF-16 LE",
    Encoding.UTF_16_BE: "UTF-16 BE",
    Encoding.LATIN_1: "Latin-1",
    Encoding.WINDOWS_1252: "Windows-1252",
}


class ImportOptions(Struct, frozen=True, kw_only=True):
    """Options of an import: how the file is read, and which rows are stored.

    `layer` is the layer to read if the file has several, `sheet` the sheet of an Excel file, by default the first one
    with rows. `encoding` is that of a text file, by default the recognised one. `mapping` has the file's column for
    fields with another name there, `fixed` the value for fields without a value in a row. A field is spelled as a
    column of the CSV. One that is mapped to an empty name has no column, even if the file has a column of its name.
    `id` is the rule by which the external ID is made of columns in braces, such as ``{ZONE}-{NR}``, or ``names`` or
    ``numbers``. `metadata` has the columns that become keys of the metadata, or ``all`` for those without another
    meaning. Shapes that cannot be geofences are repaired by `repairs`, with a warning: `Repair.RINGS` mends rings that
    cross or touch themselves or each other, or are not closed; `SIMPLIFY` leaves out positions of a shape with too
    many; `PARTS` keeps the largest parts and holes of a shape with too many; and `LINES` makes a line an area of
    `line_width_m`, which must be given for it.

    Unless `keep_good_rows` is set, a file with an error changes nothing. `delete_missing` deletes the geofences that
    are neither in the file nor among `kept`. It deletes none if a row has an error, since that row might be for one of
    them, and only `deletable` ones if these are given.
    """

    layer: str | None = None
    sheet: str | None = None
    encoding: Encoding | None = None
    mapping: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    fixed: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    id: str | None = None
    metadata: tuple[str, ...] = ()
    repairs: frozenset[Repair] = NO_REPAIRS
    line_width_m: float | None = None
    keep_good_rows: bool = False
    delete_missing: bool = False
    kept: frozenset[Key] = frozenset()
    deletable: frozenset[Key] | None = None


DEFAULT_OPTIONS: Final = ImportOptions()


class Column(Struct, frozen=True):
    """A column of a file: its first values, and the kind of all its values (``number``, ``boolean``, ``text``)."""

    name: str
    samples: tuple[str, ...] = ()
    kind: str = "text"


class Heading(Struct, frozen=True):
    """The columns of a file, and the options with which it can probably be imported.

    For an Excel file they are those of one of its `sheets`. `guess` is None if the file has no rows or no positions.
    `encoding` is that in which a text file was read; it is None for formats that have only one.
    """

    columns: tuple[str, ...]
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    details: tuple[Column, ...] = ()
    guess: ImportOptions | None = None
    encoding: Encoding | None = None


class RowAction(StrEnum):
    """Action of an import for a row."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    ERROR = "error"


class RefusedRow(Struct, frozen=True):
    """A row that is not imported, as far as it can be read: what it was meant for, and where.

    `rings` are its outlines, and its positions as rings of one, in degrees; they are only in a preview.
    """

    row: int
    tag: str = ""
    external_id: str = ""
    name: str = ""
    rings: tuple[tuple[tuple[float, float], ...], ...] = ()


class JudgedRow[R](Struct, frozen=True):
    """The effect of an import on a row: the record after and before it, and the columns in which they differ.

    `overwrites` is set in a preview if the record before was not created by an import of a file of this name.
    """

    row: int
    action: RowAction
    record: R | None = None
    before: R | None = None
    differing: tuple[str, ...] = ()
    errors: tuple[RowError, ...] = ()
    warnings: tuple[RowError, ...] = ()
    refused: RefusedRow | None = None
    overwrites: bool = False


class ImportReport(Struct, frozen=True):
    """Number of rows of a table and their results. A dry run reports the results that an import would have.

    If nothing was stored because of an error, the counts say what would have been stored. `warnings` are about rows
    that were imported, but perhaps not as expected, and `refused` are the rows with errors. The `ignored` ones of the
    file's `columns` have no effect. `judged` has the rows of a dry run; otherwise `import_id` is the record of the
    import.
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
    refused: tuple[RefusedRow, ...] = ()
    import_id: str | None = None

    @property
    def overwritten(self) -> tuple[JudgedRow[Any], ...]:
        """The rows of a preview that change records which the file did not create."""
        return tuple(row for row in self.judged if row.overwrites)

    @property
    def failed(self) -> int:
        """Number of rows that were not imported."""
        return len({error.row for error in self.errors})


class ImportStatus(StrEnum):
    """Status of an import."""

    IMPORTED = "imported"
    REFUSED = "refused"
    UNDONE = "undone"


MAX_KEPT_ERRORS: Final = 10_000
"""Maximum number of errors, of warnings, and of refused rows in the record of an import."""

MAX_LISTED_ERRORS: Final = 100
"""Maximum number of errors, and of warnings, of each import in a list of imports."""


class ImportRecord(Struct, frozen=True, kw_only=True):
    """An import in the history. A refused one stored nothing, and its counts of changes are 0.

    `failed` is the number of rows with errors, and `warned` that of all warnings. The first `MAX_KEPT_ERRORS` errors,
    warnings and `refused` rows are kept; a list of imports has the first `MAX_LISTED_ERRORS` of each. `undoable` is set
    while the history still has the earlier state; a later change of its geofences may still prevent undoing.
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
    warned: int = 0
    warnings: tuple[RowError, ...] = ()
    refused: tuple[RefusedRow, ...] = ()
    undone_at: datetime | None = None
    undoable: bool = False


class ImportOutcome(Struct, frozen=True):
    """An import that was carried out or refused: its record, the full report, and the keys in its rows."""

    record: ImportRecord
    report: ImportReport
    keys: frozenset[Key] = frozenset()


class ImportQuery(Struct, frozen=True, kw_only=True):
    """A query for imports, newest first; with `before`, the page begins with the next one older than that import."""

    limit: int = 100
    before: str | None = None
