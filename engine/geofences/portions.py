"""Edits of very many geofences, which are stored in portions."""

from collections.abc import Sequence

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress, reporting, share
from engine.store.geofences import former_rows, keep_former
from engine.store.imports import ImportedItem, item_rows, keep_items, next_number
from engine.store.records.geofence_rows import geofence_row
from engine.store.staging.records import GEOFENCES
from engine.store.staging.turns import write_in_portions
from engine.store.writer import Connection, Writer


def begin(connection: Connection, environment: Environment, revision: int) -> int:
    """Begin the edit with a revision; return the number of the import that it may belong to."""
    GEOFENCES.begin(connection, environment, revision)
    return next_number(connection)


class Portions(Struct, frozen=True):
    """Stores the portions of an edit before its publication, and those of the import that it may belong to."""

    writer: Writer
    revision: int
    import_number: int

    def stage(
        self,
        saved: Sequence[Geofence],
        removed: Sequence[Geofence],
        replaced: Sequence[Geofence],
        items: Sequence[ImportedItem],
        report: Progress,
    ) -> None:
        """Store the edited geofences, their previous versions, and the records for undoing the import.

        `report` may raise `Cancelled`.
        """
        write_in_portions(self.writer, GEOFENCES.put_removals, (each.id for each in removed))
        write_in_portions(self.writer, GEOFENCES.put, map(geofence_row, reporting(saved, share(report, 0, 3))))
        former = former_rows((*removed, *replaced), self.revision, share(report, 1, 3))
        write_in_portions(self.writer, keep_former, former)
        write_in_portions(self.writer, keep_items, item_rows(self.import_number, items, share(report, 2, 3)))
