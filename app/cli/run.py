"""Dispatch of arguments to a command, and of errors to one line and an exit code."""

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

from msgspec import Struct

from app.api.wire.common.encoding import on_the_wire
from app.cli.options.parsing import parse_arguments
from app.cli.options.serving import DESKTOP
from app.cli.ready_file import remove_ready_file
from app.cli.terminal.output import abandon_output, forgive_encoding, note, note_log
from app.cli.terminal.signals import Interrupted, StopRequest, stop_on_signals
from app.endpoint import EndpointOptions
from engine.domain.errors import FencewrightError
from engine.domain.ports import Cancelled

FAILED = 1
INTERRUPTED = 130
SHOW_TRACEBACK = "FENCEWRIGHT_TRACEBACK"
"""Environment variable for developers with which unexpected errors end with a traceback."""

COMMANDS: Final = {
    "keys": "app.cli.keys:keys",
    "certificate": "app.cli.certificate:certificate",
    "import": "app.cli.importing:import_file",
    "imports": "app.cli.importing:imports",
    "check": "app.cli.review.checking:check",
    "promote": "app.cli.review.promoting:promote",
    "track": "app.cli.tracks:track",
    "simulate": "app.cli.simulating:simulate",
    "test": "app.cli.testing:test",
    "fleet": "app.cli.simulation.fleet:fleet",
    "settings": "app.cli.settings:settings",
    "sync": "app.cli.integrations.sync:sync",
    "explain": "app.cli.explaining:explain",
    "replay": "app.cli.whatif.replaying:replay",
    "backtest": "app.cli.backtests.command:backtest",
    "sweep": "app.cli.whatif.sweeping:sweep",
    "events": "app.cli.records.following:events",
    "export": "app.cli.records.exporting:export_records",
    "clear": "app.cli.clearing:clear",
    "snapshot": "app.cli.snapshot:snapshot",
    "faults": "app.cli.faults.commands:faults",
    "webhooks": "app.cli.webhooks.commands:webhooks",
    "listen": "app.cli.webhooks.listening:listen",
    "area": "app.cli.areas:area",
    "diagnostics": "app.cli.diagnostics:diagnostics",
    "setup": "app.cli.setup:setup",
}
"""Import paths of the commands; each is imported on demand, so that no command waits for the imports of others."""


class Interfaces(Struct, frozen=True):
    """Functions that start the commands with a window; both return the exit code."""

    desktop: Callable[
        [Path | str | None, EndpointOptions, str | None, str | None, Path | None, str | None, Sequence[Path]], int
    ]
    demo: Callable[[Path | None], int]


def run(argv: Sequence[str], interfaces: Interfaces) -> int:
    """Run the command in `argv` and return its exit code: 0, 1 for an error, 2 for wrong usage."""
    forgive_encoding()
    note_log()
    try:
        return _dispatch(parse_arguments(argv), interfaces)
    except FencewrightError as error:
        # The wire names are also those of the settings and tables that commands take.
        note(on_the_wire(error).message)
    except BrokenPipeError:
        abandon_output()
    except Interrupted as error:
        note("stopped")
        return error.exit_code
    except (KeyboardInterrupt, Cancelled):
        return INTERRUPTED
    except OSError as error:
        note(f"{error.filename}: {error.strerror}." if error.filename else f"{error}.")
    except Exception as error:
        if os.environ.get(SHOW_TRACEBACK):
            raise
        note(f"unexpected error: {type(error).__name__}: {error} (set {SHOW_TRACEBACK}=1 to see where)")
    return FAILED


def _dispatch(arguments: Namespace, interfaces: Interfaces) -> int:
    match arguments.command:
        case "serve":
            # Done before the rest is loaded, which takes a while: a script may already be waiting for the ready file,
            # and a signal during startup must lead to a clean stop, too.
            if arguments.ready_file is not None:
                remove_ready_file(arguments.ready_file)
            with stop_on_signals(succeeds=True) as stop:
                return _load_serve()(arguments, stop)
        case "demo":
            return interfaces.demo(arguments.screenshot)
        case command if command == DESKTOP:
            endpoint = EndpointOptions(arguments.host, arguments.port, arguments.tls, tuple(arguments.allow_host))
            return interfaces.desktop(
                arguments.workspace,
                endpoint,
                arguments.router,
                arguments.geocoder,
                arguments.seed,
                arguments.language,
                arguments.files,
            )
        case command:
            return _run(command, arguments)


def _run(command: str, arguments: Namespace) -> int:
    # A command's own signal handling takes precedence over this.
    with stop_on_signals(interrupts=True):
        code: int = resolve_name(COMMANDS[command])(arguments)
        return code


def _load_serve() -> Callable[[Namespace, StopRequest], int]:
    # Everything that loading creates is kept. Scanning it for garbage meanwhile takes a tenth of the time that `serve`
    # takes to load (1.17 s without this, 1.05 with it; medians of 21 alternating runs).
    gc.disable()
    try:
        from app.cli.serving import serve
    finally:
        gc.enable()
    return serve


def finish_output() -> None:
    """Flush the output while a broken pipe can still be handled."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_output()
