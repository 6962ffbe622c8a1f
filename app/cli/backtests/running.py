"""A back-test from the command line: its input, the run, and its output."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app import __version__
from app.backtest.described import described
from app.backtest.folders import only_workspace
from app.backtest.formats import EventFormat
from app.backtest.kept import THEN, Kept, fences_then, kept_of, known_since, request_then
from app.backtest.output import write_outputs
from app.backtest.record import report_json
from app.cli.backtests.folders import output_folder
from app.cli.backtests.given import Given, given_fences, given_settings, kept_writer, workspace_of
from app.cli.backtests.showing import progress_shower, write_summary
from app.cli.terminal.output import end_progress, note, progress_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from engine.backtest.backtest import FenceSet, Request, run
from engine.backtest.fields import FIELDS
from engine.backtest.folders import unfinished
from engine.backtest.reading.kept import Circumstances
from engine.backtest.results import BacktestReport
from engine.domain.clock import utc_text
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled, SystemClock
from engine.domain.tracking.explaining import ReplayFences
from engine.domain.values import replace
from engine.domain.words import count, did_you_mean

_AT: Final = "--geofences-at"
_HISTORY: Final = "--history"
_SHOWN: Final = 10
"""Maximum number of files left out that are named."""


def run_backtest(arguments: Namespace) -> int:
    """Run the back-test that the arguments describe, and write its files and its summary."""
    columns = columns_of(arguments.columns)
    output = output_folder(arguments.output, SystemClock().now().astimezone(), resume=arguments.resume)
    with stop_on_signals() as stop:
        try:
            request = _request(arguments, columns, output, stop)
            report = _run(request, stop, tuple(map(EventFormat, arguments.format)))
        except Cancelled:
            end_progress()
            begun = unfinished(output).exists()
            how = f"to continue, run the same command with --output {output} --resume"
            note(f"stopped; {how if begun else 'nothing was done'}")
            return stop.exit_code
    _note_bad(report)
    if arguments.json:
        sys.stdout.write(report_json(report).decode())
        sys.stdout.flush()
    else:
        write_summary(report, output)
    return 0


def columns_of(assignments: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the names of columns by their fields. Raises `InvalidParameter` for ``--columns``."""
    columns: dict[str, str] = {}
    for field, name in assignments:
        if field not in FIELDS:
            hint = did_you_mean(field, FIELDS, f"; must be one of {', '.join(FIELDS)}.")
            raise InvalidParameter("--columns", f"--columns: unknown field {field!r}{hint}")
        if field in columns:
            raise InvalidParameter("--columns", f"--columns: {field} is given twice.")
        columns[field] = name
    return columns


def _request(arguments: Namespace, columns: dict[str, str], output: Path, stop: StopRequest) -> Request:
    environment = arguments.environment
    fences = given_fences(arguments.fences, "--fences", environment, stop)
    against = given_fences(arguments.against, "--against", environment, stop) if arguments.against else None
    settings = given_settings(fences.settings, arguments.settings, environment, arguments.set)
    sides = (fences,) if against is None else (fences, against)
    is_then = arguments.geofences_at == ReplayFences.THEN
    if against is not None and not is_then:
        _note_settings(arguments, fences, against)
    kept = _kept(arguments, sides, output, stop, then=is_then)
    request = Request(
        history=tuple(arguments.history),
        columns=columns,
        accuracy_m=arguments.accuracy,
        fences=fences.fences,
        against=None if against is None else against.fences,
        settings=settings,
        output=output,
        scheduler=arguments.scheduler,
        workers=arguments.workers,
        resume=arguments.resume,
        skip_bad=arguments.skip_bad,
        rules=described(settings),
        version=__version__,
        kept=kept.files,
        first=kept.first,
    )
    return request if kept.then is None else _as_then(request, sides, kept.then, arguments)


def _kept(arguments: Namespace, sides: Sequence[Given], output: Path, stop: StopRequest, *, then: bool) -> Kept:
    """Return the kept updates of the workspaces in the history. Raises `InvalidParameter`."""
    named = {item: folder for item in arguments.history if (folder := workspace_of(item, _HISTORY)) is not None}
    source = None
    if then:
        source = only_workspace([*named.values()], [each.folder for each in sides if each.folder is not None])
        if source is None:
            text = f"{_AT}: then requires geofences of one workspace, and kept updates of no other."
            raise InvalidParameter(_AT, text)
    write = kept_writer(arguments.environment, stop)
    return kept_of(named, source, output, arguments.environment, write, option=_HISTORY)


def _as_then(request: Request, sides: Sequence[Given], then: Circumstances, arguments: Namespace) -> Request:
    """Return a back-test with the geofences and settings of a workspace as they were at each update."""
    found = [_fences_then(each.fences, then) if each.is_workspace else each.fences for each in sides]
    given = arguments.settings, arguments.environment, arguments.set
    made = request_then(
        request,
        found[0],
        found[1] if len(found) > 1 else None,
        then,
        lambda settings: given_settings(settings, *given),
    )
    return replace(made, rules=(THEN, *(request.rules if arguments.settings else map("=".join, arguments.set))))


def _fences_then(fences: FenceSet, then: Circumstances) -> FenceSet:
    """Return the geofences of a workspace as they were, and say if some are no longer known."""
    if (at := known_since(then)) is not None:
        note(f"of the geofences of {fences.name}, some from before {utc_text(at)} are no longer kept")
    return fences_then(fences, then)


def _note_settings(arguments: Namespace, fences: Given, against: Given) -> None:
    """Tell the user whose settings apply if those of the other geofences would be different."""
    if against.is_workspace and against.settings != fences.settings and arguments.settings is None:
        whose = f"those of {fences.fences.name}" if fences.is_workspace else "the defaults"
        note(f"the settings of both runs are {whose}, not those of {against.fences.name}; --settings chooses others")


def _run(request: Request, stop: StopRequest, formats: Sequence[EventFormat]) -> BacktestReport:
    def write(folder: Path, report: BacktestReport) -> None:
        write_outputs(folder, report, formats, progress_line("writing events", stop.check))

    try:
        return run(request, progress_shower(), lambda: stop.signal is not None, write)
    finally:
        end_progress()


def _note_bad(report: BacktestReport) -> None:
    """Report notes about the history, and what could not be read of it."""
    for text in report.notes:
        note(text)
    for bad in report.bad_files[:_SHOWN]:
        note(f"{bad.file} was left out: {bad.message}")
    if more := len(report.bad_files[_SHOWN:]):
        note(f"{count(more, 'more file was', 'more files were')} left out; the report names all of them")
    if report.bad_rows:
        first = report.bad_examples[0] if report.bad_examples else None
        example = "" if first is None else f"; the first: {first.file}, row {first.row:,}: {first.message}"
        note(f"{count(report.bad_rows, 'row')} could not be read{example}")
