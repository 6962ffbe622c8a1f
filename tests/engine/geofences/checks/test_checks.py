"""Checks of geofences: their findings, the geofences without findings, and the safety of fixes."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.area import Area
from engine.domain.environment import Environment
from engine.domain.errors import RoutingUnavailable
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Part, Point, Polygon, Ring
from engine.domain.hours import HoursRule, OperatingHours, Span
from engine.domain.ports import Cancelled
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.domain.tracking.updates import EventType
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.engine import Engine
from engine.geo.rings import check_ring
from engine.geo.shapes import shape_of
from engine.geofences.checks.checking import MAX_FINDINGS, check
from engine.geofences.checks.findings import Check, CheckOptions, CheckReport, Finding, Severity
from engine.geofences.checks.settings import settings_findings, settings_warnings
from engine.geofences.checks.surroundings import Surroundings
from engine.tracking.measure import confidence_of
from tests.engine.fixtures import NOON, SetClock, circle, update

LON, LAT = 9.5, 47.1
EAST_M, NORTH_M = 111_320 * cos(radians(LAT)), 111_180.0


def at(x_m: float, y_m: float) -> tuple[float, float]:
    """Return the position some metres east and north of the centre."""
    return LON + x_m / EAST_M, LAT + y_m / NORTH_M


def ring(*places_m: tuple[float, float]) -> Ring:
    positions = [at(*place) for place in places_m]
    return (*positions, positions[0])


def box(x_m: float, y_m: float, width_m: float, height_m: float) -> Polygon:
    return Polygon(ring((x_m, y_m), (x_m + width_m, y_m), (x_m + width_m, y_m + height_m), (x_m, y_m + height_m)))


def disc(x_m: float = 0, y_m: float = 0, radius_m: float = 100) -> Circle:
    return Circle(Point(*at(x_m, y_m)), radius_m)


def fence(key: str, geometry: Geometry, *, name: str = "", enabled: bool = True, **rules: Any) -> Geofence:
    tag, external_id = key.split("/")
    summary = GeofenceSummary(key, tag, external_id, name or f"The {external_id}")
    return Geofence(key, Environment.TEST, summary, geometry, enabled, NOON, NOON, GeofenceRules(**rules))


def area(name: str, bounds: tuple[float, float, float, float]) -> Area:
    return Area(name=name, folder=Path(), bounds=bounds, roads=Path(), basemap=None, built_at=NOON, source="", format=1)


def around(
    options: CheckOptions,
    settings: ProjectSettings,
    road: Callable[[Point, TravelMode], float | None] = lambda *_: None,
    areas: tuple[Area, ...] = (),
    in_use: tuple[Area, ...] = (),
) -> Surroundings:
    return Surroundings(options, settings, NOON, areas, in_use, road, confidence_of)


def report(*fences: Geofence, only: Check | None = None, accuracy_m: float = 20, **others: Any) -> CheckReport:
    settings = others.pop("settings", ProjectSettings())
    checks = frozenset(Check if only is None else (only,))
    return check(fences, around(CheckOptions(checks=checks, accuracy_m=accuracy_m), settings, **others))


def found(*fences: Geofence, only: Check, **others: Any) -> list[Finding]:
    return list(report(*fences, only=only, **others).findings)


def test_valid_geofences_or_none_give_no_findings() -> None:
    assert report().findings == ()
    good = report(fence("a/1", disc()), fence("a/2", box(500, 0, 200, 100)), fence("b/1", disc(0, 900)))
    assert (good.findings, good.checked, good.capped) == ((), 3, frozenset())


def test_the_progress_only_grows_up_to_its_end() -> None:
    fences = [fence(f"a/{number}", disc(number * 300)) for number in range(40)]
    progress: list[tuple[int, int]] = []
    check(fences, around(CheckOptions(), ProjectSettings()), lambda done, total: progress.append((done, total)))
    assert progress == sorted(progress)
    total = progress[-1][1]
    assert (progress[0], progress[-1], {each for _, each in progress}) == ((0, total), (total, total), {total})


# Overlaps


def test_an_overlap_states_the_share_of_the_smaller_one() -> None:
    (half,) = found(fence("a/1", box(0, 0, 100, 100)), fence("b/2", box(50, 0, 200, 100)), only=Check.OVERLAP)
    assert half.text == "50% of The 1 lies inside The 2."
    assert half.geofence_ids == ("a/1", "b/2")
    assert half.severity is Severity.INFO
    assert half.place is not None
    assert at(50, 0)[0] <= half.place.longitude <= at(100, 0)[0]
    (same_tag,) = found(fence("a/1", box(0, 0, 100, 100)), fence("a/2", box(50, 0, 200, 100)), only=Check.OVERLAP)
    assert same_tag.severity is Severity.WARNING
    (inside,) = found(fence("a/1", disc(radius_m=50)), fence("b/2", disc(20, 0, 200)), only=Check.OVERLAP)
    assert inside.text == "The 1 lies inside The 2."


def test_neighbours_and_disabled_or_separate_geofences_do_not_overlap() -> None:
    left, right = fence("a/1", box(0, 0, 100, 100)), fence("a/2", box(100, 0, 100, 100))
    assert found(left, right, only=Check.OVERLAP) == []
    assert found(left, replace(left, id="a/3", geometry=box(50, 0, 70, 70), enabled=False), only=Check.OVERLAP) == []


def test_overlaps_are_found_across_the_antimeridian() -> None:
    west = fence("a/1", Polygon(((179.999, 0), (-179.999, 0), (-179.999, 0.002), (179.999, 0.002), (179.999, 0))))
    east = fence("b/2", Circle(Point(-179.9995, 0.001), 30))
    (crossed,) = found(west, east, only=Check.OVERLAP)
    assert crossed.text == "The 2 lies inside The 1."
    assert crossed.place is not None
    assert abs(crossed.place.longitude) > 179.99
    both = fence("b/3", Polygon(((179.998, 0), (-179.9995, 0), (-179.9995, 0.002), (179.998, 0.002), (179.998, 0))))
    (near,) = found(west, both, only=Check.OVERLAP)
    assert near.place is not None
    assert near.place.longitude == pytest.approx(179.99975, abs=1e-6)


def test_a_finding_beyond_the_antimeridian_is_placed_there() -> None:
    rings = (
        ((west, 0.0), (-179.998, 0.0), (-179.998, 0.002), (west, 0.002), (west, 0.0)) for west in (179.999, 179.9995)
    )
    one, other = (fence(f"a/{number}", Polygon(ring), name="Quay") for number, ring in enumerate(rings))
    (overlap,) = found(one, other, only=Check.OVERLAP)
    assert overlap.place is not None
    assert overlap.place.longitude == pytest.approx(-179.99925, abs=1e-6)
    (same_name,) = found(one, other, only=Check.SAME_NAME)
    assert same_name.place is not None
    assert same_name.place.longitude == pytest.approx(-179.9995, abs=1e-6)


@given(st.floats(0, 400), st.floats(0, 400), st.floats(20, 300), st.floats(20, 300))
def test_the_share_is_that_of_the_plane(x_m: float, y_m: float, width_m: float, height_m: float) -> None:
    one, other = shapely.box(0, 0, 200, 200), shapely.box(x_m, y_m, x_m + width_m, y_m + height_m)
    common = one.intersection(other).area
    share, together = common / min(one.area, other.area), one.union(other).area
    fences = fence("a/1", box(0, 0, 200, 200)), fence("b/2", box(x_m, y_m, width_m, height_m))
    if common / together > 0.94 or abs(share - 0.01) < 0.001 or abs(share - 0.995) < 0.001:
        return
    findings = found(*fences, only=Check.OVERLAP)
    assert len(findings) == (share > 0.01)
    if findings and share < 0.995:
        assert abs(int(findings[0].text.partition("%")[0]) - 100 * share) <= 0.6


def test_duplicates_are_one_finding_however_many() -> None:
    copies = [fence(f"a/{number}", disc()) for number in range(300)]
    (same,) = found(*copies, only=Check.SAME_PLACE)
    assert len(same.geofences) == 300
    assert same.text.startswith("The 0 and 299 other geofences have exactly the same shape")
    assert report(*copies, only=Check.OVERLAP).findings == ()
    (near,) = found(fence("a/1", disc()), fence("b/1", disc(1)), only=Check.SAME_PLACE)
    assert near.text.startswith("The 1 (a/1) and The 1 (b/1) cover nearly the same area: 99% of it")


def test_a_crowd_of_overlaps_is_listed_up_to_a_limit() -> None:
    crowd = [fence(f"a/{number}", disc(number, radius_m=900)) for number in range(0, 900, 20)]
    assert report(*crowd, only=Check.OVERLAP).capped == frozenset()
    crowd = [fence(f"a/{x}-{y}", disc(40 * x, 40 * y, 1_000)) for x in range(14) for y in range(14)]
    crowded = report(*crowd, only=Check.OVERLAP)
    assert (len(crowded.findings), crowded.capped) == (MAX_FINDINGS, frozenset({Check.OVERLAP}))


# Sizes


def test_a_circle_smaller_than_the_accuracy_has_less_confidence() -> None:
    (small,) = found(fence("a/1", disc(radius_m=10)), only=Check.TOO_SMALL)
    assert small.text == (
        "The 1 is too small for an accuracy of 20 m: even at the best place 25% of the accuracy circle is inside, so "
        "the confidence is at most 1. A radius of 20 m would make 3 possible; now it is 10 m."
    )
    assert small.severity is Severity.WARNING
    (medium,) = found(fence("a/1", disc(radius_m=18)), only=Check.TOO_SMALL)
    assert (medium.severity, "at most 2" in medium.text) == (Severity.INFO, True)
    strict = ProjectSettings(minimum_confidence=3)
    (never,) = found(fence("a/1", disc(radius_m=18)), only=Check.TOO_SMALL, settings=strict)
    assert (never.severity, "no entry is generated" in never.text) == (Severity.ERROR, True)
    assert found(fence("a/1", disc(radius_m=20)), only=Check.TOO_SMALL) == []
    assert len(found(fence("a/1", disc(radius_m=20)), only=Check.TOO_SMALL, accuracy_m=21)) == 1


@pytest.mark.parametrize(("side_m", "is_reported"), [(38, True), (42, False)])
def test_the_widest_place_of_a_polygon_counts(side_m: float, is_reported: bool) -> None:
    # A room at the end of a long corridor, with the centroid in the corridor.
    narrow = ring((0, 0), (side_m, 0), (side_m, side_m), (-0.5, side_m), (-0.5, 8), (-400, 8), (-400, 0))
    findings = found(fence("a/1", Polygon(narrow)), only=Check.TOO_SMALL)
    assert bool(findings) is is_reported
    for each in findings:
        assert each.place is not None
        assert each.place.longitude > at(-0.5, 0)[0]


def test_a_strip_is_a_sliver_and_a_street_is_not() -> None:
    (strip,) = found(fence("a/1", box(0, 0, 1_000, 5)), only=Check.SLIVER)
    assert re.search(r"100\d m long and 5\.0 m wide", strip.text)
    assert found(fence("a/1", box(0, 0, 1_000, 25)), fence("a/2", disc()), only=Check.SLIVER) == []


# Rings


def test_a_spike_is_found_and_its_removal_is_safe() -> None:
    spiky = ring((0, 0), (100, 0), (100, 80), (50.2, 80), (50.1, 130), (50, 80), (0, 80))
    (spike,) = found(fence("a/1", Polygon(spiky)), only=Check.SELF_TOUCHING)
    assert "within 20 cm of itself" in spike.text
    assert spike.fix is not None
    change = spike.fix.fences["a/1"]
    assert isinstance(change.coordinates, tuple)
    fixed = check_ring(change.coordinates)
    assert set(fixed.ring) < set(spiky)
    assert found(fence("a/1", fixed), only=Check.SELF_TOUCHING) == []
    away = shapely.Polygon(fixed.ring).symmetric_difference(shapely.Polygon(spiky)).area * EAST_M * NORTH_M
    assert away < 6


NECK = ring((0, 0), (100, 0), (50.2, 40), (100, 80), (0, 80), (49.8, 40))
RIGHT, LEFT = ([(x_m, 30.0 + 2 * step) for step in range(11)] for x_m in (50.2, 49.8))
CORRIDOR = ring((0, 0), (100, 0), *RIGHT, (100, 80), (0, 80), *reversed(LEFT))
"""Two rooms with a passage of 40 cm between them, whose sides have a vertex every 2 m."""


@pytest.mark.parametrize("neck", [NECK, CORRIDOR], ids=["at a point", "along a passage"])
def test_a_neck_is_found_and_has_no_safe_fix(neck: Ring) -> None:
    fences = fence("a/1", disc()), fence("a/2", Polygon(neck)), fence("a/3", box(500, 0, 20, 30))
    (found_neck,) = found(*fences, only=Check.SELF_TOUCHING)
    assert (found_neck.geofence_ids, found_neck.fix) == (("a/2",), None)


def test_a_boundary_with_many_vertices_does_not_touch_itself() -> None:
    """Vertices every 30 cm are nearer to one another than a boundary may come to itself."""
    fine = [(0.3 * step, 0.0) for step in range(400)]
    fences = [fence(f"a/{number}", Polygon(ring(*fine, (120, 90), (0, 90)))) for number in range(2)]
    assert found(*fences, only=Check.SELF_TOUCHING) == []


@given(st.integers(3, 200), st.floats(30, 3_000))
def test_a_round_shape_does_not_touch_itself(corners: int, radius_m: float) -> None:
    turns = [radians(360 * corner / corners) for corner in range(corners)]
    round_ring = ring(*((radius_m * cos(turn), radius_m * sin(turn)) for turn in turns))
    assert found(fence("a/1", Polygon(round_ring)), only=Check.SELF_TOUCHING) == []


# Rules


def test_hours_that_never_open() -> None:
    closed, open_once = OperatingHours(((),) * 7), OperatingHours(((Span(0, 60),), *((),) * 6))
    fences = fence("a/1", disc(), operating_hours=closed), fence("a/2", disc(900), operating_hours=open_once)
    (never,) = found(*fences, only=Check.NEVER_OPEN)
    assert (never.geofence_ids, never.severity) == (("a/1",), Severity.WARNING)
    restricted = ProjectSettings(operating_hours_restriction=True)
    assert found(*fences, only=Check.NEVER_OPEN, settings=restricted)[0].severity is Severity.ERROR


def test_hours_that_never_open_by_the_platform_rule() -> None:
    night = OperatingHours(((Span(1_320, 120),),) * 7)
    (never,) = found(fence("a/1", disc(), operating_hours=night), only=Check.NEVER_OPEN)
    assert never.geofence_ids == ("a/1",)
    calendar = ProjectSettings(operating_hours_rule=HoursRule.CALENDAR)
    assert found(fence("a/1", disc(), operating_hours=night), only=Check.NEVER_OPEN, settings=calendar) == []


def test_hours_that_depend_on_the_rule() -> None:
    workdays = OperatingHours((*(((Span(540, 1_020),),) * 5), (), ()), (0, 1, 2, 3, 4))
    night = OperatingHours(((Span(1_320, 120),), *((),) * 6))
    both = OperatingHours(night.days, (0, 1))
    fences = [
        fence("a/1", disc(), operating_hours=workdays),
        fence("a/2", disc(900), operating_hours=night),
        fence("a/3", disc(1_800), operating_hours=both),
        fence("a/4", disc(2_700), operating_hours=OperatingHours(workdays.days)),
        fence("a/5", disc(3_600)),
    ]
    for rule in HoursRule:
        by_id = {each.geofence_ids[0]: each for each in found(*fences, only=Check.HOURS, settings=_with_rule(rule))}
        assert {key: each.text for key, each in by_id.items()} == {
            "a/1": (
                "The hours of The 1 do not list Sat–Sun, which the platform rule opens and the calendar rule closes."
            ),
            "a/2": "The hours of The 2 go past midnight, and such hours never hold by the platform rule.",
            "a/3": (
                "The hours of The 3 go past midnight, and such hours never hold by the platform rule. They do not list "
                "Wed–Sun, which the platform rule opens and the calendar rule closes."
            ),
        }
        for key, each in by_id.items():
            assert each.fix is not None
            fixed = each.fix.fences[key].operating_hours
            assert isinstance(fixed, OperatingHours)
            assert found(fence(key, disc(), operating_hours=fixed), only=Check.HOURS, settings=_with_rule(rule)) == []
    assert by_id["a/1"].severity is Severity.INFO
    (open_weekend,) = found(fences[0], only=Check.HOURS, settings=_with_rule(HoursRule.PLATFORM))
    assert open_weekend.fix is not None
    assert str(open_weekend.fix.fences["a/1"].operating_hours) == "Mon–Fri 09:00–17:00, Sat–Sun 00:00–24:00"
    (lost,) = found(fences[1], only=Check.HOURS, settings=_with_rule(HoursRule.PLATFORM))
    assert lost.severity is Severity.WARNING


def _with_rule(rule: HoursRule) -> ProjectSettings:
    return ProjectSettings(operating_hours_rule=rule)


def moment(days: float) -> datetime:
    return NOON + timedelta(days=days)


def test_geofences_that_expire_soon_or_have_expired() -> None:
    fences = (
        fence("a/1", disc(), disable_after=moment(2)),
        fence("a/2", disc(900), delete_after=moment(6.9)),
        fence("a/3", disc(1_800), delete_after=moment(8)),
        fence("a/4", disc(2_700), enabled=False, disable_after=moment(-1)),
    )
    soon = found(*fences, only=Check.EXPIRING)
    assert [each.text for each in soon] == [
        "The 1 will be disabled in 2 d, after 2026-03-04 12:00 UTC.",
        "The 2 will be deleted in 6 d 22 h, after 2026-03-09 09:36 UTC.",
    ]
    (expired,) = found(*fences, only=Check.EXPIRED)
    assert expired.geofence_ids == ("a/4",)
    assert expired.fix is not None
    assert expired.fix.fences["a/4"].disable_after is None


def test_names_and_keys_that_are_easily_confused() -> None:
    fences = (
        fence("a/1", disc(), name="Café  Ärger"),
        fence("a/2", disc(900), name="café ärger"),
        fence("b/1", disc(1_800), name="Café Ärger"),
        fence("a/x", disc(2_700)),
        fence("a/X", disc(3_600), name="Another"),
    )
    keys, names = found(*fences, only=Check.SAME_NAME)
    assert (keys.severity, set(keys.geofence_ids)) == (Severity.WARNING, {"a/x", "a/X"})
    assert (names.severity, names.geofence_ids) == (Severity.INFO, ("a/1", "a/2"))


def test_buffer_entries_without_buffer_exits() -> None:
    (alone,) = found(only=Check.BUFFERS, settings=ProjectSettings(buffer_entries=True))
    assert alone.fix is not None
    assert alone.fix.settings is not None
    assert alone.fix.settings.buffer_exits is True
    assert found(only=Check.BUFFERS, settings=ProjectSettings(buffer_entries=True, buffer_exits=True)) == []


@pytest.mark.parametrize("minimum", [1, 2, 3])
@pytest.mark.parametrize("buffered", [False, True])
def test_a_minimum_confidence_that_lets_exits_on_coarse_fixes_pass(minimum: int, buffered: bool) -> None:
    """A fix of a stationary device is 6.7 km away with an accuracy of 17 km."""
    settings = ProjectSettings(minimum_confidence=minimum, buffer_exits=buffered)
    exits = []
    with Engine.open(":memory:", clock=SetClock()) as engine:
        change = SettingsChange(minimum_confidence=minimum, buffer_exits=buffered)
        engine.settings.change(Environment.TEST, change)
        engine.geofences.create(Environment.TEST, circle())
        for fix in (update(), update(6_700, accuracy_m=17_000)):
            exits += [event.type for event in engine.tracking.track(Environment.TEST, fix).events]
    is_exit = exits == [EventType.ENTERED_GEOFENCE, EventType.EXITED_GEOFENCE]
    assert is_exit is (minimum < 3 and not buffered)
    report = found(only=Check.COARSE_EXITS, settings=settings)
    assert bool(report) is (is_exit and minimum > 1)
    for finding in report:
        assert finding.fix is not None
        assert finding.fix.settings == SettingsChange(buffer_exits=True)
        assert finding.severity is Severity.WARNING
    assert len(settings_warnings(settings)) == len(report)


def test_only_harmful_settings_are_a_warning() -> None:
    """A minimum of 2 makes the buffer ineffective, which is a note; passing exits are the warning."""
    both = ProjectSettings(minimum_confidence=2, buffer_entries=True)
    assert [finding.check for finding in settings_findings(both)] == [Check.BUFFERS, Check.COARSE_EXITS]
    (warning,) = settings_warnings(both)
    assert warning.startswith("The minimum confidence of 2 does not prevent exits on coarse fixes")
    assert settings_warnings(ProjectSettings()) == ()


# Surroundings


def isochrone(x_m: float, y_m: float, minutes: float, size_m: float) -> Isochrone:
    return Isochrone(
        box(-size_m / 2, -size_m / 2, size_m, size_m).ring,
        center=Point(*at(x_m, y_m)),
        minutes=minutes,
        mode=TravelMode.FOOT,
    )


def test_isochrones_far_from_roads_or_that_reach_nothing() -> None:
    good = fence("a/1", isochrone(0, 0, 10, 1_000))
    assert found(good, only=Check.ISOCHRONE) == []
    (far,) = found(good, only=Check.ISOCHRONE, road=lambda *_: 340.0)
    assert far.text == "The destination of The 1 is 340 m from the nearest road for foot."
    (outside,) = found(fence("a/1", isochrone(900, 0, 10, 1_000)), only=Check.ISOCHRONE)
    assert "m outside its own boundary" in outside.text
    (nothing,) = found(fence("a/1", isochrone(0, 0, 15, 60)), only=Check.ISOCHRONE)
    assert nothing.text.startswith("The 1 reaches only 42 m in 15 min by foot")


def test_an_unavailable_router_is_called_once_and_noted() -> None:
    calls = []

    def unavailable(*_: object) -> float:
        calls.append(1)
        raise RoutingUnavailable("gone")

    fences = [fence(f"a/{number}", isochrone(number, 0, 10, 1_000)) for number in range(5)]
    result = report(*fences, only=Check.ISOCHRONE, road=unavailable)
    assert (result.findings, len(calls), len(result.notes)) == ((), 1, 1)


def test_geofences_outside_the_areas() -> None:
    here, there = area("here", (9.4, 47, 9.6, 47.2)), area("there", (10, 47, 11, 48))
    fences = (
        fence("a/1", disc()),
        fence("a/2", Circle(Point(10.5, 47.5), 100)),
        fence("a/3", Circle(Point(20, 50), 100)),
        fence("a/4", Circle(Point(21, 50), 100)),
    )
    unused, outside = found(*fences, only=Check.OUTSIDE_AREAS, areas=(here, there), in_use=(here,))
    assert unused.text.startswith("The 2 is in there, which is installed but not in use")
    assert (outside.geofence_ids, outside.text.startswith("2 geofences are outside every")) == (("a/3", "a/4"), True)
    assert report(*fences, only=Check.OUTSIDE_AREAS).notes != ()


# Overall


def test_the_gravest_come_first_and_only_requested_checks_are_made() -> None:
    closed = OperatingHours(((),) * 7)
    fences = fence("a/1", disc(), operating_hours=closed), fence("b/1", disc(20)), fence("b/2", disc(radius_m=10))
    ranks = [each.severity.rank for each in report(*fences).findings]
    assert ranks == sorted(ranks, reverse=True)
    assert {each.check for each in report(*fences).findings} >= {Check.NEVER_OPEN, Check.OVERLAP, Check.TOO_SMALL}
    assert {each.check for each in report(*fences, only=Check.TOO_SMALL).findings} == {Check.TOO_SMALL}


def test_poles_and_long_names_are_no_trouble() -> None:
    long = "x" * 2_000
    fences = [
        fence("a/1", Circle(Point(0, 90), 10_000), name=long),
        fence("a/2", Circle(Point(0, 89.99), 10), name=long),
        fence("a/3", Polygon(((0, 89), (10, 89), (10, 89.9), (0, 89))), name=long),
        fence("a/4", Circle(Point(180, 0), 10), name=long),
    ]
    assert all(len(each.text) < 500 for each in report(*fences).findings)


def test_it_can_be_cancelled() -> None:
    def stop(done: int, _total: int) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        check([fence(f"a/{n}", disc(n)) for n in range(9)], around(CheckOptions(), ProjectSettings()), stop)


def test_holes_and_parts_are_not_portable_and_a_ring_is() -> None:
    whole, hole, other = box(0, 0, 400, 400).ring, box(100, 100, 50, 50).ring, box(600, 0, 50, 50).ring
    fences = (
        fence("a/1", Polygon(whole)),
        fence("a/2", disc(900)),
        fence("a/3", Polygon(whole, (hole,)), enabled=False),
        fence("a/4", Polygon(whole, (), (Part(other),))),
        fence("a/5", Polygon(whole, (hole,), (Part(other),))),
    )
    findings = found(*fences, only=Check.PORTABLE)
    assert [(each.severity, each.geofence_ids, each.fix) for each in findings] == [
        (Severity.INFO, (key,), None) for key in ("a/3", "a/4", "a/5")
    ]
    assert [each.text.partition(", ")[0] for each in findings] == [
        "The 3 has 1 hole",
        "The 4 has 2 parts",
        "The 5 has 2 parts and 1 hole",
    ]
    for geofence, finding in zip(fences[2:], findings, strict=True):
        assert finding.place is not None
        assert shape_of(geofence.geometry).contains(finding.place.longitude, finding.place.latitude)
