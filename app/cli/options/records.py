"""The options of the commands that read and write geofences, beacons, events and users."""

from pathlib import Path
from typing import Final

from app.cli.options.shared import (
    Commands,
    Parser,
    add,
    add_environment,
    add_event_filter,
    add_json,
    add_one_user,
    add_reading,
    add_workspace,
)
from app.cli.terminal.values import read_count, read_limit, read_moment
from app.exports import FileFormat

GEOFENCES: Final = "geofences"
EXPORT_FORMATS: Final = ("csv", "geojson", "kml", "gpkg")
RECORD_FORMATS: Final = tuple(map(str, FileFormat))


def add_import(commands: Commands) -> None:
    """Add ``import``."""
    parser = add(
        commands,
        "import",
        "create and update geofences or beacons from a file",
        "Create and update geofences from CSV, Excel (.xlsx), GeoJSON, WKT, KML, KMZ, GPX, Shapefile, GeoPackage or "
        "FlatGeobuf, or beacons from CSV. The exit code is 1 if a row failed.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    add_workspace(parser)
    add_environment(parser)
    parser.add_argument(
        "--beacons",
        action="store_true",
        help="import beacons (default for a table with a column such as uuid)",
    )
    add_reading(parser)
    parser.add_argument("--keep-good-rows", action="store_true", help="import valid rows even if others have errors")
    parser.add_argument("--dry-run", action="store_true", help="show what would change; with --json row by row")
    parser.add_argument(
        "--refused",
        type=Path,
        metavar="FILE",
        help="save the rows with errors to this file, in the format of the import",
    )
    add_json(parser)


def add_imports(commands: Commands) -> None:
    """Add ``imports``."""
    parser = add(commands, "imports", "list recent imports of geofences, or undo one")
    add_workspace(parser)
    add_environment(parser)
    parser.add_argument(
        "--limit", type=read_limit, default=20, metavar="N", help="how many to list (default: 20; at most 1000)"
    )
    parser.add_argument("--undo", metavar="ID", help="undo this import, unless its geofences have changed since")
    add_json(parser)


def add_events(commands: Commands) -> None:
    """Add ``events``."""
    parser = add(
        commands,
        "events",
        "show events and follow new ones",
        "Show the newest events, oldest first.",
    )
    add_workspace(parser)
    add_environment(parser)
    parser.add_argument("--follow", "-f", action="store_true", help="also show new events until Ctrl-C")
    parser.add_argument("--limit", type=read_count, metavar="N", help="how many to show (default: 20; 0 with --follow)")
    parser.add_argument(
        "--after", metavar="ID", help="with --follow: start after the event with this _id; 0 starts with the first"
    )
    add_event_filter(parser)
    parser.add_argument("--external-id", metavar="ID", help="only events of geofences or beacons with this external ID")
    add_json(parser)


def add_export_of_geofences(actions: Commands) -> None:
    """Add ``export geofences``."""
    parser = add(
        actions,
        GEOFENCES,
        "write geofences as CSV, GeoJSON, KML or GeoPackage (the default)",
        "Write geofences to a file. Importing that file again changes nothing.",
    )
    add_workspace(parser)
    add_environment(parser)
    parser.add_argument("--format", choices=EXPORT_FORMATS, help="the file format (default: by file name, else csv)")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="the file to write; - for standard output"
    )
    parser.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="only geofences with this tag; repeatable"
    )
    parser.add_argument("--state", choices=("enabled", "disabled"), help="only enabled or only disabled geofences")


def add_export(commands: Commands) -> None:
    """Add ``export``."""
    parser = add(commands, "export", "write geofences, events or users to a file")
    actions = parser.add_subparsers(dest="records", metavar="RECORDS", required=True, parser_class=Parser)
    add_export_of_geofences(actions)
    events = add(actions, "events", "write events as CSV, JSON lines or Parquet, in the order they were stored")
    add_event_filter(events)
    users = add(actions, "users", "write users as CSV, JSON lines or Parquet")
    add_one_user(users)
    for action, time in ((events, "the event"), (users, "the last update")):
        add_workspace(action)
        add_environment(action)
        action.add_argument("--output", type=Path, required=True, metavar="FILE", help="the file to write")
        action.add_argument(
            "--format", choices=RECORD_FORMATS, help="the file format (default: by file name, else csv)"
        )
        action.add_argument("--after", type=read_moment, metavar="TIME", help=f"only if {time} was after this time")
        action.add_argument("--before", type=read_moment, metavar="TIME", help=f"only if {time} was before this time")
        add_json(action)
