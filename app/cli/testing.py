"""``fencewright test``: running and judging scenarios."""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import orjson

from app.api.commands import workspace as commands
from app.cli.targets import existing_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.cli.workspaces import reach_workspace
from app.files import check_writable, write_file
from app.lab.creating import Played, create_scenario
from app.lab.files.models import DEFAULT_ACCURACY_M
from app.lab.files.reading import SUFFIX
from app.lab.files.schema import scenario_schema
from app.lab.judging.exercise import total
from app.lab.reports.coverage import coverage
from app.lab.reports.coverage_page import coverage_page
from app.lab.reports.junit import junit
from app.lab.reports.records import encode_results
from app.lab.reports.text import result_lines, summary_line
from app.lab.results import Result, Status
from app.lab.testing import find_scenarios, run_all, usual_jobs
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, renamed
from engine.domain.words import count
from engine.simulation.formats.reading import read_track

WRONG = 2
_DEVICE: Final = "phone"
_OF_NEW: Final = ("workspace", "environment", "device", "accuracy", "assume_speed")
_OPTIONS: Final = {"assume_speed_kmh": "--assume-speed", "accuracy": "--accuracy", "device_id": "--device"}


def test(arguments: Namespace) -> int:
    """Run the scenarios and return 0 if all passed, 1 if one failed, or 2 if a file is invalid."""
    if arguments.schema:
        write_json(scenario_schema(), indented=True)
        return 0
    if arguments.new is None and (unused := [each for each in _OF_NEW if getattr(arguments, each) is not None]):
        option = f"--{unused[0].replace('_', '-')}"
        note(f"{option}: requires --new; a scenario runs by itself.\nTry 'fencewright test --help'.")
        return WRONG
    if not arguments.scenarios and arguments.new is None:
        note("scenario: give files or folders with scenarios.\nTry 'fencewright test --help'.")
        return WRONG
    try:
        _check_reports(arguments)
        files = find_scenarios(arguments.scenarios) if arguments.new is None else [_create(arguments)]
        results = run_all(
            files,
            arguments.jobs or usual_jobs(len(files), os.cpu_count() or 1),
            lambda result: _write_result(result, as_json=arguments.json, update=arguments.update),
            update=arguments.update,
        )
        _report(results, arguments)
    except InvalidParameter as error:
        note(error.message)
        return WRONG
    return _code(results)


def _create(arguments: Namespace) -> Path:
    """Write a scenario that plays a recorded track, and return its file. Raises `InvalidParameter`."""
    file = _new_file(arguments.new, arguments.scenarios)
    try:
        track = read_track(arguments.new)
    except OSError as error:
        raise InvalidParameter("track", f"{arguments.new} cannot be read: {error.strerror}.") from None
    with reach_workspace(existing_workspace(arguments)) as workspace:
        set_up = dict(workspace.run(commands.set_up, None, arguments.environment or Environment.TEST))
    played = Played(arguments.device or _DEVICE, arguments.accuracy, arguments.assume_speed)
    try:
        saved = create_scenario(file, track, played, set_up)
    except InvalidParameter as error:
        option = _OPTIONS.get(error.param, error.param)
        raise InvalidParameter(option, renamed(error.message, error.param, option)) from None
    for text in track.skipped:
        note(f"{arguments.new}: {text}")
    known = sum(point.accuracy_m is not None for point in track.points)
    if arguments.accuracy is None and known < len(track.points):
        missing = count(len(track.points) - known, "fix has", "fixes have")
        note(f"{missing} no accuracy, so {DEFAULT_ACCURACY_M:g} m is used; --accuracy M gives another")
    geofences, events = count(len(set_up["geofences"]), "geofence"), count(saved.events, "event")
    note(f"{file} written: {count(saved.fixes, 'fix', 'fixes')}, {geofences}, {events} expected")
    return file


def _new_file(track: Path, given: Sequence[Path]) -> Path:
    if len(given) > 1:
        raise InvalidParameter("scenario", f"--new writes one scenario, not {count(len(given), 'file')}.")
    file = given[0] if given else Path(f"{track.stem}{SUFFIX}")
    file = file if file.name.endswith(SUFFIX) else file.with_name(f"{file.name}{SUFFIX}")
    check_writable(file)
    if file.exists():
        raise InvalidParameter("scenario", f"{file} exists already; give the new scenario another name.")
    return file


def _check_reports(arguments: Namespace) -> None:
    """Refuse reports that cannot be written, before hundreds of scenarios run."""
    for file in (arguments.junit, arguments.coverage):
        check_writable(file)


def _write_result(result: Result, *, as_json: bool, update: bool) -> None:
    if update and result.updated is not None:
        write_file(result.file, result.updated.encode())
    if not as_json:
        for line in result_lines(result):
            write_line(line)


def _report(results: Sequence[Result], arguments: Namespace) -> None:
    if arguments.json:
        write_json(encode_results(results), indented=True)
    else:
        write_line(summary_line(results))
    if arguments.junit is not None:
        write_file(arguments.junit, junit(results))
    if arguments.coverage is not None:
        _write_coverage(arguments.coverage, results)


def _write_coverage(file: Path, results: Sequence[Result]) -> None:
    report = coverage(total(each.exercise for each in results if each.exercise is not None))
    if file.suffix.lower() == ".html":
        write_file(file, coverage_page(report))
    else:
        write_file(file, orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def _code(results: Sequence[Result]) -> int:
    found = {result.status for result in results}
    if Status.INVALID in found:
        return WRONG
    return 1 if Status.FAILED in found else 0
