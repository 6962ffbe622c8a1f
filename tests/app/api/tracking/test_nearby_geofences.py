"""Nearby geofences in responses to location updates, for mobile devices to monitor, over a real socket."""

from itertools import count
from typing import Any

import pytest

from app.api.wire.track import DEFAULT_NEARBY, MAX_NEARBY
from tests.app.api.conftest import Api, assert_refused, circle, fix

_PLACES = count(1)


@pytest.fixture
def place() -> tuple[float, float]:
    """A longitude and latitude without geofences within 100 km."""
    return -170.0 + next(_PLACES) * 3, -20.0


def make(secret: Api, tag: str, place: tuple[float, float], number: int, **fields: Any) -> dict[str, Any]:
    """Create a circle about `number` kilometres north of a place."""
    body = circle(tag, str(number), coordinates=[place[0], place[1] + number / 111.0], **fields)
    made: dict[str, Any] = secret.post("/v1/geofences", json=body).json()["geofence"]
    return made


def nearby(api: Api, device: str, place: tuple[float, float], **fields: Any) -> list[dict[str, Any]]:
    body = fix(device, latitude=place[1], longitude=place[0], nearbyGeofences=True, **fields)
    found: list[dict[str, Any]] = api.post("/v1/track", json=body).json()["nearbyGeofences"]
    return found


def test_the_nearest_first_with_the_fields_a_phone_needs_to_watch_them(
    secret: Api, publishable: Api, name: str, place: tuple[float, float]
) -> None:
    for number in (30, 2, 90, 130):
        make(secret, name, place, number)
    ring = [[place[0] + x, place[1] + y] for x, y in ((0.01, 0.0), (0.02, 0.0), (0.02, 0.01), (0.01, 0.0))]
    secret.post("/v1/geofences", json=circle(name, "polygon", type="polygon", coordinates=ring))
    found = nearby(publishable, name, place)
    assert [geofence["externalId"] for geofence in found] == ["polygon", "2", "30", "90"]
    polygon, nearest = found[:2]
    assert polygon["type"] == "polygon"
    assert polygon["geometry"]["coordinates"] == [ring]
    assert polygon["geometryRadius"] > 500
    assert (nearest["type"], nearest["geometryRadius"]) == ("circle", 100)
    assert nearest["geometryCenter"]["coordinates"] == [place[0], pytest.approx(place[1] + 2 / 111.0)]
    assert "geometry" not in nearest


def test_only_geofences_that_may_generate_events_for_this_user(
    secret: Api, publishable: Api, name: str, place: tuple[float, float]
) -> None:
    make(secret, name, place, 1, enabled=False)
    make(secret, name, place, 2, userIds="ann")
    make(secret, name, place, 3, ip="10.0.0.0/8")
    make(secret, name, place, 4, ip="127.0.0.1")
    assert [each["externalId"] for each in nearby(publishable, name, place)] == ["4"]
    found = nearby(publishable, name, place, userId="ann")
    assert [each["externalId"] for each in found] == ["2", "4"]
    assert not {"userIds", "ip"} & found[0].keys()


def test_as_many_as_the_device_can_watch(secret: Api, publishable: Api, name: str, place: tuple[float, float]) -> None:
    for number in range(DEFAULT_NEARBY + 2):
        make(secret, name, place, number)
    assert len(nearby(publishable, name, place)) == DEFAULT_NEARBY
    for limit, expected in ((5, 5), (0, 0), (MAX_NEARBY + 900, DEFAULT_NEARBY + 2), (None, DEFAULT_NEARBY)):
        assert len(nearby(publishable, name, place, nearbyGeofencesLimit=limit)) == expected


def test_who_does_not_ask_gets_none(publishable: Api, name: str) -> None:
    wishes: list[dict[str, Any]] = [{}, {"nearbyGeofences": False}, dict.fromkeys(["nearbyGeofences"])]
    for wish in wishes:
        assert "nearbyGeofences" not in publishable.post("/v1/track", json=fix(name, **wish)).json()


@pytest.mark.parametrize(
    ("param", "value"),
    [
        ("nearbyGeofences", "yes"),
        ("nearbyGeofences", 2),
        ("nearbyGeofencesLimit", "10"),
        ("nearbyGeofencesLimit", -1),
        ("nearbyGeofencesLimit", 1.5),
        ("nearbyGeofencesLimit", []),
    ],
)
def test_a_wish_of_the_wrong_type_is_named(publishable: Api, name: str, param: str, value: Any) -> None:
    assert_refused(publishable.post("/v1/track", json=fix(name, **{param: value})), param)


def test_a_form_and_an_explained_update_get_them_too(secret: Api, name: str, place: tuple[float, float]) -> None:
    make(secret, name, place, 1)
    body = fix(name, latitude=place[1], longitude=place[0], nearbyGeofences=True)
    explained = secret.post("/v1/track?explain=true", json=body).json()
    assert [each["tag"] for each in explained["nearbyGeofences"]] == [name]
    assert "explanations" in explained
    form = {key: str(value) for key, value in body.items()}
    assert [each["tag"] for each in secret.post("/v1/track", data=form).json()["nearbyGeofences"]] == [name]
