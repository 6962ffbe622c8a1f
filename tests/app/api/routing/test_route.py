"""The routing operations over real sockets, in the synthetic town."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import orjson
import osmium
import pytest

from app.api.server.server import ApiServer
from app.api.v1.route import find_distances
from app.api.wire.common.decoding import decode_query
from app.api.wire.routes.distance import DistanceQuery
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.routing import Route, RouteOptions, Router, TravelMode
from engine.domain.units import Units
from engine.engine import Engine
from engine.geo.earth import distance_m
from tests.app.api.conftest import Api, MakeApi, assert_refused
from tests.app.api.contract import Contract
from tests.engine.routing.reference import textbook_decode
from tests.engine.routing.town import at, write_town

MODES = ("car", "truck", "foot", "bike", "motorbike")
NOWHERE = "1,2"


def spelled(*points: Point) -> str:
    return "|".join(f"{point.latitude},{point.longitude}" for point in points)


CENTER, CORNER, LONELY = spelled(at(0, 0)), spelled(at(900, 600)), spelled(at(100, -3_000))
PATH = [{"coordinates": spelled(at(x, 4)), "accuracy": 8} for x in range(-500, 300, 60)]


@pytest.fixture(scope="session")
def town_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the town's area, built once, in the same way as users build areas."""
    folder = tmp_path_factory.mktemp("town-area")
    file = folder / "town.osm.pbf"
    with osmium.SimpleWriter(str(file)) as writer:
        for element in osmium.FileProcessor(str(write_town(folder))):
            writer.add(element)
    with Engine.open(folder / "workspace") as engine:
        return engine.areas.build(file, "town").folder


@pytest.fixture(scope="module")
def engine(town_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine whose workspace has the town."""
    workspace = tmp_path_factory.mktemp("workspace")
    with Engine.open(workspace):
        pass
    shutil.copytree(town_folder, workspace / "areas" / "town")
    with Engine.open(workspace) as engine:
        engine.areas.use(["town"])
        yield engine


def get(api: Api, name: str, **query: str) -> dict[str, Any]:
    response = api.get(f"/v1/route/{name}", params=query)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


@pytest.mark.slow
def test_distance_of_all_modes(publishable: Api) -> None:
    routes = get(publishable, "distance", origin=CENTER, destination=CORNER, modes=",".join(MODES), units="metric")[
        "routes"
    ]
    start, end = at(0, 0), at(900, 600)
    straight = distance_m(start.longitude, start.latitude, end.longitude, end.latitude)
    assert routes["geodesic"] == {"distance": {"value": pytest.approx(straight, abs=0.001), "text": "1.1 km"}}
    assert set(routes) == {"geodesic", *MODES}
    assert routes["car"]["distance"] == {"value": pytest.approx(1_500, abs=3), "text": "1.5 km"}
    assert routes["foot"]["duration"]["text"] == "18 mins"
    assert (
        routes["foot"]["duration"]["value"] > routes["bike"]["duration"]["value"] > routes["car"]["duration"]["value"]
    )
    assert all(set(routes[mode]) == {"distance", "duration"} for mode in MODES)


def test_distances_are_in_feet_by_default(publishable: Api) -> None:
    metric, imperial = (
        get(publishable, "distance", origin=CENTER, destination=spelled(at(0, 60)), modes="foot", **units)["routes"]
        for units in ({"units": "metric"}, {})
    )
    assert metric["foot"]["distance"]["text"] == "60 m"
    assert metric["geodesic"]["distance"]["text"] == "60 m"
    assert imperial["foot"]["distance"]["text"].endswith(" ft")
    assert imperial["foot"]["distance"]["value"] == pytest.approx(
        metric["foot"]["distance"]["value"] / 0.3048, abs=0.5 / 0.3048
    )


def test_a_line_is_the_same_in_every_format(publishable: Api) -> None:
    lines = {
        form: get(publishable, "distance", origin=CENTER, destination=CORNER, modes="car", geometry=form)["routes"][
            "car"
        ]
        for form in ("linestring", "polyline5", "polyline6")
    }
    whole = lines["linestring"]["geometry"]
    assert whole["type"] == "LineString"
    assert textbook_decode(lines["polyline6"]["geometry"]["polyline"], 6) == tuple(map(tuple, whole["coordinates"]))
    rough = textbook_decode(lines["polyline5"]["geometry"]["polyline"], 5)
    assert all(
        abs(a - b) <= 5.1e-6
        for one, two in zip(rough, whole["coordinates"], strict=True)
        for a, b in zip(one, two, strict=True)
    )


def test_an_empty_avoid_list_avoids_nothing(publishable: Api) -> None:
    """An empty list behaves like every other optional comma-separated list."""
    query = DISTANCE | {"units": "metric"}
    assert get(publishable, "distance", **query, avoid="") == get(publishable, "distance", **query)
    matched = publishable.post("/v1/route/match", json={"path": PATH, "roadAttributes": ""}).json()
    assert "roadAttributes" not in matched


def test_a_mode_without_a_way_is_left_out(publishable: Api) -> None:
    routes = get(publishable, "distance", origin=CENTER, destination=LONELY, modes="car,foot")["routes"]
    assert set(routes) == {"geodesic"}


def test_a_mode_that_is_not_served_is_left_out_with_a_warning(publishable: Api) -> None:
    answer = get(publishable, "distance", origin=CENTER, destination=CORNER, modes="transit,car")
    assert set(answer["routes"]) == {"geodesic", "car"}
    assert answer["meta"]["warnings"] == ["modes: not served and left out: 'transit'."]
    many = ",".join(f"mode-{number}" for number in range(2_000))
    answer = get(publishable, "distance", origin=CENTER, destination=CORNER, modes=f"{many},car")
    (warning,) = answer["meta"]["warnings"]
    assert len(warning) < 120


def test_a_mode_without_a_road_near_is_left_out_unless_it_is_the_only_one(publishable: Api) -> None:
    query = {"origin": CENTER, "destination": spelled(at(0, 30_000)), "modes": "car,foot"}
    assert_refused(publishable.get("/v1/route/distance", params=query), "destination", "no road for car")

    class OnFoot:
        """A router without roads for cars."""

        def route(self, _start: Point, _end: Point, options: RouteOptions, _units: Units) -> Route | None:
            if options.mode is TravelMode.CAR:
                raise InvalidParameter("destination", "destination: there is no road for car near it.")
            return None

    distance_query = decode_query(DistanceQuery, f"origin={CENTER}&destination={CORNER}&modes=foot,car".encode())
    content, warnings = find_distances(distance_query, cast(Router, OnFoot()))
    assert (set(content["routes"]), warnings) == ({"geodesic"}, ["destination: there is no road for car near it."])


def test_null_values_of_sdks(publishable: Api) -> None:
    nothing = dict.fromkeys(("units", "avoid", "geometry", "departureTime"), "null")
    assert "car" in get(publishable, "distance", origin=CENTER, destination=CORNER, modes="car", **nothing)["routes"]


def test_matrix(publishable: Api) -> None:
    origins, destinations = f"{CENTER}|{LONELY}", f"{CORNER}|{CENTER}|{spelled(at(300, -3_000))}"
    answer = get(publishable, "matrix", origins=origins, destinations=destinations, mode="car", units="metric")
    assert answer["origins"][0] == {"latitude": at(0, 0).latitude, "longitude": at(0, 0).longitude}
    assert len(answer["destinations"]) == 3
    rows = answer["matrix"]
    assert [[(cell["originIndex"], cell["destinationIndex"]) for cell in row] for row in rows] == [
        [(0, 0), (0, 1), (0, 2)],
        [(1, 0), (1, 1), (1, 2)],
    ]
    assert rows[0][2]["distance"] == rows[0][2]["duration"] == {"value": -1, "text": "no route"}
    assert rows[0][1]["distance"]["text"] == "0 m"
    assert rows[1][2]["distance"]["value"] == pytest.approx(200, abs=2)
    single = get(publishable, "distance", origin=CENTER, destination=CORNER, modes="car", units="metric")["routes"][
        "car"
    ]
    assert rows[0][0]["distance"]["value"] == pytest.approx(single["distance"]["value"], abs=3)
    assert rows[0][0]["duration"]["value"] == pytest.approx(single["duration"]["value"], abs=0.05)


def test_a_position_without_a_road_leaves_the_rest_of_a_matrix_as_it_is(publishable: Api) -> None:
    alone = get(publishable, "matrix", origins=CENTER, destinations=f"{CORNER}|{CENTER}", mode="car")["matrix"][0]
    off_road = spelled(at(0, 30_000))
    origins, destinations = f"{off_road}|{CENTER}", f"{CORNER}|{NOWHERE}|{CENTER}"
    answer = get(publishable, "matrix", origins=origins, destinations=destinations, mode="car")
    nothing = {"value": -1, "text": "no route"}
    known = [[cell["distance"] != nothing for cell in row] for row in answer["matrix"]]
    assert known == [[False, False, False], [True, False, True]]
    found = [answer["matrix"][1][column] for column in (0, 2)]
    assert [(cell["distance"], cell["duration"]) for cell in found] == [
        (cell["distance"], cell["duration"]) for cell in alone
    ]
    first, second = answer["meta"]["warnings"]
    assert first.startswith("origins: item 1 ")
    assert second.startswith("destinations: item 2 ")
    assert all(each.endswith("has no road for car near it in the loaded area (town).") for each in (first, second))


def test_directions(publishable: Api) -> None:
    query = {"locations": f"{spelled(at(-500, 0))}|{CORNER}", "avoid": "tolls", "units": "metric"}
    route = get(publishable, "directions", **query)["routes"][0]
    assert set(route) == {"duration", "distance", "legs", "geometry"}
    leg = route["legs"][0]
    assert set(leg) == {"startLocation", "endLocation", "duration", "distance", "geometry", "steps"}
    steps = leg["steps"]
    assert [step["manuever"] for step in steps] == ["start", "left", "right", "destination"]
    assert steps[1] == {
        "distance": {"value": 600.0, "text": "600 m"},
        "duration": steps[1]["duration"],
        "start_location": {"latitude": 50.0, "longitude": pytest.approx(10.002798)},
        "end_location": {"latitude": pytest.approx(50.005396), "longitude": pytest.approx(10.002798)},
        "bearing_before": 90,
        "bearing_after": 0,
        "instructions": "Turn left onto Second Avenue.",
        "banner_instructions": "Second Avenue",
        "voice_instructions": "Turn left onto Second Avenue.",
        "geometry": steps[1]["geometry"],
        "mode": "car",
        "manuever": "left",
        "street_name": "Second Avenue",
    }
    joined = [place for step in steps for place in textbook_decode(step["geometry"]["polyline"], 6)]
    assert list(dict.fromkeys(joined)) == list(textbook_decode(route["geometry"]["polyline"], 6))


def test_an_exit_has_a_name(publishable: Api) -> None:
    locations = f"{spelled(at(-1_500, -1_000))}|{spelled(at(0, -400))}"
    steps = get(publishable, "directions", locations=locations)["routes"][0]["legs"][0]["steps"]
    assert [step.get("exit_name") for step in steps if step["manuever"] == "exit-right"] == ["12"]
    assert all("exit_name" not in step for step in steps if step["manuever"] != "exit-right")


def test_directions_with_everything(publishable: Api) -> None:
    query = {"locations": f"{spelled(at(-550, 0))}|{CORNER}", "alternatives": "true", "lang": "de", "heading": "90"}
    routes = get(publishable, "directions", **query, departureTime="2026-01-05T08:00:00Z", geometry="linestring")[
        "routes"
    ]
    assert len(routes) > 1
    assert routes[0]["legs"][0]["steps"][0]["instructions"].startswith("Auf Main Street Richtung Osten")
    assert get(publishable, "directions", locations=f"{CENTER}|{LONELY}")["routes"] == []
    stops = "|".join([CENTER, CORNER] * 12 + [CENTER])
    assert len(get(publishable, "directions", locations=stops, mode="bike")["routes"][0]["legs"]) == 24


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("distance", {"origin": CENTER, "destination": CORNER, "modes": "car,foot"}),
        ("matrix", {"origins": CENTER, "destinations": CORNER, "mode": "car"}),
        ("directions", {"locations": f"{CENTER}|{CORNER}"}),
        ("optimize", {"locations": f"{CENTER}|{CORNER}", "mode": "car"}),
    ],
)
def test_a_departure_time_that_changes_nothing_is_reported(publishable: Api, name: str, query: dict[str, str]) -> None:
    def warnings(**time: str) -> list[str]:
        answer = publishable.get(f"/v1/route/{name}", params=query | time).raise_for_status()
        found: list[str] = answer.json()["meta"].get("warnings", [])
        return found

    assert warnings() == []
    (warning,) = warnings(departureTime="2026-01-05T08:00:00Z")
    assert warning.startswith("departureTime: has no effect")


def test_optimize(publishable: Api) -> None:
    stops = [at(0, 0), at(900, 600), at(-600, 300), at(400, 600), at(1000, 200)]
    route = get(publishable, "optimize", locations=spelled(*stops), geometry="polyline5", mode="foot")["route"]
    order = [0, *(leg["endIndex"] for leg in route["legs"])]
    assert sorted(order) == [0, 1, 2, 3, 4]
    assert order[-1] == 4
    assert all("polyline" in leg["geometry"] for leg in route["legs"])
    assert "geometry" not in get(publishable, "optimize", locations=spelled(*stops))["route"]["legs"][0]
    assert_refused(
        publishable.get("/v1/route/optimize", params={"locations": f"{CENTER}|{LONELY}|{CORNER}"}),
        "locations",
        "item 2",
    )


@pytest.mark.parametrize("form", [False, True])
def test_match(publishable: Api, form: bool) -> None:
    body = {"mode": "car", "roadAttributes": "speedLimit,names,roadClass", "units": "metric"}
    sent = {"data": body | {"path": orjson.dumps(PATH).decode()}} if form else {"json": body | {"path": PATH}}
    answer = publishable.post("/v1/route/match", **sent).json()
    assert [place["originalIndex"] for place in answer["matchedPath"]] == list(range(len(PATH)))
    assert answer["distance"]["text"].endswith(" m")
    road = answer["roadAttributes"][0]
    assert road["names"] == ["Main Street"]
    assert road["roadClass"] == "secondary"
    assert road["speedLimit"] == {"value": 50, "text": "50 kph"}
    assert len(textbook_decode(answer["geometry"]["polyline"], 6)) > 1


def test_a_match_returns_only_the_requested_fields(publishable: Api) -> None:
    bare = publishable.post("/v1/route/match", json={"path": PATH, "geometry": "linestring"}).json()
    assert set(bare) == {"meta", "matchedPath", "geometry", "distance"}
    named = publishable.post("/v1/route/match", json={"path": PATH, "roadAttributes": "names"}).json()
    assert all(
        set(road) <= {"names", "startLocation", "endLocation", "originalIndex"} for road in named["roadAttributes"]
    )


DISTANCE = {"origin": CENTER, "destination": CORNER, "modes": "car"}
MATRIX = {"origins": CENTER, "destinations": CORNER, "mode": "car"}
TWO = {"locations": f"{CENTER}|{CORNER}"}


@pytest.mark.parametrize(
    ("name", "query", "param", "words"),
    [
        ("distance", DISTANCE | {"origin": "1"}, "origin", "latitude,longitude"),
        ("distance", DISTANCE | {"origin": "1,2,3"}, "origin", "latitude,longitude"),
        ("distance", DISTANCE | {"destination": ""}, "destination", "latitude,longitude"),
        ("distance", DISTANCE | {"destination": "91,0"}, "destination", "[-90, 90]"),
        ("distance", DISTANCE | {"destination": "0,nan"}, "destination", "[-180, 180]"),
        ("distance", DISTANCE | {"origin": NOWHERE}, "origin", "town"),
        ("distance", DISTANCE | {"destination": NOWHERE}, "destination", "town"),
        ("distance", {"origin": CENTER, "destination": CORNER}, "modes", "required"),
        ("distance", DISTANCE | {"modes": ""}, "modes", "at least one"),
        ("distance", DISTANCE | {"modes": "plane,boat"}, "modes", "'plane'"),
        ("distance", DISTANCE | {"units": "nautical"}, "units", "imperial"),
        ("distance", DISTANCE | {"avoid": "hills"}, "avoid", "'hills'"),
        ("distance", DISTANCE | {"geometry": "wkt"}, "geometry", "polyline5"),
        ("distance", DISTANCE | {"departureTime": "soon"}, "departureTime", "ISO 8601"),
        ("matrix", MATRIX | {"avoid": "borderCrossings"}, "avoid", "'borderCrossings'"),
        ("matrix", {"origins": CENTER, "destinations": CORNER}, "mode", "required"),
        ("matrix", MATRIX | {"mode": "transit"}, "mode", "'transit'"),
        ("matrix", MATRIX | {"origins": f"{CENTER}|x"}, "origins", "item 2"),
        ("matrix", MATRIX | {"origins": f"{CENTER}|"}, "origins", "item 2"),
        ("matrix", MATRIX | {"destinations": f"{NOWHERE}|{NOWHERE}"}, "destinations", "item 1"),
        (
            "matrix",
            MATRIX | {"origins": "|".join([CENTER] * 313), "destinations": f"{CENTER}|{CORNER}"},
            "origins",
            "625",
        ),
        ("directions", {"locations": CENTER}, "locations", "2 to 25"),
        ("directions", {"locations": "|".join([CENTER] * 26)}, "locations", "26"),
        ("directions", {"locations": f"{CENTER}|{CORNER}|{CENTER}", "alternatives": "true"}, "alternatives", "two"),
        ("directions", TWO | {"alternatives": "maybe"}, "alternatives", "true or false"),
        ("directions", TWO | {"lang": "pt-BR"}, "lang", "'pt'"),
        ("directions", TWO | {"heading": "361"}, "heading", "[0, 360]"),
        ("directions", TWO | {"heading": "north"}, "heading", "number"),
        ("directions", TWO | {"mode": "sled"}, "mode", "'sled'"),
        ("directions", TWO | {"locations": f"{CENTER}|{NOWHERE}"}, "locations", "item 2"),
        ("optimize", {"locations": "|".join([CENTER] * 11)}, "locations", "2 to 10"),
        ("optimize", {}, "locations", "required"),
    ],
)
def test_bad_queries_are_refused_by_name(
    publishable: Api, name: str, query: dict[str, str], param: str, words: str
) -> None:
    assert_refused(publishable.get(f"/v1/route/{name}", params=query), param, words)


@pytest.mark.parametrize(
    ("body", "param", "words"),
    [
        ({}, "path", "required"),
        ({"path": []}, "path", "2 to 16000 positions"),
        ({"path": PATH[:1]}, "path", "not 1"),
        ({"path": [PATH[0], {"coordinates": "x"}]}, "path", "item 2"),
        ({"path": [PATH[0], {}]}, "path", "item 2"),
        ({"path": [PATH[0], PATH[1] | {"createdAt": "soon"}]}, "path", "item 2"),
        ({"path": [PATH[0], PATH[1] | {"accuracy": 0}]}, "path", "item 2 accuracy: must be greater than 0, not 0"),
        ({"path": [PATH[0], PATH[1] | {"accuracy": -2.5}]}, "path", "item 2 accuracy: must be greater than 0"),
        ({"path": [{"coordinates": NOWHERE}] * 2}, "path", "the loaded area (town)"),
        ({"path": "nonsense"}, "path", "JSON"),
        ({"path": PATH, "mode": "sled"}, "mode", "'sled'"),
        ({"path": PATH, "roadAttributes": "tolls"}, "roadAttributes", "'tolls'"),
        ({"path": PATH, "units": "x"}, "units", "imperial"),
        ({"path": PATH, "geometry": "x"}, "geometry", "polyline6"),
    ],
)
def test_bad_matches_are_refused_by_name(publishable: Api, body: dict[str, Any], param: str, words: str) -> None:
    assert_refused(publishable.post("/v1/route/match", json=body), param, words)


def test_as_many_as_are_allowed(publishable: Api) -> None:
    many = "|".join(spelled(at(x * 20, 0)) for x in range(25))
    rows = get(publishable, "matrix", origins=many, destinations=many, mode="foot")["matrix"]
    assert sum(map(len, rows)) == 625
    assert len(get(publishable, "optimize", locations="|".join([CENTER, CORNER] * 5))["route"]["legs"]) == 9


def test_keys(make_api: MakeApi, secret: Api, live: Api) -> None:
    assert get(secret, "distance", **DISTANCE) == get(live, "distance", **DISTANCE)
    refused = make_api(None).get("/v1/route/distance", params=DISTANCE)
    assert_refused(refused, "Authorization", status=401)


def test_a_router_that_cannot_be_reached_is_503(tmp_path: Path, contract: Contract) -> None:
    with (
        Engine.open(tmp_path / "remote", router_url="http://127.0.0.1:9") as engine,
        ApiServer(engine, port=0) as server,
    ):
        api = Api(server.url, engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE), contract)
        response: httpx.Response = api.get("/v1/route/distance", params=DISTANCE)
        api.close()
    assert response.status_code == 503
    assert "cannot be reached" in response.json()["meta"]["message"]


@pytest.mark.parametrize("origin", ["5_0.0,10.0", "٥٠.0,10.0"])
def test_coordinates_are_numbers_as_everybody_writes_them(publishable: Api, origin: str) -> None:
    query = {"origin": origin, "destination": "50.0,10.001", "modes": "foot"}
    assert_refused(publishable.get("/v1/route/distance", params=query), "origin")


def test_a_path_whose_positions_are_all_far_apart_is_refused_by_name(publishable: Api) -> None:
    path = [{"coordinates": "50.0,9.97"}, {"coordinates": "50.0,10.012"}]
    assert_refused(publishable.post("/v1/route/match", json={"path": path}), "path")
