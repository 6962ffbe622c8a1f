"""An example for each field of geofences, beacons, settings, trips and users.

An example differs from the default of the field, and from the examples of other fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import NODEFAULT
from msgspec.structs import fields

from engine.domain import geometry
from engine.domain.addresses.address import NO_REGIONS, Region, Regions, RegionType
from engine.domain.addresses.place import Chain, ChainSetting, Place
from engine.domain.environment import Environment
from engine.domain.geofence import Extent, Geofence, GeofenceChange, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, GeometryType, Isochrone, Point, Polygon
from engine.domain.hours import HoursRule, parse_hours
from engine.domain.ip import IpRanges
from engine.domain.metadata import NO_METADATA
from engine.domain.settings import Comparison, Condition, ProjectSettings, RehearsedError, SegmentRule
from engine.domain.tracking.beacon import Beacon, BeaconChange, BeaconSummary, Eddystone, IBeacon, ReportedBeacon
from engine.domain.tracking.fraud import Fraud, FraudCheck
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel, TrackingOptions, TrackingPreset
from engine.domain.tracking.trips import Arrival, Destination, Eta, Trip, TripChange, TripLeg, TripStatus
from engine.domain.tracking.updates import (
    NOWHERE,
    UNKNOWN_DEVICE,
    Anonymous,
    ChainSummary,
    ChainVisits,
    Device,
    DeviceType,
    Fix,
    InOrder,
    LocationUpdate,
    PlaceState,
    PlaceStay,
    Presence,
    SegmentSummary,
    User,
    UserSummary,
)
from engine.domain.travel import TravelMode


class _Nothing:
    """A placeholder for a value that is derived."""


NOTHING: Final = _Nothing()


class Part(NamedTuple):
    """A field that holds a record, or several; the fields of one that is `apart` are checked separately."""

    of: type
    several: bool = False
    apart: bool = False


class Example(NamedTuple):
    """The value of a field, the value in a record that differs in this field, and the value in requests.

    If they are not given, the differing record has the default, and requests have the value itself. A `fixed` field
    always has this value.
    """

    value: Any
    other: Any = NOTHING
    wire: Any = NOTHING
    fixed: bool = False


def at(minute: int) -> datetime:
    """Return a distinct time, far in the future to prevent expiry, with milliseconds."""
    return datetime(2096, 5, 6, 7, minute, 8, 901_000, tzinfo=UTC)


def text_at(minute: int) -> str:
    """Return the same time in the notation of requests."""
    return f"{at(minute):%Y-%m-%dT%H:%M:%S}.901Z"


FENCE_ID, BEACON_ID, USER_ID, TRIP_ID, LEG_ID = (f"{number:x}" * 24 for number in range(10, 15))
RING: Final = ((9.51, 47.11), (9.53, 47.11), (9.53, 47.13), (9.51, 47.11))
OTHER_RING: Final = ((9.51, 47.11), (9.54, 47.11), (9.54, 47.14), (9.51, 47.14), (9.51, 47.11))
HOLES: Final = (((9.52, 47.112), (9.528, 47.112), (9.528, 47.117), (9.52, 47.112)),)
ISLAND: Final = ((9.56, 47.11), (9.57, 47.11), (9.57, 47.12), (9.56, 47.11))
POND: Final = (((9.565, 47.111), (9.569, 47.111), (9.569, 47.113), (9.565, 47.111)),)
HERE, ELSEWHERE = Point(9.521, 47.121), Point(9.522, 47.122)
HOURS: Final = {"Tue": [["08:30", "17:15"]]}
SUMMARY: Final = {
    "tag": Example("shop", "office"),
    "external_id": Example("s-1", "s-2"),
    "description": Example("A shop", "An office"),
}
_HERE_ON_THE_WIRE: Final = [HERE.longitude, HERE.latitude]


def _metadata(**values: str | float) -> Example:
    return Example(MappingProxyType(values), NO_METADATA, values)


_GEOFENCES: Final[Mapping[type, Mapping[str, Example]]] = {
    Geofence: {
        "id": Example(FENCE_ID, "1" * 24),
        "environment": Example(Environment.TEST, Environment.LIVE),
        "summary": Example(Part(GeofenceSummary)),
        "geometry": Example(Part(Circle)),
        "enabled": Example(False, True),
        "created_at": Example(at(1), at(2)),
        "updated_at": Example(at(3), at(4)),
        "rules": Example(Part(GeofenceRules)),
        "revision": Example(7),
    },
    GeofenceSummary: {
        "id": Example(FENCE_ID, "1" * 24),
        **SUMMARY,
        "metadata": _metadata(floor=2),
        "extent": Example(Extent(GeometryType.CIRCLE, HERE, 321.0)),
    },
    GeofenceRules: {
        "operating_hours": Example(parse_hours(HOURS), wire=HOURS),
        "stop_detection": Example(True),
        "disable_after": Example(at(5), wire=text_at(5)),
        "delete_after": Example(at(6), wire=text_at(6)),
        "user_ids": Example(("ada", "bob"), wire=["ada", "bob"]),
        "ip": Example(IpRanges(("10.1.0.0/16",)), wire="10.1.0.0/16"),
        "dwell_threshold_s": Example(420.0, wire=7),
        "trip_approaching_threshold_s": Example(540.0, wire=9),
    },
    Circle: {"center": Example(HERE, ELSEWHERE), "radius_m": Example(123.0, 456.0)},
    Polygon: {
        "ring": Example(RING, OTHER_RING),
        "holes": Example(HOLES),
        "others": Example((geometry.Part(ISLAND, POND),), (geometry.Part(ISLAND),)),
    },
    Isochrone: {
        "ring": Example(RING, OTHER_RING),
        "holes": Example((), fixed=True),
        "others": Example((), fixed=True),
        "center": Example(HERE, ELSEWHERE),
        "minutes": Example(11.0, 22.0),
        "mode": Example(TravelMode.BIKE, TravelMode.FOOT),
    },
    GeofenceChange: {
        "type": Example("circle"),
        "coordinates": Example((HERE.longitude, HERE.latitude), wire=_HERE_ON_THE_WIRE),
        "address": Example("Städtle 1, Vaduz"),
        "place_id": Example("n42"),
        "size": Example(123.0),
        "mode": Example("bike"),
        "metadata_items": Example({"floor": 2}, wire={"floor": 2}),
    },
}

_BEACONS: Final[Mapping[type, Mapping[str, Example]]] = {
    Beacon: {
        "environment": Example(Environment.TEST, Environment.LIVE),
        "summary": Example(Part(BeaconSummary)),
        "created_at": Example(at(11), at(12)),
        "updated_at": Example(at(13), at(14)),
    },
    BeaconSummary: {
        "id": Example(BEACON_ID, "2" * 24),
        "tag": Example("door", "gate"),
        "external_id": Example("d-1", "d-2"),
        "description": Example("A door", "A gate"),
        "signal": Example(Part(IBeacon)),
        "point": Example(HERE, ELSEWHERE),
        "enabled": Example(False),
        "metadata": _metadata(height=3),
    },
    IBeacon: {
        "uuid": Example("b9407f30-f5f8-466e-aff9-25556b57fe6d", "c9407f30-f5f8-466e-aff9-25556b57fe6d"),
        "major": Example(100, 101),
        "minor": Example(200, 201),
    },
    Eddystone: {
        "uid": Example("edd1ebeac04e5defa017", "fdd1ebeac04e5defa017"),
        "instance": Example("0bdb87539b67", "1bdb87539b67"),
    },
    BeaconChange: {
        "type": Example("ibeacon"),
        "geometry": Example(HERE, wire={"type": "Point", "coordinates": _HERE_ON_THE_WIRE}),
        "metadata_items": Example({"height": 3}, wire={"height": 3}),
    },
}

_OPTIONS: Final = {"preset": "efficient", "sync": "events"}
_SETTINGS: Final[Mapping[type, Mapping[str, Example]]] = {
    ProjectSettings: {
        "stop_detection": Example(True),
        "buffer_entries": Example(True),
        "buffer_exits": Example(True),
        "operating_hours_restriction": Example(True),
        "operating_hours_rule": Example(HoursRule.CALENDAR),
        "dwell_event": Example(True),
        "default_dwell_threshold_s": Example(660.0, wire=11),
        "minimum_confidence": Example(2),
        "regions": Example(True),
        "places": Example(True),
        "fraud": Example(True),
        "rate_limit": Example(False),
        "endpoint_rate_limits": Example(True),
        "kept_updates": Example(1234),
        "trusted_proxy_header": Example("X-Real-IP"),
        "jumped_speed_mps": Example(111.0),
        "inaccurate_accuracy_m": Example(222.0),
        "sharing_window_s": Example(780.0, wire=13),
        "proxy_addresses": Example(IpRanges(("10.2.0.0/16",)), wire="10.2.0.0/16"),
        "blocked": Example(("eve",), wire=["eve"]),
        "bypassed": Example(("dan",), wire=["dan"]),
        "segments": Example(
            Part(SegmentRule, several=True),
            wire=[
                {
                    "description": "Gold users",
                    "externalId": "gold",
                    "conditions": [{"field": "metadata.plan", "comparison": "equals", "value": "gold"}],
                }
            ],
        ),
        "chains": Example(
            Part(ChainSetting, several=True),
            wire=[{"slug": "denner", "externalId": "D-1", "metadata": {"tier": 2}, "domain": "denner.ch"}],
        ),
        "place_chains": Example(("migros",), wire=["migros"]),
        "place_categories": Example(("hotel-lodging",), wire=["hotel-lodging"]),
        "sdk_log_level": Example(SdkLogLevel.DEBUG, wire="debug"),
        "sdk_features": Example((SdkFeature.PERSISTENCE,), wire=["usePersistence"]),
        "tracking_options": Example(Part(TrackingOptions), wire=_OPTIONS),
        "on_trip_tracking_options": Example(Part(TrackingOptions), wire=_OPTIONS),
        "in_geofence_tracking_options": Example(Part(TrackingOptions), wire=_OPTIONS),
        "in_geofence_tracking_tags": Example(("kiosk",), wire=["kiosk"]),
        "trip_approaching_threshold_s": Example(840.0, wire=14),
        "trip_expiry_s": Example(900.0, wire=15),
        "rehearsed_error": Example(RehearsedError.UNAVAILABLE, wire="unavailable"),
        "hourly_limit": Example(1600),
        "daily_limit": Example(17000),
        "blocked_countries": Example(("CU",), wire="CU"),
        "allow_private_urls": Example(True),
    },
    SegmentRule: {
        "description": Example("Gold users", "Other users"),
        "external_id": Example("gold", "others"),
        "conditions": Example(Part(Condition, several=True)),
    },
    Condition: {
        "field": Example("metadata.plan", "metadata.level"),
        "comparison": Example(Comparison.EQUALS, Comparison.CONTAINS),
        "value": Example("gold", "silver"),
    },
    ChainSetting: {
        "slug": Example("denner", "migros"),
        "external_id": Example("D-1"),
        "metadata": _metadata(tier=2),
        "domain": Example("denner.ch"),
    },
    TrackingOptions: {
        "preset": Example(TrackingPreset.EFFICIENT),
        "changes": Example(MappingProxyType({"sync": "events"}), MappingProxyType({})),
    },
}

_TRIPS: Final[Mapping[type, Mapping[str, Example]]] = {
    Trip: {
        "id": Example(TRIP_ID, "3" * 24),
        "environment": Example(Environment.TEST, Environment.LIVE),
        "external_id": Example("t-1", "t-2"),
        "status": Example(TripStatus.ARRIVED, TripStatus.PENDING, "arrived"),
        "created_at": Example(at(21), at(22)),
        "updated_at": Example(at(23), at(24)),
        "seen_at": Example(at(25), at(26)),
        "user_id": Example("ada"),
        "device_id": Example("phone"),
        "user": Example(USER_ID),
        "mode": Example(TravelMode.BIKE, wire="bike"),
        "destination": Example(Part(Destination), wire={"coordinates": _HERE_ON_THE_WIRE}),
        "legs": Example(Part(TripLeg, several=True)),
        "approaching_threshold_s": Example(960.0, wire=16),
        "scheduled_arrival_at": Example(at(27), wire=text_at(27)),
        "metadata": _metadata(parcel=5),
        "eta": Example(Part(Eta)),
        "arrival": Example(Part(Arrival)),
        "told_s": Example(1080.0),
        "begun_at": Example(at(28)),
        "started_at": Example(at(29)),
        "approaching_at": Example(at(30)),
        "arrived_at": Example(at(31)),
        "ended_at": Example(at(32)),
    },
    TripLeg: {
        "id": Example(LEG_ID, "4" * 24),
        "status": Example(TripStatus.STARTED, TripStatus.PENDING),
        "destination": Example(Part(Destination)),
        "created_at": Example(at(33), at(34)),
        "updated_at": Example(at(35), at(36)),
        "stop_s": Example(1140.0, wire=19),
        "metadata": _metadata(floor=6),
        "eta": Example(Part(Eta)),
    },
    Destination: {
        "point": Example(HERE, ELSEWHERE, _HERE_ON_THE_WIRE),
        "geofence_id": Example(FENCE_ID),
        "tag": Example("shop", "office"),
        "external_id": Example("s-1", "s-2"),
        "address": Example("Städtle 2, Vaduz"),
        "arrival_radius_m": Example(234.0),
    },
    Eta: {
        "distance_m": Example(5678.0, 6789.0),
        "duration_s": Example(1080.0, 1140.0),
        "is_routed": Example(True, False),
    },
    Arrival: {"for_engine": Example(at(37), at(38)), "for_device": Example(at(39), at(40)), "after_s": Example(120.0)},
}

_ON_EVENTS: Final = {
    "id": Example(USER_ID, "6" * 24),
    "device_id": Example("phone", "tablet"),
    "user_id": Example("ada", None),
    "metadata": _metadata(plan="gold"),
    "regions": Example(Part(Regions), NO_REGIONS),
    "segments": Example(Part(SegmentSummary, several=True)),
    "top_chains": Example(Part(ChainSummary, several=True)),
}
_USERS: Final[Mapping[type, Mapping[str, Example]]] = {
    UserSummary: _ON_EVENTS,
    User: {
        **_ON_EVENTS,
        "environment": Example(Environment.TEST, Environment.LIVE),
        "description": Example("Ada on the road", None),
        "fix": Example(Part(Fix)),
        "device": Example(Part(Device), UNKNOWN_DEVICE),
        "ip": Example("127.0.0.1", None),
        "created_at": Example(at(41), at(42)),
        "updated_at": Example(at(43), at(44), text_at(43)),
        "geofences": Example(Part(GeofenceSummary, several=True, apart=True)),
        "fraud": Example(Part(Fraud)),
        "place_state": Example(Part(PlaceState), NOWHERE),
        "place": Example(Part(Place)),
        "trip": Example(Part(Trip, apart=True)),
        "actual_updated_at": Example(at(45)),
        "nearby_chains": Example(Part(Chain, several=True)),
        "beacons": Example(Part(BeaconSummary, several=True, apart=True)),
        "newest_at": Example(at(46)),
        "in_order": Example(Part(InOrder)),
        "user_tags": Example(("vip", "beta")),
        "install_id": Example("install-1"),
    },
    LocationUpdate: {
        "device_id": Example("phone"),
        "point": Example(HERE, wire={"latitude": HERE.latitude, "longitude": HERE.longitude}),
        "accuracy_m": Example(12.0, wire={"accuracy": 12.0}),
        "user_id": Example("ada"),
        "at": Example(at(43), wire={"updatedAt": text_at(43)}),
        "age_s": Example(2.0, wire={"updatedAtMsDiff": 2000}),
        "foreground": Example(True),
        "stopped": Example(True),
        "device": Example(
            Device(DeviceType.ANDROID, "15", "Fairphone", "FP5"),
            wire={"deviceType": "Android", "deviceOS": "15", "deviceMake": "Fairphone", "deviceModel": "FP5"},
        ),
        "altitude_m": Example(455.0),
        "vertical_accuracy_m": Example(4.0),
        "description": Example("Ada on the road"),
        "metadata": _metadata(plan="gold"),
        "user_tags": Example(("vip", "beta"), wire=["vip", "beta"]),
        "install_id": Example("install-1"),
        "replayed": Example(True),
        "ip": Example("127.0.0.1"),
        "mocked": Example(True),
        "compromised": Example(True),
        "beacons": Example((ReportedBeacon(id=BEACON_ID),), wire=[{"_id": BEACON_ID}]),
        "explain": Example(True),
        "anonymous": Example(
            Anonymous((FENCE_ID,), "n42", ("country-US",)),
            wire={"anonymous": True, "geofenceIds": [FENCE_ID], "placeId": "n42", "regionIds": ["country-US"]},
        ),
        "trip": Example(TripChange(external_id="t-4"), wire={"tripOptions": {"externalId": "t-4"}}),
        "source": Example("GEOFENCE_EXIT"),
        "once": Example(True),
        "awaits_route": Example(True),
    },
    Fix: {
        "point": Example(HERE, ELSEWHERE),
        "accuracy_m": Example(12.0, 13.0),
        "at": Example(at(43), at(44)),
        "foreground": Example(True),
        "stopped": Example(True),
        "altitude_m": Example(455.0),
        "vertical_accuracy_m": Example(4.0),
        "source": Example("GEOFENCE_EXIT"),
        "late_after": Example(at(47)),
    },
    Device: {
        "type": Example(DeviceType.ANDROID, wire="Android"),
        "os": Example("15"),
        "make": Example("Fairphone"),
        "model": Example("FP5"),
    },
    Fraud: {
        "failed": Example(frozenset({FraudCheck.MOCKED})),
        "last": Example(((FraudCheck.MOCKED, at(48)),)),
        "blocked": Example(True),
        "bypassed": Example(True),
    },
    SegmentSummary: {"description": Example("Gold users", "Others"), "external_id": Example("gold", "others")},
    ChainSummary: {
        "name": Example("Denner", "Migros"),
        "slug": Example("denner", "migros"),
        "external_id": Example("D-1"),
        "metadata": _metadata(tier=2),
        "domain": Example("denner.ch"),
    },
    PlaceState: {
        "stay": Example(Part(PlaceStay)),
        "regions": Example(Part(Regions), NO_REGIONS),
        "visits": Example(Part(ChainVisits, several=True)),
        "settings": Example(9),
        "near_chains": Example(("denner",)),
    },
    PlaceStay: {"place": Example(Part(Place)), "entered_at": Example(at(49), at(50))},
    Place: {
        "id": Example("n42", "n43"),
        "name": Example("Denner Vaduz", "Denner Schaan"),
        "point": Example(HERE, ELSEWHERE),
        "chain": Example(Part(Chain)),
        "categories": Example(("shopping-retail", "supermarket")),
        "outline": Example(b"outline"),
        "country_code": Example("LI"),
    },
    Chain: {
        "name": Example("Denner", "Migros"),
        "slug": Example("denner", "migros"),
        "external_id": Example("D-1"),
        "metadata": _metadata(tier=2),
        "domain": Example("denner.ch"),
    },
    ChainVisits: {"slug": Example("denner", "migros"), "name": Example("Denner", "Migros"), "count": Example(3, 4)},
    Regions: {
        "country": Example(Region(RegionType.COUNTRY, "US", "United States")),
        "state": Example(Region(RegionType.STATE, "NY", "New York")),
        "dma": Example(Region(RegionType.DMA, "501", "New York")),
        "postal_code": Example(Region(RegionType.POSTAL_CODE, "10001", "10001")),
    },
    InOrder: {
        "presences": Example({FENCE_ID: Presence(FENCE_ID, at(51), dwelled=True)}, {}),
        "fix": Example(Fix(HERE, 12.0, at(52)), Fix(ELSEWHERE, 12.0, at(52))),
        "received_at": Example(at(53), at(54)),
        "stay": Example(Part(PlaceStay)),
        "beacons": Example({BEACON_ID: at(55)}, {}),
    },
}

EXAMPLES: Final[Mapping[type, Mapping[str, Example]]] = {**_GEOFENCES, **_BEACONS, **_SETTINGS, **_TRIPS, **_USERS}
"""Examples by class and field."""


def example(record: type, name: str) -> Example:
    """Return the example of a field, and fail with the field's name if it has no example."""
    found = EXAMPLES[record].get(name)
    assert found is not None, f"Give an example of {name} of {record.__name__} in {__name__}."
    return found


def whole(record: type, **chosen: Any) -> Any:
    """Return a record with all fields set to their examples, except the `chosen` ones."""
    return record(**{each.name: chosen.get(each.name, _value(record, each.name)) for each in fields(record)})


def _value(record: type, name: str) -> Any:
    value = example(record, name).value
    if not isinstance(value, Part):
        return value
    return (whole(value.of),) if value.several else whole(value.of)


def other(record: type, name: str) -> Any:
    """Return the value of a field in a record that differs from the example."""
    given = example(record, name).other
    if given is not NOTHING:
        return given
    field = next(each for each in fields(record) if each.name == name)
    assert field.default is not NODEFAULT, f"Give a second example of {name} of {record.__name__} in {__name__}."
    return field.default


def wire(example: Example) -> Any:
    """Return an example in the notation of requests."""
    return example.value if example.wire is NOTHING else example.wire
