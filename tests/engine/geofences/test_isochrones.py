"""Isochrone geofences, computed on the roads of a small area."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import shapely

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Isochrone, Point, Polygon
from engine.domain.queries import NearbyUserQuery, UserQuery
from engine.domain.routing import Isochrones, Router
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.engine import Engine
from engine.geofences.checks.findings import Check, CheckOptions
from engine.geofences.isochrones import IsochroneTracer
from tests.engine.fixtures import NOON, SetClock, circle, import_csv
from tests.engine.routing.town import LATITUDE, at, write_town

TEST = Environment.TEST


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the area of the town."""
    folder = tmp_path_factory.mktemp("town")
    with Engine.open(folder / "workspace") as engine:
        engine.areas.build(write_town(folder), "town")
    return folder / "workspace"


@pytest.fixture
def engine(workspace: Path) -> Iterator[Engine]:
    with Engine.open(workspace, clock=SetClock()) as opened:
        yield opened
        opened.history.clear_test_data(geofences=True)


CENTER = at(0, 0)


def walk(minutes: float = 5, center: Point = CENTER, mode: str = "foot") -> GeofenceChange:
    return replace(circle(), type="isochrone", coordinates=(center.longitude, center.latitude), size=minutes, mode=mode)


def geometry_of(geofence: Geofence) -> Isochrone:
    assert isinstance(geofence.geometry, Isochrone)
    return geofence.geometry


def area_of(geofence: Geofence) -> float:
    return float(shapely.Polygon(geometry_of(geofence).ring).area)


def test_its_polygon_is_valid_and_follows_the_roads(engine: Engine) -> None:
    geofence = engine.geofences.create(TEST, walk())
    found = geometry_of(geofence)
    assert (found.center, found.minutes, found.mode) == (at(0, 0), 5, TravelMode.FOOT)
    polygon = shapely.Polygon(found.ring)
    assert polygon.is_valid
    assert 4 <= len(found.ring) <= 2_000
    assert polygon.contains(shapely.Point(at(200, 0).longitude, at(200, 0).latitude)), "four minutes along Main Street"
    assert not polygon.contains(shapely.Point(at(0, -3_000).longitude, at(0, -3_000).latitude))
    assert engine.geofences.get(TEST, geofence.id) == geofence


def test_it_is_traced_again_only_when_its_parameters_change(engine: Engine) -> None:
    five = engine.geofences.create(TEST, walk())
    renamed = engine.geofences.update(TEST, five.id, GeofenceChange(description="Walk"))
    assert renamed.geometry is five.geometry
    eight = engine.geofences.update(TEST, five.id, GeofenceChange(size=8))
    assert area_of(eight) > 1.2 * area_of(five)
    driven = engine.geofences.update(TEST, five.id, GeofenceChange(size=5, mode="car"))
    assert area_of(driven) > area_of(five)
    moved = engine.geofences.update(TEST, five.id, GeofenceChange(coordinates=(at(800, 0).longitude, 50.0)))
    assert geometry_of(moved).center == Point(at(800, 0).longitude, 50.0)
    assert not isinstance(engine.geofences.update(TEST, five.id, circle()).geometry, Polygon)


def test_it_is_there_again_after_opening(workspace: Path) -> None:
    with Engine.open(workspace, clock=SetClock()) as engine:
        geofence = engine.geofences.create(TEST, walk())
    with Engine.open(workspace, clock=SetClock()) as again:
        assert again.geofences.get(TEST, geofence.id) == geofence
        assert [fence.id for fence in again.tracking.context(TEST, at(50, 0)).geofences] == [geofence.id]
        again.history.clear_test_data(geofences=True)


def test_it_is_entered_and_left_like_a_polygon(engine: Engine) -> None:
    geofence = engine.geofences.create(TEST, walk())
    inside = LocationUpdate("phone", at(50, 0), 5, at=NOON, explain=True)
    result = engine.tracking.track(TEST, inside)
    assert [event.type for event in result.events] == ["user.entered_geofence"]
    assert result.explanations is not None
    assert result.explanations[0].distance_m < 0
    assert [user.device_id for user in engine.users.in_geofence(TEST, geofence.id, UserQuery()).items] == ["phone"]
    outside = replace(inside, point=at(0, -3_000), at=NOON + timedelta(minutes=9))
    assert [event.type for event in engine.tracking.track(TEST, outside).events] == ["user.exited_geofence"]


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (walk(0), "size"),
        (walk(120.5), "size"),
        (walk(float("nan")), "size"),
        (replace(walk(), size=None), "size"),
        (walk(mode="plane"), "mode"),
        (replace(walk(), mode=None), "mode"),
        (walk(0.001), "size"),
        (walk(center=Point(0.0, 0.0)), "coordinates"),
        (walk(center=at(0, -9_000)), "coordinates"),
    ],
)
def test_one_that_cannot_be_traced_is_refused(engine: Engine, change: GeofenceChange, param: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        engine.geofences.create(TEST, change)
    assert refused.value.param == param
    assert engine.history.counts(TEST).geofences == 0
    if param == "coordinates":
        assert change.coordinates
        longitude, latitude = change.coordinates
        assert f"({latitude:.6g},{longitude:.6g})" in refused.value.message
        assert "town" in refused.value.message


def test_its_center_may_be_off_the_roads(engine: Engine) -> None:
    """The center may be as far from the road as a route's ends; it is kept, though the ring is around the road."""
    away = walk(center=at(300, 900))
    geofence = engine.geofences.create(TEST, away)
    found = geometry_of(geofence)
    assert found.center == at(300, 900)
    street = at(300, 600)
    assert shapely.Polygon(found.ring).contains(shapely.Point(street.longitude, street.latitude))
    moved = engine.geofences.moved_by(away, geofence)
    assert moved is not None
    assert moved.text == "coordinates: (50.0081,10.0042) was moved 300 m to the nearest road for foot."
    assert engine.geofences.moved_by(GeofenceChange(description="Renamed"), geofence) is None
    near = engine.geofences.create(TEST, replace(walk(), external_id="near"))
    assert engine.geofences.moved_by(walk(), near) is None


def test_a_table_warns_of_centers_off_the_roads(engine: Engine) -> None:
    header = "tag,externalId,description,type,coordinates,radius,mode\n"
    rows = "".join(
        f'walk,{number},Walk,isochrone,"[{place.longitude},{place.latitude}]",5,foot\n'
        for number, place in enumerate((at(0, 0), at(300, 900), at(0, -9_000)))
    )
    for dry_run in (True, False):
        report = import_csv(engine, TEST, (header + rows).encode(), dry_run=dry_run)
        assert (report.created, report.failed) == (2, 1)
        ((row, column, message),) = [(each.row, each.column, each.message) for each in report.warnings]
        assert (row, column) == (3, "coordinates")
        assert "was moved 300 m" in message


@pytest.mark.parametrize(("minutes", "expected"), [(1, "within 1 minute by foot"), (1.5, "within 1.5 minutes by foot")])
def test_an_unreachable_place_is_reported(minutes: float, expected: str) -> None:
    router = SimpleNamespace(isochrones=lambda *_: Isochrones(((),), 0.0, "town"))
    with pytest.raises(InvalidParameter, match=expected):
        IsochroneTracer(lambda: cast(Router, router))(CENTER, minutes, TravelMode.FOOT)


def test_a_table_brings_them_too(engine: Engine) -> None:
    header = "tag,externalId,description,type,coordinates,radius,mode\n"
    place = f'"[{at(0, 0).longitude},{at(0, 0).latitude}]"'
    rows = (
        f'walk,1,Walk,isochrone,{place},5,Foot\nwalk,2,Far,isochrone,"[0,0]",5,foot\nwalk,3,No,isochrone,{place},5,\n'
    )
    report = import_csv(engine, TEST, (header + rows).encode())
    assert (report.created, [(error.row, error.column) for error in report.errors]) == (
        1,
        [(3, "coordinates"), (4, "mode")],
    )
    assert geometry_of(engine.geofences.get_by_key(TEST, "walk", "1")).mode is TravelMode.FOOT


def test_users_are_found_by_the_time_they_travel(engine: Engine) -> None:
    for device_id, east in (("near", 100), ("nearer", 20), ("far", -2_500)):
        engine.tracking.track(TEST, LocationUpdate(device_id, at(east, 0), 5))
    query = NearbyUserQuery(near=CENTER, mode=TravelMode.FOOT)
    assert [user.device_id for user in engine.users.nearby(TEST, query)] == ["nearer", "near"]
    assert [user.device_id for user in engine.users.nearby(TEST, replace(query, minutes=0.7))] == ["nearer"]
    driving = replace(query, mode=TravelMode.CAR)
    assert [user.device_id for user in engine.users.nearby(TEST, driving)] == ["nearer", "near", "far"]


def test_a_check_passes_over_isochrones_where_there_are_no_roads(engine: Engine) -> None:
    there = engine.geofences.create(TEST, walk())
    here = geometry_of(there)
    elsewhere = replace(
        here, center=Point(0, 0), ring=tuple((lon - CENTER.longitude, lat - 50) for lon, lat in here.ring)
    )
    engine.geofences.put_all(TEST, [replace(there, geometry=elsewhere)], ())
    (finding,) = engine.checks.run(TEST).findings
    assert (finding.check, finding.geofence_ids) == (Check.OUTSIDE_AREAS, (there.id,))


def test_a_check_finds_those_at_the_edge_of_the_area(engine: Engine) -> None:
    far = engine.geofences.create(TEST, replace(walk(60, mode="car"), external_id="far"))
    near = engine.geofences.create(TEST, replace(walk(), external_id="near"))
    edge = engine.geofences.edge_of(far)
    assert edge is not None
    assert engine.geofences.edge_of(near) is None
    options = CheckOptions(checks=frozenset({Check.EDGE}))
    (finding,) = engine.checks.run(TEST, options).findings
    assert (finding.check, finding.geofence_ids) == (Check.EDGE, (far.id,))
    assert f"up to {edge.inside} min would stay inside." in finding.text


def test_a_table_warns_of_those_at_the_edge(engine: Engine) -> None:
    text = f'tag,externalId,description,type,coordinates,radius,mode\nx,1,Far,isochrone,"[10.0,{LATITUDE}]",60,car\n'
    (warning,) = import_csv(engine, TEST, text.encode()).warnings
    assert warning.column == "radius"
    assert "reach the edge of the area town" in warning.message
