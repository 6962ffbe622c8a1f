"""The keys and types that the iOS and Android parsers read, based on the public fixtures of these SDKs.

Only keys that a parser reads are listed, since SDKs ignore other keys. A key that is present must have the type that
the parser expects. Keys without which a parser gives up are required.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.app.api.sdk_rules import Refused

type Json = Any
type Check = Callable[[Json], bool]
type Site = tuple[str | int, ...]
"""The location of a value in a response: keys and indices."""


def text(value: Json) -> bool:
    """Return whether a value is a string."""
    return isinstance(value, str)


def number(value: Json) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def integer(value: Json) -> bool:
    """Return whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def switch(value: Json) -> bool:
    """Return whether a value is a boolean."""
    return isinstance(value, bool)


def texts(value: Json) -> bool:
    """Return whether a value is a list of strings."""
    return isinstance(value, list) and all(map(text, value))


def pair(value: Json) -> bool:
    """Return whether a value is a longitude and a latitude."""
    return isinstance(value, list) and len(value) == 2 and all(map(number, value))


def mapping(value: Json) -> bool:
    """Return whether a value is a dictionary."""
    return isinstance(value, dict)


def word(*words: str | int) -> Check:
    """Return a check of whether a value is one of the given words."""
    return lambda value: not isinstance(value, bool) and isinstance(value, str | int) and value in words


@dataclass(frozen=True)
class Shape:
    """An object as read by a parser."""

    required: Mapping[str, "Check | Shape | Many"] = field(default_factory=dict)
    optional: Mapping[str, "Check | Shape | Many"] = field(default_factory=dict)


@dataclass(frozen=True)
class Many:
    """A list of objects."""

    of: Shape


POINT = Shape({"coordinates": pair}, {"type": word("Point")})
CHAIN = Shape({"name": text, "slug": text}, {"externalId": text, "metadata": mapping, "domain": text})
PLACE = Shape(
    {"_id": text, "name": text, "location": POINT},
    {"categories": texts, "chain": CHAIN, "group": text, "geometryRadius": number},
)
REGION = Shape({"_id": text, "type": text, "code": text, "name": text}, {"flag": text})
SEGMENT = Shape({"description": text, "externalId": text})
BEACON = Shape(
    {"_id": text},
    {
        "uuid": text,
        "major": text,
        "minor": text,
        "description": text,
        "tag": text,
        "externalId": text,
        "type": text,
        "geometry": POINT,
        "metadata": mapping,
        "rssi": integer,
    },
)
GEOFENCE = Shape(
    {"_id": text, "description": text},
    {
        "tag": text,
        "externalId": text,
        "metadata": mapping,
        "type": word("circle", "polygon", "isochrone"),
        "geometryCenter": POINT,
        "geometryRadius": number,
        "operatingHours": mapping,
        "stopDetection": switch,
        "dwellThreshold": number,
        "geometry": Shape({"type": word("Polygon")}),
    },
)
ETA = Shape({"distance": number, "duration": number})
TRIP = Shape(
    {"externalId": text},
    {
        "_id": text,
        "metadata": mapping,
        "mode": text,
        "eta": ETA,
        "destinationLocation": POINT,
        "destinationGeofenceTag": text,
        "destinationGeofenceExternalId": text,
        "status": word("unknown", "pending", "started", "approaching", "arrived", "expired", "completed", "canceled"),
    },
)
FRAUD = Shape(
    {},
    dict.fromkeys(
        (
            *("verified", "passed", "bypassed", "blocked", "mocked"),
            *("jumped", "compromised", "inaccurate", "proxy", "sharing"),
        ),
        switch,
    ),
)
REGIONS: Mapping[str, Shape] = {"country": REGION, "state": REGION, "dma": REGION, "postalCode": REGION}
USER = Shape(
    {"_id": text, "location": POINT, "locationAccuracy": number},
    {
        "userId": text,
        "deviceId": text,
        "description": text,
        "metadata": mapping,
        "geofences": Many(GEOFENCE),
        "place": PLACE,
        "beacons": Many(BEACON),
        "stopped": switch,
        "foreground": switch,
        **REGIONS,
        "nearbyPlaceChains": Many(CHAIN),
        "segments": Many(SEGMENT),
        "topChains": Many(CHAIN),
        "source": text,
        "trip": TRIP,
        "debug": switch,
        "fraud": FRAUD,
        "altitude": number,
        "activityType": text,
        "actualUpdatedAt": text,
        "updatedAt": text,
        "createdAt": text,
        "live": switch,
        "ip": text,
    },
)
EVENT_USER = Shape(
    {},
    {
        "_id": text,
        "deviceId": text,
        "userId": text,
        "metadata": mapping,
        "installId": text,
        "sdkVersion": text,
        "segments": Many(SEGMENT),
        "topChains": Many(CHAIN),
        **REGIONS,
    },
)
EVENT = Shape(
    {"_id": text, "createdAt": text, "actualCreatedAt": text, "type": text, "live": switch},
    {
        "user": EVENT_USER,
        "geofence": GEOFENCE,
        "place": PLACE,
        "region": REGION,
        "beacon": BEACON,
        "trip": TRIP,
        "fraud": FRAUD,
        "alternatePlaces": Many(PLACE),
        "verifiedPlace": PLACE,
        "verification": word(-1, 0, 1),
        "confidence": word(1, 2, 3),
        "duration": number,
        "location": POINT,
        "locationAccuracy": number,
        "replayed": switch,
        "metadata": mapping,
        "custom": switch,
        "sdkVersion": text,
        **REGIONS,
        "deviceType": text,
        "deviceOS": text,
        "deviceMake": text,
        "deviceModel": text,
    },
)
CONTEXT = Shape(
    {"geofences": Many(GEOFENCE)},
    {"place": PLACE, "beacons": Many(BEACON), "live": switch, **REGIONS},
)
TIME_ZONE = Shape(
    {"id": text, "name": text, "code": text, "currentTime": text, "utcOffset": integer, "dstOffset": integer}
)
ADDRESS = Shape(
    {},
    {
        "latitude": number,
        "longitude": number,
        "geometry": POINT,
        "distance": number,
        "timeZone": TIME_ZONE,
        **dict.fromkeys(
            (
                *("formattedAddress", "country", "countryCode", "countryFlag", "state", "stateCode", "postalCode"),
                *("city", "borough", "county", "neighborhood", "number", "street", "unit", "addressLabel"),
                *("placeLabel", "confidence", "layer", "plus4", "dma", "dmaCode"),
            ),
            text,
        ),
    },
)
MEASURE = Shape({"value": number, "text": text})
ROUTE = Shape({"distance": MEASURE}, {"duration": MEASURE, "geometry": mapping})
ROUTES = Shape(
    {},
    {"geodesic": Shape({"distance": MEASURE}), **dict.fromkeys(("car", "truck", "foot", "bike", "motorbike"), ROUTE)},
)
TRACKING_OPTIONS = Shape(
    {
        **dict.fromkeys(
            (
                *("desiredStoppedUpdateInterval", "desiredMovingUpdateInterval", "desiredSyncInterval"),
                *("stopDuration", "stopDistance", "stoppedGeofenceRadius", "movingGeofenceRadius"),
            ),
            integer,
        ),
        **dict.fromkeys(("useStoppedGeofence", "useMovingGeofence", "syncGeofences", "beacons"), switch),
        "desiredAccuracy": word("high", "medium", "low", "none"),
        "replay": word("all", "stops", "none"),
        "sync": word("all", "stopsAndExits", "events", "none"),
    },
    {
        **dict.fromkeys(("fastestStoppedUpdateInterval", "fastestMovingUpdateInterval", "syncGeofencesLimit"), integer),
        **dict.fromkeys(
            ("showBlueBar", "useVisits", "useSignificantLocationChanges", "foregroundServiceEnabled"), switch
        ),
        "type": word("default", "on-trip", "in-geofence", "is-user"),
    },
)
REMOTE_TRACKING_OPTIONS = Shape(
    {"type": word("default", "onTrip", "inGeofence"), "trackingOptions": TRACKING_OPTIONS}, {"geofenceTags": texts}
)
SDK_CONFIGURATION = Shape(
    {},
    {
        "logLevel": word("none", "error", "warning", "info", "debug"),
        **dict.fromkeys(
            (
                *("startTrackingOnInitialize", "trackOnceOnAppOpen", "usePersistence", "extendFlushReplays"),
                *("useLogPersistence", "useRadarModifiedBeacon", "useOpenedAppConversion", "syncAfterSetUser"),
                *("useForegroundLocationUpdatedAtMsDiff", "useSyncRegion", "bufferGeofenceEntries"),
                *("bufferGeofenceExits", "stopDetection", "useOfflineRTOUpdates", "offlineEventGenerationEnabled"),
                *("startUpdatesWhileInUse",),
            ),
            switch,
        ),
        "defaultGeofenceDwellThreshold": integer,
        "remoteTrackingOptions": Many(REMOTE_TRACKING_OPTIONS),
    },
)
META = Shape(
    {"code": integer},
    {
        "trackingOptions": TRACKING_OPTIONS,
        "sdkConfiguration": SDK_CONFIGURATION,
        "featureSettings": mapping,
        "param": text,
        "message": text,
        "warnings": texts,
    },
)
SYNC_REGION = Shape({"latitude": number, "longitude": number, "radius": number})
ANSWER = Shape(
    {"meta": META},
    {
        "user": USER,
        "users": Many(USER),
        "event": EVENT,
        "events": Many(EVENT),
        "context": CONTEXT,
        "geofences": Many(GEOFENCE),
        "geofence": GEOFENCE,
        "nearbyGeofences": Many(GEOFENCE),
        "places": Many(PLACE),
        "beacons": Many(BEACON),
        "trip": TRIP,
        "trips": Many(TRIP),
        "addresses": Many(ADDRESS),
        "address": ADDRESS,
        "region": SYNC_REGION,
        "proxy": switch,
        "ip": text,
    },
)
"""Any response of an operation that SDKs call."""

OTHER_ANSWERS = ("/v1/settings", "/v1/clock", "/v1/route/", "/openapi", "/docs")
"""Responses that no mobile SDK reads, or whose words have another meaning."""


def check_shapes(answer: Json, path: str) -> None:
    """Raise `Refused` if a key in a response to a request of `path` does not have the type that parsers expect."""
    if path.startswith("/v1/route/distance") and "routes" in answer:
        check(ROUTES, answer["routes"], "/routes")
    if not path.startswith(OTHER_ANSWERS):
        check(ANSWER, answer, "")
        if path.startswith(("/v1/geocode", "/v1/search/autocomplete")):
            for address in answer.get("addresses", ()):
                check(Shape({"latitude": number, "longitude": number}), address, "/addresses")
        for replay in answer.get("replays", ()):
            check(ANSWER, replay, "/replays")


def check(shape: Shape, value: Json, place: str) -> None:
    """Raise `Refused` if a value does not have a shape."""
    if not isinstance(value, dict):
        raise Refused(f"{place}: must be an object")
    for name in shape.required:
        if name not in value:
            raise Refused(f"{place}/{name}: parsers give up without it")
    for name, kind in {**shape.required, **shape.optional}.items():
        if name in value:
            _check_one(kind, value[name], f"{place}/{name}")


def _check_one(kind: "Check | Shape | Many", value: Json, place: str) -> None:
    if isinstance(kind, Shape):
        check(kind, value, place)
    elif isinstance(kind, Many):
        if not isinstance(value, list):
            raise Refused(f"{place}: must be a list")
        for index, item in enumerate(value):
            check(kind.of, item, f"{place}/{index}")
    elif not kind(value):
        raise Refused(f"{place}: {value!r} has the wrong type")


def sites(shape: Shape, value: Json, at: Site = ()) -> Iterator[tuple[Site, bool]]:
    """Yield the sites of a value that its shape describes, and whether each is required."""
    for name, kind in {**shape.required, **shape.optional}.items():
        if name not in value:
            continue
        yield (*at, name), name in shape.required
        if isinstance(kind, Shape):
            yield from sites(kind, value[name], (*at, name))
        elif isinstance(kind, Many):
            for index, item in enumerate(value[name]):
                yield from sites(kind.of, item, (*at, name, index))
