"""The options of the commands for a workspace, its keys and its areas."""

from pathlib import Path
from typing import Final

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_set, add_workspace
from app.cli.terminal.values import read_allowed_host
from engine.domain.environment import Environment, KeyLevel

ALL_KEYS: Final = "all"
SETUP_PARTS: Final = ("world", "area", "cities")
PLATFORMS: Final = ("android-emulator", "android", "ios-simulator", "ios", "computer")


def add_keys(commands: Commands) -> None:
    """Add ``keys``."""
    parser = add(commands, "keys", "show or replace the API keys of a workspace")
    add_workspace(parser)
    formats = parser.add_mutually_exclusive_group()
    add_json(formats)
    formats.add_argument(
        "--shell",
        action="store_true",
        help="write the Test keys as the shell variables PUBLISHABLE and SECRET",
    )
    parser.add_argument(
        "--rotate",
        nargs="+",
        action="extend",
        default=[],
        choices=[*key_names(), ALL_KEYS],
        metavar="KEY",
        help=f"replace these keys at once: {', '.join(key_names())} or {ALL_KEYS}",
    )


def add_certificate(commands: Commands) -> None:
    """Add ``certificate``."""
    parser = add(
        commands,
        "certificate",
        "export the certificate that devices must trust for HTTPS",
        "Show the certificate that devices must trust for --tls, and how to install it. It is created on first use.",
    )
    add_workspace(parser)
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write it to this file: .pem as PEM, .crt, .cer or .der as DER",
    )
    parser.add_argument("--renew", action="store_true", help="replace it; devices have to trust the new one")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        type=read_allowed_host,
        metavar="NAME",
        help="with --renew: also for this host name or address; repeatable",
    )
    parser.add_argument(
        "--for",
        dest="platforms",
        action="append",
        default=[],
        choices=PLATFORMS,
        metavar="PLATFORM",
        help=f"show how to install it on this platform: {', '.join(PLATFORMS)}; repeatable",
    )
    add_json(parser)


def add_diagnostics(commands: Commands) -> None:
    """Add ``diagnostics``."""
    parser = add(
        commands,
        "diagnostics",
        "save what helps to find the cause of a problem, without secrets",
        "List versions, the state of the database, settings without texts, areas and the load of this computer, "
        "without keys, tokens, addresses, users, positions and geofences.",
    )
    add_workspace(parser)
    parser.add_argument("--output", type=Path, metavar="FILE", help="write them to this zip file")
    add_json(parser)


def add_settings(commands: Commands) -> None:
    """Add ``settings``."""
    parser = add(
        commands,
        "settings",
        "show or change the settings of a project",
        "Show the settings of one environment, after changing those given. If one is invalid, none is changed.",
    )
    add_workspace(parser)
    add_environment(parser)
    add_set(parser, "such as bufferEntries=true; an empty value resets it")
    add_json(parser)


def add_clear(commands: Commands) -> None:
    """Add ``clear``."""
    parser = add(
        commands,
        "clear",
        "delete the tracking data of Test",
        "Delete the users, events, location updates and trips of Test. Live cannot be cleared.",
    )
    add_workspace(parser)
    parser.add_argument("--device", metavar="ID", help="only the data of this device")
    parser.add_argument("--geofences", action="store_true", help="also delete the geofences")
    parser.add_argument("--beacons", action="store_true", help="also delete the beacons")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation; required without a terminal")
    add_json(parser)


def add_snapshot(commands: Commands) -> None:
    """Add ``snapshot``."""
    parser = add(
        commands,
        "snapshot",
        "write settings, geofences, users, beacons, trips and the Test clock to a file",
        "Write settings, geofences, users, beacons, open trips and the Test clock as JSON for `fencewright serve "
        "--seed`, without events, location updates, webhooks and keys.",
    )
    add_workspace(parser)
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file (default: standard output)")


def add_area(commands: Commands) -> None:
    """Add ``area``."""
    parser = add(
        commands,
        "area",
        "build, list and choose areas for routing and the street map",
        "Areas hold the streets of a region, for routing, isochrones and the offline map.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    build = add(actions, "build", "build an area from an OpenStreetMap extract (.osm.pbf)")
    build.add_argument("file", type=Path, metavar="FILE.osm.pbf")
    build.add_argument("--name", metavar="NAME", help="its name (default: that of the file, without -latest)")
    download = add(actions, "add", "download a Geofabrik extract and build an area from it")
    download.add_argument("region", metavar="REGION", help="such as liechtenstein, us/vermont or europe/malta")
    download.add_argument("--name", metavar="NAME", help="its name (default: the last part of REGION)")
    shown = add(actions, "list", "list the areas; * marks those in use")
    use = add(actions, "use", "use these areas (default: all in the workspace, else the bundled ones)")
    use.add_argument("names", nargs="*", metavar="NAME")
    remove = add(actions, "remove", "remove an area from the workspace")
    remove.add_argument("name", metavar="NAME")
    for action in (build, download, shown, use, remove):
        add_workspace(action)
        add_json(action)


def add_setup(commands: Commands) -> None:
    """Add ``setup``."""
    parser = add(
        commands,
        "setup",
        "build the world pack and the bundled area",
        "Build the world pack (countries, postal codes, brands, IP addresses) and the bundled area. Before a download, "
        "it checks all requirements and shows the sizes. Existing data stays in use until its replacement is "
        "complete.",
    )
    parser.add_argument(
        "parts",
        nargs="*",
        choices=SETUP_PARTS,
        metavar="PART",
        help=f"only {', '.join(SETUP_PARTS[:-1])} or {SETUP_PARTS[-1]}",
    )
    parser.add_argument(
        "--cities", action="store_true", help="also download the cities of IP addresses (64 MB, by DB-IP, CC BY 4.0)"
    )
    parser.add_argument("--force", action="store_true", help="also rebuild what is up to date")
    folders = parser.add_mutually_exclusive_group()
    folders.add_argument(
        "--save",
        type=Path,
        metavar="FOLDER",
        help="then copy the data into a folder, for machines without a network",
    )
    folders.add_argument(
        "--from",
        type=Path,
        dest="source",
        metavar="FOLDER",
        help="take the data from a folder that --save has written; nothing is downloaded",
    )
    add_json(parser)


def key_names() -> tuple[str, ...]:
    """Return the names of the four keys on the command line."""
    return tuple(f"{environment}-{level}" for environment in Environment for level in KeyLevel)
