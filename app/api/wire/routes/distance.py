"""Distances by travel mode."""

from typing import Annotated, Any, Final, NotRequired

from pydantic import Field, PlainValidator

from app.api.http.errors import shown
from app.api.wire.common.answers import AnswerModel, Record
from app.api.wire.common.decoding import NotServed
from app.api.wire.common.fields import LatLon, read_list, refusal, words_of
from app.api.wire.common.requests import RequestModel
from app.api.wire.routes.travel import (
    AVOID,
    DEPARTURE,
    UNITS,
    AvoidList,
    Departure,
    DrawnRecord,
    Mode,
    OptionalFormat,
    OptionalUnits,
    QuantityAnswer,
    TravelRecord,
    drawn,
    encode_travel,
)
from engine.domain.routing import Route
from engine.domain.units import Units

MODES: Final = words_of(Mode)


def _one_mode_or_more(value: object) -> list[str]:
    """Return the requested modes, at least one of which must be served; clients know more modes."""
    modes = [] if value in (None, "null") else read_list(value)
    if isinstance(modes, list) and not modes:
        raise refusal("must name at least one mode")
    if not isinstance(modes, list) or not any(mode in MODES for mode in modes):
        given = modes[0] if isinstance(modes, list) else value
        raise refusal(f"must be one or more of {', '.join(MODES)}, comma-separated, not {shown(given)}")
    return list(dict.fromkeys(map(str, modes)))


type Modes = Annotated[list[str], PlainValidator(_one_mode_or_more, json_schema_input_type=str)]


class DistanceQuery(RequestModel):
    """Origin, destination and travel modes."""

    origin: LatLon = Field(description="latitude,longitude")
    destination: LatLon = Field(description="latitude,longitude")
    modes: Modes = Field(description="Comma-separated: car, truck, foot, bike, motorbike.")
    units: OptionalUnits = Field(None, description=UNITS)
    avoid: AvoidList | None = Field(None, description=AVOID)
    geometry: OptionalFormat = Field(
        None, description="Format of the route geometry; without it, no geometry is returned."
    )
    departure_time: Departure = Field(None, description=DEPARTURE)
    geometry_points: Annotated[Any, NotServed("simplified geometries")] = None


class GeodesicAnswer(Record):
    """The straight-line distance."""

    distance: QuantityAnswer


class ModeRouteAnswer(TravelRecord, DrawnRecord):
    """The route of a travel mode."""


class RoutesAnswer(Record):
    """The route of each requested mode; modes without a route are left out."""

    geodesic: GeodesicAnswer
    car: NotRequired[ModeRouteAnswer]
    truck: NotRequired[ModeRouteAnswer]
    foot: NotRequired[ModeRouteAnswer]
    bike: NotRequired[ModeRouteAnswer]
    motorbike: NotRequired[ModeRouteAnswer]


class DistanceAnswer(AnswerModel):
    """Distance and duration."""

    routes: RoutesAnswer


def encode_mode_route(route: Route, units: Units, form: str | None) -> ModeRouteAnswer:
    """Return the route of one mode."""
    return {**encode_travel(route.travel, units), **drawn(route.line, form)}
