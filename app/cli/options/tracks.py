"""The options of ``fencewright track``."""

from pathlib import Path

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_whose, add_workspace
from app.cli.terminal.values import (
    read_moment,
    read_number,
    read_positive,
    read_seconds,
    read_some_seconds,
    read_track_format,
)
from engine.simulation.writing.writing import TrackFormat

_FORMATS = "|".join(TrackFormat)


def add_track(commands: Commands) -> None:
    """Add ``track`` and its subcommands."""
    parser = add(
        commands,
        "track",
        "show, edit, convert and record tracks",
        "Show, edit and convert track files, or record what a device has sent.",
    )
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True, parser_class=Parser)
    _add_info(parts)
    _add_convert(parts)
    _add_record(parts)


def _add_info(parts: Commands) -> None:
    parser = add(
        parts, "info", "summarize a track file", "Show the length and duration of a track, and what could not be read."
    )
    _add_file(parser)
    add_json(parser)


def _add_convert(parts: Commands) -> None:
    parser = add(
        parts,
        "convert",
        "edit a track and write it in another format",
        "Edit a track and write it. Edits apply in the order of this list.",
    )
    _add_file(parser)
    _add_output(parser)
    parser.add_argument(
        "--join", action="append", default=[], type=Path, metavar="FILE", help="append another track; repeatable"
    )
    parser.add_argument(
        "--gap",
        type=read_seconds,
        metavar="S",
        help="with --join: time between the tracks (default: by their own times)",
    )
    parser.add_argument(
        "--assume-speed", type=read_positive, metavar="KMH", help="time the positions by distance at this speed"
    )
    parser.add_argument("--start", type=read_moment, metavar="TIME", help="shift it to start at this time")
    parser.add_argument(
        "--from", dest="after", type=read_moment, metavar="TIME", help="only positions from this time on"
    )
    parser.add_argument("--to", dest="before", type=read_moment, metavar="TIME", help="only positions up to this time")
    parser.add_argument("--first", type=read_number, metavar="N", help="only positions from this number on")
    parser.add_argument("--last", type=read_number, metavar="N", help="only positions up to this number")
    parser.add_argument("--reverse", action="store_true", help="reverse the track")
    parser.add_argument("--resample", type=read_some_seconds, metavar="S", help="space positions by this time")
    parser.add_argument("--keep-gaps", type=read_some_seconds, metavar="S", help="with --resample: keep longer gaps")


def _add_record(parts: Commands) -> None:
    parser = add(
        parts,
        "record",
        "write what a device has sent as a track",
        "Write the kept location updates of a device as a track.",
    )
    add_workspace(parser)
    add_environment(parser)
    add_whose(parser)
    parser.add_argument("--after", type=read_moment, metavar="TIME", help="only updates after this time")
    parser.add_argument("--before", type=read_moment, metavar="TIME", help="only updates before this time")
    parser.add_argument("--requests", action="store_true", help="read the running server's request log instead")
    _add_output(parser)


def _add_file(parser: Parser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--device", metavar="ID", help="one device of a file with several (default: that with most positions)"
    )


def _add_output(parser: Parser) -> None:
    parser.add_argument("--output", "-o", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--format",
        type=read_track_format,
        metavar=_FORMATS,
        help="the file format (default: by file name)",
    )
