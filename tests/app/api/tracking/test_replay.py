"""POST /v1/track/replay: past updates in order, each with its own result."""

import json
from typing import Any

import pytest

from app.api.http.errors import error_body
from engine.domain.errors import StorageUnavailable
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, circle, fix

AWAY = -73.5


def past(name: str, minute: int, **fields: Any) -> dict[str, Any]:
    return fix(name, updatedAt=f"2025-03-01T10:{minute:02}:00Z", replayed=True, **fields)


def kinds(answer: dict[str, Any], tag: str) -> list[str]:
    return [event["type"] for event in answer["events"] if event["geofence"]["tag"] == tag]


def test_in_order(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    replays = [past(name, 0), past(name, 1, longitude=AWAY), past(name, 2), past(name, 3, longitude=AWAY)]
    answer = publishable.post("/v1/track/replay", json={"replays": replays}).json()
    entered, left = "user.entered_geofence", "user.exited_geofence"
    assert kinds(answer, name) == [entered, left, entered, left]
    assert [kinds(item, name) for item in answer["replays"]] == [[entered], [left], [entered], [left]]
    assert answer["user"] == answer["replays"][-1]["user"]
    assert answer["user"]["updatedAt"] == "2025-03-01T10:03:00.000Z"
    assert all(event["replayed"] is True for event in answer["events"])


def test_one_that_is_refused_stops_none_of_the_rest(publishable: Api, name: str) -> None:
    bad = [past(name, 1, latitude=91), 5, [], None, past(name, 2) | {"deviceId": None}, {"deviceId": name}]
    replays = [past(name, 0), *bad, past(f"{name}-2", 3)]
    answer = publishable.post("/v1/track/replay", json={"replays": replays}).json()
    metas = [item["meta"] for item in answer["replays"]]
    assert [meta["code"] for meta in metas] == [200, 400, 400, 400, 400, 400, 400, 200]
    params = [meta.get("param") for meta in metas]
    assert params == [None, "latitude", "replays", "replays", "replays", "deviceId", "latitude", None]
    assert "[-90, 90]" in metas[1]["message"]
    assert answer["user"]["deviceId"] == f"{name}-2"


def test_all_refused_is_an_answer_without_a_user(secret: Api, publishable: Api, name: str) -> None:
    answer = publishable.post("/v1/track/replay", json={"replays": [past(name, 0, accuracy=-1)]}).json()
    assert "user" not in answer
    assert answer["events"] == []
    assert secret.get(f"/v1/users?deviceId={name}").json()["users"] == []


def test_none_at_all(publishable: Api) -> None:
    answer = publishable.post("/v1/track/replay", json={"replays": []}).json()
    assert answer == {"meta": {"code": 200}, "events": [], "replays": []}


def test_a_thousand(publishable: Api, name: str) -> None:
    replays = [past(name, number // 60) | {"speed": 5, "locationMs": 5} for number in range(1_000)]
    answer = publishable.post("/v1/track/replay", json={"replays": replays}).json()
    assert [item["meta"]["code"] for item in answer["replays"]] == [200] * 1_000


def test_larger_than_other_bodies(publishable: Api, name: str) -> None:
    replays = [past(name, 0, padding="x" * 3_000) for _ in range(1_000)]
    assert publishable.post("/v1/track/replay", json={"replays": replays}).status_code == 200
    assert_refused(publishable.post("/v1/track", json=past(name, 0, padding="x" * 3_000_000)), "body", "1 MiB")


def test_json_text_in_a_form(publishable: Api, name: str) -> None:
    answer = publishable.post("/v1/track/replay", data={"replays": json.dumps([past(name, 0)])}).json()
    assert [item["meta"]["code"] for item in answer["replays"]] == [200]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "replays"),
        ({"replays": None}, "replays"),
        ({"replays": 5}, "replays"),
        ({"replays": {"deviceId": "x"}}, "replays"),
        ({"replays": "x"}, "replays"),
        ({"replays": [{}] * 1_001}, "replays"),
        ([], "body"),
    ],
)
def test_bad_bodies(publishable: Api, body: object, param: str) -> None:
    assert_refused(publishable.post("/v1/track/replay", json=body), param)


def test_a_full_disk_is_reported_for_each_item(
    publishable: Api, engine: Engine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def refuse(*_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    monkeypatch.setattr(engine.tracking, "submit", refuse)
    answer = publishable.post("/v1/track/replay", json={"replays": [past(name, 0), past(name, 1)]}).json()
    assert answer["replays"] == [error_body(503, "The disk is full.")] * 2


def test_an_internal_error_is_reported_for_its_item_alone(
    publishable: Api, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.api.v1.track.location_update", fail)
    response = publishable.post("/v1/track/replay", json={"replays": [past(name, 0)]})
    assert response.status_code == 200
    assert response.json()["replays"][0]["meta"]["code"] == 500


def test_beyond_the_largest_answer_it_only_reports_that_updates_were_stored(
    secret: Api, publishable: Api, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.api.v1.track.MAX_ANSWER", 200_000)
    replays = [past(name, number % 60, metadata={"n": number, "pad": "x" * 2_000}) for number in range(300)]
    replays[299]["latitude"] = "north"
    response = publishable.post("/v1/track/replay", json={"replays": replays})
    items = response.json()["replays"]
    whole = [item for item in items if "user" in item]
    assert 50 < len(whole) < 100
    assert items[: len(whole)] == whole
    assert all(item["meta"]["code"] == 200 for item in items[:299])
    assert {item["meta"]["warnings"][0].partition(":")[0] for item in items[len(whole) : 299]} == {"user, events"}
    assert items[299]["meta"] == {"code": 400, "param": "latitude", "message": items[299]["meta"]["message"]}
    assert 200_000 < len(response.content) < 250_000
    assert response.json()["user"]["metadata"]["n"] == 298
    assert secret.get(f"/v1/users/{name}").json()["user"]["metadata"]["n"] == 298
