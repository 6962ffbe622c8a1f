"""Single events: read, delete, verify; and events that clients report themselves."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine.domain.environment import Environment
from engine.domain.queries import EventFilter
from engine.engine import Engine
from tests.app.api.conftest import CENTRAL_PARK, Api, assert_refused, circle, fix


def entry(api: Api, name: str) -> dict[str, Any]:
    """Return the event of an entry into a new geofence."""
    api.post("/v1/geofences", json=circle(name))
    events = api.post("/v1/track", json=fix(name)).json()["events"]
    (event,) = [event for event in events if event["geofence"]["tag"] == name]
    found: dict[str, Any] = event
    return found


def conversion(device_id: str, **fields: Any) -> dict[str, Any]:
    return {"name": "bought", "deviceId": device_id} | fields


def test_read_and_delete(secret: Api, live: Api, name: str) -> None:
    event = entry(secret, name)
    path = f"/v1/events/{event['_id']}"
    assert secret.get(path).json()["event"] == event
    assert live.get(path).status_code == 404
    assert live.delete(path).status_code == 404
    assert secret.delete(path).json()["event"] == event
    assert_refused(secret.get(path), "id", status=404)
    assert_refused(secret.delete(path), "id", status=404)
    assert secret.get(f"/v1/events?tag={name}").json()["events"] == []


def test_reading_and_deleting_need_a_secret_key(secret: Api, publishable: Api, name: str) -> None:
    event = entry(secret, name)
    assert publishable.get(f"/v1/events/{event['_id']}").status_code == 403
    assert publishable.delete(f"/v1/events/{event['_id']}").status_code == 403


@pytest.mark.parametrize(
    ("sent", "shown"),
    [(1, 1), (-1, -1), (0, 0), ("ACCEPT", 1), ("reject", -1), ("Unverify", 0), ("1", 1), ("-1", -1)],
)
def test_verification(secret: Api, publishable: Api, name: str, sent: object, shown: int) -> None:
    event = entry(secret, name)
    verified = publishable.put(f"/v1/events/{event['_id']}/verification", json={"verification": sent}).json()["event"]
    assert verified == event | {"verification": shown}
    assert secret.get(f"/v1/events/{event['_id']}").json()["event"] == verified


def test_verification_with_a_place_and_as_a_form(secret: Api, publishable: Api, name: str) -> None:
    event = entry(secret, name)
    form = {"verification": "accept", "verifiedPlaceId": "p1"}
    verified = publishable.put(f"/v1/events/{event['_id']}/verification", data=form).json()["event"]
    assert (verified["verification"], verified["verifiedPlaceId"]) == (1, "p1")
    assert secret.get(f"/v1/events?tag={name}").json()["events"] == [verified]


@pytest.mark.parametrize("value", [2, -2, 0.5, 1.0, True, "yes", "", [], {}, None, 10**30])
def test_bad_verifications(secret: Api, publishable: Api, name: str, value: object) -> None:
    event = entry(secret, name)
    path = f"/v1/events/{event['_id']}/verification"
    assert_refused(publishable.put(path, json={"verification": value}), "verification")
    assert_refused(publishable.put(path, json={}), "verification", "required")
    assert_refused(publishable.put(path, json={"verification": 1, "verifiedPlaceId": 5}), "verifiedPlaceId")
    assert "verification" not in secret.get(f"/v1/events/{event['_id']}").json()["event"]


def test_no_such_event_to_verify(publishable: Api) -> None:
    response = publishable.put("/v1/events/nothing/verification", json={"verification": 1})
    assert_refused(response, "id", status=404)


def test_a_conversion_of_a_known_user(secret: Api, publishable: Api, name: str) -> None:
    user = publishable.post("/v1/track", json=fix(name, userId=f"u-{name}", metadata={"a": 1})).json()["user"]
    body = conversion(name, userId=f"u-{name}", metadata={"revenue": 9.5, "new": True}, createdAt="2025-03-01")
    event = publishable.post("/v1/events", json=body).json()["event"]
    assert event["type"] == "bought"
    assert event["createdAt"] == "2025-03-01T00:00:00.000Z"
    assert event["metadata"] == {"revenue": 9.5, "new": True}
    assert event["user"] == {"_id": user["_id"], "deviceId": name, "userId": f"u-{name}", "metadata": {"a": 1}}
    assert event["location"]["coordinates"] == list(CENTRAL_PARK)
    assert event["confidence"] == 3
    assert not {"geofence", "duration"} & set(event)
    assert secret.get(f"/v1/events/{event['_id']}").json()["event"] == event
    assert secret.get(f"/v1/events?deviceId={name}&type=bought").json()["events"] == [event]


@pytest.mark.parametrize("who", ["deviceId", "userId"])
def test_a_conversion_of_an_unknown_user(publishable: Api, name: str, who: str) -> None:
    event = publishable.post("/v1/events", json={"type": "opened_app", who: name}).json()["event"]
    assert event["type"] == "opened_app"
    assert event["user"] == {who: name, "metadata": {}}
    assert not {"location", "metadata", "geofence"} & set(event)
    assert event["createdAt"] == event["actualCreatedAt"]


def test_a_conversion_carries_the_device_that_reports_it(secret: Api, publishable: Api, name: str) -> None:
    device = {"deviceType": "iOS", "deviceOS": "17.4", "deviceMake": "Apple", "deviceModel": "iPhone14,5"}
    body = conversion(name, **device, sdkVersion="3.39.0", installId=f"install-{name}", id="x", verified=False)
    event = publishable.post("/v1/events", json=body).json()["event"]
    assert {key: event[key] for key in device} == device
    assert (event["custom"], event["sdkVersion"]) == (True, "3.39.0")
    assert (event["user"]["sdkVersion"], event["user"]["installId"]) == ("3.39.0", f"install-{name}")
    assert secret.get(f"/v1/events/{event['_id']}").json()["event"] == event


def test_earlier_fields_of_the_device_are_used(secret: Api, publishable: Api, name: str) -> None:
    publishable.post("/v1/track", json=fix(name, deviceType="Android", deviceModel="Pixel 8", deviceOS="14"))
    event = publishable.post("/v1/events", json=conversion(name, deviceOS="15")).json()["event"]
    assert (event["deviceType"], event["deviceModel"], event["deviceOS"]) == ("Android", "Pixel 8", "15")
    assert "sdkVersion" not in event
    entered = [each for each in secret.get(f"/v1/events?deviceId={name}").json()["events"] if each["type"] != "bought"]
    assert all("custom" not in each for each in entered)


@pytest.mark.parametrize("word", ["displayed", "clicked", "dismissed"])
def test_the_outcome_of_an_in_app_message(secret: Api, publishable: Api, name: str, word: str) -> None:
    kind = f"user.{word}_in_app_message"
    metadata = {"campaignId": "c1", "geofenceId": "", "campaignMetadata": '{"a": 1}', "displayDuration": 5210}
    body = {"type": kind, "deviceId": name, "metadata": metadata, "installId": None, "sdkVersion": None}
    event = publishable.post("/v1/events", json=body).json()["event"]
    assert (event["type"], event["metadata"], event["custom"]) == (kind, metadata, True)
    assert secret.get(f"/v1/events?type={kind}&deviceId={name}").json()["events"] == [event]
    for forged in (kind.upper(), kind + "s", kind.title()):
        assert_refused(publishable.post("/v1/events", json=body | {"type": forged}), "type", "user.")


def test_a_form_of_a_conversion(publishable: Api, name: str) -> None:
    form = {"name": "bought", "deviceId": name, "metadata[revenue]": "5", "createdAt": "2025-03-01"}
    assert publishable.post("/v1/events", data=form).json()["event"]["metadata"] == {"revenue": 5}


def test_the_name_wins_if_both_are_given(publishable: Api, name: str) -> None:
    body = conversion(name, type="conversion")
    assert publishable.post("/v1/events", json=body).json()["event"]["type"] == "bought"


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"name": None}, "name", "required"),
    ({"deviceType": "Toaster"}, "deviceType", "iOS"),
    ({"sdkVersion": 3}, "sdkVersion", "a string"),
    ({"installId": ["a"]}, "installId", "a string"),
    ({"deviceModel": {}}, "deviceModel", "a string"),
    ({"name": ""}, "name", "1 to 256"),
    ({"name": 5}, "name", "a string"),
    ({"name": "x" * 257}, "name", "257"),
    ({"name": "user.entered_geofence"}, "name", "user."),
    ({"name": "User.Bought"}, "name", "user."),
    ({"name": None, "type": "user.bought"}, "type", "user."),
    ({"deviceId": None}, "deviceId", "deviceId, userId or installId"),
    ({"deviceId": 5}, "deviceId", "a string"),
    ({"userId": ""}, "userId", "1 to 256"),
    ({"metadata": {f"k{n}": n for n in range(33)}}, "metadata", "32"),
    ({"metadata": {"a": {"b": 1}}}, "metadata", "'a'"),
    ({"metadata": [1]}, "metadata", "dictionary"),
    ({"createdAt": "yesterday"}, "createdAt", "ISO 8601"),
    ({"createdAt": 5}, "createdAt", "ISO 8601"),
    ({"createdAt": "0001-01-01"}, "createdAt", "years"),
]


@pytest.mark.parametrize(("fields", "param", "words"), BAD)
def test_bad_conversions(secret: Api, name: str, fields: dict[str, Any], param: str, words: str) -> None:
    assert_refused(secret.post("/v1/events", content=json.dumps(conversion(name, **fields))), param, words)
    assert secret.get(f"/v1/events?deviceId={name}").json()["events"] == []


def test_waiting_hears_of_conversions(secret: Api, name: str) -> None:
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(secret.get, f"/v1/events?deviceId={name}&type=bought&waitSeconds=30")
        secret.post("/v1/events", json=conversion(f"other-{name}"))
        secret.post("/v1/events", json=conversion(name))
        (event,) = waiting.result(timeout=60).json()["events"]
    assert event["user"]["deviceId"] == name


def test_an_event_without_a_geofence_does_not_match_a_geofence_filter(engine: Engine, secret: Api, name: str) -> None:
    event_id = secret.post("/v1/events", json=conversion(name)).json()["event"]["_id"]
    event = engine.history.get(Environment.TEST, event_id)
    assert EventFilter(device_id=name).may_take(event)
    assert not EventFilter(tags=frozenset({"park"})).may_take(event)
    assert not EventFilter(external_id="1").may_take(event)
