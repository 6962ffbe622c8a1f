"""Single users: read, delete, find in a geofence; and their fraud checks and segments."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.app.api.conftest import Api, assert_refused, circle, fix

AWAY = -73.5


def tracked(api: Api, device: str, **fields: Any) -> dict[str, Any]:
    user: dict[str, Any] = api.post("/v1/track", json=fix(device, **fields)).json()["user"]
    return user


def test_a_user_is_found_by_any_name(secret: Api, name: str) -> None:
    user = tracked(secret, f"d-{name}", userId=f"u-{name}", metadata={"a": 1})
    for key in (user["_id"], f"u-{name}", f"d-{name}"):
        assert secret.get(f"/v1/users/{key}").json()["user"] == user


def test_an_id_wins_over_a_user_id_over_a_device_id(secret: Api, name: str) -> None:
    first = tracked(secret, f"d-{name}")
    by_user_id = tracked(secret, "other", userId=f"d-{name}")
    assert secret.get(f"/v1/users/d-{name}").json()["user"] == by_user_id
    misnamed = tracked(secret, "another", userId=first["_id"])
    assert secret.get(f"/v1/users/{first['_id']}").json()["user"]["deviceId"] == f"d-{name}"
    assert secret.get(f"/v1/users/{misnamed['_id']}").json()["user"] == misnamed


def test_of_a_device_the_latest_user(secret: Api, name: str) -> None:
    tracked(secret, name, userId=f"a-{name}", updatedAt="2025-03-01T10:00:00Z")
    latest = tracked(secret, name, userId=f"b-{name}", updatedAt="2025-03-01T11:00:00Z")
    assert secret.get(f"/v1/users/{name}").json()["user"]["_id"] == latest["_id"]


@pytest.mark.parametrize("key", ["a/b", "ann@example.com", "ü 100%", "+", "a?b#c"])
def test_names_are_percent_encoded(secret: Api, name: str, key: str) -> None:
    user = tracked(secret, name, userId=f"{name}{key}")
    path = f"/v1/users/{quote(f'{name}{key}', safe='')}"
    assert secret.get(path).json()["user"] == user
    assert secret.delete(path).json()["user"]["_id"] == user["_id"]
    assert_refused(secret.get(path), "id", status=404)


def test_deleting_returns_the_users_and_keeps_their_events(secret: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    user = tracked(secret, name)
    assert secret.delete(f"/v1/users/{name}").json()["user"]["_id"] == user["_id"]
    assert_refused(secret.get(f"/v1/users/{name}"), "id", status=404)
    assert_refused(secret.delete(f"/v1/users/{user['_id']}"), "id", status=404)
    assert secret.get(f"/v1/geofences/{name}/1/users").json()["users"] == []
    assert len(secret.get(f"/v1/events?tag={name}").json()["events"]) == 1
    again = tracked(secret, name)
    assert again["_id"] != user["_id"]
    assert len(secret.get(f"/v1/events?tag={name}").json()["events"]) == 2


def test_a_deleted_user_of_a_device_leaves_the_others(secret: Api, name: str) -> None:
    tracked(secret, name, userId=f"a-{name}")
    tracked(secret, name, userId=f"b-{name}")
    secret.delete(f"/v1/users/b-{name}")
    assert secret.get(f"/v1/users/{name}").json()["user"]["userId"] == f"a-{name}"


def test_users_in_a_geofence(secret: Api, name: str) -> None:
    geofence = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]
    for device in ("a", "b", "c"):
        tracked(secret, f"{name}-{device}", userId=f"u-{name}-{device}")
    tracked(secret, f"{name}-a", longitude=AWAY, userId=f"u-{name}-a")
    for path in (f"/v1/geofences/{name}/1/users", f"/v1/geofences/{geofence['_id']}/users"):
        users = secret.get(path).json()["users"]
        assert [user["deviceId"] for user in users] == [f"{name}-c", f"{name}-b"]
        page = secret.get(f"{path}?limit=1").json()
        assert ([user["deviceId"] for user in page["users"]], page["meta"]["hasMore"]) == ([f"{name}-c"], True)
        assert [user["deviceId"] for user in secret.get(f"{path}?userId=u-{name}-b").json()["users"]] == [f"{name}-b"]
        assert secret.get(f"{path}?deviceId={name}-a").json()["users"] == []
        assert secret.get(f"{path}?updatedBefore=2020-01-01").json()["users"] == []
        assert_refused(secret.get(f"{path}?limit=1001"), "limit")


def test_users_in_no_geofence(secret: Api, live: Api, name: str) -> None:
    geofence = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]
    for api, path in ((secret, f"{name}/2"), (live, f"{name}/1"), (live, geofence["_id"]), (secret, "0" * 24)):
        assert api.get(f"/v1/geofences/{path}/users").status_code == 404


def test_they_need_a_secret_key(publishable: Api, secret: Api, name: str) -> None:
    geofence = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]
    tracked(secret, name)
    for path in (f"/v1/users/{name}", f"/v1/geofences/{name}/1/users", f"/v1/geofences/{geofence['_id']}/users"):
        assert publishable.get(path).status_code == 403
    assert publishable.delete(f"/v1/users/{name}").status_code == 403


def test_test_and_live_do_not_mix(secret: Api, live: Api, name: str) -> None:
    user = tracked(secret, name)
    for key in (name, user["_id"]):
        assert live.get(f"/v1/users/{key}").status_code == 404
        assert live.delete(f"/v1/users/{key}").status_code == 404


@pytest.fixture
def settings(secret: Api) -> Iterator[Api]:
    """The Test secret client; the settings of these tests are reset to their defaults afterwards."""
    yield secret
    nothing: dict[str, Any] = dict.fromkeys(
        ("fraud", "blocked", "bypassed", "segments", "proxyAddresses", "inaccurateAccuracy", "dwellEvent")
    )
    secret.patch("/v1/settings", json=nothing)


def test_fraud_is_shown_while_the_setting_is_on(settings: Api, name: str) -> None:
    assert "fraud" not in tracked(settings, name, mocked=True)
    settings.patch("/v1/settings", json={"fraud": True})
    checks = dict.fromkeys(("mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"), False)
    passed = {"verified": False, "passed": True, "bypassed": False, "blocked": False} | checks
    assert tracked(settings, name)["fraud"] == passed
    failed = tracked(settings, name, mocked=True, compromised=True, updatedAt="2030-03-01T10:00:00Z")["fraud"]
    assert failed == passed | {
        "passed": False,
        "mocked": True,
        "compromised": True,
        "lastMockedAt": "2030-03-01T10:00:00.000Z",
        "lastCompromisedAt": "2030-03-01T10:00:00.000Z",
    }
    later = tracked(settings, name, updatedAt="2030-03-01T10:10:00Z")["fraud"]
    assert (later["passed"], later["mocked"], later["lastMockedAt"]) == (True, False, "2030-03-01T10:00:00.000Z")


def test_a_failed_check_is_an_event(settings: Api, name: str) -> None:
    settings.patch("/v1/settings", json={"fraud": True, "inaccurateAccuracy": 100})
    answer = settings.post("/v1/track", json=fix(name, longitude=AWAY, accuracy=500)).json()
    (event,) = answer["events"]
    assert event["type"] == "user.failed_fraud"
    assert event["fraud"]["inaccurate"] is True
    assert "geofence" not in event
    assert event["confidence"] == 3
    assert event["location"]["coordinates"][0] == AWAY
    assert settings.get(f"/v1/events/{event['_id']}").json()["event"] == event
    assert settings.get(f"/v1/events?type=user.failed_fraud&deviceId={name}").json()["events"] == [event]


def test_blocked_and_bypassed(settings: Api, name: str) -> None:
    settings.patch("/v1/settings", json={"fraud": True, "blocked": f"b-{name}", "bypassed": [f"y-{name}"]})
    blocked = tracked(settings, f"b-{name}")["fraud"]
    assert (blocked["passed"], blocked["blocked"]) == (False, True)
    bypassed = tracked(settings, f"y-{name}", mocked=True)["fraud"]
    assert (bypassed["passed"], bypassed["bypassed"], bypassed["mocked"]) == (True, True, True)


def test_segments(settings: Api, name: str) -> None:
    rule = {"field": "metadata.plan", "comparison": "equals", "value": "gold"}
    settings.patch("/v1/settings", json={"segments": [{"description": "G", "externalId": "g", "conditions": [rule]}]})
    assert "segments" not in tracked(settings, name)
    gold = tracked(settings, name, metadata={"plan": "gold"})
    assert gold["segments"] == [{"description": "G", "externalId": "g"}]
    assert settings.get(f"/v1/users/{name}").json()["user"]["segments"] == gold["segments"]


def test_dwelling_is_an_event(settings: Api, name: str) -> None:
    settings.patch("/v1/settings", json={"dwellEvent": True})
    settings.post("/v1/geofences", json=circle(name, dwellThreshold=5, userIds=name))
    types = []
    for minute in (0, 5, 6, 7):
        body = fix(name, userId=name, updatedAt=f"2025-03-01T10:0{minute}:00Z")
        events = settings.post("/v1/track", json=body).json()["events"]
        types.append([event["type"] for event in events if event["geofence"]["tag"] == name])
    assert types == [["user.entered_geofence"], [], ["user.dwelled_in_geofence"], []]
