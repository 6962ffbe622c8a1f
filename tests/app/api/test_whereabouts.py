"""Places and regions on users, events and in the context, over a real socket in a real town."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.engine import Engine
from tests.app.api.conftest import Api, unlimited
from tests.app.api.real_areas import workspace_with_areas

DINER = {"latitude": 40.7985, "longitude": -77.8560, "accuracy": 5, "foreground": True}
"""Inside a McDonald's on East College Avenue."""

FIELD = {"latitude": 40.8200, "longitude": -77.8900, "accuracy": 5, "foreground": True}
ABROAD = {"latitude": 47.1410, "longitude": 9.5209, "accuracy": 5, "foreground": True}


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over Liechtenstein and State College."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)
    with Engine.open(folder) as engine:
        unlimited(engine)
        yield engine


@pytest.fixture(autouse=True)
def switched_on(secret: Api) -> None:
    """Places and regions are on, and a chain has the project's ID."""
    chains = [{"slug": "mcdonalds", "externalId": "M-1"}]
    assert secret.patch("/v1/settings", json={"places": True, "regions": True, "chains": chains}).status_code == 200


def track(api: Api, device: str, where: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = api.post("/v1/track", json={"deviceId": device, **where}).json()
    assert answer["meta"]["code"] == 200, answer
    return answer


def test_a_visit(secret: Api, name: str) -> None:
    came = track(secret, name, DINER)
    place = came["user"]["place"]
    assert place["name"] == "McDonald's"
    assert place["chain"] == {"name": "McDonald's", "slug": "mcdonalds", "externalId": "M-1"}
    entered = next(event for event in came["events"] if event["type"] == "user.entered_place")
    assert entered["place"] == place
    assert entered["confidence"] in (1, 2, 3)
    left = track(secret, name, FIELD)
    assert "place" not in left["user"]
    exited = next(event for event in left["events"] if event["type"] == "user.exited_place")
    assert exited["place"]["_id"] == place["_id"]
    assert exited["duration"] >= 0
    user = secret.get(f"/v1/users/{name}").json()["user"]
    assert user["topChains"] == [{"name": "McDonald's", "slug": "mcdonalds", "externalId": "M-1"}]


def test_regions(secret: Api, name: str) -> None:
    user = track(secret, name, DINER)["user"]
    assert user["country"] == {
        "_id": "country-US",
        "type": "country",
        "code": "US",
        "name": "United States",
        "flag": "🇺🇸",
    }
    assert (user["state"]["code"], user["state"]["name"]) == ("PA", "Pennsylvania")
    assert user["postalCode"]["code"] == "16801"
    assert "dma" not in user
    moved = track(secret, name, ABROAD)
    assert (moved["user"]["country"]["code"], "state" in moved["user"]) == ("LI", False)
    regions = {event["type"]: event["region"]["code"] for event in moved["events"] if "region" in event}
    assert regions["user.exited_region_country"] == "US"
    assert regions["user.entered_region_country"] == "LI"
    assert regions["user.exited_region_state"] == "PA"
    assert secret.get(f"/v1/users/{name}").json()["user"]["country"]["code"] == "LI"
    listed = secret.get(f"/v1/events?deviceId={name}&type=user.entered_region_country").json()["events"]
    assert [event["region"]["code"] for event in listed] == ["LI", "US"]


def test_the_context_of_a_position(secret: Api) -> None:
    answer = secret.get("/v1/context?coordinates=40.7985,-77.8560&accuracy=5").json()
    for context in (answer, answer["context"]):
        assert context["place"]["chain"]["externalId"] == "M-1"
        assert (context["country"]["code"], context["state"]["code"]) == ("US", "PA")
        assert context["postalCode"]["code"] == "16801"
    nowhere = secret.get("/v1/context?coordinates=0,0").json()
    assert not {"place", "country", "state", "dma", "postalCode"} & nowhere.keys()


def test_switched_off_nothing_is_told(secret: Api, name: str) -> None:
    secret.patch("/v1/settings", json={"places": False, "regions": False})
    answer = track(secret, name, DINER)
    assert not {"place", "country", "state", "postalCode"} & answer["user"].keys()
    assert answer["events"] == []
    context = secret.get("/v1/context?coordinates=40.7985,-77.8560").json()
    assert not {"place", "country"} & context.keys()
