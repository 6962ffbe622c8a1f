"""POST /v1/sync/region over a real socket."""

from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused, circle

HERE = {"latitude": -40.0, "longitude": 100.0}


def test_a_region_with_its_geofences(secret: Api, publishable: Api, name: str) -> None:
    ways: list[tuple[float, dict[str, Any]]] = [
        *((0.0, {}), (0.05, {}), (0.2, {})),
        *((0.0, {"enabled": False}), (0.0, {"userIds": "ann"})),
    ]
    for number, (east, fields) in enumerate(ways):
        secret.post("/v1/geofences", json=circle(name, str(number), coordinates=[100 + east, -40.0], **fields))
    answer = publishable.post("/v1/sync/region", json=HERE).json()
    assert list(answer) == ["meta", "geofences", "places", "beacons", "region"]
    assert [geofence["externalId"] for geofence in answer["geofences"]] == ["0", "1"]
    nearest = answer["geofences"][0]
    assert (nearest["type"], nearest["geometryRadius"]) == ("circle", 100)
    assert nearest["geometryCenter"]["coordinates"] == [100, -40]
    assert (answer["places"], answer["beacons"]) == ([], [])
    assert answer["region"] == {"latitude": -40, "longitude": 100, "radius": 10_000}
    hers = publishable.post("/v1/sync/region", json=HERE | {"userId": "ann"}).json()
    assert {geofence["externalId"] for geofence in hers["geofences"]} == {"0", "1", "4"}
    assert "userIds" not in hers["geofences"][0]


def test_the_beacons_of_a_region(secret: Api, publishable: Api, name: str) -> None:
    beacon = {"description": "Door", "type": "ibeacon", "tag": name, "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d"}
    for number, east in enumerate((0.0, 0.01, 1.0)):
        position = {"geometry": {"type": "Point", "coordinates": [100 + east, -45.0]}}
        body = beacon | position | {"externalId": str(number), "major": 7, "minor": number}
        assert secret.post("/v1/beacons", json=body).status_code == 200
    answer = publishable.post("/v1/sync/region", json={"latitude": -45, "longitude": 100}).json()
    assert [each["externalId"] for each in answer["beacons"]] == ["0", "1"]
    assert answer["beacons"][0]["minor"] == "0"


def test_no_user_is_tracked_and_unknown_keys_are_ignored(secret: Api, publishable: Api, name: str) -> None:
    body = HERE | {"userId": name, "deviceId": name, "installId": 1, "sdkVersion": None}
    assert publishable.post("/v1/sync/region", json=body).status_code == 200
    assert secret.get(f"/v1/users?deviceId={name}").json()["users"] == []


def test_null_is_no_user(publishable: Api) -> None:
    assert publishable.post("/v1/sync/region", json=HERE | {"userId": None}).status_code == 200


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"latitude": None}, "latitude"),
        ({"latitude": 91}, "latitude"),
        ({"latitude": "1"}, "latitude"),
        ({"longitude": True}, "longitude"),
        ({"longitude": 181}, "longitude"),
        ({"userId": 5}, "userId"),
        ({"userId": ""}, "userId"),
    ],
)
def test_an_invalid_value_is_named(publishable: Api, fields: dict[str, Any], param: str) -> None:
    assert_refused(publishable.post("/v1/sync/region", json=HERE | fields), param)


def test_the_ends_of_the_earth(publishable: Api) -> None:
    for latitude, longitude in ((90, 0), (-90, 180), (0, 180), (0, -180), (-0.0, -0.0)):
        region = publishable.post("/v1/sync/region", json={"latitude": latitude, "longitude": longitude}).json()
        assert region["region"]["radius"] > 0
