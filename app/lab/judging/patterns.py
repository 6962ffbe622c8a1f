"""Whether an event is one that is meant, and how events are called."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.lab.files.expectations import EventPattern, Expect, ExpectedEvent, ForbiddenEvent
from app.lab.files.words import GeofenceKey, spell_duration
from app.lab.running.recording import Happened, Run, key_of
from engine.domain.tracking.updates import Event

_ZERO = timedelta(0)


def fits(pattern: EventPattern, event: Event) -> bool:
    """Whether an event has everything that is given, apart from its time and confidence."""
    return all(wanted in have for wanted, have in _compared(pattern, event) if wanted is not None)


def _compared(pattern: EventPattern, event: Event) -> Iterator[tuple[object, tuple[object, ...]]]:
    yield pattern.type, (event.type,)
    yield pattern.device_id, (event.user.device_id,)
    yield pattern.user_id, (event.user.user_id,)
    yield pattern.geofence, () if event.geofence is None else (key_of(event.geofence),)
    beacon = event.beacon
    yield pattern.beacon, () if beacon is None else (GeofenceKey(beacon.tag, beacon.external_id),)
    yield pattern.place, () if event.place is None else (event.place.id, event.place.name)
    yield pattern.region, () if event.region is None else (event.region.code, event.region.name)
    yield pattern.trip, () if event.trip is None else (event.trip.external_id,)


def since_start(time: datetime | timedelta, run: Run) -> timedelta:
    """Return a time of the file as a duration since the start."""
    return time - run.start if isinstance(time, datetime) else time


def differences(expected: ExpectedEvent, happened: Happened, expect: Expect, run: Run) -> tuple[str, ...]:
    """Return in what an event that fits otherwise is not as expected; nothing where it is."""
    found = []
    if expected.at is not None:
        wanted, tolerance = since_start(expected.at, run), tolerance_of(expected, expect)
        if abs(happened.at - wanted) > tolerance:
            found.append(f"came at {spell_duration(happened.at)}, not at {_around(wanted, tolerance)}")
    if expected.confidence is not None:
        level, slack = happened.event.confidence, expect.confidence_tolerance
        if expected.confidence_tolerance is not None:
            slack = expected.confidence_tolerance
        if level is None or all(abs(level - each) > slack for each in expected.confidence):
            found.append(f"has the confidence {level}, not {' or '.join(map(str, expected.confidence))}")
    return tuple(found)


def is_forbidden(pattern: ForbiddenEvent, happened: Happened, run: Run) -> bool:
    """Whether an event must not have come."""
    return (
        fits(pattern, happened.event)
        and (pattern.after is None or happened.at > since_start(pattern.after, run))
        and (pattern.before is None or happened.at < since_start(pattern.before, run))
    )


def tolerance_of(expected: ExpectedEvent, expect: Expect) -> timedelta:
    """Return how much earlier or later an event may come."""
    return next((each for each in (expected.tolerance, expect.tolerance) if each is not None), _ZERO)


def describe_expected(expected: ExpectedEvent, expect: Expect, run: Run) -> str:
    """Return what an expected event is called, such as ``user.entered_geofence of store/1 by phone-1 at 1m``."""
    words = [_named(expected)]
    if expected.at is not None:
        words.append(f"at {_around(since_start(expected.at, run), tolerance_of(expected, expect))}")
    if expected.confidence is not None:
        words.append(f"with the confidence {' or '.join(map(str, expected.confidence))}")
    return " ".join(words)


def _named(pattern: EventPattern) -> str:
    words = [pattern.type or "any event"]
    about = pattern.geofence or pattern.beacon or pattern.place or pattern.region
    if about is not None:
        words.append(f"of {about}")
    if pattern.trip is not None:
        words.append(f"of trip {pattern.trip}")
    if whose := pattern.device_id or pattern.user_id:
        words.append(f"by {whose}")
    return " ".join(words)


def describe_event(happened: Happened) -> str:
    """Return what an event that came is called."""
    event = happened.event
    words = [event.type]
    if (about := about_of(event)) is not None:
        words.append(f"of {about}")
    if event.trip is not None:
        words.append(f"of trip {event.trip.external_id}")
    words += [f"by {event.user.device_id or event.user.user_id}", f"at {spell_duration(happened.at)}"]
    if event.confidence is not None:
        words.append(f"with the confidence {event.confidence}")
    return " ".join(words)


def about_of(event: Event) -> str | None:
    """Return what an event is about: a geofence, beacon, place or region."""
    if event.geofence is not None:
        return str(key_of(event.geofence))
    if event.beacon is not None:
        return f"{event.beacon.tag}/{event.beacon.external_id}"
    if event.place is not None:
        return event.place.name
    return None if event.region is None else event.region.code


def _around(wanted: timedelta, tolerance: timedelta) -> str:
    about = f" ± {spell_duration(tolerance)}" if tolerance else ""
    return f"{spell_duration(wanted)}{about}"
