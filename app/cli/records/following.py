"""``fencewright events``: the newest events, and with ``--follow`` new events as they occur."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Final

from app.api.commands.tracking import EventRequest, newest_event
from app.api.commands.tracking import events as listed_events
from app.api.wire.common.encoding import Encoded
from app.api.wire.event import FROM_THE_FIRST
from app.cli.events import event_line
from app.cli.targets import existing_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.cli.whatif.known import note_unknown_device
from app.cli.workspaces import find_open_workspace, reach_workspace
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, WorkspaceUnreachable
from engine.domain.queries import EventFilter
from engine.store.workspace import MEMORY

LISTED: Final = 20
LOOK_AGAIN_S: Final = 0.5


def events(arguments: Namespace) -> int:
    """Write the newest events, oldest first; following continues until it is interrupted."""
    folder = existing_workspace(arguments)
    if arguments.follow and folder == MEMORY:
        raise InvalidParameter(
            "workspace", f"{MEMORY} would be a new, empty workspace that no other process can reach."
        )
    wanted = EventFilter(
        user_id=arguments.user,
        device_id=arguments.device,
        types=frozenset(arguments.type),
        tags=frozenset(arguments.tag),
        external_id=arguments.external_id,
    )
    limit = arguments.limit if arguments.limit is not None else 0 if arguments.follow else LISTED
    environment: Environment = arguments.environment
    with reach_workspace(folder) as workspace:
        last = arguments.after or workspace.run(newest_event, None, environment) or FROM_THE_FIRST
        listed = workspace.run(listed_events, EventRequest(wanted, limit), environment) if limit else []
        if limit and not listed and arguments.device is not None:
            note_unknown_device(workspace, environment, arguments.device)
    for event in reversed(listed):
        _write(event, as_json=arguments.json)
    if arguments.follow:
        shown = {event["_id"] for event in listed}
        for event in _followed(Path(folder), environment, wanted, last):
            if event["_id"] not in shown:
                _write(event, as_json=arguments.json)
    return 0


def _write(event: Encoded, *, as_json: bool) -> None:
    write_json(event) if as_json else write_line(event_line(event, device=True))


def _followed(folder: Path, environment: Environment, wanted: EventFilter, last: str) -> Iterator[Encoded]:
    """Yield events indefinitely, without gaps, from any process that has the workspace open."""
    given, waits = last, False
    while True:
        remote = find_open_workspace(folder)
        if remote is None:
            if not waits:
                note(f"{folder} is not open in any process; waiting")
            waits = True
            sleep(LOOK_AGAIN_S)
            continue
        waits = False
        try:
            for event in remote.follow(environment, wanted, last):
                last = event["_id"]
                yield event
        except WorkspaceUnreachable:
            pass  # the loop looks for another process
        except InvalidParameter:
            if last == given:
                raise
            note("the last event shown has been deleted; only new events follow")
            last = remote.run(newest_event, None, environment) or FROM_THE_FIRST
        sleep(LOOK_AGAIN_S)
