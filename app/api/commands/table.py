"""All operations of commands by name."""

from collections.abc import Mapping
from typing import Any, Final

from app.api.commands import backtests, geofences, records, tracking, workspace
from app.api.commands.command import Command

COMMANDS: Final[Mapping[str, Command[Any, Any]]] = {
    each.name: each
    for module in (backtests, geofences, records, tracking, workspace)
    for each in vars(module).values()
    if isinstance(each, Command)
}
