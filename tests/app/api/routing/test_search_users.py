"""GET /v1/search/users: users near a point, by distance and by travel time."""

from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused, fix

NEAR = "40.7826,-73.9656"
STEP = 0.001185
"""About 100 metres of longitude at this latitude."""


@pytest.fixture
def walkers(secret: Api, publishable: Api, name: str) -> list[str]:
    """Track devices 0, 300, 600 … metres east of a point of their own, and return their IDs."""
    devices = [f"{name}-{number}" for number in range(5)]
    for number, device in enumerate(devices):
        body: dict[str, Any] = fix(device, -73.9656 + 3 * number * STEP, metadata={"group": name, "number": number})
        body["latitude"] = 40.7826
        publishable.post("/v1/track", json=body)
    return devices


def found(secret: Api, name: str, **query: object) -> list[str]:
    answer = secret.get("/v1/search/users", params={"near": NEAR, "metadata[group]": name, **query})
    assert answer.status_code == 200, answer.text
    return [user["deviceId"] for user in answer.json()["users"]]


def test_the_nearest_come_first_within_a_kilometre(secret: Api, name: str, walkers: list[str]) -> None:
    assert found(secret, name) == walkers[:4]
    assert found(secret, name, radius=100) == walkers[:1]
    assert found(secret, name, radius=10_000) == walkers
    assert found(secret, name, limit=2) == walkers[:2]
    assert found(secret, name, near="40.7826,-73.9514", radius=650) == [walkers[4], walkers[3], walkers[2]]


def test_metadata_is_compared_by_its_type(secret: Api, name: str, walkers: list[str]) -> None:
    assert found(secret, name, **{"metadata[number]": "2"}) == [walkers[2]]
    assert found(secret, name, **{"metadata[number]": '"2"'}) == []


def test_live_users_are_not_found_with_a_test_key(live: Api, name: str, walkers: list[str]) -> None:
    assert found(live, name, radius=10_000) == []


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ({}, "near"),
        ({"near": "40.7"}, "near"),
        ({"near": "91,0"}, "near"),
        ({"near": NEAR, "radius": "99"}, "radius"),
        ({"near": NEAR, "radius": "10001"}, "radius"),
        ({"near": NEAR, "radius": "x"}, "radius"),
        ({"near": NEAR, "limit": "0"}, "limit"),
        ({"near": NEAR, "limit": "101"}, "limit"),
        ({"near": NEAR, "mode": "plane"}, "mode"),
        ({"near": NEAR, "mode": "foot", "radius": "121"}, "radius"),
        ({"near": "0,0", "mode": "foot"}, "near"),
    ],
)
def test_bad_input(secret: Api, query: dict[str, str], param: str) -> None:
    assert_refused(secret.get("/v1/search/users", params=query), param)


def test_a_publishable_key_is_not_enough(publishable: Api) -> None:
    assert publishable.get("/v1/search/users", params={"near": NEAR}).status_code == 403
