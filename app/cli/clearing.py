"""``fencewright clear``: remove tracked data from Test."""

import sys
from argparse import Namespace
from pathlib import Path

from app.api.commands import tracking
from app.api.wire.common.encoding import Encoded
from app.cli.targets import existing_workspace
from app.cli.terminal.asking import WRONG_USAGE, agreed
from app.cli.terminal.output import note, write_json, write_line
from app.cli.workspaces import reach_workspace
from engine.domain.words import count

_KINDS = ("users", "events", "updates", "trips", "geofences", "beacons")


def clear(arguments: Namespace) -> int:
    """Remove the data after a confirmation, and write the number of removed records."""
    for kind in ("geofences", "beacons"):
        if getattr(arguments, kind) and arguments.device is not None:
            note(f"--{kind} cannot be combined with --device: {kind} do not belong to a device")
            return WRONG_USAGE
    folder = existing_workspace(arguments)
    if not arguments.yes:
        if not sys.stdin.isatty():
            note("clear asks for confirmation, but there is no terminal; give --yes")
            return WRONG_USAGE
        if not _agreed(arguments, folder):
            note("nothing was removed")
            return 1
    request = tracking.ClearRequest(
        device_id=arguments.device, geofences=arguments.geofences, beacons=arguments.beacons
    )
    with reach_workspace(folder) as workspace:
        cleared = workspace.run(tracking.clear, request)
    if arguments.json:
        write_json(cleared, indented=True)
    else:
        _write(cleared)
    return 0


def _agreed(arguments: Namespace, folder: Path | str) -> bool:
    whose = "all devices" if arguments.device is None else f"the device {arguments.device!r}"
    too = " and ".join(kind for kind in ("geofences", "beacons") if getattr(arguments, kind))
    more = f", and all {too} of Test," if too else ""
    return agreed(f"Remove the users, events, location updates and trips of {whose} in Test{more} from {folder}?")


def _write(cleared: Encoded) -> None:
    counts = ", ".join(count(cleared[name], name.removesuffix("s")) for name in _KINDS)
    write_line(f"removed: {counts}")
