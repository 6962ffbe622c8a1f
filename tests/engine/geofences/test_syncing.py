"""A device's region is as large as stated: no geofence that it may meet there is missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.tracking.updates import Subject
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import shape_of
from engine.geofences import syncing
from engine.geofences.syncing import MAX_RADIUS_M, MIN_RADIUS_M, synced_fences
from tests.engine.fixtures import NOON

ANONYMOUS = Subject(None, None)


def fence(key: int, geometry: Geometry, enabled: bool = True, users: tuple[str, ...] = ()) -> Entry[Geofence]:
    summary = GeofenceSummary(f"f{key}", "tag", str(key), "A fence")
    rules = GeofenceRules(user_ids=users)
    item = Geofence(summary.id, Environment.TEST, summary, geometry, enabled, NOON, NOON, rules)
    return Entry.of(item.id, item, shape_of(geometry))


def square(west: float, south: float, side: float) -> Polygon:
    east, north = west + side, south + side
    return Polygon(((west, south), (east, south), (east, north), (west, north), (west, south)))


centers = st.tuples(st.floats(-0.15, 0.15), st.floats(-0.12, 0.12))
circles = st.builds(lambda at, radius_m: Circle(Point(10 + at[0], 50 + at[1]), radius_m), centers, st.floats(10, 9_000))
squares = st.builds(lambda at, side: square(10 + at[0], 50 + at[1], side), centers, st.floats(0.0001, 0.1))


@pytest.fixture(autouse=True, scope="module")
def few() -> object:
    """Reduce the limit, so that a few geofences count as many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(syncing, "ENOUGH", 4)
        yield


@given(st.lists(circles | squares, max_size=25), centers)
def test_all_that_comes_into_the_region_is_there(geometries: list[Geometry], at: tuple[float, float]) -> None:
    entries = [fence(number, geometry) for number, geometry in enumerate(geometries)]
    near = Point(10 + at[0], 50 + at[1])
    synced = synced_fences(SpatialIndex(entries), near, ANONYMOUS)
    assert MIN_RADIUS_M <= synced.radius_m <= MAX_RADIUS_M
    returned = {geofence.id for geofence in synced.geofences}
    met = {
        entry.key
        for entry in entries
        if entry.shape.distance_m(near.longitude, near.latitude) <= synced.radius_m + syncing.MARGIN_M
    }
    assert met <= returned
    assert len(synced.geofences) == len(returned)


def test_the_region_shrinks_with_many_geofences() -> None:
    few = [fence(number, Circle(Point(10 + number / 100, 50), 20)) for number in range(4)]
    many = [fence(number, Circle(Point(10 + number / 100, 50), 20)) for number in range(12)]
    assert synced_fences(SpatialIndex(few), Point(10, 50), ANONYMOUS).radius_m == MAX_RADIUS_M
    shrunk = synced_fences(SpatialIndex(many), Point(10, 50), ANONYMOUS)
    # The fifth is 2.87 km away, and may be met from 100 m before it.
    assert 2_500 < shrunk.radius_m < 2_800
    assert [geofence.external_id for geofence in shrunk.geofences] == ["0", "1", "2", "3"]


def test_all_geofences_at_one_place_are_returned() -> None:
    heap = [fence(number, Circle(Point(10, 50), 50)) for number in range(60)]
    synced = synced_fences(SpatialIndex(heap), Point(10, 50), ANONYMOUS)
    assert len(synced.geofences) == 60
    assert synced.radius_m == MAX_RADIUS_M


def test_long_outlines_count_by_their_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syncing, "ENOUGH_POSITIONS", 10)
    monkeypatch.setattr(syncing, "ENOUGH", 100)
    entries = [fence(number, square(10 + number / 50, 50, 0.001)) for number in range(4)]
    synced = synced_fences(SpatialIndex(entries), Point(10, 50), ANONYMOUS)
    assert len(synced.geofences) == 2
    assert synced.radius_m < 2_800


def test_only_those_that_may_make_events_for_the_subject() -> None:
    here = Circle(Point(10, 50), 50)
    entries = [fence(1, here), fence(2, here, enabled=False), fence(3, here, users=("ann",))]
    index = SpatialIndex(entries)
    assert [each.id for each in synced_fences(index, Point(10, 50), ANONYMOUS).geofences] == ["f1"]
    assert {each.id for each in synced_fences(index, Point(10, 50), Subject("ann")).geofences} == {"f1", "f3"}
