"""Results for programs, as JSON."""

from collections.abc import Sequence
from typing import Any

from app.lab.files.faults import Fault
from app.lab.judging.judging import Failure
from app.lab.results import Result, Status


def encode_results(results: Sequence[Result]) -> dict[str, Any]:
    """Return all results and their totals."""
    counts = {status.value: sum(each.status is status for each in results) for status in Status}
    return {"version": 1, "counts": counts, "scenarios": [_encode(each) for each in results]}


def _encode(result: Result) -> dict[str, Any]:
    encoded: dict[str, Any] = {
        "file": str(result.file),
        "name": result.name,
        "status": result.status,
        "seconds": round(result.seconds, 3),
        "events": result.events,
        "fixes": result.fixes,
    }
    if result.failures:
        encoded["failures"] = [_encode_failure(failure) for failure in result.failures]
    if result.faults:
        encoded["faults"] = [_encode_fault(fault) for fault in result.faults]
    if result.omitted_faults:
        encoded["omittedFaults"] = result.omitted_faults
    if result.notes:
        encoded["notes"] = list(result.notes)
    if result.expects_nothing:
        encoded["expectsNothing"] = True
    if result.updated is not None:
        encoded["updated"] = True
    return encoded


def _encode_failure(failure: Failure) -> dict[str, Any]:
    encoded: dict[str, Any] = {"kind": failure.kind, "text": failure.text, "reasons": list(failure.reasons)}
    if failure.mark is not None:
        encoded |= {"line": failure.mark.line, "column": failure.mark.column}
    return encoded


def _encode_fault(fault: Fault) -> dict[str, Any]:
    return {
        "file": str(fault.file),
        "line": fault.mark.line,
        "column": fault.mark.column,
        "field": fault.field,
        "message": fault.message,
    }
