"""Geofences by address and by place: lookups, precedence, and refusals."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.addresses.address import Address, ForwardQuery, Layer, MatchConfidence
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, GeofenceChange
from engine.domain.geometry import MAX_HOLES, MAX_PARTS, MAX_RING_POSITIONS, Circle, Isochrone, Point, Polygon
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.engine import Engine
from engine.geo.parts import united
from engine.geocoding.geocoding import Geocoding
from engine.geofences.changes import PLACE_RADIUS_M
from engine.geofences.locating import Locator, fitted, outline_of
from tests.engine.fixtures import NOON, SetClock, circle, import_csv
from tests.engine.gazetteers import AIRPORT_ID, BANK, CAFE, ISLANDS, MALL, MALL_ID, PARK, at, find_in, write_town

TEST = Environment.TEST


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_town(tmp_path_factory.mktemp("town") / "gazetteer.sqlite")


@pytest.fixture
def engine(tmp_path: Path, town: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace", clock=SetClock(NOON)) as opened:
        find_in(opened, town)
        yield opened


def change(**given: Any) -> GeofenceChange:
    return replace(replace(circle(), coordinates=UNSET), **given)


def refused(engine: Engine, changed: GeofenceChange) -> InvalidParameter:
    before = engine.history.counts(TEST)
    with pytest.raises(InvalidParameter) as error:
        engine.geofences.create(TEST, changed)
    assert engine.history.counts(TEST) == before
    return error.value


def near(found: Point, wanted: Point) -> bool:
    return abs(found.longitude - wanted.longitude) < 1e-9 and abs(found.latitude - wanted.latitude) < 1e-9


def coordinates(point: Point) -> tuple[float, float]:
    return point.longitude, point.latitude


@pytest.mark.parametrize("address", ["Äulestrasse 12a, 9490 Vaduz", "aeulestrasse 12a vaduz", "  Äulestr. 12a "])
def test_an_address_is_the_centre(engine: Engine, address: str) -> None:
    geometry = engine.geofences.create(TEST, change(address=address, size=80)).geometry
    assert isinstance(geometry, Circle)
    assert near(geometry.center, at(250, 10))
    assert geometry.radius_m == 80


def test_a_place_disappears_with_its_area_even_with_a_remote_geocoder(engine: Engine, town: Path) -> None:
    areas = [SimpleNamespace(folder=town.parent, gazetteer=town)]
    geocoding = Geocoding(lambda: cast(Any, tuple(areas)), url="photon+http://127.0.0.1:1", world=town / "none")
    engine.geocoding = engine._parts.geocoding = geocoding
    assert isinstance(engine.geofences.create(TEST, change(place_id=MALL_ID)).geometry, Polygon)
    areas.clear()
    engine._parts.areas_changed()
    assert refused(engine, change(place_id=MALL_ID, external_id="other")).param == "place_id"
    engine.geocoding.close()


def test_coordinates_count_more_than_an_address_nearby(engine: Engine) -> None:
    given = at(900, 0)
    both = replace(change(address="Äulestrasse 1, Vaduz"), coordinates=coordinates(given))
    geometry = engine.geofences.create(TEST, both).geometry
    assert isinstance(geometry, Circle)
    assert near(geometry.center, given)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (change(address="Äulestrasse 1, Vaduz", coordinates=coordinates(at(1_100, 10))), "1 km"),
        (change(address="Rue de Rivoli 1, Paris"), "nothing was found"),
        (change(address="Rue de Rivoli 1, Paris", coordinates=coordinates(at(0, 0))), "nothing was found"),
        (change(address="   "), "empty"),
        (change(address="x" * 1_001), "1000"),
        (change(address='"NEAR*'), "nothing was found"),
    ],
)
def test_addresses_that_do_not_help(engine: Engine, changed: GeofenceChange, words: str) -> None:
    error = refused(engine, changed)
    assert error.param == "address"
    assert words in error.message


def address(formatted: str, layer: Layer, east_m: float, confidence: str = "exact") -> Address:
    return Address(
        point=at(east_m, 0), layer=layer, formatted=formatted, confidence=MatchConfidence(confidence), country_code="LI"
    )


class Answering:
    """A geocoder with fixed results."""

    def __init__(self, *answers: Address) -> None:
        self.answers = answers

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        return self.answers

    def reverse(self, query: object) -> tuple[Address, ...]:
        raise NotImplementedError

    autocomplete = reverse


def locator(*answers: Address) -> Locator:
    return Locator(lambda: Answering(*answers), lambda: pytest.fail("no place is asked for"))


STREETS = [address(f"Landstrasse 12, {town} LI", Layer.ADDRESS, 900 * n) for n, town in enumerate("ABCD")]


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([], ["nothing was found for 'x'"]),
        ([address("Torkel 3, Vaduz LI", Layer.ADDRESS, 0, "fallback")], ["no certain match", "'Torkel 3, Vaduz LI'"]),
        (
            [address("Georgia, US", Layer.STATE, 0), address("Georgia", Layer.COUNTRY, 9)],
            ["'Georgia, US'", "too large"],
        ),
        ([address("Centre County, PA US", Layer.COUNTY, 0)], ["county", "too large"]),
        (STREETS, ["ambiguous: Landstrasse 12, A LI; Landstrasse 12, B LI; Landstrasse 12, C LI;", "be more specific"]),
        ([address("Café LI", Layer.PLACE, 0), address("Café LI", Layer.PLACE, 300)], ["ambiguous"]),
    ],
)
def test_an_ambiguous_address(answers: list[Address], words: list[str]) -> None:
    with pytest.raises(InvalidParameter) as error:
        locator(*answers).address("x")
    assert error.value.param == "address"
    assert all(each in error.value.message for each in words), error.value.message
    assert "D LI" not in error.value.message


@pytest.mark.parametrize(
    ("others", "east_m"),
    [
        ([address("New York, US", Layer.STATE, 9_000), address("Town", Layer.LOCALITY, 0)], 0),
        ([address("A 1", Layer.ADDRESS, 0), address("A 1, B", Layer.ADDRESS, 9_000, "interpolated")], 0),
        ([address("A 1", Layer.ADDRESS, 0), address("A 1a", Layer.ADDRESS, 150)], 0),
        ([address("A Street, B", Layer.ADDRESS, 0), address("A Street, B", Layer.ADDRESS, 900)], 0),
        ([address("A 1", Layer.ADDRESS, 0, "interpolated"), address("A 1, C", Layer.ADDRESS, 900, "fallback")], 0),
    ],
)
def test_an_unambiguous_address(others: list[Address], east_m: float) -> None:
    assert near(locator(*others).address("x"), at(east_m, 0))


def test_coordinates_choose_one_of_several() -> None:
    assert near(locator(*STREETS).address("x", at(1_850, 0)), at(1_800, 0))


def test_a_polygon_needs_more_than_an_address(engine: Engine) -> None:
    error = refused(engine, change(type="polygon", address="Äulestrasse 1, Vaduz", size=UNSET))
    assert error.param == "coordinates"
    assert "place ID" in error.message
    assert "required for a polygon" in error.message


def test_without_a_known_road_the_source_of_the_position_is_named(engine: Engine) -> None:
    walk = change(type="isochrone", mode="foot", size=5)
    for fields, param in (
        ({"address": "Äulestrasse 1, Vaduz"}, "address"),
        ({"place_id": CAFE}, "place_id"),
        ({"place_id": CAFE, "coordinates": coordinates(at(0, 0))}, "place_id"),
        ({"address": "Äulestrasse 1, Vaduz", "coordinates": coordinates(at(0, 0))}, "coordinates"),
        ({"place_id": "0" * 24, "address": "Äulestrasse 1, Vaduz"}, "address"),
    ):
        error = refused(engine, replace(walk, **fields))
        assert error.param == param
        assert error.message.startswith(f"{param}: ")


def test_an_isochrone_that_moves_names_the_source_of_its_position_too(engine: Engine) -> None:
    made, center = engine.geofences.create(TEST, circle()), at(0, 0)
    ring = tuple(coordinates(at(east_m, north_m)) for east_m, north_m in ((0, 90), (-90, -90), (90, -90), (0, 90)))
    engine.geofences.put_all(
        TEST, [replace(made, geometry=Isochrone(ring, center=center, minutes=5, mode=TravelMode.FOOT))], ()
    )
    address, position = {"address": "Äulestrasse 3, Vaduz"}, {"coordinates": coordinates(at(40, 0))}
    for fields, param in ((address, "address"), (position, "coordinates"), (address | position, "coordinates")):
        with pytest.raises(InvalidParameter) as error:
            engine.geofences.update(TEST, made.id, GeofenceChange(**fields))
        assert error.value.param == param
        assert error.value.message.startswith(f"{param}: ")


def test_a_polygon_ignores_an_address(engine: Engine) -> None:
    ring = tuple(MALL.exterior.coords)
    polygon = change(type="polygon", address="no such thing at all", size=UNSET)
    geofence = engine.geofences.create(TEST, replace(polygon, coordinates=ring))
    assert isinstance(geofence.geometry, Polygon)
    assert refused(engine, replace(polygon, external_id="2")).param == "coordinates"


def test_a_places_outline_is_the_geometry_whatever_is_given(engine: Engine) -> None:
    for number, kind in enumerate(("circle", "polygon")):
        changed = change(place_id=MALL_ID, type=kind, external_id=str(number), coordinates=coordinates(at(0, 0)))
        geometry = engine.geofences.create(TEST, changed).geometry
        assert isinstance(geometry, Polygon)
        assert shapely.Polygon(geometry.ring).equals(MALL)


def test_an_outline_keeps_its_parts_and_holes_of_which_the_largest_comes_first(engine: Engine) -> None:
    geometry = engine.geofences.create(TEST, change(place_id=PARK)).geometry
    assert isinstance(geometry, Polygon)
    rings = [shapely.Polygon(part.ring) for part in geometry.parts]
    assert all(ring.equals(island) for ring, island in zip(rings, [*ISLANDS.geoms][::-1], strict=True))
    yard = MALL.difference(MALL.centroid.buffer(1e-5, quad_segs=1))
    assert [len(part.holes) for part in fitted(yard).parts] == [1]


@settings(max_examples=10)
@given(st.integers(1, 130), st.integers(0, 130), st.integers(4, 300))
def test_an_outline_is_fitted_into_the_limits(parts: int, holes: int, corners: int) -> None:
    def disc(x: float, radius: float) -> shapely.Polygon:
        return shapely.Point(x, 10).buffer(radius, quad_segs=corners // 4)

    whole = shapely.box(-10, 0, -1, 20)
    punched = [
        shapely.Point(-9 + 0.7 * (each % 12), 1 + 1.5 * (each // 12)).buffer(0.2 + each / 1e3) for each in range(holes)
    ]
    area = shapely.MultiPolygon(
        [whole.difference(shapely.union_all(punched)), *(disc(each, 0.2 + each / 1e3) for each in range(parts))]
    )
    polygon = fitted(area)
    assert len(polygon.parts) == min(parts + 1, MAX_PARTS)
    assert len(polygon.holes) == min(holes, MAX_HOLES)
    assert polygon.position_count <= MAX_RING_POSITIONS
    if parts < MAX_PARTS and holes <= MAX_HOLES:
        assert united(polygon).symmetric_difference(area).area < 0.02 * area.area


def test_a_place_without_an_outline_is_a_circle(engine: Engine) -> None:
    radii = []
    for number, size in enumerate((250.0, UNSET)):
        changed = change(place_id=CAFE, external_id=str(number), size=size)
        geometry = engine.geofences.create(TEST, changed).geometry
        assert isinstance(geometry, Circle)
        assert near(geometry.center, at(0, 0))
        radii.append(geometry.radius_m)
    assert radii == [250, PLACE_RADIUS_M]
    polygon = change(place_id=CAFE, external_id="2", type="polygon", size=9_999)
    geometry = engine.geofences.create(TEST, polygon).geometry
    assert isinstance(geometry, Circle)
    assert geometry.radius_m == PLACE_RADIUS_M, "the radius of a polygon is ignored"
    assert refused(engine, change(place_id=CAFE, external_id="3", size=5)).param == "size"


def test_an_unknown_place(engine: Engine) -> None:
    error = refused(engine, change(place_id="0" * 24))
    assert (error.param, "0" * 24 in error.message) == ("place_id", True)
    kept = engine.geofences.create(TEST, change(place_id="0" * 24, coordinates=coordinates(at(5, 5))))
    assert isinstance(kept.geometry, Circle)
    assert near(kept.geometry.center, at(5, 5))
    by_address = change(place_id="0" * 24, address="Äulestrasse 3, Vaduz", external_id="2")
    found = engine.geofences.create(TEST, by_address).geometry
    assert isinstance(found, Circle)
    assert near(found.center, at(40, 10))
    assert refused(engine, change(place_id=" ")).param == "place_id"


def test_changing_the_location_of_a_geofence(engine: Engine) -> None:
    first = engine.geofences.create(TEST, circle(radius_m=77))
    moved = engine.geofences.update(TEST, first.id, GeofenceChange(address="Äulestrasse 3, Vaduz")).geometry
    assert isinstance(moved, Circle)
    assert near(moved.center, at(40, 10))
    assert moved.radius_m == 77
    around = engine.geofences.update(TEST, first.id, GeofenceChange(place_id=BANK)).geometry
    assert isinstance(around, Circle)
    assert near(around.center, at(0, 600))
    assert around.radius_m == 77
    outlined = engine.geofences.update(TEST, first.id, GeofenceChange(place_id=AIRPORT_ID))
    assert isinstance(outlined.geometry, Polygon)
    with pytest.raises(InvalidParameter) as error:
        engine.geofences.update(TEST, first.id, GeofenceChange(place_id="none"))
    assert error.value.param == "place_id"
    assert engine.geofences.get(TEST, first.id) == outlined
    same = engine.geofences.update(TEST, first.id, GeofenceChange(address="Äulestrasse 3, Vaduz"))
    assert same.geometry == outlined.geometry, "a polygon ignores an address"


def test_rows_of_a_table(engine: Engine) -> None:
    table = (
        "tag,externalId,description,type,coordinates,radius,address,placeId\n"
        'a,1,One,circle,,50,"Äulestrasse 1, Vaduz",\n'
        f"a,2,Two,circle,,,,{CAFE}\n"
        "a,3,Three,circle,,50,Nowhere Lane 5,\n"
        "a,4,Four,circle,,50,,nothing\n"
        f"a,5,Five,polygon,,,,{MALL_ID}\n"
    )
    report = import_csv(engine, TEST, table.encode())
    assert [(error.row, error.column) for error in report.errors] == [(4, "address"), (5, "placeId")]
    assert (report.created, report.updated) == (3, 0)
    one = engine.geofences.get_by_key(TEST, "a", "1").geometry
    assert isinstance(one, Circle)
    assert near(one.center, at(0, 10))
    assert isinstance(engine.geofences.get_by_key(TEST, "a", "5").geometry, Polygon)


def test_an_outline_that_no_geofence_can_have(engine: Engine) -> None:
    place = engine.geocoding.places.get(MALL_ID)
    assert place is not None
    crossed = shapely.Polygon([(9.5, 47.1), (9.6, 47.2), (9.6, 47.1), (9.5, 47.2)])
    with pytest.raises(InvalidParameter) as error:
        outline_of(replace(place, outline=shapely.to_wkb(crossed)))
    assert error.value.param == "place_id"
    assert "Mall" in error.value.message
