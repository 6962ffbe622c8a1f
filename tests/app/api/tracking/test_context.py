"""GET /v1/context."""

import pytest

from tests.app.api.conftest import Api, assert_refused, circle


def test_the_geofences_around_a_position(secret: Api, publishable: Api, name: str) -> None:
    at = [30.0, 30.0]
    for external_id in ("b", "a"):
        secret.post("/v1/geofences", json=circle(name, external_id, coordinates=at, metadata={"a": 1}))
    secret.post("/v1/geofences", json=circle(name, "off", coordinates=at, enabled=False))
    answer = publishable.get("/v1/context?coordinates=30.0005,30&accuracy=10").json()
    assert [geofence["externalId"] for geofence in answer["context"]["geofences"]] == ["a", "b"]
    assert answer["geofences"] == answer["context"]["geofences"]
    assert answer["live"] is answer["context"]["live"] is False
    assert publishable.get("/v1/context?coordinates=30.01,30").json()["geofences"] == []


def test_no_user_is_tracked(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name, coordinates=[31.0, 31.0]))
    publishable.get(f"/v1/context?coordinates=31,31&deviceId={name}")
    assert secret.get(f"/v1/users?deviceId={name}").json()["users"] == []
    assert secret.get(f"/v1/events?tag={name}").json()["events"] == []


def test_live_has_its_own(live: Api, secret: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name, coordinates=[32.0, 32.0]))
    answer = live.get("/v1/context?coordinates=32,32").json()
    assert (answer["geofences"], answer["live"]) == ([], True)


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("", "coordinates"),
        ("coordinates=", "coordinates"),
        ("coordinates=1", "coordinates"),
        ("coordinates=1,2,3", "coordinates"),
        ("coordinates=1,x", "coordinates"),
        ("coordinates=91,0", "coordinates"),
        ("coordinates=0,-181", "coordinates"),
        ("coordinates=nan,0", "coordinates"),
        ("coordinates=1&coordinates=2", "coordinates"),
        ("coordinates=1,2&accuracy=0", "accuracy"),
        ("coordinates=1,2&accuracy=near", "accuracy"),
        ("coordinates=1,2&accuracy=inf", "accuracy"),
    ],
)
def test_bad_queries(publishable: Api, query: str, param: str) -> None:
    assert_refused(publishable.get(f"/v1/context?{query}"), param)
