"""Random histories, and the events that the engine stores for them."""

import dataclasses
from collections.abc import Sequence
from datetime import datetime, timedelta

import pyarrow as pa
from hypothesis import strategies as st

from engine.backtest.fences import microseconds
from engine.backtest.rows import NOW, SCHEMA
from engine.backtest.tallies import EventLog
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.hours import HoursRule, OperatingHours, parse_hours
from engine.domain.ip import IpRanges, parse_ip_ranges
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from engine.engine import Engine
from tests.engine.fixtures import HOME, SetClock
from tests.engine.tracking.histories import CAMPUS, START, WORKSHOP
from tests.engine.tracking.measuring import moved

type Row = tuple[str, str | None, str, datetime, str, int, float | None]
"""Device, user, type, time, external ID, confidence, and minutes of an event."""

ENVIRONMENT = Environment.LIVE

HOURS: list[OperatingHours | None] = [
    None,
    None,
    parse_hours({"Sat": [["20:00", "24:00"]], "Sun": [["00:00", "01:30"], ["03:00", "12:00"]]}),
    parse_hours({"Sat": [["22:00", "02:30"]]}),
    parse_hours({"Mon": []}),
]
RANGES: list[IpRanges | None] = [None, None, None, parse_ip_ranges("10.0.0.0/16")]
LINE = Point(179.9995, -16.5)
"""A place at the antimeridian."""
ACROSS = Polygon(((179.998, -16.501), (-179.999, -16.501), (-179.999, -16.499), (179.998, -16.499), (179.998, -16.501)))


def star(center: Point, points: int, inner_m: float = 20.0, outer_m: float = 130.0) -> Polygon:
    """Return a polygon with spikes, most of whose boundary is outside the share that a circle has inside."""
    azimuths = [180 * number / points for number in range(2 * points)]
    corners = [
        moved(center, azimuth, inner_m if place % 2 else outer_m)
        for place, azimuth in enumerate([*azimuths, azimuths[0]])
    ]
    return Polygon(tuple((corner.longitude, corner.latitude) for corner in (*corners[:-1], corners[0])))


@dataclasses.dataclass(frozen=True)
class Fence:
    """A geofence before it is stored."""

    geometry: Geometry
    rules: GeofenceChange


@dataclasses.dataclass(frozen=True)
class Report:
    """A fix of a device: seconds after the one before, and seconds from then until it arrives.

    It may arrive again some seconds later, from the same user or from another one.
    """

    device: str
    user: str | None
    point: Point
    accuracy_m: float
    after_s: float
    delay_s: float
    stopped: bool
    foreground: bool
    ip: str | None
    again_s: float | None = None
    again_user: str | None = None


centers = st.sampled_from([HOME, HOME, moved(HOME, 90, 150), moved(HOME, 200, 60), LINE, Point(9.52, 89.9995)])
geometries: st.SearchStrategy[Geometry] = st.one_of(
    st.builds(Circle, centers, st.sampled_from([10.0, 60.0, 100.0, 250.0, 2_000.0])),
    st.sampled_from([WORKSHOP, CAMPUS, ACROSS, star(HOME, 5), star(HOME, 80)]),
)
moments = st.sampled_from([None, None, None, 60, 600, 3_600])


@st.composite
def fences(draw: st.DrawFn, number: int = 0) -> Fence:
    """Return a geofence with rules."""
    disable, delete = draw(moments), draw(moments)
    rules = GeofenceChange(
        enabled=draw(st.sampled_from([True, True, True, True, False])),
        operating_hours=draw(st.sampled_from(HOURS)),
        stop_detection=draw(st.sampled_from([None, None, True, False])),
        disable_after=None if disable is None else START + timedelta(seconds=disable),
        delete_after=None if delete is None else START + timedelta(seconds=delete),
        user_ids=draw(st.sampled_from([(), (), (), ("anna",), ("anna", "bert")])),
        ip=draw(st.sampled_from(RANGES)),
        dwell_threshold_s=draw(st.sampled_from([None, None, 30.0, 300.0])),
    )
    return Fence(draw(geometries), rules)


settings_changes = st.builds(
    SettingsChange,
    stop_detection=st.booleans(),
    buffer_entries=st.booleans(),
    buffer_exits=st.booleans(),
    operating_hours_restriction=st.booleans(),
    operating_hours_rule=st.sampled_from(HoursRule),
    dwell_event=st.booleans(),
    default_dwell_threshold_s=st.sampled_from([None, 60.0, 600.0]),
    minimum_confidence=st.sampled_from([1, 1, 2, 3]),
)

points = st.one_of(
    st.builds(
        moved, centers, st.sampled_from([0, 45, 90, 200, 270]), st.sampled_from([0.0, 9.0, 60.0, 99.9, 100.1, 250.0])
    ),
    st.builds(moved, centers, st.floats(0, 360), st.floats(0, 600)),
    st.sampled_from([moved(HOME, 10, 30_000), Point(9.5180, 47.1410), Point(-180.0, -16.5), Point(180.0, -16.5)]),
)
reports = st.builds(
    Report,
    device=st.sampled_from(["phone", "phone", "tablet"]),
    user=st.sampled_from([None, "anna", "anna", "bert"]),
    point=points,
    accuracy_m=st.sampled_from([1.0, 8.0, 30.0, 90.0, 500.0, 5_000.0]),
    after_s=st.sampled_from([0.0, 0.001, 1.0, 29.9995, 30.0, 31.0, 300.0, 301.0, 1_800.0]),
    delay_s=st.sampled_from([0.0, 0.0, 0.0, 0.0, 1.0, 90.0, 2_000.0, -30.0, -61.0, -3_600.0]),
    stopped=st.booleans(),
    foreground=st.booleans(),
    ip=st.sampled_from([None, "10.0.0.1", "10.1.0.1"]),
    again_s=st.sampled_from([None, None, None, 0.0, 1.0, 90.0, 4_000.0]),
    again_user=st.sampled_from([None, "anna", "bert"]),
)


@st.composite
def journeys(draw: st.DrawFn) -> list[Report]:
    """Return fixes that are often like the one before, as those of a device that stays."""
    found: list[Report] = []
    for report in draw(st.lists(reports, min_size=1, max_size=25)):
        found += [report] * draw(st.sampled_from([1, 1, 1, 3]))
    return found


def stored(engine: Engine, wanted: Sequence[Fence]) -> list[Geofence]:
    """Create geofences and return them."""
    return [engine.geofences.create(ENVIRONMENT, change_of(fence, number)) for number, fence in enumerate(wanted)]


def change_of(fence: Fence, number: int) -> GeofenceChange:
    """Return the change that creates a geofence, or makes another one like it."""
    geometry = fence.geometry
    change = replace(fence.rules, tag="t", external_id=str(number), description=f"Geofence {number}")
    if isinstance(geometry, Circle):
        center = geometry.center.longitude, geometry.center.latitude
        return replace(change, type="circle", coordinates=center, size=geometry.radius_m)
    assert isinstance(geometry, Polygon)
    return replace(change, type="polygon", coordinates=geometry.coordinates)


def timed(journey: Sequence[Report], *, received: bool) -> list[tuple[Report, datetime, datetime]]:
    """Return reports with the time of the fix and that of arrival, in the order of arrival."""
    at, found = START, []
    for report in journey:
        at += timedelta(seconds=report.after_s)
        arrived = at + timedelta(seconds=report.delay_s) if received else at
        found.append((report, at, arrived))
        if report.again_s is not None:
            again = arrived + timedelta(seconds=report.again_s) if received else at
            found.append((dataclasses.replace(report, user=report.again_user), at, again))
    return sorted(found, key=lambda each: each[2])


def rows_of(journey: Sequence[tuple[Report, datetime, datetime]], *, received: bool) -> pa.Table:
    """Return the table of a journey."""
    return pa.Table.from_pylist(
        [
            {
                "device": report.device,
                "user": report.user,
                "at_us": microseconds(at),
                "received_us": microseconds(arrived) if received else None,
                "number": number,
                "longitude": report.point.longitude,
                "latitude": report.point.latitude,
                "accuracy_m": report.accuracy_m,
                "stopped": report.stopped,
                "foreground": report.foreground,
                "ip": report.ip,
                "revision": NOW,
                "settings": 0,
            }
            for number, (report, at, arrived) in enumerate(journey)
        ],
        schema=SCHEMA,
    )


def events_of_engine(
    engine: Engine, clock: SetClock, journey: Sequence[tuple[Report, datetime, datetime]]
) -> list[Row]:
    """Return the events of geofences that the engine stores for a journey, in order."""
    found: list[Row] = []
    for report, at, arrived in journey:
        clock.moment = arrived
        update = LocationUpdate(
            device_id=report.device,
            point=report.point,
            accuracy_m=report.accuracy_m,
            user_id=report.user,
            at=at,
            foreground=report.foreground,
            stopped=report.stopped,
            ip=report.ip,
            once=True,
        )
        result = engine.tracking.track(ENVIRONMENT, update)
        for event in result.events:
            assert event.geofence is not None
            minutes = None if event.duration_s is None else event.duration_s / 60
            who = event.user.device_id, event.user.user_id
            about = event.geofence.external_id, event.confidence or 0, minutes
            found.append((*who, event.type, event.created_at, *about))
    return found


def rows_in_log(log: EventLog) -> list[Row]:
    """Return the events of a log."""
    names = ("deviceId", "userId", "type", "createdAt", "externalId", "confidence", "duration")
    table = log.take()
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))
