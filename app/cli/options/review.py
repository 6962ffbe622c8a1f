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
        "Find problems of geofences, such as overlaps. The exit code is 1 if any are listed.",
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
        help="lowest level to list: info, warning (default) or error",
    )
    parser.add_argument(
        "--accuracy",
        type=read_accuracy,
        default=DEFAULT_ACCURACY_M,
        metavar="M",
        help=f"accuracy of devices for {Check.TOO_SMALL} (default: {DEFAULT_ACCURACY_M:g})",
    )
    parser.add_argument(
        "--soon",
        type=read_duration,
        default=DEFAULT_SOON_S,
        metavar="DURATION",
        help=f"how far ahead {Check.EXPIRING} looks (default: 7d)",
    )
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="leave out the findings in this file")
    parser.add_argument("--save-baseline", type=Path, metavar="FILE", help="write the findings to this file")
    parser.add_argument("--dismissed", action="store_true", help="include findings dismissed in the window")
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes as one edit, then check again")
    parser.add_argument("--yes", action="store_true", help="do not ask before fixes in Live")
    parser.add_argument(
        "--limit",
        type=read_count_of_findings,
        default=100,
        metavar="N",
        help="how many to list (default: 100; at most 100000)",
    )
    add_json(parser)


def add_promote(commands: Commands) -> None:
    """Add ``promote``."""
    parser = add(
        commands,
        "promote",
        "make the geofences of Live those of Test, or the other way round",
        "Take over new and changed geofences, after showing them and a confirmation.",
    )
    add_workspace(parser)
    for name, default, direction in (("from", Environment.TEST, "taken from"), ("to", None, "taken to")):
        parser.add_argument(
            f"--{name}",
            dest="source" if name == "from" else "target",
            type=read_environment,
            metavar="test|live",
            help=f"where geofences are {direction} (default: {default or 'the other one'})",
        )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="TAG[/ID]",
        help="only this geofence, or all with this tag; repeatable",
    )
    parser.add_argument("--delete-missing", action="store_true", help="also delete what is not in the source")
    parser.add_argument("--dry-run", action="store_true", help="show and check what would change")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the change set to this file, and change nothing"
    )
    parser.add_argument("--apply", type=Path, metavar="FILE", help="apply this change set")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation; required without a terminal")
    parser.add_argument(
        "--limit",
        type=read_count_of_findings,
        default=100,
        metavar="N",
        help="how many to list (default: 100; at most 100000)",
    )
    add_json(parser)
