"""The outcome of importing geofences or beacons from a table."""

from dataclasses import dataclass
from enum import StrEnum


class ImportKind(StrEnum):
    """The records that a table holds."""

    GEOFENCES = "geofences"
    BEACONS = "beacons"


@dataclass(frozen=True, slots=True)
class RowError:
    """Why a row was not imported, or a warning about one that was.

    `row` counts lines of the table as a spreadsheet does: the header is row 1. `column` is None when the row as a
    whole is at fault.
    """

    row: int
    column: str | None
    message: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many rows a table had, and what became of them. A dry run reports what would have become of them.

    `warnings` are about rows that were imported, though not quite as one may expect.
    """

    rows: int
    created: int
    updated: int
    errors: tuple[RowError, ...]
    dry_run: bool = False
    warnings: tuple[RowError, ...] = ()
    kind: ImportKind = ImportKind.GEOFENCES

    @property
    def failed(self) -> int:
        """How many rows were not imported."""
        return len({error.row for error in self.errors})
