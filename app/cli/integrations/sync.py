"""``fencewright sync``: show, set and run the nightly sync."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from getpass import getpass
from typing import Any

from app.api.commands import geofences
from app.api.wire.common.encoding import Encoded
from app.api.wire.integrations.nightly_sync import NAMES, SECRET_NAMES, decode_sync_change, parse_sync_setting
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import end_progress, note, progress_line, write_json, write_line
from app.cli.terminal.signals import stop_on_signals
from app.cli.workspaces import reach_workspace
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.domain.words import count

_CANCELLED = "cancelled"


def sync(arguments: Namespace) -> int:
    """Run the subcommand."""
    match arguments.action:
        case "show":
            return _show(arguments, {})
        case "set":
            return _show(arguments, read_change(arguments.assignments))
        case _:
            return _run(arguments)


def read_change(assignments: Iterable[str]) -> dict[str, object]:
    """Return the change that assignments request; raises `InvalidParameter` before anything is changed."""
    change: dict[str, object] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if name in change:
            raise InvalidParameter(name, f"{name}: is given twice.")
        parse_sync_setting(name, "")
        change[name] = parse_sync_setting(name, text if equals else _ask_value(name))
    decode_sync_change(change)
    return change


def _ask_value(name: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return getpass(f"{name}: ") if name in SECRET_NAMES else input(f"{name}: ")


def _show(arguments: Namespace, change: dict[str, object]) -> int:
    with reach_workspace(chosen_workspace(arguments)) as workspace:
        if change:
            shown = workspace.run(geofences.change_sync, change, arguments.environment)
        else:
            shown = workspace.run(geofences.sync, None, arguments.environment)
    if arguments.json:
        write_json(shown, indented=True)
    else:
        _write(shown)
    return 0


def _write(shown: Encoded) -> None:
    names = [f"{name}Set" if name in SECRET_NAMES else name for name in NAMES]
    width = max(map(len, names))
    for name in (*names, "nextRunAt"):
        write_line(f"{name:<{width}}  {_readable(shown.get(name))}")
    if (last := shown.get("lastRun")) is not None:
        write_line("")
        _write_run(last)


def _readable(value: Any) -> str:
    match value:
        case None | []:
            return "-"
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(value)
        case _:
            return str(value)


def _run(arguments: Namespace) -> int:
    with stop_on_signals() as stop:
        progress = progress_line("syncing", stop.check)
        try:
            with reach_workspace(chosen_workspace(arguments), stop) as workspace:
                request = geofences.SyncRequest(arguments.force)
                run = workspace.run(geofences.run_sync, request, arguments.environment, progress=progress)
        except Cancelled:
            end_progress()
            note("stopped; files imported so far stay imported")
            return stop.exit_code
        if arguments.json:
            write_json(run, indented=True)
        else:
            _write_run(run)
        if run["status"] == _CANCELLED:
            return stop.exit_code
    return 0 if run["status"] == "succeeded" else 1


def _write_run(run: Encoded) -> None:
    deleted = f", {run['deleted']:,} deleted" if run["deleted"] else ""
    write_line(f"{run['trigger']} sync of {run['startedAt']}: {run['status']}{deleted}")
    for sentence in run["notes"]:
        write_line(f"  {sentence}")
    for file in run["files"]:
        _write_file(file)
    mail = run["email"]
    if mail["status"] != "none":
        again = f", next attempt {mail['nextAttemptAt']}" if "nextAttemptAt" in mail else ""
        why = f": {mail['message']}" if "message" in mail else ""
        write_line(f"  e-mail {mail['status']}{again}{why}")


def _write_file(file: Encoded) -> None:
    if file["outcome"] != "imported":
        why = f": {file['message']}" if "message" in file else ""
        write_line(f"  {file['name']}: {file['outcome']}{why}")
        return
    counts = ", ".join(f"{file[name]:,} {name}" for name in ("created", "updated", "unchanged", "failed"))
    write_line(f"  {file['name']}: {count(file['rows'], 'row')}: {counts}")
    for error in file["errors"]:
        column = f", column {error['column']}" if "column" in error else ""
        write_line(f"    row {error['row']}{column}: {error['message']}")
