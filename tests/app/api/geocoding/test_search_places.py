"""GET /v1/search/places over a real socket, in a real town; expected values were read from the extract."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from engine.geo.earth import distance_m
from tests.app.api.conftest import Api, assert_refused, unlimited
from tests.real_areas import workspace_with_areas

COLLEGE: Final = "40.7985,-77.8561"
"""Next to a McDonald's; another one is 3.7 km away."""

CHAINS: Final = [
    {"slug": "mcdonalds", "externalId": "M-1", "metadata": {"tier": "gold", "open": True, "stars": 3}},
    {"slug": "starbucks", "externalId": "S-9", "metadata": {"tier": "silver"}},
]


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with Liechtenstein and State College."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)
    with Engine.open(folder) as engine:
        unlimited(engine)
        yield engine


def places(api: Api, **params: str) -> list[dict[str, Any]]:
    response = api.get("/v1/search/places", params=params)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["places"]
    return found


def distances(found: list[dict[str, Any]], near: str) -> list[float]:
    latitude, longitude = map(float, near.split(","))
    return [distance_m(longitude, latitude, *place["location"]["coordinates"]) for place in found]


def test_a_chain(publishable: Api) -> None:
    (place,) = places(publishable, near=COLLEGE, chains="mcdonalds", radius="300")
    assert place["name"] == "McDonald's"
    assert place["chain"] == {"name": "McDonald's", "slug": "mcdonalds"}
    assert place["categories"][0] == "food-beverage"
    assert "fast-food-restaurant" in place["categories"]
    assert place["location"]["coordinates"] == pytest.approx([-77.8560, 40.7985], abs=5e-4)
    assert place["_id"]
    everywhere = places(publishable, near=COLLEGE, chains="mcdonalds", radius="10000")
    assert len(everywhere) == 4
    assert everywhere[0] == place
    assert len({one["_id"] for one in everywhere}) == 4


def test_nearest_first_and_within_the_radius(publishable: Api) -> None:
    found = places(publishable, near=COLLEGE, categories="food-beverage", radius="800", limit="100")
    away = distances(found, COLLEGE)
    assert len(found) > 10
    # The distance of places with an outline is tens of metres less than that of their centre.
    assert max(away) <= 900
    assert all(later > earlier - 60 for earlier, later in pairwise(away))
    assert len(places(publishable, near=COLLEGE, categories="food-beverage")) == 10
    assert len(places(publishable, near=COLLEGE, categories="food-beverage", limit="1")) == 1


def test_any_of_the_chains_and_any_of_the_categories(publishable: Api) -> None:
    both = places(publishable, near=COLLEGE, chains="mcdonalds,starbucks", radius="5000", limit="100")
    assert {place["chain"]["slug"] for place in both} == {"mcdonalds", "starbucks"}
    coffee = places(publishable, near=COLLEGE, chains="mcdonalds,starbucks", categories="coffee-shop", limit="100")
    assert {place["chain"]["slug"] for place in coffee} == {"starbucks"}


def test_countries(publishable: Api) -> None:
    for name in ("country", "countryCode"):
        assert places(publishable, near=COLLEGE, chains="mcdonalds", **{name: "us"})
        assert places(publishable, near=COLLEGE, chains="mcdonalds", **{name: "LI,CH"}) == []


def test_null_values_of_sdks(publishable: Api) -> None:
    nothing = dict.fromkeys(("categories", "groups", "iataCode", "radius", "limit", "country"), "null")
    assert places(publishable, near=COLLEGE, chains="mcdonalds", **nothing)
    assert places(publishable, near=COLLEGE, chains="mcdonalds", chainMetadata="[object Object]")


@pytest.fixture
def own_chains(secret: Api) -> Iterator[None]:
    """The project's own IDs and metadata for two chains."""
    assert secret.patch("/v1/settings", json={"chains": CHAINS}).status_code == 200
    yield
    secret.patch("/v1/settings", json={"chains": None})


@pytest.mark.usefixtures("own_chains")
def test_own_ids_and_metadata(publishable: Api) -> None:
    (place,) = places(publishable, near=COLLEGE, chains="M-1", radius="300")
    assert place["chain"] == {
        "name": "McDonald's",
        "slug": "mcdonalds",
        "externalId": "M-1",
        "metadata": CHAINS[0]["metadata"],
    }
    assert {one["chain"]["slug"] for one in places(publishable, near=COLLEGE, chains="mcdonalds,S-9", limit="100")} == {
        "mcdonalds",
        "starbucks",
    }


@pytest.mark.usefixtures("own_chains")
@pytest.mark.parametrize(
    ("key", "value", "slugs"),
    [
        ("tier", "gold", {"mcdonalds"}),
        ("tier", '"gold"', {"mcdonalds"}),
        ("tier", "silver", {"starbucks"}),
        ("open", "true", {"mcdonalds"}),
        ("stars", "3", {"mcdonalds"}),
        ("stars", "4", set()),
        ("tier", "bronze", set()),
    ],
)
def test_metadata_of_chains(publishable: Api, key: str, value: str, slugs: set[str]) -> None:
    query = {"near": COLLEGE, "chains": "mcdonalds,starbucks", "radius": "5000", f"chainMetadata[{key}]": value}
    assert {place["chain"]["slug"] for place in places(publishable, **query)} == slugs


def test_an_airport_without_anything_else(publishable: Api) -> None:
    found = places(publishable, iataCode="scE", limit="100")
    assert found
    assert max(distances(found, "40.8493,-77.8487")) < 4_000
    chosen = places(publishable, iataCode="SCE", categories="food-beverage")
    assert {place["categories"][0] for place in chosen} <= {"food-beverage"}


BAD = [
    ({}, "chains", "categories, groups or iataCode"),
    ({"near": COLLEGE}, "chains", "required"),
    ({"near": COLLEGE, "chains": ""}, "chains", "required"),
    ({"chains": "mcdonalds"}, "near", "iataCode"),
    ({"near": "x", "chains": "mcdonalds"}, "near", "latitude,longitude"),
    ({"near": "91,0", "chains": "mcdonalds"}, "near", "[-90, 90]"),
    ({"near": COLLEGE, "chains": "mcdonalds", "radius": "0"}, "radius", "[1, 10000]"),
    ({"near": COLLEGE, "chains": "mcdonalds", "radius": "10001"}, "radius", "[1, 10000]"),
    ({"near": COLLEGE, "chains": "mcdonalds", "radius": "nan"}, "radius", "finite"),
    ({"near": COLLEGE, "chains": "mcdonalds", "limit": "0"}, "limit", "[1, 100]"),
    ({"near": COLLEGE, "chains": "mcdonalds", "limit": "101"}, "limit", "[1, 100]"),
    ({"near": COLLEGE, "chains": "mcdonalds", "country": "Usa"}, "country", "ISO 3166"),
    ({"near": COLLEGE, "chains": "no-such-chain"}, "chains", "no-such-chain"),
    ({"near": COLLEGE, "categories": "no-such-category"}, "categories", "no-such-category"),
    ({"near": COLLEGE, "groups": "no-such-group"}, "groups", "no-such-group"),
    ({"near": COLLEGE, "chains": "mcdonalds", "iataCode": "SC"}, "iataCode", "3 letters"),
    ({"iataCode": "S1E"}, "iataCode", "3 letters"),
    ({"iataCode": "QQQ"}, "iataCode", "QQQ"),
    ({"near": COLLEGE, "chains": "a\0b"}, "chains", "NUL"),
    ({"near": COLLEGE, "chains": "mcdonalds", "chainMetadata": "x"}, "chainMetadata", "dictionary"),
    ({"near": COLLEGE, "chains": ",".join(f"c{n}" for n in range(301))}, "chains", "300"),
]


@pytest.mark.parametrize(("params", "param", "words"), BAD)
def test_bad_requests(publishable: Api, params: dict[str, str], param: str, words: str) -> None:
    assert_refused(publishable.get("/v1/search/places", params=params), param, words)


def test_limits(publishable: Api, engine: Engine) -> None:
    engine.settings.change(Environment.TEST, SettingsChange(endpoint_rate_limits=True))
    engine.set_clock(ClockChange(frozen=True))
    try:
        answer = publishable.get("/v1/search/places", params={"near": COLLEGE, "chains": "mcdonalds"})
    finally:
        engine.settings.change(Environment.TEST, SettingsChange(endpoint_rate_limits=False))
        engine.set_clock(ClockChange(system=True))
    assert (answer.headers["x-ratelimit-limit"], answer.headers["x-ratelimit-remaining"]) == ("150", "149")
