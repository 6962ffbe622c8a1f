"""Trips with their users, recorded locations and routes, and the filters of lists."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import event

from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, fix
from tests.app.api.trips.fixtures import FAR, NEAR, STORE, at, moved, store, to_store


def lister(secret: Api, name: str) -> Callable[..., list[str]]:
    """Return a function that lists the trips of a test by the ends of their external IDs."""

    def listed(**query: Any) -> list[str]:
        answer = secret.get("/v1/trips", params=query)
        assert answer.status_code == 200, answer.text
        found = [trip["externalId"] for trip in answer.json()["trips"]]
        return [each.removeprefix(f"{name}-") for each in found if each.startswith(name)]

    return listed


@contextmanager
def statements_about(table: str) -> Iterator[list[str]]:
    """Collect the statements that read a table."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if f"FROM {table}" in statement:
            found.append(statement)

    event.listen(sqlalchemy.Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(sqlalchemy.Engine, "before_cursor_execute", note)


class TestFilters:
    """Filters and order of the list of trips."""

    def test_by_the_geofence_of_the_destination(self, publishable: Api, secret: Api, name: str) -> None:
        store(secret, name)
        store(secret, name, "2")
        store(secret, f"{name}-other", "2")
        to_second = {"destinationGeofenceTag": name, "destinationGeofenceExternalId": "2"}
        to_other = {"destinationGeofenceTag": f"{name}-other", "destinationGeofenceExternalId": "2"}
        legs = {"legs": [{"destination": to_store(name)}, {"destination": to_other}]}
        for number, destination in enumerate((to_store(name), to_second, to_other, legs)):
            plain = {key: value for key, value in destination.items() if key.startswith(("destination", "legs"))}
            publishable.post("/v1/trips", json={"externalId": f"{name}-{number}", "userId": name} | plain)
        listed = lister(secret, name)
        assert listed(userId=name) == ["3", "2", "1", "0"]
        assert listed(destinationGeofenceTag=name) == ["3", "1", "0"]
        assert listed(destinationGeofenceTag=f"{name}-other") == ["3", "2"]
        assert listed(userId=name, destinationGeofenceExternalId="2") == ["3", "2", "1"]
        assert listed(destinationGeofenceTag=name, destinationGeofenceExternalId="1") == ["3", "0"]
        both = {"destinationGeofenceTag": name, "destinationGeofenceExternalId": "2"}
        assert listed(**both) == ["1"], "of one destination, not of two legs"
        assert listed(destinationGeofenceTag=name.upper()) == []
        assert listed(destinationGeofenceTag=f"{name}%") == listed(destinationGeofenceTag=name[:-1]) == []
        page = secret.get("/v1/trips", params={"destinationGeofenceTag": name, "limit": 2}).json()
        assert [len(page["trips"]), page["meta"]["hasMore"]] == [2, True]
        page = secret.get("/v1/trips", params={"destinationGeofenceTag": name, "limit": 3}).json()
        assert page["meta"]["hasMore"] is False

    def test_by_delay(self, publishable: Api, secret: Api, name: str) -> None:
        store(secret, name)
        for key, minutes in (("late", -60), ("early", 24 * 60), ("whenever", None)):
            due = None if minutes is None else (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()
            body = to_store(name) | {"externalId": f"{name}-{key}", "userId": f"u-{name}-{key}"}
            publishable.post("/v1/trips", json=body | ({} if due is None else {"scheduledArrivalAt": due}))
            publishable.post("/v1/track", json=at(f"{name}-{key}", FAR))
        listed = lister(secret, name)
        tag = {"destinationGeofenceTag": name, "sortBy": "createdAt"}
        assert listed(**tag) == ["whenever", "early", "late"]
        assert listed(**tag, delayed="true") == listed(**tag, delayed="1") == ["late"]
        assert listed(**tag, delayed="false") == ["whenever", "early"]
        assert_refused(secret.get("/v1/trips?delayed=perhaps"), "delayed")

    def test_in_the_order_of_creation(self, publishable: Api, secret: Api, name: str) -> None:
        for number in range(3):
            publishable.post("/v1/trips", json={"externalId": f"{name}-{number}", "userId": name})
        publishable.patch(f"/v1/trips/{name}-0/update", json={"metadata": {"a": 1}})
        listed = lister(secret, name)
        assert listed(userId=name) == listed(userId=name, sortBy="updatedAt") == ["0", "2", "1"]
        assert listed(userId=name, sortBy="createdAt") == ["2", "1", "0"]
        assert_refused(secret.get("/v1/trips?sortBy=eta"), "sortBy", "createdAt")

    def test_by_either_identifier_of_the_user(self, publishable: Api, secret: Api, name: str) -> None:
        store(secret, name)
        for key in "ab":
            publishable.post("/v1/trips", json=to_store(name, externalId=f"{name}-{key}", userId=f"u-{name}-{key}"))
        user = publishable.post("/v1/track", json=at(f"{name}-a", FAR)).json()["user"]
        listed = lister(secret, name)
        assert listed(userId=user["_id"]) == listed(userId=f"u-{name}-a") == ["a"]
        assert listed(userId=f"u-{name}-b") == ["b"]

    def test_by_the_identifier_of_a_user_whom_trips_wait_for(self, publishable: Api, secret: Api, name: str) -> None:
        store(secret, name)
        ann = publishable.post("/v1/track", json=at(name, FAR)).json()["user"]
        phone = publishable.post("/v1/track", json=fix(f"phone-{name}")).json()["user"]
        owners = {"user": {"userId": f"u-{name}"}, "device": {"deviceId": ann["deviceId"]}}
        owners |= {"phone": {"deviceId": phone["deviceId"]}, "other": {"userId": f"other-{name}"}}
        for key, owner in owners.items():
            publishable.post("/v1/trips", json={"externalId": f"{name}-{key}", **owner})
        listed = lister(secret, name)
        assert set(listed(userId=ann["_id"])) == {"user", "device"}
        assert listed(userId=phone["_id"]) == ["phone"]
        assert secret.get(f"/v1/trips/{name}-device").json()["trip"]["user"]["_id"] == ann["_id"]


class TestUser:
    """The user of a trip."""

    def test_of_a_trip_that_waits_and_one_in_progress(self, publishable: Api, secret: Api, name: str) -> None:
        store(secret, name)
        created = publishable.post("/v1/trips", json=to_store(name)).json()["trip"]
        assert "user" not in created, "no user has this userId yet"
        user, _ = moved(publishable, name, FAR)
        expected = {"_id": user["_id"], "userId": f"u-{name}", "deviceId": f"d-{name}"}
        assert secret.get(f"/v1/trips/{name}").json()["trip"]["user"] == expected
        (listed,) = secret.get("/v1/trips", params={"externalId": name}).json()["trips"]
        assert listed["user"] == expected
        ended = publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed"}).json()["trip"]
        assert ended["user"] == expected
        assert ended["completedAt"] == ended["endedAt"]
        again = publishable.post("/v1/trips", json=to_store(name, externalId=f"{name}-2")).json()["trip"]
        assert (again["status"], again["user"]) == ("pending", expected)
        assert secret.delete(f"/v1/trips/{name}-2").json()["trip"]["user"] == expected

    def test_of_the_trips_in_a_list(self, publishable: Api, secret: Api, name: str) -> None:
        owners = [{"userId": f"{name}-{number}"} for number in range(3)]
        owners += [{"deviceId": f"d-{name}"}, {"userId": f"unknown-{name}"}]
        for number, owner in enumerate(owners):
            publishable.post("/v1/trips", json={"externalId": f"{name}-{number}", **owner})
        for number, device in ((0, "0"), (1, "1"), (1, "2"), (2, "3")):
            publishable.post("/v1/track", json=fix(f"{device}-{name}", userId=f"{name}-{number}"))
        publishable.post("/v1/track", json=fix(f"d-{name}", userId=f"{name}-0"))
        publishable.post("/v1/trips", json={"externalId": f"{name}-5", "userId": f"{name}-1"})
        keys = [f"{name}-{number}" for number in range(6)]
        with statements_about("users") as queries:
            trips = secret.get("/v1/trips", params={"externalId": ",".join(keys)}).json()["trips"]
        assert 0 < len(queries) <= 3, "not one or more for each trip"
        listed = {trip["externalId"]: trip.get("user") for trip in trips}
        assert listed == {key: secret.get(f"/v1/trips/{key}").json()["trip"].get("user") for key in keys}
        devices = {"0": f"0-{name}", "1": f"1-{name}", "2": f"3-{name}", "3": f"d-{name}", "5": f"2-{name}"}
        found = {key.removeprefix(f"{name}-"): user["deviceId"] for key, user in listed.items() if user}
        assert found == devices

    def test_of_a_logged_out_device(self, publishable: Api, name: str) -> None:
        user = publishable.post("/v1/track", json=fix(f"d-{name}")).json()["user"]
        trip = publishable.post("/v1/trips", json={"externalId": name, "deviceId": f"d-{name}"}).json()["trip"]
        assert trip["user"] == {"_id": user["_id"], "deviceId": f"d-{name}"}


class TestLocations:
    """The locations that were recorded during a trip."""

    def test_on_request_from_the_beginning_to_the_end(self, publishable: Api, secret: Api, name: str) -> None:
        store(secret, name)
        moved(publishable, name, FAR - 0.1)
        publishable.post("/v1/trips", json=to_store(name))
        assert secret.get(f"/v1/trips/{name}?includeLocations=true").json()["trip"]["locations"] == []
        way = [moved(publishable, name, longitude)[0] for longitude in (FAR, NEAR, STORE[0])]
        expected = [{**user["location"], "updatedAt": user["updatedAt"]} for user in way]
        trip = secret.get(f"/v1/trips/{name}?includeLocations=true").json()["trip"]
        assert trip["locations"] == expected
        publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed"})
        moved(publishable, name, FAR)
        for path in (f"/v1/trips/{name}", f"/v1/trips?externalId={name}"):
            both = "&" if "?" in path else "?"
            answer = secret.get(f"{path}{both}includeLocations=1").json()
            (trip,) = [answer["trip"]] if "trip" in answer else answer["trips"]
            assert trip["locations"] == expected, "the update after the end is no part of the trip"
            answer = secret.get(path).json()
            (trip,) = [answer["trip"]] if "trip" in answer else answer["trips"]
            assert "locations" not in trip
        assert_refused(secret.get("/v1/trips?includeLocations=all"), "includeLocations")

    def test_lists_with_locations_are_short(
        self, publishable: Api, secret: Api, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.api.v1.trips.MOST_LISTED_LOCATIONS", 2)
        store(secret, name)
        publishable.post("/v1/trips", json=to_store(name))
        for longitude in (FAR, FAR + 0.01, FAR + 0.02):
            moved(publishable, name, longitude)
        (trip,) = secret.get(f"/v1/trips?externalId={name}&includeLocations=true").json()["trips"]
        assert [each["coordinates"][0] for each in trip["locations"]] == [FAR + 0.01, FAR + 0.02]
        assert_refused(secret.get("/v1/trips?includeLocations=true&limit=101"), "limit")
        assert secret.get("/v1/trips?includeLocations=true&limit=100").status_code == 200
        assert secret.get("/v1/trips?limit=101").status_code == 200

    def test_of_the_user_alone(self, publishable: Api, secret: Api, name: str) -> None:
        store(secret, name)
        publishable.post("/v1/trips", json=to_store(name))
        publishable.post("/v1/track", json=at(name, FAR))
        publishable.post("/v1/track", json=at(f"{name}-other", NEAR))
        publishable.post("/v1/track", json=fix(f"d-{name}", userId=f"{name}-guest"))
        (location,) = secret.get(f"/v1/trips/{name}?includeLocations=true").json()["trip"]["locations"]
        assert location["coordinates"] == [FAR, STORE[1]]

    def test_only_kept_ones(self, publishable: Api, secret: Api, engine: Engine, name: str) -> None:
        store(secret, name)
        publishable.post("/v1/trips", json=to_store(name))
        kept = engine.settings.get(Environment.TEST).kept_updates
        engine.settings.change(Environment.TEST, SettingsChange(kept_updates=2))
        try:
            for longitude in (FAR, FAR + 0.01, FAR + 0.02):
                moved(publishable, name, longitude)
            found = secret.get(f"/v1/trips/{name}?includeLocations=true").json()["trip"]["locations"]
            assert [each["coordinates"][0] for each in found] == [FAR + 0.01, FAR + 0.02]
        finally:
            engine.settings.change(Environment.TEST, SettingsChange(kept_updates=kept))


class TestRoute:
    """Refusals for the route of a trip; the routes are in tests/app/api/routing."""

    @pytest.mark.parametrize("updates", [0, 1])
    def test_of_a_trip_without_a_path(self, publishable: Api, secret: Api, name: str, updates: int) -> None:
        publishable.post("/v1/trips", json={"externalId": name, "userId": f"u-{name}"})
        assert_refused(secret.get(f"/v1/trips/{name}/route"), "id", "pending")
        for _ in range(updates):
            moved(publishable, name, FAR)
        publishable.patch(f"/v1/trips/{name}/update", json={"status": "completed" if updates else "canceled"})
        words = "only one kept location" if updates else "no kept locations"
        assert_refused(secret.get(f"/v1/trips/{name}/route"), "id", words)

    def test_keys(self, publishable: Api, secret: Api, live: Api, name: str) -> None:
        trip = publishable.post("/v1/trips", json={"externalId": name, "userId": name}).json()["trip"]
        assert publishable.get(f"/v1/trips/{trip['_id']}/route").status_code == 403
        assert live.get(f"/v1/trips/{trip['_id']}/route").status_code == 404
        assert_refused(secret.get("/v1/trips/none/route"), "id", status=404)
