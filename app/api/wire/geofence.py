"""Geofences: requests and responses."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, NotRequired, Self, cast

from pydantic import BeforeValidator, Field, ModelWrapValidatorHandler, PrivateAttr, model_validator

from app.api.wire.common.answers import AnswerModel, Id, Metadata, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import (
    HoledPolygonAnswer,
    MultiPolygonAnswer,
    PointAnswer,
    PolygonAnswer,
    encode_coordinates,
    encode_parts,
    encode_point,
    encode_polygon,
    encode_time,
    set_minutes,
    wire_name,
)
from app.api.wire.common.fields import (
    METADATA_FILTER,
    NOTHING,
    GeofenceMetadata,
    Hours,
    Identifier,
    Identifiers,
    MetadataFilter,
    Moment,
    Name,
    Ranges,
    Text,
    read_tags,
)
from app.api.wire.common.requests import LatitudeLongitude, Limit, Radius, RecordListQuery, RequestModel, Switch
from app.api.wire.common.shapes import Coordinates, GeometryBody, GivenGeometry, ShapeCoordinates
from engine.domain.errors import InvalidParameter
from engine.domain.fields.geofence import RULES
from engine.domain.fields.rows import ValueKind
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, GeometryType, Isochrone, Polygon
from engine.domain.hours import spell_hours
from engine.domain.queries import DEFAULT_LIMIT
from engine.domain.travel import TravelMode
from engine.geo.earth import circle_ring
from engine.geo.shapes import Shape, shape_of

EMPTY: tuple[object, ...] = (None, "", [], {})
_EMPTY_OF: Final[Mapping[ValueKind, tuple[object, ...]]] = {
    ValueKind.HOURS: ({},),
    ValueKind.IDS: ([],),
    ValueKind.RANGES: ([],),
}
"""Values that reset a field in the same way as an empty text."""


class GeofenceUpsert(RequestModel):
    """The fields to set on a geofence: present fields change, absent ones stay.

    A new geofence needs `description`, `type` and one of `coordinates`, `geometry`, `address` and `placeId`; a circle
    also needs `radius`, an isochrone `radius` and `mode`. For `operatingHours` and the fields after it, an empty text,
    list or dictionary removes the value.
    """

    resettable: ClassVar[Mapping[str, tuple[object, ...]]] = {
        **{wire_name(row.name): ("", *_EMPTY_OF.get(row.kind, ())) for row in RULES},
        "userId": ("",),
    }

    description: Name | None = None
    type: Literal["circle", "polygon", "isochrone"] | None = None
    tag: Identifier | None = None
    external_id: Identifier | None = None
    coordinates: Coordinates | None = Field(
        None,
        description=(
            "[longitude, latitude] of the centre or destination, or a polygon's closed ring. Beyond the platform: also "
            "the coordinates of a GeoJSON Polygon or MultiPolygon."
        ),
    )
    geometry: GeometryBody | None = Field(
        None,
        description=(
            "Beyond the platform: a GeoJSON Point, Polygon or MultiPolygon in place of `coordinates`. Ignored beside "
            "`geometryCenter`, so that a geofence can be sent back as it was returned."
        ),
    )
    address: Text | None = Field(
        None,
        description=(
            "Geocoded to the centre or destination. Must be within 1 km of `coordinates`, which take precedence. "
            "Ignored for polygons."
        ),
    )
    place_id: Text | None = Field(
        None,
        description=(
            "The _id of a place. Its outline, or a circle around it, becomes the geometry and takes precedence over "
            "other fields. An unknown place is ignored if coordinates or an address are given."
        ),
    )
    radius: float | None = Field(
        None,
        description=(
            "For a circle, metres from 10 to 10000; for an isochrone, minutes of travel up to 120. Ignored for "
            "polygons."
        ),
    )
    mode: Literal["car", "truck", "foot", "bike", "motorbike"] | None = Field(
        None, description="Travel mode of an isochrone; ignored for other types."
    )
    enabled: bool | None = Field(None, description="Defaults to true. A disabled geofence generates no events.")
    metadata: GeofenceMetadata | None = Field(None, description="Replaces the metadata; at most 16 keys.")

    operating_hours: Annotated[Hours, NOTHING] | None = Field(
        None,
        description="Lists of [open, close] by day, in the local time of the geofence. Days without one are closed.",
    )
    stop_detection: Annotated[bool, NOTHING] | None = Field(None, description="Overrides the project's setting.")
    disable_after: Annotated[Moment, NOTHING] | None = None
    delete_after: Annotated[Moment, NOTHING] | None = None
    user_ids: Identifiers | None = Field(None, description="Generates events only for these users.")
    user_id: Annotated[Identifier, NOTHING] | None = Field(
        None, json_schema_extra={"deprecated": True}, description="Deprecated: adds an ID to `userIds`."
    )
    ip: Ranges | None = Field(
        None,
        description=(
            "Generates events only for requests from these IP addresses, such as 10.0.0.7, 10.0.*.* or 10.0.0.0/16."
        ),
    )
    dwell_threshold: Annotated[float, Field(gt=0), NOTHING] | None = Field(
        None, description="Minutes after which user.dwelled_in_geofence is generated. Overrides the project's setting."
    )
    trip_approaching_threshold: Annotated[float, Field(ge=0), NOTHING] | None = Field(
        None,
        description="ETA in minutes at which a trip to this geofence is approaching. Overrides the project's setting.",
    )

    reads_returned_geometry: ClassVar[bool] = False
    """Whether the geometry of a returned geofence is read, too."""

    _resets: frozenset[str] = PrivateAttr(frozenset())

    @model_validator(mode="wrap")
    @classmethod
    def _note_resets(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict):
            return validate(data)
        resets = frozenset(name for name, empty in cls.resettable.items() if data.get(name) in empty)
        is_returned = data.get("geometryCenter") is not None and not cls.reads_returned_geometry
        unread = resets | {"geometry"} if is_returned else resets
        body = validate({name: value for name, value in data.items() if name not in unread})
        body._resets = resets
        return body

    def resets(self, name: str) -> bool:
        """Return whether the request removes the value of the field with this wire name."""
        return name in self._resets

    def given_coordinates(self) -> ShapeCoordinates | None:
        """Return the coordinates, which are given in one of two ways, or None; raises `InvalidParameter`."""
        if self.geometry is None:
            return self.coordinates
        if self.coordinates is not None:
            raise InvalidParameter("geometry", "geometry: give either coordinates or geometry, not both.")
        return self.coordinates_of(self.geometry, "geometry")

    def coordinates_of(self, given: GivenGeometry, name: str) -> ShapeCoordinates:
        """Return the coordinates of a geometry that fits the type, if that is known; `name` is used in errors."""
        is_point = given.type == "Point"
        if self.type is not None and is_point is (self.type == "polygon"):
            wanted = "Polygon or MultiPolygon for a polygon" if is_point else "Point for a circle or an isochrone"
            raise InvalidParameter(name, f"{name}: must be a {wanted}, not a {given.type}.")
        return given.coordinates


class GeofenceCreate(GeofenceUpsert):
    """A new geofence, by `coordinates`, `geometry`, `address` or `placeId`.

    A circle also needs `radius` unless it is around a place, an isochrone `radius` and `mode`.
    """

    description: Name = Field()
    type: Literal["circle", "polygon", "isochrone"] = Field()
    tag: Identifier = Field()
    external_id: Identifier = Field()


class GeofenceListQuery(RecordListQuery):
    """Query of geofences, newest update first."""


class GeofenceSearchQuery(RequestModel):
    """Search of geofences, nearest first."""

    near: LatitudeLongitude = Field(description="latitude,longitude")
    limit: Limit = DEFAULT_LIMIT
    radius: Radius = Field(None, description="Metres from `near` to the boundary; defaults to no limit.")
    tags: Annotated[frozenset[str] | None, BeforeValidator(read_tags, json_schema_input_type=str)] = Field(
        None, description="Comma-separated."
    )
    metadata: MetadataFilter | None = Field(None, description=METADATA_FILTER)
    include_geometry: Switch = Field(
        True, description="false leaves out geometry, type and geometryRadius; required for a limit above 100."
    )


type Day = Literal["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
type DayTime = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$|^24:00$")]
type WeekHours = dict[Day, list[tuple[DayTime, DayTime]]]

_RADIUS: Final = "Metres; for a polygon, the distance to the farthest vertex of all parts. Minutes for an isochrone."
_OUTLINE: Final = (
    "The outline; a circle is approximated by 32 vertices. Of several parts it is the largest, without holes."
)

type FullGeometry = Annotated[
    HoledPolygonAnswer | MultiPolygonAnswer,
    Field(description="Beyond the platform: the whole shape of a polygon with holes or several parts. Others lack it."),
]


class GeofenceSummaryAnswer(Record):
    """Summary of a geofence."""

    _id: Id
    tag: str
    externalId: str
    description: str
    metadata: Metadata


class CarriedGeofence(GeofenceSummaryAnswer):
    """Summary of a geofence in users, events and contexts; events of old versions lack the geometry fields."""

    type: NotRequired[Annotated[str, one_of(*GeometryType)]]
    geometryCenter: NotRequired[PointAnswer]
    geometryRadius: NotRequired[Annotated[float, Field(ge=0, description=_RADIUS)]]


class GeofenceHead(GeofenceSummaryAnswer):
    """Fields that every geofence has."""

    createdAt: Time
    updatedAt: Time
    live: bool
    enabled: bool
    geometryCenter: PointAnswer


class GeofenceOutline(Record):
    """Geometry of a geofence."""

    type: Annotated[str, one_of(*GeometryType)]
    geometry: Annotated[PolygonAnswer, Field(description=_OUTLINE)]
    fullGeometry: NotRequired[FullGeometry]
    geometryRadius: Annotated[float, Field(ge=0, description=_RADIUS)]
    mode: NotRequired[Annotated[str, one_of(*TravelMode, description="Isochrones only.")]]


class GeofenceTerms(Record):
    """Rules of a geofence: its events, hours and expiry."""

    operatingHours: NotRequired[
        Annotated[
            WeekHours,
            Field(
                description="Lists of [open, close], in the local time of the geofence; days without one are closed."
            ),
        ]
    ]
    stopDetection: NotRequired[bool]
    disableAfter: NotRequired[Time]
    deleteAfter: NotRequired[Time]
    dwellThreshold: NotRequired[Annotated[float, Field(gt=0, description="Minutes.")]]
    tripApproachingThreshold: NotRequired[Annotated[float, Field(ge=0, description="Minutes.")]]


class FoundGeofence(GeofenceHead, GeofenceTerms):
    """A geofence as client apps see it; a search without geometry leaves out `type` and the geometry."""

    type: NotRequired[Annotated[str, one_of(*GeometryType)]]
    geometry: NotRequired[Annotated[PolygonAnswer, Field(description=_OUTLINE)]]
    fullGeometry: NotRequired[FullGeometry]
    geometryRadius: NotRequired[Annotated[float, Field(ge=0, description=_RADIUS)]]
    mode: NotRequired[Annotated[str, one_of(*TravelMode, description="Isochrones only.")]]


class GeofenceRecord(GeofenceHead, GeofenceOutline, GeofenceTerms):
    """A geofence as stored."""

    userIds: NotRequired[Annotated[str, Field(min_length=1, description="Comma-separated.")]]
    ip: NotRequired[Annotated[str, Field(min_length=1, description="Comma-separated.")]]


class GeofenceAnswer(AnswerModel):
    """One geofence."""

    geofence: GeofenceRecord


class GeofenceListAnswer(PageAnswerModel):
    """Geofences, newest update first."""

    geofences: list[GeofenceRecord]


class GeofenceSearchAnswer(AnswerModel):
    """Geofences, nearest first."""

    geofences: list[FoundGeofence]


def encode_summary(geofence: GeofenceSummary) -> GeofenceSummaryAnswer:
    """Return the summary of a geofence."""
    return {
        "_id": geofence.id,
        "tag": geofence.tag,
        "externalId": geofence.external_id,
        "description": geofence.description,
        "metadata": dict(geofence.metadata),
    }


def encode_carried(geofence: GeofenceSummary) -> CarriedGeofence:
    """Return the summary of a geofence for users, events and contexts."""
    encoded: CarriedGeofence = {
        "_id": geofence.id,
        "tag": geofence.tag,
        "externalId": geofence.external_id,
        "description": geofence.description,
        "metadata": dict(geofence.metadata),
    }
    if (extent := geofence.extent) is not None:
        encoded["type"] = extent.type
        encoded["geometryCenter"] = encode_point(extent.center)
        encoded["geometryRadius"] = extent.radius
    return encoded


def encode_geofence(geofence: Geofence) -> GeofenceRecord:
    """Return a geofence; lists are comma-separated text."""
    shape, rules = shape_of(geofence.geometry), geofence.rules
    encoded: GeofenceRecord = {**_encode_head(geofence, shape), **_encode_outline(geofence, shape)}
    if rules is not DEFAULT_RULES:
        _add_hours(encoded, rules)
        if rules.user_ids:
            encoded["userIds"] = ",".join(rules.user_ids)
        if rules.ip is not None:
            encoded["ip"] = str(rules.ip)
        _add_dwelling(encoded, rules)
    return encoded


def encode_body(geofence: Geofence) -> dict[str, Any]:
    """Return the body of a request that creates such a geofence, without the usual values."""
    geometry, rules = geofence.geometry, geofence.rules
    body: dict[str, Any] = {
        "description": geofence.description,
        "tag": geofence.tag,
        "externalId": geofence.external_id,
        "type": geometry.type,
    }
    if isinstance(geometry, Circle | Isochrone):
        body["coordinates"] = [geometry.center.longitude, geometry.center.latitude]
        body["radius"] = geometry.minutes if isinstance(geometry, Isochrone) else geometry.radius_m
    else:
        body["coordinates"] = encode_coordinates(geometry)
    if isinstance(geometry, Isochrone):
        body["mode"] = geometry.mode
    body["enabled"] = geofence.enabled
    if geofence.metadata:
        body["metadata"] = dict(geofence.metadata)
    terms: GeofenceTerms = {}
    _add_hours(terms, rules)
    _add_dwelling(terms, rules)
    body |= terms
    if rules.user_ids:
        body["userIds"] = list(rules.user_ids)
    if rules.ip is not None:
        body["ip"] = list(rules.ip.items)
    return body


def encode_found(geofence: Geofence, include_geometry: bool = True) -> FoundGeofence:
    """Return a geofence for client apps, without its users, which are private; its centre is always included."""
    shape = shape_of(geofence.geometry)
    encoded: FoundGeofence = {**_encode_head(geofence, shape)}
    if include_geometry:
        encoded |= _encode_outline(geofence, shape)
    _add_hours(encoded, geofence.rules)
    _add_dwelling(encoded, geofence.rules)
    return encoded


def encode_watched(geofence: Geofence) -> FoundGeofence:
    """Return a geofence for a device that monitors it itself; a circle has no outline, since no device reads it."""
    encoded = encode_found(geofence, include_geometry=not isinstance(geofence.geometry, Circle))
    if isinstance(geofence.geometry, Circle):
        encoded["type"] = geofence.geometry.type
        encoded["geometryRadius"] = geofence.geometry.radius_m
    return encoded


def _encode_head(geofence: Geofence, shape: Shape) -> GeofenceHead:
    return {
        **encode_summary(geofence.summary),
        "createdAt": encode_time(geofence.created_at),
        "updatedAt": encode_time(geofence.updated_at),
        "live": geofence.environment.live,
        "enabled": geofence.enabled,
        "geometryCenter": encode_point(shape.center),
    }


def _encode_outline(geofence: Geofence, shape: Shape) -> GeofenceOutline:
    geometry = geofence.geometry
    ring = circle_ring(geometry.center, geometry.radius_m) if isinstance(geometry, Circle) else geometry.ring
    size = geometry.minutes if isinstance(geometry, Isochrone) else shape.radius_m
    encoded: GeofenceOutline = {"type": geometry.type, "geometry": encode_polygon(ring), "geometryRadius": size}
    if isinstance(geometry, Isochrone):
        encoded["mode"] = geometry.mode
    elif isinstance(geometry, Polygon) and not geometry.is_single_ring:
        encoded["fullGeometry"] = encode_parts(geometry)
    return encoded


def _add_hours(encoded: GeofenceTerms, rules: GeofenceRules) -> None:
    if rules.operating_hours is not None:
        encoded["operatingHours"] = cast(WeekHours, spell_hours(rules.operating_hours))
    if rules.stop_detection is not None:
        encoded["stopDetection"] = rules.stop_detection
    if rules.disable_after is not None:
        encoded["disableAfter"] = encode_time(rules.disable_after)
    if rules.delete_after is not None:
        encoded["deleteAfter"] = encode_time(rules.delete_after)


def _add_dwelling(encoded: GeofenceTerms, rules: GeofenceRules) -> None:
    if rules.dwell_threshold_s is not None:
        encoded["dwellThreshold"] = set_minutes(rules.dwell_threshold_s)
    if rules.trip_approaching_threshold_s is not None:
        encoded["tripApproachingThreshold"] = set_minutes(rules.trip_approaching_threshold_s)
