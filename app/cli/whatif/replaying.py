"""The ``fencewright replay`` command: the events that updates would have caused with other settings or geofences."""

from argparse import Namespace
from typing import Final

from app.api.commands import tracking
from app.api.wire.common.encoding import Encoded
from app.cli.events import event_line
from app.cli.settings import read_assignments
from app.cli.simulation.sources import phone_of
from app.cli.targets import existing_workspace
from app.cli.terminal.output import progress_line, write_json, write_line
from app.cli.whatif.known import naming_known_devices
from app.cli.workspaces import ReachedWorkspace, reach_workspace
from engine.domain.errors import InvalidParameter, renamed
from engine.domain.tracking.explaining import ReplayFences
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.tracking.whatif import DifferenceKind
from engine.domain.words import brief_duration, count
from engine.simulation.formats.reading import read_track
from engine.simulation.timing import location_updates, timed_points

_DEVICE: Final = "phone"
"""Name of a track's device, none of whose events are stored."""
_OPTIONS: Final = {"assume_speed_kmh": "--assume-speed", "accuracy": "--accuracy", "user_id": "--user"}
_OF_TRACK: Final = {
    "noise": "--noise",
    "seed": "--seed",
    "derive_motion": "--derive-motion",
    "accuracy": "--accuracy",
    "assume_speed": "--assume-speed",
}
_OF_KEPT: Final = {"after": "--after", "before": "--before", "fences": "--geofences"}
_SIGNS: Final = {DifferenceKind.LOST: "-", DifferenceKind.GAINED: "+", DifferenceKind.MOVED: "~"}


def replay(arguments: Namespace) -> int:
    """Write the events that would appear, disappear or move; nothing is changed."""
    _check_options(arguments)
    settings = read_assignments(arguments.set)
    files = tuple(tracking.GivenFile(path.name, path.read_bytes()) for path in arguments.fences_file)
    progress = progress_line("replaying", lambda: None)  # can be interrupted at any time, since nothing is stored
    with reach_workspace(existing_workspace(arguments)) as workspace:
        request = tracking.ReplayRequest(
            device_ids=tuple(dict.fromkeys(arguments.device)),
            user_id=arguments.user,
            after=arguments.after,
            before=arguments.before,
            fences=ReplayFences(arguments.fences or ReplayFences.THEN),
            updates=None if arguments.track is None else _track_updates(arguments, workspace),
            settings=settings,
            assignments=tuple(arguments.geofence_set),
            files=files,
            removed=tuple(arguments.geofence_delete),
        )
        with naming_known_devices(workspace, arguments.environment, arguments.device):
            report = workspace.run(tracking.replay, request, arguments.environment, progress=progress)
    if arguments.json:
        write_json(report, indented=True)
    else:
        _write(report, explain=arguments.explain)
    return 0


def _check_options(arguments: Namespace) -> None:
    """Raise `InvalidParameter` if an option has no effect.

    Some options apply only to a track, others only to stored updates.
    """
    if arguments.track is None:
        why = "requires --track; stored updates are replayed as they were sent"
        given = [name for name in _OF_TRACK if getattr(arguments, name) not in (None, False)]
    else:
        why = "cannot be given together with --track, whose fixes come now"
        given = [name for name in _OF_KEPT if getattr(arguments, name) is not None]
    if given:
        option = (_OF_TRACK | _OF_KEPT)[given[0]]
        raise InvalidParameter(option, f"{option}: {why}.")


def _track_updates(arguments: Namespace, workspace: ReachedWorkspace) -> tuple[LocationUpdate, ...]:
    """Return the updates that a device would send along the track.

    Errors name the command-line option instead of the parameter.
    """
    track = read_track(arguments.track)
    try:
        now = workspace.now(arguments.environment)
        fixes = phone_of(arguments).reports(timed_points(track, now=now, assume_speed_kmh=arguments.assume_speed))
        return location_updates(fixes, device_id=_DEVICE, accuracy_m=arguments.accuracy, user_id=arguments.user)
    except InvalidParameter as error:
        option = _OPTIONS.get(error.param, error.param)
        raise InvalidParameter(option, renamed(error.message, error.param, option)) from None


def _write(report: Encoded, *, explain: bool) -> None:
    found = [(kind, each) for kind in _SIGNS for each in report[kind]]
    for kind, difference in sorted(found, key=_at):
        write_line(f"{_SIGNS[kind]} {_line(difference)}")
        if explain and "explanation" in difference:
            write_line(f"    {difference['explanation']['text']}")
    before, after = len(report["before"]), len(report["after"])
    moved = f", {len(report['moved']):,} moved" if report["moved"] else ""
    write_line(
        f"{count(report['updates'], 'update')}: {count(before, 'event')} before, {after:,} after "
        f"({len(report['gained']):,} more, {len(report['lost']):,} fewer{moved})"
    )


def _at(found: tuple[DifferenceKind, Encoded]) -> str:
    difference = found[1]
    at: str = (difference.get("before") or difference["after"])["createdAt"]
    return at


def _line(difference: Encoded) -> str:
    line = event_line(difference.get("after") or difference["before"], device=True)
    if "seconds" not in difference:
        return line
    seconds = difference["seconds"]
    way = "later" if seconds > 0 else "earlier"
    return f"{line}  {brief_duration(abs(seconds))} {way}, was {difference['before']['createdAt']}"
