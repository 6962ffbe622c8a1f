"""``fencewright clear``: remove what was tracked in Test."""

import sys
from argparse import Namespace
from pathlib import Path

from app.api.wire.common.encoding import Encoded
from app.cli.targets import existing_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.cli.workspaces import reach_workspace

WRONG_USAGE = 2


def clear(arguments: Namespace) -> int:
    """Remove it, once the user agreed, and write how much that was."""
    if arguments.geofences and arguments.device is not None:
        note("--geofences cannot be combined with --device: geofences do not belong to a device")
        return WRONG_USAGE
    folder = existing_workspace(arguments)
    if not arguments.yes:
        if not sys.stdin.isatty():
            note("clear asks for confirmation, but there is no terminal; give --yes")
            return WRONG_USAGE
        if not _agreed(arguments, folder):
            note("nothing was removed")
            return 1
    with reach_workspace(folder) as workspace:
        cleared = workspace.clear(arguments.device, geofences=arguments.geofences)
    if arguments.json:
        write_json(cleared, indented=True)
    else:
        _write(cleared)
    return 0


def _agreed(arguments: Namespace, folder: Path | str) -> bool:
    whose = "all devices" if arguments.device is None else f"the device {arguments.device!r}"
    geofences = ", and all geofences of Test," if arguments.geofences else ""
    sys.stderr.write(
        f"Remove the users, events and location updates of {whose} in Test{geofences} from {folder}? [y/N] "
    )
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _write(cleared: Encoded) -> None:
    counts = ", ".join(f"{cleared[name]:,} {name}" for name in ("users", "events", "updates", "geofences"))
    write_line(f"removed: {counts}")
