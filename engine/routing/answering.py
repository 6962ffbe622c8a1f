"""Conversion of Valhalla's responses to the engine's values."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Final

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
from engine.geo.earth import metres_between
from engine.outbound.shapes import (
    Record,
    WrongShape,
    listed,
    number,
    point,
    record,
    records,
    text,
    texts,
    whole,
)
from engine.routing.polylines import decode_polyline

_M_PER: Final[Mapping[str, float]] = {"kilometers": 1_000.0, "miles": 1_609.344}
_EARTH: Final = Geod(ellps="WGS84")

_MOST: Final = 1e10
"""Upper limit of a route's length in metres and of its duration in seconds."""

_MAX_WORD: Final = 1_000

_WORDS: Final = (
    "continue",  # none: the route continues
    "start",
    "start",  # on the right side
    "start",  # on the left side
    "destination",
    "destination-right",
    "destination-left",
    "continue",  # the name of the street changes
    "continue",
    "slight-right",
    "right",
    "sharp-right",
    "uturn-right",
    "uturn-left",
    "sharp-left",
    "left",
    "slight-left",
    "ramp-straight",
    "ramp-right",
    "ramp-left",
    "exit-right",
    "exit-left",
    "stay-straight",
    "stay-right",
    "stay-left",
    "merge",
    "roundabout-enter",
    "roundabout-exit",
    "ferry-enter",
    "ferry-exit",
    "transit",
    "transit-transfer",
    "transit-remain-on",
    "transit-connection-start",
    "transit-connection-transfer",
    "transit-connection-destination",
    "post-transit-connection-destination",
    "merge-right",
    "merge-left",
    "elevator-enter",
    "steps-enter",
    "escalator-enter",
    "building-enter",
    "building-exit",
)
"""The specification's words, indexed by Valhalla's maneuver types (`DirectionsLeg.Maneuver.Type`), 0 to 43."""

WORDS: Final = frozenset(_WORDS)
EXITS: Final = frozenset({"exit-right", "exit-left"})
_EXIT_NAMES: Final = ("exit_number_elements", "exit_toward_elements", "exit_branch_elements", "exit_name_elements")
_SIGNS: Final = ("exit_branch_elements", "exit_toward_elements", "exit_name_elements")


def read_routes(answer: object, legs: int) -> tuple[Route, ...]:
    """Return the route and its alternatives, each with `legs` legs. Raises `WrongShape` if the response is invalid."""
    found = record(answer)
    others = [record(alternate).get("trip") for alternate in listed(found.get("alternates", []))]
    return tuple(_read_route(record(trip), legs) for trip in (found.get("trip"), *others))


def _read_route(trip: Record, length: int) -> Route:
    metres = _metres_per(trip.get("units"))
    legs = tuple(_read_leg(leg, metres) for leg in records(trip.get("legs"), length))
    return Route(_travel(trip.get("summary"), metres), _joined(leg.line for leg in legs), legs)


def read_between_ends(answer: object, legs: int) -> tuple[Route, ...]:
    """Return the route without its first and last leg, with `legs` legs between them.

    Raises `WrongShape` if the response is invalid.
    """
    trip = record(record(answer).get("trip"))
    metres = _metres_per(trip.get("units"))
    between = tuple(_read_leg(leg, metres) for leg in records(trip.get("legs"), legs + 2)[1:-1])
    travel = Travel(
        round(sum(leg.travel.distance_m for leg in between), 3), round(sum(leg.travel.duration_s for leg in between), 3)
    )
    return (Route(travel, _joined(leg.line for leg in between), between),)


def _metres_per(units: object) -> float:
    found = _M_PER.get(text(units))
    if found is None:
        raise WrongShape("these units are not known")
    return found


def _travel(summary: object, metres: float) -> Travel:
    part = record(summary)
    return Travel(round(number(part.get("length"), 0, _MOST) * metres, 3), number(part.get("time"), 0, _MOST))


def _joined(lines: Iterable[Line]) -> Line:
    """Return lines joined into one, without repeating the positions where they meet."""
    positions: list[Position] = []
    for line in lines:
        positions += line[1:] if positions and line and positions[-1] == line[0] else line
    return tuple(positions)


def read_line(encoded: object, least: int = 1) -> Line:
    """Return an encoded line of at least `least` positions. Raises `WrongShape` if it is invalid."""
    try:
        line = decode_polyline(text(encoded))
    except ValueError:
        raise WrongShape("this is not a line") from None
    if len(line) < least:
        raise WrongShape("this line is too short")
    return line


def _read_leg(leg: Record, metres: float) -> Leg:
    line = read_line(leg.get("shape"))
    steps = tuple(_read_step(maneuver, line, metres) for maneuver in records(leg.get("maneuvers", [])))
    return Leg(Point(*line[0]), Point(*line[-1]), _travel(leg.get("summary"), metres), line, steps)


def _read_step(maneuver: Record, line: Line, metres: float) -> Step:
    word = word_of(whole(maneuver.get("type"), 0, _MAX_WORD))
    instruction = text(maneuver.get("instruction"))
    first, last = _span(maneuver, line)
    return Step(
        travel=_travel(maneuver, metres),
        line=line[first : last + 1],
        bearing_before=whole(maneuver.get("bearing_before", 0), 0, 360),
        bearing_after=whole(maneuver.get("bearing_after", 0), 0, 360),
        instruction=instruction,
        banner=banner_of(maneuver) or instruction,
        voice=text(maneuver.get("verbal_pre_transition_instruction", "")) or instruction,
        maneuver=word,
        street_name="/".join(street_names(maneuver)),
        exit_name=exit_name_of(maneuver) if word in EXITS else None,
    )


def _span(part: Record, line: Line) -> tuple[int, int]:
    """Return the indexes of the line at which a part of it begins and ends."""
    first = whole(part.get("begin_shape_index"), 0, len(line) - 1)
    return first, whole(part.get("end_shape_index"), first, len(line) - 1)


def read_matrix(answer: object, rows: int, columns: int) -> tuple[tuple[Travel | None, ...], ...]:
    """Return the cells of a matrix of this size. Raises `WrongShape` if the response is invalid."""
    found = record(answer)
    cells, metres = record(found.get("sources_to_targets")), _metres_per(found.get("units"))
    distances, durations = (
        [listed(row, columns) for row in listed(cells.get(kind), rows)] for kind in ("distances", "durations")
    )
    return tuple(
        tuple(_cell(distance, time, metres) for distance, time in zip(*row, strict=True))
        for row in zip(distances, durations, strict=True)
    )


def _cell(distance: object, time: object, metres: float) -> Travel | None:
    if distance is None or time is None:
        return None
    return Travel(round(number(distance, 0, _MOST) * metres, 3), float(number(time, 0, _MOST)))


def read_match(answer: object, positions: int) -> Match:
    """Return the roads of a path of `positions` recorded positions. Raises `WrongShape` if the response is invalid."""
    found = record(answer)
    line = read_line(found.get("shape"), 0)
    matched = records(found.get("matched_points"))
    if len(matched) > positions:
        raise WrongShape("there are more positions than were sent")
    points = tuple(
        MatchedPoint(point(place.get("lon"), place.get("lat")), index)
        for index, place in enumerate(matched)
        if place.get("type") != "unmatched"
    )
    first_on = _first_on_edges(matched)
    per_mps = KPH_PER_MPS if _metres_per(found.get("units")) == _M_PER["kilometers"] else MPH_PER_MPS
    edges = records(found.get("edges"))
    roads = tuple(_read_road(edge, line, per_mps, first_on.get(at)) for at, edge in enumerate(edges))
    return Match(points, roads, line, _driven_m(edges, line))


_CLASSES: Final[Mapping[str, RoadClass]] = {kind.value: kind for kind in RoadClass}


def _first_on_edges(matched: Sequence[Record]) -> dict[int, int]:
    """Return the index of the first recorded position on each edge that has one."""
    first: dict[int, int] = {}
    for index, place in enumerate(matched):
        if place.get("type") != "unmatched" and "edge_index" in place:
            first.setdefault(whole(place["edge_index"], 0, 2**64), index)
    return first


def _read_road(edge: Record, line: Line, per_mps: float, original_index: int | None) -> MatchedRoad:
    limit = edge.get("speed_limit")
    road_class = _CLASSES.get(text(edge.get("road_class")))
    if road_class is None:
        raise WrongShape("this class of roads is not known")
    first, last = _span(edge, line)
    return MatchedRoad(
        start=Point(*line[first]),
        end=Point(*line[last]),
        road_class=road_class,
        names=tuple(texts(edge.get("names", []))),
        # Valhalla uses a word if there is no limit at all.
        speed_limit_mps=number(limit, -_MOST, _MOST) / per_mps
        if isinstance(limit, int | float) and limit > 0
        else None,
        original_index=original_index,
    )


def _driven_m(edges: Sequence[Record], line: Line) -> float:
    """Return the length of the line along its roads."""
    if len(line) < 2:
        return 0.0
    longitudes, latitudes = zip(*line, strict=True)
    along = [0.0, *accumulate(_EARTH.line_lengths(longitudes, latitudes))]
    return float(sum(along[edge["end_shape_index"]] - along[edge["begin_shape_index"]] for edge in edges))


def read_nearest(answer: object, points: Sequence[Point]) -> tuple[Point | None, ...]:
    """Return the nearest point on a road for each position, or None without one.

    Raises `WrongShape` if the response is invalid.
    """
    return tuple(_nearest(at, place) for at, place in zip(points, records(answer, len(points)), strict=True))


def _nearest(at: Point, place: Record) -> Point | None:
    edges = records(place.get("edges") or [])
    on_roads = [point(edge.get("correlated_lon"), edge.get("correlated_lat")) for edge in edges]
    return min(on_roads, key=lambda on_road: metres_between(at, on_road), default=None)


def word_of(kind: int) -> str:
    """Return the word for a maneuver type."""
    return _WORDS[kind] if 0 <= kind < len(_WORDS) else "continue"


def street_names(maneuver: Record) -> list[str]:
    """Return the names of the street on which a step begins. This and the functions below raise `WrongShape`."""
    return texts(maneuver.get("begin_street_names") or maneuver.get("street_names") or [])


def banner_of(maneuver: Record) -> str:
    """Return the text of a sign: the destinations of an exit, or the names of the street, or an empty text."""
    return _signed(maneuver, _SIGNS) or "/".join(street_names(maneuver))


def exit_name_of(maneuver: Record) -> str | None:
    """Return the number of an exit, or else its destination or name, or None if the sign has none of them."""
    return _signed(maneuver, _EXIT_NAMES)


def _signed(maneuver: Record, parts: Iterable[str]) -> str | None:
    """Return the text of the first of these parts that the sign has, or None."""
    sign = record(maneuver.get("sign", {}))
    elements = next((records(sign[part]) for part in parts if part in sign), None)
    return None if elements is None else "/".join(text(element.get("text")) for element in elements)
