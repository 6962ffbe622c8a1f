"""What routing operations answer: the models that the document is made from."""

from typing import Annotated, Literal

from pydantic import Field

from app.api.answers import AnswerModel
from app.api.records import Latitude, Longitude, LongitudeLatitude, Strictly, optional
from app.api.route_requests import Mode
from engine.domain.routing import RoadClass

type Index = Annotated[int, Field(ge=0)]
type Bearing = Annotated[float, Field(ge=0, le=360)]


class QuantityAnswer(Strictly):
    """A number and how people read it. Distances are in metres or feet, durations in minutes; -1 is no route."""

    value: float
    text: str = Field(min_length=1)


class PlaceAnswer(Strictly):
    """A position in degrees."""

    latitude: Latitude
    longitude: Longitude


class PolylineAnswer(Strictly):
    """A line as an encoded polyline."""

    polyline: str


class LineStringAnswer(Strictly):
    """A line as a GeoJSON LineString."""

    type: Literal["LineString"]
    coordinates: Annotated[list[LongitudeLatitude], Field(min_length=2)]


type Drawn = PolylineAnswer | LineStringAnswer


class GeodesicAnswer(Strictly):
    """The way a crow flies."""

    distance: QuantityAnswer


class ModeRouteAnswer(Strictly):
    """The way of one mode."""

    distance: QuantityAnswer
    duration: QuantityAnswer
    geometry: Drawn = optional()


class RoutesAnswer(Strictly):
    """The way of each mode that was asked for; a mode without a way is left out."""

    geodesic: GeodesicAnswer
    car: ModeRouteAnswer = optional()
    truck: ModeRouteAnswer = optional()
    foot: ModeRouteAnswer = optional()
    bike: ModeRouteAnswer = optional()
    motorbike: ModeRouteAnswer = optional()


class DistanceAnswer(AnswerModel):
    """How far it is."""

    routes: RoutesAnswer


class CellAnswer(Strictly):
    """How far it is from one origin to one destination; -1 and `no route` where there is no way."""

    distance: QuantityAnswer
    duration: QuantityAnswer
    origin_index: Index
    destination_index: Index


class MatrixAnswer(AnswerModel):
    """How far it is from each origin to each destination."""

    origins: list[PlaceAnswer]
    destinations: list[PlaceAnswer]
    matrix: list[list[CellAnswer]]


class StepAnswer(Strictly):
    """One instruction and the way up to the next."""

    distance: QuantityAnswer
    duration: QuantityAnswer
    start_location: PlaceAnswer = Field(alias="start_location")
    end_location: PlaceAnswer = Field(alias="end_location")
    bearing_before: Bearing = Field(alias="bearing_before")
    bearing_after: Bearing = Field(alias="bearing_after")
    instructions: str
    banner_instructions: str = Field(alias="banner_instructions")
    voice_instructions: str = Field(alias="voice_instructions")
    geometry: Drawn
    mode: Mode
    manuever: str = Field(min_length=1, description="What to do, such as left, stay-right or exit-left.")
    street_name: str = Field(alias="street_name")
    exit_name: str = optional(alias="exit_name", description="Of an exit: its number, or where it leads.")


class LegAnswer(Strictly):
    """From one location to the next."""

    start_location: PlaceAnswer
    end_location: PlaceAnswer
    duration: QuantityAnswer
    distance: QuantityAnswer
    geometry: Drawn
    steps: list[StepAnswer]


class DirectionsRouteAnswer(Strictly):
    """One way through all locations."""

    duration: QuantityAnswer
    distance: QuantityAnswer
    legs: list[LegAnswer]
    geometry: Drawn


class DirectionsAnswer(AnswerModel):
    """The way through the locations, then alternatives; empty when there is none."""

    routes: list[DirectionsRouteAnswer]


class OptimizedLegAnswer(Strictly):
    """From one location to the next in the best order."""

    start_location: PlaceAnswer
    end_location: PlaceAnswer
    start_index: Index
    end_index: Index
    distance: QuantityAnswer
    duration: QuantityAnswer
    geometry: Drawn = optional()


class OptimizedRouteAnswer(Strictly):
    """The quickest way through all locations."""

    distance: QuantityAnswer
    duration: QuantityAnswer
    legs: list[OptimizedLegAnswer]


class OptimizeAnswer(AnswerModel):
    """The quickest way through all locations."""

    route: OptimizedRouteAnswer


class MatchedPlaceAnswer(PlaceAnswer):
    """Where on the roads a recorded position was."""

    original_index: Index


class RoadAnswer(Strictly):
    """A stretch of one road."""

    road_class: RoadClass = optional()
    speed_limit: QuantityAnswer = optional(description="Left out where it is not known, or where there is none.")
    names: list[str] = optional()
    start_location: PlaceAnswer
    end_location: PlaceAnswer
    original_index: Index = optional(description="The first recorded position on it, where there is one.")


class MatchAnswer(AnswerModel):
    """The roads that a recorded path followed."""

    matched_path: list[MatchedPlaceAnswer]
    road_attributes: list[RoadAnswer] = optional(description="Where asked for: the roads in their order.")
    geometry: Drawn
    distance: QuantityAnswer
