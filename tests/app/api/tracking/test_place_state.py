"""Places and regions on users, in events and in the context, over a real socket in a real town."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.engine import Engine
from tests.app.api.conftest import Api, unlimited
from tests.real_areas import workspace_with_areas

DINER = {"latitude": 40.7985, "longitude": -77.8560, "accuracy": 5, "foreground": True}
"""Inside a McDonald's on East College Avenue."""

FIELD = {"latitude": 40.8200, "longitude": -77.8900, "accuracy": 5, "foreground": True}
ABROAD = {"latitude": 47.1410, "longitude": 9.5209, "accuracy": 5, "foreground": True}

CHAIN = {
    "name": "McDonald's",
    "slug": "mcdonalds",
    "domain": "mcdonalds.com",
    "externalId": "M-1",
    "metadata": {"tier": 2},
}
"""The name of a chain, and its settings."""


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with Liechtenstein and State College."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)
    with Engine.open(folder) as engine:
        unlimited(engine)
        yield engine


@pytest.fixture(autouse=True)
def switched_on(secret: Api) -> None:
    """Switch on places and regions, and give a chain an ID of the project."""
    chains = [{key: value for key, value in CHAIN.items() if key != "name"}]
    assert secret.patch("/v1/settings", json={"places": True, "regions": True, "chains": chains}).status_code == 200


def track(api: Api, device: str, position: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = api.post("/v1/track", json={"deviceId": device, **position}).json()
    assert answer["meta"]["code"] == 200, answer
    return answer


def test_a_visit(secret: Api, name: str) -> None:
    came = track(secret, name, DINER)
    place = came["user"]["place"]
    assert place["name"] == "McDonald's"
    assert place["chain"] == CHAIN
    assert CHAIN in came["user"]["nearbyPlaceChains"]
    assert 1 < len(came["user"]["nearbyPlaceChains"]) <= 10
    entered = next(event for event in came["events"] if event["type"] == "user.entered_place")
    assert entered["place"] == place
    assert entered["confidence"] in (1, 2, 3)
    left = track(secret, name, FIELD)
    assert "place" not in left["user"]
    exited = next(event for event in left["events"] if event["type"] == "user.exited_place")
    assert exited["place"]["_id"] == place["_id"]
    assert exited["duration"] >= 0
    user = secret.get(f"/v1/users/{name}").json()["user"]
    assert user["topChains"] == [CHAIN]
    assert user["nearbyPlaceChains"] == left["user"]["nearbyPlaceChains"] != came["user"]["nearbyPlaceChains"]
    out = track(secret, name, {"latitude": 0.0, "longitude": 0.0, "accuracy": 5})
    assert "nearbyPlaceChains" not in out["user"]


def test_an_entry_names_the_other_places_it_may_be_and_carries_the_user(secret: Api, name: str) -> None:
    came = track(secret, name, DINER | {"accuracy": 60})
    entered = next(event for event in came["events"] if event["type"] == "user.entered_place")
    others = entered["alternatePlaces"]
    assert 1 <= len(others) <= 5
    names = [entered["place"]["_id"], *(place["_id"] for place in others)]
    assert len(set(names)) == len(names)
    assert [(place["code"], place["type"]) for place in (entered["state"], entered["country"])] == [
        ("PA", "state"),
        ("US", "country"),
    ]
    user = entered["user"]
    assert (user["state"], user["country"]) == (came["user"]["state"], came["user"]["country"])
    assert user["topChains"] == came["user"]["topChains"]
    assert secret.get(f"/v1/events/{entered['_id']}").json()["event"] == entered
    assert all(event["confidence"] == 3 for event in came["events"] if "region" in event)
    vague = track(secret, name + "2", FIELD | {"accuracy": 700})
    assert {event["confidence"] for event in vague["events"]} == {1}


def test_coming_near_a_chain_that_the_settings_name(secret: Api, name: str) -> None:
    secret.patch("/v1/settings", json={"placeChains": ["mcdonalds"]})
    try:
        came = track(secret, name, {**DINER, "longitude": -77.8500, "foreground": False})
        again = track(secret, name, {**DINER, "longitude": -77.8501, "foreground": False})
        unknown = track(secret, "anonymous", DINER | {"anonymous": True, "geofenceIds": []})
    finally:
        secret.patch("/v1/settings", json={"placeChains": None})
    near = next(event for event in came["events"] if event["type"] == "user.nearby_place_chain")
    assert near["place"]["chain"] == CHAIN
    assert near["confidence"] == 3
    assert secret.get(f"/v1/events?deviceId={name}&type=user.nearby_place_chain").json()["events"] == [near]
    assert again["events"] == []
    assert "user.nearby_place_chain" not in {event["type"] for event in unknown["events"]}


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


def test_an_anonymous_device_reports_its_previous_place_and_regions(secret: Api) -> None:
    unknown = {"anonymous": True, "geofenceIds": []}
    came = track(secret, "anonymous", DINER | unknown)
    user = came["user"]
    regions = [user[kind]["_id"] for kind in ("country", "state", "postalCode")]
    state = unknown | {"placeId": user["place"]["_id"], "regionIds": regions}
    assert {event["type"] for event in came["events"]} >= {"user.entered_place", "user.entered_region_state"}
    assert "topChains" not in user
    assert track(secret, "anonymous", DINER | state)["events"] == []
    left = track(secret, "anonymous", ABROAD | state)
    events = {event["type"]: event for event in left["events"]}
    assert events["user.exited_place"]["place"] == user["place"]
    assert "duration" not in events["user.exited_place"]
    assert events["user.exited_region_state"]["region"]["code"] == "PA"
    assert events["user.entered_region_country"]["region"]["name"] == "Liechtenstein"
    assert secret.get("/v1/users/anonymous").status_code == 404


@pytest.mark.usefixtures("real_extracts")
def test_the_places_of_a_region(secret: Api) -> None:
    position = {"latitude": DINER["latitude"], "longitude": DINER["longitude"]}
    town = secret.post("/v1/sync/region", json=position).json()
    assert 250 <= town["region"]["radius"] < 10_000
    burger = next(place for place in town["places"] if place["name"] == "McDonald's")
    assert burger["chain"]["externalId"] == "M-1"
    assert 5 < burger["geometryRadius"] < 100
    near = secret.get(
        f"/v1/search/places?near={position['latitude']},{position['longitude']}&categories=restaurant&limit=5"
    )
    assert {place["_id"] for place in near.json()["places"]} <= {place["_id"] for place in town["places"]}
    secret.patch("/v1/settings", json={"placeChains": ["mcdonalds"]})
    try:
        only = secret.post("/v1/sync/region", json=position).json()
    finally:
        secret.patch("/v1/settings", json={"placeChains": None})
    assert {place["chain"]["slug"] for place in only["places"]} == {"mcdonalds"}
    assert only["region"]["radius"] == 10_000


def test_switched_off_nothing_is_returned(secret: Api, name: str) -> None:
    secret.patch("/v1/settings", json={"places": False, "regions": False})
    answer = track(secret, name, DINER)
    assert not {"place", "country", "state", "postalCode"} & answer["user"].keys()
    assert answer["events"] == []
    context = secret.get("/v1/context?coordinates=40.7985,-77.8560").json()
    assert not {"place", "country"} & context.keys()
