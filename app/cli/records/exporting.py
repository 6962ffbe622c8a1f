"""``fencewright export events`` and ``fencewright export users``: records as a file."""

from argparse import Namespace

from app.api.commands.records import RecordQuery
from app.cli.options.records import GEOFENCES
from app.cli.records.geofences import export
from app.cli.targets import existing_workspace
from app.cli.terminal.output import end_progress, note, progress_bar, write_json
from app.cli.terminal.signals import stop_on_signals
from app.cli.workspaces import reach_workspace
from app.exporting.files import write_records
from app.exports import FileFormat, RecordFilter, RecordKind, format_of
from engine.domain.ports import Cancelled
from engine.domain.words import count


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
