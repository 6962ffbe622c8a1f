"""Fields of all routes: travel mode, distance, duration and geometry."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal, NotRequired

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.common.answers import Latitude, Longitude, LongitudeLatitude, Record
from app.api.wire.common.fields import Moment, read_point, read_words, refusal, unset_when_null, words_of
from engine.domain import units as measures
from engine.domain.geometry import Point, Position
from engine.domain.routing import Leg, Line, Travel
from engine.domain.units import Quantity, Units
from engine.routing.polylines import encode_polylines

type Mode = Literal["car", "truck", "foot", "bike", "motorbike"]
type UnitsWord = Literal["metric", "imperial"]
type GeometryFormat = Literal["linestring", "polyline5", "polyline6"]
type AvoidWord = Literal["tolls", "highways", "ferries", "borderCrossings"]


def read_points(fewest: int, most: int) -> Callable[[object], list[Point]]:
    """Return a reader for `fewest` to `most` positions, as ``latitude,longitude|latitude,longitude…``."""

    def read(value: object) -> list[Point]:
        if not isinstance(value, str) or not value:
            raise refusal("must be latitude,longitude|latitude,longitude…")
        parts = value.split("|")
        if not fewest <= len(parts) <= most:
            raise refusal(f"must hold {fewest} to {most} positions, not {len(parts)}")
        return [_read_item(number, part) for number, part in enumerate(parts, 1)]

    return read


def _read_item(number: int, part: str) -> Point:
    try:
        return read_point(part)
    except ValueError as error:
        raise refusal(f"item {number}: {error}") from None


type AvoidList = Annotated[list[str], PlainValidator(read_words(*words_of(AvoidWord)), json_schema_input_type=str)]
type OptionalMode = Annotated[Mode | None, BeforeValidator(unset_when_null, json_schema_input_type=Mode)]
type OptionalUnits = Annotated[UnitsWord | None, BeforeValidator(unset_when_null, json_schema_input_type=UnitsWord)]
type OptionalFormat = Annotated[
    GeometryFormat | None, BeforeValidator(unset_when_null, json_schema_input_type=GeometryFormat)
]
type Departure = Annotated[Moment | None, BeforeValidator(unset_when_null, json_schema_input_type=str)]

UNITS: Final = "Units of distances and speeds; defaults to imperial."
DEPARTURE: Final = "ISO 8601; defaults to now. Without effect in areas, which have no traffic data; a warning says so."
AVOID: Final = "Comma-separated: tolls, highways, ferries, borderCrossings; where possible."

type Index = Annotated[int, Field(ge=0)]


class QuantityAnswer(Record):
    """A number and its text; distances are in metres or feet, durations in minutes, and -1 means no route."""

    value: float
    text: Annotated[str, Field(min_length=1)]


class PlaceAnswer(Record):
    """A position in degrees."""

    latitude: Latitude
    longitude: Longitude


class TravelRecord(Record):
    """Distance and duration."""

    distance: QuantityAnswer
    duration: QuantityAnswer


class EndsRecord(Record):
    """Start and end positions."""

    startLocation: PlaceAnswer
    endLocation: PlaceAnswer


class PolylineAnswer(Record):
    """A line as an encoded polyline."""

    polyline: str


class LineStringAnswer(Record):
    """A line as a GeoJSON LineString."""

    type: Literal["LineString"]
    coordinates: Annotated[list[LongitudeLatitude], Field(min_length=2)]


type Drawn = PolylineAnswer | LineStringAnswer


class DrawnRecord(Record):
    """A line, if requested."""

    geometry: NotRequired[Drawn]


_DECIMALS: Final = {"polyline5": 5, "polyline6": 6}


def encode_quantity(quantity: Quantity) -> QuantityAnswer:
    """Return a number and its text."""
    return {"value": quantity.value, "text": quantity.text}


def encode_distance(metres: float, units: Units) -> QuantityAnswer:
    """Return a distance in metres or feet."""
    return encode_quantity(measures.distance(metres, units))


def encode_travel(travel: Travel, units: Units) -> TravelRecord:
    """Return the distance in `units` and the duration in minutes."""
    return {
        "distance": encode_distance(travel.distance_m, units),
        "duration": encode_quantity(measures.duration(travel.duration_s)),
    }


def encode_position(point: Point) -> PlaceAnswer:
    """Return a position."""
    return {"latitude": point.latitude, "longitude": point.longitude}


def encode_line(line: Sequence[Position], form: str) -> Drawn:
    """Return a line as a GeoJSON LineString or as an encoded polyline."""
    return encode_lines((line,), form)[0]


def encode_lines(lines: Sequence[Sequence[Position]], form: str) -> list[Drawn]:
    """Return several lines, which is faster than one by one."""
    if form == "linestring":
        return [_encode_line_string(line) for line in lines]
    return [{"polyline": text} for text in encode_polylines(lines, _DECIMALS[form])]


def _encode_line_string(line: Sequence[Position]) -> LineStringAnswer:
    places = line if len(line) > 1 else (*line, *line)
    return {"type": "LineString", "coordinates": list(places)}


def drawn(line: Line, form: str | None) -> DrawnRecord:
    """Return a line as `geometry`, if requested."""
    return {} if form is None else {"geometry": encode_line(line, form)}


def encode_ends(leg: Leg) -> EndsRecord:
    """Return the start and the end of a leg."""
    return {"startLocation": encode_position(leg.start), "endLocation": encode_position(leg.end)}
