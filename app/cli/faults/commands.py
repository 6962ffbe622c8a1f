"""``fencewright faults``: list, add and remove faults of the process that has the workspace open."""

from argparse import Namespace
from typing import Final
from urllib.parse import quote

from app.api.wire.common.encoding import Encoded
from app.api.wire.faults.fault import FaultRecord, rule_of
from app.cli.targets import existing_workspace
from app.cli.terminal.output import write_json, write_line
from app.cli.workspaces import find_open_workspace
from app.faults.words import choice_of, effect_of, scope_of
from app.remote import RemoteWorkspace
from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceError

_FAULTS: Final = "/v1/faults"
_FIELDS: Final = {
    **{name: name for name in ("kind", "path", "method", "key", "nth", "every", "share", "seed", "times", "status")},
    **{name: name for name in ("type", "message", "when", "bytes")},
    "device": "deviceId",
    "latency_ms": "latencyMs",
    "bytes_per_second": "bytesPerSecond",
}
"""Options, and their fields on the wire."""


def faults(arguments: Namespace) -> int:
    """Do what is asked for and write the outcome."""
    folder = existing_workspace(arguments)
    found = find_open_workspace(folder)
    if found is None:
        raise WorkspaceError(
            f"Nothing has the workspace {folder} open, so there are no requests to hit; start 'fencewright serve' or "
            "the desktop first."
        )
    with found:
        answer = _ACTIONS[arguments.action](found, arguments)
    if arguments.json:
        write_json(answer, indented=True)
    else:
        _write(answer)
    return 0


def _list(workspace: RemoteWorkspace, _arguments: Namespace) -> Encoded:
    return workspace.ask_v1("GET", _FAULTS, Environment.TEST)


def _add(workspace: RemoteWorkspace, arguments: Namespace) -> Encoded:
    given = {field: getattr(arguments, option) for option, field in _FIELDS.items()}
    given["headers"] = dict(arguments.header) or None
    body = {name: value for name, value in given.items() if value is not None}
    return workspace.ask_v1("POST", _FAULTS, Environment.TEST, body)


def _clear(workspace: RemoteWorkspace, arguments: Namespace) -> Encoded:
    if not arguments.ids:
        return workspace.ask_v1("DELETE", _FAULTS, Environment.TEST)
    for each in arguments.ids:
        workspace.ask_v1("DELETE", f"{_FAULTS}/{quote(each, safe='')}", Environment.TEST)
    return {"cleared": len(arguments.ids)}


_ACTIONS: Final = {"list": _list, "add": _add, "clear": _clear}


def _write(answer: Encoded) -> None:
    for fault in answer.get("faults", [answer["fault"]] if "fault" in answer else ()):
        write_line(_line(fault))
    if "cleared" in answer:
        write_line(f"{answer['cleared']} removed")


def _line(fault: FaultRecord) -> str:
    rule = rule_of(fault)
    state = f"{fault['hits']:,} hits" if fault["active"] else f"{fault['hits']:,} hits, spent"
    return "  ".join((fault["_id"], effect_of(rule), scope_of(rule), choice_of(rule), state))
