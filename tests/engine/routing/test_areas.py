"""A router over several areas, and over none."""

from contextlib import closing

import pytest

from engine.domain.area import Area
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.routing import Directions, Fixed, RouteOptions, TravelMode
from engine.domain.values import replace
from engine.routing.areas import AreaRouter
from tests.engine.routing.extracts import road_area
from tests.engine.routing.town import at

VADUZ, SCHAAN = Point(9.5209, 47.1410), Point(9.5087, 47.1650)
CAR = RouteOptions()


def test_each_request_goes_to_the_area_it_lies_in(two_areas: AreaRouter) -> None:
    assert two_areas.route(at(0, 0), at(0, 600), CAR) is not None
    assert two_areas.route(VADUZ, SCHAAN, CAR) is not None
    assert two_areas.isochrones(VADUZ, [5], TravelMode.BIKE).bands[0]
    assert two_areas.match([Fixed(at(x, 3)) for x in range(-400, 0, 50)], TravelMode.CAR).roads
    assert two_areas.optimize([VADUZ, SCHAAN], CAR).legs
    assert len(two_areas.directions([at(0, 0), at(0, 600)], Directions(CAR))) == 1
    assert two_areas.searches.size >= 1
    assert two_areas.searches.memory_bytes > 0


def test_no_way_leads_from_one_area_to_another(two_areas: AreaRouter) -> None:
    assert two_areas.route(VADUZ, at(0, 0), CAR) is None
    assert two_areas.directions([VADUZ, at(0, 0)], Directions(CAR)) == ()


@pytest.mark.parametrize(
    ("places", "item"),
    [
        ((VADUZ, at(0, 0)), 2),
        ((VADUZ, SCHAAN, at(0, 0)), 3),
        ((VADUZ, at(0, 0), SCHAAN), 2),
        ((at(0, 0), VADUZ, at(0, 600)), 2),
        ((VADUZ, SCHAAN, at(0, 0), at(0, 600)), 3),
        ((VADUZ, at(0, 0), at(0, 600), SCHAAN), 2),
    ],
)
def test_a_stop_in_another_area_is_named(two_areas: AreaRouter, places: list[Point], item: int) -> None:
    with pytest.raises(InvalidParameter, match=rf"^locations: item {item} cannot be (reached|left)") as error:
        two_areas.optimize(places, CAR)
    assert error.value.param == "locations"


def test_a_path_outside_is_reported_with_the_loaded_areas(two_areas: AreaRouter) -> None:
    with pytest.raises(InvalidParameter, match=r"^path: .*\(liechtenstein, town\)") as error:
        two_areas.match([Fixed(Point(20, 20)), Fixed(Point(20, 20.001))], TravelMode.CAR)
    assert error.value.param == "path"


def test_a_matrix_over_areas_has_the_routes_of_each(two_areas: AreaRouter) -> None:
    rows = two_areas.matrix([VADUZ, at(0, 0)], [at(0, 600), SCHAAN, VADUZ], CAR).rows
    assert [[cell is None for cell in row] for row in rows] == [[True, False, False], [False, True, True]]
    single = two_areas.route(VADUZ, SCHAAN, CAR)
    cell = rows[0][1]
    assert single is not None
    assert cell is not None
    assert cell.duration_s == pytest.approx(single.travel.duration_s, abs=3)


def test_a_position_without_data_is_named_with_the_loaded_areas(two_areas: AreaRouter) -> None:
    with pytest.raises(InvalidParameter, match=r"liechtenstein, town") as error:
        two_areas.route(VADUZ, Point(20, 20), CAR)
    assert error.value.param == "destination"
    with pytest.raises(InvalidParameter, match=r"origins: item 1"):
        two_areas.matrix([Point(20, 20)] * 2, [SCHAAN, at(0, 0)], CAR)
    matrix = two_areas.matrix([VADUZ, Point(20, 20)], [SCHAAN, at(0, 0)], CAR)
    assert [[cell is None for cell in row] for row in matrix.rows] == [[False, True], [True, True]]
    (sentence,) = matrix.off_road
    assert sentence.startswith("origins: item 2 ")
    with pytest.raises(InvalidParameter, match="liechtenstein, town"):
        two_areas.isochrones(Point(20, 20), [5], TravelMode.CAR)


def test_of_areas_that_overlap_one_with_roads_nearby_is_used(two_areas: AreaRouter) -> None:
    """An area whose bounds extend far beyond its roads must not hide another one."""
    town, liechtenstein = two_areas.areas
    wide = replace(liechtenstein, bounds=(0, 40, 20, 60))
    router = AreaRouter([wide, town])
    assert router.route(at(0, 0), at(0, 600), CAR) is not None
    assert router.route(VADUZ, SCHAAN, CAR) is not None
    assert router.route(VADUZ, at(0, 0), CAR) is None
    router.close()


@pytest.fixture(scope="module")
def two_roads(tmp_path_factory: pytest.TempPathFactory) -> tuple[Area, Area]:
    """The west and the east of one road, with the bounds of the whole, and 1,200 metres in common."""
    folder = tmp_path_factory.mktemp("roads")
    return road_area(folder / "west", "west", 0, 3600), road_area(folder / "east", "east", 2400, 6000)


def recorded(start: int, end: int, every: int = 50) -> list[Fixed]:
    return [Fixed(at(x, 3)) for x in range(start, end, every)]


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("path", "metres"),
    [
        (recorded(100, 2000), 1850),
        (recorded(4000, 5900), 1850),
        (recorded(2500, 3500), 950),
        (recorded(100, 5900), 5750),
        (recorded(5850, 50, -50), 5750),
    ],
    ids=["west", "east", "both", "through", "back"],
)
def test_a_match_combines_the_roads_of_areas_that_overlap(
    two_roads: tuple[Area, Area], order: int, path: list[Fixed], metres: float
) -> None:
    router = AreaRouter(two_roads[::order])
    match = router.match(path, TravelMode.CAR)
    assert [point.original_index for point in match.points] == list(range(len(path)))
    assert match.distance_m == pytest.approx(metres, abs=60)
    first_seen = [road.original_index for road in match.roads if road.original_index is not None]
    assert first_seen == sorted(first_seen)
    router.close()


def test_an_area_without_roads_along_a_path_hides_no_other(two_areas: AreaRouter) -> None:
    town, liechtenstein = two_areas.areas
    router = AreaRouter([replace(liechtenstein, bounds=(0, 40, 20, 60)), town])
    assert router.match([Fixed(at(x, 3)) for x in range(-400, 0, 50)], TravelMode.CAR).roads
    router.close()


def test_requests_for_routes_name_an_area_without_roads(two_areas: AreaRouter) -> None:
    town, _ = two_areas.areas
    houses = replace(town, name="houses", roads=None)
    with closing(AreaRouter([houses])) as router:
        assert router.areas == (houses,)
        for ask in (
            lambda: router.route(at(0, 0), at(0, 600), CAR),
            lambda: router.matrix([at(0, 0)], [at(0, 600)], CAR),
            lambda: router.isochrones(at(0, 0), [5], TravelMode.CAR),
            lambda: router.match(recorded(0, 200), TravelMode.CAR),
        ):
            with pytest.raises(InvalidParameter, match=r": the loaded area \(houses\) has no roads"):
                ask()


def test_an_area_without_roads_leaves_the_routes_of_others(two_areas: AreaRouter) -> None:
    town, liechtenstein = two_areas.areas
    houses = replace(liechtenstein, name="houses", roads=None)
    with closing(AreaRouter([houses, town])) as router:
        assert router.route(at(0, 0), at(0, 600), CAR) is not None
        with pytest.raises(InvalidParameter, match=r"\(houses without roads, town\)"):
            router.route(VADUZ, SCHAAN, CAR)


def test_without_areas_nothing_is_known() -> None:
    router = AreaRouter([])
    with pytest.raises(InvalidParameter, match="area add") as error:
        router.matrix([VADUZ], [SCHAAN], CAR)
    assert error.value.param == "origins"
    with pytest.raises(InvalidParameter, match="path"):
        router.match([Fixed(VADUZ), Fixed(SCHAAN)], TravelMode.CAR)
    router.close()
