"""From routes to the wire: the only place that spells their fields."""

from collections.abc import Sequence
from typing import Final

from app.api.encoding import Encoded
from engine.domain import units as measures
from engine.domain.geometry import Point, Position
from engine.domain.routing import (
    Leg,
    Line,
    Match,
    MatchedRoad,
    OptimizedLeg,
    OptimizedRoute,
    Route,
    Step,
    Travel,
    TravelMode,
)
from engine.domain.units import Quantity, Units
from engine.routing.polylines import encode_polylines

NO_ROUTE: Final = {"value": -1, "text": "no route"}
_DECIMALS: Final = {"polyline5": 5, "polyline6": 6}


def encode_quantity(quantity: Quantity) -> Encoded:
    """Return a number and its text."""
    return {"value": quantity.value, "text": quantity.text}


def encode_distance(metres: float, units: Units) -> Encoded:
    """Return a distance in metres or feet."""
    return encode_quantity(measures.distance(metres, units))


def encode_travel(travel: Travel, units: Units) -> Encoded:
    """Return how far and how long; the duration is in minutes."""
    return {
        "distance": encode_distance(travel.distance_m, units),
        "duration": encode_quantity(measures.duration(travel.duration_s)),
    }


def encode_place(point: Point) -> Encoded:
    """Return a position."""
    return {"latitude": point.latitude, "longitude": point.longitude}


def encode_line(line: Sequence[Position], form: str) -> Encoded:
    """Return a line as a GeoJSON LineString or as an encoded polyline."""
    return encode_lines((line,), form)[0]


def encode_lines(lines: Sequence[Sequence[Position]], form: str) -> list[Encoded]:
    """Return several lines, together quicker than one by one."""
    if form == "linestring":
        return [_encode_line_string(line) for line in lines]
    return [{"polyline": text} for text in encode_polylines(lines, _DECIMALS[form])]


def _encode_line_string(line: Sequence[Position]) -> Encoded:
    places = line if len(line) > 1 else (*line, *line)
    return {"type": "LineString", "coordinates": [list(position) for position in places]}


def _drawn(line: Line, form: str | None) -> Encoded:
    return {} if form is None else {"geometry": encode_line(line, form)}


def encode_mode_route(route: Route, units: Units, form: str | None) -> Encoded:
    """Return the way of one mode."""
    return encode_travel(route.travel, units) | _drawn(route.line, form)


def encode_cells(rows: Sequence[Sequence[Travel | None]], units: Units) -> list[list[Encoded]]:
    """Return a matrix, each cell with its indexes."""
    return [
        [_encode_cell(cell, row, column, units) for column, cell in enumerate(cells)] for row, cells in enumerate(rows)
    ]


def _encode_cell(cell: Travel | None, row: int, column: int, units: Units) -> Encoded:
    found = {"distance": NO_ROUTE, "duration": NO_ROUTE} if cell is None else encode_travel(cell, units)
    return found | {"originIndex": row, "destinationIndex": column}


def encode_route(route: Route, mode: TravelMode, units: Units, form: str) -> Encoded:
    """Return a way with its legs and their steps."""
    return encode_travel(route.travel, units) | {
        "legs": [_encode_leg(leg, mode, units, form) for leg in route.legs],
        "geometry": encode_line(route.line, form),
    }


def _encode_leg(leg: Leg, mode: TravelMode, units: Units, form: str) -> Encoded:
    whole, *parts = encode_lines((leg.line, *(step.line for step in leg.steps)), form)
    return _encode_ends(leg) | {
        **encode_travel(leg.travel, units),
        "geometry": whole,
        "steps": [_encode_step(step, mode, units, part) for step, part in zip(leg.steps, parts, strict=True)],
    }


def _encode_ends(leg: Leg) -> Encoded:
    return {"startLocation": encode_place(leg.start), "endLocation": encode_place(leg.end)}


def _encode_step(step: Step, mode: TravelMode, units: Units, drawn: Encoded) -> Encoded:
    encoded = encode_travel(step.travel, units) | {
        "start_location": encode_place(Point(*step.line[0])),
        "end_location": encode_place(Point(*step.line[-1])),
        "bearing_before": step.bearing_before,
        "bearing_after": step.bearing_after,
        "instructions": step.instruction,
        "banner_instructions": step.banner,
        "voice_instructions": step.voice,
        "geometry": drawn,
        "mode": mode.value,
        "manuever": step.maneuver,
        "street_name": step.street_name,
    }
    return encoded if step.exit_name is None else encoded | {"exit_name": step.exit_name}


def encode_optimized(route: OptimizedRoute, units: Units, form: str | None) -> Encoded:
    """Return the best way, its legs with the indexes of their ends."""
    legs = [_encode_optimized_leg(leg, units, form) for leg in route.legs]
    return encode_travel(route.travel, units) | {"legs": legs}


def _encode_optimized_leg(optimized: OptimizedLeg, units: Units, form: str | None) -> Encoded:
    return _encode_ends(optimized.leg) | {
        "startIndex": optimized.start_index,
        "endIndex": optimized.end_index,
        **encode_travel(optimized.leg.travel, units),
        **_drawn(optimized.leg.line, form),
    }


def encode_match(match: Match, attributes: Sequence[str], units: Units, form: str) -> Encoded:
    """Return the roads of a recorded path, with those attributes that were asked for."""
    encoded: Encoded = {
        "matchedPath": [encode_place(point.point) | {"originalIndex": point.original_index} for point in match.points],
        "geometry": encode_line(match.line, form),
        "distance": encode_distance(match.distance_m, units),
    }
    if attributes:
        encoded["roadAttributes"] = [_encode_road(road, attributes, units) for road in match.roads]
    return encoded


def _encode_road(road: MatchedRoad, attributes: Sequence[str], units: Units) -> Encoded:
    encoded: Encoded = {"startLocation": encode_place(road.start), "endLocation": encode_place(road.end)}
    if "roadClass" in attributes:
        encoded["roadClass"] = road.road_class.value
    if "names" in attributes:
        encoded["names"] = list(road.names)
    if "speedLimit" in attributes and road.speed_limit_mps is not None:
        encoded["speedLimit"] = encode_quantity(measures.speed(road.speed_limit_mps, units))
    if road.original_index is not None:
        encoded["originalIndex"] = road.original_index
    return encoded
