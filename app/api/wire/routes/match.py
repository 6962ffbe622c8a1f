"""The roads that a recorded path followed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from app.api.wire.common.answers import AnswerModel, Record
from app.api.wire.common.fields import (
    JSON_TEXT,
    ONE_FAULT,
    LatLon,
    Moment,
    read_json_text,
    read_words,
    refusal,
    words_of,
)
from app.api.wire.common.requests import RequestModel
from app.api.wire.routes.travel import (
    UNITS,
    Drawn,
    GeometryFormat,
    Index,
    Mode,
    PlaceAnswer,
    QuantityAnswer,
    UnitsWord,
    encode_distance,
    encode_line,
    encode_position,
    encode_quantity,
)
from engine.domain import units as measures
from engine.domain.routing import MAX_PATH, Fixed, Match, MatchedRoad, RoadClass
from engine.domain.units import Units

type AttributeWord = Literal["speedLimit", "names", "roadClass"]
type Attributes = Annotated[list[str], PlainValidator(read_words(*words_of(AttributeWord)), json_schema_input_type=str)]


def _check_accuracy(metres: float) -> float:
    if metres <= 0:
        raise refusal(f"must be greater than 0, not {metres:.12g}")
    return metres


type _Accuracy = Annotated[float, AfterValidator(_check_accuracy), Field(json_schema_extra={"exclusiveMinimum": 0})]


class PathItem(RequestModel):
    """One recorded position."""

    coordinates: LatLon = Field(description="latitude,longitude")
    created_at: Moment | None = None
    accuracy: _Accuracy | None = Field(None, description="Metres.")


def _fixed(item: PathItem) -> Fixed:
    return Fixed(item.coordinates, item.created_at, item.accuracy)


# Only these are kept. With a model and its dictionaries for each of 16,000 positions, a garbage collection would hold
# all threads for 50 ms.
if TYPE_CHECKING:
    type Position = Fixed
else:
    Position = Annotated[PathItem, AfterValidator(_fixed)]


def _check_path(path: object) -> object:
    if isinstance(path, list) and not 2 <= len(path) <= MAX_PATH:
        raise refusal(f"must hold 2 to {MAX_PATH} positions, not {len(path)}")
    return path


class MatchBody(RequestModel):
    """A recorded path; positions less than 10 seconds apart match best."""

    path: Annotated[
        list[Position], ONE_FAULT, BeforeValidator(_check_path), BeforeValidator(read_json_text), JSON_TEXT
    ] = Field(description="Oldest first; 2 to 16000.", json_schema_extra={"minItems": 2, "maxItems": MAX_PATH})
    mode: Mode | None = Field(None, description="Defaults to car.")
    road_attributes: Attributes | None = Field(
        None, description="Comma-separated: speedLimit, names, roadClass; without it, no roads are returned."
    )
    units: UnitsWord | None = Field(None, description=UNITS)
    geometry: GeometryFormat | None = Field(None, description="Defaults to polyline6.")


class MatchedPlaceAnswer(PlaceAnswer):
    """The matching position on the roads."""

    originalIndex: Index


class RoadAnswer(Record):
    """A section of a road."""

    roadClass: NotRequired[RoadClass]
    speedLimit: NotRequired[Annotated[QuantityAnswer, Field(description="Absent if unknown or if there is no limit.")]]
    names: NotRequired[list[str]]
    startLocation: PlaceAnswer
    endLocation: PlaceAnswer
    originalIndex: NotRequired[Annotated[Index, Field(description="The first recorded position on it, if any.")]]


class MatchRecord(Record):
    """The roads that a recorded path followed."""

    matchedPath: list[MatchedPlaceAnswer]
    roadAttributes: NotRequired[Annotated[list[RoadAnswer], Field(description="If requested: the roads in order.")]]
    geometry: Drawn
    distance: QuantityAnswer


class MatchAnswer(AnswerModel, MatchRecord):
    """The roads that a recorded path followed."""


def encode_match(match: Match, attributes: Sequence[str], units: Units, form: str) -> MatchRecord:
    """Return the roads of a recorded path, with the requested attributes."""
    encoded: MatchRecord = {
        "matchedPath": [
            {**encode_position(point.point), "originalIndex": point.original_index} for point in match.points
        ],
        "geometry": encode_line(match.line, form),
        "distance": encode_distance(match.distance_m, units),
    }
    if attributes:
        encoded["roadAttributes"] = [_encode_road(road, attributes, units) for road in match.roads]
    return encoded


def _encode_road(road: MatchedRoad, attributes: Sequence[str], units: Units) -> RoadAnswer:
    encoded: RoadAnswer = {"startLocation": encode_position(road.start), "endLocation": encode_position(road.end)}
    if "roadClass" in attributes:
        encoded["roadClass"] = road.road_class
    if "names" in attributes:
        encoded["names"] = list(road.names)
    if "speedLimit" in attributes and road.speed_limit_mps is not None:
        encoded["speedLimit"] = encode_quantity(measures.speed(road.speed_limit_mps, units))
    if road.original_index is not None:
        encoded["originalIndex"] = road.original_index
    return encoded
