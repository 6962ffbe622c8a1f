"""``fencewright settings``: show the settings of an environment, or change them."""

from argparse import Namespace
from collections.abc import Iterable

import orjson

from app.api.commands import workspace as commands
from app.api.wire.common.encoding import Encoded
from app.api.wire.settings.request import NAMES, decode_settings_change, parse_setting
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.cli.workspaces import reach_workspace
from engine.domain.errors import InvalidParameter
from engine.domain.fields.settings import changed_settings
from engine.domain.settings import DEFAULT_SETTINGS
from engine.geofences.checks.settings import settings_warnings


def settings(arguments: Namespace) -> int:
    """Apply the requested changes, all or none, then write all settings."""
    change = read_assignments(arguments.set)
    with reach_workspace(chosen_workspace(arguments)) as workspace:
        if change:
            shown = workspace.run(commands.change_settings, change, arguments.environment)
            _warn(shown)
        else:
            shown = workspace.run(commands.settings, None, arguments.environment)
    if arguments.json:
        write_json(shown, indented=True)
    else:
        _write(shown)
    return 0


def read_assignments(assignments: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Return the change of settings that ``--set`` requests, in the form of ``/v1/settings``.

    Raises `InvalidParameter` naming the invalid setting before anything is changed.
    """
    change: dict[str, object] = {}
    for name, text in assignments:
        if name in change:
            raise InvalidParameter(name, f"{name}: duplicate --set.")
        change[name] = parse_setting(name, text)
    decode_settings_change(change)
    return change


def _warn(shown: Encoded) -> None:
    """Report the findings of the settings checks for the current settings."""
    stored = changed_settings(DEFAULT_SETTINGS, decode_settings_change({name: shown.get(name) for name in NAMES}))
    for text in settings_warnings(stored):
        note(f"warning: {text}")


def _write(shown: Encoded) -> None:
    width = max(map(len, NAMES))
    for name in NAMES:
        write_line(f"{name:<{width}}  {_readable(shown.get(name))}".rstrip())


def _readable(value: object) -> str:
    match value:
        case None | []:
            return "-"
        case str():
            return value
        case float():
            return f"{value:.12g}"
        case list() if all(isinstance(item, str) for item in value):
            return ",".join(value)
        case _:
            return orjson.dumps(value).decode()
