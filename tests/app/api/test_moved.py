"""Positions off the roads: the response says how far they were moved; without a road nearby they are refused."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused
from tests.app.api.routing.test_route import CENTER, CORNER, PATH, engine, spelled, town_folder
from tests.engine.routing.town import at

__all__ = ["engine", "town_folder"]

OFF = at(-310, 300)
"""290 metres from West Street."""

FAR_OFF = at(0, -9_000)
"""Six kilometres from Lonely Lane."""

AWAY = spelled(OFF)
SENTENCE = re.compile(r"(\w+): (item \d )?\(([\d.]+,[\d.]+)\) was moved (\d+) m to the nearest road for (\w+)\.")

type Subjects = list[tuple[str, str, str]]


def warning_subjects(answer: Mapping[str, Any]) -> Subjects:
    """Return the subject of each warning: the parameter, the item in it, and the mode."""
    found = [SENTENCE.fullmatch(text) for text in answer["meta"].get("warnings", [])]
    assert all(each is not None and 285 < int(each[4]) < 295 for each in found), answer["meta"]
    return [(each[1], (each[2] or "").strip(), each[5]) for each in found if each is not None]


@pytest.mark.parametrize(
    ("name", "query", "warnings"),
    [
        ("distance", {"origin": CENTER, "destination": CORNER, "modes": "car"}, []),
        ("distance", {"origin": AWAY, "destination": CORNER, "modes": "car"}, [("origin", "", "car")]),
        (
            "distance",
            {"origin": CENTER, "destination": AWAY, "modes": "foot,bike"},
            [("destination", "", "foot"), ("destination", "", "bike")],
        ),
        ("directions", {"locations": f"{CENTER}|{CORNER}"}, []),
        ("directions", {"locations": f"{CENTER}|{AWAY}|{CORNER}", "mode": "foot"}, [("locations", "item 2", "foot")]),
        ("directions", {"locations": f"{AWAY}|{CORNER}", "alternatives": "true"}, [("locations", "item 1", "car")]),
        ("matrix", {"origins": f"{CENTER}|{CORNER}", "destinations": CENTER, "mode": "car"}, []),
        (
            "matrix",
            {"origins": f"{CENTER}|{AWAY}", "destinations": AWAY, "mode": "truck"},
            [("origins", "item 2", "truck"), ("destinations", "", "truck")],
        ),
        ("optimize", {"locations": f"{CENTER}|{CORNER}|{CENTER}"}, []),
        ("optimize", {"locations": f"{CENTER}|{CORNER}|{AWAY}|{CENTER}"}, [("locations", "item 3", "car")]),
        ("optimize", {"locations": f"{CENTER}|{CORNER}|{AWAY}"}, [("locations", "item 3", "car")]),
    ],
)
def test_every_route_warns_how_far_its_ends_were_moved(
    publishable: Api, name: str, query: dict[str, str], warnings: Subjects
) -> None:
    response = publishable.get(f"/v1/route/{name}", params=query)
    assert response.status_code == 200, response.text
    assert warning_subjects(response.json()) == warnings


def test_the_whole_sentence(publishable: Api) -> None:
    answer = publishable.get(
        "/v1/route/distance", params={"origin": AWAY, "destination": CENTER, "modes": "car"}
    ).json()
    (warning,) = answer["meta"]["warnings"]
    position = f"{OFF.latitude:.6g},{OFF.longitude:.6g}"
    assert re.fullmatch(rf"origin: \({position}\) was moved 29\d m to the nearest road for car\.", warning)


def test_a_match_moves_nothing(publishable: Api) -> None:
    assert "warnings" not in publishable.post("/v1/route/match", json={"path": PATH}).json()["meta"]


def isochrone(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "tag": name,
        "externalId": "1",
        "description": "Away",
        "type": "isochrone",
        "coordinates": [OFF.longitude, OFF.latitude],
        "radius": 3,
        "mode": "car",
    } | fields


def test_an_isochrone_may_be_as_far_from_a_road_as_a_route(secret: Api, name: str) -> None:
    created = secret.post("/v1/geofences", json=isochrone(name)).json()
    assert warning_subjects(created) == [("coordinates", "", "car")]
    assert created["geofence"]["geometryCenter"]["coordinates"] == [OFF.longitude, OFF.latitude]
    path = f"/v1/geofences/{name}/1"
    assert warning_subjects(secret.put(path, json={"mode": "foot"}).json()) == [("coordinates", "", "foot")]
    assert warning_subjects(secret.put(path, json={"description": "Renamed"}).json()) == []
    assert warning_subjects(secret.get(path).json()) == []
    by_id = f"/v1/geofences/{created['geofence']['_id']}"
    assert warning_subjects(secret.put(by_id, json={"radius": 4}).json()) == [("coordinates", "", "foot")]
    on_road = at(0, 100)
    assert warning_subjects(secret.put(path, json={"coordinates": [on_road.longitude, on_road.latitude]}).json()) == []


def test_an_isochrone_without_a_road_names_position_and_area(secret: Api, name: str) -> None:
    position = f"({FAR_OFF.latitude:.6g},{FAR_OFF.longitude:.6g})"
    away = isochrone(name, coordinates=[FAR_OFF.longitude, FAR_OFF.latitude])
    assert_refused(secret.post("/v1/geofences", json=away), "coordinates", position, "car", "town")
    soon = isochrone(name, radius=0.0001)
    position = f"({OFF.latitude:.6g},{OFF.longitude:.6g})"
    assert_refused(secret.post("/v1/geofences", json=soon), "radius", position, "car", "town")
