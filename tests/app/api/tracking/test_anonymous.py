"""Updates of anonymous devices over a real socket, which are decided by the reported state and never stored."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import ANONYMOUS_DEVICE
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, circle, fix

LATITUDE = -60.0


@pytest.fixture
def fences(secret: Api, name: str) -> list[str]:
    """The identifiers of two geofences a kilometre apart; the first one contains `at(0)`."""
    place = _longitude(name)
    ids = []
    for number in (0, 1):
        body = circle(name, str(number), coordinates=[place + number * 0.02, LATITUDE])
        ids.append(secret.post("/v1/geofences", json=body).json()["geofence"]["_id"])
    return ids


def _longitude(name: str) -> float:
    return -170 + int(name.removeprefix("name")) * 0.2


def at(name: str, number: int, *inside: str, **fields: Any) -> dict[str, Any]:
    """Return the body of an update in the geofence `number`, from a device that reports to be inside others."""
    position = fix(ANONYMOUS_DEVICE, _longitude(name) + number * 0.02, latitude=LATITUDE)
    return position | {"anonymous": True, "geofenceIds": list(inside), "regionIds": [], "beaconIds": []} | fields


def track(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    response = api.post("/v1/track", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def kinds(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(event["type"].removeprefix("user."), event["geofence"]["_id"]) for event in answer["events"]]


def test_a_walk_whose_state_the_device_keeps(publishable: Api, name: str, fences: list[str]) -> None:
    inside: list[str] = []
    seen = []
    for number in (0, 0, 1, 5):
        answer = track(publishable, at(name, number, *inside))
        seen.append(kinds(answer))
        inside = [geofence["_id"] for geofence in answer["user"]["geofences"]]
    first, second = fences
    assert seen == [
        [("entered_geofence", first)],
        [],
        [("exited_geofence", first), ("entered_geofence", second)],
        [("exited_geofence", second)],
    ]
    assert inside == []


def test_an_answer_has_the_fields_that_clients_need_and_no_user_id(
    publishable: Api, name: str, fences: list[str]
) -> None:
    entered = track(publishable, at(name, 0, userId="ann", stopped=True, source="GEOFENCE_ENTER"))
    user, (event,) = entered["user"], entered["events"]
    assert (user["deviceId"], user["stopped"], user["source"]) == (ANONYMOUS_DEVICE, True, "GEOFENCE_ENTER")
    assert user["_id"]
    assert "userId" not in user
    assert user["geofences"][0]["geometryRadius"] == 100
    assert (event["user"]["deviceId"], event["user"]["_id"]) == (ANONYMOUS_DEVICE, user["_id"])
    assert event["confidence"] == 3
    again = track(publishable, at(name, 0))
    assert again["user"]["_id"] != user["_id"]
    assert again["events"][0]["_id"] != event["_id"]
    assert "duration" not in track(publishable, at(name, 5, fences[0]))["events"][0]


def test_nothing_is_stored(secret: Api, publishable: Api, engine: Engine, name: str, fences: list[str]) -> None:
    before = engine.history.counts(Environment.TEST)
    entered = track(publishable, at(name, 0))
    track(publishable, at(name, 0) | {"deviceId": f"phone-{name}"})
    body = at(name, 0)
    del body["anonymous"]
    track(publishable, body)
    assert engine.history.counts(Environment.TEST) == before
    assert secret.get(f"/v1/users/{ANONYMOUS_DEVICE}").status_code == 404
    assert secret.get(f"/v1/users/phone-{name}").status_code == 404
    assert secret.get(f"/v1/events/{entered['events'][0]['_id']}").status_code == 404
    assert secret.get(f"/v1/geofences/{fences[0]}/users").json()["users"] == []
    assert secret.get(f"/v1/events?tag={name}").json()["events"] == []


def test_two_phones_share_nothing(publishable: Api, name: str, fences: list[str]) -> None:
    """Both phones enter, in any order of their updates; with a shared presence, the second one would not."""

    def walk(_: int) -> list[list[tuple[str, str]]]:
        return [kinds(track(publishable, at(name, 0))), kinds(track(publishable, at(name, 5, fences[0])))]

    with ThreadPoolExecutor(4) as pool:
        walks = list(pool.map(walk, range(8)))
    assert walks == [[[("entered_geofence", fences[0])], [("exited_geofence", fences[0])]]] * 8


def test_the_limit_of_one_device_is_not_for_the_many(publishable: Api, engine: Engine, name: str) -> None:
    engine.settings.change(Environment.TEST, SettingsChange(rate_limit=True))
    try:
        for _ in range(4):
            track(publishable, at(name, 0))
    finally:
        engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))


def test_the_same_rules_hold(secret: Api, publishable: Api, name: str) -> None:
    position = [_longitude(name), LATITUDE]
    rules: list[dict[str, Any]] = [{"enabled": False}, {"userIds": "ann"}, {"stopDetection": True}]
    for number, fields in enumerate(rules):
        secret.post("/v1/geofences", json=circle(name, str(number), coordinates=position, **fields))
    assert track(publishable, at(name, 0, userId="ann"))["events"] == []
    (stopped,) = track(publishable, at(name, 0, stopped=True))["events"]
    assert stopped["geofence"]["externalId"] == "2"
    answer = secret.post("/v1/track?explain=true", json=at(name, 0)).json()
    assert {each["decision"] for each in answer["explanations"]} >= {"entry withheld"}


def test_unknown_ids_are_left_out(publishable: Api, name: str, fences: list[str]) -> None:
    unknown = ["gone", fences[0], fences[0], "ü", "0" * 24]
    answer = track(publishable, at(name, 0, *unknown, placeId="nowhere", regionIds=["planet-1", "country-", "x"]))
    assert answer["events"] == []
    assert [geofence["_id"] for geofence in answer["user"]["geofences"]] == [fences[0]]


def test_null_is_nothing(publishable: Api, name: str, fences: list[str]) -> None:
    nothing = dict.fromkeys(["geofenceIds", "placeId", "regionIds", "beaconIds", "userId"])
    assert kinds(track(publishable, at(name, 0) | nothing)) == [("entered_geofence", fences[0])]


def test_a_device_with_a_name_that_is_not_anonymous_is_stored(secret: Api, name: str) -> None:
    for value in (False, None):
        secret.post("/v1/track", json=fix(name, anonymous=value))
        assert secret.get(f"/v1/users/{name}").status_code == 200


@pytest.mark.parametrize(
    ("param", "value"),
    [
        ("anonymous", "yes"),
        ("geofenceIds", 5),
        ("geofenceIds", {"a": 1}),
        ("geofenceIds", [None]),
        ("geofenceIds", [7]),
        ("placeId", ["a"]),
        ("regionIds", True),
    ],
)
def test_the_wrong_type_is_named(publishable: Api, name: str, param: str, value: object) -> None:
    response = publishable.post("/v1/track", json=at(name, 0) | {param: value})
    assert response.status_code == 400
    assert response.json()["meta"]["param"].startswith(param)


def test_a_replay_of_such_updates_stores_nothing(publishable: Api, secret: Api, name: str, fences: list[str]) -> None:
    body = {"replays": [at(name, 0), fix(name, _longitude(name), latitude=LATITUDE), at(name, 5, fences[0]), {}]}
    answer = publishable.post("/v1/track/replay", json=body).json()
    codes = [each["meta"]["code"] for each in answer["replays"]]
    assert codes == [200, 200, 200, 400]
    entered, known, left, _ = answer["replays"]
    assert kinds(entered) == kinds(known) == [("entered_geofence", fences[0])]
    assert kinds(left) == [("exited_geofence", fences[0])]
    assert len(secret.get(f"/v1/events?tag={name}").json()["events"]) == 1


def test_nearby_geofences_and_a_missing_device(publishable: Api, name: str, fences: list[str]) -> None:
    answer = track(publishable, at(name, 0, nearbyGeofences=True))
    assert [geofence["_id"] for geofence in answer["nearbyGeofences"]][:2] == fences
    body = at(name, 0)
    del body["deviceId"]
    assert_refused(publishable.post("/v1/track", json=body), "deviceId")


@pytest.mark.parametrize("who", [{"deviceId": "anonymous"}, {"deviceId": "phone", "userId": "ann", "anonymous": True}])
def test_a_conversion_is_answered_and_not_stored(secret: Api, publishable: Api, name: str, who: dict[str, Any]) -> None:
    answer = publishable.post("/v1/events", json={"name": name, "metadata": {"revenue": 5}, **who}).json()
    assert (answer["event"]["type"], answer["event"]["user"]["deviceId"]) == (name, ANONYMOUS_DEVICE)
    assert "userId" not in answer["event"]["user"]
    assert secret.get("/v1/events", params={"type": name}).json()["events"] == []
    assert secret.get(f"/v1/events/{answer['event']['_id']}").status_code == 404


@pytest.mark.parametrize("path", ["/v1/track", "/v1/track?explain=true", "/v1/track/replay"])
def test_a_trip_that_is_not_updated_gives_a_warning(secret: Api, name: str, fences: list[str], path: str) -> None:
    body = at(name, 0, tripOptions={"externalId": name})
    answer = secret.post(path, json={"replays": [body]} if path.endswith("replay") else body).json()
    meta = answer["replays"][0]["meta"] if path.endswith("replay") else answer["meta"]
    assert meta["warnings"] == [f"tripOptions.externalId: the trip '{name}' is not updated for an anonymous device."]
    assert secret.get("/v1/trips", params={"externalId": name}).json()["trips"] == []
