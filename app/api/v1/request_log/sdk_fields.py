"""Parameters that SDKs add to requests by themselves, so they are not reported as mistakes of the client.

The names are facts from the public sources of the SDKs, in the version and file that each comment gives. Parameters
that an operation takes are not repeated here.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Sdk(StrEnum):
    """SDKs whose requests are known, each with the version that was read."""

    IOS = "iOS 3.39"
    ANDROID = "Android 3.34"
    WEB = "JavaScript 5.2"
    WEB_4 = "JavaScript 4.5"
    WEB_3 = "JavaScript 3.7"
    REACT_NATIVE = "React Native 4.36"
    FLUTTER = "Flutter 3.23"
    CAPACITOR = "Capacitor 3.15"


# The user and the app; position and movement of the device; permissions and tracking options; verified tracking.
# iOS 3.39.1: RadarSDK/RadarAPIClient.m, with revealRiskId, which the source has since August 2026.
# Android 3.34.0: sdk/src/main/java/io/radar/sdk/RadarApiClient.kt.
_MOBILE_NAMES: Final = """
id installId sessionId userTags appId appName appVersion appBuild sdkVersion xPlatformType pushNotificationToken
speed speedAccuracy course courseAccuracy locationMs locationMetadata altitudeAdjustments country timeZoneOffset lang
beaconIds locationAuthorization locationAccuracyAuthorization trackingOptions usingRemoteTrackingOptions
expectedCountryCode expectedStateCode reason transactionId
"""
_IOS_NAMES: Final = """
floorLevel locationExtensionToken motionAuthorization notificationAuthorization notificationDiff revealRiskId
"""
_MOBILE_TRACK: Final = frozenset(_MOBILE_NAMES.split())
_IOS_TRACK: Final = _MOBILE_TRACK | frozenset(_IOS_NAMES.split())
_ANDROID_TRACK: Final = _MOBILE_TRACK | {"locationServicesProvider"}

# The conversions that a mobile SDK logs by itself belong to a campaign.
_MOBILE_CONVERSION: Final = frozenset({"id", "campaign"})

# Each tells the mobile SDK its name and version; the web layers of React Native and Capacitor are JavaScript 3.7.
# React Native 4.36.0: android/src/newarch/java/com/radar/RadarModule.kt and ios/RNRadar.mm.
# Flutter 3.23.4: android/src/main/java/io/radar/flutter/RadarFlutterPlugin.java and ios/Classes/RadarFlutterPlugin.m.
# Capacitor 3.15.1: android/src/main/java/io/radar/capacitor/RadarPlugin.java and ios/Plugin/Plugin.swift.
_CROSS_PLATFORM: Final[Mapping[str, frozenset[str]]] = {"track": frozenset({"xPlatformSDKVersion"})}

FIELDS_OF_SDKS: Final[Mapping[Sdk, Mapping[str, frozenset[str]]]] = {
    Sdk.IOS: {"track": _IOS_TRACK, "reportConversion": _MOBILE_CONVERSION},
    Sdk.ANDROID: {
        "track": _ANDROID_TRACK,
        "reportConversion": _MOBILE_CONVERSION,
        "searchBeacons": frozenset({"installId"}),
    },
    # 5.2.0: src/api/track.ts and src/api/search.ts.
    Sdk.WEB: {
        "track": frozenset({"installId", "sessionId", "sdkVersion", "locationAuthorization"}),
        "autocomplete": frozenset({"sessionToken"}),
    },
    # 4.5.8: src/api/track.ts.
    Sdk.WEB_4: {"track": frozenset({"installId", "sessionId", "sdkVersion", "locationAuthorization", "timeZone"})},
    # 3.7.1: src/api/track.js.
    Sdk.WEB_3: {"track": frozenset({"installId", "sdkVersion"})},
    Sdk.REACT_NATIVE: _CROSS_PLATFORM,
    Sdk.FLUTTER: _CROSS_PLATFORM,
    Sdk.CAPACITOR: _CROSS_PLATFORM,
}
"""Parameters by SDK and operation name."""

# Of iOS and Android since 3.10, in the same files, and parameters that apps in JavaScript set for the SDK itself.
_EARLIER_NAMES: Final = """
adId timeZone source listenToServer nearbyBeacons desiredAccuracy sharing product kDeviceId indoorScan fraud
fraudFailureReasons skipVerifyApp token langs scl csl
"""
_EARLIER: Final[Mapping[str, frozenset[str]]] = {
    "track": frozenset(_EARLIER_NAMES.split()),
    "reportConversion": frozenset({"sessionId", "revenue", "source"}),
    "verifyEvent": frozenset({"verified"}),
    "readContext": frozenset({"deviceId", "installId", "sessionId"}),
}


def _by_operation() -> dict[str, frozenset[str]]:
    names: dict[str, frozenset[str]] = {}
    for fields in (*FIELDS_OF_SDKS.values(), _EARLIER):
        for operation, own in fields.items():
            names[operation] = names.get(operation, frozenset()) | own
    return names | {"replayTracks": names["track"]}


SENT_BY_SDKS: Final[Mapping[str, frozenset[str]]] = _by_operation()
"""Parameters of all SDKs by operation name."""

NOT_LOOKED_AT: Final = frozenset({"readConfig", "sendLogs", "ping", "reportAutocompleteClick"})
"""Operations that only SDKs call, with a growing number of parameters, few of which matter."""

UNSERVED_FIELDS: Final = {
    "expandUnits": "address units are not served",
    "mailable": "filtering by mail deliverability is not served",
    "geometryPoints": "the number of points of a line cannot be chosen",
    "orders": "orders of trips are not served",
}
"""Parameters that clients set on purpose but no operation takes, with the message for each."""

UNSERVED_PATHS: Final = {
    "/v1/verify": "Verified tracking is not served.",
    "/v1/reveal": "Risk assessment of devices (revealRisk) is not served.",
    "/v1/assets": "In-app messages are not served, nor are their images.",
}
"""Prefixes of paths that clients know but the server does not serve."""

OF_TRIP_OPTIONS: Final = frozenset({"version", "startTracking"})
"""Fields that SDKs add to `tripOptions` by themselves."""

SYNONYMS: Final = {
    "lat": "latitude",
    "lng": "longitude",
    "lon": "longitude",
    "long": "longitude",
    "uid": "userId",
    "device": "deviceId",
    "user": "userId",
    "uuid": "deviceId",
    "acc": "accuracy",
    "timestamp": "updatedAt",
    "time": "updatedAt",
    "name": "description",
    "q": "query",
    "center": "coordinates",
    "centre": "coordinates",
    "location": "near",
    "latlng": "coordinates",
    "tag": "tags",
    "max": "limit",
    "count": "limit",
}
"""Names that other APIs use, with their equivalents here."""
