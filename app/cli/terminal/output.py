"""The output of commands: results on standard output, everything else on standard error."""

import logging
import os
import sys
from collections.abc import Callable
from typing import Any

import orjson

from app.time_left import TimeLeft
from engine.domain.ports import Progress

_PROGRAM = "fencewright"
_BAR_WIDTH = 30


def write_line(text: str) -> None:
    """Write one line of the result immediately, so that the reader of a pipe sees it when it happens."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write_json(value: Any, *, indented: bool = False) -> None:
    """Write a value as JSON: on one line, or indented for a single document."""
    write_line(orjson.dumps(value, option=orjson.OPT_INDENT_2 if indented else 0).decode())


def note(message: str) -> None:
    """Show the user a message that is not part of the result."""
    sys.stderr.write(f"{_PROGRAM}: {message}\n")
    sys.stderr.flush()


class _Noted(logging.Handler):
    """Shows the log as notes of the program."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            note(self.format(record))
        except Exception:  # noqa: BLE001 - a log that cannot be shown is no reason to end anything
            self.handleError(record)


def note_log() -> None:
    """Show warnings and errors of the log, unless another handler does, with the name of the program."""
    logging.lastResort = _Noted(logging.WARNING)


def progress_line(label: str, stopped: Callable[[], None]) -> Progress:
    """Return a progress callback that rewrites one line of a terminal; `stopped` may raise to end the work."""

    def show(done: int, total: int) -> None:
        stopped()
        if sys.stderr.isatty():
            end = "\n" if done >= total else ""
            sys.stderr.write(f"\r{label}: {done:,} of {total:,}{end}")
            sys.stderr.flush()

    return show


def progress_bar(label: str, stopped: Callable[[], None]) -> Progress:
    """Return a progress callback that draws a bar on a terminal; `stopped` may raise to end the work."""
    drawn, longest = "", 0
    left = TimeLeft()

    def show(done: int, total: int) -> None:
        nonlocal drawn, longest
        stopped()
        percent = min(100, 100 * done // max(total, 1))
        full = percent * _BAR_WIDTH // 100
        rest = left.text(done, total)
        line = f"{label} [{'#' * full}{'.' * (_BAR_WIDTH - full)}] {percent:3} %{f' · {rest}' if rest else ''}"
        if sys.stderr.isatty() and line != drawn:
            drawn, longest = line, max(longest, len(line))
            end = "\n" if percent == 100 else ""
            sys.stderr.write(f"\r{line:{longest}}{end}")
            sys.stderr.flush()

    return show


def upgrade_bar(stopped: Callable[[], None] = lambda: None) -> Progress:
    """Return a progress callback for opening a workspace, which takes a while if it must be upgraded first."""
    bar = progress_bar("upgrading", stopped)
    noted = False

    def show(done: int, total: int) -> None:
        nonlocal noted
        if not noted:
            noted = True
            note("upgrading the workspace to this version of Fencewright; a copy is kept until that is done")
        bar(done, total)

    return show


def end_progress() -> None:
    """Start a new line after an unfinished progress bar."""
    if sys.stderr.isatty():
        sys.stderr.write("\n")
        sys.stderr.flush()


def forgive_encoding() -> None:
    """Make the output escape characters that the terminal cannot show, instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def abandon_output() -> None:
    """Discard the remaining output, because the reader of the pipe has closed it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
