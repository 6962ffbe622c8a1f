"""A decided case and variations of it, in pure functions, so that each suggestion can be tried."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.geometry import Circle, Point
from engine.domain.hours import DAY_NAMES, Span
from engine.domain.ip import IpRanges
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import Change, Factor, ReasonValue
from engine.domain.tracking.updates import Fix, Presence, Subject
from engine.domain.values import replace
from engine.geo.earth import wgs84
from engine.geo.index import Entry
from engine.geo.shapes import shape_of
from engine.tracking.decide import Decision, decide


class Case(Struct, frozen=True):
    """All arguments of `decide`."""

    presence: Presence | None
    subject: Subject
    fix: Fix
    fence: Entry[Geofence]
    settings: ProjectSettings
    now: datetime

    def decided(self) -> Decision:
        """Return the decision of the case."""
        return decide(self.presence, self.subject, self.fix, self.fence, self.settings, self.now)


def changed(case: Case, change: Change) -> Case:
    """Return the case with one change. Raises `OverflowError` if a time would be after the year 9999."""
    return _CHANGES[change.factor](case, change.values)


def moved(point: Point, bearing: float, metres: float) -> Point:
    """Return the position at a distance from another one in a direction, in degrees from north."""
    longitude, latitude, _ = wgs84().fwd(point.longitude, point.latitude, bearing, metres)
    return Point(float(longitude), float(latitude))


type _Values = Mapping[str, ReasonValue]
type _Changed = Callable[[Case, _Values], Case]


def _fix(case: Case, **fields: object) -> Case:
    return replace(case, fix=replace(case.fix, **fields))  # type: ignore[arg-type]


def _settings(**fields: object) -> _Changed:
    return lambda case, _: replace(case, settings=replace(case.settings, **fields))  # type: ignore[arg-type]


def _fence(case: Case, **fields: object) -> Case:
    geofence = replace(case.fence.item, **fields)  # type: ignore[arg-type]
    return replace(case, fence=replace(case.fence, item=geofence))


def _rules(case: Case, **fields: object) -> Case:
    rules: GeofenceRules = replace(case.fence.item.rules, **fields)  # type: ignore[arg-type]
    return _fence(case, rules=rules)


def _move(case: Case, values: _Values) -> Case:
    return _fix(case, point=moved(case.fix.point, float(values["bearing"]), float(values["metres"])))


def _accuracy(case: Case, values: _Values) -> Case:
    return _fix(case, accuracy_m=float(values["accuracy"]))


def _later(case: Case, values: _Values) -> Case:
    """Return the case with a later fix and the engine's clock advanced by the same time."""
    return _shifted(case, timedelta(seconds=float(values["seconds"])))


def _earlier(case: Case, values: _Values) -> Case:
    return _shifted(case, -timedelta(seconds=float(values["seconds"])))


def _shifted(case: Case, by: timedelta) -> Case:
    return replace(_fix(case, at=case.fix.at + by), now=case.now + by)


def _threshold(case: Case, values: _Values) -> Case:
    seconds = float(values["seconds"])
    if case.fence.item.rules.dwell_threshold_s is not None:
        return _rules(case, dwell_threshold_s=seconds)
    return _settings(default_dwell_threshold_s=seconds)(case, values)


def _open_until(case: Case, values: _Values) -> Case:
    return _with_span(case, values, lambda span, longer: span.opens_min == longer.opens_min)


def _open_from(case: Case, values: _Values) -> Case:
    return _with_span(case, values, lambda span, longer: span.closes_min == longer.closes_min)


def _with_span(case: Case, values: _Values, matches: Callable[[Span, Span], bool]) -> Case:
    """Return the case with a longer span of the hours in place of the one that is meant."""
    hours = case.fence.item.rules.operating_hours
    assert hours is not None
    day = DAY_NAMES.index(str(values["day"]))
    longer = Span(_minutes(values["opens"]), _minutes(values["closes"]))
    spans = tuple(longer if matches(span, longer) else span for span in hours.days[day])
    return _rules(case, operating_hours=replace(hours, days=(*hours.days[:day], spans, *hours.days[day + 1 :])))


def _minutes(time: ReasonValue) -> int:
    hour, _, minute = str(time).partition(":")
    return int(hour) * 60 + int(minute)


def _radius(case: Case, values: _Values) -> Case:
    geometry = case.fence.item.geometry
    assert isinstance(geometry, Circle)
    geofence = replace(case.fence.item, geometry=replace(geometry, radius_m=float(values["radius"])))
    return replace(case, fence=Entry.of(case.fence.key, geofence, shape_of(geofence.geometry)))


def _user(case: Case, values: _Values) -> Case:
    return _rules(case, user_ids=(*case.fence.item.rules.user_ids, str(values["user_id"])))


def _address(case: Case, values: _Values) -> Case:
    ranges = case.fence.item.rules.ip
    assert ranges is not None
    return _rules(case, ip=IpRanges((*ranges.items, str(values["ip"]))))


def _confidence(case: Case, values: _Values) -> Case:
    return _settings(minimum_confidence=int(values["minimum"]))(case, values)


_CHANGES: Final[Mapping[Factor, _Changed]] = MappingProxyType(
    {
        Factor.NEARER: _move,
        Factor.FARTHER: _move,
        Factor.ACCURATE: _accuracy,
        Factor.INACCURATE: _accuracy,
        Factor.STOPPED: lambda case, _: _fix(case, stopped=True),
        Factor.FOREGROUND: lambda case, _: _fix(case, foreground=True),
        Factor.EARLIER: _earlier,
        Factor.LATER: _later,
        Factor.STOP_DETECTION: _settings(stop_detection=False),
        Factor.OWN_STOP_DETECTION: lambda case, _: _rules(case, stop_detection=False),
        Factor.BUFFER_ENTRIES: _settings(buffer_entries=True),
        Factor.BUFFER_EXITS: _settings(buffer_exits=False),
        Factor.RESTRICTION: _settings(operating_hours_restriction=False),
        Factor.CONFIDENCE: _confidence,
        Factor.DWELL_EVENT: _settings(dwell_event=True),
        Factor.DWELL_THRESHOLD: _threshold,
        Factor.OPEN_UNTIL: _open_until,
        Factor.OPEN_FROM: _open_from,
        Factor.LARGER: _radius,
        Factor.SMALLER: _radius,
        Factor.ENABLED: lambda case, _: _fence(case, enabled=True),
        Factor.NO_DISABLE_AFTER: lambda case, _: _rules(case, disable_after=None),
        Factor.NO_DELETE_AFTER: lambda case, _: _rules(case, delete_after=None),
        Factor.USER: _user,
        Factor.NO_USERS: lambda case, _: _rules(case, user_ids=()),
        Factor.ADDRESS: _address,
        Factor.NO_ADDRESSES: lambda case, _: _rules(case, ip=None),
    }
)
