"""Reading the command line: every command with its options."""

from argparse import Namespace
from collections.abc import Sequence
from functools import cache

from app import __version__
from app.cli.options.backtests import add_backtest
from app.cli.options.faults import add_faults
from app.cli.options.integrations import add_listen, add_sync, add_webhooks
from app.cli.options.records import GEOFENCES, add_events, add_export, add_import, add_imports
from app.cli.options.review import add_check, add_promote
from app.cli.options.serving import DESKTOP, add_demo, add_desktop, add_serve
from app.cli.options.shared import Parser
from app.cli.options.simulation import add_fleet, with_positions_joined
from app.cli.options.testing import add_test
from app.cli.options.tracking import add_explain, add_simulate
from app.cli.options.tracks import add_track
from app.cli.options.whatif import add_replay, add_sweep
from app.cli.options.workspace import (
    add_area,
    add_certificate,
    add_clear,
    add_diagnostics,
    add_keys,
    add_settings,
    add_setup,
    add_snapshot,
)

_WHOLE_PROGRAM = ("-h", "--help", "--version")


def parse_arguments(argv: Sequence[str]) -> Namespace:
    """Return the options in `argv`; `command` names the command and defaults to the desktop.

    An export is of geofences unless `argv` says otherwise.

    Exits with code 2 for wrong usage, and with 0 after ``--help`` and ``--version``.
    """
    given = list(argv)
    if not given or (given[0].startswith("-") and given[0] not in _WHOLE_PROGRAM):
        given.insert(0, DESKTOP)
    if given[0] == "export" and len(given) > 1 and given[1].startswith("--") and given[1] != "--help":
        given.insert(1, GEOFENCES)
    return parser().parse_args(with_positions_joined(given))


@cache
def parser() -> Parser:
    """Return the parser of the whole command line, which is created once."""
    root = Parser(
        prog="fencewright",
        allow_abbrev=False,
        description="A workstation for geofences with a local /v1 API. Without a command the desktop opens.",
    )
    words = "show program's version number and exit"
    root.add_argument("--version", action="version", version=f"fencewright {__version__}", help=words)
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    add_desktop(commands)
    add_serve(commands)
    add_keys(commands)
    add_certificate(commands)
    add_diagnostics(commands)
    add_import(commands)
    add_imports(commands)
    add_check(commands)
    add_promote(commands)
    add_simulate(commands)
    add_track(commands)
    add_test(commands)
    add_fleet(commands)
    add_settings(commands)
    add_sync(commands)
    add_explain(commands)
    add_replay(commands)
    add_sweep(commands)
    add_backtest(commands)
    add_events(commands)
    add_export(commands)
    add_clear(commands)
    add_snapshot(commands)
    add_webhooks(commands)
    add_faults(commands)
    add_listen(commands)
    add_area(commands)
    add_setup(commands)
    add_demo(commands)
    return root
