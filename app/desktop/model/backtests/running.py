"""The run of a back-test, in a worker. Imported on demand, as the libraries take long to load and may be missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from app import __version__
from app.backtest.described import described
from app.backtest.formats import RECORD
from app.backtest.kept import kept_of, known_since, request_then
from app.backtest.output import write_outputs
from app.backtest.record import read_report
from app.desktop.language import tr
from app.desktop.model.backtests.ground import Ground
from app.desktop.model.backtests.wish import THEN_NEEDS, BacktestWish, FenceSource, HistoryLook
from app.desktop.model.backtests.words import note_text
from app.files import read_limited
from engine.backtest.backtest import DECIDING, SORTING, WRITING, Request, run
from engine.backtest.backtest import Progress as BacktestProgress
from engine.backtest.reading.kept import Circumstances
from engine.backtest.reading.scanning import column_names, scan
from engine.backtest.reading.sources import is_remote
from engine.backtest.results import BacktestReport
from engine.domain.clock import utc_text
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled, Progress
from engine.domain.values import replace

_AMBIGUOUS: Final = re.compile(r"(.*): the columns .* both give the (\w+); choose one with --columns .*")
_PHASES: Final = (SORTING, DECIDING, WRITING)


class _Follower:
    """Passes the progress on, and knows when to stop.

    The window counts each fix twice, as it is first sorted and then decided.
    """

    def __init__(self, report: Progress, shown: Callable[[BacktestProgress], None]) -> None:
        self._report, self._shown = report, shown
        self._last = 0, 0

    def show(self, progress: BacktestProgress) -> None:
        """Show the progress in the dialog and in the status line."""
        done = min(progress.fixes, progress.total) + _PHASES.index(progress.phase) * progress.total
        self._last = min(done, 2 * progress.total), 2 * progress.total
        self._shown(progress)

    def stop(self) -> bool:
        """Report the progress, and return whether the user has cancelled."""
        try:
            self._report(*self._last)
        except Cancelled:
            return True
        return False


def run_wish(
    wish: BacktestWish, ground: Ground, report: Progress, shown: Callable[[BacktestProgress], None]
) -> BacktestReport:
    """Run a back-test and write its files. Raises `Cancelled`, `InvalidParameter`, and what the work itself raises."""
    follower = _Follower(report, shown)
    request, notes = _request(wish, ground, report)

    def noted(found: BacktestReport) -> BacktestReport:
        return replace(found, notes=(*notes, *found.notes))

    def write(folder: Path, found: BacktestReport) -> None:
        write_outputs(folder, noted(found), (), report)

    try:
        return noted(run(request, follower.show, follower.stop, write))
    except InvalidParameter as error:
        raise _for_window(error) from error


def _request(wish: BacktestWish, ground: Ground, report: Progress) -> tuple[Request, tuple[str, ...]]:
    """Return the back-test, and notes for its report."""
    after = ground.side(wish.fences, wish.fence_files, wish.fence_folder, "geofences", report)
    against = None
    if wish.against is not FenceSource.NONE:
        against = ground.side(wish.against, wish.against_files, wish.against_folder, "against", report)
    for folder in wish.workspaces.values():
        ground.count_updates(folder, report)
    source = wish.then_in(ground.folder) if wish.then else None
    if wish.then and source is None:
        raise InvalidParameter("geofences", f"geofences: {THEN_NEEDS}")
    write = ground.kept_writer(report)
    kept = kept_of(wish.workspaces, source, wish.output, ground.environment, write, option="history")
    request = Request(
        history=wish.history,
        columns=wish.columns,
        accuracy_m=wish.accuracy_m,
        fences=after.fences,
        against=None if against is None else against.fences,
        settings=after.settings,
        output=wish.output,
        scheduler=wish.scheduler,
        workers=None if wish.scheduler else wish.workers,
        resume=wish.resume,
        skip_bad=wish.skip_bad,
        rules=described(after.settings),
        version=__version__,
        kept=kept.files,
        first=kept.first,
    )
    if kept.then is None:
        return request, ()
    before = None if against is None else against.then(kept.then)
    return request_then(request, after.then(kept.then), before, kept.then), tuple(_lost(kept.then))


def _lost(then: Circumstances) -> Iterator[str]:
    if (at := known_since(then)) is not None:
        yield tr("Some geofences from before {time} are no longer kept.", time=utc_text(at))


def look_at(wish: BacktestWish, ground: Ground, report: Progress) -> HistoryLook:
    """Return a first look at a history, with its error if it cannot be read. May raise `Cancelled`."""
    try:
        kept = sum(ground.count_updates(folder, report) for folder in wish.workspaces.values())
        names = column_names(wish.files) if wish.files else ()
    except InvalidParameter as error:
        return HistoryLook(error=error)
    if any(map(is_remote, wish.files)):
        return HistoryLook(names=names)
    if not wish.files:
        return HistoryLook(rows=0, kept=kept, environment=ground.environment)
    try:
        found = scan(wish.files, columns=wish.columns, skip_bad=wish.skip_bad, progress=report)
    except InvalidParameter as error:
        return HistoryLook(names=names, error=_for_window(error))
    return HistoryLook(
        names=names,
        rows=found.rows,
        files=len({portion.file for portion in found.portions}),
        kept=kept,
        environment=ground.environment,
        notes=tuple(map(note_text, found.notes)),
    )


def _for_window(error: InvalidParameter) -> InvalidParameter:
    """Return an error without the advice for the command line."""
    if error.param == "resume":
        text = tr(
            "output: the history, the geofences or the settings have changed since this back-test began. Choose "
            "another folder."
        )
        return InvalidParameter("output", text)
    file, missing, rest = error.message.removeprefix(f"{error.param}: ").partition(": there is no column for ")
    if missing and "--columns" in rest:
        fields = rest.partition(";")[0]
        text = tr("{file}: no column is known for {fields}. Choose the columns below.", file=file, fields=fields)
        return InvalidParameter("columns", text)
    if found := _AMBIGUOUS.fullmatch(error.message.removeprefix(f"{error.param}: ")):
        file, fields = found.groups()
        text = tr("{file}: several columns may be the {fields}. Choose the columns below.", file=file, fields=fields)
        return InvalidParameter("columns", text)
    return error


def report_in(folder: Path) -> BacktestReport:
    """Return the report in the folder of a back-test. Raises `InvalidParameter` if there is none."""
    try:
        return read_report(read_limited(folder / RECORD))
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InvalidParameter("report", tr("{file} cannot be read: {reason}.", file=RECORD, reason=reason)) from error
