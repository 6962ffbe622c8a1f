"""Routed tracks follow roads, take the time that the roads take, and stop at their stops."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.ports import Cancelled
from engine.domain.routing import RouteOptions, Stretch
from engine.domain.travel import TravelMode
from engine.geo.earth import metres_between
from engine.routing.areas import AreaRouter
from engine.routing.local import LocalRouter, Searches
from engine.simulation.driving import PEDALS, Drive
from engine.simulation.routed import RoutePlan, Waypoint, route, routed_track
from tests.engine.routing.extracts import real_area
from tests.engine.routing.town import at
from tests.shared import SharedData

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
VADUZ, SCHAAN, BALZERS = Point(9.5215, 47.1410), Point(9.5095, 47.1650), Point(9.5000, 47.0660)


@pytest.mark.parametrize("mode", [TravelMode.CAR, TravelMode.FOOT, TravelMode.BIKE])
def test_a_track_takes_about_as_long_as_its_route(liechtenstein: LocalRouter, mode: TravelMode) -> None:
    plan = RoutePlan((Waypoint(VADUZ), Waypoint(SCHAAN)), mode)
    found = route(liechtenstein, plan, NOW)
    expected = liechtenstein.route(VADUZ, SCHAAN, RouteOptions(mode=mode))
    assert expected is not None
    assert found.distance_m == pytest.approx(expected.travel.distance_m, rel=0.02)
    assert expected.travel.duration_s <= found.duration_s + 1 <= expected.travel.duration_s * 1.15 + 20
    points = found.track.points
    assert points[0].at == NOW
    assert points[-1].at == NOW + timedelta(milliseconds=round(found.duration_s * 1000))
    assert metres_between(points[0].point, Point(*expected.line[0])) < 1
    assert metres_between(points[-1].point, Point(*expected.line[-1])) < 1
    moved = [metres_between(one.point, other.point) for one, other in pairwise(points)]
    assert max(moved) <= PEDALS[mode].fastest_mps
    assert len({round(metres) for metres in moved}) > 1, "not at one speed"


def test_a_track_waits_at_its_stops_and_passes_other_waypoints(liechtenstein: LocalRouter) -> None:
    way = (Waypoint(BALZERS, 20), Waypoint(VADUZ, 60), Waypoint(SCHAAN), Waypoint(VADUZ, 30))
    points = routed_track(liechtenstein, RoutePlan(way, interval_s=5), NOW).points
    stands = [point.point for point in points if point.stopped]
    assert [len([point for point in stands if metres_between(point, place) < 60]) for place in (BALZERS, VADUZ)] == [
        4,
        12 + 7,
    ], "a fix every 5 s, and one at the end"
    assert min(metres_between(point.point, SCHAAN) for point in points) < 60
    assert all(one.at and other.at and one.at < other.at for one, other in pairwise(points))


def test_unreachable_waypoints_are_named(town: LocalRouter, liechtenstein: LocalRouter) -> None:
    sea = Point(0.0, 0.0)
    with pytest.raises(InvalidParameter) as caught:
        routed_track(liechtenstein, RoutePlan((Waypoint(VADUZ), Waypoint(SCHAAN), Waypoint(sea))), NOW)
    assert caught.value.param == "waypoints"
    assert (
        caught.value.message
        == "waypoints: item 3 (0,0) has no road for car near it in the loaded area (liechtenstein)."
    )
    with pytest.raises(InvalidParameter, match=r"^waypoints: item 1 \(0,0\) has no road for foot"):
        routed_track(liechtenstein, RoutePlan((Waypoint(sea), Waypoint(SCHAAN)), TravelMode.FOOT), NOW)
    with pytest.raises(InvalidParameter, match="waypoints: no area is loaded"):
        routed_track(AreaRouter(()), RoutePlan((Waypoint(VADUZ), Waypoint(SCHAAN))), NOW)


def test_finding_a_way_can_be_cancelled(liechtenstein: LocalRouter) -> None:
    progress: list[tuple[int, int]] = []

    def stop_at_second(done: int, total: int) -> None:
        progress.append((done, total))
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        routed_track(
            liechtenstein, RoutePlan((Waypoint(VADUZ), Waypoint(SCHAAN), Waypoint(VADUZ))), NOW, stop_at_second
        )
    assert progress == [(0, 2), (1, 2)]


@pytest.mark.usefixtures("real_extracts")
def test_waypoints_that_are_moved_far_are_reported(liechtenstein: LocalRouter) -> None:
    alp = Point(9.6097, 47.0482)
    found = route(liechtenstein, RoutePlan((Waypoint(VADUZ), Waypoint(alp))), NOW)
    (moved,) = found.moved
    assert moved.item == 2
    assert "was moved" in moved.text


def test_areas_route_as_their_own_routers_do(two_areas: AreaRouter, liechtenstein: LocalRouter) -> None:
    plan = RoutePlan((Waypoint(VADUZ), Waypoint(SCHAAN)))
    assert routed_track(two_areas, plan, NOW) == routed_track(liechtenstein, plan, NOW)
    with pytest.raises(InvalidParameter, match=r"waypoints: no route for car leads from item 1 .* to item 2"):
        routed_track(two_areas, RoutePlan((Waypoint(VADUZ), Waypoint(at(0, 0)))), NOW)


@pytest.mark.parametrize("name", ["liechtenstein", "state-college"])
def test_stretches_take_as_long_as_the_route(
    shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    area = real_area(shared_data, tmp_path_factory, name)
    router = LocalRouter(area, searches=Searches(1))
    west, south, east, north = area.bounds
    inner = [Point(west + (east - west) * x / 5, south + (north - south) * y / 5) for x in (2, 3) for y in (2, 3)]
    found = 0
    for mode in (TravelMode.CAR, TravelMode.FOOT, TravelMode.TRUCK):
        for one, other in pairwise(inner):
            options = RouteOptions(mode=mode)
            stretches, expected = router.stretches(one, other, options), router.route(one, other, options)
            assert (stretches is None) == (expected is None)
            if stretches is None or expected is None:
                continue
            found += 1
            seconds = sum(stretch.duration_s + stretch.delay_s for stretch in stretches)
            assert seconds == pytest.approx(expected.travel.duration_s, abs=0.5, rel=1e-3)
            assert all(before.line[-1] == after.line[0] for before, after in pairwise(stretches))
            assert (stretches[0].line[0], stretches[-1].line[-1]) == (expected.line[0], expected.line[-1])
    assert found >= 6
    router.close()


steps = st.tuples(st.floats(0.5, 3_000), st.floats(0.5, 40), st.sampled_from([0.0, 0.0, 2.0, 30.0]), st.booleans())


@given(st.lists(steps, min_size=1, max_size=12), st.sampled_from(list(TravelMode)))
def test_drives_keep_to_speeds_and_pedals(parts: list[tuple[float, float, float, bool]], mode: TravelMode) -> None:
    stretches, north = [], 47.0
    for metres, speed, delay_s, back in parts:
        end = north + (-1 if back else 1) * metres / 111_200
        stretches.append(Stretch(((9.5, north), (9.5, end)), metres / speed, delay_s))
        north = end
    drive, pedals = Drive(stretches, mode), PEDALS[mode]
    least_s = sum(metres / min(speed, pedals.fastest_mps) for metres, speed, _, _ in parts)
    assert drive.duration_s >= least_s * 0.99
    assert drive.distance_m == pytest.approx(sum(metres for metres, *_ in parts), rel=0.01)
    times = [drive.duration_s * share / 400 for share in range(401)]
    places = [Point(*position) for position in drive.positions(np.asarray(times))]
    assert metres_between(places[0], Point(9.5, 47.0)) < 0.01
    assert metres_between(places[-1], Point(9.5, north)) < 0.1
    step_s = drive.duration_s / 400
    speeds = [metres_between(one, other) / step_s for one, other in pairwise(places)]
    fastest = min(max(speed for _, speed, _, _ in parts), pedals.fastest_mps)
    assert max(speeds) <= fastest * 1.01 + 0.1
    changes = [(after - before) / step_s for before, after in pairwise(speeds)]
    assert max(changes, default=0) <= pedals.gain * 1.05 + 0.1
    assert speeds[0] <= pedals.gain * step_s + 0.05, "from standing"
    assert speeds[-1] <= pedals.brake * step_s + 0.05, "to standing"


@pytest.mark.usefixtures("real_extracts")
def test_a_waypoint_between_two_roads_is_no_jump(liechtenstein: LocalRouter) -> None:
    # The road that leads to this position is another one than the road that leaves it, some hundred metres away.
    alp = Point(9.61326, 47.2262)
    way = (Waypoint(Point(9.55592, 47.2607)), Waypoint(alp), Waypoint(Point(9.6155, 47.2400)))
    points = routed_track(liechtenstein, RoutePlan(way, TravelMode.MOTORBIKE), NOW).points
    assert max(metres_between(one.point, other.point) for one, other in pairwise(points)) < 61


@pytest.mark.parametrize(
    ("plan", "param"),
    [
        (lambda: RoutePlan((Waypoint(VADUZ),)), "waypoints"),
        (lambda: RoutePlan((Waypoint(VADUZ),) * 101), "waypoints"),
        (lambda: RoutePlan((Waypoint(VADUZ, -1), Waypoint(SCHAAN))), "wait_s"),
        (lambda: RoutePlan((Waypoint(VADUZ), Waypoint(SCHAAN)), interval_s=0), "interval_s"),
    ],
    ids=["one", "too many", "wait", "interval"],
)
def test_plans_that_cannot_be_are_named(plan: object, param: str) -> None:
    assert callable(plan)
    with pytest.raises(InvalidParameter) as caught:
        plan()
    assert caught.value.param == param


def test_a_track_of_too_many_fixes_is_refused(liechtenstein: LocalRouter) -> None:
    plan = RoutePlan((Waypoint(VADUZ, 7 * 86_400), Waypoint(SCHAAN)), interval_s=0.1)
    with pytest.raises(InvalidParameter, match=r"interval_s: the track would have more than 1,000,000 fixes"):
        routed_track(liechtenstein, plan, NOW)


def test_a_way_to_the_same_place_ends_at_once(liechtenstein: LocalRouter) -> None:
    points = routed_track(liechtenstein, RoutePlan((Waypoint(VADUZ), Waypoint(VADUZ, 3))), NOW).points
    assert 1 <= len(points) <= 5
