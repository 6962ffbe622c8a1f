"""The run of a back-test, in a worker. Imported on demand, as the libraries take long to load and may be missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from app import __version__
from app.backtest.described import described
from app.backtest.formats import RECORD
from app.backtest.given import fences_of_files
from app.backtest.output import write_outputs
from app.backtest.record import read_report
from app.desktop.language import tr
from app.desktop.model.backtests.wish import BacktestWish, FenceSource, HistoryLook
from app.desktop.model.words import workspace_name
from app.files import read_limited
from engine.backtest.backtest import DECIDING, SORTING, WRITING, FenceSet, Request, run
from engine.backtest.backtest import Progress as BacktestProgress
from engine.backtest.reading.scanning import column_names, scan
from engine.backtest.reading.sources import is_remote
from engine.backtest.results import BacktestReport
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled, Progress
from engine.domain.tracking.whatif import FenceEdits
from engine.engine import Engine

_AMBIGUOUS: Final = re.compile(r"(.*): the columns .* both give the (\w+); choose one with --columns .*")
_PHASES: Final = (SORTING, DECIDING, WRITING)


class Ground(Struct, frozen=True):
    """The workspace of a back-test: its engine, the displayed environment, and the edits of What if."""

    engine: Engine
    environment: Environment
    edits: FenceEdits

    def fences(self, source: FenceSource, report: Progress) -> FenceSet:
        """Return geofences of the workspace. Raises `InvalidParameter` if there are none."""
        if source is FenceSource.EDITED:
            return self._edited(report)
        is_test = self.environment.live is (source is FenceSource.OTHER)
        return self._stored(Environment.TEST if is_test else Environment.LIVE, report)

    def _edited(self, report: Progress) -> FenceSet:
        kept = {each.id: each for each in self.engine.geofences.all(self.environment, report)}
        kept |= {each.id: each for each in self.edits.saved}
        left = tuple(each for each in kept.values() if each.id not in self.edits.removed)
        return FenceSet(name=tr("{geofences} with the edits", geofences=self._name(self.environment)), geofences=left)

    def _stored(self, environment: Environment, report: Progress) -> FenceSet:
        geofences = self.engine.geofences.all(environment, report)
        if not geofences:
            text = tr("geofences: there are none in {environment}.", environment=environment.capitalize())
            raise InvalidParameter("geofences", text)
        return FenceSet(name=self._name(environment), geofences=geofences)

    def _name(self, environment: Environment) -> str:
        return f"{workspace_name(self.engine.workspace)} ({environment.capitalize()})"


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
    request = _request(wish, ground, report)
    try:
        return run(
            request, follower.show, follower.stop, lambda folder, found: write_outputs(folder, found, (), report)
        )
    except InvalidParameter as error:
        raise _for_window(error) from error


def _request(wish: BacktestWish, ground: Ground, report: Progress) -> Request:
    settings = ground.engine.settings.get(ground.environment)
    return Request(
        history=wish.history,
        columns=wish.columns,
        accuracy_m=wish.accuracy_m,
        fences=_fences(wish, ground, report),
        against=_against(wish, ground, report),
        settings=settings,
        output=wish.output,
        scheduler=wish.scheduler,
        workers=None if wish.scheduler else wish.workers,
        resume=wish.resume,
        skip_bad=wish.skip_bad,
        rules=described(settings),
        version=__version__,
    )


def _fences(wish: BacktestWish, ground: Ground, report: Progress) -> FenceSet:
    if wish.fences is FenceSource.FILES:
        return _of_files(wish.fence_files, "geofences", report)
    return ground.fences(wish.fences, report)


def _against(wish: BacktestWish, ground: Ground, report: Progress) -> FenceSet | None:
    match wish.against:
        case FenceSource.NONE:
            return None
        case FenceSource.FILES:
            return _of_files(wish.against_files, "against", report)
        case source:
            return ground.fences(source, report)


def _of_files(files: Sequence[Path], param: str, report: Progress) -> FenceSet:
    """Return the geofences of files. Errors name the field of the dialog."""
    try:
        return fences_of_files(files, report)
    except InvalidParameter as error:
        raise InvalidParameter(param, error.message) from error


def look_at(wish: BacktestWish, report: Progress) -> HistoryLook:
    """Return a first look at a history, with its error if it cannot be read. May raise `Cancelled`."""
    try:
        names = column_names(wish.history)
    except InvalidParameter as error:
        return HistoryLook(error=error)
    if any(map(is_remote, wish.history)):
        return HistoryLook(names=names)
    try:
        found = scan(wish.history, columns=wish.columns, skip_bad=wish.skip_bad, progress=report)
    except InvalidParameter as error:
        return HistoryLook(names=names, error=_for_window(error))
    files = len({portion.file for portion in found.portions})
    return HistoryLook(names=names, rows=found.rows, files=files, notes=found.notes)


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
