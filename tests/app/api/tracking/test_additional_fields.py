"""Additional fields of users, events and geofences in responses, over a real socket."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.domain.environment import Environment
from engine.engine import Engine
from tests.app.api.conftest import CENTRAL_PARK, Api, circle, fix

SQUARE = [[-73.98, 40.78], [-73.97, 40.78], [-73.97, 40.79], [-73.98, 40.79], [-73.98, 40.78]]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def only_with_tag(records: list[dict[str, Any]], tag: str) -> dict[str, Any]:
    """Return the only geofence with a tag, or the only event of such a geofence."""
    (found,) = (each for each in records if each.get("geofence", each).get("tag") == tag)
    return found


def position_of(geofence: dict[str, Any]) -> tuple[str, dict[str, Any], float]:
    return geofence["type"], geofence["geometryCenter"], geofence["geometryRadius"]


def test_geofences_of_users_events_and_contexts_have_their_position(secret: Api, name: str) -> None:
    made = secret.post("/v1/geofences", json=circle(name, radius=250)).json()["geofence"]
    entered = secret.post("/v1/track", json=fix(name)).json()
    event = only_with_tag(entered["events"], name)
    center: dict[str, Any] = {"type": "Point", "coordinates": list(CENTRAL_PARK)}
    expected: tuple[str, dict[str, Any], float] = ("circle", center, 250.0)
    assert position_of(made) == expected
    assert position_of(event["geofence"]) == expected
    assert position_of(only_with_tag(entered["user"]["geofences"], name)) == expected
    assert position_of(only_with_tag(secret.get(f"/v1/users/{name}").json()["user"]["geofences"], name)) == expected
    context = secret.get(f"/v1/context?coordinates={CENTRAL_PARK[1]},{CENTRAL_PARK[0]}").json()
    assert position_of(only_with_tag(context["geofences"], name)) == expected
    # An event shows the state at its time, a user the current one.
    secret.put(f"/v1/geofences/{name}/1", json={"radius": 300})
    stored = secret.get(f"/v1/events/{event['_id']}").json()["event"]
    assert position_of(stored["geofence"]) == expected
    assert (
        only_with_tag(secret.get(f"/v1/users?deviceId={name}").json()["users"][0]["geofences"], name)["geometryRadius"]
        == 300
    )


def test_a_polygon_has_its_centroid_and_the_distance_of_its_vertices(secret: Api, name: str) -> None:
    body = circle(name, type="polygon", coordinates=SQUARE)
    made = secret.post("/v1/geofences", json=body).json()["geofence"]
    event = only_with_tag(secret.post("/v1/track", json=fix(name)).json()["events"], name)
    assert position_of(event["geofence"]) == position_of(made)
    assert event["geofence"]["type"] == "polygon"
    assert event["geofence"]["geometryRadius"] == pytest.approx(697, abs=3)


def test_the_servers_time_of_an_update_beside_the_clients(secret: Api, engine: Engine, name: str) -> None:
    before = engine.clock_of(Environment.TEST).now()
    user = secret.post("/v1/track", json=fix(name, updatedAt="2025-03-01T10:00:00Z")).json()["user"]
    assert user["updatedAt"] == "2025-03-01T10:00:00.000Z"
    assert moment(user["actualUpdatedAt"]) >= before - timedelta(milliseconds=1)
    assert secret.get(f"/v1/users/{name}").json()["user"]["actualUpdatedAt"] == user["actualUpdatedAt"]
    user = secret.post("/v1/track", json=fix(name)).json()["user"]
    assert user["actualUpdatedAt"] == user["updatedAt"]
    assert secret.get(f"/v1/users/{name}").json()["user"]["actualUpdatedAt"] == user["updatedAt"]


def test_the_source_is_that_of_the_last_location(secret: Api, name: str) -> None:
    for source in ("BACKGROUND_LOCATION", "GEOFENCE_EXIT"):
        user = secret.post("/v1/track", json=fix(name, source=source)).json()["user"]
        assert user["source"] == source
        assert secret.get(f"/v1/users/{name}").json()["user"]["source"] == source
    assert "source" not in secret.post("/v1/track", json=fix(name)).json()["user"]
    assert "source" not in secret.get(f"/v1/users/{name}").json()["user"]


@pytest.mark.parametrize("source", [None, "", 5, ["A"]])
def test_a_source_that_is_none(secret: Api, name: str, source: object) -> None:
    answer = secret.post("/v1/track", json=fix(name, source=source))
    if source is None:
        assert "source" not in answer.json()["user"]
    else:
        assert (answer.status_code, answer.json()["meta"]["param"]) == (400, "source")


def test_an_event_carries_the_segments_its_user_had_then(secret: Api, name: str) -> None:
    rule = {
        "description": "Gold customers",
        "externalId": "gold",
        "conditions": [{"field": "metadata.plan", "comparison": "equals", "value": name}],
    }
    secret.patch("/v1/settings", json={"segments": [rule]})
    try:
        secret.post("/v1/geofences", json=circle(name))
        event = only_with_tag(secret.post("/v1/track", json=fix(name, metadata={"plan": name})).json()["events"], name)
        assert event["user"]["segments"] == [{"description": "Gold customers", "externalId": "gold"}]
        secret.post("/v1/track", json=fix(name, metadata={"plan": "none"}))
        assert secret.get(f"/v1/events/{event['_id']}").json()["event"]["user"] == event["user"]
    finally:
        secret.patch("/v1/settings", json={"segments": None})


def test_every_event_has_a_confidence(secret: Api, name: str) -> None:
    secret.patch("/v1/settings", json={"fraud": True})
    try:
        secret.post("/v1/geofences", json=circle(name))
        events = secret.post("/v1/track", json=fix(name, mocked=True)).json()["events"]
    finally:
        secret.patch("/v1/settings", json={"fraud": None})
    assert {"user.entered_geofence", "user.failed_fraud"} <= {event["type"] for event in events}
    reported = secret.post("/v1/events", json={"name": "bought", "deviceId": name}).json()["event"]
    assert all(event["confidence"] in (1, 2, 3) for event in [*events, reported])
    listed = secret.get(f"/v1/events?deviceId={name}").json()["events"]
    assert len(listed) >= 3
    assert all(event["confidence"] in (1, 2, 3) for event in listed)
