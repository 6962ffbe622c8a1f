"""Parameters that SDKs add to their requests by themselves: that these have no effect is nobody's mistake."""

from typing import Final

# Who and which app; where and how the device moves; what is allowed, and how it tracks; verified tracking.
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
"""By the operation's name, from the public sources of the SDKs for iOS, Android and JavaScript."""

NOT_LOOKED_AT: Final = frozenset({"readConfig", "sendLogs", "ping", "reportAutocompleteClick"})
"""Operations that only SDKs call, with more and more parameters, none of which matters."""

UNSERVED_FIELDS: Final = {
    "expandUnits": "address units are not served",
    "mailable": "filtering by mail deliverability is not served",
    "geometryPoints": "the number of points of a line cannot be chosen",
    "orders": "orders of trips are not served",
}
"""Parameters that clients set on purpose and no operation takes, with what there is to say of them."""

UNSERVED_PATHS: Final = {
    "/v1/verify": "Verified tracking is not served.",
}
"""The beginnings of paths that clients know and nothing serves."""

OF_TRIP_OPTIONS: Final = frozenset({"version", "startTracking"})
"""Fields that SDKs put into `tripOptions` by themselves."""

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
"""Names that other interfaces use, and what they are called here."""
