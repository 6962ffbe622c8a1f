"""GET /v1/config and the tracking options in responses to location updates, over a real socket."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.api.wire.sdk import GivenOptionsRecord, TrackingOptionsRecord
from engine.domain.tracking.sdk import PRESETS, SDK_NAMES, TrackingPreset
from tests.app.api.conftest import Api, assert_refused, fix

NOTHING = {"sdkLogLevel": None, "sdkFeatures": None, "trackingOptions": None}
ANDROID = {"X-Radar-Device-Type": "Android", "X-Radar-SDK-Version": "3.34.0"}
IOS = {"X-Radar-Device-Type": "iOS"}


@pytest.fixture(autouse=True)
def unset(secret: Api) -> Iterator[None]:
    """Reset all settings after each test."""
    yield
    secret.patch("/v1/settings", json=NOTHING)


def config_meta(api: Api, headers: dict[str, str] | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = api.get("/v1/config?installId=i&sessionId=1&deviceId=d", headers=headers or {}).json()
    assert list(answer) == ["meta"]
    meta: dict[str, Any] = answer["meta"]
    return meta


def test_by_default_every_sdk_keeps_its_own(publishable: Api, name: str) -> None:
    assert config_meta(publishable) == config_meta(publishable, ANDROID) == {"code": 200}
    assert publishable.post("/v1/track", json=fix(name)).json()["meta"] == {"code": 200}


@pytest.mark.parametrize("level", ["none", "error", "warning", "info", "debug"])
def test_the_log_level(secret: Api, publishable: Api, level: str) -> None:
    secret.patch("/v1/settings", json={"sdkLogLevel": level})
    assert config_meta(publishable) == {"code": 200, "sdkConfiguration": {"logLevel": level}}


def test_features_in_the_fields_that_each_version_reads(secret: Api, publishable: Api) -> None:
    secret.patch("/v1/settings", json={"sdkFeatures": ["usePersistence", "trackOnceOnAppOpen"]})
    meta = config_meta(publishable)
    assert meta["sdkConfiguration"] == {"usePersistence": True, "trackOnceOnAppOpen": True}
    assert meta["featureSettings"] == {"usePersistence": True}
    assert "trackingOptions" not in meta


def test_a_device_that_syncs_regions_knows_the_rules(secret: Api, publishable: Api) -> None:
    rules = {"bufferEntries": True, "stopDetection": True, "dwellEvent": True, "defaultDwellThreshold": 7.5}
    secret.patch("/v1/settings", json={"sdkFeatures": "useSyncRegion", **rules})
    try:
        configuration = config_meta(publishable)["sdkConfiguration"]
        secret.patch("/v1/settings", json={"dwellEvent": False})
        without = config_meta(publishable)["sdkConfiguration"]
    finally:
        secret.patch("/v1/settings", json=dict.fromkeys(rules))
    assert configuration == {
        "useSyncRegion": True,
        "bufferGeofenceEntries": True,
        "bufferGeofenceExits": False,
        "stopDetection": True,
        "defaultGeofenceDwellThreshold": 7,
    }
    assert without["defaultGeofenceDwellThreshold"] == 0


def test_a_preset_is_that_of_the_platform(secret: Api, publishable: Api) -> None:
    secret.patch("/v1/settings", json={"trackingOptions": "efficient"})
    android, ios = (
        config_meta(publishable, ANDROID)["trackingOptions"],
        config_meta(publishable, IOS)["trackingOptions"],
    )
    assert (android["desiredStoppedUpdateInterval"], ios["desiredStoppedUpdateInterval"]) == (3600, 0)
    assert set(android) == set(ios)
    assert (ios["replay"], ios["useVisits"], ios["syncGeofences"]) == ("stops", True, True)


def test_location_updates_return_the_options_as_well(secret: Api, publishable: Api, name: str) -> None:
    """An app that receives no options returns to its own."""
    options = {"preset": "responsive", "sync": "events", "desiredSyncInterval": 60}
    secret.patch("/v1/settings", json={"trackingOptions": options})
    body = fix(name, deviceType="iOS")
    anonymous = body | {"deviceId": "anonymous", "anonymous": True}
    nearby = body | {"nearbyGeofences": True}
    for each in (body, anonymous, nearby):
        returned = publishable.post("/v1/track", json=each).json()["meta"]["trackingOptions"]
        assert returned == config_meta(publishable, IOS)["trackingOptions"]
        assert (returned["sync"], returned["desiredSyncInterval"]) == ("events", 60)
    slow = publishable.request("POST", "/v1/track?explain=true", json=body).json()["meta"]
    assert slow["trackingOptions"]["sync"] == "events"


def test_settings_are_answered_as_they_are_set(secret: Api) -> None:
    options = {"preset": "continuous", "beacons": True, "stopDistance": 50}
    settings = secret.patch("/v1/settings", json={"trackingOptions": options}).json()["settings"]
    assert settings["trackingOptions"] == options
    assert secret.patch("/v1/settings", json={"trackingOptions": {}}).json()["trackingOptions"] == {
        "preset": "responsive"
    }
    assert "trackingOptions" not in secret.patch("/v1/settings", json={"trackingOptions": None}).json()


@pytest.mark.parametrize(
    ("param", "value"),
    [
        ("sdkLogLevel", "verbose"),
        ("sdkLogLevel", 1),
        ("sdkFeatures", ["useMagic"]),
        ("sdkFeatures", {"usePersistence": True}),
        ("sdkFeatures", [None]),
        ("trackingOptions", "fast"),
        ("trackingOptions", 5),
        ("trackingOptions", ["responsive"]),
        ("trackingOptions", {"preset": "fast"}),
        ("trackingOptions", {"sync": "sometimes"}),
        ("trackingOptions", {"sync": ["all"]}),
        ("trackingOptions", {"beacons": 1}),
        ("trackingOptions", {"stopDuration": -1}),
        ("trackingOptions", {"stopDuration": 1.5}),
        ("trackingOptions", {"stopDuration": "140"}),
        ("trackingOptions", {"syncGeofencesLimit": 101}),
        ("trackingOptions", {"desiredStopInterval": 1}),
        ("trackingOptions", {"type": "on-trip"}),
        ("onTripTrackingOptions", "fast"),
        ("onTripTrackingOptions", {"sync": "sometimes"}),
        ("inGeofenceTrackingOptions", ["continuous"]),
        ("inGeofenceTrackingOptions", {"stopDistance": -1}),
        ("inGeofenceTrackingTags", {"tag": "store"}),
        ("inGeofenceTrackingTags", [""]),
        ("inGeofenceTrackingTags", ["x" * 257]),
        ("inGeofenceTrackingTags", [str(number) for number in range(101)]),
    ],
)
def test_an_invalid_value_is_named(secret: Api, param: str, value: object) -> None:
    response = secret.patch("/v1/settings", json={param: value})
    assert response.status_code == 400
    assert response.json()["meta"]["param"].startswith(param)


def test_a_publishable_key_configures_nothing(publishable: Api) -> None:
    assert_refused(publishable.patch("/v1/settings", json={"sdkLogLevel": "info"}), "Authorization", status=403)


def test_presets_have_the_same_options() -> None:
    assert len({tuple(options) for options in PRESETS.values()}) == 1
    assert set(PRESETS) == set(TrackingPreset)
    assert all(list(options) == list(SDK_NAMES) for options in PRESETS.values())


def test_every_option_has_a_place_in_requests_and_responses() -> None:
    names = list(SDK_NAMES.values())
    assert [*GivenOptionsRecord.__annotations__] == ["preset", *names]
    assert [*TrackingOptionsRecord.__annotations__] == [*names, "type"]
