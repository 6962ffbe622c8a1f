"""The options of the commands that run updates again in a sandbox, and sweep a parameter."""

from pathlib import Path

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_set, add_workspace
from app.cli.options.simulation import add_phone
from app.cli.terminal.simulated import read_noise
from app.cli.terminal.values import read_fence_assignment, read_moment, read_positive, read_some_seconds, whole_number
from engine.domain.tracking.sweep import MAX_SEEDS, MAX_STEPS, SweepParameter
from engine.simulation.noise.model import PRESETS


def add_replay(commands: Commands) -> None:
    """Add ``replay``."""
    parser = add(
        commands,
        "replay",
        "rerun location updates under other settings or geofences",
        "Rerun location updates without storing anything, and show which events appear (+), disappear (-) and move in "
        "time (~).",
    )
    add_workspace(parser)
    _add_replayed(parser)
    add_set(parser, "use this setting, such as bufferEntries=true")
    parser.add_argument(
        "--geofences",
        "--fences",
        dest="fences",
        choices=("then", "now"),
        help="use the geofences of the time of each update (then, the default) or of now",
    )
    _add_sandbox(parser)
    parser.add_argument("--after", type=read_moment, metavar="TIME", help="only updates after this time")
    parser.add_argument("--before", type=read_moment, metavar="TIME", help="only updates before this time")
    parser.add_argument("--explain", action="store_true", help="explain each difference")
    add_environment(parser)
    add_json(parser)


def _add_replayed(parser: Parser) -> None:
    """Add the options for the input of a replay: the updates of devices, or a track."""
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("--device", action="append", default=[], metavar="ID", help="this device; repeatable")
    whose.add_argument("--all-devices", action="store_true", help="every device")
    whose.add_argument("--track", type=Path, metavar="FILE", help="this track, as if a device sent it now")
    parser.add_argument("--user", metavar="ID", help="only updates of this user; with --track: the user logged in")
    parser.add_argument("--accuracy", type=read_positive, metavar="M", help="with --track: accuracy of every fix")
    parser.add_argument(
        "--assume-speed",
        type=read_positive,
        metavar="KMH",
        help="with --track: time the fixes by distance",
    )
    add_phone(parser)


def _add_sandbox(parser: Parser) -> None:
    """Add the edits of geofences that only the replay sees."""
    parser.add_argument(
        "--geofence-set",
        nargs="+",
        action="extend",
        default=[],
        type=read_fence_assignment,
        metavar="ID:FIELD=VALUE",
        help="set a field of a geofence (_id or tag/externalId) to a value as in a CSV, such as store/12:radius=200",
    )
    parser.add_argument(
        "--fences-file",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="add or replace geofences with those of this file; repeatable",
    )
    parser.add_argument(
        "--geofence-delete",
        nargs="+",
        action="extend",
        default=[],
        metavar="ID",
        help="leave out this geofence",
    )


def add_sweep(commands: Commands) -> None:
    """Add ``sweep``."""
    parser = add(
        commands,
        "sweep",
        "vary one parameter over a range, with noise",
        "Play a track with noise for each value of a parameter and each seed without storing anything, and report how "
        "many events were detected, how late, and how many were false. Stopped and foreground are derived from the "
        "movement.",
    )
    add_workspace(parser)
    _add_range(parser)
    _add_run(parser)
    add_set(parser, "use this setting, such as bufferEntries=true")
    add_environment(parser)
    shape = parser.add_mutually_exclusive_group()
    add_json(shape)
    shape.add_argument("--csv", action="store_true", help="write CSV")


def _add_range(parser: Parser) -> None:
    """Add the parameter that a sweep varies, and its values."""
    parser.add_argument(
        "--parameter",
        required=True,
        choices=[each.value for each in SweepParameter],
        help="what varies: radius and accuracy in m, dwell threshold in min, speed in km/h",
    )
    parser.add_argument("--from", dest="low", type=read_positive, metavar="VALUE", help="the first value")
    parser.add_argument("--to", dest="high", type=read_positive, metavar="VALUE", help="the last value")
    parser.add_argument(
        "--steps", type=whole_number(1, MAX_STEPS), default=11, metavar="N", help="how many values (default: 11)"
    )
    parser.add_argument(
        "--seeds",
        type=whole_number(1, MAX_SEEDS),
        default=100,
        metavar="N",
        help="runs of each value with --noise (default: 100)",
    )


def _add_run(parser: Parser) -> None:
    """Add the options for the input of each run of a sweep, and for the expected events."""
    parser.add_argument("--geofence", required=True, metavar="ID", help="the geofence, by its _id or tag/externalId")
    parser.add_argument("--track", required=True, type=Path, metavar="FILE", help="the true track of the device")
    parser.add_argument("--noise", type=read_noise, metavar="PRESET", help=f"noise of a phone: {', '.join(PRESETS)}")
    parser.add_argument(
        "--event",
        choices=("entered", "exited", "dwelled"),
        help="the events to detect (default: entered, or dwelled for dwell)",
    )
    parser.add_argument("--user", metavar="ID", help="the user logged in")
    parser.add_argument(
        "--accuracy", type=read_positive, metavar="M", help="accuracy of fixes without one (default: 10)"
    )
    parser.add_argument(
        "--assume-speed",
        type=read_positive,
        metavar="KMH",
        help="time the fixes by distance; required if the track lacks times",
    )
    parser.add_argument(
        "--tolerance",
        type=read_some_seconds,
        default=300.0,
        metavar="S",
        help="how early or late a true event can be (default: 300)",
    )
