"""GET and PATCH /v1/settings, and the wire form of settings."""

import json
from typing import Any

import pytest

from app.api.wire.common.encoding import Encoded
from app.api.wire.settings.record import encode_settings
from app.api.wire.settings.request import NAMES, decode_settings_change, parse_setting
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.fields.settings import changed_settings
from engine.domain.settings import DEFAULT_SETTINGS
from engine.engine import Engine
from engine.geocoding.geocoding import WORLD
from tests.app.api.conftest import Api, assert_refused

needs_world = pytest.mark.skipif(not (WORLD / "world.sqlite").is_file(), reason="the world pack is not built")

SEGMENT = {
    "description": "Gold",
    "externalId": "gold",
    "conditions": [
        {"field": "metadata.plan", "comparison": "equals", "value": "gold"},
        {"field": "userId", "comparison": "exists"},
    ],
}

OTHERS: dict[str, Any] = {
    "stopDetection": True,
    "bufferEntries": True,
    "bufferExits": True,
    "operatingHoursRestriction": True,
    "operatingHoursRule": "calendar",
    "dwellEvent": True,
    "defaultDwellThreshold": 7.5,
    "minimumConfidence": 2,
    "regions": True,
    "places": True,
    "fraud": True,
    "rateLimit": False,
    "endpointRateLimits": True,
    "keptUpdates": 5,
    "trustedProxyHeader": "X-Forwarded-For",
    "jumpedSpeed": 100.5,
    "inaccurateAccuracy": 250.0,
    "sharingWindow": 12.5,
    "proxyAddresses": "10.0.*.*,192.0.2.0/24",
    "blocked": ["mallory"],
    "bypassed": ["ann", "phone"],
    "segments": [SEGMENT],
    "chains": [
        {"slug": "mcdonalds", "externalId": "M-1", "metadata": {"tier": 2, "open": True}},
        {"slug": "denner", "domain": "denner.ch"},
    ],
    "placeChains": ["mcdonalds"],
    "placeCategories": ["food-beverage"],
    "sdkLogLevel": "warning",
    "sdkFeatures": ["useSyncRegion", "usePersistence"],
    "trackingOptions": {"preset": "efficient", "desiredSyncInterval": 60, "sync": "events", "beacons": True},
    "onTripTrackingOptions": {"preset": "continuous", "stopDistance": 50},
    "inGeofenceTrackingOptions": {"preset": "responsive"},
    "inGeofenceTrackingTags": ["store", "depot"],
    "tripApproachingThreshold": 2.5,
    "tripExpiry": 90,
    "rehearsedError": "usageExceeded",
    "hourlyLimit": 0,
    "dailyLimit": 1_000,
    "blockedCountries": ["CU", "KP"],
    "allowPrivateUrls": True,
}
"""All settings, each with a value other than its default."""


@pytest.fixture
def settings(secret: Api) -> Any:
    """The Test secret client; all settings have their defaults before and after."""
    nothing: dict[str, Any] = dict.fromkeys(NAMES)
    secret.patch("/v1/settings", json=nothing)
    yield secret
    secret.patch("/v1/settings", json=nothing)


def test_the_defaults(settings: Api) -> None:
    answer = settings.get("/v1/settings").json()
    assert answer.pop("meta") == {"code": 200}
    places = {name: answer.pop(name) for name in ("chainMetadata", "chainMappings", "placeFilters")}
    assert places == {"chainMetadata": {}, "chainMappings": {}, "placeFilters": {}}
    assert answer.pop("settings") == answer
    assert answer == encode_settings(DEFAULT_SETTINGS)
    assert answer["rateLimit"] is True
    assert answer["minimumConfidence"] == 1
    assert "defaultDwellThreshold" not in answer


def test_all_at_once(settings: Api, live: Api) -> None:
    assert set(OTHERS) == set(NAMES)
    answer = settings.patch("/v1/settings", json=OTHERS).json()
    assert answer["settings"] == OTHERS
    assert settings.get("/v1/settings").json() == answer
    assert live.get("/v1/settings").json()["bufferEntries"] is False


def test_shown_values_can_be_sent_again(settings: Api) -> None:
    settings.patch("/v1/settings", json=OTHERS)
    shown = settings.get("/v1/settings").json()["settings"]
    assert settings.patch("/v1/settings", json=shown).json()["settings"] == OTHERS


@pytest.mark.parametrize("name", NAMES)
def test_one_by_one_and_back(settings: Api, engine: Engine, name: str) -> None:
    changed = settings.patch("/v1/settings", json={name: OTHERS[name]}).json()["settings"]
    assert changed == encode_settings(DEFAULT_SETTINGS) | {name: OTHERS[name]}
    assert encode_settings(engine.settings.get(Environment.TEST)) == changed
    assert settings.patch("/v1/settings", json={name: None}).json()["settings"] == encode_settings(DEFAULT_SETTINGS)


def test_a_change_is_answered_with_the_warnings_of_the_settings_checks(settings: Api) -> None:
    changed = settings.patch("/v1/settings", json={"minimumConfidence": 2}).json()
    (warning,) = changed["meta"]["warnings"]
    assert warning.startswith("The minimum confidence of 2 does not prevent exits on coarse fixes")
    assert "warnings" not in settings.get("/v1/settings").json()["meta"]
    assert "warnings" not in settings.patch("/v1/settings", json={"bufferExits": True}).json()["meta"]


def test_lists_as_text(settings: Api) -> None:
    body = {"blocked": "a, b,,a", "bypassed": "", "proxyAddresses": ["10.0.0.1", "::1"], "segments": "[]"}
    changed = settings.patch("/v1/settings", json=body).json()
    assert (changed["blocked"], changed["bypassed"], changed["proxyAddresses"]) == (["a", "b"], [], "10.0.0.1,::1")


def test_a_form(settings: Api) -> None:
    form = {"bufferEntries": "True", "minimumConfidence": "3", "jumpedSpeed": "50", "blocked": ["a", "b"]}
    changed = settings.patch("/v1/settings", data=form).json()
    assert (changed["bufferEntries"], changed["minimumConfidence"], changed["jumpedSpeed"]) == (True, 3, 50)
    assert changed["blocked"] == ["a", "b"]


@pytest.mark.parametrize("value", [5e-324, 1e-300, 1e-12, 0.000123, 1 / 3, 0.1, 7.5, 527_040])
@pytest.mark.parametrize("setting", ["sharingWindow", "defaultDwellThreshold", "jumpedSpeed", "inaccurateAccuracy"])
def test_numbers_are_kept_as_they_are_set_however_small(settings: Api, setting: str, value: float) -> None:
    exactly = pytest.approx(value, rel=1e-11, abs=0)
    changed = settings.patch("/v1/settings", json={setting: value})
    assert (changed.status_code, changed.json()[setting]) == (200, exactly)
    assert settings.get("/v1/settings").json()[setting] == exactly


BAD: list[tuple[str, Any, str]] = [
    ("bufferentries", True, "no such"),
    ("meta", {"code": 200}, "no such"),
    ("", 1, "no such"),
    *((name, "yes", "true or false") for name in ("stopDetection", "bufferEntries", "dwellEvent", "fraud")),
    ("operatingHoursRule", "production", "'platform' or 'calendar'"),
    *((name, 1, "true or false") for name in ("bufferExits", "operatingHoursRestriction", "regions", "places")),
    ("rateLimit", [], "true or false"),
    ("defaultDwellThreshold", 0, "greater than 0"),
    ("defaultDwellThreshold", "5", "a number"),
    ("defaultDwellThreshold", 1e300, "minutes"),
    ("minimumConfidence", 0, "[1, 3]"),
    ("minimumConfidence", 4, "[1, 3]"),
    ("minimumConfidence", 1.5, "whole number"),
    ("minimumConfidence", True, "whole number"),
    ("keptUpdates", -1, "[0, 10000000]"),
    ("keptUpdates", 10_000_001, "[0, 10000000]"),
    ("keptUpdates", 10**30, "[0, 10000000]"),
    ("trustedProxyHeader", "X Forwarded", "header"),
    ("trustedProxyHeader", "X-Fœrwarded", "header"),
    ("trustedProxyHeader", 5, "a string"),
    ("jumpedSpeed", -1, "greater than 0"),
    ("jumpedSpeed", float("inf"), "finite"),
    ("inaccurateAccuracy", "far", "a number"),
    ("sharingWindow", 0, "greater than 0"),
    ("sharingWindow", 1e308, "too large"),
    ("tripApproachingThreshold", -1, "0 or greater"),
    ("tripApproachingThreshold", 1e9, "1440"),
    ("tripExpiry", 0, "greater than 0"),
    ("tripExpiry", 0.5, "within [1, 527040] minutes"),
    ("proxyAddresses", "10.0.0.999", "'10.0.0.999'"),
    ("proxyAddresses", {"a": 1}, "list"),
    ("blocked", [5], "item 1"),
    ("blocked", ["a", ""], "item 2"),
    ("blocked", 5, "list"),
    ("bypassed", ["x" * 257], "257"),
    ("bypassed", [f"user-{n}" for n in range(10_001)], "10000"),
    ("chains", [{"slug": "McDonald's"}], "slug"),
    ("chains", [{"externalId": "1"}], "slug"),
    ("chains", [{"slug": "denner", "metadata": {"a": [1]}}], "metadata"),
    ("chains", [{"slug": "denner", "domain": "https://denner.ch/"}], "domain"),
    ("chains", [{"slug": "denner", "domain": "denner"}], "example.com"),
    ("chains", "[", "JSON"),
    ("placeChains", "Mc Donald", "slug"),
    ("placeCategories", "resturant", "restaurant"),
    ("placeCategories", "foo", "'foo'"),
    ("segments", {"a": 1}, "list"),
    ("segments", "{", "JSON"),
    ("segments", "[" * 101 + "]" * 101, "nested more than 100 levels"),
    ("segments", [5], "dictionary"),
    ("segments", [SEGMENT, SEGMENT], "duplicate"),
    ("segments", [SEGMENT | {"externalId": ""}], "empty"),
    ("segments", [SEGMENT | {"description": 5}], "description"),
    ("segments", [SEGMENT | {"conditions": []}], "conditions"),
    ("segments", [SEGMENT | {"rules": []}], "rules"),
    ("segments", [SEGMENT | {"conditions": [{"field": "userId"}]}], "comparison"),
    ("segments", [SEGMENT | {"conditions": [{"field": "shoeSize", "comparison": "exists"}]}], "'shoeSize'"),
    ("segments", [SEGMENT | {"conditions": [{"field": "userId", "comparison": "like", "value": "a"}]}], "'like'"),
    ("segments", [SEGMENT | {"conditions": [{"field": "userId", "comparison": "equals"}]}], "userId"),
    ("segments", [SEGMENT | {"conditions": [{"field": "userId", "comparison": "equals", "value": [1]}]}], "value"),
]


@pytest.mark.parametrize(("param", "value", "words"), BAD)
def test_bad_values_name_their_setting(settings: Api, param: str, value: Any, words: str) -> None:
    content = json.dumps({"bufferEntries": True} | {param: value})
    assert_refused(settings.patch("/v1/settings", content=content), param, words)
    assert settings.get("/v1/settings").json()["settings"] == encode_settings(DEFAULT_SETTINGS)


@needs_world
def test_chains_of_places_have_to_be_known(settings: Api) -> None:
    for given, words in ((["foo"], "'foo'"), (["mcdonalds", "starbuks"], "did you mean starbucks?"), ("M-1", "slug")):
        assert_refused(settings.patch("/v1/settings", json={"placeChains": given}), "placeChains", words)
    own = {"chains": [{"slug": "own-chain", "externalId": "O-1"}], "placeChains": ["own-chain", "mcdonalds"]}
    assert settings.patch("/v1/settings", json=own).status_code == 200
    assert_refused(settings.patch("/v1/settings", json={"placeChains": ["own-chains"]}), "placeChains", "own-chain?")
    # A value that is already set is kept, even if the data that defined it has changed.
    kept = settings.patch("/v1/settings", json={"chains": [], "placeChains": ["own-chain"]})
    assert kept.json()["settings"]["placeChains"] == ["own-chain"]


@pytest.mark.parametrize("body", [b"", b"[]", b"5", b"{", b'"fraud"'])
def test_bodies_that_are_no_object(settings: Api, body: bytes) -> None:
    assert_refused(settings.patch("/v1/settings", content=body), "body")


def test_they_need_a_secret_key(publishable: Api) -> None:
    assert publishable.get("/v1/settings").status_code == 403
    assert publishable.patch("/v1/settings", json={"fraud": True}).status_code == 403


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("bufferEntries", "true", True),
        ("bufferEntries", "False", False),
        ("minimumConfidence", " 2 ", 2),
        ("jumpedSpeed", "1e2", 100),
        ("defaultDwellThreshold", "0.5", 0.5),
        ("trustedProxyHeader", "X-Real-IP", "X-Real-IP"),
        ("proxyAddresses", "10.0.0.1, 10.0.0.2", "10.0.0.1,10.0.0.2"),
        ("blocked", "ann,7", ["ann", "7"]),
        ("blocked", '["a,b"]', ["a,b"]),
        ("segments", json.dumps([SEGMENT]), [SEGMENT]),
    ],
)
def test_text_of_the_command_line(name: str, text: str, value: object) -> None:
    change = decode_settings_change({name: parse_setting(name, text)})
    encoded: Encoded = encode_settings(changed_settings(DEFAULT_SETTINGS, change))
    assert encoded[name] == value


@pytest.mark.parametrize("name", NAMES)
def test_empty_text_of_the_command_line_takes_the_default(name: str) -> None:
    before = changed_settings(DEFAULT_SETTINGS, decode_settings_change(OTHERS))
    after = changed_settings(before, decode_settings_change({name: parse_setting(name, "")}))
    assert encode_settings(after).get(name) == encode_settings(DEFAULT_SETTINGS).get(name)


@pytest.mark.parametrize(("name", "text"), [("bufferEntries", "on"), ("keptUpdates", "many"), ("fraude", "true")])
def test_bad_text_of_the_command_line(name: str, text: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        decode_settings_change({name: parse_setting(name, text)})
    assert refused.value.param == name
