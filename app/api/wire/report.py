"""Reports of a workspace's commands: imports, and the removal of test data."""

from app.api.wire.common.encoding import Encoded
from engine.domain.imports import ImportReport, RowError
from engine.domain.tracking.explaining import Cleared


def encode_report(report: ImportReport) -> Encoded:
    """Return the outcome of an import, for another command of this workspace."""
    return {
        "kind": report.kind,
        "rows": report.rows,
        "created": report.created,
        "updated": report.updated,
        "failed": report.failed,
        "dryRun": report.dry_run,
        "errors": [encode_row_error(error) for error in report.errors],
        "warnings": [encode_row_error(warning) for warning in report.warnings],
    }


def encode_row_error(error: RowError) -> Encoded:
    """Return why a row of a table was not imported, or a warning about it; row 1 is the header."""
    column = {} if error.column is None else {"column": error.column}
    return {"row": error.row, **column, "message": error.message}


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
