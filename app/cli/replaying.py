"""``fencewright replay``: which events past updates would have led to under other settings or geofences."""

from argparse import Namespace

from app.api.wire.common.encoding import Encoded
from app.cli.events import event_line
from app.cli.settings import read_assignments
from app.cli.targets import existing_workspace
from app.cli.terminal.output import progress_line, write_json, write_line
from app.cli.workspaces import reach_workspace
from engine.domain.tracking.explaining import ReplayFences, ReplayQuery


def replay(arguments: Namespace) -> int:
    """Write the events that come and go; nothing is changed."""
    settings = read_assignments(arguments.set)
    query = ReplayQuery(
        device_id=arguments.device,
        user_id=arguments.user,
        after=arguments.after,
        before=arguments.before,
        fences=ReplayFences(arguments.fences),
    )
    progress = progress_line("replaying", lambda: None)  # it may be ended at any moment, as it stores nothing
    with reach_workspace(existing_workspace(arguments)) as workspace:
        report = workspace.replay(arguments.environment, query, settings, progress)
    if arguments.json:
        write_json(report, indented=True)
    else:
        _write(report)
    return 0


def _write(report: Encoded) -> None:
    changes = [("-", event) for event in report["removed"]] + [("+", event) for event in report["added"]]
    for sign, event in sorted(changes, key=lambda change: change[1]["createdAt"]):
        write_line(f"{sign} {event_line(event)}")
    before, after = len(report["before"]), len(report["after"])
    write_line(
        f"{report['updates']:,} updates: {before:,} events before, {after:,} after "
        f"({len(report['added']):,} more, {len(report['removed']):,} fewer)"
    )
