"""Trips for tests: a store, its location, and devices on their way to it."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from tests.app.api.conftest import Api, circle, fix

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
    """Track 20 minutes after the previous update; return the user and the types of events not about geofences."""
    when = (datetime(2025, 3, 1, tzinfo=UTC) + timedelta(minutes=20 * next(_TURNS))).isoformat()
    answer = api.post("/v1/track", json=at(name, longitude, updatedAt=when, **fields)).json()
    return answer["user"], [event["type"] for event in answer["events"] if "_geofence" not in event["type"]]
