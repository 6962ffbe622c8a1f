"""The options of the commands that simulate, explain and replay location updates."""

from pathlib import Path

from app.cli.options.shared import Commands, add, add_environment, add_json, add_whose, add_workspace
from app.cli.options.simulation import add_phone, add_route
from app.cli.terminal.values import read_local_moment, read_positive, read_seconds, read_speed, read_start, read_zone


def add_simulate(commands: Commands) -> None:
    """Add ``simulate``."""
    parser = add(
        commands,
        "simulate",
        "move a device along a track or a route",
        "Move a device along a track of any format that is read, or along roads from --route to --route, and write "
        "its events as they happen, one per line.",
    )
    parser.add_argument("track", type=Path, nargs="?", metavar="TRACK")
    add_route(parser)
    add_workspace(parser)
    add_environment(parser)
    parser.add_argument("--device", required=True, metavar="ID", help="the device ID to send")
    parser.add_argument("--user", metavar="ID", help="the user ID logged in on the device")
    parser.add_argument("--foreground", action="store_true", help="send every fix with foreground set")
    parser.add_argument("--stopped", action="store_true", help="send every fix with stopped set")
    parser.add_argument(
        "--accuracy",
        type=read_positive,
        metavar="M",
        help="accuracy of every fix in metres; required if neither the track nor --noise gives one",
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
        help="ignore recorded times and time the fixes by distance; required if the track lacks times",
    )
    parser.add_argument(
        "--start",
        type=read_start,
        metavar="ISO|now",
        help="time of the first fix (default: as recorded, or now with --assume-speed or --route)",
    )
    again = parser.add_mutually_exclusive_group()
    again.add_argument(
        "--reset-device",
        action="store_true",
        help="first delete the data of this device in Test, so that a track that is sent again has the same events",
    )
    again.add_argument(
        "--continue",
        dest="is_continued",
        action="store_true",
        help="send it even if the device has sent newer updates; older fixes get the current time",
    )
    parser.add_argument(
        "--expect",
        type=Path,
        metavar="FILE",
        help="compare the events with a file written by --json; the exit code is 1 if they differ",
    )
    parser.add_argument(
        "--tolerance",
        type=read_seconds,
        metavar="S",
        help="with --expect: allowed difference between expected and actual times (default: 1)",
    )
    add_json(parser)


def add_explain(commands: Commands) -> None:
    """Add ``explain``."""
    parser = add(
        commands,
        "explain",
        "explain why a location update generated events, or why not",
        "Show for each geofence near a past location update which rules passed and which withheld events, with the "
        "geofences and settings of that time.",
    )
    add_workspace(parser)
    add_whose(parser)
    parser.add_argument(
        "--at",
        type=read_local_moment,
        metavar="TIME",
        help="explain the last update at or before this time (default: the last one); UTC without an offset or --zone",
    )
    parser.add_argument(
        "--zone",
        type=read_zone,
        metavar="ZONE",
        help="time zone of --at and of the times shown, such as Europe/Vienna (default: that of the place, for those "
        "shown)",
    )
    add_environment(parser)
    add_json(parser)
