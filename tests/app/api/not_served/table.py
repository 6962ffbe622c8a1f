"""Rows of the tables in docs/not-served.md, with the behaviour of each SDK.

The SDKs' behaviour is a fact from their public sources:

- iOS 3.39.1 and its changes up to August 2026: RadarAPIClient.m, RadarAPIClient.swift, RadarVerificationManager.m,
  RadarRevealRiskManager.swift, RadarUser.m and RadarEvent.m;
- Android 3.34.0: RadarApiClient.kt, RadarVerificationManager.kt, RadarInAppMessageManager.kt and RadarEvent.kt;
- JavaScript 5.2.0 with `@radarlabs/plugin-fraud` 1.6.0, 4.5.8 (src/api/verify.ts, src/api/track.ts) and 3.7.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A feature that is not served.

    `paths` and `parts` are Markdown: where its endpoints would be, and its parts of requests and responses. `fields`
    are the fields of responses that SDKs read for it, by the place where they are; `events` are the types that are
    never sent. `ios`, `android` and `web` say what the SDKs do without it.
    """

    name: str
    paths: str = ""
    parts: str = ""
    fields: Mapping[str, tuple[str, ...]] | None = None
    events: tuple[str, ...] = ()
    ios: str = ""
    android: str = ""
    web: str = ""


_NO_SUCH: Final = "has no such call"
_REFUSED_FIRST: Final = (
    "asks for the configuration with `verified=true` first, which is 400: it returns `ERROR_BAD_REQUEST` and sends no "
    "location"
)
_OWN_MESSAGES: Final = "never calls `onNewInAppMessage`; `showInAppMessage` works with an app's own message"

FEATURES: Final = (
    Feature(
        name="verified tracking (`trackVerified`, `startTrackingVerified`, `getVerifiedLocationToken`)",
        paths="all that start with `/v1/verify`",
        parts="see *Requests*; no signed token, no jurisdiction checks",
        fields={
            "location updates": ("token", "expiresAt", "expiresIn", "passed", "failureReasons"),
            "regions": ("allowed", "expected", "inBufferZone", "inExclusionZone", "distanceToBorder"),
            "configuration": ("nonce", "googleCloudProjectNumber"),
        },
        ios=_REFUSED_FIRST,
        android=_REFUSED_FIRST,
        web=(
            "5.2 with `@radarlabs/plugin-fraud`, and 4.5, ask the app Radar Verify on the same computer or, with "
            "`skipVerifyApp`, Radar's own host, whatever `host` is; 3.7 has no such call"
        ),
    ),
    Feature(
        name="risk assessment of a device (`revealRisk`)",
        paths="all that start with `/v1/reveal`",
        parts="`revealRiskId` of a location update is ignored",
        ios="returns `ERROR_PLUGIN` without the module RadarSDKFraud; with it, 404, so `ERROR_NOT_FOUND`",
        android=_NO_SUCH,
        web=(
            "5.2 with `@radarlabs/plugin-fraud` asks Radar's own host, whatever `host` is; 4.5 and 3.7 have no such "
            "call"
        ),
    ),
    Feature(
        name="a threshold for delays of trips",
        parts="`delayed` of a trip is true for any delay",
        ios="shows the delay",
        android="shows the delay",
        web="shows the delay",
    ),
    Feature(
        name="in-app messages",
        paths="all that start with `/v1/assets`, which has their images",
        parts="`campaign` of a conversion is ignored",
        fields={"location updates": ("inAppMessages",)},
        ios=_OWN_MESSAGES,
        android=_OWN_MESSAGES,
        web="has no such messages",
    ),
    Feature(
        name="location insights (home, work, commuting, travel)",
        fields={"users": ("locationInsights",)},
        events=(
            "user.entered_home",
            "user.exited_home",
            "user.entered_work",
            "user.exited_work",
            "user.started_commuting",
            "user.stopped_commuting",
            "user.started_traveling",
            "user.stopped_traveling",
        ),
        ios="`user.locationInsights` is nil",
        android="does not read them",
        web="does not read them",
    ),
    Feature(
        name="orders of trips",
        parts="`orders` of a trip are ignored",
        fields={"trips": ("orders",)},
        events=("user.fired_trip_orders",),
        ios="`trip.orders` is nil",
        android="`trip.orders` is null",
        web="does not read them",
    ),
    Feature(
        name="indoor positioning and floors by air pressure",
        parts="`altitudeAdjustments`, `floorLevel` and `locationMetadata` of a location update are ignored",
        fields={"users": ("altitudeAdjustments", "barometricAltitude"), "geofences": ("activeIndoorModelId",)},
        ios="loads no indoor model and adjusts no altitude",
        android="adjusts no altitude",
        web="has no such sensors",
    ),
    Feature(
        name="ranging of beacons that wakes the app",
        fields={"location updates": ("nearbyBeaconRegions",)},
        ios="registers no beacon regions for notifications; ranging while tracking works",
        android="does not read them",
        web="has no beacons",
    ),
    Feature(
        name="tracking options for single users (`type` `is-user`), times, motion, pressure, indoor scans and batches",
        fields={
            "tracking options": (
                *("startTrackingAfter", "stopTrackingAfter", "useMotion", "usePressure", "useIndoorScan"),
                *("batchInterval", "batchSize"),
            ),
        },
        ios="with options from the server, all of them are off, also if the app turned them on",
        android="as iOS; does not read `useIndoorScan`",
        web="does not track in the background",
    ),
    Feature(
        name="other fields that SDKs read",
        fields={
            "users": ("activityType", "debug"),
            "events": ("verifiedPlace",),
            "places": ("group",),
            "addresses": ("dmaCode",),
            "configuration": (
                "locationManagerTimeout",
                "maxConcurrentJobs",
                "maxReplayBufferSize",
                "networkAny",
                "skipForegroundCheck",
                "useSwiftLocationManager",
            ),
        },
        ios="keeps its own default, or nil",
        android="keeps its own default, or null",
        web="does not read them",
    ),
    Feature(
        name="of [maps](api-addresses.md#maps)",
        paths=(
            "custom styles and markers created at Radar, its logo (the plugin loads it from Radar), raster tiles, "
            "satellite images, terrain; in pictures, markers with labels or images"
        ),
        parts=(
            "`language` of a style or picture has no effect: names are local. Outside of areas the map has only land, "
            "coasts, borders and country names"
        ),
    ),
    Feature(name="event integrations other than [webhooks](webhooks.md)"),
)

REQUESTS: Final = (
    ("session tokens (`authToken`, a JWT)", "401"),
    ("the mode `transit`", "left out with a warning if there are other modes, otherwise refused"),
    (
        "a dictionary that a client library could not encode (`metadata=[object Object]`, in a form `metadata=key`)",
        "ignored, with a warning",
    ),
    ("clicks on results of autocomplete", "accepted; nothing is stored"),
)
"""Kinds of requests and what happens with them, in addition to the parameters."""

RESPONSES: Final = (
    ("202", "never returned: an update is stored before the response"),
    (
        "402, 451, and 429 for usage",
        "only by [settings](api-settings.md#errors-to-rehearse) or [injected faults](faults.md); never 429 for "
        '"no state change" or selective throttling',
    ),
    ("attestation of devices", "`fraud.verified` is always false"),
    (
        "traffic",
        "`departureTime` is checked and, with areas, [changes nothing](routing.md#departure-time), with a warning",
    ),
    ("market areas (`dma`), home addresses", "need [your own files](geocoding.md#ip-addresses)"),
    ("cities of IP addresses", "are [downloaded on request](geocoding.md#ip-addresses), without postal codes"),
    (
        "plus-4 of postal codes, units of buildings",
        "only [if given or in the map data](geocoding.md#sources-of-addresses)",
    ),
    ("validation of addresses outside the US and Canada", "refused, according to the specification"),
)
"""Differences of responses."""

RECORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "location updates": ("TrackAnswer",),
    "users": ("UserRecord",),
    "events": ("EventRecord",),
    "trips": ("TripRecord",),
    "geofences": ("GeofenceRecord", "CarriedGeofence"),
    "places": ("PlaceRecord",),
    "regions": ("RegionAnswer",),
    "addresses": ("ForwardAddressAnswer",),
    "configuration": ("ConfigAnswer", "ConfigMeta", "SdkConfigurationRecord"),
    "tracking options": ("TrackingOptionsRecord",),
}
"""Schemas of the OpenAPI document by the place of a field."""

KNOWN_EVENTS: Final = """
user.entered_geofence user.exited_geofence user.dwelled_in_geofence user.entered_place user.exited_place
user.nearby_place_chain user.entered_region_country user.exited_region_country user.entered_region_state
user.exited_region_state user.entered_region_dma user.exited_region_dma user.entered_region_postal_code
user.exited_region_postal_code user.entered_beacon user.exited_beacon user.started_trip user.updated_trip
user.stopped_trip user.approaching_trip_destination user.arrived_at_trip_destination
user.arrived_at_wrong_trip_destination user.fired_trip_orders user.failed_fraud
user.entered_home user.exited_home user.entered_work user.exited_work
user.started_commuting user.stopped_commuting user.started_traveling user.stopped_traveling
"""
"""Event types that the mobile SDKs know (RadarEvent.m, RadarEvent.kt)."""
