"""An area across the 180th meridian, such as Fiji: its halves are together, in the build and in all uses of bounds."""

from pathlib import Path

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from app.api.wire.maps.style import _boxes
from app.cli.areas import _encoded
from app.desktop.model.areas import about
from engine.areas.ends import find_ends
from engine.areas.extract import bounds_of
from engine.areas.gazetteer.clipped_boundaries import close_boundary
from engine.domain.area import Area, covers, halves, wrapped
from engine.domain.geometry import Point
from engine.domain.routing import RouteOptions
from engine.geocoding.ip import home_of
from engine.routing.areas import AreaRouter
from engine.routing.isochrones import is_elsewhere
from tests.engine.areas.extracts import STEP, WEST, Extract, closed, place, town
from tests.engine.areas.gazetteers import query
from tests.engine.areas.reading import features
from tests.engine.areas.test_build import build

MIDDLE = WEST + 2.6 * STEP


def turned(longitude: float) -> float:
    """Return a longitude of the town if its middle is at the 180th meridian."""
    return round((longitude - MIDDLE) % 360 - 180, 7)


def at(column: float, row: float) -> Point:
    longitude, latitude = place(column, row)
    return Point(turned(longitude), latitude)


def across() -> Extract:
    """Return the town at the 180th meridian, with a house on either side."""
    extract = town()
    for column, number in ((0, "3"), (4, "5")):
        house = {"addr:housenumber": number, "addr:street": f"Avenue {column}"}
        closed(extract, column + 0.1, 0.9, column + 0.15, 0.95, building="yes", **house)
    extract.nodes = [(turned(longitude), latitude, tags) for longitude, latitude, tags in extract.nodes]
    return extract


BOUNDS = (at(0, 0).longitude, at(0, 0).latitude, at(5, 0).longitude + 360, at(0, 5.5).latitude)


@pytest.fixture(scope="module")
def area(tmp_path_factory: pytest.TempPathFactory) -> Area:
    folder = tmp_path_factory.mktemp("across")
    return build(across().write(folder / "fiji.osm.pbf", stating=(-180, 40, 180, 50)), folder / "areas")


@given(
    west=st.floats(-179, 179),
    width=st.floats(0.1, 359),
    share=st.floats(-0.1, 1.1).filter(lambda share: min(abs(share), abs(share - 1)) > 1e-6),
)
def test_a_box_covers_the_longitudes_between_its_edges(west: float, width: float, share: float) -> None:
    bounds = (west, -10.0, west + width, 10.0)
    offset = share * width
    longitude = (west + offset + 180) % 360 - 180
    assert covers(bounds, longitude, 0.0) == (offset % 360 <= width)
    assert not covers(bounds, longitude, 11.0)
    assert sum(east - left for left, _, east, _ in halves(bounds)) == pytest.approx(width)
    assert all(-180 <= edge <= 180 for box in (*halves(bounds), wrapped(bounds)) for edge in box)


def test_its_bounds_are_narrow(tmp_path: Path) -> None:
    file = across().write(tmp_path / "fiji.osm.pbf", stating=(-180, 40, 180, 50))
    assert bounds_of(file) == pytest.approx(BOUNDS, abs=1e-6)


@pytest.mark.parametrize("west", [-179.9, 0.0, 100.0])
def test_bounds_of_two_places_far_apart_stay_within_the_scale(west: float, tmp_path: Path) -> None:
    extract = Extract()
    for longitude in (west, west + 79.0):
        extract.line((longitude, 10.0), (longitude + 0.1, 10.0), highway="primary")
    assert bounds_of(extract.write(tmp_path / "two.osm.pbf")) == pytest.approx((west, 10, west + 79.1, 10))


def test_its_roads_do_not_end_at_the_meridian(tmp_path: Path) -> None:
    assert find_ends(across().write(tmp_path / "fiji.osm.pbf")).tolist() == []


@pytest.mark.slow
def test_its_content_is_on_both_sides(area: Area) -> None:
    assert area.gazetteer is not None
    assert area.bounds == pytest.approx(BOUNDS, abs=1e-6)
    assert query(area.gazetteer, "SELECT number FROM houses ORDER BY 1") == [("3",), ("5",)]
    assert max(abs(longitude) for (longitude,) in query(area.gazetteer, "SELECT longitude FROM streets")) <= 180
    assert min(abs(longitude) for (longitude,) in query(area.gazetteer, "SELECT longitude FROM streets")) > 179
    found = list(features(area, 14))
    assert len(found) < 200, "no street leads around the earth"
    assert {shown["name"] for layer, shown in found if layer == "roads"} == {
        f"{kind} {number}" for kind in ("Avenue", "Road") for number in range(6)
    }


@pytest.mark.slow
def test_routes_start_and_end_on_either_side(area: Area) -> None:
    router = AreaRouter([area])
    for start, end in ((at(0, 0), at(2, 2)), (at(3, 0), at(5, 2)), (at(1, 0), at(4, 0))):
        assert router.route(start, end, RouteOptions()) is not None
        assert router.outside(start) == ""
    assert router.outside(Point(0, at(0, 0).latitude)) != ""
    router.close()


@pytest.mark.slow
def test_it_is_shown_as_it_lies(area: Area) -> None:
    west, south, east, north = _encoded(area, ())["bounds"]
    assert (west, east) == pytest.approx((at(0, 0).longitude, at(5, 0).longitude))
    assert f"{south:.4f}, {west:.4f} to {north:.4f}, {east:.4f}" in about(area)
    boxes = [shapely.box(*half) for half in halves(area.bounds)]
    drawn = [shapely.Polygon(each["geometry"]["coordinates"][0]) for each in _boxes([area])["features"]]
    assert all(one.equals(other) for one, other in zip(boxes, drawn, strict=True))
    home = home_of(None, [area])
    assert home is not None
    assert abs(home.longitude) == pytest.approx(180, abs=0.001)


def test_a_boundary_across_it_encloses_both_sides() -> None:
    bounds = (179.0, -1.0, 181.0, 1.0)
    lines = [shapely.to_wkb(shapely.LineString(line)) for line in ([(179, 0), (180, 0)], [(-180, 0), (-179, 0)])]
    shape = close_boundary(lines, bounds, [(-179.5, 0.5)], [])
    assert shape is not None
    assert shapely.contains_xy(shape, [179.5, -179.5, 179.5, -179.5], [0.5, 0.5, -0.5, -0.5]).tolist() == [
        *(True, True, False, False)
    ]


def test_a_ring_far_from_its_road_is_elsewhere() -> None:
    """Valhalla draws isochrones near the meridian many kilometres away from their roads."""
    road = at(2, 1)

    def ring(longitude: float) -> tuple[tuple[float, float], ...]:
        corners = shapely.box(longitude, road.latitude - 0.001, longitude + 0.002, road.latitude + 0.001)
        return tuple((each[0], each[1]) for each in corners.exterior.coords)

    assert is_elsewhere(ring(road.longitude - 0.18), road)
    assert not is_elsewhere(ring(road.longitude - 0.001), road)
