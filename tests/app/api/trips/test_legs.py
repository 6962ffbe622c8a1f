"""Trips with several legs: changes, progress, a new order, and refused requests."""

from typing import Any

from tests.app.api.conftest import Api, assert_refused
from tests.app.api.trips.fixtures import FAR, STORE, moved, store


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
