"""Shapes of geofences in requests: a position, a ring, or GeoJSON, read with errors that name the place."""

from typing import Annotated, Any, Final, Literal, NamedTuple, TypedDict

from pydantic import Field, PlainValidator

from app.api.http.errors import shown
from app.api.wire.common.answers import LongitudeLatitude
from app.api.wire.common.fields import JSON_TEXT, read_json_text, read_position, refusal
from engine.domain.geometry import MAX_HOLES, MAX_PARTS, MAX_RING_POSITIONS, MIN_RING_POSITIONS

type Position = tuple[float, float]
type Ring = tuple[Position, ...]
type Rings = tuple[Ring, ...]
"""The outer ring of a part and its holes."""

type Parts = tuple[Rings, ...]
type ShapeCoordinates = Position | Ring | Rings | Parts

_LEVELS: Final = ("position", "ring", "part")
"""Names of the items of a ring, of a part, and of several parts."""

_LISTED: Final = ("", "a list of positions", "a list of rings", "a list of parts")
_TYPES: Final = {"Point": 0, "Polygon": 2, "MultiPolygon": 3}
"""Levels of lists around a position in the coordinates of a GeoJSON geometry."""

_WHOLE: Final = "its coordinates"
_NOT_COORDINATES: Final = (
    "must be [longitude, latitude], or for a polygon a ring [[lon0, lat0], …, [lon0, lat0]] or the coordinates of a "
    "GeoJSON Polygon or MultiPolygon"
)
_NOT_GEOMETRY: Final = (
    'must be a GeoJSON Point, Polygon or MultiPolygon such as {"type": "Polygon", "coordinates": [[[lon0, lat0], …, '
    "[lon0, lat0]]]}"
)


class GivenGeometry(NamedTuple):
    """A GeoJSON geometry of a request, of which only the nesting has been validated."""

    type: str
    coordinates: ShapeCoordinates


def read_coordinates(value: object) -> ShapeCoordinates:
    """Return a position, a ring, or the coordinates of a GeoJSON Polygon or MultiPolygon, as tuples of numbers."""
    value = read_json_text(value)
    if not isinstance(value, list) or not value:
        raise refusal(_NOT_COORDINATES)
    levels = _levels(value)
    if levels >= len(_LISTED):
        raise refusal(f"the lists are nested too deeply; it {_NOT_COORDINATES}")
    if levels == 1 and not MIN_RING_POSITIONS <= len(value) <= MAX_RING_POSITIONS:
        raise refusal(f"a ring has {MIN_RING_POSITIONS} to {MAX_RING_POSITIONS} positions, not {len(value)}")
    coordinates: ShapeCoordinates = _read(value, levels)
    return coordinates


def read_geometry(value: object) -> GivenGeometry:
    """Return a GeoJSON Point, Polygon or MultiPolygon, which may come as JSON text."""
    value = read_json_text(value)
    if not isinstance(value, dict):
        raise refusal(_NOT_GEOMETRY)
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise refusal(f"its type must be Point, Polygon or MultiPolygon, not {shown(kind)}")
    return GivenGeometry(kind, _read(value.get("coordinates"), _TYPES[kind], _WHOLE))


def _levels(value: object) -> int:
    """Return the number of lists around the first position."""
    levels = -1
    while isinstance(value, list) and levels < len(_LISTED):
        levels, value = levels + 1, value[0] if value else None
    return levels


def _read(value: object, levels: int, place: str = "") -> Any:
    """Return lists nested in `levels` around positions; errors name the place, counted from 1."""
    if levels == 0:
        return read_position(value, place or "each position")
    if not isinstance(value, list) or not value:
        raise refusal(f"{place} must be {_LISTED[levels]}, not {shown(value)}")
    before = f"{place} " if place != _WHOLE else ""
    name = _LEVELS[levels - 1]
    return tuple(_read(each, levels - 1, f"{before}{name} {number}".strip()) for number, each in enumerate(value, 1))


class GeoJsonPoint(TypedDict):
    """A GeoJSON Point that a client sends."""

    type: Literal["Point"]
    coordinates: LongitudeLatitude


type RingBody = Annotated[
    tuple[LongitudeLatitude, ...], Field(min_length=MIN_RING_POSITIONS, max_length=MAX_RING_POSITIONS)
]
type RingsBody = Annotated[tuple[RingBody, ...], Field(min_length=1, max_length=MAX_HOLES + 1)]
type PartsBody = Annotated[tuple[RingsBody, ...], Field(min_length=1, max_length=MAX_PARTS)]


class GeoJsonPolygon(TypedDict):
    """A GeoJSON Polygon that a client sends: a ring and its holes."""

    type: Literal["Polygon"]
    coordinates: RingsBody


class GeoJsonMultiPolygon(TypedDict):
    """A GeoJSON MultiPolygon that a client sends: the rings of several parts."""

    type: Literal["MultiPolygon"]
    coordinates: PartsBody


type Coordinates = Annotated[
    ShapeCoordinates,
    PlainValidator(read_coordinates, json_schema_input_type=LongitudeLatitude | RingBody | RingsBody | PartsBody),
    JSON_TEXT,
]
type GeometryBody = Annotated[
    GivenGeometry,
    PlainValidator(read_geometry, json_schema_input_type=GeoJsonPoint | GeoJsonPolygon | GeoJsonMultiPolygon),
    JSON_TEXT,
]
