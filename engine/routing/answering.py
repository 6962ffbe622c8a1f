"""From Valhalla's answers to the engine's values."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from pyproj import Geod

from engine.domain.geometry import Point, Position
from engine.domain.routing import (
    Leg,
    Line,
    Match,
    MatchedPoint,
    MatchedRoad,
    RoadClass,
    Route,
    Step,
    Travel,
)
from engine.domain.units import KPH_PER_MPS, MPH_PER_MPS
from engine.routing.maneuvers import EXITS, banner_of, exit_name_of, word_of
from engine.routing.polylines import decode_polyline

_M_PER: Final[Mapping[str, float]] = {"kilometers": 1_000.0, "miles": 1_609.344}
_EARTH: Final = Geod(ellps="WGS84")

type Part = Mapping[str, Any]


def read_route(trip: Part) -> Route:
    """Return one way."""
    metres = _M_PER[trip["units"]]
    legs = tuple(_read_leg(leg, metres) for leg in trip["legs"])
    return Route(_travel(trip["summary"], metres), _joined(leg.line for leg in legs), legs)


def read_routes(answer: Part) -> tuple[Route, ...]:
    """Return the way and its alternatives."""
    others = [alternate["trip"] for alternate in answer.get("alternates", ())]
    return tuple(read_route(trip) for trip in (answer["trip"], *others))


def read_between_ends(answer: Part) -> tuple[Route, ...]:
    """Return the way without its first and its last leg."""
    trip = answer["trip"]
    metres = _M_PER[trip["units"]]
    legs = tuple(_read_leg(leg, metres) for leg in trip["legs"][1:-1])
    travel = Travel(
        round(sum(leg.travel.distance_m for leg in legs), 3), round(sum(leg.travel.duration_s for leg in legs), 3)
    )
    return (Route(travel, _joined(leg.line for leg in legs), legs),)


def _travel(summary: Part, metres: float) -> Travel:
    return Travel(round(summary["length"] * metres, 3), summary["time"])


def _joined(lines: Iterable[Line]) -> Line:
    """Return lines as one, which do not repeat where they meet."""
    positions: list[Position] = []
    for line in lines:
        positions += line[1:] if positions and line and positions[-1] == line[0] else line
    return tuple(positions)


def _read_leg(leg: Part, metres: float) -> Leg:
    line = decode_polyline(leg["shape"])
    maneuvers = leg.get("maneuvers", ())
    steps = tuple(_read_step(maneuver, line, metres) for maneuver in maneuvers)
    return Leg(Point(*line[0]), Point(*line[-1]), _travel(leg["summary"], metres), line, steps)


def _read_step(maneuver: Part, line: Line, metres: float) -> Step:
    word = word_of(maneuver["type"])
    instruction = maneuver["instruction"]
    names = maneuver.get("begin_street_names") or maneuver.get("street_names") or ()
    return Step(
        travel=_travel(maneuver, metres),
        line=line[maneuver["begin_shape_index"] : maneuver["end_shape_index"] + 1],
        bearing_before=maneuver.get("bearing_before", 0),
        bearing_after=maneuver.get("bearing_after", 0),
        instruction=instruction,
        banner=banner_of(maneuver) or instruction,
        voice=maneuver.get("verbal_pre_transition_instruction") or instruction,
        maneuver=word,
        street_name="/".join(names),
        exit_name=exit_name_of(maneuver) if word in EXITS else None,
    )


def read_matrix(answer: Part) -> tuple[tuple[Travel | None, ...], ...]:
    """Return the cells of a matrix."""
    cells = answer["sources_to_targets"]
    metres = _M_PER[answer["units"]]
    return tuple(
        tuple(_cell(distance, time, metres) for distance, time in zip(*row, strict=True))
        for row in zip(cells["distances"], cells["durations"], strict=True)
    )


def _cell(distance: float | None, time: float | None, metres: float) -> Travel | None:
    return None if distance is None or time is None else Travel(round(distance * metres, 3), float(time))


def read_match(answer: Part) -> Match:
    """Return the roads of a recorded path."""
    line = decode_polyline(answer["shape"])
    matched = answer["matched_points"]
    points = tuple(
        MatchedPoint(Point(place["lon"], place["lat"]), index)
        for index, place in enumerate(matched)
        if place["type"] != "unmatched"
    )
    first_on = _first_on_edges(matched)
    per_mps = KPH_PER_MPS if answer["units"] == "kilometers" else MPH_PER_MPS
    edges = answer["edges"]
    roads = tuple(_read_road(edge, line, per_mps, first_on.get(at)) for at, edge in enumerate(edges))
    return Match(points, roads, line, _driven_m(edges, line))


_CLASSES: Final[Mapping[str, RoadClass]] = {kind.value: kind for kind in RoadClass}


def _first_on_edges(matched: Sequence[Part]) -> dict[int, int]:
    """Return the index of the first recorded position on each edge that has one."""
    first: dict[int, int] = {}
    for index, place in enumerate(matched):
        if place["type"] != "unmatched" and "edge_index" in place:
            first.setdefault(place["edge_index"], index)
    return first


def _read_road(edge: Part, line: Line, per_mps: float, original_index: int | None) -> MatchedRoad:
    limit = edge.get("speed_limit")
    return MatchedRoad(
        start=Point(*line[edge["begin_shape_index"]]),
        end=Point(*line[edge["end_shape_index"]]),
        road_class=_CLASSES[edge["road_class"]],
        names=tuple(edge.get("names", ())),
        # Where there is no limit at all, Valhalla says so with a word.
        speed_limit_mps=limit / per_mps if isinstance(limit, int | float) and limit > 0 else None,
        original_index=original_index,
    )


def _driven_m(edges: Sequence[Part], line: Line) -> float:
    """Return the length of the line along its roads."""
    if len(line) < 2:
        return 0.0
    longitudes, latitudes = zip(*line, strict=True)
    along = [0.0, *accumulate(_EARTH.line_lengths(longitudes, latitudes))]
    return float(sum(along[edge["end_shape_index"]] - along[edge["begin_shape_index"]] for edge in edges))
