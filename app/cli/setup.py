"""``fencewright setup``: build or download the data of the program, or copy it from or into a folder."""

import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.cli.terminal.output import end_progress, note, progress_bar, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.setup.checks import ELSEWHERE, PART_NAMES, Plan, amount, is_frozen, look
from app.setup.data import ALL_PARTS, PARTS, Made, Part, SetupFailed, make
from app.setup.saved import read_saved, restore, save
from engine import bundled
from engine.domain.ports import Cancelled, Progress

_WITHOUT: Final[dict[Part, str]] = {
    "world": "without it, countries, postal codes, brands and IP addresses cannot be found",
    "area": "'fencewright area add REGION' builds another for routing and the street map",
    "cities": "without it, only the countries of IP addresses are known",
}
_DONE: Final[dict[Part, str]] = {"world": "built", "area": "built", "cities": "downloaded"}


def setup(arguments: Namespace) -> int:
    """Build the requested parts, or the usual ones by default; existing data stays in use until it is replaced."""
    parts = _requested(arguments)
    made: list[Made] = []
    with stop_on_signals() as stop:
        report = _Report(stop)
        try:
            if arguments.source is not None:
                complete = _restore(parts, arguments, report, made)
            else:
                complete = _build(parts or list(PARTS), arguments, report, made)
            if arguments.save is not None and complete:
                complete = _save(arguments.save, parts or list(PARTS), report)
        except Cancelled:
            report.end()
            note(f"stopped; {PART_NAMES[report.part]} was not {_DONE[report.part]}" if report.part else "stopped")
            return stop.exit_code
    if arguments.json:
        write_json([{"part": each.part, "made": each.made, "folder": str(each.folder)} for each in made], indented=True)
    return 0 if complete else 1


def _requested(arguments: Namespace) -> list[Part]:
    """Return the parts that were named, or none for the usual ones."""
    named = arguments.parts
    if arguments.cities:
        named = [*(named or PARTS), "cities"]
    return [part for part in ALL_PARTS if part in named]


def _build(parts: Sequence[Part], arguments: Namespace, report: "_Report", made: list[Made]) -> bool:
    """Check everything first, then build the parts that can be built. Return whether all parts are there."""
    plans = look(parts, again=arguments.force, check=report.check)
    for plan in plans:
        _announce(plan)
    if any(plan.problems for plan in plans) and not is_frozen():
        note(ELSEWHERE)
    complete = not any(plan.problems for plan in plans)
    for plan in plans:
        if plan.problems:
            continue
        report.part = plan.part
        try:
            made.append(make(plan.part, report, again=arguments.force))
        except SetupFailed as error:
            complete = False
            report.end()
            failed = f"{PART_NAMES[plan.part]} could not be {_DONE[plan.part]}"
            note(f"{failed}: {error.message} ({_WITHOUT[plan.part]})")
        else:
            _write(made[-1], f"was {_DONE[plan.part]}", arguments)
    return complete


def _announce(plan: Plan) -> None:
    """Show what a set-up takes, or everything that prevents it."""
    name = PART_NAMES[plan.part]
    if plan.problems:
        for problem in plan.problems:
            note(f"{name} cannot be {_DONE[plan.part]}: {problem}")
        note(f"{name}: {_WITHOUT[plan.part]}")
    elif not plan.current:
        download = f"{amount(plan.download)} to download with {_listed(plan.tools)}, " if plan.download else ""
        during = "during the download" if plan.part == "cities" else "during the build"
        note(f"{name}: {download}{amount(plan.work)} of disk space {during}, {amount(plan.kept)} after it")
        note(f"{name} will be in {plan.folder}")
        if plan.part == "cities":
            note(f"{bundled.CITIES_CREDIT} ({bundled.CITIES_URL}), CC BY 4.0")


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _restore(parts: Sequence[Part], arguments: Namespace, report: "_Report", made: list[Made]) -> bool:
    """Copy the parts, or all saved ones by default, from a folder. Return whether all of them are there."""
    try:
        saved = read_saved(arguments.source.absolute(), parts)
        for part in saved.parts:
            report.part = part
            made.append(restore(part, saved, report, again=arguments.force))
            _write(made[-1], "was copied", arguments)
    except SetupFailed as error:
        report.end()
        note(error.message)
        return False
    return True


def _save(folder: Path, parts: Sequence[Part], report: "_Report") -> bool:
    report.part = None
    try:
        size = save(folder.absolute(), report, parts)
    except SetupFailed as error:
        report.end()
        note(f"the data could not be saved: {error.message}")
        return False
    note(f"saved {amount(size)} in {folder}; on another machine: fencewright setup --from {folder.name}")
    return True


def _write(made: Made, done: str, arguments: Namespace) -> None:
    if not arguments.json:
        unchanged = "is included" if is_frozen() and made.part in PARTS else "is up to date"
        write_line(f"{PART_NAMES[made.part]} {done if made.made else unchanged}: {made.folder}")


class _Report:
    """Shows the duration or the progress of each step on a terminal, and one line per step elsewhere."""

    def __init__(self, stop: StopRequest) -> None:
        self.part: Part | None = None
        """The part that is being made."""
        self._stop = stop
        self._label = ""
        self._since = 0.0
        self._shown = False
        self._stepping = False

    def step(self, label: str) -> None:
        self.end()
        self._label, self._since, self._stepping = label, time.monotonic(), True
        if not sys.stderr.isatty():
            note(label)
        self.check()

    def check(self) -> None:
        self._stop.check()
        if self._stepping and sys.stderr.isatty():
            self._shown = True
            sys.stderr.write(f"\r{self._label}: {time.monotonic() - self._since:.0f} s")
            sys.stderr.flush()

    def building(self, label: str) -> Progress:
        self.end()
        self._stepping = False
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
