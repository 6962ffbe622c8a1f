"""Shortcuts without measuring give the same results about a fix and a geofence as exact measures."""

from datetime import timedelta
from math import cos, pi, radians, sin

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.updates import Confidence, Fix, Presence, Subject
from engine.domain.values import replace
from engine.geo.bounds import box_around, touch
from engine.geo.index import Entry
from engine.geo.shapes import shape_of
from engine.tracking.decide import changes_nothing, decide
from engine.tracking.measure import LARGEST_M, SMALLEST_M, Measure, confidence_of
from tests.engine.fixtures import NOON
from tests.engine.tracking.measuring import moved
from tests.engine.tracking.test_decide import STORE, fence

SIZES_M = st.one_of(st.floats(10, 500), st.floats(500, 60_000))
ACCURACIES_M = st.one_of(
    st.floats(0, 100), st.floats(100, 30_000), st.floats(30_000, 600_000), st.just(30_000_000.0), st.just(0.0)
)
centers = st.builds(
    Point,
    st.one_of(st.floats(9, 10), st.sampled_from([179.99, -179.999, 0.0])),
    st.one_of(st.floats(46, 48), st.sampled_from([0.0, 70.0, 84.9, 85.2, -89.6])),
)


@st.composite
def polygons(draw: st.DrawFn) -> Polygon:
    """Return stars of few vertices around a place."""
    center, size_m = draw(centers), draw(SIZES_M)
    corners = draw(st.lists(st.floats(0.2, 1.0), min_size=3, max_size=9))
    reach = size_m / 111_000
    ring = [
        (
            center.longitude + reach * part * cos(turn) / max(0.02, cos(radians(center.latitude))),
            center.latitude + reach * part * sin(turn),
        )
        for part, turn in ((part, 2 * pi * at / len(corners)) for at, part in enumerate(corners))
    ]
    assume(all(abs(latitude) < 89.9 for _, latitude in ring))
    around = tuple(((longitude + 540) % 360 - 180, latitude) for longitude, latitude in ring)
    return Polygon((*around, around[0]))


geometries: st.SearchStrategy[Geometry] = st.one_of(polygons(), st.builds(Circle, centers, SIZES_M))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Geometry, Fix]:
    """Return a geofence and a fix near its boundary, about its own accuracy away, or anywhere."""
    geometry, accuracy_m = draw(geometries), draw(ACCURACIES_M)
    shape = shape_of(geometry)
    away_m = draw(
        st.one_of(
            st.floats(0, 2).map(lambda times: times * shape.radius_m),
            st.floats(0.9, 1.1).map(lambda times: times * accuracy_m + shape.radius_m),
            st.floats(0.9, 1.1).map(lambda times: abs(times * accuracy_m - shape.radius_m)),
            st.floats(0, 1.2).map(lambda times: times * accuracy_m),
        )
    )
    point = moved(shape.center, draw(st.floats(0, 360)), min(away_m, 15_000_000.0))
    return geometry, Fix(point, accuracy_m, NOON, foreground=True, stopped=True)


class Exact:
    """The measures of a fix and a geofence, all computed even if not needed."""

    def __init__(self, fix: Fix, entry: Entry[Geofence]) -> None:
        at, shape = (fix.point.longitude, fix.point.latitude), entry.shape
        self.radius_m = min(max(fix.accuracy_m, SMALLEST_M), LARGEST_M)
        area = box_around(*at, self.radius_m)
        close = area.west < -180 or area.east > 180 or any(touch(box, area) for box in entry.boxes)
        self.distance_m = shape.distance_m(*at)
        self.share = shape.share(*at, self.radius_m) if close else 0.0
        self.within_accuracy = shape.contains(*at) or (close and self.distance_m <= fix.accuracy_m)

    def confidence(self, *, inside: bool) -> int:
        confidence = confidence_of(self.share if inside else 1 - self.share)
        speck = confidence is Confidence.HIGH and abs(self.distance_m) < self.radius_m * 0.999
        return Confidence.MEDIUM if speck else confidence


@pytest.mark.slow
@given(cases())
@settings(max_examples=600, deadline=None)
def test_quick_answers_are_the_exact_ones(case: tuple[Geometry, Fix]) -> None:
    geometry, fix = case
    entry = fence(replace(STORE, geometry=geometry))
    exact = Exact(fix, entry)
    assert Measure(fix, entry).within_accuracy == exact.within_accuracy
    for inside in (True, False):
        assert Measure(fix, entry).confidence(inside=inside) == exact.confidence(inside=inside)
    at = fix.point.longitude, fix.point.latitude
    assert abs(exact.distance_m) <= entry.shape.distance_at_most_m(*at) * 1.0001 + 1e-6
    assert exact.share <= entry.shape.share_at_most(fix.point.latitude, exact.radius_m) * 1.02 + 1e-9


@given(
    cases(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, 0.0, 60.0, 600.0]),
    st.sampled_from([None, 60.0]),
    st.sampled_from([0, 60, 61, 601]),
    st.sampled_from([None, -1, 0, 1]),
)
@settings(max_examples=300, deadline=None)
def test_a_stay_that_is_passed_over_goes_on(
    case: tuple[Geometry, Fix],
    dwelled: bool,
    dwell_event: bool,
    threshold_s: float | None,
    default_s: float | None,
    stayed_s: int,
    expires: int | None,
) -> None:
    geometry, fix = case
    disable_after = None if expires is None else NOON + timedelta(seconds=expires)
    rules = GeofenceRules(dwell_threshold_s=threshold_s, disable_after=disable_after)
    entry = fence(replace(STORE, geometry=geometry, rules=rules))
    presence = Presence(entry.item.id, NOON - timedelta(seconds=stayed_s), dwelled)
    project = ProjectSettings(dwell_event=dwell_event, default_dwell_threshold_s=default_s, buffer_entries=True)
    decision = decide(presence, Subject(), fix, entry, project, NOON)
    passed_over = changes_nothing(presence, fix, entry, project, NOON)
    goes_on = decision.outcome is Outcome.STAY_INSIDE and decision.measure.inside
    assert passed_over == goes_on


@pytest.mark.parametrize(
    ("half_deg", "confidence"), [(2.0, Confidence.LOW), (4.5, Confidence.MEDIUM), (12.0, Confidence.HIGH)]
)
def test_a_fix_of_hundreds_of_kilometres_is_compared_with_a_country(half_deg: float, confidence: int) -> None:
    corners = [(x * half_deg, y * half_deg) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
    entry = fence(replace(STORE, geometry=Polygon(tuple(corners))))
    assert Measure(Fix(Point(0, 0), 600_000, NOON), entry).confidence(inside=True) == confidence


@pytest.mark.parametrize("metres", [19_000, 20_100])
def test_a_coarse_fix_measures_no_polygon_that_it_surely_reaches(
    metres: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    center = Point(9.5, 47.1)
    ring = [moved(center, turn, 150) for turn in (0, 90, 180, 270, 0)]
    entry = fence(replace(STORE, geometry=Polygon(tuple((each.longitude, each.latitude) for each in ring))))
    measured: list[str] = []

    def measures(quantity: str) -> float:
        measured.append(quantity)
        return 0.0

    monkeypatch.setattr("engine.geo.shapes.boundary_distance_m", lambda *_: measures("distance"))
    monkeypatch.setattr("engine.geo.shapes.share_inside", lambda *_: measures("share"))
    measure = Measure(Fix(moved(center, 90, metres), 20_000, NOON, foreground=True, stopped=True), entry)
    assert (measure.within_accuracy, measure.confidence(inside=True)) == (True, Confidence.LOW)
    assert measured == (["distance"] if metres > 20_000 else [])
