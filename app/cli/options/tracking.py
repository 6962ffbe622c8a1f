"""The options of the commands that simulate, explain and replay location updates."""

from pathlib import Path

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_set, add_whose, add_workspace
from app.cli.options.simulation import add_phone, add_route
from app.cli.terminal.values import (
    read_fence_assignment,
    read_moment,
    read_positive,
    read_seconds,
    read_speed,
    read_start,
)


def add_simulate(commands: Commands) -> None:
    """Add ``simulate``."""
    parser = add(
        commands,
        "simulate",
        "move a device along a track or a route",
        "Move a device along a recorded track (a file of any format that fencewright track reads), or along roads from "
        "--route to --route, and write its events, one per line, as they happen.",
    )
    parser.add_argument("track", type=Path, nargs="?", metavar="TRACK")
    add_route(parser)
    add_workspace(parser)
    add_environment(parser)
    parser.add_argument("--device", required=True, metavar="ID", help="the device ID to send")
    parser.add_argument("--user", metavar="ID", help="the user ID logged in on the device")
    parser.add_argument("--foreground", action="store_true", help="send every fix as in the foreground")
    parser.add_argument("--stopped", action="store_true", help="send every fix as stopped")
    parser.add_argument(
        "--accuracy",
        type=read_positive,
        metavar="M",
        help="accuracy of every fix in metres; needed where neither the track nor --noise says it",
    )
    add_phone(parser)
    parser.add_argument(
        "--speed",
        type=read_speed,
        default=None,
        metavar="max|N",
        help="as fast as possible (max, the default) or N times as fast as recorded",
    )
    parser.add_argument(
        "--assume-speed",
        type=read_positive,
        metavar="KMH",
        help="ignore all recorded times and time the fixes by distance; needed where a track lacks times",
    )
    parser.add_argument(
        "--start",
        type=read_start,
        metavar="ISO|now",
        help="time of the first fix; by default as recorded, or now with --assume-speed or --route",
    )
    parser.add_argument(
        "--expect",
        type=Path,
        metavar="FILE",
        help="compare the events with those of a file that --json wrote; the exit code is 1 where they differ",
    )
    parser.add_argument(
        "--tolerance",
        type=read_seconds,
        default=1.0,
        metavar="SECONDS",
        help="how far the times of expected events may be off (default: 1)",
    )
    add_json(parser)


def add_explain(commands: Commands) -> None:
    """Add ``explain``."""
    parser = add(
        commands,
        "explain",
        "explain why a location update fired events, or why not",
        "Show for each geofence near a past location update which rules passed and which withheld its events, with the "
        "geofences and settings of that time.",
    )
    add_workspace(parser)
    add_whose(parser)
    parser.add_argument(
        "--at",
        type=read_moment,
        metavar="TIME",
        help="the last update at or before this time; by default the last of all",
    )
    add_environment(parser)
    add_json(parser)


def add_replay(commands: Commands) -> None:
    """Add ``replay``."""
    parser = add(
        commands,
        "replay",
        "rerun location updates under other settings or geofences",
        "Rerun the location updates of devices, or a track that was never sent, in a sandbox, and show which events "
        "appear (+), disappear (-) and move in time (~). Nothing is stored.",
    )
    add_workspace(parser)
    _add_replayed(parser)
    add_set(parser, "run with this setting, such as bufferEntries=true; the others stay as they were")
    parser.add_argument(
        "--geofences",
        "--fences",
        dest="fences",
        choices=("then", "now"),
        default="then",
        help="use the geofences as they were at each update (then, the default) or as they are now",
    )
    _add_sandbox(parser)
    parser.add_argument("--after", type=read_moment, metavar="TIME", help="only updates after this time")
    parser.add_argument("--before", type=read_moment, metavar="TIME", help="only updates before this time")
    parser.add_argument("--explain", action="store_true", help="say why each of these events would come or not")
    add_environment(parser)
    add_json(parser)


def _add_replayed(parser: Parser) -> None:
    """Add what is run again: the updates of devices, or a track."""
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument(
        "--device", action="append", default=[], metavar="ID", help="updates of this device ID; repeatable"
    )
    whose.add_argument("--all-devices", action="store_true", help="updates of all devices")
    whose.add_argument("--track", type=Path, metavar="FILE", help="a track, as if a device sent it now")
    parser.add_argument("--user", metavar="ID", help="only updates of this user ID; with --track, the user logged in")
    parser.add_argument(
        "--accuracy", type=read_positive, metavar="M", help="with --track: accuracy of every fix in metres"
    )
    parser.add_argument(
        "--assume-speed",
        type=read_positive,
        metavar="KMH",
        help="with --track: ignore all recorded times and time the fixes by distance",
    )


def _add_sandbox(parser: Parser) -> None:
    """Add the edits of geofences that nothing but the replay sees."""
    parser.add_argument(
        "--geofence-set",
        nargs="+",
        action="extend",
        default=[],
        type=read_fence_assignment,
        metavar="ID:FIELD=VALUE",
        help="run with this field of a geofence, such as store/12:radius=200 or store/12:enabled=false; ID is its _id "
        "or tag/externalId, FIELD a column of the CSV",
    )
    parser.add_argument(
        "--fences-file",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="run with the geofences of this file, which replace and add to the stored ones; repeatable",
    )
    parser.add_argument(
        "--geofence-delete",
        nargs="+",
        action="extend",
        default=[],
        metavar="ID",
        help="run without this geofence",
    )
