"""Extreme accepted values with all rules on: never a 500 or a null in the response."""

from itertools import product
from typing import Any

import pytest

from tests.app.api.conftest import Api

EVERYTHING: dict[str, Any] = {
    **dict.fromkeys(("fraud", "dwellEvent", "operatingHoursRestriction", "bufferEntries", "bufferExits"), True),
    "defaultDwellThreshold": 1e-6,
    "jumpedSpeed": 1e-300,
    "inaccurateAccuracy": 1e-300,
    "sharingWindow": 1e6,
}
CENTERS = [(179.99, 0.0), (-179.99, 0.0), (0.0, 89.99), (0.0, -89.99), (0.0, 0.0)]
POSITIONS = [(180, 0), (-180, 0), (0, 90), (0, -90), (5e-324, -5e-324)]
TIMES = ["1900-01-01", "1969-12-31T23:59:59.999Z", None, "2199-12-31T23:59:59.999Z"]


@pytest.fixture(scope="module", autouse=True)
def _crowded(secret: Api) -> None:
    assert secret.patch("/v1/settings", json=EVERYTHING).status_code == 200
    for number, center in enumerate(CENTERS):
        fence = {
            "description": "The end of the world",
            "type": "circle",
            "coordinates": center,
            "radius": 10_000,
            "operatingHours": {"Mon": [["22:00", "02:00"]], "Thu": [["00:00", "24:00"]]},
            "disableAfter": "9999-12-31T23:59:59.999Z",
            "deleteAfter": "9999-12-31T23:59:59.999Z",
            "dwellThreshold": 1e-6,
        }
        assert secret.put(f"/v1/geofences/end/{number}", json=fence).status_code == 200


@pytest.mark.parametrize("query", ["", "?explain=true"])
@pytest.mark.parametrize("accuracy", [5e-324, 100, 1e300])
def test_updates(secret: Api, accuracy: float, query: str) -> None:
    for (longitude, latitude), at in product(POSITIONS, TIMES):
        body = {"deviceId": f"{accuracy}{query}", "latitude": latitude, "longitude": longitude, "accuracy": accuracy}
        body |= {"updatedAt": at, "updatedAtMsDiff": 3e12, "altitude": -1e308, "verticalAccuracy": 5e-324}
        assert secret.post(f"/v1/track{query}", json=body).status_code == 200


def test_lists_of_the_resulting_records(secret: Api) -> None:
    for path in ("/v1/users", "/v1/events", "/v1/geofences", "/v1/geofences/end/0/users"):
        assert secret.get(f"{path}?limit=1000").status_code == 200


@pytest.mark.parametrize("now", ["1971-01-01", "2199-12-31T23:59:59.999Z"])
def test_the_clocks_own_ends(secret: Api, now: str) -> None:
    secret.post("/v1/clock", json={"now": now, "scale": 1e6})
    try:
        body = {"deviceId": now, "latitude": 0, "longitude": 180, "accuracy": 1, "updatedAtMsDiff": 3.1e12}
        assert secret.post("/v1/track", json=body).status_code == 200
        assert secret.get("/v1/clock").status_code == 200
    finally:
        secret.post("/v1/clock", json={"system": True})
