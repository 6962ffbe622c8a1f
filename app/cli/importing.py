"""``fencewright import``: geofences or beacons from a CSV."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from app.api.wire.common.encoding import Encoded
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import note, progress_line, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.workspaces import reach_workspace
from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportKind
from engine.domain.ports import Cancelled

MAX_SHOWN_ERRORS = 50


def import_file(arguments: Namespace) -> int:
    """Import the file and report; 1 when a row failed."""
    data = _read(arguments.file)
    with stop_on_signals() as stop:
        try:
            report = _import(arguments, data, stop)
        except Cancelled:
            note("stopped; nothing was imported")
            return stop.exit_code
    if arguments.json:
        write_json(_with_columns(report), indented=True)
    else:
        _write_report(report)
    return 1 if report["failed"] else 0


def _import(arguments: Namespace, data: bytes, stop: StopRequest) -> Encoded:
    progress = progress_line("importing", stop.check)
    with reach_workspace(chosen_workspace(arguments)) as workspace:
        kind = ImportKind.BEACONS if arguments.beacons else None
        return workspace.import_csv(arguments.environment, data, kind, dry_run=arguments.dry_run, progress=progress)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidParameter("file", f"{file} cannot be read: {error.strerror}.") from error


def _with_columns(report: Encoded) -> Encoded:
    """Return the report with a column in every item: a table is easier to read where no cell is missing."""
    columns = {
        kind: [{"row": e["row"], "column": e.get("column"), "message": e["message"]} for e in report.get(kind, [])]
        for kind in ("errors", "warnings")
    }
    return {**report, **columns}


def _write_report(report: Encoded) -> None:
    _write_rows(report["errors"], "errors")
    _write_rows(report.get("warnings", []), "warnings")
    outcome = f"{report['created']:,} created, {report['updated']:,} updated, {report['failed']:,} failed"
    trial = " (dry run: nothing was stored)" if report["dryRun"] else ""
    rows = "rows of beacons" if report["kind"] == ImportKind.BEACONS else "rows"
    write_line(f"{report['rows']:,} {rows}: {outcome}{trial}")


def _write_rows(items: list[dict[str, Any]], what: str) -> None:
    for item in items[:MAX_SHOWN_ERRORS]:
        column = item.get("column")
        where = f"row {item['row']}" + (f", column {column}" if column else "")
        write_line(f"{where}: {item['message'].removeprefix(f'{column}: ')}")
    if len(items) > MAX_SHOWN_ERRORS:
        write_line(f"… and {len(items) - MAX_SHOWN_ERRORS:,} more {what}; --json shows all of them")
