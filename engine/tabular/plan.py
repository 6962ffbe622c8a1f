"""Plans of an import, which judge it row by row."""

from collections import Counter
from collections.abc import Sequence
from time import monotonic
from typing import Any, Final, Protocol

from engine.domain.errors import Conflict, InvalidParameter, renamed
from engine.domain.imports import ImportReport, JudgedRow, Key, RefusedRow, RowAction, RowError
from engine.domain.ports import Progress
from engine.domain.values import replace
from engine.tabular.reading import PROGRESS_ROWS, ParsedRow

_REPORT_EVERY_S: Final = 0.2


class Importing[C, R](Protocol):
    """The interface to a kind of record that an import needs."""

    def key(self, change: C) -> Key:
        """Return the key of the record that a row is about."""
        ...

    def find(self, key: Key) -> R | None:
        """Return the stored record with a key."""
        ...

    def judged(self, change: C, key: Key, existing: R | None) -> R:
        """Return a record as changed by a row, or a new one; raises `InvalidParameter` or `Conflict`."""
        ...

    def differing(self, before: R, record: R) -> tuple[str, ...]:
        """Return the columns in which two versions of a record differ."""
        ...

    def refused(self, row: int, change: C) -> RefusedRow:
        """Return a row whose change is not valid, as far as it can be read."""
        ...

    def column(self, field: str) -> str:
        """Return the column that a field of a change is read from."""
        ...

    def warning(self, change: C, record: R) -> tuple[str, str] | None:
        """Return the field and the text of a warning about an imported row, or None."""
        ...


def let_go(items: list[Any]) -> None:
    """Clear a list in portions; see `ImportPlan.let_go`."""
    while items:
        del items[-PROGRESS_ROWS:]


class ImportPlan[C, R]:
    """The records that an import will store, and the stored records with which they were compared."""

    def __init__(self, rows: Sequence[ParsedRow[C]], importing: Importing[C, R], progress: Progress) -> None:
        """Judge each row against the stored records and the previous rows; `progress` may raise `Cancelled`."""
        self._importing = importing
        self.records: dict[Key, R] = {}
        self.rows: list[JudgedRow[R]] = []
        self._warnings: dict[RowError, None] = {}
        self._against: dict[Key, R | None] = {}
        self._rows_of: dict[Key, int] = {}
        reported = monotonic()
        for number, row in enumerate(rows):
            # A row whose address is looked up may take as long as a thousand others.
            if number % PROGRESS_ROWS == 0 or monotonic() - reported > _REPORT_EVERY_S:
                progress(number, len(rows))
                reported = monotonic()
            self.rows.append(self._judged(row))
        progress(len(rows), len(rows))

    @property
    def errors(self) -> tuple[RowError, ...]:
        """The errors of all rows."""
        return tuple(error for row in self.rows for error in row.errors)

    @property
    def keys(self) -> frozenset[Key]:
        """The keys of the records in rows without an error."""
        return frozenset(self._against)

    def changes(self) -> list[tuple[R | None, R]]:
        """Return the records that differ from the stored ones, each with its previous version or None."""
        pairs = ((self._against[key], record) for key, record in self.records.items())
        return [
            (before, record) for before, record in pairs if before is None or self._importing.differing(before, record)
        ]

    def holds(self) -> bool:
        """Return whether the stored records are still the ones with which the rows were compared."""
        # Compared by value: a record that has not been used for a while is created again from the database.
        return all(self._importing.find(key) == stored for key, stored in self._against.items())

    def let_go(self) -> None:
        """Clear everything in portions, since freeing very many objects at once would hold up all threads."""
        let_go(self.rows)
        for records in (self.records, self._against, self._rows_of):
            while records:
                records.popitem()

    def report(self, *, dry_run: bool) -> ImportReport:
        """Return the outcome."""
        counts = Counter(row.action for row in self.rows)
        return ImportReport(
            len(self.rows),
            counts[RowAction.CREATE],
            counts[RowAction.UPDATE],
            self.errors,
            dry_run,
            tuple(self._warnings),
            unchanged=counts[RowAction.UNCHANGED],
            refused=tuple({row.refused.row: row.refused for row in reversed(self.rows) if row.refused}.values())[::-1],
        )

    def _judged(self, row: ParsedRow[C]) -> JudgedRow[R]:
        change = row.change
        if change is None:
            return JudgedRow(row.row, RowAction.ERROR, errors=row.errors, refused=row.refused)
        key = self._importing.key(change)
        stored = self._importing.find(key)
        before = self.records.get(key, stored)
        try:
            record = self._importing.judged(change, key, before)
        except (InvalidParameter, Conflict) as error:
            errors = (self._about(row, error.param, error.message),)
            refused = self._importing.refused(row.row, change)
            return JudgedRow(row.row, RowAction.ERROR, before=before, errors=errors, refused=refused)
        self._against[key] = stored
        warnings = list(row.warnings)
        if (earlier := self._rows_of.setdefault(key, row.row)) != row.row:
            text = f"This row replaces row {earlier}, which has the same tag and external ID ({'/'.join(key)})."
            warnings.append(RowError(row.row, None, text))
        if (warning := self._importing.warning(change, record)) is not None:
            warnings.append(self._about(row, *warning))
        taken = self._taken(row.row, key, before, record)
        if not warnings:
            return taken
        # The parts of a shape have the same row, and often the same warnings.
        self._warnings.update(dict.fromkeys(warnings))
        return replace(taken, warnings=tuple(warnings))

    def _taken(self, row: int, key: Key, before: R | None, record: R) -> JudgedRow[R]:
        """Add a row's record; a later row with the same key changes the record of the earlier one."""
        if before is None:
            self.records[key] = record
            return JudgedRow(row, RowAction.CREATE, record)
        differing = self._importing.differing(before, record)
        if not differing:
            return JudgedRow(row, RowAction.UNCHANGED, before, before)
        self.records[key] = record
        return JudgedRow(row, RowAction.UPDATE, record, before, differing)

    def _about(self, row: ParsedRow[C], field: str, message: str) -> RowError:
        """Return an error about a field of a row, which names the column."""
        column = self._importing.column(field)
        return RowError(row.row, column, renamed(message, field, column))
