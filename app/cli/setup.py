"""``fencewright setup``: build the world pack and the bundled area."""

import sys
import time
from argparse import Namespace
from typing import Final

from app.cli.terminal.output import end_progress, note, progress_bar, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.setup.data import PARTS, Made, Part, SetupFailed, make
from engine.domain.ports import Cancelled, Progress

_NAMES: Final[dict[Part, str]] = {"world": "the world pack", "area": "the bundled area"}
_WITHOUT: Final[dict[Part, str]] = {
    "world": "without it, countries, postal codes, brands and IP addresses cannot be found",
    "area": "'fencewright area add REGION' builds another for routing and the street map",
}


def setup(arguments: Namespace) -> int:
    """Build the requested parts, or all of them by default; existing data stays in use until it is replaced."""
    wanted = [part for part in PARTS if part in arguments.parts] or list(PARTS)
    made: list[Made] = []
    failed = False
    with stop_on_signals() as stop:
        report = _Report(stop)
        for part in wanted:
            try:
                made.append(make(part, report, again=arguments.force))
            except SetupFailed as error:
                failed = True
                report.end()
                note(f"{_NAMES[part]} could not be built: {error.message} ({_WITHOUT[part]})")
            except Cancelled:
                report.end()
                note(f"stopped; {_NAMES[part]} was not built")
                return stop.exit_code
            else:
                _write(made[-1], arguments)
    if arguments.json:
        write_json([{"part": each.part, "made": each.made, "folder": str(each.folder)} for each in made], indented=True)
    return 1 if failed else 0


def _write(made: Made, arguments: Namespace) -> None:
    if not arguments.json:
        write_line(f"{_NAMES[made.part]} {'was built' if made.made else 'is up to date'}: {made.folder}")


class _Report:
    """Shows the duration or the progress of each step on a terminal, and one line per step elsewhere."""

    def __init__(self, stop: StopRequest) -> None:
        self._stop = stop
        self._label = ""
        self._since = 0.0
        self._shown = False

    def step(self, label: str) -> None:
        self.end()
        self._label, self._since = label, time.monotonic()
        if not sys.stderr.isatty():
            note(label)
        self.check()

    def check(self) -> None:
        self._stop.check()
        if sys.stderr.isatty():
            self._shown = True
            sys.stderr.write(f"\r{self._label}: {time.monotonic() - self._since:.0f} s")
            sys.stderr.flush()

    def building(self, label: str) -> Progress:
        self.end()
        if not sys.stderr.isatty():
            note(label)
        self._shown = True
        bar = progress_bar(label, self._stop.check)

        def show(done: int, total: int) -> None:
            bar(done, total)
            self._shown = done < total

        return show

    def end(self) -> None:
        """Start a new line if the last one is unfinished."""
        if self._shown:
            end_progress()
        self._shown = False
