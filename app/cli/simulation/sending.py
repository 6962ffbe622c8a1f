"""Updates that a command sends: checks before, and warnings about routes not found in time and times not kept."""

from argparse import Namespace
from collections.abc import Sequence
from datetime import datetime
from shlex import quote

from app.api.commands import tracking
from app.api.wire.common.encoding import Encoded, encode_time
from app.api.wire.track import ROUTE_TOO_LATE
from app.cli.targets import same_workspace
from app.cli.terminal.output import note
from app.cli.workspaces import ReachedWorkspace, Tracked
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.words import count
from engine.trips.waiting import PATIENCE_S


def prepare_device(arguments: Namespace, workspace: ReachedWorkspace) -> None:
    """Delete the data of the device in Test if ``--reset-device`` is given."""
    if arguments.reset_device:
        cleared = workspace.run(tracking.clear, tracking.ClearRequest(device_id=arguments.device))
        note(f"reset the device {arguments.device!r}: deleted {count(cleared['events'], 'event')} of Test")


def check_order(arguments: Namespace, workspace: ReachedWorkspace, updates: Sequence[LocationUpdate]) -> None:
    """Raise `InvalidParameter` for a track in the past of its device, unless ``--continue`` is given.

    A track that is sent again has other events than the first time, or none: the device is where it ended, and late
    updates get the current time.
    """
    if arguments.is_continued or not updates:
        return
    whose = tracking.DeviceUser(arguments.device, arguments.user)
    found = workspace.run(tracking.latest_time, whose, arguments.environment)
    newest = None if found is None else datetime.fromisoformat(found)
    times = [update.at for update in updates if update.at is not None]
    if newest is None or not times or (times[0] >= newest and times[-1] > newest):
        return
    command = f"fencewright clear --device {quote(arguments.device)}{same_workspace(arguments)}"
    clear = f"--reset-device or {command} to delete them, "
    ways = f"{'' if arguments.environment.live else clear}another --device, a later --start, or --continue to send it"
    old = sum(at <= newest for at in times)
    raise InvalidParameter(
        "--device",
        f"--device: {arguments.device!r} has already sent updates up to {encode_time(newest)}. The fixes of this track "
        f"that are not later ({old:,} of {len(times):,}) would generate other events or none, "
        f"so nothing was sent. Use {ways} nevertheless.",
    )


def is_late(update: LocationUpdate, answer: Encoded) -> bool:
    """Return whether an update was older than the last update of its device, so that its time was not kept."""
    return update.at is not None and bool(answer["user"]["updatedAt"] != encode_time(update.at))


def is_unrouted(answer: Tracked) -> bool:
    """Return whether the route of an update's trip was not found in time."""
    return not isinstance(answer, BaseException) and ROUTE_TOO_LATE in answer["meta"].get("warnings", ())


def note_unrouted(number: int) -> None:
    """Warn about updates without an ETA along the route of their trip."""
    if number:
        fixes = count(number, "fix", "fixes")
        note(f"warning: {fixes} sent without the route of the trip, which took longer than {PATIENCE_S:g} s to find")


def note_late(number: int, device: str, option: str) -> None:
    """Warn about updates whose times were not kept."""
    are = "is" if number == 1 else "are"
    note(
        f"warning: {count(number, 'fix', 'fixes')} {are} older than the last update of {device}; using the current "
        f"time; to keep their times, use another {option} or a later --start"
    )
