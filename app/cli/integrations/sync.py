"""``fencewright sync``: show, set and run the nightly sync."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from getpass import getpass
from itertools import chain
from shlex import quote
from typing import Any

from app.api.commands import geofences
from app.api.wire.common.encoding import Encoded
from app.api.wire.integrations.nightly_sync import NAMES, SECRET_NAMES, decode_sync_change, parse_sync_setting
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import end_progress, note, progress_line, write_json, write_line
from app.cli.terminal.signals import stop_on_signals
from app.cli.terminal.values import assigned
from app.cli.workspaces import reach_workspace
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET
from engine.domain.imports import ALL_REPAIRS
from engine.domain.ports import Cancelled
from engine.domain.words import count
from engine.outbound.urls import shown_url

_CANCELLED = "cancelled"


def sync(arguments: Namespace) -> int:
    """Run the subcommand."""
    match arguments.action:
        case "show":
            return _show(arguments, {})
        case "set":
            return _show(arguments, read_change(arguments.assignments), _read_options(arguments))
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


def _read_options(arguments: Namespace) -> dict[str, object] | None:
    """Return the options given for a file, or None."""
    given: dict[str, object] = {
        "layer": arguments.layer,
        "sheet": arguments.sheet,
        "encoding": arguments.encoding,
        "map": assigned("map", arguments.map),
        "set": assigned("set", arguments.set),
        "id": arguments.id,
        "metadata": arguments.metadata,
        "repair": arguments.repairs == ALL_REPAIRS or sorted(arguments.repairs),
        "lineWidth": arguments.line_width,
    }
    options = {name: value for name, value in given.items() if value}
    if options and arguments.plain:
        raise InvalidParameter("--plain", "--plain: cannot be combined with options for the file.")
    if arguments.file is not None and not (options or arguments.plain):
        raise InvalidParameter(
            "--file", "--file: needs options for the file, such as --map externalId=OBJECTID, or --plain."
        )
    if not (arguments.assignments or options or arguments.plain):
        raise InvalidParameter("assignments", "Give a setting such as hour=3, or options such as --map FIELD=COLUMN.")
    return options if options or arguments.plain else None


def _with_options(
    change: dict[str, Any], options: dict[str, object], before: Encoded, wanted: str | None
) -> dict[str, object]:
    """Return a change that also replaces the options of a file."""
    decoded = decode_sync_change(change)
    files = [
        *(before["urls"] if decoded.urls is UNSET else decoded.urls or ()),
        *(before["objectKeys"] if decoded.object_keys is UNSET else decoded.object_keys or ()),
    ]
    if wanted is None and len(files) != 1:
        listed = f": {', '.join(map(shown_url, files))}" if files else "; give one with urls=URL"
        raise InvalidParameter(
            "--file", f"--file: must name one of the {count(len(files), 'file')} of the sync{listed}."
        )
    file = files[0] if wanted is None else wanted
    given = change["fileOptions"] if "fileOptions" in change else before["fileOptions"]
    others = [each for each in given or [] if each["file"] != file and each["file"] in files]
    return {**change, "fileOptions": [*others, *([{"file": file, **options}] if options else [])]}


def _ask_value(name: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return getpass(f"{name}: ") if name in SECRET_NAMES else input(f"{name}: ")


def _show(arguments: Namespace, change: dict[str, object], options: dict[str, object] | None = None) -> int:
    with reach_workspace(chosen_workspace(arguments)) as workspace:
        if options is not None:
            before = workspace.run(geofences.sync, None, arguments.environment)
            change = _with_options(change, options, before, arguments.file)
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
            return ", ".join(_options_line(each) if isinstance(each, dict) else each for each in value)
        case _:
            return str(value)


def _options_line(options: Encoded) -> str:
    """Return the options of a file as on the command line."""
    words = [shown_url(options["file"])]
    for name in ("layer", "sheet", "encoding"):
        if name in options:
            words += [f"--{name}", quote(options[name])]
    for name in ("map", "set"):
        for field, value in options.get(name, {}).items():
            words += [f"--{name}", quote(f"{field}={value}")]
    words += ["--id", quote(options["id"])] if "id" in options else []
    words += chain.from_iterable(("--metadata", quote(name)) for name in options.get("metadata", ()))
    words += _repair_words(options.get("repair", False))
    words += [] if options.get("lineWidth") is None else ["--line-width", f"{options['lineWidth']:g}"]
    return " ".join(words)


def _repair_words(repair: bool | list[str]) -> list[str]:
    if isinstance(repair, bool):
        return ["--repair"] if repair else []
    return ["--repair-only", ",".join(repair)]


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
    if file["ignoredColumns"]:
        write_line(f"    ignored columns: {', '.join(file['ignoredColumns'])}")
    for warning in file["warnings"]:
        write_line(f"    {f'row {warning["row"]}' if warning['row'] else 'file'}: {warning['message']}")
    for error in file["errors"]:
        column = f", column {error['column']}" if "column" in error else ""
        write_line(f"    row {error['row']}{column}: {error['message']}")
