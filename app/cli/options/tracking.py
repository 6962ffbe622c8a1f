"""The options of the commands that simulate, explain and replay location updates."""

from argparse import ArgumentParser
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
        "Move a device along a track or roads, and write its events as they happen, one per line.",
    )
    parser.add_argument("track", type=Path, nargs="?", metavar="TRACK")
    add_route(parser)
    add_workspace(parser)
    add_environment(parser)
    parser.add_argument("--device", required=True, metavar="ID", help="the device ID")
    parser.add_argument("--user", metavar="ID", help="the user logged in")
    parser.add_argument("--foreground", action="store_true", help="send every fix with foreground set")
    parser.add_argument("--stopped", action="store_true", help="send every fix with stopped set")
    parser.add_argument(
        "--accuracy",
        type=read_positive,
        metavar="M",
        help="accuracy of every fix; required if neither the track nor --noise has one",
    )
    add_phone(parser)
    parser.add_argument(
        "--speed",
        type=read_speed,
        default=None,
        metavar="max|N",
        help="N times real time, or max (the default)",
    )
    parser.add_argument(
        "--assume-speed",
        type=read_positive,
        metavar="KMH",
        help="time the fixes by distance; required if the track lacks times",
    )
    parser.add_argument(
        "--start",
        type=read_start,
        metavar="ISO|now",
        help="time of the first fix (default: as recorded, or now with --assume-speed or --route)",
    )
    _add_again(parser)
    parser.add_argument(
        "--expect",
        type=Path,
        metavar="FILE",
        help="exit with code 1 if the events differ from those in this file of --json",
    )
    parser.add_argument(
        "--tolerance",
        type=read_seconds,
        metavar="S",
        help="with --expect: largest difference in time (default: 1)",
    )
    add_json(parser)


def _add_again(parser: ArgumentParser) -> None:
    """Add the options for a track that the device has sent before."""
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--reset-device", action="store_true", help="first delete the data of this device in Test")
    again.add_argument(
        "--continue",
        dest="is_continued",
        action="store_true",
        help="send it even if the device has sent later updates",
    )


def add_explain(commands: Commands) -> None:
    """Add ``explain``."""
    parser = add(
        commands,
        "explain",
        "explain why a location update generated events, or why not",
        "Show which rules passed and which withheld events at a past location update, with the geofences and settings "
        "of that time.",
    )
    add_workspace(parser)
    add_whose(parser)
    parser.add_argument(
        "--at",
        type=read_local_moment,
        metavar="TIME",
        help="the last update up to this time (default: the last one)",
    )
    parser.add_argument(
        "--zone",
        type=read_zone,
        metavar="ZONE",
        help="time zone, such as Europe/Vienna (default: UTC for --at, that of the place for output)",
    )
    add_environment(parser)
    add_json(parser)
