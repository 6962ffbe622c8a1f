"""The options of ``fencewright test``."""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Final

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_workspace
from app.cli.terminal.values import read_positive

_MAX_JOBS: Final = 64


def add_test(commands: Commands) -> None:
    """Add ``test``."""
    parser = add(
        commands,
        "test",
        "run scenario files and compare their events with the expected ones",
        "Run scenarios, and compare their events with the expected ones. The exit code is 1 if one fails and 2 if a "
        "file is invalid.",
    )
    parser.add_argument(
        "scenarios", nargs="*", type=Path, metavar="SCENARIO", help="a file, or a folder with *.fence.yaml"
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write the results as JUnit XML")
    parser.add_argument(
        "--coverage",
        type=_read_report,
        metavar="FILE",
        help="write which rules were exercised, as .json or .html",
    )
    parser.add_argument("--update", action="store_true", help="make the files expect the actual events")
    parser.add_argument("-j", "--jobs", type=_read_jobs, metavar="N", help="number of processes (default: automatic)")
    parser.add_argument(
        "--new",
        type=Path,
        metavar="TRACK",
        help="write and run a scenario with this track and the workspace's settings and geofences",
    )
    _add_options_of_new(parser)
    parser.add_argument("--schema", action="store_true", help="write the JSON schema of scenarios and exit")
    add_json(parser)


def _add_options_of_new(parser: Parser) -> None:
    add_workspace(parser)
    add_environment(parser)
    parser.set_defaults(environment=None)
    parser.add_argument("--device", metavar="ID", help="with --new: the device ID (default: phone)")
    parser.add_argument("--accuracy", type=read_positive, metavar="M", help="with --new: accuracy of every fix")
    parser.add_argument(
        "--assume-speed",
        type=read_positive,
        metavar="KMH",
        help="with --new: time the fixes by distance; required if the track lacks times",
    )


def _read_jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MAX_JOBS):
        raise ArgumentTypeError(f"must be a whole number from 1 to {_MAX_JOBS}, not {text!r}")
    return int(text)


def _read_report(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in (".json", ".html"):
        raise ArgumentTypeError(f"must end with .json or .html, not {text!r}")
    return path
