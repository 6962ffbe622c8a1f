"""Comparison of actual with expected webhook requests: their events, time, body, and responses."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from app.expectations import Actual, Difference, Expected, Fact, Fault, Near, compare
from app.lab.files.expectations import Expect, ExpectedDelivery
from app.lab.files.faults import Way
from app.lab.files.words import spell_duration
from app.lab.judging.patterns import about_of, describe_pattern, event_facts, facts_of
from app.lab.judging.reasons import why_it_did_not
from app.lab.judging.states import Difference as Finding
from app.lab.running.recording import Delivered, Run
from engine.domain.values import replace

MOST_DIFFERENCES: Final = 5
"""Maximum number of differences reported per body."""

_OBJECT: Final = "{}"
_WAY: Final[Way] = ("expect", "deliveries")


def judge_deliveries(run: Run) -> Iterator[Finding]:
    """Yield each request that is not as expected. A wrong signature is always reported."""
    for came in run.deliveries:
        if came.signature is not None:
            yield ("webhooks",), f"{_described(came)}: the signature is {came.signature}", ()
    expected = run.scenario.body.expect.deliveries
    if expected is None:
        return
    for webhook in run.scenario.body.webhooks:
        wanted = {index: each for index, each in enumerate(expected) if each.webhook == webhook.name}
        yield from _of_webhook(run, wanted, [each for each in run.deliveries if each.webhook == webhook.name])


def _of_webhook(run: Run, wanted: Mapping[int, ExpectedDelivery], came: Sequence[Delivered]) -> Iterator[Finding]:
    expect, places = run.scenario.body.expect, list(wanted)
    expected = [_expected(run, expect, each) for each in wanted.values()]
    actual = [_actual(run, each) for each in came]
    found = compare(expected, actual, in_order=expect.order == "exact")
    alike = _alike(found, expected, actual)
    for near in found.near:
        text = _wrong(run, expect, wanted[places[near.expected]], came[near.actual], near)
        yield (*_WAY, places[near.expected]), text, ()
    for place in found.missing:
        delivery, way = wanted[places[place]], (*_WAY, places[place])
        if place in alike:
            yield way, f"{_called(delivery)}: {'; '.join(_differing(delivery, came[alike[place]]))}", ()
        else:
            yield way, f"{_called(delivery)}: did not come", _why_not(run, delivery)
    if expect.others == "fail":
        others = [place for place in found.unexpected if place not in alike.values() and came[place].answers]
        yield from ((_WAY, f"{_described(came[place])}: was not expected", ()) for place in others)


# Comparison


def _expected(run: Run, expect: Expect, delivery: ExpectedDelivery) -> Expected:
    at = None if delivery.at is None else run.start + run.since_start(delivery.at)
    tolerance = next((each for each in (delivery.tolerance, expect.tolerance) if each is not None), timedelta(0))
    facts = set(_which(delivery))
    facts.add(("acknowledged", True) if delivery.answers is None else ("answers", tuple(delivery.answers)))
    facts |= {("body", fact) for fact in _leaves("body", delivery.body or {}) if fact[0] != "body"}
    return Expected(frozenset(facts), at, tolerance)


def _which(delivery: ExpectedDelivery) -> Iterator[Fact]:
    """Yield the events that a request must have."""
    yield "events", len(delivery.patterns)
    for number, pattern in enumerate(delivery.patterns):
        yield from ((f"{number} {name}", value) for name, value in facts_of(pattern))


def _actual(run: Run, came: Delivered) -> Actual:
    facts: set[Fact] = {("events", len(came.events)), ("answers", came.answers), ("acknowledged", came.is_acknowledged)}
    for number, event in enumerate(came.events):
        facts |= {(f"{number} {name}", value) for name, value in event_facts(event)}
    facts |= {("body", fact) for fact in _leaves("body", came.body)}
    return Actual(frozenset(facts), run.start + came.at)


def _leaves(name: str, value: Any) -> Iterator[tuple[str, object]]:
    """Yield the leaf values of a JSON value by their names, and the lengths of its lists."""
    if isinstance(value, Mapping):
        yield name, _OBJECT
        for key, each in value.items():
            yield from _leaves(f"{name}.{key}", each)
    elif isinstance(value, list):
        yield name, f"[{len(value)}]"
        for number, each in enumerate(value):
            yield from _leaves(f"{name}[{number}]", each)
    else:
        # As in JSON, true does not equal 1, but 1 equals 1.0.
        yield name, (isinstance(value, bool), value)


def _alike(found: Difference, expected: Sequence[Expected], actual: Sequence[Actual]) -> dict[int, int]:
    """Return for missing requests a remaining one with the same events that differs in other respects."""
    left, pairs = list(found.unexpected), dict[int, int]()
    for place in found.missing:
        facts = frozenset(fact for fact in expected[place].facts if fact[0] not in ("body", "answers", "acknowledged"))
        which = replace(expected[place], facts=facts)
        if (same := next((each for each in left if which.names(actual[each])), None)) is not None:
            pairs[place] = same
            left.remove(same)
    return pairs


# Descriptions


def _called(delivery: ExpectedDelivery) -> str:
    return f"{', '.join(map(describe_pattern, delivery.patterns))} to {delivery.webhook}"


def _described(came: Delivered) -> str:
    events = ", ".join(f"{event.type}{_of(about_of(event))}" for event in came.events) or "a request without events"
    return f"{events} to {came.webhook} at {spell_duration(came.at)}"


def _of(about: str | None) -> str:
    return "" if about is None else f" of {about}"


def _wrong(run: Run, expect: Expect, delivery: ExpectedDelivery, came: Delivered, near: Near) -> str:
    at = spell_duration(came.at)
    if Fault.ORDER in near.faults:
        return f"{_called(delivery)}: out of order, came at {at}"
    assert delivery.at is not None
    tolerance = next((each for each in (delivery.tolerance, expect.tolerance) if each), None)
    about = "" if tolerance is None else f" ± {spell_duration(tolerance)}"
    return f"{_called(delivery)}: expected at {spell_duration(run.since_start(delivery.at))}{about}, came at {at}"


def _differing(delivery: ExpectedDelivery, came: Delivered) -> Iterator[str]:
    answered = ", ".join(map(str, came.answers)) or "none"
    if delivery.answers is None and not came.is_acknowledged:
        yield f"was not acknowledged; the answers are {answered}{_next(came)}"
    elif delivery.answers not in (None, list(came.answers)):
        yield f"expected the answers {', '.join(map(str, delivery.answers or ()))}, got {answered}{_next(came)}"
    found = dict(_leaves("body", came.body))
    wanted = _leaves("body", delivery.body or {})
    wrong = [(name, value, found.get(name)) for name, value in wanted if found.get(name) != value]
    for name, value, has in wrong[:MOST_DIFFERENCES]:
        yield f"{name}: expected {_shown(value)}, got {'nothing' if has is None else _shown(has)}"


def _next(came: Delivered) -> str:
    if came.due is None:
        return ""
    return f", and the next attempt is due at {spell_duration(came.due)}, after the end; a wait as the last step helps"


def _shown(value: object) -> str:
    return repr(value[1]) if isinstance(value, tuple) else str(value)


def _why_not(run: Run, delivery: ExpectedDelivery) -> tuple[str, ...]:
    """Return that the event occurred but was not sent to this webhook, or else the engine's reasons for its absence."""
    for pattern in delivery.patterns:
        facts = facts_of(pattern)
        came = next((each for each in run.happened if facts <= frozenset(event_facts(each.event))), None)
        if came is None:
            return why_it_did_not(run, pattern.type, pattern.geofence, pattern.device_id, pattern.user_id, None)
    return ("the events came, but no request of this webhook has just these",)
