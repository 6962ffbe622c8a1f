"""Tests of scenarios: each file from its text to its result, several in parallel processes."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

from app.lab.files.faults import ScenarioInvalid
from app.lab.files.reading import SUFFIX, Scenario, load_scenario, parse_scenario
from app.lab.judging.exercise import exercise_of
from app.lab.judging.idle import claims_nothing, idle_in
from app.lab.judging.judging import Judgement, judge
from app.lab.results import Result, Status
from app.lab.running.recording import Run
from app.lab.running.runner import run_scenario
from app.lab.updating import updated_text
from engine.domain.errors import InvalidParameter
from engine.domain.values import replace
from engine.domain.words import count
from engine.trips.waiting import PATIENCE_S

WORTH_A_PROCESS: Final = 8
"""Number of scenarios that run in the time it takes to start a process."""

type OnResult = Callable[[Result], None]


def find_scenarios(paths: Iterable[Path]) -> list[Path]:
    """Return the given files and those in the given folders, without duplicates. Raises `InvalidParameter`."""
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            files = sorted(file for file in path.rglob(f"*{SUFFIX}") if file.is_file())
            if not files:
                raise InvalidParameter("scenario", f"{path} has no scenarios: files that end with {SUFFIX}.")
        elif path.is_file():
            files = [path]
        else:
            raise InvalidParameter("scenario", f"{path} does not exist.")
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def run_all(files: Sequence[Path], jobs: int, on_result: OnResult, *, update: bool = False) -> list[Result]:
    """Test all files and return the results in their order. `on_result` receives each result in this order."""
    results = []
    for result in _results(files, min(jobs, len(files)), partial(run_file, update=update)):
        on_result(result)
        results.append(result)
    return results


def usual_jobs(scenarios: int, processors: int) -> int:
    """Return how many processes are worth starting."""
    return max(1, min(processors, scenarios // WORTH_A_PROCESS))


def _results(files: Sequence[Path], jobs: int, test: Callable[[Path], Result]) -> Iterator[Result]:
    if jobs <= 1:
        yield from map(test, files)
        return
    # Do not fork: this process may have threads, which a copy would lack.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield from pool.map(test, files)
        except KeyboardInterrupt:
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def run_file(file: Path, *, update: bool = False) -> Result:
    """Run the scenario in a file and judge it. With `update`, the result includes the new text of the file."""
    begun, name = perf_counter(), file.name.removesuffix(SUFFIX)
    try:
        scenario = load_scenario(file)
        name, expects_nothing = scenario.name, bool(scenario.body.expects_nothing)
        run = run_scenario(scenario if update or expects_nothing else _strict(scenario))
        judgement, text = judge(run), None
        if update and not expects_nothing:
            text, judgement = _updated(scenario, run, judgement)
        idle = _idle(run)
    except ScenarioInvalid as error:
        seconds = perf_counter() - begun
        return Result(file, name, Status.INVALID, seconds, faults=error.faults, omitted_faults=error.omitted)
    return Result(
        file,
        name,
        Status.FAILED if judgement.failures else Status.PASSED,
        perf_counter() - begun,
        failures=judgement.failures,
        notes=(*_notes(run), *idle),
        events=len(run.happened),
        fixes=len(run.sent),
        exercise=exercise_of(run),
        updated=text,
        expects_nothing=expects_nothing,
    )


def _strict(scenario: Scenario) -> Scenario:
    """Return the scenario with its idle checks added to its faults."""
    return replace(scenario, faults=(*scenario.faults, *scenario.idle))


def _idle(run: Run) -> Iterator[str]:
    """Return the checks that cannot fail as notes, if the file declares that this is intended.

    Raises `ScenarioInvalid` if it does not, or if one can fail.
    """
    found = [*run.scenario.idle, *idle_in(run)]
    is_stated = run.scenario.body.expects_nothing
    if faults := claims_nothing(run, found) if is_stated else found:
        raise ScenarioInvalid(faults)
    return (f"expects nothing: {fault.field} {fault.message.partition(';')[0].rstrip('.')}" for fault in found)


def _notes(run: Run) -> Iterator[str]:
    """Yield notes about possible mistakes."""
    yield from run.left_out
    for device, number in run.unanswered.items():
        updates = count(number, "location update")
        yield f"{device} still held {updates} back at the end, which a fault had hit: no later one was answered"

    if run.unrouted:
        without = f"{count(run.unrouted, 'location update')} did not have the route of the trip"
        yield f"{without}, which took longer than {PATIENCE_S:g} s to find: with it, ETAs and events may differ"


def _updated(scenario: Scenario, run: Run, judgement: Judgement) -> tuple[str | None, Judgement]:
    """Return the text that expects the run's events, or None if it already does, and the judgement with that text."""
    text = updated_text(run, judgement.events)
    if text == scenario.document.prefix + scenario.document.text:
        return None, judgement
    run.scenario = parse_scenario(scenario.file, text)
    return text, judge(run)
