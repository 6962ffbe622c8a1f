"""``fencewright test``: running and judging scenarios."""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import orjson

from app.cli.terminal.output import note, write_json, write_line
from app.files import check_writable, write_file
from app.lab.files.schema import scenario_schema
from app.lab.judging.exercise import total
from app.lab.reports.coverage import coverage
from app.lab.reports.coverage_page import coverage_page
from app.lab.reports.junit import junit
from app.lab.reports.records import encode_results
from app.lab.reports.text import result_lines, summary_line
from app.lab.results import Result, Status
from app.lab.testing import find_scenarios, run_all, usual_jobs
from engine.domain.errors import InvalidParameter

WRONG = 2


def test(arguments: Namespace) -> int:
    """Run the scenarios and return 0 if all passed, 1 if one failed, or 2 if a file is invalid."""
    if arguments.schema:
        write_json(scenario_schema(), indented=True)
        return 0
    if not arguments.scenarios:
        note("scenario: give files or folders with scenarios.\nTry 'fencewright test --help'.")
        return WRONG
    try:
        files = find_scenarios(arguments.scenarios)
        _check_reports(arguments)
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
