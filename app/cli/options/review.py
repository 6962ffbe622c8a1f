"""The options of the commands that look over geofences as a whole."""

from app.cli.options.shared import Commands, add, add_environment, add_json, add_workspace
from app.cli.terminal.values import read_accuracy, read_check, read_count_of_findings, read_duration, read_severity
from engine.geofences.checks.findings import DEFAULT_ACCURACY_M, DEFAULT_SOON_S, Check, Severity

_CHECKS = ", ".join(Check)


def add_check(commands: Commands) -> None:
    """Add ``check``."""
    parser = add(
        commands,
        "check",
        "find problems of geofences, and fix those that are safe to fix",
        "Check the geofences of an environment. The exit code is 0 if nothing of the severity or above is found, 1 if "
        "something is, and 2 for wrong usage.",
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
        help="list and count findings from this level on: info, warning (default) or error",
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
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes as one edit, then check again")
    parser.add_argument(
        "--limit",
        type=read_count_of_findings,
        default=100,
        metavar="N",
        help="how many findings to list (default: 100; at most 100000)",
    )
    add_json(parser)
