"""The options of ``fencewright track``."""

from pathlib import Path

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_whose, add_workspace
from app.cli.terminal.values import read_moment, read_number, read_positive, read_seconds
from engine.simulation.writing.writing import TrackFormat

_FORMATS = "|".join(TrackFormat)


def add_track(commands: Commands) -> None:
    """Add ``track`` with what it does."""
    parser = add(
        commands,
        "track",
        "show, edit and convert tracks, and record them",
        "Show what is in a track file, edit and convert it, or record what a device has sent. Files of phones, watches "
        "and receivers are recognised by what is in them.",
    )
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True, parser_class=Parser)
    _add_info(parts)
    _add_convert(parts)
    _add_record(parts)


def _add_info(parts: Commands) -> None:
    parser = add(parts, "info", "show what is in a track file", "Show how long a track is, and what could not be read.")
    _add_file(parser)
    add_json(parser)


def _add_convert(parts: Commands) -> None:
    parser = add(
        parts,
        "convert",
        "edit a track and write it in another format",
        "Edit a track and write it. What is asked for is done in the order of the options below.",
    )
    _add_file(parser)
    _add_output(parser)
    parser.add_argument(
        "--join", action="append", default=[], type=Path, metavar="FILE", help="add another track after it; repeatable"
    )
    parser.add_argument(
        "--gap",
        type=read_seconds,
        metavar="S",
        help="have it begin S seconds after the end, not at its own times",
    )
    parser.add_argument(
        "--assume-speed", type=read_positive, metavar="KMH", help="replace all times by those of this speed"
    )
    parser.add_argument("--start", type=read_moment, metavar="TIME", help="have the track begin at this time")
    parser.add_argument("--from", dest="after", type=read_moment, metavar="TIME", help="only positions from then on")
    parser.add_argument("--to", dest="before", type=read_moment, metavar="TIME", help="only positions up to then")
    parser.add_argument("--first", type=read_number, metavar="N", help="only positions from this number on, from 1")
    parser.add_argument("--last", type=read_number, metavar="N", help="only positions up to this number")
    parser.add_argument("--reverse", action="store_true", help="the way back")
    parser.add_argument("--resample", type=read_positive, metavar="S", help="a position every S seconds, on the way")
    parser.add_argument(
        "--keep-gaps",
        type=read_positive,
        metavar="S",
        help="with --resample: leave gaps of more than S seconds empty",
    )


def _add_record(parts: Commands) -> None:
    parser = add(
        parts,
        "record",
        "write what a device has sent as a track",
        "Write the kept location updates of a device as a track, or with --requests what the request log of the "
        "running server holds of it.",
    )
    add_workspace(parser)
    add_environment(parser)
    add_whose(parser)
    parser.add_argument("--after", type=read_moment, metavar="TIME", help="only updates after this time")
    parser.add_argument("--before", type=read_moment, metavar="TIME", help="only updates before this time")
    parser.add_argument("--requests", action="store_true", help="out of the request log, as the SDK sent them")
    _add_output(parser)


def _add_file(parser: Parser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--device", metavar="ID", help="of a file with several devices, this one (default: the one with most positions)"
    )


def _add_output(parser: Parser) -> None:
    parser.add_argument("--output", "-o", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--format",
        type=TrackFormat,
        choices=tuple(TrackFormat),
        metavar=_FORMATS,
        help="what to write; by default what the name of FILE tells",
    )
