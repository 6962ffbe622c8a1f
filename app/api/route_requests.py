"""What routing requests hold, by their names on the wire."""

from collections.abc import Callable
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from app.api.fields import (
    JSON_TEXT,
    Moment,
    Where,
    read_json_text,
    read_point,
    read_words,
    refusal,
    unset_when_null,
    words_of,
)
from app.api.requests import RequestModel, Switch
from engine.domain.geometry import Point
from engine.domain.routing import MAX_PATH

MAX_CELLS: Final = 625
MAX_LOCATIONS: Final = 25
MAX_STOPS: Final = 10

type Mode = Literal["car", "truck", "foot", "bike", "motorbike"]
type UnitsWord = Literal["metric", "imperial"]
type GeometryFormat = Literal["linestring", "polyline5", "polyline6"]
type AvoidWord = Literal["tolls", "highways", "ferries", "borderCrossings"]
type LanguageWord = Literal["de", "en", "es", "fr", "ja", "ko", "pt", "ru"]
type AttributeWord = Literal["speedLimit", "names", "roadClass"]


def _read_points(fewest: int, most: int) -> Callable[[object], list[Point]]:
    """Return a reader of ``latitude,longitude|latitude,longitude…`` of so many positions."""

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


def _one_mode_or_more(modes: list[str]) -> list[str]:
    if not modes:
        raise refusal("must name at least one mode")
    return modes


_ROADS: Final = words_of(AvoidWord)[:3]

type RoutePoints = Annotated[list[Point], PlainValidator(_read_points(1, MAX_CELLS), json_schema_input_type=str)]
type Locations = Annotated[list[Point], PlainValidator(_read_points(2, MAX_LOCATIONS), json_schema_input_type=str)]
type Stops = Annotated[list[Point], PlainValidator(_read_points(2, MAX_STOPS), json_schema_input_type=str)]
type Modes = Annotated[
    list[str],
    PlainValidator(lambda value: _one_mode_or_more(read_words(*words_of(Mode))(value)), json_schema_input_type=str),
]
type AvoidList = Annotated[list[str], PlainValidator(read_words(*words_of(AvoidWord)), json_schema_input_type=str)]
type AvoidRoads = Annotated[list[str], PlainValidator(read_words(*_ROADS), json_schema_input_type=str)]
type Attributes = Annotated[list[str], PlainValidator(read_words(*words_of(AttributeWord)), json_schema_input_type=str)]
type OptionalMode = Annotated[Mode | None, BeforeValidator(unset_when_null, json_schema_input_type=Mode)]
type OptionalUnits = Annotated[UnitsWord | None, BeforeValidator(unset_when_null, json_schema_input_type=UnitsWord)]
type OptionalFormat = Annotated[
    GeometryFormat | None, BeforeValidator(unset_when_null, json_schema_input_type=GeometryFormat)
]
type OptionalLanguage = Annotated[
    LanguageWord | None, BeforeValidator(unset_when_null, json_schema_input_type=LanguageWord)
]
type Departure = Annotated[Moment | None, BeforeValidator(unset_when_null, json_schema_input_type=str)]
type _Degrees = Annotated[float, Field(ge=0, le=360)]
type Heading = Annotated[_Degrees | None, BeforeValidator(unset_when_null, json_schema_input_type=_Degrees)]

_UNITS: Final = "Of distances and speeds; imperial when absent."
_DEPARTURE: Final = "ISO 8601; now when absent. Used as far as the data allows."
_AVOID: Final = "Comma-separated: tolls, highways, ferries, borderCrossings; where there is another way."


class DistanceQuery(RequestModel):
    """From where to where, and by what."""

    origin: Where = Field(description="latitude,longitude")
    destination: Where = Field(description="latitude,longitude")
    modes: Modes = Field(description="Comma-separated: car, truck, foot, bike, motorbike.")
    units: OptionalUnits = Field(None, description=_UNITS)
    avoid: AvoidList | None = Field(None, description=_AVOID)
    geometry: OptionalFormat = Field(None, description="In which form routes are drawn; not at all when absent.")
    departure_time: Departure = Field(None, description=_DEPARTURE)


class MatrixQuery(RequestModel):
    """From where and to where; at most 625 pairs."""

    origins: RoutePoints = Field(description="latitude,longitude|latitude,longitude…")
    destinations: RoutePoints = Field(description="latitude,longitude|latitude,longitude…")
    mode: Mode
    units: OptionalUnits = Field(None, description=_UNITS)
    avoid: AvoidRoads | None = Field(
        None, description="Comma-separated: tolls, highways, ferries; where there is another way."
    )
    departure_time: Departure = Field(None, description=_DEPARTURE)


class DirectionsQuery(RequestModel):
    """Through what to travel, in this order."""

    locations: Locations = Field(description="2 to 25, latitude,longitude|latitude,longitude…")
    mode: OptionalMode = Field(None, description="car when absent.")
    units: OptionalUnits = Field(None, description=_UNITS)
    avoid: AvoidList | None = Field(None, description=_AVOID)
    geometry: OptionalFormat = Field(None, description="polyline6 when absent.")
    departure_time: Departure = Field(None, description=_DEPARTURE)
    heading: Heading = Field(None, description="Where the traveller heads at first; degrees from north, clockwise.")
    alternatives: Switch = Field(None, description="true adds up to two other ways; with two locations only.")
    lang: OptionalLanguage = Field(None, description="en when absent.")


class OptimizeQuery(RequestModel):
    """Through what to travel; the first and the last stay where they are."""

    locations: Stops = Field(description="2 to 10, latitude,longitude|latitude,longitude…")
    mode: OptionalMode = Field(None, description="car when absent.")
    units: OptionalUnits = Field(None, description=_UNITS)
    geometry: OptionalFormat = Field(None, description="In which form legs are drawn; not at all when absent.")
    departure_time: Departure = Field(None, description=_DEPARTURE)


def _check_accuracy(metres: float) -> float:
    if metres <= 0:
        raise refusal(f"must be greater than 0, not {metres:.12g}")
    return metres


type _Accuracy = Annotated[float, AfterValidator(_check_accuracy), Field(json_schema_extra={"exclusiveMinimum": 0})]


class PathItem(RequestModel):
    """One recorded position."""

    coordinates: Where = Field(description="latitude,longitude")
    created_at: Moment | None = None
    accuracy: _Accuracy | None = Field(None, description="Metres.")


def _check_path(path: list[PathItem]) -> list[PathItem]:
    if not 2 <= len(path) <= MAX_PATH:
        raise refusal(f"must hold 2 to {MAX_PATH} positions, not {len(path)}")
    return path


class MatchBody(RequestModel):
    """A recorded path; positions less than 10 seconds apart match best."""

    path: Annotated[list[PathItem], AfterValidator(_check_path), BeforeValidator(read_json_text), JSON_TEXT] = Field(
        description="Oldest first; 2 to 16000.", json_schema_extra={"minItems": 2, "maxItems": MAX_PATH}
    )
    mode: Mode | None = Field(None, description="car when absent.")
    road_attributes: Attributes | None = Field(
        None, description="Comma-separated: speedLimit, names, roadClass; roads are left out when absent."
    )
    units: UnitsWord | None = Field(None, description=_UNITS)
    geometry: GeometryFormat | None = Field(None, description="polyline6 when absent.")
