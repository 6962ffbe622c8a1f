"""From the arguments to a command, and from whatever goes wrong to one line and an exit code."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.cli.arguments import DESKTOP, parse_arguments
from app.cli.output import abandon_output, forgive_encoding, note
from app.cli.signals import stop_on_signals
from engine.domain.errors import FencewrightError
from engine.domain.ports import Cancelled

FAILED = 1
INTERRUPTED = 130
SHOW_TRACEBACK = "FENCEWRIGHT_TRACEBACK"
"""An environment variable for developers: an unexpected error ends with its traceback."""


@dataclass(frozen=True, slots=True)
class Faces:
    """How to start what opens a window; both return the exit code."""

    desktop: Callable[[Path | str | None, str, int, str | None, str | None], int]
    demo: Callable[[Path | None], int]


def run(argv: Sequence[str], faces: Faces) -> int:
    """Run the command in `argv` and return its exit code: 0, 1 for an error, 2 for wrong usage."""
    forgive_encoding()
    try:
        return _dispatch(parse_arguments(argv), faces)
    except FencewrightError as error:
        note(error.message)
    except BrokenPipeError:
        abandon_output()
    except (KeyboardInterrupt, Cancelled):
        return INTERRUPTED
    except OSError as error:
        note(f"{error.filename}: {error.strerror}." if error.filename else f"{error}.")
    except Exception as error:
        if os.environ.get(SHOW_TRACEBACK):
            raise
        note(f"unexpected error: {type(error).__name__}: {error} (set {SHOW_TRACEBACK}=1 to see where)")
    return FAILED


def _dispatch(arguments: Namespace, faces: Faces) -> int:
    # Each command is imported when it is called for, so that none waits for what the others need.
    match arguments.command:
        case "serve":
            # Before the rest is loaded: a signal during the start is a clean stop too.
            with stop_on_signals() as stop:
                from app.cli.serving import serve

                return serve(arguments, stop)
        case "keys":
            from app.cli.keys import keys

            return keys(arguments)
        case "import":
            from app.cli.importing import import_file

            return import_file(arguments)
        case "simulate":
            from app.cli.simulating import simulate

            return simulate(arguments)
        case "settings":
            from app.cli.settings import settings

            return settings(arguments)
        case "explain":
            from app.cli.explaining import explain

            return explain(arguments)
        case "replay":
            from app.cli.replaying import replay

            return replay(arguments)
        case "clear":
            from app.cli.clearing import clear

            return clear(arguments)
        case "area":
            from app.cli.areas import area

            return area(arguments)
        case "demo":
            return faces.demo(arguments.screenshot)
        case command:
            assert command == DESKTOP
            return faces.desktop(
                arguments.workspace, arguments.host, arguments.port, arguments.router, arguments.geocoder
            )


def finish_output() -> None:
    """Write out what is buffered, now that a broken pipe can still be handled."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_output()
