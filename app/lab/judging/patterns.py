"""Patterns of events, and their names."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.expectations import Actual, Expected, Fact, Fault
from app.lab.files.expectations import EventPattern, Expect, ExpectedEvent, ForbiddenEvent
from app.lab.files.words import GeofenceKey, spell_duration
from app.lab.running.recording import Happened, Run, key_of
from engine.domain.tracking.updates import Confidence, Event

_ZERO = timedelta(0)
_LEVELS = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def expected_of(pattern: ExpectedEvent, expect: Expect, run: Run) -> Expected:
    """Return the comparable form of an event of the file."""
    at = None if pattern.at is None else run.start + run.since_start(pattern.at)
    return Expected(facts_of(pattern), at, tolerance_of(pattern, expect), _confidences(pattern, expect))


def actual_of(happened: Happened, run: Run) -> Actual:
    """Return the comparable form of an event of the run."""
    event = happened.event
    return Actual(frozenset(event_facts(event)), run.start + happened.at, event.confidence)


def facts_of(pattern: EventPattern) -> frozenset[Fact]:
    """Return the properties that the file gives of an event, apart from its time and confidence."""
    given: dict[str, object] = {
        "type": pattern.type,
        "device": pattern.device_id,
        "user": pattern.user_id,
        "geofence": pattern.geofence,
        "beacon": pattern.beacon,
        "place": pattern.place,
        "region": pattern.region,
        "trip": pattern.trip,
    }
    return frozenset((name, value) for name, value in given.items() if value is not None)


def event_facts(event: Event) -> Iterator[Fact]:
    """Yield all properties by which a file may refer to an event. A place and a region have two names."""
    yield "type", str(event.type)
    yield "device", event.user.device_id
    yield "user", event.user.user_id
    if event.geofence is not None:
        yield "geofence", key_of(event.geofence)
    if event.beacon is not None:
        yield "beacon", GeofenceKey(event.beacon.tag, event.beacon.external_id)
    if event.place is not None:
        yield from (("place", name) for name in (event.place.id, event.place.name))
    if event.region is not None:
        yield from (("region", name) for name in (event.region.code, event.region.name))
    if event.trip is not None:
        yield "trip", event.trip.external_id


def _confidences(pattern: ExpectedEvent, expect: Expect) -> frozenset[int] | None:
    """Return the confidence levels within the tolerance of the given ones, or None if none are given."""
    if pattern.confidence is None:
        return None
    slack = expect.confidence_tolerance if pattern.confidence_tolerance is None else pattern.confidence_tolerance
    return frozenset(level for level in _LEVELS if any(abs(level - each) <= slack for each in pattern.confidence))


def tolerance_of(expected: ExpectedEvent, expect: Expect) -> timedelta:
    """Return how much earlier or later an event may come."""
    return next((each for each in (expected.tolerance, expect.tolerance) if each is not None), _ZERO)


def is_within(pattern: ForbiddenEvent, happened: Happened, run: Run) -> bool:
    """Whether an event occurred in the time in which none of its kind may occur."""
    return (pattern.after is None or happened.at > run.since_start(pattern.after)) and (
        pattern.before is None or happened.at < run.since_start(pattern.before)
    )


# Descriptions


def describe_expected(expected: ExpectedEvent, expect: Expect, run: Run) -> str:
    """Return the description of an expected event, such as ``user.entered_geofence of store/1 by phone-1 at 1m``."""
    words = [describe_pattern(expected)]
    if expected.at is not None:
        words.append(f"at {_around(expected.at, expected, expect, run)}")
    if expected.confidence is not None:
        words.append(f"with confidence {_levels(expected)}")
    return " ".join(words)


def describe_fault(fault: Fault, expected: ExpectedEvent, happened: Happened, expect: Expect, run: Run) -> str:
    """Return the difference between an expected event and the actual one."""
    came = spell_duration(happened.at)
    if fault is Fault.ORDER:
        return f"out of order, came at {came}"
    if fault is Fault.CONFIDENCE:
        return f"expected confidence {_levels(expected)}, got {happened.event.confidence or 'none'}"
    assert expected.at is not None
    return f"expected at {_around(expected.at, expected, expect, run)}, came at {came}"


def describe_pattern(pattern: EventPattern) -> str:
    """Return the description of an event by its given fields, apart from its time and confidence."""
    words = [pattern.type or "any event"]
    about = pattern.geofence or pattern.beacon or pattern.place or pattern.region
    if about is not None:
        words.append(f"of {about}")
    if pattern.trip is not None:
        words.append(f"of trip {pattern.trip}")
    if whose := pattern.device_id or pattern.user_id:
        words.append(f"by {whose}")
    return " ".join(words)


def named_in(pattern: EventPattern) -> str | None:
    """Return the trip, beacon, place or region that a pattern names."""
    about = pattern.trip or pattern.beacon or pattern.place or pattern.region
    return None if about is None else str(about)


def describe_event(happened: Happened) -> str:
    """Return the description of an event that occurred."""
    event = happened.event
    words = [event.type]
    if (about := about_of(event)) is not None:
        words.append(f"of {about}")
    if event.trip is not None:
        words.append(f"of trip {event.trip.external_id}")
    words += [f"by {event.user.device_id or event.user.user_id}", f"at {spell_duration(happened.at)}"]
    if event.confidence is not None:
        words.append(f"with confidence {event.confidence}")
    return " ".join(words)


def about_of(event: Event) -> str | None:
    """Return the subject of an event: a geofence, beacon, place or region."""
    if event.geofence is not None:
        return str(key_of(event.geofence))
    if event.beacon is not None:
        return f"{event.beacon.tag}/{event.beacon.external_id}"
    if event.place is not None:
        return event.place.name
    return None if event.region is None else event.region.code


def _levels(expected: ExpectedEvent) -> str:
    return " or ".join(map(str, expected.confidence or ()))


def _around(at: datetime | timedelta, expected: ExpectedEvent, expect: Expect, run: Run) -> str:
    tolerance = tolerance_of(expected, expect)
    about = f" ± {spell_duration(tolerance)}" if tolerance else ""
    return f"{spell_duration(run.since_start(at))}{about}"
