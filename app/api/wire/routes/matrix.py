"""Distances between many origins and destinations."""

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field, PlainValidator

from app.api.wire.common.answers import AnswerModel
from app.api.wire.common.fields import read_words, words_of
from app.api.wire.common.requests import RequestModel
from app.api.wire.routes.travel import (
    DEPARTURE,
    UNITS,
    AvoidWord,
    Departure,
    Index,
    Mode,
    OptionalUnits,
    PlaceAnswer,
    TravelRecord,
    encode_travel,
    read_points,
)
from engine.domain.geometry import Point
from engine.domain.routing import Travel
from engine.domain.units import Units

MAX_CELLS: Final = 625
_ROADS: Final = words_of(AvoidWord)[:3]

type RoutePoints = Annotated[list[Point], PlainValidator(read_points(1, MAX_CELLS), json_schema_input_type=str)]
type AvoidRoads = Annotated[list[str], PlainValidator(read_words(*_ROADS), json_schema_input_type=str)]


class MatrixQuery(RequestModel):
    """Origins and destinations; at most 625 pairs."""

    origins: RoutePoints = Field(description="latitude,longitude|latitude,longitude…")
    destinations: RoutePoints = Field(description="latitude,longitude|latitude,longitude…")
    mode: Mode
    units: OptionalUnits = Field(None, description=UNITS)
    avoid: AvoidRoads | None = Field(None, description="Comma-separated: tolls, highways, ferries; where possible.")
    departure_time: Departure = Field(None, description=DEPARTURE)


class CellAnswer(TravelRecord):
    """Distance and duration from an origin to a destination; -1 and `no route` if there is no route."""

    originIndex: Index
    destinationIndex: Index


class MatrixAnswer(AnswerModel):
    """Distances and durations from each origin to each destination."""

    origins: list[PlaceAnswer]
    destinations: list[PlaceAnswer]
    matrix: list[list[CellAnswer]]


NO_ROUTE: Final[TravelRecord] = {
    "distance": {"value": -1, "text": "no route"},
    "duration": {"value": -1, "text": "no route"},
}


def encode_cells(rows: Sequence[Sequence[Travel | None]], units: Units) -> list[list[CellAnswer]]:
    """Return a matrix in which each cell includes its indexes."""
    return [
        [_encode_cell(cell, row, column, units) for column, cell in enumerate(cells)] for row, cells in enumerate(rows)
    ]


def _encode_cell(cell: Travel | None, row: int, column: int, units: Units) -> CellAnswer:
    found = NO_ROUTE if cell is None else encode_travel(cell, units)
    return {**found, "originIndex": row, "destinationIndex": column}
