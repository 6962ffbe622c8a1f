"""The options of the commands that examine geofences as a whole."""

from pathlib import Path

from app.cli.options.shared import Commands, add, add_environment, add_json, add_workspace
from app.cli.terminal.values import (
    read_accuracy,
    read_check,
    read_count_of_findings,
    read_duration,
    read_environment,
    read_severity,
)
from engine.domain.environment import Environment
from engine.geofences.checks.findings import DEFAULT_ACCURACY_M, DEFAULT_SOON_S, Check, Severity

_CHECKS = ", ".join(Check)


def add_check(commands: Commands) -> None:
    """Add ``check``."""
    parser = add(
        commands,
        "check",
        "find problems of geofences, and fix those that are safe to fix",
        "Find problems of geofences, such as overlaps. The exit code is 1 if there are any of the severity or above.",
    )
    add_workspace(parser)
    add_environment(parser)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--only",
        type=read_check,
        action="append",
        default=[],
        metavar="CHECK",
        help=f"only this check: {_CHECKS}; repeatable",
    )
    chosen.add_argument(
        "--skip", type=read_check, action="append", default=[], metavar="CHECK", help="all but this check; repeatable"
    )
    parser.add_argument(
        "--severity",
        type=read_severity,
        default=Severity.WARNING,
        metavar="LEVEL",
        help="list and count findings of at least this level: info, warning (default) or error",
    )
    parser.add_argument(
        "--accuracy",
        type=read_accuracy,
        default=DEFAULT_ACCURACY_M,
        metavar="M",
        help=f"accuracy of the devices in metres, for {Check.TOO_SMALL} (default: {DEFAULT_ACCURACY_M:g})",
    )
    parser.add_argument(
        "--soon",
        type=read_duration,
        default=DEFAULT_SOON_S,
        metavar="DURATION",
        help=f"how far ahead {Check.EXPIRING} looks (default: 7d)",
    )
    parser.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="leave out the findings in this file, also for the exit code",
    )
    parser.add_argument(
        "--save-baseline",
        type=Path,
        metavar="FILE",
        help="write the findings to this file, and exit with code 0",
    )
    parser.add_argument(
        "--dismissed", action="store_true", help="also list and count findings that were dismissed in the window"
    )
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes as one edit, then check again")
    parser.add_argument(
        "--yes", action="store_true", help="do not ask before fixes in Live; required there without a terminal"
    )
    parser.add_argument(
        "--limit",
        type=read_count_of_findings,
        default=100,
        metavar="N",
        help="how many findings to list (default: 100; at most 100000)",
    )
    add_json(parser)


def add_promote(commands: Commands) -> None:
    """Add ``promote``."""
    parser = add(
        commands,
        "promote",
        "make the geofences of Live those of Test, or the other way round",
        "Compare the geofences of two environments by tag and external ID, show what is new, changed and missing, "
        "and after a confirmation take over what is new and changed, in one transaction.",
    )
    add_workspace(parser)
    for name, default, direction in (("from", Environment.TEST, "taken from"), ("to", None, "taken to")):
        parser.add_argument(
            f"--{name}",
            dest="source" if name == "from" else "target",
            type=read_environment,
            metavar="test|live",
            help=f"the environment that geofences are {direction} (default: {default or 'the other one'})",
        )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="TAG[/ID]",
        help="only the geofence with this tag and external ID, or all with this tag; repeatable",
    )
    parser.add_argument(
        "--delete-missing", action="store_true", help="also delete geofences that are not in the source"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and check it, without changes")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the change set to this file instead of applying it"
    )
    parser.add_argument(
        "--apply",
        type=Path,
        metavar="FILE",
        help="apply a saved change set, unless its geofences have changed in the target since",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation; required without a terminal")
    parser.add_argument(
        "--limit",
        type=read_count_of_findings,
        default=100,
        metavar="N",
        help="how many geofences to list (default: 100; at most 100000)",
    )
    add_json(parser)
