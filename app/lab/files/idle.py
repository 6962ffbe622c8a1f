"""Expectations that cannot fail as written: without a value, without effect, or without a possible event."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from app.lab.files.expectations import EventPattern, Expect, ExpectedUser
from app.lab.files.faults import Fault, Mark, Way
from app.lab.files.models import ScenarioBody
from app.lab.files.yaml_tree import Document
from engine.domain.tracking.updates import EventType

CONDITIONS: Final = ("geofences", "in", "notIn", "place", "trip")
"""Keys of a user that are compared."""

_FIELDS: Final = dict(zip(CONDITIONS, ("geofences", "in_geofences", "not_in", "place", "trip"), strict=True))

CHECKS: Final = ("events", "none", "users", "trips", "deliveries")
"""Keys of `expect` that contain checks."""

LEVELS: Final = (1, 2, 3)
"""All confidence levels of an event."""

INSTEAD: Final = "or write expectsNothing: true"

_OF_GEOFENCES: Final = {EventType.ENTERED_GEOFENCE, EventType.EXITED_GEOFENCE, EventType.DWELLED_IN_GEOFENCE}
_OF_BEACONS: Final = {EventType.ENTERED_BEACON, EventType.EXITED_BEACON}
_OF_PLACES: Final = {EventType.ENTERED_PLACE, EventType.EXITED_PLACE, EventType.NEARBY_PLACE_CHAIN}
_OF_TRIPS: Final = {kind for kind in EventType if kind.endswith(("_trip", "_trip_destination"))}
_AT_DESTINATIONS: Final = {kind for kind in _OF_TRIPS if "arrived_at" in kind}
_OF_REGIONS: Final = {kind for kind in EventType if "_region_" in kind}
SUBJECTS: Final[dict[str, frozenset[EventType]]] = {
    "geofence": frozenset(_OF_GEOFENCES | _AT_DESTINATIONS),
    "beacon": frozenset(_OF_BEACONS),
    "place": frozenset(_OF_PLACES),
    "region": frozenset(_OF_REGIONS),
    "trip": frozenset(_OF_TRIPS),
}
"""Types of the events that have a geofence, a beacon and so on."""


def checks_of(body: ScenarioBody) -> list[Way]:
    """Return the paths at which the file checks something, or seems to."""
    expect, way = body.expect, ("expect",)
    found: list[Way] = [] if expect.events is None else [(*way, "events")]
    found += [(*way, "none", index) for index in range(len(expect.none))]
    found += [(*way, "users", index, key) for index, user in enumerate(expect.users) for key in conditions_of(user)]
    found += [(*way, "trips", index) for index in range(len(expect.trips))]
    return found if expect.deliveries is None else [*found, (*way, "deliveries")]


def conditions_of(user: ExpectedUser) -> Iterator[str]:
    """Yield the keys of a user that are compared."""
    return (key for key, field in _FIELDS.items() if getattr(user, field) is not None)


def kinds_of(pattern: EventPattern) -> frozenset[EventType]:
    """Return the types of event that a pattern may match. A pattern with only a type matches any subject."""
    kinds = frozenset(EventType) if pattern.type is None else frozenset({EventType(pattern.type)})
    for name, having in SUBJECTS.items():
        if getattr(pattern, name) is not None:
            kinds &= having
    return kinds


def idle_checks(document: Document, body: ScenarioBody, replaced: Iterable[Way], *, is_known: bool) -> list[Fault]:
    """Return the expectations that check nothing, except those in `replaced` items.

    If a misspelled key may hide further expectations, only those that are idle by themselves are returned.
    """
    faults = [*_without_values(document), *_single(document, body)]
    if is_known:
        faults += _as_a_whole(document, body)
    excluded = {way[:3] for way in replaced}
    return [fault for way, fault in faults if way[:3] not in excluded]


_EMPTY: Final[dict[Way, str]] = {
    ("events",): "write [] if no event may come",
    ("deliveries",): "write [] if no request may come",
}

type _Found = Iterator[tuple[Way, Fault]]


def _without_values(document: Document) -> _Found:
    """Yield the keys without a value, at any depth."""
    expect = document.data.get("expect") if isinstance(document.data, dict) else None
    waiting: list[tuple[Way, Any]] = [(("expect",), expect)] if expect is not None else []
    while waiting:
        way, value = waiting.pop()
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*way, key), each) for key, each in inner]
        elif value is None and isinstance(way[-1], str):
            advice = _EMPTY.get(way[1:], "remove the key, or give it one")
            yield way, document.key_fault(way, f"has no value, so it checks nothing; {advice}.")


def _single(document: Document, body: ScenarioBody) -> _Found:
    for index, event in enumerate(body.expect.events or ()):
        slack = event.confidence_tolerance
        slack = body.expect.confidence_tolerance if slack is None else slack
        if event.confidence and all(any(abs(each - level) <= slack for each in event.confidence) for level in LEVELS):
            place: Way = ("expect", "events", index, "confidence")
            yield place, document.fault(place, "allows every confidence, so the check cannot fail; remove it.")
    for index, pattern in enumerate(body.expect.none):
        yield from _of_none(document, body, pattern, ("expect", "none", index))
    for index in range(len(body.expect.users)):
        way: Way = ("expect", "users", index)
        # A condition without a value is reported separately.
        if not any((*way, key) in document.keys for key in CONDITIONS):
            message = f"checks nothing; add {', '.join(CONDITIONS[:-1])} or {CONDITIONS[-1]}."
            yield way, document.fault(way, message)


def _of_none(document: Document, body: ScenarioBody, pattern: Any, way: Way) -> _Found:
    after, before = (body.since_start(each) for each in (pattern.after, pattern.before))
    if after is not None and before is not None and after >= before:
        yield way, document.fault((*way, "before"), "must be later than after; no event is between them.")
    if not kinds_of(pattern):
        subject = next(name for name in SUBJECTS if getattr(pattern, name) is not None)
        yield way, document.fault((*way, subject), "no event has all of this, so the check cannot fail.")


def _as_a_whole(document: Document, body: ScenarioBody) -> _Found:
    expect: Expect = body.expect
    way: Way = ("expect",)
    for key in ("events", "deliveries"):
        if getattr(expect, key) == [] and expect.others == "ignore":
            message = f"is empty and other {key} are ignored, so it checks nothing."
            yield (*way, key), document.fault((*way, key), message)
    given = {path[1] for path in document.keys if len(path) == 2 and path[0] == "expect"}
    if not given & {"events", "deliveries"}:
        for useless in given & {"order", "others", "tolerance", "confidenceTolerance"}:
            yield (*way, useless), document.key_fault((*way, useless), "has no effect without events.")
    if not checks_of(body) and not given & set(CHECKS):
        message = f"checks nothing; add {', '.join(CHECKS[:-1])} or {CHECKS[-1]}, {INSTEAD}."
        at = document.keys.get(way, Mark(1, 1))
        yield way, Fault(document.file, at, "expect", message)
