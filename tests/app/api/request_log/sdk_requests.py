"""Requests in the shape that each SDK sends them, with every parameter that its source can add.

The values are examples; the names, and where they are sent, are facts from the sources that `FIELDS_OF_SDKS` names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.api.v1.request_log.sdk_fields import Sdk

type Json = Mapping[str, Any]


@dataclass(frozen=True)
class Sent:
    """A request: its operation, method, path with query, and body."""

    operation: str
    method: str
    path: str
    body: Json | None = None


_IDENTITY: Final[Json] = {"id": "0123456789abcdef01234567", "installId": "6C8E", "sessionId": "1790000000"}
_POSITION: Final[Json] = {
    "latitude": 60.1699,
    "longitude": 24.94,
    "accuracy": 5,
    "altitude": 12.5,
    "verticalAccuracy": 3,
    "speed": 1.4,
    "speedAccuracy": 0.5,
    "course": 90,
    "courseAccuracy": 10,
    "updatedAtMsDiff": 120,
    "locationMs": 1790000000000,
    "foreground": True,
    "stopped": False,
    "replayed": False,
}
_APP: Final[Json] = {
    "appId": "com.example.app",
    "appName": "Example",
    "appVersion": "1.0",
    "appBuild": "7",
    "country": "FI",
    "timeZoneOffset": 7200,
    "lang": "en",
    "source": "FOREGROUND_LOCATION",
    "xPlatformType": "Native",
    "pushNotificationToken": "push",
}
_STATE: Final[Json] = {
    "nearbyGeofences": True,
    "beacons": [],
    "locationAuthorization": "GRANTED_FOREGROUND",
    "locationAccuracyAuthorization": "FULL",
    "trackingOptions": {"desiredStoppedUpdateInterval": 0, "replay": "none", "usePressure": True},
    "usingRemoteTrackingOptions": False,
    "verified": False,
    "locationMetadata": {
        "altitude": 12.5,
        "pressureHPa": {"pressure": 1013},
        "motionActivityData": {"type": "walking"},
    },
    "altitudeAdjustments": [{"adjustment": 1.5}],
}
_TRIP: Final[Json] = {
    "externalId": "order-1",
    "metadata": {"car": "red"},
    "destinationGeofenceTag": "store",
    "destinationGeofenceExternalId": "1",
    "mode": "car",
}
_USER: Final[Json] = {
    **_IDENTITY,
    "userId": "ann",
    "description": "Ann",
    "metadata": {"plan": "gold"},
    "userTags": ["vip"],
}
_MOBILE_TRACK: Final[Json] = {
    "anonymous": False,
    **_USER,
    **_POSITION,
    **_APP,
    **_STATE,
    "tripOptions": {"version": "2", **_TRIP},
}
_VERIFIED: Final[Json] = {
    "verified": True,
    "fraudPayload": "payload",
    "expectedCountryCode": "FI",
    "expectedStateCode": "18",
    "reason": "manual",
    "transactionId": "transaction-1",
}
_SEEN_BEFORE: Final[Json] = {
    "anonymous": True,
    "deviceId": "anonymous",
    "geofenceIds": [],
    "placeId": "0123456789abcdef01234568",
    "regionIds": [],
    "beaconIds": [],
}

IOS_TRACK: Final[Json] = {
    **_MOBILE_TRACK,
    "deviceId": "ios-1",
    "deviceType": "iOS",
    "deviceMake": "Apple",
    "deviceModel": "iPhone17,3",
    "deviceOS": "18.4",
    "sdkVersion": "3.39.1",
    "floorLevel": 2,
    "locationExtensionToken": "extension",
    "motionAuthorization": "AUTHORIZED",
    "notificationAuthorization": True,
    "notificationDiff": [{"registeredAt": 1790000000, "identifier": "radar_geofence_1"}],
}
ANDROID_TRACK: Final[Json] = {
    **_MOBILE_TRACK,
    "deviceId": "android-1",
    "deviceType": "Android",
    "deviceMake": "Google",
    "deviceModel": "Pixel 10",
    "deviceOS": "16",
    "sdkVersion": "3.34.0",
    "nearbyGeofencesLimit": 10,
    "locationServicesProvider": "GOOGLE",
}


def _anonymous(track: Json) -> Json:
    """Return an update of the same device in anonymous tracking, with the state it had before."""
    return {**{name: value for name, value in track.items() if name not in _USER}, **_SEEN_BEFORE}


def _replay(track: Json) -> Json:
    """Return an update that is sent again later."""
    left = {name: value for name, value in track.items() if name != "updatedAtMsDiff"}
    return left | {"replayed": True, "updatedAtMs": 1790000000000}


def _get(operation: str, path: str) -> Sent:
    return Sent(operation, "GET", path)


def _mobile(track: Json, verified: Json, installed: str) -> tuple[Sent, ...]:
    """Return the requests that both mobile SDKs send, with the parameters of one of them."""
    device: Json = {"deviceId": track["deviceId"]}
    settings = "installId=6C8E&sessionId=1790000000&id=0123&locationAuthorization=GRANTED_FOREGROUND"
    config = f"{settings}&locationAccuracyAuthorization=FULL&usage=resume&verified=false&clientSdkConfiguration=%7B%7D"
    trip: Json = {"userId": "ann", **_TRIP, "scheduledArrivalAt": "2030-01-01T00:00:00.000Z"}
    leg = {"destination": {"destinationGeofenceTag": "store", "destinationGeofenceExternalId": "1"}, "stopDuration": 5}
    conversion: Json = {
        "id": "0123456789abcdef01234567",
        "installId": "6C8E",
        **device,
        "userId": "ann",
        "metadata": {},
    }
    entries = [{"message": "resume", "level": "info", "createdAt": "2026-08-21T00:00:00.000Z"}]
    here = "60.169900,24.940000"
    return (
        _get("readConfig", f"/v1/config?{config}"),
        Sent("track", "POST", "/v1/track", track),
        Sent("track", "POST", "/v1/track", _anonymous(track)),
        Sent("track", "POST", "/v1/track", {**track, **verified}),
        Sent("replayTracks", "POST", "/v1/track/replay", {"replays": [_replay(track), _replay(_anonymous(track))]}),
        Sent("sendLogs", "POST", "/v1/logs", {**_IDENTITY, **device, "logs": entries}),
        Sent("syncRegion", "POST", "/v1/sync/region", {"latitude": 60.17, "longitude": 24.94, "userId": "ann"}),
        Sent("reportConversion", "POST", "/v1/events", {**conversion, "type": "opened_app"}),
        Sent(
            "reportConversion",
            "POST",
            "/v1/events",
            {**conversion, "type": "user.displayed_in_app_message", "campaign": "0123"},
        ),
        Sent("createTrip", "POST", "/v1/trips", {**trip, "approachingThreshold": "5"}),
        Sent("createTrip", "POST", "/v1/trips", {"userId": "ann", "externalId": "tour-1", "legs": [leg, leg]}),
        Sent("updateTrip", "PATCH", "/v1/trips/order-1/update", {**trip, "status": "completed"}),
        Sent("updateTripLeg", "PATCH", "/v1/trips/tour-1/legs/0123", {"status": "completed"}),
        Sent("reorderTripLegs", "PUT", "/v1/trips/tour-2/legs", {"legs": ["0123", "4567"]}),
        Sent("verifyEvent", "PUT", "/v1/events/0123/verification", {"verification": 1, "verifiedPlaceId": "0123"}),
        _get("readContext", f"/v1/context?coordinates={here}"),
        _get(
            "searchPlaces",
            f"/v1/search/places?near={here}&radius=1000&limit=10&chains=1-day&country=FI&chainMetadata[open]=%22yes%22",
        ),
        _get("searchPlaces", f"/v1/search/places?near={here}&radius=1000&limit=10&categories=food-beverage"),
        _get("searchPlaces", f"/v1/search/places?near={here}&radius=1000&limit=10&groups=education"),
        _get(
            "searchGeofences",
            f"/v1/search/geofences?near={here}&radius=1000&limit=10&tags=store&metadata[open]=true&includeGeometry=false",
        ),
        _get("searchBeacons", f"/v1/search/beacons?near={here}&radius=1000&limit=10{installed}"),
        _get(
            "autocomplete",
            f"/v1/search/autocomplete?query=manner&near={here}&layers=address&limit=10&country=FI",
        ),
        _get(
            "validateAddress",
            "/v1/addresses/validate?countryCode=US&stateCode=NY&city=New%20York&postalCode=10003&street=Broadway&number=841"
            "&unit=7&addressLabel=841%20Broadway",
        ),
        _get("forwardGeocode", "/v1/geocode/forward?query=Mannerheimintie&layers=address&country=FI"),
        _get("reverseGeocode", f"/v1/geocode/reverse?coordinates={here}&layers=address"),
        _get("ipGeocode", "/v1/geocode/ip"),
        _get(
            "routeDistance",
            f"/v1/route/distance?origin={here}&destination=60.1719,24.9414&modes=foot,car&units=metric"
            "&geometry=linestring",
        ),
        _get(
            "routeMatrix",
            f"/v1/route/matrix?origins={here}|{here}&destinations=60.1719,24.9414&mode=car&units=metric",
        ),
    )


_TRACK_5: Final[Json] = {
    "latitude": 60.1699,
    "longitude": 24.94,
    "locationAuthorization": "GRANTED_FOREGROUND",
    "accuracy": 10,
    "description": "Ann",
    "deviceId": "web-1",
    "deviceType": "Web",
    "foreground": True,
    "installId": "web-1",
    "sessionId": "1790000000",
    "metadata": {"plan": "gold"},
    "sdkVersion": "5.2.0",
    "stopped": True,
    "userId": "ann",
    "tripOptions": {"version": "2", **_TRIP},
}
_WITHOUT_SESSION: Final = ("sessionId", "locationAuthorization")
_TRACK_3: Final[Json] = {
    **{name: value for name, value in _TRACK_5.items() if name not in _WITHOUT_SESSION},
    "sdkVersion": "3.7.1",
}


def _web(track: Json, conversion: Json, *, accuracy: str = "&accuracy=10", session: str = "") -> tuple[Sent, ...]:
    """Return the requests of a browser SDK, with the parameters of one version."""
    here, there = "60.1719,24.9414", "60.1699,24.94"
    trip: Json = {"userId": "ann", **_TRIP, "approachingThreshold": 0}
    who: Json = {"deviceId": "web-1", "userId": "ann", "installId": "web-1", "metadata": {"sku": "a", "revenue": 9.5}}
    return (
        Sent("track", "POST", "/v1/track", track),
        Sent("reportConversion", "POST", "/v1/events", {**who, **conversion}),
        Sent("createTrip", "POST", "/v1/trips", trip),
        Sent("updateTrip", "PATCH", "/v1/trips/order-1/update", {**trip, "status": "completed"}),
        _get("readContext", f"/v1/context?coordinates={here}{accuracy}"),
        _get("searchGeofences", f"/v1/search/geofences?near={here}&radius=1000&tags=store&limit=5"),
        _get("searchPlaces", f"/v1/search/places?near={here}&radius=1000&categories=food-beverage&limit=5"),
        _get("autocomplete", f"/v1/search/autocomplete?query=manner&near={here}&limit=5{session}"),
        _get("forwardGeocode", "/v1/geocode/forward?query=Mannerheimintie%2010"),
        _get("reverseGeocode", f"/v1/geocode/reverse?coordinates={here}"),
        _get("ipGeocode", "/v1/geocode/ip"),
        _get(
            "validateAddress",
            "/v1/addresses/validate?city=New%20York&stateCode=NY&postalCode=10003&countryCode=US&street=Broadway&number=841",
        ),
        _get("routeDistance", f"/v1/route/distance?origin={here}&destination={there}&modes=foot&units=metric"),
        _get("routeMatrix", f"/v1/route/matrix?origins={here}&destinations={there}&mode=foot&units=metric"),
    )


_CONFIG_WEB: Final = _get(
    "readConfig",
    "/v1/config?deviceId=web-1&installId=web-1&sessionId=1790000000&locationAuthorization=GRANTED_FOREGROUND",
)
_NAMED: Final[Json] = {"name": "bought", "createdAt": "2026-08-21T00:00:00.000Z"}


def _cross_platform(name: str, version: str) -> tuple[Sent, ...]:
    """Return the updates of an SDK that calls the mobile SDKs, which add its name and version."""
    platform: Json = {"xPlatformType": name, "xPlatformSDKVersion": version}
    return tuple(Sent("track", "POST", "/v1/track", {**track, **platform}) for track in (IOS_TRACK, ANDROID_TRACK))


REQUESTS: Final[Mapping[Sdk, tuple[Sent, ...]]] = {
    Sdk.IOS: _mobile(IOS_TRACK, {**_VERIFIED, "revealRiskId": "risk-1"}, ""),
    Sdk.ANDROID: _mobile(ANDROID_TRACK, {**_VERIFIED, "encrypted": False}, "&installId=6C8E"),
    Sdk.WEB: (
        _CONFIG_WEB,
        *_web(_TRACK_5, _NAMED, session="&sessionToken=visit-1"),
        Sent(
            "reportAutocompleteClick",
            "POST",
            "/v1/search/autocomplete/click",
            {"sessionToken": "visit-1", "requestId": "0123", "idx": 0},
        ),
    ),
    Sdk.WEB_4: (
        _CONFIG_WEB,
        *_web({**_TRACK_5, "sdkVersion": "4.5.8", "timeZone": "Europe/Helsinki"}, _NAMED),
        _get("ping", "/v1/ping"),
    ),
    Sdk.WEB_3: _web(_TRACK_3, {"type": "bought"}, accuracy=""),
    # The map of the module loads its style with the key in the query.
    Sdk.REACT_NATIVE: (
        *_cross_platform("ReactNative", "4.36.0"),
        _get("readMapStyle", "/maps/styles/radar-default-v1?publishableKey=prj_test_pk_0"),
    ),
    Sdk.FLUTTER: _cross_platform("Flutter", "3.23.4"),
    Sdk.CAPACITOR: _cross_platform("Capacitor", "3.15.1"),
}
"""Requests of each SDK. Those of the web layers of React Native and Capacitor are the ones of JavaScript 3.7."""
