"""``fencewright faults``: list, add and remove faults of the process that has the workspace open."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from app.api.wire.common.encoding import Encoded
from app.api.wire.faults.fault import FaultRecord, rule_of
from app.cli.targets import existing_workspace
from app.cli.terminal.output import write_json, write_line
from app.cli.workspaces import served_workspace
from app.faults.words import choice_of, effect_of, scope_of
from app.remote import RemoteWorkspace
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.words import count

_FAULTS: Final = "/v1/faults"
_FIELDS: Final = {
    **{name: name for name in ("kind", "path", "method", "key", "nth", "every", "share", "seed", "times", "status")},
    **{name: name for name in ("type", "message", "when", "bytes")},
    "device": "deviceId",
    "latency_ms": "latencyMs",
    "bytes_per_second": "bytesPerSecond",
}
"""The wire names of the fields that options set."""


def faults(arguments: Namespace) -> int:
    """Run the subcommand and write the outcome."""
    workspace = served_workspace(existing_workspace(arguments), "are no requests to affect")
    answer = _ACTIONS[arguments.action](workspace, arguments)
    if arguments.json:
        write_json(answer, indented=True)
    else:
        _write(answer)
    return 0


def _list(workspace: RemoteWorkspace, _arguments: Namespace) -> Encoded:
    return workspace.ask_v1("GET", _FAULTS, Environment.TEST)


def _add(workspace: RemoteWorkspace, arguments: Namespace) -> Encoded:
    given = {field: getattr(arguments, option) for option, field in _FIELDS.items()}
    given["headers"] = _headers(arguments.header) or None
    body = {name: value for name, value in given.items() if value is not None}
    try:
        return workspace.ask_v1("POST", _FAULTS, Environment.TEST, body)
    except InvalidParameter as error:
        raise _in_options(error) from None


def _headers(given: Sequence[tuple[str, str]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in given:
        if name in headers:
            raise InvalidParameter("--header", f"--header: {name} is given twice.")
        headers[name] = value
    return headers


def _clear(workspace: RemoteWorkspace, arguments: Namespace) -> Encoded:
    if not arguments.ids:
        return workspace.ask_v1("DELETE", _FAULTS, Environment.TEST)
    for each in arguments.ids:
        workspace.ask_v1("DELETE", f"{_FAULTS}/{quote(each, safe='')}", Environment.TEST)
    return {"cleared": len(arguments.ids)}


_ACTIONS: Final = {"list": _list, "add": _add, "clear": _clear}


def _in_options(error: InvalidParameter) -> InvalidParameter:
    """Return an error that names the option instead of the field."""
    option = next((option for option, field in {**_FIELDS, "header": "headers"}.items() if field == error.param), None)
    if option is None:
        return error
    name = f"--{option.replace('_', '-')}"
    return InvalidParameter(name, f"{name}: {error.message.removeprefix(f'{error.param}: ')}")


def _write(answer: Encoded) -> None:
    if answer.get("faults") == []:
        write_line("No faults.")
    for fault in answer.get("faults", [answer["fault"]] if "fault" in answer else ()):
        write_line(_line(fault))
    if "cleared" in answer:
        write_line(f"{answer['cleared']} removed")


def _line(fault: FaultRecord) -> str:
    rule = rule_of(fault)
    state = f"{count(fault['hits'], 'hit')}{'' if fault['active'] else ', used up'}"
    return "  ".join((fault["_id"], effect_of(rule), scope_of(rule), choice_of(rule), state))
