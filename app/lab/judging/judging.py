"""What of a run is not as its scenario expects."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from app.lab.files.expectations import Expect, ExpectedEvent
from app.lab.files.faults import Mark, Way
from app.lab.judging.matching import Pairs, pair_in_any_order, pair_in_order
from app.lab.judging.patterns import (
    describe_event,
    describe_expected,
    differences,
    fits,
    is_forbidden,
    since_start,
)
from app.lab.judging.reasons import why_it_came, why_it_did_not
from app.lab.judging.states import judge_trips, judge_users
from app.lab.running.recording import Happened, Run


class FailureKind(StrEnum):
    """How a run differs from what was expected."""

    MISSING = "missing"
    DIFFERENT = "different"
    TOO_MANY = "too many"
    FORBIDDEN = "forbidden"
    USER = "user"
    TRIP = "trip"


@dataclass(frozen=True, slots=True)
class Failure:
    """One difference, with the reasons of the engine; `mark` is where the file says otherwise."""

    kind: FailureKind
    text: str
    reasons: tuple[str, ...] = ()
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """All differences, and for each expected event the number of the one that came."""

    failures: tuple[Failure, ...]
    pairs: Pairs


def judge(run: Run) -> Judgement:
    """Return what is not as expected; nothing where all is."""
    expect = run.scenario.body.expect
    failures: list[Failure] = []
    pairs: Pairs = []
    if expect.events is not None:
        pairs = pair(run, expect, expect.events)
        failures += _of_events(run, expect, expect.events, pairs)
    failures += _forbidden(run, expect)
    failures += [_at(run, FailureKind.USER, *each) for each in judge_users(run)]
    failures += [_at(run, FailureKind.TRIP, *each) for each in judge_trips(run)]
    return Judgement(tuple(failures), pairs)


def pair(run: Run, expect: Expect, expected: list[ExpectedEvent]) -> Pairs:
    """Return for each expected event the one that came, so that as many as possible have one."""
    happened = run.happened

    def is_as_expected(index: int, event: int) -> bool:
        wanted, came = expected[index], happened[event]
        return fits(wanted, came.event) and not differences(wanted, came, expect, run)

    if expect.order == "exact":
        return pair_in_order(len(expected), len(happened), is_as_expected)
    of_type: dict[str, list[int]] = {}
    for event, came in enumerate(happened):
        of_type.setdefault(str(came.event.type), []).append(event)
    options = []
    for index, wanted in enumerate(expected):
        found = [event for event in of_type.get(wanted.type, ()) if is_as_expected(index, event)]
        at = None if wanted.at is None else since_start(wanted.at, run)
        options.append(found if at is None else sorted(found, key=lambda event: abs(happened[event].at - at)))
    return pair_in_any_order(options)


def _of_events(run: Run, expect: Expect, expected: list[ExpectedEvent], pairs: Pairs) -> list[Failure]:
    used = {event for event in pairs if event is not None}
    left = [index for index in range(len(run.happened)) if index not in used]
    failures = []
    for index, event in enumerate(pairs):
        if event is None:
            nearest = _nearest(run, expect, expected[index], left)
            if nearest is not None:
                left.remove(nearest)
            failures.append(_missing(run, expect, expected[index], index, nearest))
    if expect.others == "fail":
        failures += [_too_many(run.happened[index]) for index in left]
    return failures


def _nearest(run: Run, expect: Expect, expected: ExpectedEvent, left: list[int]) -> int | None:
    """Return the event that is as expected apart from its order, time or confidence."""
    alike = [index for index in left if fits(expected, run.happened[index].event)]
    at = None if expected.at is None else since_start(expected.at, run)

    def order(index: int) -> tuple[int, timedelta]:
        came = run.happened[index]
        far = timedelta(0) if at is None else abs(came.at - at)
        return len(differences(expected, came, expect, run)), far

    return min(alike, key=order, default=None)


def _missing(run: Run, expect: Expect, expected: ExpectedEvent, index: int, nearest: int | None) -> Failure:
    way: Way = ("expect", "events", index)
    what = describe_expected(expected, expect, run)
    if nearest is not None:
        came = run.happened[nearest]
        differing = differences(expected, came, expect, run) or ("came in another order",)
        text = f"{what}: {' and '.join(differing)}"
        return _at(run, FailureKind.DIFFERENT, way, text, why_it_came(came))
    at = None if expected.at is None else since_start(expected.at, run)
    reasons = why_it_did_not(run, expected.type, expected.geofence, expected.device_id, expected.user_id, at)
    return _at(run, FailureKind.MISSING, way, what, reasons)


def _too_many(happened: Happened) -> Failure:
    return Failure(FailureKind.TOO_MANY, describe_event(happened), why_it_came(happened))


def _forbidden(run: Run, expect: Expect) -> list[Failure]:
    return [
        _at(run, FailureKind.FORBIDDEN, ("expect", "none", index), describe_event(each), why_it_came(each))
        for index, pattern in enumerate(expect.none)
        for each in run.happened
        if is_forbidden(pattern, each, run)
    ]


def _at(run: Run, kind: FailureKind, way: Way, text: str, reasons: tuple[str, ...] = ()) -> Failure:
    return Failure(kind, text, reasons, run.scenario.document.mark(way))
