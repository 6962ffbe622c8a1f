"""Results for people: a line for each scenario, and its errors with the reasons of the engine."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.lab.files.faults import fault_lines
from app.lab.judging.judging import Failure
from app.lab.results import Result, Status
from engine.domain.text import printable
from engine.domain.values import replace
from engine.domain.words import count

_MARKS = {Status.PASSED: "✓", Status.FAILED: "✗", Status.INVALID: "!"}


def result_lines(result: Result) -> Iterator[str]:
    """Yield the lines about one scenario. Names come from the file and are not trusted."""
    return map(printable, _result_lines(result))


def _result_lines(result: Result) -> Iterator[str]:
    more = "  updated" if result.updated is not None else "  expects nothing" if result.expects_nothing else ""
    yield f"{_MARKS[result.status]} {result.name}  ({result.file}, {result.seconds:.2f} s){more}"
    yield from (f"    {line}" for line in fault_lines(result.faults, result.omitted_faults))
    for failure in result.failures:
        yield from failure_lines(result, failure)
    yield from (f"    note: {note}" for note in result.notes)


def difference_lines(result: Result) -> Iterator[str]:
    """Yield the errors of one scenario, the first difference first and the file last."""
    faults = [replace(fault, file=Path(fault.file.name)) for fault in result.faults]
    yield from fault_lines(faults, result.omitted_faults)
    for failure in result.failures:
        yield from failure_lines(result, failure, indent="")
    yield f"in {result.file}"


def failure_lines(result: Result, failure: Failure, indent: str = "    ") -> Iterator[str]:
    """Yield the lines about one difference."""
    position = "" if failure.mark is None else f"  ({result.file.name}:{failure.mark.line})"
    yield f"{indent}{failure.kind}: {failure.text}{position}"
    for reason in failure.reasons:
        yield f"{indent}    {reason}"


def summary_line(results: Sequence[Result]) -> str:
    """Return how many scenarios passed, failed or could not be run."""
    counts = [(sum(each.status is status for each in results), status.value) for status in Status]
    summary = ", ".join(f"{number:,} {word}" for number, word in counts if number) or "no scenarios"
    if idle := sum(each.expects_nothing for each in results):
        summary += f", {idle:,} of which {'expects' if idle == 1 else 'expect'} nothing"
    events = count(sum(each.events for each in results), "event")
    return f"{summary}; {events} of {count(sum(each.fixes for each in results), 'fix', 'fixes')}"
