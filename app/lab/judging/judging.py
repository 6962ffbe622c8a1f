"""Differences between a run and the expectations of its scenario."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from app.expectations import Actual, Difference, Expected, Near, compare
from app.lab.files.expectations import Expect, ExpectedEvent
from app.lab.files.faults import Mark, Way
from app.lab.judging.deliveries import judge_deliveries
from app.lab.judging.patterns import (
    actual_of,
    describe_event,
    describe_expected,
    describe_fault,
    describe_pattern,
    expected_of,
    facts_of,
    is_within,
    named_in,
)
from app.lab.judging.reasons import why_it_came, why_it_did_not
from app.lab.judging.states import judge_trips, judge_users
from app.lab.running.recording import Happened, Run


class FailureKind(StrEnum):
    """The kinds of difference between a run and its expectations."""

    MISSING = "missing"
    DIFFERENT = "different"
    UNEXPECTED = "unexpected"
    FORBIDDEN = "forbidden"
    USER = "user"
    TRIP = "trip"
    DELIVERY = "delivery"


class Failure(Struct, frozen=True):
    """A single difference, with the reasons of the engine. `mark` is the position of the expectation in the file."""

    kind: FailureKind
    text: str
    reasons: tuple[str, ...] = ()
    mark: Mark | None = None


class Judgement(Struct, frozen=True):
    """All differences.

    `events` is the difference of the events, or None if the file does not list the expected ones.
    """

    failures: tuple[Failure, ...]
    events: Difference | None


def judge(run: Run) -> Judgement:
    """Return all differences from the expectations."""
    expect = run.scenario.body.expect
    failures: list[Failure] = []
    found = None
    actual = [actual_of(each, run) for each in run.happened]
    if expect.events is not None:
        expected = [expected_of(event, expect, run) for event in expect.events]
        found = compare(expected, actual, in_order=expect.order == "exact")
        failures += _of_events(run, expect, expect.events, found)
    failures += _forbidden(run, expect, actual)
    failures += [_at(run, FailureKind.USER, *each) for each in judge_users(run)]
    failures += [_at(run, FailureKind.TRIP, *each) for each in judge_trips(run)]
    failures += [_at(run, FailureKind.DELIVERY, *each) for each in judge_deliveries(run)]
    return Judgement(tuple(failures), found)


def _of_events(run: Run, expect: Expect, expected: list[ExpectedEvent], found: Difference) -> list[Failure]:
    """Return missing and different events in the order of the file, followed by unexpected ones."""
    differing = {near.expected: _different(run, expect, expected[near.expected], near) for near in found.near}
    differing |= {index: _missing(run, expect, expected[index], index) for index in found.missing}
    failures = [differing[index] for index in sorted(differing)]
    if expect.others == "fail":
        failures += [_unexpected(run.happened[index]) for index in found.unexpected]
    return failures


def _different(run: Run, expect: Expect, expected: ExpectedEvent, near: Near) -> Failure:
    came = run.happened[near.actual]
    faults = "; ".join(describe_fault(fault, expected, came, expect, run) for fault in near.faults)
    text = f"{describe_pattern(expected)}: {faults}"
    return _at(run, FailureKind.DIFFERENT, ("expect", "events", near.expected), text, why_it_came(came))


def _missing(run: Run, expect: Expect, expected: ExpectedEvent, index: int) -> Failure:
    at = None if expected.at is None else run.since_start(expected.at)
    whose, about = (expected.device_id, expected.user_id), named_in(expected)
    reasons = why_it_did_not(run, expected.type, expected.geofence, *whose, at, about=about)
    text = describe_expected(expected, expect, run)
    return _at(run, FailureKind.MISSING, ("expect", "events", index), text, reasons)


def _unexpected(happened: Happened) -> Failure:
    return Failure(FailureKind.UNEXPECTED, describe_event(happened), why_it_came(happened))


def _forbidden(run: Run, expect: Expect, actual: Sequence[Actual]) -> list[Failure]:
    failures = []
    for index, pattern in enumerate(expect.none):
        kind = Expected(facts_of(pattern))
        for happened, event in zip(run.happened, actual, strict=True):
            if kind.names(event) and is_within(pattern, happened, run):
                way: Way = ("expect", "none", index)
                text, reasons = describe_event(happened), why_it_came(happened)
                failures.append(_at(run, FailureKind.FORBIDDEN, way, text, reasons))
    return failures


def _at(run: Run, kind: FailureKind, way: Way, text: str, reasons: tuple[str, ...] = ()) -> Failure:
    return Failure(kind, text, reasons, run.scenario.document.mark(way))
