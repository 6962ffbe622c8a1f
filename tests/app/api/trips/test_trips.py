"""Trips: created, updated by locations, changed, listed and deleted, and refused requests."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused
from tests.app.api.trips.fixtures import FAR, NEAR, PLAIN, STORE, at, moved, store, to_store


def without_user(trip: dict[str, Any]) -> dict[str, Any]:
    """Return a trip as users and events have it, which say by themselves who the user is."""
    return {name: value for name, value in trip.items() if name != "user"}


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
    assert event["trip"] == without_user(ended["trip"])
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


def test_a_trip_arrives_at_its_deleted_geofence(publishable: Api, secret: Api, name: str) -> None:
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


def test_the_wrong_store_generates_an_event_and_the_trip_goes_on(publishable: Api, secret: Api, name: str) -> None:
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


def minutes_late(trip: dict[str, Any]) -> float:
    late: float = trip["delay"]["scheduledArrivalTimeDelay"]
    assert trip["delay"]["delayed"] is (late > 0)
    return late


def test_a_late_trip_has_its_delay(publishable: Api, secret: Api, name: str) -> None:
    store(secret, name)
    soon = (datetime.now(UTC) + timedelta(minutes=5)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    trip = publishable.post("/v1/trips", json=to_store(name, scheduledArrivalAt=soon)).json()["trip"]
    assert trip["scheduledArrivalAt"] == soon
    assert "delay" not in trip
    user, _ = moved(publishable, name, FAR)
    delay = user["trip"]["delay"]
    assert delay.pop("scheduledArrivalTimeDelay") == pytest.approx(user["trip"]["eta"]["duration"] - 5, abs=0.2)
    assert delay == {"delayed": True}
    user, _ = moved(publishable, name, STORE[0])
    assert user["trip"]["delay"] == {"delayed": False, "scheduledArrivalTimeDelay": 0}
    late = 1_700_000_000_000
    changed = publishable.patch(f"/v1/trips/{name}/update", json={"scheduledArrivalAt": late}).json()
    assert changed["trip"]["scheduledArrivalAt"] == "2023-11-14T22:13:20.000Z"
    assert minutes_late(changed["trip"]) > 60


@pytest.mark.parametrize("arrives", ["by an update", "by a client"])
def test_a_client_that_changes_a_trip_on_a_track_of_another_time_leaves_its_delay(
    publishable: Api, secret: Api, name: str, arrives: str
) -> None:
    store(secret, name)
    start = datetime(2025, 5, 4, 10, tzinfo=UTC)
    scheduled, options = (start + timedelta(minutes=5)).isoformat(), to_store(name)
    options["scheduledArrivalAt"] = scheduled

    def track(longitude: float, minutes: int, **fields: Any) -> dict[str, Any]:
        body = at(name, longitude, updatedAt=(start + timedelta(minutes=minutes)).isoformat(), **fields)
        trip: dict[str, Any] = publishable.post("/v1/track", json=body).json()["user"]["trip"]
        return trip

    trip = track(FAR, 0, tripOptions=options)
    late = trip["eta"]["duration"] - 5
    assert minutes_late(trip) == pytest.approx(late, abs=0.2)
    update = f"/v1/trips/{name}/update"
    changed = publishable.patch(update, json={"metadata": {"car": "green"}}).json()["trip"]
    assert changed["delay"] == trip["delay"]
    moved_on = track(FAR + 0.01, 1)
    assert minutes_late(moved_on) == pytest.approx(1 + moved_on["eta"]["duration"] - 5, abs=0.2)
    if arrives == "by an update":
        arrived = track(STORE[0], 35)
        assert minutes_late(arrived) == pytest.approx(30, abs=0.1)
    else:
        arrived = publishable.patch(update, json={"status": "arrived"}).json()["trip"]
        assert minutes_late(arrived) == 0
    assert arrived["status"] == "arrived"
    there = {"scheduledArrivalAt": datetime.now(UTC).isoformat()}
    assert minutes_late(publishable.patch(update, json=there).json()["trip"]) < 1


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
    assert event["trip"] == without_user(trip)
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
def test_a_wrong_status_lists_which_may_follow(
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


def test_keys_see_only_permitted_trips(publishable: Api, secret: Api, live: Api, name: str) -> None:
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
