"""POST /v1/reset on a real server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.api.server.server import ApiServer
from app.seeds import decode_seed
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, circle, fix
from tests.app.api.contract import Contract

SEED = {
    "version": 1,
    "geofences": [circle("park", "1")],
    "users": [
        {
            "deviceId": "known",
            "location": {"type": "Point", "coordinates": [-73.97536, 40.78382]},
            "locationAccuracy": 5,
            "geofences": [{"tag": "park", "externalId": "1"}],
        }
    ],
    "trips": [
        {
            "externalId": "known's",
            "deviceId": "known",
            "status": "started",
            "destinationGeofenceTag": "park",
            "destinationGeofenceExternalId": "1",
        },
        {"externalId": "ben's", "userId": "ben", "destination": {"coordinates": [-73.5, 40.5]}, "metadata": {"a": 1}},
    ],
    "clock": {"now": "2026-03-01T10:00:00Z", "frozen": True},
    "keys": {"test": {"secret": "prj_test_sk_ci000000", "publishable": "prj_test_pk_ci000000"}},
}


BEACON: dict[str, Any] = {
    "description": "Door",
    "type": "ibeacon",
    "tag": "door",
    "externalId": "1",
    "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d",
    "major": "1",
    "minor": "2",
    "geometry": {"type": "Point", "coordinates": [9.5, 47.1]},
}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:") as engine:
        engine.seeding.load(decode_seed(json.dumps(SEED).encode()))
        yield engine


@pytest.fixture(autouse=True)
def as_seeded(secret: Api) -> None:
    assert secret.post("/v1/reset").status_code == 200


def test_test_is_as_the_seed_made_it(secret: Api, publishable: Api) -> None:
    entered = publishable.post("/v1/track", json=fix("phone")).json()
    assert [event["type"] for event in entered["events"]] == ["user.entered_geofence"]
    secret.delete("/v1/geofences/park/1")
    secret.patch("/v1/settings", json={"dwellEvent": True})
    secret.post("/v1/clock", json={"advanceSeconds": 3600})
    answer = secret.post("/v1/reset").json()
    assert answer["counts"] == {"geofences": 1, "users": 1, "beacons": 0, "trips": 2}
    assert answer["clock"] == {"now": "2026-03-01T10:00:00.000Z", "system": False, "frozen": True, "scale": 1.0}
    assert secret.get("/v1/geofences/park/1").json()["geofence"]["createdAt"] == "2026-03-01T10:00:00.000Z"
    assert secret.get("/v1/settings").json()["dwellEvent"] is False
    assert secret.get("/v1/events").json()["events"] == []
    (user,) = secret.get("/v1/users").json()["users"]
    assert (user["deviceId"], [inside["externalId"] for inside in user["geofences"]]) == ("known", ["1"])
    # The clock is frozen, but the device may send immediately.
    again = publishable.post("/v1/track", json=fix("phone"))
    assert [event["type"] for event in again.json()["events"]] == ["user.entered_geofence"]


def test_trips_of_the_seed_are_there_again(secret: Api, publishable: Api) -> None:
    assert "trip" in secret.get("/v1/users/known").json()["user"], "who is on a trip by the seed is on it at once"
    for _ in range(2):
        known = publishable.post("/v1/track", json=fix("known")).json()
        assert [event["type"] for event in known["events"]] == ["user.arrived_at_trip_destination"]
        assert (known["user"]["trip"]["externalId"], known["user"]["trip"]["status"]) == ("known's", "arrived")
        ben = publishable.post("/v1/track", json=fix("phone", userId="ben")).json()
        assert [event["type"] for event in ben["events"]] == ["user.entered_geofence", "user.started_trip"]
        assert ben["user"]["trip"]["metadata"] == {"a": 1}
        secret.delete("/v1/trips/ben's")
        secret.post("/v1/clock", json={"advanceSeconds": 40 * 3600})
        secret.post("/v1/reset")
        trips = {trip["externalId"]: trip["status"] for trip in secret.get("/v1/trips").json()["trips"]}
        assert trips == {"known's": "started", "ben's": "pending"}


def test_trips_that_came_later_are_removed(secret: Api, publishable: Api) -> None:
    for _ in range(2):
        # A second open trip with the same external ID would be refused.
        assert publishable.post("/v1/trips", json={"externalId": "order-1"}).status_code == 200
        assert len(secret.get("/v1/trips").json()["trips"]) == 3
        secret.post("/v1/reset")
        assert len(secret.get("/v1/trips").json()["trips"]) == 2


def test_beacons_that_came_later_are_removed(secret: Api) -> None:
    assert secret.post("/v1/beacons", json=BEACON).status_code == 200
    secret.post("/v1/reset")
    assert secret.get("/v1/beacons").json()["beacons"] == []
    assert secret.post("/v1/beacons", json=BEACON).status_code == 200


def test_keys_of_the_seed_open_the_endpoint(server: ApiServer, contract: Contract) -> None:
    api = Api(server.url, "prj_test_pk_ci000000", contract)
    assert api.get("/v1/config").status_code == 200
    api.close()


def test_a_request_that_waits_for_an_event_goes_on_waiting(secret: Api) -> None:
    waited = secret.get("/v1/events?deviceId=nobody&waitSeconds=0.2")
    assert waited.json()["events"] == []


def test_only_the_test_secret_key_resets(publishable: Api, live: Api) -> None:
    assert_refused(publishable.post("/v1/reset"), "Authorization", "secret key", status=403)
    assert_refused(live.post("/v1/reset"), "Authorization", "Only Test", status=403)
    assert publishable.get("/v1/reset").status_code == 405


def test_live_stays_as_it_is(secret: Api, live: Api) -> None:
    live.post("/v1/geofences", json=circle("mine"))
    live.post("/v1/track", json=fix("phone"))
    secret.post("/v1/reset")
    assert [each["tag"] for each in live.get("/v1/geofences").json()["geofences"]] == ["mine"]
    assert [each["deviceId"] for each in live.get("/v1/users").json()["users"]] == ["phone"]


@pytest.mark.parametrize("body", [b"", b"{}", b"null", b"[", b"\xff", b"x" * 100_000])
def test_a_body_does_not_matter(secret: Api, body: bytes) -> None:
    assert secret.post("/v1/reset", content=body).status_code == 200


def test_a_folder_that_began_without_a_seed_is_left_alone(tmp_path: Path, contract: Contract) -> None:
    with Engine.open(tmp_path) as engine, ApiServer(engine, port=0) as server:
        api = Api(server.url, engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET), contract)
        api.post("/v1/geofences", json=circle("mine"))
        assert api.post("/v1/faults", json={"kind": "drop"}).status_code == 200
        assert_refused(api.post("/v1/reset"), "seed", "--seed", status=409)
        assert api.get("/v1/faults").json()["faults"] == [], "they are no part of a seed"
        assert len(api.get("/v1/geofences").json()["geofences"]) == 1
        api.close()


def test_a_reset_ends_rehearsed_errors(secret: Api, publishable: Api) -> None:
    secret.patch("/v1/settings", json={"rehearsedError": "unavailable"})
    assert publishable.get("/v1/config").status_code == 503
    assert secret.post("/v1/reset").status_code == 200
    assert publishable.get("/v1/config").status_code == 200


def test_a_reset_removes_faults(secret: Api, publishable: Api) -> None:
    assert secret.post("/v1/faults", json={"kind": "status", "status": 503}).status_code == 200
    assert secret.post("/v1/reset").status_code == 200
    assert secret.get("/v1/faults").json()["faults"] == []
    assert publishable.get("/v1/config").status_code == 200
