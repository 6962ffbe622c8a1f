"""``fencewright import`` and ``imports``: geofences or beacons from a file, and the history of imports."""

from argparse import Namespace
from contextlib import AbstractContextManager, closing
from shlex import quote
from typing import Any

from app.api.commands import geofences
from app.api.wire.common.encoding import Encoded
from app.cli.targets import chosen_workspace, existing_workspace, workspace_of_trial
from app.cli.terminal.output import end_progress, note, progress_line, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.terminal.values import assigned
from app.cli.workspaces import ReachedWorkspace, reach_workspace
from app.files import check_writable, read_import, write_file
from engine.domain.errors import InvalidParameter, renamed
from engine.domain.imports import Encoding, ImportFile, ImportKind, ImportOptions, ImportQuery
from engine.domain.ports import Cancelled, no_progress
from engine.domain.words import count
from engine.geofences.imports.guessing import guessed
from engine.geofences.imports.importing import no_geometry, no_radius
from engine.geofences.imports.rows import FORMAT
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.subset import subset_of

MAX_SHOWN_ERRORS = 50
_OPTIONS = ("layer", "sheet", "map", "set", "id", "metadata")
_NO_RADIUS = renamed(no_radius().message, "size", "radius")
_REFUSED = " (nothing was stored; correct these rows, or import the others with --keep-good-rows)"


def import_file(arguments: Namespace) -> int:
    """Import the file and report the outcome; return 1 if a row failed."""
    file = read_import(arguments.file)
    check_writable(arguments.refused)
    with stop_on_signals() as stop:
        try:
            report = _import(arguments, file, stop)
            if arguments.refused is not None:
                _save_refused(arguments, file, report, stop)
        except Cancelled:
            end_progress()
            note("stopped; nothing was imported")
            return stop.exit_code
        except InvalidParameter as error:
            if error.param not in _OPTIONS and (suggested := _suggested(arguments, file)):
                note(f"the file can probably be imported with {suggested}")
            raise
    if arguments.json:
        write_json(_with_columns(report), indented=True)
    else:
        _write_report(report)
    return 1 if report["failed"] else 0


def _suggested(arguments: Namespace, file: ImportFile) -> str:
    """Return the options with which a file can probably be imported, unless columns are mapped already."""
    if arguments.beacons or arguments.map or arguments.set or arguments.id:
        return ""
    try:
        encoding = None if arguments.encoding is None else Encoding(arguments.encoding)
        source = open_source(
            file.data, file.name, arguments.layer, no_progress, sheet=arguments.sheet, encoding=encoding
        )
        options = guessed(source, arguments.layer or file.name)
    except InvalidParameter:
        return ""
    if options is None:
        return ""
    words = [
        f"--{name} {quote(f'{field}={value}')}"
        for name, given in (("map", options.mapping), ("set", options.fixed))
        for field, value in given.items()
    ]
    words += [] if options.id is None else [f"--id {options.id}"]
    words += [f"--metadata {quote(column)}" for column in options.metadata]
    return " ".join(words)


def imports(arguments: Namespace) -> int:
    """List the latest imports, or undo one."""
    with reach_workspace(existing_workspace(arguments)) as workspace:
        if arguments.undo is not None:
            records = [workspace.run(geofences.undo_import, arguments.undo, arguments.environment)]
        else:
            records = workspace.run(geofences.imports, ImportQuery(limit=arguments.limit), arguments.environment)
    if arguments.json:
        write_json(records if arguments.undo is None else records[0], indented=True)
        return 0
    for record in records:
        write_line(_record_line(record))
    return 0


def _record_line(record: Encoded) -> str:
    counts = ", ".join(
        f"{record[name]:,} {name}"
        for name in ("created", "updated", "unchanged", "deleted", "failed")
        if record[name] or name == "created"
    )
    return f"{record['_id']}  {record['createdAt']}  {record['status']:<8}  {record['fileName']}: {counts}"


def _save_refused(arguments: Namespace, file: ImportFile, report: Encoded, stop: StopRequest) -> None:
    """Save the rows with errors, all of which are in the report."""
    rows = frozenset(error["row"] for error in report["errors"] if "row" in error)
    if not rows:
        note("no row was refused, so nothing was saved")
        return
    subset = subset_of(file, _options(arguments), rows, progress_line("saving refused rows", stop.check))
    write_file(arguments.refused, subset.data)
    note(f"{count(len(rows), 'refused row')} saved to {arguments.refused}. {subset.note}".strip())


def _options(arguments: Namespace) -> ImportOptions:
    return ImportOptions(
        layer=arguments.layer,
        sheet=arguments.sheet,
        encoding=None if arguments.encoding is None else Encoding(arguments.encoding),
        mapping=assigned("map", arguments.map),
        fixed=assigned("set", arguments.set),
        id=arguments.id,
        metadata=tuple(dict.fromkeys(arguments.metadata)),
        repairs=arguments.repairs,
        line_width_m=arguments.line_width,
        keep_good_rows=arguments.keep_good_rows,
    )


def _import(arguments: Namespace, file: ImportFile, stop: StopRequest) -> Encoded:
    progress = progress_line("importing", stop.check)
    request = geofences.ImportRequest(
        name=file.name,
        options=_options(arguments),
        kind=ImportKind.BEACONS if arguments.beacons else None,
        dry_run=arguments.dry_run,
        preview=arguments.dry_run and arguments.json,
        most_errors=None if arguments.json or arguments.refused is not None else MAX_SHOWN_ERRORS,
    )
    with _target(arguments, stop) as workspace:
        return workspace.run(geofences.import_file, request, arguments.environment, file.data, progress)


def _target(arguments: Namespace, stop: StopRequest) -> AbstractContextManager[ReachedWorkspace]:
    """Return the workspace to import into, or to compare with in a dry run, which creates none."""
    if arguments.dry_run:
        return closing(ReachedWorkspace(workspace_of_trial(arguments), stop))
    return reach_workspace(chosen_workspace(arguments), stop)


def _with_columns(report: Encoded) -> Encoded:
    """Return the report with a column in every item, since a table without missing cells is easier to read."""
    columns = {
        kind: [{"row": e.get("row"), "column": e.get("column"), "message": e["message"]} for e in report.get(kind, [])]
        for kind in ("errors", "warnings")
    }
    return {**report, **columns}


def _write_report(report: Encoded) -> None:
    _write_rows(report["errors"], report.get("moreErrors", 0), "errors")
    _write_rows(report.get("warnings", []), report.get("moreWarnings", 0), "warnings")
    if report["ignoredColumns"]:
        note(f"ignored columns: {', '.join(report['ignoredColumns'])}")
    if options := _position_options(report):
        note(f"ignored columns are probably the position; to use them, add {options}")
    if any(each["message"] == _NO_RADIUS for each in report["errors"]):
        note("to give all points a radius, add --set radius=METRES")
    if overwritten := report.get("overwritten"):
        shown = ", ".join(overwritten[:MAX_SHOWN_ERRORS])
        more = f" and {len(overwritten) - MAX_SHOWN_ERRORS:,} more" if len(overwritten) > MAX_SHOWN_ERRORS else ""
        note(f"overwrites {count(len(overwritten), 'geofence')} that this file did not create: {shown}{more}")
    counts = [f"{report[name]:,} {name}" for name in ("created", "updated")]
    counts += [f"{report[name]:,} {name}" for name in ("unchanged", "deleted") if report[name]]
    # The counts of a refused import are not shown, since nothing was stored.
    refused = not (report["stored"] or report["dryRun"])
    outcome = ", ".join([*([] if refused else counts), f"{report['failed']:,} failed"])
    trial = " (dry run: nothing was stored)" if report["dryRun"] else _REFUSED if refused else ""
    of = " of beacons" if report["kind"] == ImportKind.BEACONS else ""
    write_line(f"{count(report['rows'], f'row{of}', f'rows{of}')}: {outcome}{trial}")


def _position_options(report: Encoded) -> str:
    """Return the options that map ignored columns to the position that rows lack, or "" without such columns."""
    if report["kind"] == ImportKind.BEACONS or all(e["message"] != no_geometry().message for e in report["errors"]):
        return ""
    found = FORMAT.suggested(report["ignoredColumns"])
    fields = ("coordinates",) if "coordinates" in found else ("latitude", "longitude")
    if any(field not in found for field in fields):
        return ""
    return " ".join(f"--map {quote(f'{field}={found[field]}')}" for field in fields)


def _write_rows(items: list[dict[str, Any]], more: int, label: str) -> None:
    more += len(items[MAX_SHOWN_ERRORS:])
    for item in items[:MAX_SHOWN_ERRORS]:
        column = item.get("column")
        row = f"row {item['row']}" if item.get("row") else "file"
        location = row + (f", column {column}" if column else "")
        write_line(f"{location}: {item['message'].removeprefix(f'{column}: ')}")
    if more:
        write_line(f"… and {more:,} more {label}; --json shows all of them")
