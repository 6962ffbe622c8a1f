"""Reports of a workspace's commands: imports, and the removal of test data."""

from typing import Any

from app.api.wire.common.encoding import Encoded
from engine.domain.geofence import Geofence
from engine.domain.imports import WHOLE_FILE, ImportReport, JudgedRow, RowError
from engine.domain.tracking.explaining import Cleared


def encode_report(report: ImportReport) -> Encoded:
    """Return the outcome of an import, for another command of this workspace."""
    return {
        "kind": report.kind,
        "rows": report.rows,
        "created": report.created,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "deleted": report.deleted,
        "failed": report.failed,
        "dryRun": report.dry_run,
        "stored": report.stored and not report.dry_run,
        "importId": report.import_id,
        "ignoredColumns": list(report.ignored),
        "errors": [encode_row_error(error) for error in report.errors],
        "warnings": [encode_row_error(warning) for warning in report.warnings],
    }


def encode_preview(report: ImportReport) -> Encoded:
    """Return what an import of geofences would make of each row."""
    return {"preview": [_encode_judged(row) for row in report.judged]}


def _encode_judged(row: JudgedRow[Geofence]) -> Encoded:
    told: dict[str, Any] = {"row": row.row, "action": row.action.value}
    known = row.record or row.before
    if known is not None:
        told |= {"tag": known.tag, "externalId": known.external_id, "description": known.description}
    if row.differing:
        told["fields"] = list(row.differing)
    if row.errors:
        told["errors"] = [encode_row_error(error) for error in row.errors]
    return told


def encode_row_error(error: RowError) -> Encoded:
    """Return why a row of a table was not imported, or a warning about it; row 1 is the header."""
    row = {} if error.row == WHOLE_FILE else {"row": error.row}
    column = {} if error.column is None else {"column": error.column}
    return {**row, **column, "message": error.message}


def encode_cleared(cleared: Cleared) -> Encoded:
    """Return how many records were removed."""
    return {
        "users": cleared.users,
        "events": cleared.events,
        "updates": cleared.updates,
        "trips": cleared.trips,
        "geofences": cleared.geofences,
        "beacons": cleared.beacons,
    }
