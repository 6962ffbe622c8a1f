"""Beacons: requests, search, detection by devices, and responses."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.common.answers import (
    AnswerModel,
    Id,
    LongitudeLatitude,
    Meta,
    Metadata,
    PageAnswerModel,
    Record,
    Time,
    one_of,
)
from app.api.wire.common.encoding import PointAnswer, encode_point, encode_time
from app.api.wire.common.fields import (
    JSON_TEXT,
    METADATA_FILTER,
    GeofenceMetadata,
    Identifier,
    MetadataFilter,
    Name,
    Text,
    read_coordinates_of_point,
    read_geojson_point,
    read_json_text,
    read_tags,
    refusal,
    unset_when_null,
)
from app.api.wire.common.requests import FewLimit, LatitudeLongitude, RecordListQuery, RequestModel
from app.api.wire.common.shapes import GeoJsonPoint
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.text import MAX_IDENTIFIER
from engine.domain.tracking.beacon import (
    MAX_NUMBER,
    Beacon,
    BeaconSummary,
    BeaconType,
    Eddystone,
    IBeacon,
    ReportedBeacon,
    Signal,
    check_instance,
    check_number,
    check_uid,
    check_uuid,
)

MAX_DETECTED_BEACONS: Final = 1_000
MAX_BEACON_RADIUS_M: Final = 10_000


def read_number(value: object) -> int | str:
    """Return a major or minor as it was given; the engine validates it."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise refusal(f"must be a whole number within [0, {MAX_NUMBER}]")
    return value


type _Whole = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
type _Digits = Annotated[str, Field(pattern=r"^\s*[0-9]{1,5}\s*$")]
type Number = Annotated[int | str, PlainValidator(read_number, json_schema_input_type=_Whole | _Digits)]
type PointBody = Annotated[Point, PlainValidator(read_geojson_point, json_schema_input_type=GeoJsonPoint), JSON_TEXT]
type PointCoordinates = Annotated[
    Point, PlainValidator(read_coordinates_of_point, json_schema_input_type=LongitudeLatitude), JSON_TEXT
]


class BeaconUpsert(RequestModel):
    """The fields to set on a beacon: present fields change, absent ones stay.

    A new beacon needs `description`, `type`, `coordinates` or `geometry`, and its IDs: `uuid`, `major` and
    `minor` of an iBeacon, `uid` and `instance` of an Eddystone.
    """

    description: Name | None = None
    type: Literal["ibeacon", "eddystone"] | None = None
    tag: Identifier | None = None
    external_id: Identifier | None = None
    uuid: Text | None = Field(None, description="iBeacon: 32 hexadecimal digits, with or without dashes.")
    major: Number | None = Field(None, description="iBeacon: 0 to 65535, as a number or string.")
    minor: Number | None = Field(None, description="iBeacon: 0 to 65535, as a number or string.")
    uid: Text | None = Field(None, description="Eddystone namespace: 20 hexadecimal digits.")
    instance: Text | None = Field(None, description="Eddystone: 12 hexadecimal digits.")
    coordinates: PointCoordinates | None = Field(None, description="The position of the beacon, [longitude, latitude].")
    geometry: PointBody | None = Field(None, description="The same as a GeoJSON Point, as in responses.")
    enabled: bool | None = Field(None, description="Defaults to true. A disabled beacon generates no events.")
    metadata: GeofenceMetadata | None = Field(None, description="Replaces the metadata; at most 16 keys.")

    @property
    def position(self) -> Point | None:
        """The position, which is given in one of two ways. Raises `InvalidParameter` if they differ."""
        if self.coordinates is not None and self.geometry not in (None, self.coordinates):
            raise InvalidParameter("coordinates", "coordinates: differs from geometry; give only one of them.")
        return self.geometry if self.coordinates is None else self.coordinates


class BeaconCreate(BeaconUpsert):
    """A new beacon; it needs `coordinates` or `geometry`, and `uuid`, `major` and `minor`, or `uid` and `instance`."""

    description: Name = Field()
    type: Literal["ibeacon", "eddystone"] = Field()
    tag: Identifier = Field()
    external_id: Identifier = Field()


class BeaconListQuery(RecordListQuery):
    """Query of beacons, newest update first."""


type _BeaconRadius = Annotated[float, Field(ge=1, le=MAX_BEACON_RADIUS_M)]


class BeaconSearchQuery(RequestModel):
    """Search of beacons, nearest first."""

    near: LatitudeLongitude = Field(description="latitude,longitude")
    radius: Annotated[_BeaconRadius | None, BeforeValidator(unset_when_null, json_schema_input_type=_BeaconRadius)] = (
        Field(None, description="Metres from `near`; defaults to 1000.")
    )
    limit: FewLimit = 10
    tags: Annotated[frozenset[str] | None, BeforeValidator(read_tags, json_schema_input_type=str)] = Field(
        None, description="Comma-separated."
    )
    metadata: MetadataFilter | None = Field(None, description=METADATA_FILTER)


def read_detected_beacons(value: object) -> tuple[ReportedBeacon, ...] | None:
    """Return the beacons that a device hears, or None if a form leaves the field empty.

    An item that identifies no beacon has no effect: a device hears all beacons around it, and its location counts all
    the same.
    """
    value = read_json_text(None if value in ("", "null") else value)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise refusal("must be a list of dictionaries, one for each beacon the device hears")
    if len(value) > MAX_DETECTED_BEACONS:
        raise refusal(f"must have at most {MAX_DETECTED_BEACONS:,} beacons, not {len(value):,}")
    return tuple(map(_read_detected_beacon, value))


def _read_detected_beacon(item: Mapping[str, Any]) -> ReportedBeacon:
    known = item.get("_id")
    # Nothing else can be the ID of a beacon, and half of a surrogate pair could not be stored with the update.
    is_id = isinstance(known, str) and known.isascii() and len(known) <= MAX_IDENTIFIER
    return ReportedBeacon(_signal(item), known if is_id else None)


def _signal(item: Mapping[str, Any]) -> Signal | None:
    """Return the signal that a device heard, or None if it is incomplete; older SDKs do not send the type."""
    kind = item.get("type") or (BeaconType.EDDYSTONE if "uid" in item else BeaconType.IBEACON)
    try:
        if kind == BeaconType.EDDYSTONE:
            return Eddystone(check_uid(_text(item, "uid")), check_instance(_text(item, "instance")))
        uuid = check_uuid(_text(item, "uuid"))
        return IBeacon(uuid, check_number(item.get("major", ""), "major"), check_number(item.get("minor", ""), "minor"))
    except InvalidParameter:
        return None


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


class DetectedBeaconBody(TypedDict, total=False):
    """A beacon as SDKs report it; unknown beacons are ignored."""

    _id: str
    type: str
    uuid: str
    major: str | int
    minor: str | int
    uid: str
    instance: str
    rssi: float


type DetectedBeacons = Annotated[
    tuple[ReportedBeacon, ...] | None,
    PlainValidator(
        read_detected_beacons,
        json_schema_input_type=Annotated[list[DetectedBeaconBody], Field(max_length=MAX_DETECTED_BEACONS)],
    ),
    JSON_TEXT,
]


class BeaconSignalAnswer(Record):
    """Identifiers that a beacon sends, by its type."""

    type: Annotated[str, one_of(*BeaconType)]
    uuid: NotRequired[Annotated[str, Field(description="iBeacons only, like major and minor.")]]
    major: NotRequired[Annotated[str, Field(pattern=r"^\d{1,5}$")]]
    minor: NotRequired[Annotated[str, Field(pattern=r"^\d{1,5}$")]]
    uid: NotRequired[Annotated[str, Field(description="Eddystone beacons only, like instance.")]]
    instance: NotRequired[str]


class BeaconSummaryAnswer(BeaconSignalAnswer):
    """Summary of a beacon in users and events."""

    _id: Id
    tag: str
    externalId: str
    description: str
    enabled: bool
    metadata: Metadata
    geometry: PointAnswer


class BeaconRecord(BeaconSummaryAnswer):
    """A beacon as stored."""

    createdAt: Time
    updatedAt: Time
    live: bool


class BeaconAnswer(AnswerModel):
    """One beacon."""

    beacon: BeaconRecord


class BeaconListAnswer(PageAnswerModel):
    """Beacons, newest update first."""

    beacons: list[BeaconRecord]


class ScannedAnswer(Record):
    """Identifiers that an SDK scans for."""

    uuids: list[str]
    uids: list[str]


class BeaconSettingsAnswer(Record):
    """SDK settings about beacons."""

    beacons: ScannedAnswer


class BeaconSearchMeta(Meta):
    """Metadata of a beacon search."""

    settings: Annotated[BeaconSettingsAnswer, Field(description="The distinct UUIDs and UIDs of the beacons found.")]


class BeaconSearchAnswer(Record):
    """Enabled beacons, nearest first."""

    meta: BeaconSearchMeta
    beacons: list[BeaconRecord]


def encode_beacon_summary(beacon: BeaconSummary) -> BeaconSummaryAnswer:
    """Return the summary of a beacon for users and events."""
    return {
        **_encode_signal(beacon.signal),
        "_id": beacon.id,
        "tag": beacon.tag,
        "externalId": beacon.external_id,
        "description": beacon.description,
        "enabled": beacon.enabled,
        "metadata": dict(beacon.metadata),
        "geometry": encode_point(beacon.point),
    }


def encode_beacon(beacon: Beacon) -> BeaconRecord:
    """Return a beacon."""
    return {
        **encode_beacon_summary(beacon.summary),
        "createdAt": encode_time(beacon.created_at),
        "updatedAt": encode_time(beacon.updated_at),
        "live": beacon.environment.live,
    }


def encode_found_beacons(beacons: list[Beacon]) -> BeaconSearchAnswer:
    """Return the beacons that a search found, with the identifiers for an SDK to scan for."""
    signals = [beacon.signal for beacon in beacons]
    uuids = dict.fromkeys(signal.uuid for signal in signals if isinstance(signal, IBeacon))
    uids = dict.fromkeys(signal.uid for signal in signals if isinstance(signal, Eddystone))
    settings: BeaconSettingsAnswer = {"beacons": {"uuids": list(uuids), "uids": list(uids)}}
    return {"meta": {"code": 200, "settings": settings}, "beacons": [encode_beacon(beacon) for beacon in beacons]}


def _encode_signal(signal: Signal) -> BeaconSignalAnswer:
    if isinstance(signal, IBeacon):
        # SDKs only read these as strings.
        major, minor = str(signal.major), str(signal.minor)
        return {"type": signal.type, "uuid": signal.uuid, "major": major, "minor": minor}
    return {"type": signal.type, "uid": signal.uid, "instance": signal.instance}
