"""The outcome of importing geofences from a table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowError:
    """Why a row was not imported.

    `row` counts lines of the table as a spreadsheet does: the header is row 1. `column` is None when the row as a
    whole is at fault.
    """

    row: int
    column: str | None
    message: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many rows a table had, and what became of them. A dry run reports what would have become of them."""

    rows: int
    created: int
    updated: int
    errors: tuple[RowError, ...]
    dry_run: bool = False

    @property
    def failed(self) -> int:
        """How many rows were not imported."""
        return len({error.row for error in self.errors})
