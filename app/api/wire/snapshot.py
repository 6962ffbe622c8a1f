"""Snapshots and seeds: the file that holds a workspace, and that can fill a new one.

Its records are written as in responses of ``/v1``, so that they can be copied from there. A geofence may also be
written as in a create request, which is shorter. Snapshots use this form.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from app.api.wire.beacon import BeaconCreate, encode_beacon
from app.api.wire.clock import ClockRecord, encode_clock
from app.api.wire.common.answers import AnswerModel, Record
from app.api.wire.common.encoding import Encoded, encode_coordinates, encode_time
from app.api.wire.common.fields import (
    Description,
    Identifier,
    InstallId,
    Moment,
    Text,
    UserMetadata,
    UserTags,
    read_geojson_point,
    read_position,
)
from app.api.wire.common.requests import RequestModel
from app.api.wire.common.shapes import GeometryBody, Position, Ring, Rings, ShapeCoordinates
from app.api.wire.geofence import GeofenceCreate, encode_geofence
from app.api.wire.settings.record import encode_settings
from app.api.wire.trips.seed import Given, RecordId, encode_trip_seed
from app.api.wire.user import encode_user
from app.api.wire.webhook import WebhookCreate
from engine.domain.clock import MAX_SCALE
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone, Point
from engine.domain.ports import Progress, no_progress, reporting
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.tracking.explaining import Cleared
from engine.domain.tracking.snapshots import Contents, KeptUser, Snapshot
from engine.domain.tracking.updates import Presence

VERSION: Final = 2
"""The version of the file format."""

WITHOUT_HOURS_RULE: Final = 1
"""The version from before the rule of operating hours could be chosen; its hours are those of the calendar rule."""

_DERIVED: Final = ("geometry", "fullGeometry", "geometryCenter", "geometryRadius")
"""Fields of a returned geofence that are derived from its centre, radius or ring."""

_OF_WORKSPACE: Final = ("_id", "live", "createdAt", "updatedAt")
"""Fields of a record that only its own workspace assigns."""

_FOUND: Final = (
    *("geofences", "beacons", "personalData", "fraud", "segments", "topChains", "nearbyPlaceChains", "place", "trip"),
    *("actualUpdatedAt", "source"),
)
_REGIONS: Final = ("country", "state", "dma", "postalCode")
"""Fields of a returned user that follow from others, or that the next update finds again."""


class SeedModel(RequestModel):
    """Base of the file's records, which refuses misspelled fields instead of dropping them."""

    model_config = ConfigDict(extra="forbid")


class SeedPoint(SeedModel):
    """A GeoJSON Point."""

    type: Literal["Point"]
    coordinates: Annotated[Position, BeforeValidator(read_position)]


def _point_of(body: SeedPoint) -> Point:
    return read_geojson_point({"type": body.type, "coordinates": list(body.coordinates)})


type SeedPosition = Annotated[SeedPoint, AfterValidator(_point_of)]


class SeedGeofence(GeofenceCreate):
    """A geofence, as in a create request or as in a response."""

    model_config = ConfigDict(extra="forbid")

    id: RecordId | None = Field(None, alias="_id")
    live: bool | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    full_geometry: GeometryBody | None = None
    geometry_center: SeedPoint | None = None
    geometry_radius: float | None = None

    reads_returned_geometry = True

    def given_coordinates(self) -> ShapeCoordinates | None:
        """Return the coordinates as in a create request, or else those of a returned geofence."""
        if self.coordinates is not None or self.address is not None or self.place_id is not None:
            return self.coordinates
        if self.type != "polygon" and self.geometry_center is not None:
            return self.geometry_center.coordinates
        if self.full_geometry is None:
            return super().given_coordinates()
        return self.coordinates_of(self.full_geometry, "fullGeometry")

    def given_outline(self) -> Ring | None:
        """Return the ring of an isochrone, for which no router is needed, or None; raises `InvalidParameter`."""
        if self.type != "isochrone" or self.geometry is None or self.geometry.type == "Point":
            return None
        rings = self.geometry.coordinates
        if self.geometry.type != "Polygon" or len(rings) != 1:
            raise InvalidParameter("geometry", "geometry: must be a Polygon with one ring for an isochrone.")
        return cast(Rings, rings)[0]


class SeedBeacon(BeaconCreate):
    """A beacon, as in a create request or as in a response."""

    model_config = ConfigDict(extra="forbid")

    id: RecordId | None = Field(None, alias="_id")
    live: bool | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    geometry: SeedPosition | None = None  # type: ignore[assignment]


class SeedStay(SeedModel):
    """A geofence that a user is in."""

    id: Given = Field(None, alias="_id")
    tag: Identifier
    external_id: Identifier
    description: Given = None
    metadata: Given = None
    type: Given = None
    geometry_center: Given = None
    geometry_radius: Given = None
    entered_at: Moment | None = None
    dwelled: bool | None = None


class SeedUser(SeedModel):
    """A user with their last location."""

    id: RecordId | None = Field(None, alias="_id")
    live: bool | None = None
    device_id: Identifier
    user_id: Identifier | None = None
    description: Description | None = None
    metadata: UserMetadata | None = None
    location: SeedPoint
    location_accuracy: Annotated[float, Field(gt=0)]
    altitude: float | None = None
    vertical_accuracy: float | None = None
    foreground: bool | None = None
    stopped: bool | None = None
    device_type: Literal["iOS", "Android", "Web"] | None = None
    device_os: Description | None = Field(None, alias="deviceOS")
    device_make: Description | None = None
    device_model: Description | None = None
    ip: Text | None = None
    user_tags: UserTags | None = None
    install_id: InstallId = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    geofences: list[Any] | None = None
    personal_data: Given = None
    fraud: Given = None
    segments: Given = None
    top_chains: Given = None
    place: Given = None
    nearby_place_chains: Given = None
    actual_updated_at: Given = None
    source: Given = None
    trip: Given = None
    beacons: Given = None
    country: Given = None
    state: Given = None
    dma: Given = None
    postal_code: Given = None


class SeedWebhook(WebhookCreate):
    """A webhook, as in a create request or as in a response."""

    model_config = ConfigDict(extra="forbid")

    id: RecordId | None = Field(None, alias="_id")
    live: bool | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None
    queued: Given = None
    failed: Given = None


class SeedClock(SeedModel):
    """The Test clock, as in a response; missing fields are as on a clock that was just set."""

    now: Moment | None = None
    system: bool | None = None
    frozen: bool | None = None
    scale: Annotated[float, Field(ge=0, le=MAX_SCALE)] | None = None


class SeedKeys(SeedModel):
    """Keys of Test, for tests that contain fixed keys."""

    publishable: Text | None = None
    secret: Text | None = None


class CountsRecord(Record):
    """Numbers of records."""

    geofences: Annotated[int, Field(ge=0)]
    users: Annotated[int, Field(ge=0)]
    beacons: Annotated[int, Field(ge=0)]
    trips: Annotated[int, Field(ge=0)]


class ResetAnswer(AnswerModel):
    """The contents of Test after the reset."""

    counts: CountsRecord
    clock: ClockRecord


class SnapshotRecord(Record):
    """A workspace as a file."""

    version: Literal[2]
    settings: dict[str, dict[str, Any]]
    geofences: list[dict[str, Any]]
    users: list[dict[str, Any]]
    beacons: NotRequired[list[dict[str, Any]]]
    trips: NotRequired[list[dict[str, Any]]]
    clock: NotRequired[dict[str, Any]]


def encode_counts(contents: Contents) -> CountsRecord:
    """Return the number of records of each kind in an environment."""
    return {
        "geofences": len(contents.geofences),
        "users": len(contents.users),
        "beacons": len(contents.beacons),
        "trips": len(contents.trips),
    }


def encode_snapshot(snapshot: Snapshot, report: Progress = no_progress) -> SnapshotRecord:
    """Return a snapshot, Test before Live, without default values; `report` may raise `Cancelled`."""
    contents = [snapshot.contents[environment] for environment in Environment]
    encoded: SnapshotRecord = {
        "version": VERSION,
        "settings": {
            environment.value: changed
            for environment in Environment
            if (changed := changed_settings(snapshot.contents[environment].settings))
        },
        "geofences": [
            encode_seed_geofence(geofence) for each in contents for geofence in reporting(each.geofences, report)
        ],
        "users": [record for each in contents for record in _encode_users(each)],
    }
    if beacons := [_sparse({**encode_beacon(beacon)}) for each in contents for beacon in each.beacons]:
        encoded["beacons"] = beacons
    if trips := [record for each in contents for record in _encode_trips(each)]:
        encoded["trips"] = trips
    if not snapshot.clock.system:
        encoded["clock"] = _without(encode_clock(snapshot.clock), "system")
    return encoded


def changed_settings(settings: ProjectSettings) -> dict[str, Any]:
    """Return the settings that differ from their defaults."""
    defaults: Mapping[str, Any] = encode_settings(DEFAULT_SETTINGS)
    encoded: Mapping[str, Any] = encode_settings(settings)
    return {name: value for name, value in encoded.items() if name not in defaults or defaults[name] != value}


def encode_seed_geofence(geofence: Geofence) -> dict[str, Any]:
    """Return a geofence as in a create request, without default values."""
    answered: Mapping[str, Any] = encode_geofence(geofence)
    geometry = geofence.geometry
    location: dict[str, Any]
    if isinstance(geometry, Circle):
        center = geometry.center
        location = {"coordinates": (center.longitude, center.latitude), "radius": geometry.radius_m}
    elif isinstance(geometry, Isochrone):
        center = geometry.center
        location = {"coordinates": (center.longitude, center.latitude), "radius": geometry.minutes}
        location |= {"geometry": answered["geometry"]}
    else:
        location = {"coordinates": encode_coordinates(geometry)}
    return _sparse(_without(answered, *_DERIVED) | location)


def encode_geofence_elsewhere(geofence: Geofence) -> dict[str, Any]:
    """Return a geofence as in a create request for another workspace; an isochrone becomes its computed polygon."""
    encoded = _without(encode_seed_geofence(geofence), *_OF_WORKSPACE)
    if isinstance(geofence.geometry, Isochrone):
        encoded = _without(encoded, "geometry", "radius", "mode")
        encoded |= {"type": "polygon", "coordinates": tuple(geofence.geometry.ring)}
    return encoded


def _encode_users(contents: Contents) -> list[dict[str, Any]]:
    geofences = {geofence.id: geofence for geofence in contents.geofences}
    return [_encode_user(kept, geofences) for kept in contents.users]


def _encode_trips(contents: Contents) -> list[dict[str, Any]]:
    geofences = {geofence.id for geofence in contents.geofences}
    return [encode_trip_seed(trip, geofences) for trip in contents.trips]


def _encode_user(kept: KeptUser, geofences: Mapping[str, Geofence]) -> dict[str, Any]:
    encoded = _without(encode_user(kept.user), *_FOUND, *_REGIONS)
    if kept.stays:
        encoded["geofences"] = [_encode_stay(geofences[stay.geofence_id], stay) for stay in kept.stays]
    return _sparse(encoded)


def _encode_stay(geofence: Geofence, stay: Presence) -> dict[str, Any]:
    dwelled = {"dwelled": True} if stay.dwelled else {}
    return {
        "tag": geofence.tag,
        "externalId": geofence.external_id,
        "enteredAt": encode_time(stay.entered_at),
        **dwelled,
    }


def _without(encoded: Encoded, *names: str) -> dict[str, Any]:
    return {name: value for name, value in encoded.items() if name not in names}


_USUAL: Final[Mapping[str, object]] = {
    "live": False,
    "enabled": True,
    "metadata": {},
    "foreground": False,
    "stopped": False,
}


def _sparse(encoded: dict[str, Any]) -> dict[str, Any]:
    """Return a record without fields that have their default value."""
    return {name: value for name, value in encoded.items() if name not in _USUAL or value != _USUAL[name]}


def encode_cleared(cleared: Cleared) -> Encoded:
    """Return how many records were removed."""
    return {
        "users": cleared.users,
        "events": cleared.events,
        "updates": cleared.updates,
        "trips": cleared.trips,
        "geofences": cleared.geofences,
        "beacons": cleared.beacons,
    }
