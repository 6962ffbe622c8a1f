"""The tracking options that an app receives by the state of its user, over a real socket."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from app.api.wire.sdk import config_meta
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.sdk import SdkFeature, TrackingOptions, TrackingPreset
from tests.app.api.conftest import Api
from tests.app.api.request_log.sdk_requests import ANDROID_TRACK, IOS_TRACK
from tests.app.api.trips.fixtures import FAR, STORE, at, store, to_store

PRESETS = {"trackingOptions": "efficient", "onTripTrackingOptions": "responsive"}
SETTINGS = (*PRESETS, "inGeofenceTrackingOptions", "inGeofenceTrackingTags", "sdkFeatures")
IOS = {"X-Radar-Device-Type": "iOS"}
SYNC = {"default": 140, "on-trip": 20, "in-geofence": 60}
"""The `desiredSyncInterval` that tells the options on Android apart."""


@pytest.fixture
def tag(secret: Api, name: str) -> Iterator[str]:
    """The tag of a store; a project has options for all states, and those in geofences are for this tag."""
    store(secret, name)
    inside = {"preset": "continuous", "desiredSyncInterval": 60}
    given = PRESETS | {"inGeofenceTrackingOptions": inside, "inGeofenceTrackingTags": [name]}
    assert secret.patch("/v1/settings", json=given).status_code == 200
    yield name
    secret.patch("/v1/settings", json=dict.fromkeys(SETTINGS))


def options_at(api: Api, name: str, longitude: float, **fields: Any) -> dict[str, Any] | None:
    answer = api.post("/v1/track", json=at(name, longitude, **fields)).json()
    options: dict[str, Any] | None = answer["meta"].get("trackingOptions")
    return options


def kind(options: Mapping[str, Any] | None) -> str | None:
    """Return the kind of options, which must be consistent with their values."""
    if options is None:
        return None
    assert options["desiredSyncInterval"] == SYNC[options["type"]]
    return str(options["type"])


def test_a_device_on_its_way(publishable: Api, tag: str) -> None:
    """The options are those of the state after the update: a trip starts, leads into the store, ends, and leaves it."""
    assert kind(options_at(publishable, tag, FAR)) == "default"
    assert kind(options_at(publishable, tag, FAR, tripOptions=to_store(tag))) == "on-trip"
    assert kind(options_at(publishable, tag, STORE[0])) == "in-geofence"
    assert kind(options_at(publishable, tag, FAR)) == "on-trip"
    publishable.patch(f"/v1/trips/{tag}/update", json={"status": "completed"})
    assert kind(options_at(publishable, tag, FAR)) == "default"
    assert kind(options_at(publishable, tag, STORE[0])) == "in-geofence"


def test_every_kind_of_update_returns_them(publishable: Api, tag: str) -> None:
    assert kind(options_at(publishable, tag, STORE[0], nearbyGeofences=True)) == "in-geofence"
    body = at(tag, STORE[0])
    explained = publishable.post("/v1/track?explain=true", json=body).json()
    assert kind(explained["meta"]["trackingOptions"]) == "in-geofence"
    anonymous = {"anonymous": True, "deviceId": "anonymous", "geofenceIds": [], "userId": None}
    for more in ({}, {"nearbyGeofences": True}):
        answer = publishable.post("/v1/track", json=body | anonymous | more).json()
        assert kind(answer["meta"]["trackingOptions"]) == "in-geofence"


def test_without_tags_options_in_geofences_never_apply(secret: Api, publishable: Api, tag: str) -> None:
    for tags in ([], None, ["another"]):
        secret.patch("/v1/settings", json={"inGeofenceTrackingTags": tags})
        assert kind(options_at(publishable, tag, STORE[0])) == "default"


def test_a_state_without_options_of_its_own_has_the_next_ones(secret: Api, publishable: Api, tag: str) -> None:
    trip = to_store(tag)
    secret.patch("/v1/settings", json={"inGeofenceTrackingOptions": None})
    assert kind(options_at(publishable, tag, STORE[0], tripOptions=trip)) == "on-trip"
    secret.patch("/v1/settings", json={"onTripTrackingOptions": None})
    assert kind(options_at(publishable, tag, STORE[0], tripOptions=trip)) == "default"
    secret.patch("/v1/settings", json={"trackingOptions": None})
    assert options_at(publishable, tag, STORE[0], tripOptions=trip) is None


@pytest.mark.parametrize("known_by", ["id", "userId", "deviceId", "installId"])
def test_the_configuration_has_the_options_of_the_app_that_asks(publishable: Api, tag: str, known_by: str) -> None:
    body = at(tag, STORE[0], installId=f"install-{tag}")
    user = publishable.post("/v1/track", json=body).json()["user"]
    known = {"id": user["_id"], "userId": body["userId"], "deviceId": body["deviceId"], "installId": f"install-{tag}"}
    query = {known_by: known[known_by], "sessionId": "1"}
    assert kind(publishable.get("/v1/config", params=query).json()["meta"]["trackingOptions"]) == "in-geofence"
    publishable.post("/v1/track", json=body | {"longitude": FAR})
    assert kind(publishable.get("/v1/config", params=query).json()["meta"]["trackingOptions"]) == "default"


def test_an_app_whose_id_is_unknown_is_known_by_its_installation(publishable: Api, tag: str) -> None:
    """An iOS app without a user sends the words of an empty value."""
    publishable.post("/v1/track", json=at(tag, STORE[0], installId=f"install-{tag}"))
    query = {"id": "(null)", "installId": f"install-{tag}"}
    assert kind(publishable.get("/v1/config", params=query).json()["meta"]["trackingOptions"]) == "in-geofence"
    unknown = publishable.get("/v1/config", params={"id": "(null)", "installId": "never-seen"}).json()
    assert kind(unknown["meta"]["trackingOptions"]) == "default"


def configuration(api: Api, headers: dict[str, str] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = api.get("/v1/config?installId=i", headers=headers or {}).json()["meta"]["sdkConfiguration"]
    return found


def test_options_for_updates_that_fail_need_their_feature(secret: Api, publishable: Api, tag: str) -> None:
    secret.patch("/v1/settings", json={"sdkFeatures": ["useSyncRegion"]})
    assert "remoteTrackingOptions" not in configuration(publishable)
    secret.patch("/v1/settings", json={"sdkFeatures": ["useSyncRegion", "useOfflineRTOUpdates"]})
    remote = configuration(publishable)["remoteTrackingOptions"]
    assert [each["type"] for each in remote] == ["inGeofence", "onTrip", "default"]
    assert [kind(each["trackingOptions"]) for each in remote] == ["in-geofence", "on-trip", "default"]
    assert [each.get("geofenceTags") for each in remote] == [[tag], None, None]
    nothing = dict.fromkeys((*PRESETS, "inGeofenceTrackingOptions"))
    secret.patch("/v1/settings", json=nothing)
    assert "remoteTrackingOptions" not in configuration(publishable)


def test_options_for_updates_that_fail_are_those_of_the_platform(secret: Api, publishable: Api, tag: str) -> None:
    secret.patch("/v1/settings", json={"sdkFeatures": ["useOfflineRTOUpdates"]})
    for headers, stopped in (({}, 3600), (IOS, 0)):
        (default,) = (
            each for each in configuration(publishable, headers)["remoteTrackingOptions"] if each["type"] == "default"
        )
        assert default["trackingOptions"]["desiredStoppedUpdateInterval"] == stopped


def chosen_offline(remote: list[dict[str, Any]], tags: set[str], *, on_trip: bool) -> dict[str, Any] | None:
    """Return the options that the SDKs choose while updates fail (iOS 3.39, Android 3.34)."""
    by_type = {each["type"]: each for each in reversed(remote)}
    inside = by_type.get("inGeofence")
    if inside is not None and {*(inside.get("geofenceTags") or ())} & tags:
        return {**inside["trackingOptions"], "type": "in-geofence"}
    if on_trip and "onTrip" in by_type:
        return {**by_type["onTrip"]["trackingOptions"], "type": "on-trip"}
    return {**by_type["default"]["trackingOptions"], "type": "default"} if "default" in by_type else None


@pytest.mark.parametrize(
    "unset", [(), ("trackingOptions",), ("onTripTrackingOptions",), ("inGeofenceTrackingOptions",)]
)
@pytest.mark.parametrize("on_trip", [False, True])
def test_an_app_chooses_the_same_options_as_the_server(
    secret: Api, publishable: Api, tag: str, unset: tuple[str, ...], on_trip: bool
) -> None:
    secret.patch("/v1/settings", json={"sdkFeatures": ["useOfflineRTOUpdates"], **dict.fromkeys(unset)})
    remote = configuration(publishable)["remoteTrackingOptions"]
    trip = {"tripOptions": to_store(tag)} if on_trip else {}
    for longitude, tags in ((FAR, set()), (STORE[0], {tag})):
        offline = chosen_offline(remote, tags, on_trip=on_trip)
        assert options_at(publishable, tag, longitude, **trip) == offline


def test_in_geofence_options_have_a_list_of_tags_even_if_it_is_empty() -> None:
    settings = ProjectSettings(
        sdk_features=(SdkFeature.OFFLINE_OPTIONS,),
        in_geofence_tracking_options=TrackingOptions(TrackingPreset.CONTINUOUS),
    )
    meta = config_meta(settings, "Android", None)
    (only,) = meta["sdkConfiguration"]["remoteTrackingOptions"]
    assert only["geofenceTags"] == []
    assert "trackingOptions" not in meta


@pytest.mark.parametrize("track", [IOS_TRACK, ANDROID_TRACK], ids=["ios", "android"])
def test_recorded_requests_of_the_sdks(secret: Api, publishable: Api, tag: str, track: dict[str, Any]) -> None:
    """An app that starts without a connection to a user's state, then tracks on a trip and in a geofence."""
    device = f"{track['deviceId']}-{tag}"
    own = {"deviceId": device, "userId": device, "installId": f"install-{tag}", "verified": False}
    trip = track["tripOptions"] | {"externalId": tag, "userId": device, "destinationGeofenceTag": tag}
    body = track | own | {"longitude": FAR, "latitude": STORE[1], "tripOptions": trip}
    del body["updatedAtMsDiff"]
    headers = {"X-Radar-Device-Type": track["deviceType"], "X-Radar-SDK-Version": track["sdkVersion"]}
    config = f"/v1/config?installId=install-{tag}&sessionId=1790000000&id=%28null%29&usage=initialize&verified=false"

    def configured() -> dict[str, Any]:
        options: dict[str, Any] = publishable.get(config, headers=headers).json()["meta"]["trackingOptions"]
        return options

    def tracked(longitude: float) -> dict[str, Any]:
        answer = publishable.post("/v1/track", json=body | {"longitude": longitude}, headers=headers).json()
        options: dict[str, Any] = answer["meta"]["trackingOptions"]
        return options

    assert configured()["type"] == "default"
    assert tracked(FAR)["type"] == "on-trip"
    assert configured()["type"] == "on-trip"
    assert tracked(STORE[0])["type"] == "in-geofence"
    assert configured()["type"] == "in-geofence"
    secret.patch("/v1/settings", json={"inGeofenceTrackingOptions": {"preset": "continuous", "beacons": True}})
    assert tracked(STORE[0])["beacons"] is True
