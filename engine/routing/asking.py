"""Conversion of the engine's values to Valhalla's requests."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from engine.domain.geometry import Point
from engine.domain.routing import MAX_SNAP_M, Avoid, Directions, Fixed, RouteOptions, TravelMode
from engine.domain.units import Units
from engine.geo.zones import zone_at

COSTING: Final[Mapping[TravelMode, str]] = {
    TravelMode.CAR: "auto",
    TravelMode.TRUCK: "truck",
    TravelMode.FOOT: "pedestrian",
    TravelMode.BIKE: "bicycle",
    TravelMode.MOTORBIKE: "motorcycle",
}

_BORDER_PENALTY_S: Final = 43_200
"""The largest value that Valhalla accepts: half a day's detour rather than a border crossing."""

_NEVER: Final[Mapping[Avoid, Mapping[str, object]]] = {
    Avoid.TOLLS: {"exclude_tolls": True},
    Avoid.HIGHWAYS: {"exclude_highways": True},
    Avoid.FERRIES: {"exclude_ferries": True},
}
_RATHER_NOT: Final[Mapping[Avoid, Mapping[str, object]]] = {
    Avoid.TOLLS: {"use_tolls": 0},
    Avoid.HIGHWAYS: {"use_highways": 0},
    Avoid.FERRIES: {"use_ferry": 0},
    Avoid.BORDER_CROSSINGS: {"country_crossing_penalty": _BORDER_PENALTY_S},
}

_MATCH_ATTRIBUTES: Final = (
    "shape",
    "edge.names",
    "edge.road_class",
    "edge.speed_limit",
    "edge.begin_shape_index",
    "edge.end_shape_index",
    "matched.point",
    "matched.type",
    "matched.edge_index",
    "matched.begin_route_discontinuity",
    "matched.end_route_discontinuity",
)
_STRETCH_ATTRIBUTES: Final = (
    "shape",
    "edge.begin_shape_index",
    "edge.end_shape_index",
    "node.elapsed_time",
    "node.transition_time",
)
_USUAL_ACCURACY_M: Final = 8.0
_ACCURACY_M: Final = (4.0, 50.0)
"""Range of the accuracy for a match. Phones report a better one than they achieve, and beyond it every road is near."""

_SEARCH_M: Final = (40.0, 100.0)

type Part = dict[str, Any]


def locations_of(points: Sequence[Point]) -> list[Part]:
    """Return the locations of a request."""
    return [{"lat": point.latitude, "lon": point.longitude, "search_cutoff": MAX_SNAP_M} for point in points]


def costing_of(mode: TravelMode, avoid: frozenset[Avoid] = frozenset(), *, strictly: bool = False) -> Part:
    """Return the travel mode and the features to avoid: strictly, or if the detour is not too long.

    Crossing a border costs no time by itself, since the tiles include crossings without controls.
    """
    costing = COSTING[mode]
    options: Part = {"country_crossing_cost": 0}
    for kind in sorted(avoid):
        options |= _RATHER_NOT[kind]
        if strictly:
            options |= _NEVER.get(kind, {})
    return {"costing": costing, "costing_options": {costing: options}}


def costings_of(options: RouteOptions) -> tuple[Part, ...]:
    """Return the costings in the order to try them: with strict exclusions first, if there are any."""
    kinds = (True, False) if can_be_strict(options.avoid) else (False,)
    return tuple(costing_of(options.mode, options.avoid, strictly=strictly) for strictly in kinds)


def can_be_strict(avoid: frozenset[Avoid]) -> bool:
    """Return whether anything in `avoid` can be excluded strictly."""
    return not avoid.isdisjoint(_NEVER)


def departure_of(options: RouteOptions, origin: Point) -> Part:
    """Return the departure in the local time of the origin, or an empty part for an immediate departure."""
    if options.departure is None:
        return {}
    local: datetime = options.departure.astimezone(zone_at(origin.longitude, origin.latitude))
    return {"date_time": {"type": 1, "value": local.strftime("%Y-%m-%dT%H:%M")}}


THOROUGHLY: Final[Mapping[str, Any]] = {"date_time": {"type": 1, "value": "2024-01-03T12:00"}}
"""Part of a request for a thorough search.

With any time, Valhalla searches from the start only, which finds routes that its search from both ends misses.
"""


def directions_request(locations: Sequence[Point], directions: Directions) -> Part:
    """Return the part of a request that asks for steps."""
    places = locations_of(locations)
    if directions.heading is not None:
        places[0]["heading"] = round(directions.heading) % 360
    if directions.radius_m is not None:
        places[0]["radius"] = round(directions.radius_m)
    return {
        "locations": places,
        "language": directions.language,
        **in_units(directions.units),
    }


ALTERNATIVES: Final[Mapping[str, Any]] = {"alternates": 2}
"""Part of a request for up to two alternative routes."""


def route_request(locations: Sequence[Point], units: Units) -> Part:
    """Return the part of a request that asks for a route without steps."""
    return {"locations": locations_of(locations), "directions_type": "none", **in_units(units)}


def in_units(units: Units) -> Part:
    """Return the part of a request with the units of lengths, which then have three decimals."""
    return {"units": "kilometers" if units is Units.METRIC else "miles"}


def matrix_request(origins: Sequence[Point], destinations: Sequence[Point], costing: Part) -> Part:
    """Return the request for the cells of a matrix."""
    return {
        "sources": locations_of(origins),
        "targets": locations_of(destinations),
        "units": "kilometers",
        # Valhalla occasionally fails to serialize a verbose response.
        "verbose": False,
        **costing,
    }


def with_steady_ends(request: Mapping[str, Any]) -> Part:
    """Return a request for a route with its first and last location repeated.

    The first location of a route may lie on a road that no other leads to, the last on one without an exit. All other
    locations, like those of a matrix, may not. Between the repeated ones, the locations are snapped as in a matrix.
    """
    locations = request["locations"]
    return {**request, "locations": [locations[0], *locations, locations[-1]]}


def match_request(path: Sequence[Fixed], mode: TravelMode) -> Part:
    """Return the request for the roads of a recorded path."""
    accuracy = _accuracy_of(path)
    return {
        "shape": _shape_of(path),
        "costing": COSTING[mode],
        "shape_match": "map_snap",
        "trace_options": {
            "gps_accuracy": accuracy,
            "search_radius": min(max(4 * accuracy, _SEARCH_M[0]), _SEARCH_M[1]),
        },
        "filters": {"attributes": _MATCH_ATTRIBUTES, "action": "include"},
    }


def stretches_request(encoded: str, costing: Part) -> Part:
    """Return the request for the times on the roads of a route."""
    return {
        "encoded_polyline": encoded,
        "shape_match": "edge_walk",
        "filters": {"attributes": _STRETCH_ATTRIBUTES, "action": "include"},
        **costing,
    }


def _shape_of(path: Sequence[Fixed]) -> list[Part]:
    """Return the positions, with times if all have one and each is later than the previous one.

    Of positions with equal times Valhalla keeps only the last, which would lose the path between them.
    """
    shape: list[Part] = [{"lat": fixed.point.latitude, "lon": fixed.point.longitude} for fixed in path]
    times = [fixed.at.timestamp() for fixed in path if fixed.at is not None]
    if len(times) == len(path) and all(one < next_one for one, next_one in pairwise(times)):
        for place, time in zip(shape, times, strict=True):
            place["time"] = time
    return shape


def _accuracy_of(path: Sequence[Fixed]) -> float:
    known = sorted(fixed.accuracy_m for fixed in path if fixed.accuracy_m is not None)
    usual = known[len(known) // 2] if known else _USUAL_ACCURACY_M
    return min(max(usual, _ACCURACY_M[0]), _ACCURACY_M[1])
