"""Users are found by the cells of their positions, and only users affected by an edit are read again."""

from collections.abc import Iterator
from concurrent.futures import Future
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.tracking.users as users
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.ports import settle
from engine.domain.queries import NearbyUserQuery
from engine.domain.tracking.explaining import Cleared
from engine.domain.tracking.updates import TrackResult, User
from engine.domain.values import replace
from engine.engine import Engine
from engine.geo.earth import distance_m
from engine.geofences.geofences import Decided
from engine.store.queries import users_of_device
from engine.store.records.cells import box_of_reach, cell_of, cell_ranges
from engine.store.writer import Connection
from tests.engine.fixtures import circle, update

TEST, LIVE = Environment.TEST, Environment.LIVE

latitudes = st.one_of(st.floats(-90, 90), st.floats(47.13, 47.15))
longitudes = st.one_of(st.floats(-180, 180), st.floats(9.51, 9.53), st.sampled_from((-180.0, 180.0)))
points = st.builds(Point, longitudes, latitudes)
reaches = st.one_of(st.floats(1, 3_000), st.floats(1, 2e6))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows by each device that is read from the database."""
    read, found = users_of_device, list[str]()

    def noted(connection: Connection, environment: Environment, device_id: str) -> list[tuple[User, int]]:
        found.append(device_id)
        return read(connection, environment, device_id)

    monkeypatch.setattr(users, "users_of_device", noted)
    return found


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    with Engine.open(":memory:") as opened:
        yield opened


@given(center=points, reach_m=reaches, turn=st.floats(0, 1), far=st.floats(0, 0.99))
def test_a_point_within_reach_is_in_a_cell_of_its_box(center: Point, reach_m: float, turn: float, far: float) -> None:
    box = west, south, east, north = box_of_reach(center, reach_m)
    point = Point(max(-180.0, west + turn * (east - west)), max(-90.0, min(90.0, south + far * (north - south))))
    ranges = list(cell_ranges(box))
    assert any(first <= cell_of(point) <= last for first, last in ranges)
    assert all(a[1] < b[0] for a, b in pairwise(ranges))


@settings(max_examples=30, deadline=None)
@given(
    moves=st.lists(st.tuples(st.integers(0, 12), points), min_size=1, max_size=40),
    near=points,
    reach_m=reaches,
    limit=st.integers(1, 15),
)
def test_the_nearest_users_are_those_that_a_look_at_all_of_them_finds(
    shared: Engine, moves: list[tuple[int, Point]], near: Point, reach_m: float, limit: int
) -> None:
    shared.history.clear_test_data()
    places: dict[str, Point] = {}
    for number, point in moves:
        shared.tracking.track(TEST, replace(update(device_id=f"phone-{number}"), point=point))
        places[f"phone-{number}"] = point
    away = {
        device: distance_m(near.longitude, near.latitude, point.longitude, point.latitude)
        for device, point in places.items()
    }
    expected = sorted(each for each in away.values() if each <= reach_m)[:limit]
    found = shared.users.nearby(TEST, NearbyUserQuery(near=near, radius_m=reach_m, limit=limit))
    assert [away[user.device_id] for user in found] == expected


def test_a_user_is_found_after_a_user_id_was_given_and_nowhere_after_being_deleted(engine: Engine) -> None:
    engine.tracking.track(TEST, update(device_id="phone"))
    engine.tracking.track(TEST, update(device_id="phone", user_id="ann"))
    engine.tracking.track(TEST, update(device_id="other", user_id="ben"))
    assert engine.users.get(TEST, "ann").device_id == "phone"
    here = NearbyUserQuery(near=update().point, radius_m=10)
    assert {user.user_id for user in engine.users.nearby(TEST, here)} == {"ann", "ben"}
    engine.users.delete(TEST, "ann")
    assert [user.user_id for user in engine.users.nearby(TEST, here)] == ["ben"]
    assert engine.history.clear_test_data("other") == Cleared(users=1, events=0, updates=1, trips=0)
    assert engine.users.nearby(TEST, here) == ()


def test_a_new_user_who_logs_in_within_one_commit_is_found_by_the_user_id(engine: Engine) -> None:
    both: list[Future[TrackResult]] = [Future(), Future()]
    updates = [update(device_id="phone"), update(device_id="phone", user_id="ann")]
    engine.tracking.submit((TEST, each, settle(future)) for each, future in zip(updates, both, strict=True))
    assert [future.result().user.user_id for future in both] == [None, "ann"]
    assert engine.users.get(TEST, "ann").device_id == "phone"


def test_only_who_was_inside_is_read_again_when_geofences_go(engine: Engine, reads: list[str]) -> None:
    deleted, off = (engine.geofences.create(TEST, circle(str(number))) for number in (1, 2))
    for device, east_m in (("inside", 0), ("outside", 1_000)):
        engine.tracking.track(TEST, update(east_m, device_id=device))
    reads.clear()

    def read_again() -> list[str]:
        for device, east_m in (("inside", 0), ("outside", 1_000)):
            engine.tracking.track(TEST, update(east_m, device_id=device))
        found = reads.copy()
        reads.clear()
        return found

    engine.geofences.update(TEST, off.id, GeofenceChange(enabled=False))
    assert read_again() == ["inside"]
    assert [each.external_id for each in engine.users.get(TEST, "inside").geofences] == ["1"]
    engine.geofences.delete(TEST, deleted.id)
    assert read_again() == ["inside"]
    assert engine.users.get(TEST, "inside").geofences == ()


def test_a_refused_edit_has_no_user_read_again(engine: Engine, reads: list[str]) -> None:
    geofence = engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update())
    reads.clear()
    with pytest.raises(InvalidParameter):
        engine.geofences.update(TEST, geofence.id, GeofenceChange(size=-1))
    with pytest.raises(InvalidParameter):
        engine.geofences.edit(TEST, lambda: Decided(_refuse))
    engine.tracking.track(TEST, update())
    assert reads == []


def _refuse(*_: object) -> None:
    raise InvalidParameter("radius_m", "radius_m: refused within the transaction.")
