"""The route of an ended trip, along the roads of the synthetic town."""

from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused
from tests.app.api.routing.test_route import PATH, engine, town_folder
from tests.engine.routing.reference import textbook_decode
from tests.engine.routing.town import at

__all__ = ["engine", "town_folder"]


def ended_trip(publishable: Api, secret: Api, name: str, path: list[dict[str, Any]]) -> str:
    """Return the path of the route of a trip by car through positions."""
    secret.patch("/v1/settings", json={"rateLimit": False})
    publishable.post("/v1/trips", json={"externalId": name, "deviceId": name, "mode": "car"})
    for item in path:
        latitude, longitude = map(float, item["coordinates"].split(","))
        body = {"deviceId": name, "latitude": latitude, "longitude": longitude, "accuracy": item["accuracy"]}
        assert publishable.post("/v1/track", json=body).status_code == 200
    route = f"/v1/trips/{name}/route"
    assert_refused(secret.get(route), "id", "started")
    publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed"})
    return route


@pytest.mark.slow
def test_the_route_of_a_trip_is_its_matched_path(publishable: Api, secret: Api, name: str) -> None:
    answer = secret.get(ended_trip(publishable, secret, name, PATH)).json()
    assert set(answer) == {"meta", "distance", "geometry"}
    matched = publishable.post("/v1/route/match", json={"path": PATH, "mode": "car"}).json()
    assert answer["distance"]["value"] == pytest.approx(matched["distance"]["value"], rel=0.01)
    assert answer["distance"]["text"] == matched["distance"]["text"]
    line = textbook_decode(answer["geometry"]["polyline"], 6)
    assert line[0] == pytest.approx((at(-500, 0).longitude, at(-500, 0).latitude), abs=0.0003)


@pytest.mark.slow
def test_a_trip_away_from_all_roads(publishable: Api, secret: Api, name: str) -> None:
    path = [{"coordinates": f"1,{2 + number / 1000}", "accuracy": 8} for number in range(4)]
    assert_refused(secret.get(ended_trip(publishable, secret, name, path)), "id", "path")
