"""The options of every command."""

import argparse
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, NoReturn

from app.cli.values import (
    read_assignment,
    read_clock,
    read_environment,
    read_geocoder,
    read_moment,
    read_port,
    read_positive,
    read_speed,
    read_start,
    read_url,
)
from engine.domain.environment import Environment, KeyLevel

DESKTOP: Final = "desktop"
DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8787
ALL_KEYS: Final = "all"

_WHOLE_PROGRAM = ("-h", "--help", "--version")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the form of every other error, and where to read on."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fencewright: {message}\nTry '{self.prog} --help'.\n")


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Return the options in `argv`; `command` names the command, the desktop where none is given.

    Ends the program with code 2 for wrong usage, and 0 after ``--help`` and ``--version``.
    """
    given = list(argv)
    if not given or (given[0].startswith("-") and given[0] not in _WHOLE_PROGRAM):
        given.insert(0, DESKTOP)
    return _parser().parse_args(given)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="fencewright",
        allow_abbrev=False,
        description="A workstation for geofences with a local /v1 API. Without a command the desktop opens.",
    )
    parser.add_argument("--version", action="version", version=f"fencewright {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    _add_desktop(commands)
    _add_serve(commands)
    _add_keys(commands)
    _add_import(commands)
    _add_simulate(commands)
    _add_settings(commands)
    _add_explain(commands)
    _add_replay(commands)
    _add_clear(commands)
    _add_area(commands)
    _add_demo(commands)
    return parser


type _Commands = argparse._SubParsersAction[_Parser]


def _add(commands: _Commands, name: str, summary: str, description: str = "") -> _Parser:
    return commands.add_parser(name, allow_abbrev=False, help=summary, description=description or summary)


def _add_desktop(commands: _Commands) -> None:
    parser = _add(commands, DESKTOP, "open the desktop (the default)")
    _add_workspace(parser)
    _add_address(parser)
    _add_router(parser)
    _add_geocoder(parser)


def _add_serve(commands: _Commands) -> None:
    parser = _add(
        commands,
        "serve",
        "serve the /v1 API without a window",
        "Serve the /v1 API until SIGTERM or Ctrl-C. The workspace is created where it does not exist.",
    )
    _add_workspace(parser)
    _add_address(parser)
    parser.add_argument(
        "--area",
        action="append",
        default=[],
        metavar="NAME",
        help="use this area, whatever the workspace remembers; may be given several times",
    )
    _add_router(parser)
    _add_geocoder(parser)
    parser.add_argument(
        "--ready-file",
        type=Path,
        metavar="FILE",
        help="write {url, pid, keys} here as JSON once it listens; removed at the end",
    )
    parser.add_argument(
        "--clock",
        type=read_clock,
        metavar="ISO",
        help="freeze the clock of Test at this time; POST /v1/clock moves it, Live always has the system's",
    )


def _add_keys(commands: _Commands) -> None:
    parser = _add(commands, "keys", "show or replace the API keys of a workspace")
    _add_workspace(parser)
    _add_json(parser)
    parser.add_argument(
        "--rotate",
        nargs="+",
        action="extend",
        default=[],
        choices=[*key_names(), ALL_KEYS],
        metavar="KEY",
        help=f"replace these keys: {', '.join(key_names())}, or {ALL_KEYS}; the old ones are invalid at once",
    )


def _add_import(commands: _Commands) -> None:
    parser = _add(
        commands,
        "import",
        "create and update geofences from a CSV",
        "Create and update geofences from a CSV with a header row. Good rows are imported even where others fail; "
        "the exit code is 1 when a row failed.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.csv")
    _add_workspace(parser)
    _add_environment(parser)
    parser.add_argument("--dry-run", action="store_true", help="only report what would happen")
    _add_json(parser)


def _add_simulate(commands: _Commands) -> None:
    parser = _add(
        commands,
        "simulate",
        "move a device along a recorded track",
        "Move a device along a track (GPX, CSV or GeoJSON) and write its events, one per line, as they happen.",
    )
    parser.add_argument("track", type=Path, metavar="TRACK")
    _add_workspace(parser)
    _add_environment(parser)
    parser.add_argument("--device", required=True, metavar="ID", help="the deviceId that moves")
    parser.add_argument("--user", metavar="ID", help="the userId that is logged in on it")
    parser.add_argument("--foreground", action="store_true", help="the app is in the foreground all the way")
    parser.add_argument("--stopped", action="store_true", help="every fix is one of a device that stands still")
    parser.add_argument(
        "--accuracy", required=True, type=read_positive, metavar="M", help="accuracy of every fix in metres"
    )
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
        help="time of the first fix; by default as recorded, or now with --assume-speed",
    )
    _add_json(parser)


def _add_settings(commands: _Commands) -> None:
    parser = _add(
        commands,
        "settings",
        "show or change the settings of a project",
        "Show the settings of one environment, after changing those named: all of them, or none where one is wrong.",
    )
    _add_workspace(parser)
    _add_environment(parser)
    _add_set(parser, "change this setting, such as bufferEntries=true; without a value it takes its default again")
    _add_json(parser)


def _add_explain(commands: _Commands) -> None:
    parser = _add(
        commands,
        "explain",
        "say why a location update fired events, or why not",
        "Say for each geofence around a past location update which rules let its events pass and which withheld them, "
        "by the geofences and settings as they were then.",
    )
    _add_workspace(parser)
    _add_whose(parser)
    parser.add_argument(
        "--at",
        type=read_moment,
        metavar="TIME",
        help="the last update at or before this time; by default the last of all",
    )
    _add_environment(parser)
    _add_json(parser)


def _add_replay(commands: _Commands) -> None:
    parser = _add(
        commands,
        "replay",
        "run past location updates again under other settings",
        "Run the location updates of a device again and show which events come (+) and go (-). Nothing is changed.",
    )
    _add_workspace(parser)
    _add_whose(parser)
    _add_set(parser, "run under this setting, such as bufferEntries=true; the others are as they were")
    parser.add_argument(
        "--fences",
        choices=("then", "now"),
        default="then",
        help="the geofences as they were at each update (then, the default), or as they are now",
    )
    parser.add_argument("--after", type=read_moment, metavar="TIME", help="only updates after this time")
    parser.add_argument("--before", type=read_moment, metavar="TIME", help="only updates before this time")
    _add_environment(parser)
    _add_json(parser)


def _add_clear(commands: _Commands) -> None:
    parser = _add(
        commands,
        "clear",
        "remove what was tracked in Test",
        "Remove the users, their presences, events and location updates of Test, of all devices or of one. "
        "Live cannot be cleared.",
    )
    _add_workspace(parser)
    parser.add_argument("--device", metavar="ID", help="only what belongs to this deviceId")
    parser.add_argument("--geofences", action="store_true", help="remove the geofences of Test too")
    parser.add_argument("--yes", action="store_true", help="do not ask; needed where there is no terminal")
    _add_json(parser)


def _add_area(commands: _Commands) -> None:
    parser = _add(
        commands,
        "area",
        "build, list and choose areas for routing and the street map",
        "An area has the streets of a part of the world: for routing, isochrones and the map, without a network.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=_Parser)
    build = _add(actions, "build", "build an area from an extract of OpenStreetMap")
    build.add_argument("file", type=Path, metavar="FILE.osm.pbf")
    build.add_argument("--name", metavar="NAME", help="what to call it (default: as the file)")
    add = _add(actions, "add", "download an extract of Geofabrik's and build an area from it")
    add.add_argument("region", metavar="REGION", help="such as liechtenstein, us/vermont or europe/malta")
    add.add_argument("--name", metavar="NAME", help="what to call it (default: as the region)")
    shown = _add(actions, "list", "list the areas; those in use have a star")
    use = _add(actions, "use", "use these areas from now on; without a name, all of the workspace")
    use.add_argument("names", nargs="*", metavar="NAME")
    remove = _add(actions, "remove", "remove an area of the workspace")
    remove.add_argument("name", metavar="NAME")
    for action in (build, add, shown, use, remove):
        _add_workspace(action)
        _add_json(action)


def _add_demo(commands: _Commands) -> None:
    parser = _add(commands, "demo", "play a demo track in the window, in a workspace of its own")
    parser.add_argument("--screenshot", type=Path, metavar="FILE.png", help="save the window here and end")


def _add_workspace(parser: _Parser) -> None:
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        help="the workspace's folder, or :memory: for a temporary one (default: the one open last)",
    )


def _add_address(parser: _Parser) -> None:
    parser.add_argument("--host", default=DEFAULT_HOST, help=f"address to listen on (default {DEFAULT_HOST})")
    parser.add_argument(
        "--port",
        type=read_port,
        default=DEFAULT_PORT,
        metavar="N",
        help=f"port to listen on; 0 picks a free one (default {DEFAULT_PORT})",
    )


def _add_router(parser: _Parser) -> None:
    parser.add_argument(
        "--router", type=read_url, metavar="URL", help="route on this Valhalla server instead of on the areas"
    )


def _add_geocoder(parser: _Parser) -> None:
    parser.add_argument(
        "--geocoder",
        type=read_geocoder,
        metavar="KIND+URL",
        help="ask this server for addresses, and the areas where it fails: nominatim+, photon+ or pelias+ and its URL",
    )


def _add_environment(parser: _Parser) -> None:
    parser.add_argument(
        "--environment", type=read_environment, default=Environment.TEST, metavar="test|live", help="default: test"
    )


def _add_whose(parser: _Parser) -> None:
    parser.add_argument("--device", required=True, metavar="ID", help="the deviceId")
    parser.add_argument("--user", metavar="ID", help="only while this userId was logged in on it")


def _add_set(parser: _Parser, summary: str) -> None:
    parser.add_argument(
        "--set", nargs="+", action="extend", default=[], type=read_assignment, metavar="NAME=VALUE", help=summary
    )


def _add_json(parser: _Parser) -> None:
    parser.add_argument("--json", action="store_true", help="write JSON")


def key_names() -> tuple[str, ...]:
    """Return what the command line calls the four keys."""
    return tuple(f"{environment}-{level}" for environment in Environment for level in KeyLevel)


def _version() -> str:
    try:
        return version("fencewright")
    except PackageNotFoundError:
        return "(not installed)"
