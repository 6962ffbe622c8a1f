"""Options that several commands share."""

import argparse
import re
import sys
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final, NoReturn

from app.cli.terminal.values import read_assignment, read_environment, read_line_width, read_repairs
from engine.domain.environment import Environment
from engine.domain.imports import ALL_REPAIRS, NO_REPAIRS, Encoding
from engine.domain.words import did_you_mean

_OPTION: Final = re.compile(r"--[^\s=]+(=.*)?$", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """Reports usage errors in the form of all other errors, with a pointer to the help."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fencewright: {message}\nTry '{self.prog} --help'.\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; an unknown option is an error of the command that it was given to."""
        given = sys.argv[1:] if args is None else list(args)
        # Checked first, since the error about a missing option would hide that it is misspelled.
        if self._subparsers is None and (unknown := self._unknown_option(given)) is not None:
            self._refuse(unknown)
        found, rest = super().parse_known_args(given, namespace)
        if rest:
            self._refuse(*rest)
        return found, rest

    def _unknown_option(self, given: Sequence[str]) -> str | None:
        known = self._option_string_actions
        options = takewhile(lambda text: text != "--", given)
        return next((text for text in options if _OPTION.match(text) and text.partition("=")[0] not in known), None)

    def _refuse(self, *unknown: str) -> NoReturn:
        suggestion = did_you_mean(unknown[0].partition("=")[0], self._option_string_actions, "")
        self.error(f"unrecognized arguments: {' '.join(unknown)}{suggestion if unknown[0].startswith('-') else ''}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise `ArgumentError` for a value that is not one of the choices, with a suggestion."""
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            self.error(f"unknown {str(action.metavar).lower()} {value!r}{did_you_mean(value, action.choices)}")
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += did_you_mean(str(value), map(str, action.choices or ()), "")
            raise


type Commands = argparse._SubParsersAction[Parser]


def add(commands: Commands, name: str, summary: str, description: str = "") -> Parser:
    """Add the command `name` and return its parser."""
    return commands.add_parser(name, allow_abbrev=False, help=summary, description=description or summary)


def add_workspace(parser: Parser) -> None:
    """Add ``--workspace``."""
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        help="the workspace's folder, or :memory: for a temporary one (default: the open one, else the one opened "
        "last)",
    )


def add_environment(parser: Parser) -> None:
    """Add ``--environment``, Test by default."""
    parser.add_argument(
        "--environment", type=read_environment, default=Environment.TEST, metavar="test|live", help="default: test"
    )


def add_json(parser: argparse._ActionsContainer) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="write JSON instead of text")


def add_set(parser: Parser, summary: str) -> None:
    """Add ``--set``, whose effect `summary` describes."""
    parser.add_argument(
        "--set", nargs="+", action="extend", default=[], type=read_assignment, metavar="NAME=VALUE", help=summary
    )


def add_reading(parser: Parser) -> None:
    """Add the options that say how a file of geofences is read."""
    parser.add_argument(
        "--map",
        type=read_assignment,
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="read a field from a column of another name, or from none (FIELD=); repeatable",
    )
    parser.add_argument(
        "--set",
        type=read_assignment,
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="value for rows without one, such as tag=store; repeatable",
    )
    parser.add_argument(
        "--id",
        metavar="RULE",
        help="external ID from columns, such as '{ZONE}-{NR}'; names: made of the description; numbers: 1, 2, … after "
        "those of the tag",
    )
    parser.add_argument(
        "--metadata",
        action="append",
        default=[],
        metavar="COLUMN",
        help="make a column a key of the metadata, as a number, boolean or text; repeatable; all: every column without "
        "another meaning, up to 16",
    )
    parser.add_argument(
        "--repair",
        action="store_const",
        dest="repairs",
        const=ALL_REPAIRS,
        default=NO_REPAIRS,
        help="repair shapes that cannot be geofences",
    )
    parser.add_argument(
        "--repair-only",
        type=read_repairs,
        dest="repairs",
        metavar="REPAIRS",
        help="only some repairs, separated by commas: rings that cross or touch, simplify outlines of too many "
        "positions, leave out the smallest of too many parts, and make areas of lines",
    )
    parser.add_argument(
        "--line-width", type=read_line_width, metavar="METRES", help="width of the areas that repaired lines become"
    )
    parser.add_argument("--layer", metavar="NAME", help="layer to read")
    parser.add_argument("--sheet", metavar="NAME", help="sheet to read (default: the first one with rows)")
    parser.add_argument(
        "--encoding",
        choices=[each.value for each in Encoding],
        help="encoding of plain text or a Shapefile (default: by its content)",
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
    parser.add_argument("--device", metavar="ID", help="only users with this device ID")
