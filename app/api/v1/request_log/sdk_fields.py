"""Parameters that SDKs add to requests by themselves, so they are not reported as mistakes of the client."""

from typing import Final

# The user and the app; position and movement of the device; permissions and tracking options; verified tracking.
_TRACK_NAMES: Final = """
id installId sessionId anonymous adId appId appName appVersion appBuild sdkVersion xPlatformType xPlatformSDKVersion
pushNotificationToken
speed speedAccuracy course courseAccuracy floorLevel locationMs locationMetadata country timeZone timeZoneOffset source
locationAuthorization locationAccuracyAuthorization notificationAuthorization notificationDiff trackingOptions
usingRemoteTrackingOptions listenToServer nearbyGeofences nearbyGeofencesLimit nearbyBeacons geofenceIds placeId
regionIds beaconIds desiredAccuracy
verified fraud fraudFailureReasons attestationString keyId attestationError encrypted expectedCountryCode
expectedStateCode reason transactionId skipVerifyApp token lang langs scl csl
"""
_TRACK: Final = frozenset(_TRACK_NAMES.split())

SENT_BY_SDKS: Final = {
    "track": _TRACK,
    "replayTracks": _TRACK,
    "reportConversion": frozenset(["id", "installId", "sessionId", "revenue", "sdkVersion", "deviceType", "source"]),
    "verifyEvent": frozenset({"verified"}),
    "readContext": frozenset(["deviceId", "installId", "sessionId"]),
}
"""SDK parameters by operation name, from the public sources of the SDKs for iOS, Android and JavaScript."""

NOT_LOOKED_AT: Final = frozenset({"readConfig", "sendLogs", "ping", "reportAutocompleteClick"})
"""Operations that only SDKs call, with a growing number of parameters, none of which matters."""

UNSERVED_FIELDS: Final = {
    "expandUnits": "address units are not served",
    "mailable": "filtering by mail deliverability is not served",
    "geometryPoints": "the number of points of a line cannot be chosen",
    "orders": "orders of trips are not served",
}
"""Parameters that clients set on purpose but no operation takes, with the message for each."""

UNSERVED_PATHS: Final = {
    "/v1/verify": "Verified tracking is not served.",
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
