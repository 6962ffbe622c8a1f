"""Trips: created, followed by location updates, changed, listed, deleted; their legs, and what is refused."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, circle, fix

STORE = (-73.9, 40.7)
FAR, NEAR = -74.2, -73.92
"""Longitudes 25 and 1.7 kilometres from the store."""


def store(api: Api, name: str, external_id: str = "1", center: tuple[float, float] = STORE, **fields: Any) -> str:
    body = circle(name, external_id, coordinates=list(center), radius=200, **fields)
    identifier: str = api.post("/v1/geofences", json=body).json()["geofence"]["_id"]
    return identifier


PLAIN = ("destinationGeofenceTag", "destinationGeofenceExternalId")


def to_store(name: str, **fields: Any) -> dict[str, Any]:
    destination = {"destinationGeofenceTag": name, "destinationGeofenceExternalId": "1"}
    return {"externalId": name, "userId": f"u-{name}", **destination, "mode": "car", **fields}


def at(name: str, longitude: float, latitude: float = STORE[1], **fields: Any) -> dict[str, Any]:
    return fix(f"d-{name}", userId=f"u-{name}", longitude=longitude, latitude=latitude, **fields)


_TURNS = count(1)


def moved(api: Api, name: str, longitude: float, **fields: Any) -> tuple[dict[str, Any], list[str]]:
    """Track 20 minutes after the last time; return the user with the types of the events that are not of geofences."""
    when = (datetime(2025, 3, 1, tzinfo=UTC) + timedelta(minutes=20 * next(_TURNS))).isoformat()
    answer = api.post("/v1/track", json=at(name, longitude, updatedAt=when, **fields)).json()
    return answer["user"], [event["type"] for event in answer["events"] if "_geofence" not in event["type"]]


def test_a_trip_from_its_creation_to_its_end(publishable: Api, secret: Api, name: str) -> None:
    geofence = store(secret, name)
    created = publishable.post("/v1/trips", json=to_store(name, metadata={"car": "green"})).json()
    trip = created["trip"]
    assert (trip["status"], created["events"], trip["metadata"]) == ("pending", [], {"car": "green"})
    assert trip["destinationLocation"]["coordinates"] == pytest.approx(list(STORE))
    assert trip["destinationGeofenceId"] == geofence

    user, events = moved(publishable, name, FAR)
    assert events == ["user.started_trip"]
    assert user["trip"]["_id"] == trip["_id"]
    assert user["trip"]["status"] == "started"
    assert user["trip"]["eta"]["distance"] > 25_000
    assert user["trip"]["eta"]["duration"] > 20
    assert user["trip"]["eta"]["source"] == "estimate"

    user, events = moved(publishable, name, NEAR)
    assert (user["trip"]["status"], events) == ("approaching", ["user.approaching_trip_destination"])
    user, events = moved(publishable, name, STORE[0])
    assert (user["trip"]["status"], events) == ("arrived", ["user.arrived_at_trip_destination"])
    assert user["trip"]["eta"] == {"distance": 0, "duration": 0, "source": "estimate"}

    ended = publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed"}).json()
    assert (ended["trip"]["status"], [event["type"] for event in ended["events"]]) == (
        "completed",
        ["user.stopped_trip"],
    )
    assert "eta" not in ended["trip"]
    event = ended["events"][0]
    assert event["trip"] == ended["trip"]
    assert event["user"]["userId"] == f"u-{name}"
    assert event["location"]["coordinates"] == pytest.approx(list(STORE))
    user, events = moved(publishable, name, STORE[0])
    assert "trip" not in user
    assert events == []

    stored = secret.get(f"/v1/trips/{trip['_id']}").json()["trip"]
    assert stored == secret.get(f"/v1/trips/{name}").json()["trip"] == ended["trip"]
    times = [stored[moment] for moment in ("createdAt", "startedAt", "approachingAt", "arrivedAt", "endedAt")]
    assert times == sorted(times)
    listed = secret.get(f"/v1/events?userId=u-{name}").json()["events"]
    assert [each["type"] for each in listed if "trip" in each] == [
        "user.stopped_trip",
        "user.arrived_at_trip_destination",
        "user.approaching_trip_destination",
        "user.started_trip",
    ]


def test_a_trip_that_a_client_has_started_is_followed_by_its_users_updates(
    publishable: Api, secret: Api, name: str
) -> None:
    store(secret, name)
    begun = publishable.post("/v1/trips", json=to_store(name, status="started")).json()
    assert [event["type"] for event in begun["events"]] == ["user.started_trip"]
    user, events = moved(publishable, name, FAR)
    assert (user["trip"]["_id"], user["trip"]["status"]) == (begun["trip"]["_id"], "started")
    assert user["trip"]["eta"]["distance"] > 25_000
    assert "user.started_trip" not in events
    assert moved(publishable, name, NEAR)[1] == ["user.approaching_trip_destination"]


def test_a_trip_arrives_where_its_deleted_geofence_was(publishable: Api, secret: Api, name: str) -> None:
    geofence = store(secret, name)
    legs = [{"destination": to_store(name)}]
    begun = publishable.post("/v1/trips", json={"externalId": name, "userId": f"u-{name}", "legs": legs}).json()
    assert "arrivalRadius" not in begun["trip"]["legs"][0]["destination"]
    moved(publishable, name, FAR)
    assert secret.delete(f"/v1/geofences/{geofence}").status_code == 200
    assert moved(publishable, name, STORE[0] - 0.003)[0]["trip"]["status"] == "approaching", "250 m away"
    user, events = moved(publishable, name, STORE[0] - 0.002)
    assert (user["trip"]["status"], events) == ("arrived", ["user.arrived_at_trip_destination"])


def test_a_trip_follows_a_geofence_that_is_made_again(publishable: Api, secret: Api, name: str) -> None:
    geofence = store(secret, name)
    publishable.post("/v1/trips", json=to_store(name))
    moved(publishable, name, FAR)
    secret.delete(f"/v1/geofences/{geofence}")
    again = store(secret, name, center=(NEAR, STORE[1]))
    user, _ = moved(publishable, name, STORE[0])
    assert user["trip"]["status"] == "approaching"
    answer = publishable.post("/v1/track", json=at(name, NEAR, updatedAt="2026-01-01")).json()
    assert answer["user"]["trip"]["status"] == "arrived"
    (event,) = [each for each in answer["events"] if "trip" in each]
    assert (event["type"], event["geofence"]["_id"]) == ("user.arrived_at_trip_destination", again)


def test_a_user_in_lists_carries_the_trip_under_way(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    publishable.post("/v1/trips", json=to_store(name))
    tracked, _ = moved(publishable, name, FAR)
    assert secret.get(f"/v1/users/u-{name}").json()["user"]["trip"] == tracked["trip"]
    listed = secret.get("/v1/users", params={"userId": f"u-{name}"}).json()["users"]
    assert [user["trip"] for user in listed] == [tracked["trip"]]
    publishable.patch(f"/v1/trips/{name}/update", json={"status": "canceled"})
    assert "trip" not in secret.get(f"/v1/users/u-{name}").json()["user"]


def test_trip_options_start_change_and_never_revive_a_trip(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    options = to_store(name, version="2")
    del options["userId"]
    user, events = moved(publishable, name, FAR, tripOptions=options)
    assert (user["trip"]["status"], events) == ("started", ["user.started_trip"])
    assert user["trip"]["userId"] == f"u-{name}"

    user, events = moved(publishable, name, FAR, tripOptions=options)
    assert events == []
    user, events = moved(publishable, name, FAR, tripOptions=options | {"metadata": {"a": 1}})
    assert (user["trip"]["metadata"], events) == ({"a": 1}, ["user.updated_trip"])

    publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed"})
    answer = publishable.post("/v1/track", json=at(name, FAR, tripOptions=options)).json()
    assert "trip" not in answer["user"]
    assert answer["meta"]["warnings"] == [
        f"tripOptions.externalId: the trip '{name}' is completed and cannot be changed."
    ]
    assert len(secret.get(f"/v1/trips?externalId={name}").json()["trips"]) == 1


def test_trip_options_to_nowhere_do_not_cost_the_location_update(publishable: Api, name: str) -> None:
    answer = publishable.post("/v1/track", json=at(name, FAR, tripOptions=to_store(name))).json()
    assert "trip" not in answer["user"]
    (warning,) = answer["meta"]["warnings"]
    assert warning.startswith("tripOptions.destinationGeofenceExternalId: no geofence has")


def test_trip_options_cannot_say_that_a_trip_has_expired(publishable: Api, secret: Api, name: str) -> None:
    options = {"externalId": name, "status": "expired"}
    answer = publishable.post("/v1/track", json=at(name, FAR, tripOptions=options)).json()
    assert answer["meta"]["warnings"] == ["tripOptions.status: a trip expires by itself; expired cannot be set."]
    assert secret.get(f"/v1/trips?externalId={name}").json()["trips"] == []


def test_trip_options_in_the_past(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    past = [at(name, longitude, tripOptions=to_store(name)) for longitude in (FAR, STORE[0])]
    answer = publishable.post("/v1/track/replay", json={"replays": past}).json()
    kinds = [event["type"] for event in answer["events"] if "trip" in event]
    assert kinds == ["user.started_trip", "user.arrived_at_trip_destination"]
    assert all(event["replayed"] for event in answer["events"])
    assert answer["user"]["trip"]["status"] == "arrived"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"tripOptions": {"destinationGeofenceTag": "a"}}, "externalId: this parameter is required"),
        ({"tripOptions": 5}, "must be a dictionary, not 5"),
        (
            {"tripOptions": {"externalId": "a", "approachingThreshold": "soon"}},
            "approachingThreshold: must be a number",
        ),
        (
            {"tripOptions": {"externalId": "a", "approachingThreshold": -1}},
            "approachingThreshold: must be 0 or greater",
        ),
        ({"tripOptions": {"externalId": "a", "mode": "plane"}}, "mode: must be one of car"),
        ({"tripOptions": {"externalId": "a", "metadata": {"b": []}}}, "metadata"),
    ],
)
def test_trip_options_of_a_wrong_kind_are_refused(
    publishable: Api, secret: Api, name: str, wrong: dict[str, Any], words: str
) -> None:
    assert_refused(publishable.post("/v1/track", json=at(name, FAR) | wrong), "tripOptions", words)
    assert secret.get(f"/v1/users/u-{name}").status_code == 404


@pytest.mark.parametrize("empty", [None, "", "null", "{}"])
def test_trip_options_that_say_nothing_are_none(publishable: Api, name: str, empty: object) -> None:
    answer = publishable.post("/v1/track", json=at(name, FAR, tripOptions=empty)).json()
    assert answer["meta"] == {"code": 200}


def test_what_a_form_leaves_empty_is_not_set(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    form = to_store(name) | dict.fromkeys(("legs", "destination", "mode", "status", "scheduledArrivalAt"), "")
    trip = publishable.post("/v1/trips", data=form).json()["trip"]
    assert trip["destinationGeofenceTag"] == name
    assert "legs" not in trip
    assert publishable.patch(f"/v1/trips/{name}/update", data={"legs": ""}).json()["trip"] == trip


def test_objects_of_a_form_are_those_of_json(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    form = {"externalId": name, "userId": f"u-{name}", "destination[coordinates]": "-73.9,40.7"}
    form |= {"destination[arrivalRadius]": "50", "metadata[car]": "green"}
    trip = publishable.post("/v1/trips", data=form).json()["trip"]
    assert trip["destinationLocation"]["coordinates"] == list(STORE)
    assert (trip["arrivalRadius"], trip["metadata"]) == (50, {"car": "green"})
    options = {f"tripOptions[{key}]": value for key, value in to_store(f"{name}-2").items()}
    options |= {"tripOptions[destinationGeofenceTag]": name, "tripOptions[metadata][0]": "5"}
    user = publishable.post("/v1/track", data=at(f"{name}-2", FAR) | options).json()["user"]
    assert (user["trip"]["externalId"], user["trip"]["metadata"]) == (f"{name}-2", {"0": 5})
    legs = {"legs[1][destination][coordinates][]": ["1", "2"], "legs[0][destination][destinationGeofenceTag]": name}
    legs |= {"legs[0][destination][destinationGeofenceExternalId]": "1", "legs[0][stopDuration]": "5"}
    trip = publishable.post("/v1/trips", data={"externalId": f"{name}-3", **legs}).json()["trip"]
    assert [leg["destination"]["type"] for leg in trip["legs"]] == ["geofence", "coordinates"]
    assert trip["legs"][0]["stopDuration"] == 5


@pytest.mark.parametrize(
    ("key", "value", "param", "words"),
    [
        ("externalId[a]", "b", "externalId", "cannot be read: is not an object or list"),
        ("destination[coordinates", "1,2", "destination", "brackets do not match"),
        ("destination[coordinates]", "1", "destination", "two numbers"),
        ("destination[coordinates]", "1,north", "destination", "two numbers"),
        ("destination[coordinates]", ["1,2", "3,4"], "destination", "is given more than once"),
        ("destination" + "[a]" * 9, "1", "destination", "at most 8 levels"),
        ("destination[]", "1", "destination", "must be a dictionary"),
        ("destination[coordinates][lng]", "1", "destination", "needs a geofence, an address or coordinates"),
    ],
)
def test_objects_of_a_form_that_cannot_be_read_are_refused(
    publishable: Api, secret: Api, name: str, key: str, value: object, param: str, words: str
) -> None:
    assert_refused(publishable.post("/v1/trips", data={"externalId": name, key: value}), param, words)
    assert secret.get(f"/v1/trips?externalId={name}").json()["trips"] == []
    both = {"externalId": name, "destination": '{"coordinates": [1, 2]}', "destination[coordinates]": "1,2"}
    assert_refused(publishable.post("/v1/trips", data=both), "destination", "give either destination or")


def test_trip_options_that_a_client_library_flattened_are_named(publishable: Api, name: str) -> None:
    form = at(name, FAR) | {"tripOptions": ["externalId", "mode"]}
    answer = publishable.post("/v1/track", data=form).json()
    assert all(warning.startswith("tripOptions: '") for warning in answer["meta"]["warnings"])
    assert "trip" not in answer["user"]


def test_the_wrong_store_is_told_and_the_trip_goes_on(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    other = store(secret, name, "2", (-74.0, 40.7))
    publishable.post("/v1/trips", json=to_store(name))
    moved(publishable, name, FAR)
    answer = publishable.post("/v1/track", json=at(name, -74.0, updatedAt="2026-03-01T12:00:00Z")).json()
    (event,) = [event for event in answer["events"] if "trip" in event["type"]]
    assert event["type"] == "user.arrived_at_wrong_trip_destination"
    assert event["geofence"]["_id"] == other
    assert answer["user"]["trip"]["status"] == "started"
    _, events = moved(publishable, name, -74.0)
    assert events == []


@pytest.mark.parametrize(
    ("of_trip", "of_geofence", "status"),
    [
        ({}, {}, "approaching"),
        ({}, {"tripApproachingThreshold": 1}, "started"),
        ({"approachingThreshold": "30"}, {"tripApproachingThreshold": 1}, "approaching"),
    ],
)
def test_the_threshold_is_the_trips_else_the_geofences_else_the_projects(
    publishable: Api, secret: Api, name: str, of_trip: dict[str, Any], of_geofence: dict[str, Any], status: str
) -> None:
    store(secret, name, **of_geofence)
    publishable.post("/v1/trips", json=to_store(name, **of_trip))
    moved(publishable, name, FAR)
    user, _ = moved(publishable, name, NEAR)
    assert user["trip"]["status"] == status


def test_the_projects_threshold_is_a_setting(publishable: Api, secret: Api, engine: Engine, name: str) -> None:
    store(secret, name)
    publishable.post("/v1/trips", json=to_store(name))
    secret.patch("/v1/settings", json={"tripApproachingThreshold": 120})
    try:
        _, events = moved(publishable, name, FAR)
    finally:
        secret.patch("/v1/settings", json={"tripApproachingThreshold": None})
    assert events == ["user.started_trip", "user.approaching_trip_destination"]
    assert engine.settings.get(Environment.TEST).trip_approaching_threshold_s == 300


def test_a_destination_by_coordinates_is_reached_within_its_radius(publishable: Api, name: str) -> None:
    body = {
        "externalId": name,
        "deviceId": f"d-{name}",
        "destination": {"coordinates": [-73.9, 40.7], "arrivalRadius": 300},
    }
    trip = publishable.post("/v1/trips", json=body).json()["trip"]
    assert trip["destinationLocation"]["coordinates"] == [-73.9, 40.7]
    assert trip["arrivalRadius"] == 300
    device = {"deviceId": f"d-{name}", "latitude": 40.7, "accuracy": 5}
    away = publishable.post("/v1/track", json=device | {"longitude": -73.904}).json()
    assert away["user"]["trip"]["status"] == "approaching"
    there = publishable.post("/v1/track", json=device | {"longitude": -73.903}).json()
    assert there["user"]["trip"]["status"] == "arrived"


def test_a_trip_without_a_destination_is_only_started_and_ended(publishable: Api, name: str) -> None:
    publishable.post("/v1/trips", json={"externalId": name, "userId": f"u-{name}"})
    user, events = moved(publishable, name, FAR)
    assert (user["trip"]["status"], events) == ("started", ["user.started_trip"])
    assert "eta" not in user["trip"]
    assert "destinationLocation" not in user["trip"]


def test_what_is_late_says_by_how_much(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    soon = (datetime.now(UTC) + timedelta(minutes=5)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    trip = publishable.post("/v1/trips", json=to_store(name, scheduledArrivalAt=soon)).json()["trip"]
    assert trip["scheduledArrivalAt"] == soon
    assert "delay" not in trip
    user, _ = moved(publishable, name, FAR)
    assert user["trip"]["delay"] == pytest.approx(user["trip"]["eta"]["duration"] - 5, abs=0.2)
    user, _ = moved(publishable, name, STORE[0])
    assert user["trip"]["delay"] == 0
    late = 1_700_000_000_000
    changed = publishable.patch(f"/v1/trips/{name}/update", json={"scheduledArrivalAt": late}).json()
    assert changed["trip"]["scheduledArrivalAt"] == "2023-11-14T22:13:20.000Z"
    assert changed["trip"]["delay"] > 60


def test_expired_by_the_clock_of_the_environment(publishable: Api, secret: Api, engine: Engine, name: str) -> None:
    store(secret, name)
    publishable.post("/v1/trips", json=to_store(name))
    moved(publishable, name, FAR)
    engine.settings.change(Environment.TEST, SettingsChange(trip_expiry_s=3600))
    try:
        engine.set_clock(ClockChange(frozen=True, advance_s=3_000))
        moved(publishable, name, FAR)
        engine.set_clock(ClockChange(advance_s=3_000))
        assert secret.get(f"/v1/trips/{name}").json()["trip"]["status"] == "started"
        engine.set_clock(ClockChange(advance_s=601))
        trip = secret.get(f"/v1/trips/{name}").json()["trip"]
    finally:
        engine.settings.change(Environment.TEST, SettingsChange(trip_expiry_s=None))
        engine.set_clock(ClockChange(system=True))
    assert trip["status"] == "expired"
    (event,) = secret.get(f"/v1/events?userId=u-{name}&type=user.stopped_trip").json()["events"]
    assert event["trip"] == trip
    assert "trip" not in secret.get(f"/v1/users/u-{name}").json()["user"]
    assert_refused(
        publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed"}), "status", "cannot be changed"
    )


@pytest.mark.parametrize(
    ("first", "then", "words"),
    [
        ("arrived", "started", "a trip that is arrived can become completed or canceled, not started"),
        ("completed", "started", "this trip is completed and cannot be changed"),
        ("canceled", "completed", "this trip is canceled and cannot be changed"),
        ("started", "pending", "can become approaching, arrived, completed or canceled, not pending"),
        ("started", "expired", "expires by itself"),
        ("started", "driving", "must be one of pending, started"),
    ],
)
def test_a_wrong_status_says_which_may_follow(
    publishable: Api, secret: Api, name: str, first: str, then: str, words: str
) -> None:
    store(secret, name)
    publishable.post("/v1/trips", json=to_store(name))
    before = publishable.patch(f"/v1/trips/{name}/update", json={"status": first}).json()["trip"]
    assert before["status"] == first
    assert_refused(
        publishable.patch(f"/v1/trips/{name}/update", json={"status": then, "metadata": {"a": 1}}), "status", words
    )
    assert secret.get(f"/v1/trips/{name}").json()["trip"] == before


def test_ending_twice_ends_once(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    options = to_store(name)
    publishable.post("/v1/trips", json=options)
    first = publishable.patch(f"/v1/trips/{name}/update", json=options | {"status": "completed"}).json()
    again = publishable.patch(f"/v1/trips/{name}/update", json=options | {"status": "completed"}).json()
    assert [event["type"] for event in first["events"]] == ["user.stopped_trip"]
    assert (again["trip"], again["events"]) == (first["trip"], [])


def test_an_external_id_is_free_again_once_its_trip_has_ended(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    publishable.post("/v1/trips", json=to_store(name))
    assert_refused(publishable.post("/v1/trips", json=to_store(name)), "externalId", "pending", status=409)
    publishable.patch(f"/v1/trips/{name}/update", json={"status": "canceled"})
    second = publishable.post("/v1/trips", json=to_store(name)).json()["trip"]
    assert secret.get(f"/v1/trips/{name}").json()["trip"]["_id"] == second["_id"]
    assert len(secret.get(f"/v1/trips?externalId={name}").json()["trips"]) == 2


@pytest.mark.parametrize(
    ("wrong", "param", "words"),
    [
        ({"externalId": None}, "externalId", "required"),
        ({"externalId": " "}, "externalId", ""),
        ({"destinationGeofenceExternalId": "none"}, "destinationGeofenceExternalId", "no geofence has"),
        ({"destinationGeofenceTag": None}, "destinationGeofenceTag", "required"),
        ({"destinationGeofenceExternalId": None}, "destinationGeofenceExternalId", "required"),
        ({"destinationGeofenceId": "5f"}, "destinationGeofenceId", "no geofence"),
        (
            {"destination": {"coordinates": [200, 1]}},
            "destination",
            "coordinates: must be [longitude, latitude]",
        ),
        ({"destination": {"coordinates": "here"}}, "destination", "coordinates: each position must be two numbers"),
        ({"destination": {"coordinates": [1, 1], "arrivalRadius": 5}}, "arrivalRadius", "within [10, 10000]"),
        ({"destination": {}}, "destination", "needs a geofence, an address or coordinates"),
        ({"destination": {"address": "20 Nowhere Road, Atlantis"}}, "address", ""),
        ({"mode": "plane"}, "mode", "car, truck, foot, bike, motorbike"),
        ({"approachingThreshold": "soon"}, "approachingThreshold", "number"),
        ({"approachingThreshold": -1}, "approachingThreshold", ""),
        ({"approachingThreshold": 10_000}, "approachingThreshold", "1440"),
        ({"approachingThreshold": True}, "approachingThreshold", ""),
        ({"scheduledArrivalAt": "soon"}, "scheduledArrivalAt", "ISO 8601"),
        ({"scheduledArrivalAt": -5}, "scheduledArrivalAt", "milliseconds"),
        ({"metadata": {"a": {}}}, "metadata", ""),
        ({"metadata": {str(n): n for n in range(33)}}, "metadata", "32"),
        ({"status": "expired"}, "status", "expires by itself"),
        ({"legs": [{}]}, "legs", "item 1 destination: this parameter is required"),
        ({"legs": [{"destination": {"coordinates": [1, 1]}}]}, "legs", "cannot be combined"),
        ({"legs": "x"}, "legs", "JSON"),
        (
            {"destination": {"coordinates": [1, 1]}, "destinationGeofenceTag": "b"},
            "destination",
            "give only one of them",
        ),
        (
            {
                "destination": {
                    "coordinates": [1, 1],
                    "destinationGeofenceTag": "NAME",
                    "destinationGeofenceExternalId": "1",
                }
            },
            "destination",
            "not both",
        ),
    ],
)
def test_a_bad_trip_names_its_parameter_and_is_not_stored(
    publishable: Api, secret: Api, name: str, wrong: dict[str, Any], param: str, words: str
) -> None:
    store(secret, name)
    wanted = to_store(name) | dict.fromkeys(() if "destination" not in wrong else PLAIN) | wrong
    if isinstance(found := wanted.get("destination"), dict) and "destinationGeofenceTag" in found:
        wanted["destination"] = found | {"destinationGeofenceTag": name}
    body = {key: value for key, value in wanted.items() if value is not None}
    response = publishable.post("/v1/trips", json=body)
    meta = response.json()["meta"]
    assert response.status_code in (400, 503), meta
    assert meta.get("param", param).endswith(param), meta
    assert words in meta["message"]
    assert "_geofence" not in meta["message"], "a name of the engine"
    assert secret.get("/v1/trips", params={"userId": f"u-{name}"}).json()["trips"] == []


def legs(api: Api, name: str) -> list[dict[str, Any]]:
    stops = [(-74.1, 40.7), (-74.0, 40.7), STORE]
    for number, center in enumerate(stops, 1):
        store(api, name, str(number), center)
    return [
        {
            "destination": {"destinationGeofenceTag": name, "destinationGeofenceExternalId": str(number)},
            "stopDuration": 5,
        }
        for number in (1, 2, 3)
    ]


def with_legs(publishable: Api, secret: Api, name: str) -> dict[str, Any]:
    body = {"externalId": name, "userId": f"u-{name}", "legs": legs(secret, name)}
    trip: dict[str, Any] = publishable.post("/v1/trips", json=body).json()["trip"]
    return trip


def test_other_legs_are_taken_while_the_trip_is_pending_and_refused_after(
    publishable: Api, secret: Api, name: str
) -> None:
    given = legs(secret, name)
    update = f"/v1/trips/{name}/update"
    publishable.post("/v1/trips", json={"externalId": name, "userId": f"u-{name}", "legs": given})
    fewer = publishable.patch(update, json={"legs": given[:2]}).json()
    assert [leg["destinationGeofenceExternalId"] for leg in fewer["trip"]["legs"]] == ["1", "2"]
    assert [event["type"] for event in fewer["events"]] == ["user.updated_trip"]

    options = {"externalId": name, "legs": given}
    user, events = moved(publishable, name, FAR, tripOptions=options)
    assert (len(user["trip"]["legs"]), events) == (2, ["user.started_trip"])
    assert_refused(publishable.patch(update, json={"legs": given}), "legs", "only while the trip is pending")
    again = publishable.patch(update, json={"legs": given[1::-1], "status": "canceled"}).json()
    assert again["trip"]["status"] == "canceled", "the same legs in another order are what SDKs repeat"


def statuses(trip: dict[str, Any]) -> list[str]:
    return [leg["status"] for leg in trip["legs"]]


def test_a_trip_works_through_its_legs(publishable: Api, secret: Api, name: str) -> None:
    trip = with_legs(publishable, secret, name)
    first, second, third = (leg["_id"] for leg in trip["legs"])
    assert trip["currentLeg"] == trip["currentLegId"] == first
    assert trip["legs"][0]["destination"]["source"]["data"] == {"tag": name, "externalId": "1"}
    assert trip["legs"][0]["stopDuration"] == 5
    assert "destinationLocation" not in trip

    user, _ = moved(publishable, name, FAR)
    assert statuses(user["trip"]) == ["started", "pending", "pending"]
    etas = [leg["eta"]["distance"] for leg in user["trip"]["legs"]]
    assert etas == sorted(etas)
    assert user["trip"]["eta"]["distance"] == etas[-1]
    user, events = moved(publishable, name, -74.1)
    assert (user["trip"]["status"], statuses(user["trip"])) == ("arrived", ["arrived", "pending", "pending"])

    done = publishable.patch(f"/v1/trips/{name}/legs/{first}", json={"status": "completed"}).json()
    assert done["leg"]["_id"] == first
    assert done["leg"]["status"] == "completed"
    assert (done["trip"]["status"], done["trip"]["currentLeg"]) == ("started", second)
    user, events = moved(publishable, name, -74.0)
    assert (user["trip"]["status"], events) == ("arrived", ["user.arrived_at_trip_destination"])
    publishable.patch(f"/v1/trips/{name}/legs/{second}", json={"status": "canceled"})
    ended = publishable.patch(f"/v1/trips/{name}/legs/{third}", json={"status": "completed"}).json()
    assert ended["trip"]["status"] == "completed"
    assert statuses(ended["trip"]) == ["completed", "canceled", "completed"]
    assert [event["type"] for event in ended["events"]] == ["user.stopped_trip"]
    assert "currentLeg" not in ended["trip"]


def test_legs_in_another_order(publishable: Api, secret: Api, name: str) -> None:
    trip = with_legs(publishable, secret, name)
    first, second, third = (leg["_id"] for leg in trip["legs"])
    moved(publishable, name, FAR)
    put = publishable.put(f"/v1/trips/{name}/legs", json={"legs": [third, first, second]}).json()
    assert [leg["_id"] for leg in put["trip"]["legs"]] == [third, first, second]
    assert statuses(put["trip"]) == ["started", "pending", "pending"]
    publishable.patch(f"/v1/trips/{name}/legs/{third}", json={"status": "completed"})
    put = publishable.put(f"/v1/trips/{name}/legs", json={"legs": [second, first]}).json()
    assert [leg["_id"] for leg in put["trip"]["legs"]] == [third, second, first]
    for wrong, words in (
        ([first], "missing"),
        ([first, first, second], "twice"),
        ([first, second, "5f"], "no leg with the _id '5f'"),
    ):
        assert_refused(publishable.put(f"/v1/trips/{name}/legs", json={"legs": wrong}), "legs", words)


def test_legs_of_another_trip_and_wrong_statuses(publishable: Api, secret: Api, name: str) -> None:
    trip, other = with_legs(publishable, secret, name), with_legs(publishable, secret, f"{name}-2")
    first, _, third = (leg["_id"] for leg in trip["legs"])
    foreign = f"/v1/trips/{name}/legs/{other['legs'][0]['_id']}"
    assert_refused(publishable.patch(foreign, json={"status": "completed"}), "legId", "has no leg", status=404)
    path = f"/v1/trips/{name}/legs"
    assert_refused(publishable.patch(f"{path}/{third}", json={"status": "arrived"}), "status", "only the current leg")
    assert_refused(publishable.patch(f"{path}/{first}", json={}), "status", "required")
    for nothing in (None, "unknown", "", "null", "begun", 1, ["started"]):
        assert_refused(publishable.patch(f"{path}/{first}", json={"status": nothing}), "status", "must be one of")
    assert_refused(publishable.patch(f"{path}/{first}", json={"status": "expired"}), "status")
    publishable.patch(f"{path}/{first}", json={"status": "completed"})
    assert_refused(publishable.patch(f"{path}/{first}", json={"status": "started"}), "status", "this leg is completed")


def test_trips_are_listed_with_filters(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    for number in range(4):
        publishable.post("/v1/trips", json=to_store(name) | {"externalId": f"{name}-{number}"})
    publishable.patch(f"/v1/trips/{name}-1/update", json={"status": "canceled"})

    def listed(**query: Any) -> list[str]:
        found = secret.get("/v1/trips", params={"userId": f"u-{name}"} | query).json()["trips"]
        return [trip["externalId"].removeprefix(f"{name}-") for trip in found]

    assert listed() == ["1", "3", "2", "0"]
    assert listed(status="pending") == ["3", "2", "0"]
    assert listed(status="canceled,completed") == ["1"]
    assert listed(externalId=f"{name}-0,{name}-3") == ["3", "0"]
    assert listed(limit=2) == ["1", "3"]
    page = secret.get("/v1/trips", params={"userId": f"u-{name}", "limit": 2}).json()
    assert page["meta"]["hasMore"] is True
    assert_refused(secret.get("/v1/trips?status=lost"), "status", "pending")
    assert_refused(secret.get("/v1/trips?limit=1001"), "limit")


def test_keys_see_what_they_may(publishable: Api, secret: Api, live: Api, name: str) -> None:
    store(secret, name)
    publishable.post("/v1/trips", json=to_store(name))
    for method, path in (("GET", "/v1/trips"), ("GET", f"/v1/trips/{name}"), ("DELETE", f"/v1/trips/{name}")):
        assert publishable.request(method, path).status_code == 403
    assert live.get(f"/v1/trips/{name}").status_code == 404
    deleted = secret.delete(f"/v1/trips/{name}").json()["trip"]
    assert deleted["externalId"] == name
    assert_refused(secret.get(f"/v1/trips/{name}"), "id", status=404)
    assert_refused(publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed"}), "id", status=404)
    user, events = moved(publishable, name, FAR)
    assert "trip" not in user
    assert events == []


def test_of_several_trips_of_a_user_the_last_begun_is_followed(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    for number in "12":
        publishable.post("/v1/trips", json=to_store(name) | {"externalId": f"{name}-{number}"})
    user, _ = moved(publishable, name, FAR)
    assert user["trip"]["externalId"] == f"{name}-2"
    assert secret.get(f"/v1/trips/{name}-1").json()["trip"]["status"] == "pending"
    publishable.patch(f"/v1/trips/{name}-2/update", json={"status": "completed"})
    user, _ = moved(publishable, name, FAR)
    assert user["trip"]["externalId"] == f"{name}-1"


def test_a_form_spells_a_trip_too(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    form = to_store(name, approachingThreshold="3", metadata='{"a": 1}', scheduledArrivalAt="")
    trip = publishable.post("/v1/trips", data=form).json()["trip"]
    assert (trip["approachingThreshold"], trip["metadata"]) == (3, {"a": 1})
