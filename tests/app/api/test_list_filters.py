"""The documented filters of lists and searches: each one is known, and leaves out what it does not match."""

from typing import Any, Final

import pytest

from app.api.v1 import RESOURCES
from app.api.v1.request_log.near_misses import names_of
from engine.engine import Engine
from tests.app.api.conftest import CENTRAL_PARK, Api, circle, fix

DOCUMENTED: Final = {
    "/v1/users": "limit updatedBefore updatedAfter",
    "/v1/trips": "status destinationGeofenceTag destinationGeofenceExternalId externalId userId includeLocations "
    "createdAfter createdBefore sortBy delayed limit",
    "/v1/geofences": "limit createdBefore createdAfter updatedBefore updatedAfter tag externalId metadata",
    "/v1/geofences/{tag}/{externalId}/users": "",
    "/v1/beacons": "limit createdBefore createdAfter tag externalId",
    "/v1/events": "limit createdBefore createdAfter",
    "/v1/context": "coordinates userId",
    "/v1/search/users": "near radius mode metadata limit",
    "/v1/search/geofences": "near limit radius tags metadata includeGeometry",
    "/v1/search/places": "chains categories iataCode chainMetadata near radius limit",
    "/v1/search/autocomplete": "query near layers limit countryCode lang",
}
"""Parameters by path, from the platform's reference."""

LONG_AGO, LATER = "1990-01-01", "2190-01-01"
TIMES: Final = {"Before": LONG_AGO, "After": LATER}
WITHOUT_MATCH: Final[dict[str, dict[str, str]]] = {
    "trips": {
        "status": "expired",
        "destinationGeofenceTag": "none",
        "destinationGeofenceExternalId": "none",
        "externalId": "none",
        "userId": "none",
        "delayed": "true",
    },
    "geofences": {"tag": "none", "externalId": "none", "metadata[floor]": "3"},
    "beacons": {"tag": "none", "externalId": "none", "metadata[floor]": "3"},
    "users": {"userId": "none", "deviceId": "none"},
    "events": {"userId": "none", "deviceId": "none", "type": "none", "tag": "none", "externalId": "none"},
}
"""Values that match no record, by list and filter."""

CASES: Final = [
    *((noun, name, value) for noun, filters in WITHOUT_MATCH.items() for name, value in filters.items()),
    *((noun, f"created{end}", at) for noun in WITHOUT_MATCH if noun != "users" for end, at in TIMES.items()),
    *((noun, f"updated{end}", at) for noun in WITHOUT_MATCH if noun != "events" for end, at in TIMES.items()),
]


@pytest.mark.parametrize("path", DOCUMENTED)
def test_every_documented_parameter_is_known(path: str) -> None:
    (resource,) = (each for each in RESOURCES if each.path == path)
    assert set(DOCUMENTED[path].split()) <= names_of(resource.operations["GET"].query)


@pytest.fixture(scope="module")
def stored(engine: Engine) -> list[Any]:
    """A list that a test fills once with one record of each kind."""
    return []


@pytest.mark.parametrize(("noun", "filter", "value"), CASES)
def test_a_filter_leaves_out_what_it_does_not_match(
    publishable: Api, secret: Api, stored: list[Any], noun: str, filter: str, value: str
) -> None:
    if not stored:
        _store(publishable, secret)
        stored.append(True)
    whole = secret.get(f"/v1/{noun}").json()
    assert len(whole[noun]) >= 1
    answer = secret.get(f"/v1/{noun}", params={filter: value}).json()
    assert answer == {"meta": {"code": 200, "hasMore": False}, noun: []}


def _store(publishable: Api, secret: Api) -> None:
    """Store a geofence, a beacon, a trip, and a user with an event."""
    secret.post("/v1/geofences", json=circle("store", "1", metadata={"floor": 2}))
    signal = {"type": "eddystone", "uid": "edd1ebeac04e5defa017", "instance": "0bdb87539b67"}
    beacon = {"description": "Door", "tag": "door", "externalId": "1", "coordinates": list(CENTRAL_PARK)} | signal
    secret.post("/v1/beacons", json=beacon)
    publishable.post("/v1/trips", json={"externalId": "order", "deviceId": "phone"})
    publishable.post("/v1/track", json=fix("phone", userId="ann"))


def test_a_long_tag_finds_no_trip(secret: Api) -> None:
    """SQLite refuses patterns of this length."""
    answer = secret.get("/v1/trips", params={"destinationGeofenceTag": "_" * 25_000})
    assert (answer.status_code, answer.json()["trips"]) == (200, [])
