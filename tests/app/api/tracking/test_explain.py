"""POST /v1/track?explain=true, and the wire form of explanations."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from app.api.wire.explanation import (
    ExplanationAnswer,
    encode_explained,
    encode_explained_update,
    encode_explanation,
    encode_replay_report,
)
from app.api.wire.snapshot import encode_cleared
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.tracking.decision import Explanation, Outcome, Reason, Wording
from engine.domain.tracking.explaining import Cleared, ExplainedUpdate, ReplayReport
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import Fix, UserSummary
from tests.app.api.conftest import Api, assert_refused, circle, fix
from tests.app.api.test_beacons import ibeacon, reported_beacon


def explained(api: Api, name: str, body: dict[str, Any], query: str = "?explain=true") -> dict[str, Any]:
    """Return the explanation for the geofence with the tag `name`."""
    answer = api.post(f"/v1/track{query}", json=body)
    assert answer.status_code == 200, answer.text
    (found,) = [item for item in answer.json()["explanations"] if item["geofence"]["tag"] == name]
    explanation: dict[str, Any] = found
    return explanation


def test_an_entry(secret: Api, publishable: Api, name: str) -> None:
    geofence = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]
    explanation = explained(publishable, name, fix(name))
    assert explanation["decision"] == "entry"
    assert explanation["geofence"]["_id"] == geofence["_id"]
    assert explanation["distance"] == pytest.approx(-100, abs=0.5)
    assert (explanation["share"], explanation["confidence"]) == (1, 3)
    assert all(rule["passed"] for rule in explanation["rules"])
    assert {rule["rule"] for rule in explanation["rules"]} >= {"enabled", "boundary", "minimumConfidence"}


def test_a_withheld_entry_names_the_rule_that_withheld_it(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name, stopDetection=True))
    explanation = explained(publishable, name, fix(name))
    assert explanation["decision"] == "entry withheld"
    (failed,) = [rule for rule in explanation["rules"] if not rule["passed"]]
    assert failed["rule"] == "stopDetection"
    assert "neither stopped nor in the foreground" in failed["text"]
    assert failed["text"] in explanation["text"]


def test_near_geofences_are_explained_and_far_ones_not(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name, coordinates=[20.0, 20.0]))
    near, far = ({"deviceId": name, "latitude": lat, "longitude": 20.0, "accuracy": 5} for lat in (20.004, 20.02))
    assert explained(publishable, name, near)["distance"] == pytest.approx(342.8, abs=1)
    assert publishable.post("/v1/track?explain=true", json=far).json()["explanations"] == []


@pytest.mark.parametrize("query", ["", "?explain=false", "?explain=null", "?explained=true"])
def test_nothing_is_explained_unasked(publishable: Api, name: str, query: str) -> None:
    answer = publishable.post(f"/v1/track{query}", json=fix(name))
    assert list(answer.json()) == ["meta", "events", "user"]


def test_the_alias_explains_too(publishable: Api, name: str) -> None:
    assert "explanations" in publishable.post("/api/v1/track?explain=True", json=fix(name)).json()


def test_explanations_are_for_test_keys_only(live: Api, name: str) -> None:
    assert_refused(live.post("/v1/track?explain=true", json=fix(name)), "explain", "Test key", status=403)
    assert live.get(f"/v1/users?deviceId={name}").json()["users"] == []
    assert live.post("/v1/track?explain=false", json=fix(name)).status_code == 200


@pytest.mark.parametrize("query", ["explain=yes+please", "explain=2", "explain=", "explain=true&explain=false"])
def test_bad_questions(publishable: Api, name: str, query: str) -> None:
    assert_refused(publishable.post(f"/v1/track?{query}", json=fix(name)), "explain")


def test_a_bad_body_is_refused_all_the_same(publishable: Api, name: str) -> None:
    response: httpx.Response = publishable.post("/v1/track?explain=true", json=fix(name, latitude=91))
    assert_refused(response, "latitude")


def event_of(answer: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the explanation for the events of a type."""
    (found,) = [each for each in answer["eventExplanations"] if each["type"] == kind]
    explanation: dict[str, Any] = found
    return explanation


def test_events_of_a_trip_give_their_rules_with_figures(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name, externalId="1", tripApproachingThreshold=2))
    options = {"externalId": name, "destinationGeofenceTag": name, "destinationGeofenceExternalId": "1"}
    away = fix(name, longitude=-73.95, tripOptions=options)
    first = publishable.post("/v1/track?explain=true", json=away).json()
    started = event_of(first, "user.started_trip")
    assert (started["fired"], started["about"]) == (
        True, {"type": "trip", "name": name, "id": first["user"]["trip"]["_id"]},
    )  # fmt: skip
    approaching = event_of(first, "user.approaching_trip_destination")
    assert not approaching["fired"]
    assert [rule["rule"] for rule in approaching["rules"]] == ["status", "eta", "approachingThreshold"]
    (failed,) = [rule for rule in approaching["rules"] if not rule["passed"]]
    eta_s = first["user"]["trip"]["eta"]["duration"] * 60
    assert failed["values"] == {"eta": pytest.approx(eta_s, abs=0.6), "threshold": 120, "source": "geofence"}
    assert "s is above the threshold of 120 s" in approaching["text"]
    assert "the route is not computed yet" in approaching["text"], "source and age of the ETA"
    there = publishable.post("/v1/track?explain=true", json=fix(name, tripOptions={"externalId": name})).json()
    arrived = event_of(there, "user.arrived_at_trip_destination")
    assert arrived["fired"]
    assert arrived["rules"][-1]["text"] == f"the user is in the destination geofence {name}/1"
    ended = {"externalId": name, "status": "completed"}
    last = publishable.post("/v1/track?explain=true", json=fix(name, tripOptions=ended)).json()
    stopped = event_of(last, "user.stopped_trip")
    assert (stopped["fired"], stopped["rules"][0]["text"]) == (True, "a client set the status completed")


def test_events_of_beacons_give_their_rules(secret: Api, publishable: Api, name: str) -> None:
    beacon = ibeacon(name)
    assert secret.post("/v1/beacons", json=beacon).status_code == 200

    def outcomes(**fields: Any) -> list[tuple[str, bool, str]]:
        answer = publishable.post("/v1/track?explain=true", json=fix(name, **fields)).json()
        events = [each for each in answer["eventExplanations"] if each.get("about", {}).get("name") == f"{name}/1"]
        return [(each["type"], each["fired"], each["rules"][-1]["text"]) for each in events]

    ((kind, fired, why),) = outcomes(beacons=[])
    assert (kind, fired) == ("user.entered_beacon", False)
    assert why.startswith("the device did not report the beacon, which is 0 m away (reported: none)")
    new = "the device reported the beacon, and the user was not near it before"
    assert outcomes(beacons=[reported_beacon(beacon)]) == [("user.entered_beacon", True, new)]
    no_list = "the update has no list of beacons, so the user stays near the same ones"
    assert outcomes() == [("user.exited_beacon", False, no_list)]
    ((kind, fired, why),) = outcomes(beacons=[])
    assert (kind, fired) == ("user.exited_beacon", True)
    assert why.startswith("the device no longer reported the beacon (reported: none); the user had been near it since")


def test_disabled_and_missing_conditions_are_explained_too(publishable: Api, name: str) -> None:
    answer = publishable.post("/v1/track?explain=true", json=fix(name)).json()
    assert event_of(answer, "user.started_trip")["rules"][0]["text"].startswith("the user is on no trip")
    assert event_of(answer, "user.entered_place")["text"].endswith(": the setting places is off")
    assert event_of(answer, "user.entered_region_country")["rules"][0]["rule"] == "regions"
    assert "placeReason" not in answer


LAWN = GeofenceSummary("g1", "park", "1", "A lawn", {"a": 1})
ANN = UserSummary("u1", "phone", "ann")
AT = datetime(2025, 3, 1, 12, tzinfo=UTC)
NOTE = Explanation(
    LAWN,
    Outcome.ENTRY_WITHHELD,
    (
        Reason(Wording.ENABLED),
        Reason(Wording.MOVING),
    ),
    distance_m=-12.34567,
    share=0.98765432,
    confidence=2,
)


def test_an_explanation_is_spelled_as_documented() -> None:
    encoded = encode_explanation(NOTE)
    TypeAdapter(ExplanationAnswer).validate_python(encoded)
    assert (encoded["distance"], encoded["share"], encoded["decision"]) == (-12.346, 0.987654, "entry withheld")
    assert encoded["rules"][0] == {"rule": "enabled", "passed": True, "text": "the geofence is enabled", "values": {}}


def test_a_past_update() -> None:
    fix_ = Fix(Point(9.5, 47.1), 10, AT, foreground=True)
    update = ExplainedUpdate(
        7, Environment.TEST, ANN, fix_, AT, "10.0.0.1", False, (NOTE,), zone="Europe/Zurich", next_at=AT
    )
    assert encode_explained_update(update) == {
        "update": {
            "number": 7,
            "user": {"_id": "u1", "deviceId": "phone", "userId": "ann", "metadata": {}},
            "deviceId": "phone",
            "location": {"type": "Point", "coordinates": (9.5, 47.1)},
            "locationAccuracy": 10,
            "foreground": True,
            "stopped": False,
            "updatedAt": "2025-03-01T12:00:00.000Z",
            "receivedAt": "2025-03-01T12:00:00.000Z",
            "timeZone": "Europe/Zurich",
            "replayed": False,
            "nextAt": "2025-03-01T12:00:00.000Z",
            "ip": "10.0.0.1",
        },
        "explanations": [encode_explained(NOTE)],
        "eventExplanations": [],
    }


def test_a_replay_report_has_the_difference() -> None:
    entered = ReplayedEvent("user.entered_geofence", AT, ANN, LAWN, 3)
    left = ReplayedEvent("user.exited_geofence", AT, ANN, LAWN, 2, duration_s=90, currently_operating=False)
    encoded = encode_replay_report(ReplayReport(5, (entered,), (entered, left)))
    assert (encoded["updates"], encoded["removed"], len(encoded["before"]), len(encoded["after"])) == (5, [], 1, 2)
    (added,) = encoded["added"]
    assert (added["type"], added["duration"], added["currentlyOperating"]) == ("user.exited_geofence", 1.5, False)
    assert (added["geofence"]["tag"], added["confidence"]) == ("park", 2)


def test_encoding_of_cleared_counts() -> None:
    counts = {"users": 1, "events": 2, "updates": 3, "trips": 4, "geofences": 5, "beacons": 6}
    assert encode_cleared(Cleared(1, 2, 3, 4, 5, 6)) == counts
