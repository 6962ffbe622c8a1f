"""Plans of an import, judged row by row."""

from collections.abc import Sequence
from typing import Protocol

from engine.domain.errors import Conflict, InvalidParameter, renamed
from engine.domain.imports import ImportReport, RowError
from engine.domain.ports import Progress
from engine.tabular.reading import ParsedRow

PROGRESS_ROWS = 200

type Key = tuple[str, str]
"""The tag and external ID of a record."""


class Importing[C, R](Protocol):
    """The records that a table is about, as an import needs them."""

    def key(self, change: C) -> Key:
        """Return which record a row is about."""
        ...

    def find(self, key: Key) -> R | None:
        """Return the stored record of a key."""
        ...

    def judged(self, change: C, key: Key, existing: R | None) -> R:
        """Return what a row makes of a record, or a new one; raises `InvalidParameter` or `Conflict`."""
        ...

    def column(self, field: str) -> str:
        """Return the column that a field of a change is read from."""
        ...

    def warning(self, change: C, record: R) -> tuple[str, str] | None:
        """Return the field and the text of what there is to say of a row that is imported."""
        ...


class ImportPlan[C, R]:
    """The records that an import will store, and the stored ones that they were judged against."""

    def __init__(self, rows: Sequence[ParsedRow[C]], importing: Importing[C, R], progress: Progress) -> None:
        """Judge each row against what is stored and the rows before it; `progress` may raise `Cancelled`."""
        self._rows = len(rows)
        self._importing = importing
        self.records: dict[Key, R] = {}
        self._errors: list[RowError] = []
        self._warnings: list[RowError] = []
        self._against: dict[Key, R | None] = {}
        self._created = self._updated = 0
        for number, row in enumerate(rows):
            if number % PROGRESS_ROWS == 0:
                progress(number, len(rows))
            self._take_row(row)
        progress(len(rows), len(rows))

    def holds(self) -> bool:
        """Whether what is stored is still what the rows were judged against."""
        # Not the same object: one that nobody asked for in a while is made again from what is stored.
        return all(self._importing.find(key) == stored for key, stored in self._against.items())

    def report(self, *, dry_run: bool) -> ImportReport:
        """Return the outcome."""
        errors, warnings = tuple(self._errors), tuple(self._warnings)
        return ImportReport(self._rows, self._created, self._updated, errors, dry_run, warnings)

    def _take_row(self, row: ParsedRow[C]) -> None:
        change = row.change
        if change is None:
            self._errors.extend(row.errors)
            return
        key = self._importing.key(change)
        stored = self._importing.find(key)
        try:
            record = self._importing.judged(change, key, self.records.get(key, stored))
        except (InvalidParameter, Conflict) as error:
            self._errors.append(self._about(row, error.param, error.message))
            return
        self._take(key, record, stored)
        if (warning := self._importing.warning(change, record)) is not None:
            self._warnings.append(self._about(row, *warning))

    def _take(self, key: Key, record: R, stored: R | None) -> None:
        """Add a row's record; a later row of the same key changes what the earlier one made."""
        if stored is None and key not in self.records:
            self._created += 1
        else:
            self._updated += 1
        self.records[key] = record
        self._against[key] = stored

    def _about(self, row: ParsedRow[C], field: str, message: str) -> RowError:
        """Return what there is to say about a field of a row, which names the column."""
        column = self._importing.column(field)
        return RowError(row.row, column, renamed(message, field, column))
