"""The best order of places."""

from typing import Annotated, Final

from pydantic import Field, PlainValidator

from app.api.wire.common.answers import AnswerModel
from app.api.wire.common.requests import RequestModel
from app.api.wire.routes.travel import (
    DEPARTURE,
    UNITS,
    Departure,
    DrawnRecord,
    EndsRecord,
    Index,
    OptionalFormat,
    OptionalMode,
    OptionalUnits,
    TravelRecord,
    drawn,
    encode_ends,
    encode_travel,
    read_points,
)
from engine.domain.geometry import Point
from engine.domain.routing import OptimizedLeg, OptimizedRoute
from engine.domain.units import Units

MAX_STOPS: Final = 10

type Stops = Annotated[list[Point], PlainValidator(read_points(2, MAX_STOPS), json_schema_input_type=str)]


class OptimizeQuery(RequestModel):
    """Locations to visit; the first and the last keep their place in the order."""

    locations: Stops = Field(description="2 to 10, latitude,longitude|latitude,longitude…")
    mode: OptionalMode = Field(None, description="Defaults to car.")
    units: OptionalUnits = Field(None, description=UNITS)
    geometry: OptionalFormat = Field(
        None, description="Format of the leg geometry; without it, no geometry is returned."
    )
    departure_time: Departure = Field(None, description=DEPARTURE)


class OptimizedLegAnswer(EndsRecord, TravelRecord, DrawnRecord):
    """A leg to the next location in the optimized order."""

    startIndex: Index
    endIndex: Index


class OptimizedRouteAnswer(TravelRecord):
    """The fastest route through all locations."""

    legs: list[OptimizedLegAnswer]


class OptimizeAnswer(AnswerModel):
    """The fastest route through all locations."""

    route: OptimizedRouteAnswer


def encode_optimized(route: OptimizedRoute, units: Units, form: str | None) -> OptimizedRouteAnswer:
    """Return the best route; its legs include the indexes of their ends."""
    legs = [_encode_optimized_leg(leg, units, form) for leg in route.legs]
    return {**encode_travel(route.travel, units), "legs": legs}


def _encode_optimized_leg(optimized: OptimizedLeg, units: Units, form: str | None) -> OptimizedLegAnswer:
    return {
        **encode_ends(optimized.leg),
        "startIndex": optimized.start_index,
        "endIndex": optimized.end_index,
        **encode_travel(optimized.leg.travel, units),
        **drawn(optimized.leg.line, form),
    }
