"""The options of ``fencewright test``."""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Final

from app.cli.options.shared import Commands, add, add_json

_MAX_JOBS: Final = 64


def add_test(commands: Commands) -> None:
    """Add ``test``."""
    parser = add(
        commands,
        "test",
        "run scenario files and compare what happens with what they expect",
        "Run scenarios, each in an engine of its own with a clock that stands still, and compare what happens with "
        "what they expect. The exit code is 0 when all passed, 1 when one failed and 2 when a file is wrong.",
    )
    parser.add_argument(
        "scenarios", nargs="*", type=Path, metavar="SCENARIO", help="a file, or a folder with *.fence.yaml"
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write the results as JUnit XML, too")
    parser.add_argument(
        "--coverage",
        type=_read_report,
        metavar="FILE",
        help="write which rules, event types and geofences were exercised and which never, as .json or .html",
    )
    parser.add_argument(
        "--update", action="store_true", help="write the events that happened as the expected ones into the files"
    )
    parser.add_argument(
        "--jobs", type=_read_jobs, metavar="N", help="how many processes to use; by default as many as are worth it"
    )
    parser.add_argument("--schema", action="store_true", help="write the JSON schema of scenario files and do nothing")
    add_json(parser)


def _read_jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MAX_JOBS):
        raise ArgumentTypeError(f"must be a whole number from 1 to {_MAX_JOBS}, not {text!r}")
    return int(text)


def _read_report(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in (".json", ".html"):
        raise ArgumentTypeError(f"must end with .json or .html, not {text!r}")
    return path
