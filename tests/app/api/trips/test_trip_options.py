"""Trips that location updates start, change and end, as JSON and as a form, and refused options."""

from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused
from tests.app.api.trips.fixtures import FAR, STORE, at, moved, store, to_store


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


def test_trip_options_cannot_set_a_trip_to_expired(publishable: Api, secret: Api, name: str) -> None:
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
def test_empty_trip_options_are_none(publishable: Api, name: str, empty: object) -> None:
    answer = publishable.post("/v1/track", json=at(name, FAR, tripOptions=empty)).json()
    assert answer["meta"] == {"code": 200}


def test_empty_fields_of_a_form_are_not_set(publishable: Api, secret: Api, name: str) -> None:
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
