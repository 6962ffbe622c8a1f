"""Geofences by address and by place over a real socket, in real towns."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, unlimited
from tests.real_areas import workspace_with_areas

BEAVER = {"address": "120 East Beaver Avenue, State College, PA 16801"}


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with Liechtenstein and State College."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)
    with Engine.open(folder) as engine:
        unlimited(engine)
        yield engine


def body(name: str, external_id: str = "1", **fields: Any) -> dict[str, Any]:
    return {"description": "Somewhere", "type": "circle", "tag": name, "externalId": external_id, "radius": 80} | fields


def created(api: Api, fields: dict[str, Any]) -> dict[str, Any]:
    response = api.post("/v1/geofences", json=fields)
    assert response.status_code == 200, response.text
    geofence: dict[str, Any] = response.json()["geofence"]
    return geofence


def found(api: Api, **params: str) -> dict[str, Any]:
    place: dict[str, Any] = api.get("/v1/search/places", params=params).json()["places"][0]
    return place


def test_by_address(secret: Api, name: str) -> None:
    geofence = created(secret, body(name, **BEAVER))
    assert (geofence["type"], geofence["geometryRadius"]) == ("circle", 80)
    assert geofence["geometryCenter"]["coordinates"] == pytest.approx([-77.8585, 40.7944], abs=2e-3)
    form = {key: str(value) for key, value in body(name, "2", **BEAVER).items()}
    assert secret.post("/v1/geofences", data=form).json()["geofence"]["geometryCenter"] == geofence["geometryCenter"]
    near = [coordinate + 1e-3 for coordinate in geofence["geometryCenter"]["coordinates"]]
    both = created(secret, body(name, "3", **BEAVER, coordinates=near))
    assert both["geometryCenter"]["coordinates"] == near
    far = [near[0] + 0.05, near[1]]
    assert_refused(secret.post("/v1/geofences", json=body(name, "4", **BEAVER, coordinates=far)), "address", "1 km")
    nowhere = body(name, "4", address="99999 Nonsuch Boulevard, State College, PA")
    assert_refused(secret.post("/v1/geofences", json=nowhere), "address", "no certain match", "State College, PA US")
    for text, words in (("PA", "Pennsylvania, US"), ("Georgia", "too large"), ("Starbucks", "ambiguous")):
        assert_refused(secret.post("/v1/geofences", json=body(name, "4", address=text)), "address", words)
    walk = body(name, "4", address="Zürich") | {"type": "isochrone", "mode": "foot", "radius": 5}
    assert_refused(secret.post("/v1/geofences", json=walk), "address", "area")
    assert_refused(secret.post("/v1/geofences", json=body(name, "4")), "coordinates", "address", "place ID")


def test_by_place(secret: Api, publishable: Api, name: str) -> None:
    museum = found(publishable, near="47.1395,9.5221", categories="museum")
    geofence = created(secret, body(name, placeId=museum["_id"]))
    assert geofence["type"] == "polygon"
    assert len(geofence["geometry"]["coordinates"][0]) >= 4
    moved = secret.put(f"/v1/geofences/{name}/1", json=BEAVER)
    assert moved.json()["geofence"]["geometry"] == geofence["geometry"], "a polygon ignores an address"
    unknown = "0" * 24
    assert_refused(secret.post("/v1/geofences", json=body(name, "2", placeId=unknown)), "placeId", unknown)
    kept = created(secret, body(name, "2", placeId=unknown, coordinates=[9.5, 47.1]))
    assert kept["geometryCenter"]["coordinates"] == [9.5, 47.1]


def test_a_place_that_is_a_point_is_a_circle(secret: Api, publishable: Api, name: str) -> None:
    stop = found(publishable, near="47.1395,9.5221", categories="bus-stop")
    fields = body(name, placeId=stop["_id"])
    assert created(secret, fields)["geometryCenter"]["coordinates"] == stop["location"]["coordinates"]
    del fields["radius"]
    assert created(secret, fields | {"externalId": "2"})["geometryRadius"] == 100
