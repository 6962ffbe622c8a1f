"""Isochrones that reach the edge of an area: a warning with the time that stays inside, whenever one is returned."""

import re
from typing import Any

import pytest

from tests.app.api.conftest import Api
from tests.app.api.routing.test_route import engine, town_folder
from tests.engine.routing.town import at

__all__ = ["engine", "town_folder"]

SENTENCE = re.compile(
    r"radius: (\d+) min by (\w+) reach the edge of the area town, where its roads end; up to (\d+) min stay inside\."
)
CENTER = at(0, 0)


def fence(minutes: float, mode: str) -> dict[str, Any]:
    return {
        "description": "Reach",
        "type": "isochrone",
        "coordinates": [CENTER.longitude, CENTER.latitude],
        "radius": minutes,
        "mode": mode,
    }


def warnings_of(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    found: list[str] = answer.json()["meta"].get("warnings", [])
    return found


def test_one_that_reaches_the_edge_says_so_on_creation_and_reading(secret: Api) -> None:
    created = secret.put("/v1/geofences/reach/far", json=fence(60, "car"))
    (warning,) = warnings_of(created)
    found = SENTENCE.fullmatch(warning)
    assert found is not None, warning
    assert (found[1], found[2]) == ("60", "car")
    assert warnings_of(secret.get("/v1/geofences/reach/far")) == [warning]
    assert warnings_of(secret.get(f"/v1/geofences/{created.json()['geofence']['_id']}")) == [warning]
    assert warnings_of(secret.put("/v1/geofences/reach/far", json={"description": "Renamed"})) == [warning]
    within = warnings_of(secret.put("/v1/geofences/reach/near", json=fence(int(found[3]), "car")))
    assert within == []


@pytest.mark.parametrize("minutes", [1, 5])
def test_one_inside_says_nothing(secret: Api, minutes: int) -> None:
    assert warnings_of(secret.put("/v1/geofences/reach/inside", json=fence(minutes, "foot"))) == []
    assert warnings_of(secret.get("/v1/geofences/reach/inside")) == []


@pytest.mark.parametrize(
    ("name", "query", "param"),
    [
        ("distance", {"origin": "{center}", "destination": "{away}", "modes": "car"}, "destination"),
        ("matrix", {"origins": "{center}", "destinations": "{away}", "mode": "car"}, "destinations"),
        ("directions", {"locations": "{center}|{away}", "mode": "car"}, "locations"),
    ],
)
def test_a_position_outside_the_area_is_reported(
    publishable: Api, name: str, query: dict[str, str], param: str
) -> None:
    away, center = (f"{place.latitude},{place.longitude}" for place in (at(3_400, 300), CENTER))
    filled = {key: value.format(away=away, center=center) for key, value in query.items()}
    (warning,) = warnings_of(publishable.get(f"/v1/route/{name}", params=filled))
    assert warning.startswith(f"{param}: ")
    assert warning.endswith("; it is outside the loaded area (town), where there may be nearer ones.")
