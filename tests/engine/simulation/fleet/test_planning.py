"""A fleet follows from its seed: the same devices on the same routes at the same times."""

from datetime import UTC, datetime
from itertools import islice, pairwise

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.ports import Cancelled
from engine.domain.tracking.trips import TripStatus
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geo.earth import metres_between
from engine.routing.local import LocalRouter
from engine.simulation.fleet.plan import FleetPlan, Ground, Target
from engine.simulation.fleet.trips import Lap, laps
from engine.simulation.fleet.updates import duration_s, updates_of
from engine.simulation.noise.model import PRESETS

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
VADUZ = Point(9.5215, 47.1410)
PLAN = FleetPlan(devices=5, seed=11, reach_m=3_000, interval_s=10, stagger_s=30, loop=True, trips=True)
AROUND_VADUZ = Ground(targets=(Target(VADUZ, "0123456789abcdef01234567"),))


@pytest.fixture(scope="module")
def found(liechtenstein: LocalRouter) -> tuple[Lap, ...]:
    return laps(liechtenstein, PLAN, AROUND_VADUZ)


def test_the_same_seed_gives_the_same_fleet(liechtenstein: LocalRouter, found: tuple[Lap, ...]) -> None:
    assert laps(liechtenstein, PLAN, AROUND_VADUZ) == found
    assert laps(liechtenstein, replace(PLAN, seed=12), AROUND_VADUZ) != found
    more = laps(liechtenstein, replace(PLAN, devices=7), AROUND_VADUZ)
    assert more[:5] == found, "a larger fleet has the same devices, and others"
    assert [lap.number for lap in more] == [1, 2, 3, 4, 5, 6, 7]
    assert len({lap.fixes[0].point for lap in more}) == 7


def test_devices_go_to_their_geofence_stay_and_come_back(found: tuple[Lap, ...]) -> None:
    for lap in found:
        start, end = lap.fixes[0].point, lap.fixes[lap.arrival - 1].point
        assert 300 < metres_between(start, VADUZ) < 3_100
        assert metres_between(end, VADUZ) < 100
        assert lap.fixes[lap.arrival - 1].stopped
        assert metres_between(lap.fixes[-1].point, start) < 100
        assert lap.fixes[-1].stopped


@pytest.mark.usefixtures("real_extracts")
def test_a_fleet_within_areas_stays_in_reach(liechtenstein: LocalRouter) -> None:
    bounds = (9.47, 47.05, 9.64, 47.27)
    plan = FleetPlan(devices=4, seed=2, mode=TravelMode.FOOT, reach_m=2_000, interval_s=30)
    for lap in laps(liechtenstein, plan, Ground(bounds=(bounds,))):
        assert metres_between(lap.fixes[0].point, lap.fixes[-1].point) < 2_300
        assert lap.arrival == len(lap.fixes)


def test_updates_are_in_order_and_each_way_there_is_a_trip(found: tuple[Lap, ...]) -> None:
    lap = found[2]
    due = list(islice(updates_of(PLAN, lap, NOW), 3 * len(lap.fixes)))
    assert due[0][0] == 60, "two devices begin before it, 30 s apart"
    assert all(one[0] <= other[0] for one, other in pairwise(due))
    assert all(update.at and (update.at - NOW).total_seconds() == pytest.approx(at, abs=0.01) for at, update in due)
    assert {update.device_id for _, update in due} == {"fleet-3"}
    trips = [[update.trip for _, update in due[n * len(lap.fixes) : (n + 1) * len(lap.fixes)]] for n in range(3)]
    for of_lap in trips:
        there, back = of_lap[: lap.arrival], of_lap[lap.arrival :]
        assert not any(back)
        assert [trip.status for trip in there if trip] == [None] * (lap.arrival - 1) + [TripStatus.COMPLETED]
        assert all(trip and trip.destination and trip.destination.geofence_id for trip in there)
    assert len({of_lap[0].external_id for of_lap in trips if of_lap[0]}) == 3


def test_noise_differs_from_lap_to_lap_and_repeats_with_the_seed(found: tuple[Lap, ...]) -> None:
    plan, count = replace(PLAN, noise=PRESETS["open-sky"]), len(found[0].fixes)
    due = list(islice(updates_of(plan, found[0], NOW), 2 * count))
    assert due == list(islice(updates_of(plan, found[0], NOW), 2 * count))
    points = [update.point for _, update in due]
    assert points[:count] != points[count:]
    assert due != list(islice(updates_of(replace(plan, seed=12), found[0], NOW), 2 * count))


def test_a_fleet_that_does_not_loop_ends(found: tuple[Lap, ...]) -> None:
    plan = replace(PLAN, loop=False)
    assert len(list(updates_of(plan, found[0], NOW))) == len(found[0].fixes)
    last_s = max(at for lap in found for at, _ in updates_of(plan, lap, NOW))
    assert duration_s(plan, found) == pytest.approx(last_s, abs=1)
    assert duration_s(PLAN, found) is None


def test_planning_reports_its_progress_and_can_be_cancelled(liechtenstein: LocalRouter) -> None:
    progress: list[int] = []

    def stop(done: int, total: int) -> None:
        progress.append(done)
        assert total == 5
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        laps(liechtenstein, PLAN, AROUND_VADUZ, stop)
    assert progress[0] == 0


def test_ground_without_roads_is_reported(liechtenstein: LocalRouter) -> None:
    with pytest.raises(InvalidParameter, match="area: no trip by car was found for device 1 after 40 tries"):
        laps(liechtenstein, FleetPlan(devices=1), Ground(bounds=((0.0, 0.0, 0.1, 0.1),)))
    with pytest.raises(InvalidParameter, match="area: no area is loaded"):
        Ground()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("devices", 0),
        ("devices", 2_001),
        ("seed", -1),
        ("interval_s", 0.0),
        ("stagger_s", float("nan")),
        ("reach_m", 1.0),
        ("stay_s", -1.0),
        ("accuracy_m", 0.0),
        ("prefix", " "),
    ],
)
def test_plans_that_cannot_be_are_named(name: str, value: object) -> None:
    with pytest.raises(InvalidParameter) as caught:
        replace(PLAN, **{name: value})  # type: ignore[arg-type]
    assert caught.value.param == name
