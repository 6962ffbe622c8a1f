"""What routing requests hold, by their names on the wire."""

from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from app.api.errors import shown
from app.api.fields import JSON_TEXT, Moment, read_json_text, read_list, refusal, unset_when_null
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


def read_point(value: object) -> Point:
    """Return ``latitude,longitude`` text as a position on the earth."""
    # Python itself would read 4_7 as a number, and the digits of every script.
    parts = value.split(",") if isinstance(value, str) and value.isascii() and "_" not in value else []
    try:
        latitude, longitude = (float(part) for part in parts)
    except ValueError:
        raise refusal("must be latitude,longitude such as 40.78382,-73.97536") from None
    _check_range("latitude", latitude, 90)
    _check_range("longitude", longitude, 180)
    return Point(longitude, latitude)


def _check_range(name: str, value: float, most: int) -> None:
    if not (isfinite(value) and -most <= value <= most):
        raise refusal(f"the {name} must be within [-{most}, {most}], not {value:.12g}")


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


def _read_words(*words: str) -> Callable[[object], list[str]]:
    """Return a reader of a comma-separated list of words; a client library may send a list in JSON."""

    def read(value: object) -> list[str]:
        parts = [] if value in (None, "null") else read_list(value)
        if not isinstance(parts, list) or (unknown := [part for part in parts if part not in words]):
            raise refusal(
                f"must be of {', '.join(words)}, comma-separated, not {shown(unknown[0] if parts else value)}"
            )
        return list(dict.fromkeys(parts))

    return read


def _words(alias: Any) -> tuple[str, ...]:
    words: tuple[str, ...] = get_args(alias.__value__)
    return words


def _one_mode_or_more(modes: list[str]) -> list[str]:
    if not modes:
        raise refusal("must name at least one mode")
    return modes


_ROADS: Final = _words(AvoidWord)[:3]

type RoutePoint = Annotated[Point, PlainValidator(read_point, json_schema_input_type=str)]
type RoutePoints = Annotated[list[Point], PlainValidator(_read_points(1, MAX_CELLS), json_schema_input_type=str)]
type Locations = Annotated[list[Point], PlainValidator(_read_points(2, MAX_LOCATIONS), json_schema_input_type=str)]
type Stops = Annotated[list[Point], PlainValidator(_read_points(2, MAX_STOPS), json_schema_input_type=str)]
type Modes = Annotated[
    list[str],
    PlainValidator(lambda value: _one_mode_or_more(_read_words(*_words(Mode))(value)), json_schema_input_type=str),
]
type AvoidList = Annotated[list[str], PlainValidator(_read_words(*_words(AvoidWord)), json_schema_input_type=str)]
type AvoidRoads = Annotated[list[str], PlainValidator(_read_words(*_ROADS), json_schema_input_type=str)]
type Attributes = Annotated[list[str], PlainValidator(_read_words(*_words(AttributeWord)), json_schema_input_type=str)]
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

    origin: RoutePoint = Field(description="latitude,longitude")
    destination: RoutePoint = Field(description="latitude,longitude")
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


class PathItem(RequestModel):
    """One recorded position."""

    coordinates: RoutePoint = Field(description="latitude,longitude")
    created_at: Moment | None = None
    accuracy: Annotated[float, Field(gt=0)] | None = Field(None, description="Metres.")


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
