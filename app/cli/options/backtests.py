"""The options of the command that runs months of history against geofences."""

from pathlib import Path
from typing import Final

from app.backtest.formats import EventFormat
from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_set
from app.cli.terminal.values import read_accuracy, read_assignment, whole_number
from engine.domain.tracking.explaining import ReplayFences

_ACCURACY_M: Final = 10.0
_MOST_WORKERS: Final = 1_000


def add_backtest(commands: Commands) -> None:
    """Add ``backtest``."""
    parser = add(
        commands,
        "backtest",
        "run months of location updates against geofences",
        "Run a history of location updates, in Parquet or CSV, against geofences, and report their events, visits and "
        "travel. With --against, also report which events are gained, lost and moved in time compared with other "
        "geofences, such as those in use. No workspace is changed. The work is spread over the processors of this "
        "machine, or over a Dask cluster.",
    )
    _add_input(parser)
    _add_rules(parser)
    _add_work(parser)
    _add_output(parser)
    add_json(parser)


def _add_input(parser: Parser) -> None:
    """Add the history, and how its columns are read."""
    parser.add_argument(
        "--history",
        nargs="+",
        action="extend",
        required=True,
        metavar="PATH_OR_URL|WORKSPACE",
        help="location updates: Parquet or CSV files, folders of them, an s3:// or https:// address, or a workspace "
        "with kept updates",
    )
    parser.add_argument(
        "--columns",
        nargs="+",
        action="extend",
        default=[],
        type=read_assignment,
        metavar="FIELD=NAME",
        help="read a field from a column of another name, such as device=vehicle_id; fields are device, user, time, "
        "received, longitude, latitude, accuracy, stopped, foreground and ip",
    )
    parser.add_argument(
        "--accuracy",
        type=read_accuracy,
        default=_ACCURACY_M,
        metavar="M",
        help=f"accuracy of fixes without one (default: {_ACCURACY_M:g})",
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="leave out files that cannot be read, instead of stopping at the start"
    )


def _add_rules(parser: Parser) -> None:
    """Add the geofences and the settings."""
    whose = "a workspace, by its folder or name, or files of geofences in any format of import"
    parser.add_argument(
        "--fences",
        "--geofences",
        nargs="+",
        action="extend",
        required=True,
        metavar="WORKSPACE|FILE",
        help=f"the geofences: {whose}",
    )
    parser.add_argument(
        "--against",
        nargs="+",
        action="extend",
        default=[],
        metavar="WORKSPACE|FILE",
        help="the geofences to compare with, such as those in use, given in the same way",
    )
    parser.add_argument(
        "--geofences-at",
        choices=[each.value for each in ReplayFences],
        default=ReplayFences.NOW.value,
        help="use the geofences and settings of a workspace as they were at each update, or as they are now (default)",
    )
    add_environment(parser)
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="use the settings in this file of `fencewright settings --json` (default: those of the workspace)",
    )
    add_set(parser, "use this setting, such as bufferEntries=true")


def _add_work(parser: Parser) -> None:
    """Add where the work is done."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="use the Dask cluster with this scheduler")
    where.add_argument(
        "--workers",
        type=whole_number(1, _MOST_WORKERS),
        metavar="N",
        help="how many processes (default: one per processor)",
    )


def _add_output(parser: Parser) -> None:
    """Add the folder of the output, and the formats in it."""
    parser.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="the new folder for events, visits and the report (default: backtest-YYYY-MM-DD-HHMM)",
    )
    parser.add_argument(
        "--format",
        nargs="+",
        action="extend",
        default=[],
        choices=[each.value for each in EventFormat],
        help="also write the events as csv or geojson (default: only parquet)",
    )
    parser.add_argument("--resume", action="store_true", help="continue the unfinished back-test of --output")
