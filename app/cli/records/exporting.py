"""``fencewright export``: geofences, events or users as a file."""

import sys
from argparse import Namespace
from pathlib import Path

from app.api.commands.geofences import ExportRequest
from app.api.commands.geofences import export as export_geofences
from app.api.commands.records import RecordQuery
from app.cli.options.records import EXPORT_FORMATS, GEOFENCES
from app.cli.targets import existing_workspace
from app.cli.terminal.output import end_progress, note, progress_bar, progress_line, write_json
from app.cli.terminal.signals import stop_on_signals
from app.cli.workspaces import reach_workspace
from app.exporting.files import write_records
from app.exports import FileFormat, RecordFilter, RecordKind, format_of, known_ending
from app.files import write_file
from engine.domain.ports import Cancelled
from engine.domain.words import count
from engine.geofences.imports.exporting import ExportFormat, ExportQuery

_STANDARD_OUTPUT = Path("-")
_ENDINGS = {"": ExportFormat.CSV, **{f".{name}": ExportFormat(name) for name in EXPORT_FORMATS}}


def export_records(arguments: Namespace) -> int:
    """Write them to the file, which appears whole or not at all."""
    if arguments.records == GEOFENCES:
        return export(arguments)
    file_format = FileFormat(arguments.format or format_of(arguments.output))
    folder = existing_workspace(arguments)
    kind = RecordKind(arguments.records)
    wanted = RecordFilter(
        user_id=arguments.user,
        device_id=arguments.device,
        types=frozenset(getattr(arguments, "type", ())),
        tags=frozenset(getattr(arguments, "tag", ())),
        after=arguments.after,
        before=arguments.before,
    )
    with stop_on_signals() as stop, reach_workspace(folder, stop) as workspace:
        progress = progress_bar("exporting", stop.check)
        try:
            with workspace.records(arguments.environment, RecordQuery(kind, wanted)) as found:
                written = write_records(arguments.output, file_format, kind, found.total, found.batches, progress)
        except Cancelled:
            end_progress()
            note(f"stopped; {arguments.output} was not written")
            return stop.exit_code
    if arguments.json:
        write_json({"records": written, "file": str(arguments.output)}, indented=True)
    else:
        note(f"{count(written, kind.removesuffix('s'))} written to {arguments.output}")
    return 0


def export(arguments: Namespace) -> int:
    """Write the file."""
    output: Path = arguments.output
    file_format = _format(arguments)
    enabled = None if arguments.state is None else arguments.state == "enabled"
    request = ExportRequest(file_format, ExportQuery(tags=frozenset(arguments.tag), enabled=enabled))
    with stop_on_signals() as stop:
        try:
            with reach_workspace(existing_workspace(arguments), stop) as workspace:
                progress = progress_line("exporting", stop.check)
                content = workspace.run(export_geofences, request, arguments.environment, progress=progress)
        except Cancelled:
            end_progress()
            note("stopped; nothing was written")
            return stop.exit_code
    if output == _STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return 0
    write_file(output, content)
    note(f"{len(content):,} bytes written to {output}")
    return 0


def _format(arguments: Namespace) -> ExportFormat:
    return ExportFormat(arguments.format) if arguments.format else known_ending(arguments.output, _ENDINGS)
