"""The events of a random history: places, reports, times, edits and settings."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

import shapely
from hypothesis import strategies as st

from engine.domain.geometry import Circle, Geometry, Part, Point, Polygon
from engine.domain.hours import DAYS, HoursRule
from engine.domain.ip import IpRanges
from tests.engine.tracking.measuring import geodesic_m, moved
from tests.engine.tracking.reference import Week

START = datetime(2026, 3, 28, 21, 30, tzinfo=UTC)
"""Saturday evening, hours before the clocks of Vaduz go from 02:00 to 03:00."""
VADUZ = ZoneInfo("Europe/Vaduz")

WORKSHOP = Polygon(
    (
        (9.5200, 47.1400),
        (9.5240, 47.1400),
        (9.5240, 47.1412),
        (9.5222, 47.1412),
        (9.5215, 47.1425),
        (9.5200, 47.1425),
        (9.5200, 47.1400),
    )
)
"""A polygon with a reflex vertex, over the circles around `HOME`."""

CAMPUS = Polygon(
    ((9.5170, 47.1390), (9.5190, 47.1390), (9.5190, 47.1425), (9.5170, 47.1425), (9.5170, 47.1390)),
    (((9.5175, 47.1400), (9.5185, 47.1402), (9.5184, 47.1415), (9.5176, 47.1414), (9.5175, 47.1400)),),
    (
        # An island in the courtyard, a wing that meets the building, and a building across the street.
        Part(((9.5178, 47.1404), (9.5182, 47.1404), (9.5180, 47.1409), (9.5178, 47.1404))),
        Part(((9.5190, 47.1400), (9.5205, 47.1402), (9.5205, 47.1412), (9.5190, 47.1410), (9.5190, 47.1400))),
        Part(((9.5207, 47.1425), (9.5216, 47.1425), (9.5216, 47.1432), (9.5207, 47.1425))),
    ),
)
"""A polygon with a hole and several parts, two of which meet, over the workshop and the circles around `HOME`."""

HOURS: tuple[Week | None, ...] = (
    None,
    {"Mon": []},
    {"Sat": [("20:00", "24:00")], "Sun": [("00:00", "01:30"), ("03:00", "12:00")]},
    {"Sat": [("22:00", "02:30")]},
    {"Sun": [("02:00", "03:00"), ("04:00", "04:00")]},
    {day: [("22:45", "22:31")] for day in DAYS},
)


@dataclass(frozen=True)
class Spot:
    """A position relative to a geofence: somewhere around its boundary, some metres outside (negative inside)."""

    fence: int
    turn: int
    metres: float

    def beside(self, geometry: Geometry) -> Point:
        if isinstance(geometry, Circle):
            return moved(geometry.center, self.turn, max(0.0, geometry.radius_m + self.metres))
        parts = [shapely.Polygon(part.ring, part.holes) for part in geometry.parts]
        edge = shapely.union_all(parts).boundary.interpolate(self.turn / 360, normalized=True)
        center = min(parts, key=edge.distance).representative_point() if geometry.others else parts[0].centroid
        here = Point(edge.x, edge.y)
        if self.metres >= 0:
            return moved(here, self.turn, self.metres) if self.metres else here
        share = min(1.0, -self.metres / geodesic_m(here, Point(center.x, center.y)))
        return Point(edge.x + share * (center.x - edge.x), edge.y + share * (center.y - edge.y))


spots = st.builds(
    Spot,
    st.integers(0, 5),
    st.sampled_from([0, 30, 77, 90, 135, 180, 222, 270, 315]),
    st.sampled_from([0.0, 0.0, 0.0, -3.0, 3.0, -12.0, 12.0, -45.0, 45.0, -1e4, 400.0, 30_000.0]) | st.floats(-120, 120),
)
type Time = tuple[Literal["clock", "last", "age"], int] | None
"""Milliseconds after the clock, after the record's last update, or before now."""


@dataclass(frozen=True)
class Report:
    """An update without its position and time."""

    device: str
    user: str | None
    accuracy_m: float
    stopped: bool
    foreground: bool | None
    ip: str | None
    mocked: bool | None
    compromised: bool | None
    explain: bool


reports = st.builds(
    Report,
    device=st.sampled_from(["phone", "phone", "phone", "tablet"]),
    user=st.sampled_from([None, "anna", "anna", "bert"]),
    accuracy_m=st.sampled_from([1.0, 8.0, 30.0, 90.0, 500.0]) | st.floats(1, 500),
    stopped=st.booleans(),
    foreground=st.sampled_from([None, None, False, True]),
    ip=st.sampled_from([None, "10.0.0.1", "10.0.0.1", "10.1.0.1", "2001:db8::1"]),
    mocked=st.sampled_from([None, None, False, True]),
    compromised=st.sampled_from([None, None, False, True]),
    explain=st.sampled_from([True, True, True, False]),
)
times: st.SearchStrategy[Time] = st.none() | st.tuples(
    st.sampled_from(["clock", "last", "age"]), st.sampled_from([-3_600_000, -60_000, -1, 0, 1, 60_000, 600_000])
)
whiles = st.sampled_from([0.001, 1, 59, 60, 61, 240, 300, 301, 1_800, 3_600])
"""Durations in seconds."""

moments = st.sampled_from([None, 0, 60, 300])
"""Seconds after the clock, or None."""


edits = st.one_of(
    st.tuples(st.just("size"), st.sampled_from([10.0, 60.0, 100.0, 260.0])),
    st.tuples(st.just("enabled"), st.booleans()),
    st.tuples(st.just("hours"), st.sampled_from(HOURS)),
    st.tuples(st.just("stop_detection"), st.sampled_from([None, True, False])),
    st.tuples(st.just("user_ids"), st.sampled_from([(), ("anna",), ("anna", "bert")])),
    st.tuples(st.just("networks"), st.sampled_from([(), ("10.0.0.0/16",), ("10.1.0.1/32", "2001:db8::/32")])),
    st.tuples(st.just("dwell_threshold_s"), st.sampled_from([None, 60.0, 300.0])),
    st.tuples(st.just("disable_after"), moments | st.just(-60)),
    st.tuples(st.just("delete_after"), moments),
)

switches = st.one_of(
    *(
        st.tuples(st.just(name), st.booleans())
        for name in (
            *("stop_detection", "buffer_entries", "buffer_exits", "operating_hours_restriction", "dwell_event"),
            "fraud",
        )
    ),
    st.tuples(st.just("operating_hours_rule"), st.sampled_from(HoursRule)),
    st.tuples(st.just("dwell_event"), st.just(True)),
    st.tuples(st.just("default_dwell_threshold_s"), st.sampled_from([None, 60.0, 300.0])),
    st.tuples(st.just("minimum_confidence"), st.sampled_from([1, 2, 3])),
    st.tuples(st.just("jumped_speed_mps"), st.sampled_from([None, 10.0])),
    st.tuples(st.just("inaccurate_accuracy_m"), st.sampled_from([None, 50.0])),
    st.tuples(st.just("sharing_window_s"), st.sampled_from([None, 60.0])),
    st.tuples(st.just("proxy_addresses"), st.sampled_from([None, IpRanges(("10.1.0.0/16",))])),
    st.tuples(st.just("bypassed"), st.sampled_from([(), ("anna",), ("phone",)])),
    st.tuples(st.just("blocked"), st.sampled_from([(), ("bert",)])),
)


first_settings = st.fixed_dictionaries(
    {
        "stop_detection": st.sampled_from([False, False, True]),
        "buffer_entries": st.booleans(),
        "buffer_exits": st.booleans(),
        "operating_hours_restriction": st.booleans(),
        "operating_hours_rule": st.sampled_from(HoursRule),
        "dwell_event": st.sampled_from([True, True, False]),
        "default_dwell_threshold_s": st.sampled_from([60.0, None, 300.0]),
        "minimum_confidence": st.sampled_from([1, 1, 2, 3]),
        "fraud": st.booleans(),
    }
)
first_rules = st.fixed_dictionaries(
    {"hours": st.sampled_from(HOURS)},
    optional={
        "stop_detection": st.booleans(),
        "dwell_threshold_s": st.sampled_from([60.0, 300.0]),
        "user_ids": st.sampled_from([(), (), ("anna",)]),
        "networks": st.sampled_from([(), (), ("10.0.0.0/16",)]),
        "disable_after": st.sampled_from([None, None, 60, 300]),
        "delete_after": st.sampled_from([None, None, 60, 300]),
    },
)
