"""The columns of a history: one row for each location update of a device."""

from collections.abc import Mapping
from typing import Final

import pyarrow as pa
from msgspec import Struct

NOW: Final = 2**62
"""Revision of a row that is decided with the geofences and settings of the back-test, not with those of its time."""

SCHEMA: Final = pa.schema(
    [
        pa.field("device", pa.string(), nullable=False),
        pa.field("user", pa.string()),
        pa.field("at_us", pa.int64()),
        pa.field("received_us", pa.int64()),
        pa.field("number", pa.int64(), nullable=False),
        pa.field("longitude", pa.float64(), nullable=False),
        pa.field("latitude", pa.float64(), nullable=False),
        pa.field("accuracy_m", pa.float64(), nullable=False),
        pa.field("stopped", pa.bool_(), nullable=False),
        pa.field("foreground", pa.bool_(), nullable=False),
        pa.field("ip", pa.string()),
        pa.field("revision", pa.int64(), nullable=False),
        pa.field("settings", pa.int32(), nullable=False),
    ]
)
"""Columns of a history after reading.

`at_us` is the client's time and `received_us` the time of arrival, both in microseconds since 1970 in UTC; at least one
of them is set. `number` orders updates that arrived at the same time, and is 0 in files, whose rows have no such order.
`revision` and `settings` are the numbers of the geofences and settings in force, or `NOW` and 0.
"""

KEPT: Final = "kept"
"""Format of a Parquet file whose columns are those of `SCHEMA`, as kept updates are written."""


class BadRow(Struct, frozen=True):
    """A row that cannot be read: the file, the number of the row from 1 without the header, and what is wrong."""

    file: str
    row: int
    message: str


class Dialect(Struct, frozen=True):
    """How a CSV file is written: the separator, the encoding, and the names of all columns."""

    separator: str
    encoding: str
    names: tuple[str, ...]


class Portion(Struct, frozen=True, kw_only=True):
    """A part of a history that is read at once, by one worker.

    `file` is a path or an address, and `path` is where it is read instead, such as a downloaded copy. A part of a
    Parquet file has `row_groups`; one of a CSV file has its `dialect` and the range of bytes `start` to `end`, which
    begins with a row. `first_row` is the number of rows before it. `columns` are the names of the columns in the file
    by field, and `constants` the values of fields from the names of folders. `rows` is the number of rows, estimated
    for compressed and remote CSV. `size` and `version` identify the state of the file. With `zero_is_unknown`, an
    accuracy of 0 is an unknown one.
    """

    number: int
    file: str
    format: str
    rows: int
    size: int
    version: str
    path: str = ""
    dialect: Dialect | None = None
    zero_is_unknown: bool = False
    columns: Mapping[str, str] = {}
    constants: Mapping[str, str] = {}
    row_groups: tuple[int, ...] = ()
    start: int = 0
    end: int = 0
    first_row: int = 0


class BadFile(Struct, frozen=True):
    """A file that cannot be read, and why."""

    file: str
    message: str


class Scan(Struct, frozen=True):
    """The portions of a history, the files that were left out, and notes for the user, such as about columns."""

    portions: tuple[Portion, ...]
    bad_files: tuple[BadFile, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Number of rows, estimated for compressed and remote CSV."""
        return sum(portion.rows for portion in self.portions)
