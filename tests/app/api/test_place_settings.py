"""Settings of places by the names of the platform's reference."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from app.api.wire.settings.request import NAMES
from tests.app.api.conftest import Api, assert_refused

PLACES: Final = ("chainMetadata", "chainMappings", "placeFilters")
NOTHING: Final[dict[str, Any]] = {"chainMetadata": {}, "chainMappings": {}, "placeFilters": {}}


@pytest.fixture
def settings(secret: Api) -> Iterator[Api]:
    """The Test secret client; all settings have their defaults before and after."""
    nothing = dict.fromkeys(NAMES)
    secret.patch("/v1/settings", json=nothing)
    yield secret
    secret.patch("/v1/settings", json=nothing)


def changed(api: Api, **change: Any) -> dict[str, Any]:
    """Change settings and return those of places, which a later read returns as well."""
    answer = api.patch("/v1/settings", json=change)
    assert answer.status_code == 200, answer.text
    places = {name: answer.json()[name] for name in PLACES}
    stored = api.get("/v1/settings").json()
    assert {name: stored[name] for name in PLACES} == places
    return places


def test_all_three_are_our_settings_by_other_names(settings: Api, live: Api) -> None:
    metadata = {"denner": {"open": True, "floors": 2}, "migros": {"open": False}}
    mappings = {"denner": "D-1", "coop": "C-1"}
    filters = {"chain": ["denner", "coop"], "category": ["supermarket"]}
    places = {"chainMetadata": metadata, "chainMappings": mappings, "placeFilters": filters}
    assert changed(settings, **places) == places
    ours = settings.get("/v1/settings").json()
    assert ours["chains"] == [
        {"slug": "denner", "externalId": "D-1", "metadata": {"open": True, "floors": 2}},
        {"slug": "migros", "metadata": {"open": False}},
        {"slug": "coop", "externalId": "C-1"},
    ]
    assert (ours["placeChains"], ours["placeCategories"]) == (["denner", "coop"], ["supermarket"])
    assert not set(PLACES) & ours["settings"].keys(), "they are the same data"
    assert {name: live.get("/v1/settings").json()[name] for name in PLACES} == NOTHING


def test_domains_of_chains_stay(settings: Api) -> None:
    changed(settings, chains=[{"slug": "denner", "domain": "denner.ch"}, {"slug": "coop", "domain": "coop.ch"}])
    changed(settings, chainMappings={"denner": "D-1"})
    changed(settings, chainMetadata={"denner": {"open": True}})
    changed(settings, chainMappings=None, chainMetadata=None)
    chains = settings.get("/v1/settings").json()["chains"]
    assert chains == [{"slug": "denner", "domain": "denner.ch"}, {"slug": "coop", "domain": "coop.ch"}]


def test_each_replaces_only_what_it_stands_for(settings: Api) -> None:
    changed(settings, chainMetadata={"denner": {"open": True}}, chainMappings={"denner": "D-1", "coop": "C-1"})
    both = changed(settings, chainMetadata={"coop": {"floors": 1}})
    assert (both["chainMetadata"], both["chainMappings"]) == ({"coop": {"floors": 1}}, {"denner": "D-1", "coop": "C-1"})
    mapped = changed(settings, chainMappings={"denner": "D-2"})
    assert (mapped["chainMetadata"], mapped["chainMappings"]) == ({"coop": {"floors": 1}}, {"denner": "D-2"})
    filtered = changed(settings, placeFilters={"category": ["supermarket"]})
    assert changed(settings, placeFilters={"chain": ["denner"]})["placeFilters"] == {"chain": ["denner"]}
    assert filtered["placeFilters"] == {"category": ["supermarket"]}
    assert changed(settings, bufferExits=True)["chainMappings"] == {"denner": "D-2"}
    assert changed(settings, chainMetadata=None, chainMappings={}, placeFilters=None) == NOTHING
    assert settings.get("/v1/settings").json()["chains"] == []


def test_a_form(settings: Api) -> None:
    form = {"chainMetadata": '{"denner": {"open": true}}', "placeFilters": '{"chain": ["denner"]}'}
    answer = settings.patch("/v1/settings", data=form).json()
    assert answer["chainMetadata"] == {"denner": {"open": True}}
    assert answer["placeFilters"] == {"chain": ["denner"]}


@pytest.mark.parametrize(
    ("wrong", "param"),
    [
        ({"chainMetadata": {"Denner": {"open": True}}}, "chainMetadata"),
        ({"chainMetadata": {"denner": {"open": {}}}}, "chainMetadata"),
        ({"chainMetadata": {"denner": {str(number): 1 for number in range(17)}}}, "chainMetadata"),
        ({"chainMetadata": {"denner": True}}, "chainMetadata"),
        ({"chainMetadata": []}, "chainMetadata"),
        ({"chainMappings": {"denner": "1", "migros": "1"}}, "chainMappings"),
        ({"chainMappings": {"denner": 5}}, "chainMappings"),
        ({"chainMappings": {"denner": ""}}, "chainMappings"),
        ({"placeFilters": {"chain": ["no-such-chain"]}}, "placeFilters"),
        ({"placeFilters": {"category": ["no-such-category"]}}, "placeFilters"),
        ({"placeFilters": {"chains": ["denner"]}}, "placeFilters"),
        ({"placeFilters": ["denner"]}, "placeFilters"),
    ],
)
def test_an_invalid_value_names_the_setting_as_given(settings: Api, wrong: dict[str, Any], param: str) -> None:
    answer = settings.patch("/v1/settings", json=wrong)
    assert answer.status_code == 400, answer.text
    meta = answer.json()["meta"]
    assert meta["param"].partition(".")[0] == param, meta
    assert meta["message"].startswith(param), meta
    assert settings.get("/v1/settings").json()["chains"] == []


@pytest.mark.parametrize(
    ("name", "ours"), [("chainMetadata", "chains"), ("chainMappings", "chains"), ("placeFilters", "placeChains")]
)
def test_two_names_for_the_same_setting(settings: Api, name: str, ours: str) -> None:
    assert_refused(settings.patch("/v1/settings", json={name: {}, ours: []}), name, ours)
