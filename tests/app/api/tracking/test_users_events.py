"""GET /v1/users and /v1/events over a real socket."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest

from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, circle, fix

AWAY = -73.5


def enter(api: Api, tag: str, device: str, user: str | None = None) -> None:
    api.put(f"/v1/geofences/{tag}/1", json=circle(tag))
    api.post("/v1/track", json=fix(device, longitude=AWAY, userId=user))
    api.post("/v1/track", json=fix(device, userId=user))


def test_users_newest_first(live: Api) -> None:
    for device in ("one", "two", "three"):
        live.post("/v1/track", json=fix(device, longitude=AWAY, userId=f"u-{device}"))
    live.post("/v1/track", json=fix("one", longitude=AWAY, userId="u-one"))
    users = live.get("/v1/users").json()["users"]
    assert [user["deviceId"] for user in users] == ["one", "three", "two"]
    page = live.get("/v1/users?limit=2").json()
    assert len(page["users"]) == 2
    assert page["meta"]["hasMore"] is True
    assert [user["deviceId"] for user in live.get("/v1/users?userId=u-two").json()["users"]] == ["two"]
    assert [user["deviceId"] for user in live.get("/v1/users?deviceId=two").json()["users"]] == ["two"]
    assert live.get("/v1/users?updatedBefore=2020-01-01").json()["users"] == []


def test_events_with_filters(secret: Api, name: str) -> None:
    enter(secret, name, f"d-{name}", f"u-{name}")
    secret.post("/v1/track", json=fix(f"d-{name}", longitude=AWAY, userId=f"u-{name}"))
    both = secret.get(f"/v1/events?tag={name}").json()["events"]
    assert [event["type"] for event in both] == ["user.exited_geofence", "user.entered_geofence"]
    for query in (f"deviceId=d-{name}", f"userId=u-{name}", "externalId=1"):
        assert [e["_id"] for e in secret.get(f"/v1/events?{query}&tag={name}").json()["events"]] == [
            e["_id"] for e in both
        ]
    exits = secret.get(f"/v1/events?tag={name}&type=user.exited_geofence").json()["events"]
    assert [event["_id"] for event in exits] == [both[0]["_id"]]
    assert secret.get(f"/v1/events?tag={name}&createdBefore=2020-01-01").json()["events"] == []
    assert len(secret.get(f"/v1/events?tag={name}&createdAfter=2020-01-01&limit=1").json()["events"]) == 1


def test_waiting_ends_with_the_first_match(secret: Api, name: str) -> None:
    secret.put(f"/v1/geofences/{name}/1", json=circle(name))
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(secret.get, f"/v1/events?tag={name}&waitSeconds=30")
        secret.post("/v1/track", json=fix(f"other-{name}", longitude=AWAY))
        secret.post("/v1/track", json=fix(f"d-{name}"))
        events = waiting.result(timeout=60).json()["events"]
    assert [event["user"]["deviceId"] for event in events] == [f"d-{name}"]


def test_waiting_ends_empty_after_its_time(secret: Api, name: str) -> None:
    started = time.monotonic()
    assert secret.get(f"/v1/events?tag={name}&waitSeconds=0.3").json()["events"] == []
    assert 0.3 <= time.monotonic() - started < 10


def test_existing_events_are_answered_without_waiting(secret: Api, name: str) -> None:
    enter(secret, name, f"d-{name}")
    started = time.monotonic()
    assert len(secret.get(f"/v1/events?tag={name}&waitSeconds=30").json()["events"]) == 1
    assert time.monotonic() - started < 10


def test_many_may_wait_at_once_without_a_thread_each(secret: Api, engine: Engine, name: str) -> None:
    secret.put(f"/v1/geofences/{name}/1", json=circle(name))
    with ThreadPoolExecutor(max_workers=40) as pool:
        before = {thread.name for thread in threading.enumerate()}
        waiting = [pool.submit(secret.get, f"/v1/events?tag={name}&waitSeconds=30") for _ in range(40)]
        secret.post("/v1/track", json=fix(f"d-{name}"))
        ids = {answer.result(timeout=60).json()["events"][0]["_id"] for answer in waiting}
        after = {thread.name for thread in threading.enumerate()}
    assert len(ids) == 1
    assert len([thread for thread in after - before if thread.startswith("asyncio")]) < 40
    assert not engine.changes.listened_to


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("waitSeconds=31", "waitSeconds"),
        ("waitSeconds=-1", "waitSeconds"),
        ("waitSeconds=nan", "waitSeconds"),
        ("waitSeconds=long", "waitSeconds"),
        ("limit=0", "limit"),
        ("createdAfter=x", "createdAfter"),
    ],
)
def test_bad_event_queries(secret: Api, query: str, param: str) -> None:
    assert_refused(secret.get(f"/v1/events?{query}"), param)


def test_auxiliary_requests_of_sdks(publishable: Api) -> None:
    assert publishable.get("/v1/config?deviceId=x&installId=y&sessionId=1&locationAuthorization=NOT").json() == {
        "meta": {"code": 200}
    }
    assert publishable.get("/v1/ping").json()["ip"] == "127.0.0.1"
    logs = {"logs": [{"message": "m", "level": "INFO", "type": "NONE", "createdAt": "2025-01-01"}]}
    assert publishable.post("/v1/logs", json=logs).json() == {"meta": {"code": 200}}
    assert_refused(publishable.post("/v1/logs", json={"logs": 5}), "logs", "a list")
    assert_refused(publishable.post("/v1/logs", json={"logs": "x"}), "logs", "valid JSON")


def test_logs_of_a_phone_that_was_offline(publishable: Api) -> None:
    line = {"message": "x" * 3_900, "level": "INFO", "type": "NONE", "createdAt": 1_758_000_000_000}
    body = orjson.dumps({"logs": [line] * 2_000})
    assert 7.5 * 2**20 < len(body) < 8 * 2**20
    assert publishable.post("/v1/logs", content=body).json() == {"meta": {"code": 200}}
    wrong = orjson.dumps({"logs": [line] * 1_999 + [line | {"level": 5}]})
    assert_refused(publishable.post("/v1/logs", content=wrong), "logs", "item 2000")
    assert_refused(publishable.post("/v1/logs", content=body + b" " * 2**20), "body", "8 MiB")
