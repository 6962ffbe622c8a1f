"""The options of ``fencewright faults``."""

import argparse
from typing import Final

from app.cli.options.shared import Commands, Parser, add, add_json, add_workspace
from app.cli.terminal.values import read_header

_NUMBERS: Final = (
    ("nth", "N", "only the n-th request that matches"),
    ("every", "N", "every n-th request that matches"),
    ("times", "N", "end after so many hits"),
    ("seed", "N", "of --share: the same seed hits the same requests (default 0)"),
    ("latency-ms", "MS", "of latency: how long a request is held"),
    ("status", "CODE", "of status: 400 to 599"),
    ("bytes", "N", "of truncate: so much of the body (default: half of it)"),
    ("bytes-per-second", "N", "of slow"),
)


def add_faults(commands: Commands) -> None:
    """Add ``faults``."""
    parser = add(
        commands,
        "faults",
        "answer requests of Test late, with errors, in part or not at all",
        "Faults on purpose, to test what an app does when the network or the service fails. They hit requests of Test "
        "to the 'fencewright serve' or the desktop that has the workspace open, and are gone when it ends.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    listed = add(actions, "list", "list the faults, and how often each has hit")
    made = add(actions, "add", "add a fault")
    _add_rule(made)
    cleared = add(actions, "clear", "remove all faults, or some")
    cleared.add_argument("ids", nargs="*", metavar="ID", help="only these")
    for each in (listed, made, cleared):
        add_workspace(each)
        add_json(each)


def _add_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=("latency", "status", "drop", "truncate", "slow"))
    parser.add_argument("--path", metavar="PATH", help="such as /v1/track or '/v1/route/*' (default: every path)")
    parser.add_argument("--method", choices=("GET", "POST", "PUT", "PATCH", "DELETE"))
    parser.add_argument("--key", choices=("publishable", "secret", "any"), help="whose requests (default: any)")
    parser.add_argument("--device", metavar="ID", help="only requests that name this device ID")
    for name, metavar, summary in _NUMBERS:
        parser.add_argument(f"--{name}", type=int, metavar=metavar, help=summary)
    parser.add_argument("--share", type=float, metavar="PART", help="a part of the requests, such as 0.2, at random")
    parser.add_argument(
        "--when", choices=("before", "after"), help="of drop: before the request is carried out or after"
    )
    parser.add_argument(
        "--header",
        action="append",
        default=[],
        type=read_header,
        metavar="'NAME: VALUE'",
        help="of status: a header, such as 'Retry-After: 3'; repeatable",
    )
    parser.add_argument("--type", metavar="WORD", help="of status: meta.type, such as hourly")
    parser.add_argument("--message", metavar="TEXT", help="of status: meta.message")
