"""Options that several commands share."""

import argparse
from typing import NoReturn

from app.cli.terminal.values import read_assignment, read_environment
from engine.domain.environment import Environment


class Parser(argparse.ArgumentParser):
    """Reports usage errors in the form of all other errors, with a pointer to the help."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fencewright: {message}\nTry '{self.prog} --help'.\n")


type Commands = argparse._SubParsersAction[Parser]


def add(commands: Commands, name: str, summary: str, description: str = "") -> Parser:
    """Add the command `name` and return its parser."""
    return commands.add_parser(name, allow_abbrev=False, help=summary, description=description or summary)


def add_workspace(parser: Parser) -> None:
    """Add ``--workspace``."""
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        help="the workspace's folder, or :memory: for a temporary one (default: the one that is open in a server or "
        "window, else the last one opened)",
    )


def add_environment(parser: Parser) -> None:
    """Add ``--environment``, Test by default."""
    parser.add_argument(
        "--environment", type=read_environment, default=Environment.TEST, metavar="test|live", help="default: test"
    )


def add_json(parser: argparse._ActionsContainer) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="write JSON")


def add_set(parser: Parser, summary: str) -> None:
    """Add ``--set``, whose effect `summary` describes."""
    parser.add_argument(
        "--set", nargs="+", action="extend", default=[], type=read_assignment, metavar="NAME=VALUE", help=summary
    )


def add_whose(parser: Parser) -> None:
    """Add the options for the device, and its user, whose updates are used."""
    parser.add_argument("--device", required=True, metavar="ID", help="the device ID")
    parser.add_argument("--user", metavar="ID", help="only updates of this user ID")


def add_event_filter(parser: Parser) -> None:
    """Add the options that filter events."""
    add_one_user(parser)
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


def add_one_user(parser: Parser) -> None:
    """Add ``--user`` and ``--device``, which choose one user."""
    parser.add_argument("--user", metavar="ID", help="only users with this user ID")
    parser.add_argument("--device", metavar="ID", help="only those of this device ID")
