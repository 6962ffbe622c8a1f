"""The options of ``fencewright faults``."""

import argparse
from typing import Final

from app.cli.options.shared import Commands, Parser, add, add_json, add_workspace
from app.cli.terminal.values import read_header
from app.faults.rules import METHODS

_WHICH: Final = (
    ("nth", "N", "only the nth matching request"),
    ("every", "N", "every nth matching request"),
    ("times", "N", "end the fault after N hits"),
)
_DONE: Final = (
    ("latency-ms", "MS", "how long latency holds requests"),
    ("bytes", "N", "how many bytes truncate sends (default: half of the body)"),
    ("bytes-per-second", "N", "how fast slow sends the body"),
    ("status", "CODE", "from 400 to 599"),
)
_KINDS: Final = """\
latency   hold the request for --latency-ms, then carry it out
status    answer with --status instead of carrying it out
drop      close the connection without an answer
truncate  send the first --bytes of the answer's body, then close the connection
slow      send the answer's body at --bytes-per-second
"""


def add_faults(commands: Commands) -> None:
    """Add ``faults``."""
    parser = add(
        commands,
        "faults",
        "inject faults into Test requests: latency, errors, dropped or truncated responses",
        "Inject faults into Test requests to the server or window that has the workspace open, until it exits.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    listed = add(actions, "list", "list the faults, and how often each has hit")
    made = add(actions, "add", "add a fault", _KINDS)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    _add_rule(made)
    cleared = add(actions, "clear", "remove all faults, or those given")
    cleared.add_argument("ids", nargs="*", metavar="ID", help="remove only these faults")
    for each in (listed, made, cleared):
        add_workspace(each)
        add_json(each)


def _add_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=("latency", "status", "drop", "truncate", "slow"))
    _add_effect(parser.add_argument_group("what happens"))
    _add_scope(parser.add_argument_group("which requests"))


def _add_effect(group: argparse._ArgumentGroup) -> None:
    for name, metavar, summary in _DONE:
        group.add_argument(f"--{name}", type=int, metavar=metavar, help=summary)
    group.add_argument(
        "--header",
        action="append",
        default=[],
        type=read_header,
        metavar="'NAME: VALUE'",
        help="a header of status, such as 'Retry-After: 3'; repeatable",
    )
    group.add_argument("--type", metavar="WORD", help="meta.type of status (default: on 429 the limit)")
    group.add_argument("--message", metavar="TEXT", help="meta.message of status")
    group.add_argument(
        "--when", choices=("before", "after"), help="drop before the request is carried out (default) or after"
    )


def _add_scope(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--path", metavar="PATH", help="such as /v1/track or '/v1/route/*' (default: every path)")
    group.add_argument("--method", choices=METHODS, help="default: every method")
    group.add_argument("--key", choices=("publishable", "secret", "any"), help="default: any")
    group.add_argument("--device", metavar="ID", help="only requests that name this device")
    for name, metavar, summary in _WHICH:
        group.add_argument(f"--{name}", type=int, metavar=metavar, help=summary)
    group.add_argument("--share", type=float, metavar="PART", help="a random part of the requests, such as 0.2")
    group.add_argument(
        "--seed", type=int, metavar="N", help="with --share: the same number hits the same requests (default: 0)"
    )
