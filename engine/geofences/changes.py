"""The effect of a change on a geofence: pure, so that a form, a request and a table row are validated alike."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from engine.domain.addresses.place import Place
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, renamed
from engine.domain.fields.geofence import RULES, SHAPE
from engine.domain.geofence import (
    DEFAULT_RULES,
    UNSET,
    Geofence,
    GeofenceChange,
    GeofenceRules,
    GeofenceSummary,
    required,
)
from engine.domain.geometry import (
    Circle,
    Geometry,
    GeometryType,
    Isochrone,
    Point,
    Polygon,
    Position,
    Ring,
    check_latitude,
    check_longitude,
    check_radius,
)
from engine.domain.metadata import MAX_GEOFENCE_KEYS, NO_METADATA, Metadata, changed_metadata
from engine.domain.routing import Edge, Moved, check_minutes, is_far
from engine.domain.text import check_description, check_identifier
from engine.domain.travel import TravelMode, mode_of
from engine.domain.values import replace
from engine.geo.parts import check_polygon
from engine.geo.rings import check_ring
from engine.geofences.locating import Locator, outline_of

MAX_USER_IDS = 1_000
_CHECKED = tuple((row.name, row.check) for row in RULES if row.check is not None)
_LOCATION_FIELDS = (*(row.name for row in SHAPE), "address", "place_id")
"""The fields of a change that may change a geometry."""

PLACE_RADIUS_M = 100.0
"""Default radius of a geofence around a place that is only a point, in metres."""

type Trace = Callable[[Point, float, TravelMode], Ring]
"""Finds the ring from within which a position can be reached in a time in minutes; raises `InvalidParameter`."""


class Finders(Struct, frozen=True):
    """Services that a geometry may need. They must be quick if asked again, because each change is evaluated twice."""

    trace: Trace
    locator: Locator
    moved_m: Callable[[Isochrone], float] = lambda _: 0.0
    edge: Callable[[Isochrone], Edge | None] = lambda _: None


def created(
    change: GeofenceChange, environment: Environment, make_id: Callable[[], str], now: datetime, finders: Finders
) -> Geofence:
    """Return the new geofence that a change describes.

    Raises `InvalidParameter` naming the first field that is missing or invalid.
    """
    tag = check_identifier(required(change.tag, "tag"), "tag")
    external_id = check_identifier(required(change.external_id, "external_id"), "external_id")
    description = check_description(required(change.description, "description"))
    geometry = _new_geometry(change, finders)
    metadata = _metadata(change, NO_METADATA)
    rules = _rules(change, DEFAULT_RULES)
    geofence_id = make_id()
    return Geofence(
        id=geofence_id,
        environment=environment,
        summary=GeofenceSummary(geofence_id, tag, external_id, description, metadata),
        geometry=geometry,
        enabled=_enabled(change.enabled is UNSET or change.enabled, rules, now),
        created_at=now,
        updated_at=now,
        rules=rules,
    )


def changed(geofence: Geofence, change: GeofenceChange, now: datetime, finders: Finders) -> Geofence:
    """Return the geofence with the change's fields set and all others kept.

    Raises `InvalidParameter` naming the first invalid field.
    """
    tag = geofence.tag if change.tag is UNSET else check_identifier(change.tag, "tag")
    external_id = (
        geofence.external_id if change.external_id is UNSET else check_identifier(change.external_id, "external_id")
    )
    description = geofence.description if change.description is UNSET else check_description(change.description)
    metadata = _metadata(change, geofence.metadata)
    rules = _rules(change, geofence.rules)
    enabled = geofence.enabled if change.enabled is UNSET else change.enabled
    return replace(
        geofence,
        summary=GeofenceSummary(geofence.id, tag, external_id, description, metadata),
        geometry=_changed_geometry(geofence.geometry, change, finders),
        enabled=_enabled(enabled, rules, now),
        updated_at=now,
        rules=rules,
    )


def expired(geofence: Geofence, now: datetime) -> Geofence | None:
    """Return a geofence in its state after expiry: disabled if that is due, or None if it must be deleted."""
    delete_after = geofence.rules.delete_after
    if delete_after is not None and now > delete_after:
        return None
    enabled = _enabled(geofence.enabled, geofence.rules, now)
    return geofence if enabled == geofence.enabled else replace(geofence, enabled=enabled, updated_at=now)


def _enabled(wanted: bool, rules: GeofenceRules, now: datetime) -> bool:
    """Return whether a geofence is enabled: as `wanted`, but never after its `disable_after`."""
    return wanted and not (rules.disable_after is not None and now > rules.disable_after)


def _rules(change: GeofenceChange, before: GeofenceRules) -> GeofenceRules:
    chosen = {row.name: value for row in RULES if (value := getattr(change, row.name)) is not UNSET}
    if not chosen:
        return before
    for name, check in _CHECKED:
        if chosen.get(name) is not None:
            check(chosen[name], name)
    if "user_ids" in chosen:
        chosen["user_ids"] = _user_ids(chosen["user_ids"])
    rules = replace(before, **chosen)
    return DEFAULT_RULES if rules == DEFAULT_RULES else rules


def _user_ids(given: tuple[str, ...]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(check_identifier(user_id.strip(), "user_ids") for user_id in given))
    if len(wanted) > MAX_USER_IDS:
        raise InvalidParameter("user_ids", f"user_ids: at most {MAX_USER_IDS} are allowed, not {len(wanted)}.")
    return wanted


def _metadata(change: GeofenceChange, before: Metadata) -> Metadata:
    whole = None if change.metadata is UNSET else change.metadata
    items = None if change.metadata_items is UNSET else change.metadata_items
    return changed_metadata(before, whole, items, max_keys=MAX_GEOFENCE_KEYS)


def _type_of(value: str) -> GeometryType:
    try:
        return GeometryType(value.lower())
    except ValueError:
        kinds = " or ".join(GeometryType)
        raise InvalidParameter("type", f"type: must be {kinds}, not {value!r}.") from None


def _new_geometry(change: GeofenceChange, finders: Finders) -> Geometry:
    kind = _type_of(required(change.type, "type"))
    if (place := _place(change, finders)) is not None:
        return _around_place(place, kind, change, None, finders)
    finders = finders if change.address is UNSET or change.coordinates is not UNSET else _blaming(finders, "address")
    change = _located(change, kind, finders)
    if change.coordinates is UNSET:
        raise _nowhere(change, kind)
    coordinates = change.coordinates
    if kind is GeometryType.POLYGON:
        return polygon_of(coordinates)
    if kind is GeometryType.ISOCHRONE:
        minutes, mode = required(change.size, "size"), _mode(required(change.mode, "mode"))
        return _isochrone(_position(coordinates), minutes, mode, finders.trace)
    return Circle(_position(coordinates), _radius(required(change.size, "size")))


def _changed_geometry(before: Geometry, change: GeofenceChange, finders: Finders) -> Geometry:
    kind = before.type if change.type is UNSET else _type_of(change.type)
    if (place := _place(change, finders)) is not None:
        return _around_place(place, kind, change, before, finders)
    if kind is not before.type:
        return _new_geometry(_with_center(before, kind, change), finders)
    finders = finders if change.address is UNSET or change.coordinates is not UNSET else _blaming(finders, "address")
    change = _located(change, kind, finders)
    if isinstance(before, Isochrone):
        return _changed_isochrone(before, change, finders.trace)
    if isinstance(before, Polygon):
        return before if change.coordinates is UNSET else polygon_of(change.coordinates)
    center = before.center if change.coordinates is UNSET else _position(change.coordinates)
    radius_m = before.radius_m if change.size is UNSET else _radius(change.size)
    return Circle(center, radius_m)


def _with_center(before: Geometry, kind: GeometryType, change: GeofenceChange) -> GeofenceChange:
    """Return a change of type that keeps the centre of a circle or isochrone unless it sets another position."""
    has_position = change.coordinates is not UNSET or change.address is not UNSET
    if has_position or kind is GeometryType.POLYGON or not isinstance(before, Circle | Isochrone):
        return change
    return replace(change, coordinates=(before.center.longitude, before.center.latitude))


def _place(change: GeofenceChange, finders: Finders) -> Place | None:
    """Return the place that a change names; an unknown one is an error only without coordinates or an address."""
    if change.place_id is UNSET:
        return None
    place = finders.locator.place(check_identifier(change.place_id, "place_id"))
    if place is None and change.coordinates is UNSET and change.address is UNSET:
        raise InvalidParameter(
            "place_id",
            f"place_id: no area in use has the place {change.place_id[:60]!r}; 'fencewright setup' and "
            "'fencewright area add REGION' add areas.",
        )
    return place


def _around_place(
    place: Place, kind: GeometryType, change: GeofenceChange, before: Geometry | None, finders: Finders
) -> Geometry:
    """Return a place's outline, or a circle or isochrone around a place that is only a point."""
    if (outline := outline_of(place)) is not None:
        return outline
    if kind is GeometryType.ISOCHRONE:
        known = before if isinstance(before, Isochrone) else None
        minutes = known.minutes if known and change.size is UNSET else required(change.size, "size")
        mode = known.mode if known and change.mode is UNSET else _mode(required(change.mode, "mode"))
        return _isochrone(place.point, minutes, mode, _blaming(finders, "place_id").trace)
    if kind is GeometryType.CIRCLE and change.size is not UNSET:
        return Circle(place.point, _radius(change.size))
    return Circle(place.point, before.radius_m if isinstance(before, Circle) else PLACE_RADIUS_M)


def _located(change: GeofenceChange, kind: GeometryType, finders: Finders) -> GeofenceChange:
    """Return a change with the position of its address; a polygon ignores it, and coordinates take precedence."""
    if change.address is UNSET or kind is GeometryType.POLYGON:
        return change
    if change.coordinates is not UNSET:
        finders.locator.address(change.address, _position(change.coordinates))
        return change
    point = finders.locator.address(change.address)
    return replace(change, coordinates=(point.longitude, point.latitude))


def _nowhere(change: GeofenceChange, kind: GeometryType) -> InvalidParameter:
    if kind is GeometryType.POLYGON and change.address is not UNSET:
        message = "is required for a polygon, unless a place ID is given; an address is only a position."
    else:
        message = "is required, unless an address or a place ID is given."
    return InvalidParameter("coordinates", f"coordinates: {message}")


def _blaming(finders: Finders, source: str) -> Finders:
    """Return finders whose errors about a position name its source: ``address`` or ``place_id``."""

    def trace(center: Point, minutes: float, mode: TravelMode) -> Ring:
        try:
            return finders.trace(center, minutes, mode)
        except InvalidParameter as error:
            if error.param != "coordinates":
                raise
            raise InvalidParameter(source, renamed(error.message, error.param, source)) from error

    return replace(finders, trace=trace)


def _changed_isochrone(before: Isochrone, change: GeofenceChange, trace: Trace) -> Isochrone:
    center = before.center if change.coordinates is UNSET else _position(change.coordinates)
    minutes = before.minutes if change.size is UNSET else change.size
    mode = before.mode if change.mode is UNSET else _mode(change.mode)
    if (center, minutes, mode) == (before.center, before.minutes, before.mode):
        return before
    return _isochrone(center, minutes, mode, trace)


def moved_by(change: GeofenceChange, geofence: Geofence, finders: Finders) -> Moved | None:
    """Return how far a change moved the centre of an isochrone to a road, or None if that is not far."""
    geometry = geofence.geometry
    if not isinstance(geometry, Isochrone) or all(getattr(change, name) is UNSET for name in _LOCATION_FIELDS):
        return None
    by_address = change.coordinates is UNSET and change.address is not UNSET
    param = "place_id" if change.place_id is not UNSET else "address" if by_address else "coordinates"
    moved_m = finders.moved_m(geometry)
    return Moved(param, geometry.center, moved_m, geometry.mode) if is_far(moved_m) else None


def _isochrone(center: Point, minutes: float | None, mode: TravelMode, trace: Trace) -> Isochrone:
    if minutes is None:
        raise InvalidParameter("size", "size: must not be empty for an isochrone; give the minutes of travel.")
    return Isochrone(trace(center, check_minutes(minutes, "size"), mode), center=center, minutes=minutes, mode=mode)


def _mode(value: str | None) -> TravelMode:
    if value is None:
        raise InvalidParameter("mode", "mode: must not be empty for an isochrone.")
    return mode_of(value)


def _radius(radius_m: float | None) -> float:
    if radius_m is None:
        raise InvalidParameter("size", "size: must not be empty for a circle.")
    return check_radius(radius_m, "size")


def polygon_of(coordinates: Sequence[Any]) -> Polygon:
    """Return the polygon with a ring, or with the coordinates of a GeoJSON Polygon or MultiPolygon."""
    match _depth(coordinates):
        case 4:
            return check_polygon([[_ring(ring) for ring in _listed(part)] for part in coordinates])
        case 3:
            return check_polygon([[_ring(ring) for ring in coordinates]])
        case _:
            return check_ring(_ring(coordinates))


def _depth(value: object) -> int:
    """Return the number of lists around the first number."""
    depth = 0
    while isinstance(value, Sequence) and not isinstance(value, str) and value:
        depth, value = depth + 1, value[0]
    return depth


def _ring(value: object) -> list[Position]:
    return [_pair(position) for position in _listed(value)]


def _listed(value: object) -> Sequence[Any]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise InvalidParameter("coordinates", "coordinates: a ring must be a list of positions [longitude, latitude].")


def _position(coordinates: Sequence[object]) -> Point:
    longitude, latitude = _pair(coordinates)
    return Point(check_longitude(longitude, "coordinates"), check_latitude(latitude, "coordinates"))


def _pair(value: object) -> Position:
    if (
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in value)
    ):
        return float(value[0]), float(value[1])
    raise InvalidParameter("coordinates", "coordinates: a position must be [longitude, latitude], two numbers.")
