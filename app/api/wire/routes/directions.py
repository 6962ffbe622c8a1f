"""Routes through places, with step-by-step directions."""

from typing import Annotated, Final, Literal, NotRequired, cast

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.common.answers import AnswerModel
from app.api.wire.common.fields import unset_when_empty, unset_when_null
from app.api.wire.common.requests import RequestModel, Switch
from app.api.wire.routes.travel import (
    AVOID,
    DEPARTURE,
    UNITS,
    AvoidList,
    Departure,
    Drawn,
    EndsRecord,
    Mode,
    OptionalFormat,
    OptionalMode,
    OptionalUnits,
    PlaceAnswer,
    TravelRecord,
    encode_ends,
    encode_line,
    encode_lines,
    encode_position,
    encode_travel,
    read_points,
)
from engine.domain.geometry import Point
from engine.domain.routing import Leg, Route, Step, TravelMode
from engine.domain.units import Units

MAX_LOCATIONS: Final = 25

type LanguageWord = Literal["de", "en", "es", "fr", "ja", "ko", "pt", "ru"]
type Locations = Annotated[list[Point], PlainValidator(read_points(2, MAX_LOCATIONS), json_schema_input_type=str)]
type OptionalLanguage = Annotated[
    LanguageWord | None, BeforeValidator(unset_when_empty, json_schema_input_type=LanguageWord | Literal[""])
]
type _Degrees = Annotated[float, Field(ge=0, le=360)]
type Heading = Annotated[_Degrees | None, BeforeValidator(unset_when_null, json_schema_input_type=_Degrees)]


class DirectionsQuery(RequestModel):
    """Locations to travel through, in this order."""

    locations: Locations = Field(description="2 to 25, latitude,longitude|latitude,longitude…")
    mode: OptionalMode = Field(None, description="Defaults to car.")
    units: OptionalUnits = Field(None, description=UNITS)
    avoid: AvoidList | None = Field(None, description=AVOID)
    geometry: OptionalFormat = Field(None, description="Defaults to polyline6.")
    departure_time: Departure = Field(None, description=DEPARTURE)
    heading: Heading = Field(None, description="Initial heading in degrees clockwise from north.")
    alternatives: Switch = Field(None, description="true adds up to two alternative routes; two locations only.")
    lang: OptionalLanguage = Field(None, description="Defaults to en.")


type Bearing = Annotated[float, Field(ge=0, le=360)]


class StepAnswer(TravelRecord):
    """An instruction and the route to the next one."""

    start_location: PlaceAnswer
    end_location: PlaceAnswer
    bearing_before: Bearing
    bearing_after: Bearing
    instructions: str
    banner_instructions: str
    voice_instructions: str
    geometry: Drawn
    mode: Mode
    manuever: Annotated[str, Field(min_length=1, description="The maneuver, such as left, stay-right or exit-left.")]
    street_name: str
    exit_name: NotRequired[Annotated[str, Field(description="For an exit: its number or destination.")]]


class LegAnswer(EndsRecord, TravelRecord):
    """A leg to the next location."""

    geometry: Drawn
    steps: list[StepAnswer]


class DirectionsRouteAnswer(TravelRecord):
    """A route through all locations."""

    legs: list[LegAnswer]
    geometry: Drawn


class DirectionsAnswer(AnswerModel):
    """The route through the locations, then alternatives; empty if no route exists."""

    routes: list[DirectionsRouteAnswer]


def encode_route(route: Route, mode: TravelMode, units: Units, form: str) -> DirectionsRouteAnswer:
    """Return a route with its legs and their steps."""
    return {
        **encode_travel(route.travel, units),
        "legs": [_encode_leg(leg, mode, units, form) for leg in route.legs],
        "geometry": encode_line(route.line, form),
    }


def _encode_leg(leg: Leg, mode: TravelMode, units: Units, form: str) -> LegAnswer:
    whole, *parts = encode_lines((leg.line, *(step.line for step in leg.steps)), form)
    return {
        **encode_ends(leg),
        **encode_travel(leg.travel, units),
        "geometry": whole,
        "steps": [_encode_step(step, mode, units, part) for step, part in zip(leg.steps, parts, strict=True)],
    }


def _encode_step(step: Step, mode: TravelMode, units: Units, drawn: Drawn) -> StepAnswer:
    encoded: StepAnswer = {
        **encode_travel(step.travel, units),
        "start_location": encode_position(Point(*step.line[0])),
        "end_location": encode_position(Point(*step.line[-1])),
        "bearing_before": step.bearing_before,
        "bearing_after": step.bearing_after,
        "instructions": step.instruction,
        "banner_instructions": step.banner,
        "voice_instructions": step.voice,
        "geometry": drawn,
        "mode": cast(Mode, mode),
        "manuever": step.maneuver,
        "street_name": step.street_name,
    }
    if step.exit_name is not None:
        encoded["exit_name"] = step.exit_name
    return encoded
