"""Valhalla actors and their settings for the tiles of an area."""

import json
import os
import tempfile
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from engine.domain.routing import MAX_MINUTES, MAX_PATH
from engine.routing.service import NO_EDGES_NEAR, UNEXPECTED, Action, Refused

MAX_CONTOURS: Final = 16
EXACT_MATRIX: Final = "exact_matrix"
"""The action for a matrix by Valhalla's slower algorithm, which misses no better route."""

_MAX_LOCATIONS: Final = 64
_MAX_CELLS: Final = 2_500
_FAR_M: Final = 20_000_000.0
_EXACT_M: Final = 200_000.0
_FAR_ENOUGH: Final = 500_000
"""Number of labels with which a search begins. More are allocated as needed, and all are freed at its end."""

_TILE_CACHE_BYTES: Final = 32 * 1024**2
"""Size of an actor's cache of tiles in a folder. Tiles in a tar are memory-mapped and shared."""

_SEARCH: Final[Mapping[str, Any]] = {
    "max_reserved_labels_count_astar": _FAR_ENOUGH,
    "max_reserved_labels_count_bidir_astar": _FAR_ENOUGH // 2,
    "max_reserved_labels_count_dijkstras": _FAR_ENOUGH,
    "max_reserved_labels_count_bidir_dijkstras": _FAR_ENOUGH // 2,
    "clear_reserved_memory": True,
}

_MATRIX: Final[Mapping[str, Any]] = {
    # A route through private streets is found by a second pass, as for single routes.
    "allow_second_pass": True,
    # Within this distance the search expands in all directions alike, not towards the nearest of the other locations.
    # The result for a pair so does not depend on the other pairs of the request.
    "dijkstra_distance": 50_000,
    # After its first connection a pair is searched for this many iterations; Valhalla's default is 100 to 2800. A
    # better route along tracks, which count many times their length, is found late.
    "min_iterations": 700,
    "max_iterations": 700,
    "hierarchy_limits": {
        "max_up_transitions": {"1": 400, "2": 100},
        # Metres around a location within which small roads are considered, too. Shortcuts, which are used beyond,
        # ignore the cost of turns. With Valhalla's defaults of 20 and 5 km, some routes through a town were not the
        # best.
        "expand_within_distance": {"0": 1e8, "1": 100_000, "2": 20_000},
    },
}


def actor_settings(roads: Path) -> dict[str, Any]:
    """Return Valhalla's settings for a tar or a folder of tiles."""
    from valhalla import get_config

    tar, folder = ("", roads) if roads.is_dir() else (roads, "")
    settings: dict[str, Any] = deepcopy(get_config(tile_extract=tar, tile_dir=folder))
    mjolnir = settings["mjolnir"]
    mjolnir["max_cache_size"] = _TILE_CACHE_BYTES  # Valhalla's default is a gigabyte for each actor
    for unused in ("admin", "timezone", "landmarks", "traffic_extract", "transit_dir", "transit_feeds_dir"):
        mjolnir.pop(unused, None)
    # Otherwise a matrix is refused as a whole if one of its locations is in another part of the network, instead of in
    # its cells only.
    settings["loki"]["use_connectivity"] = False
    settings["thor"] |= _SEARCH
    settings["thor"]["costmatrix"] |= _MATRIX
    _raise_limits(settings["service_limits"])
    return settings


def _raise_limits(limits: dict[str, Any]) -> None:
    """Raise Valhalla's limits to those of the endpoint, which are checked first."""
    limits["allow_hard_exclusions"] = True
    for costing in limits.values():
        if isinstance(costing, dict) and "max_matrix_location_pairs" in costing:
            costing |= {
                "max_locations": _MAX_LOCATIONS,
                "max_distance": _FAR_M,
                "max_matrix_distance": _FAR_M,
                "max_matrix_location_pairs": _MAX_CELLS,
            }
    limits["isochrone"] |= {"max_contours": MAX_CONTOURS, "max_time_contour": MAX_MINUTES}
    limits["trace"] |= {"max_distance": _FAR_M, "max_shape": MAX_PATH}


class ActorTool:
    """A Valhalla actor. Only one thread may use it at a time."""

    def __init__(self, settings: dict[str, Any]) -> None:
        from valhalla import ValhallaError

        self._refused = ValhallaError
        self._actor = _make_actor(settings)

    def __call__(self, action: str, request: str) -> str:
        """Return the response to a request, both as JSON text."""
        if action == EXACT_MATRIX:
            self._check_roads(request)
        return self._answer(_METHODS[action], request)

    def _answer(self, method: str, request: str) -> str:
        try:
            answer: str = getattr(self._actor, method)(request)
        except self._refused as error:
            raise Refused(error.code, error.message) from None
        except RuntimeError as error:
            raise Refused(UNEXPECTED, str(error)) from error
        return answer

    def _check_roads(self, request: str) -> None:
        """Raise `Refused` for a matrix with a position that is near no road usable for the request.

        The exact algorithm counts only the positions with roads, and then indexes them by their numbers among all
        positions. It reads and writes beyond its memory, and the process crashes sooner or later (Valhalla 3.9.1).
        """
        matrix = json.loads(request)
        places = [*matrix.pop("sources"), *matrix.pop("targets")]
        found = json.loads(self._answer("locate", json.dumps({**matrix, "locations": places})))
        if not all(place.get("edges") or place.get("filtered_edges") for place in found):
            raise Refused(NO_EDGES_NEAR, "No suitable edges near location")


_METHODS: Final[Mapping[str, str]] = {
    Action.ROUTE: "route",
    Action.MATRIX: "matrix",
    EXACT_MATRIX: "matrix",
    Action.ISOCHRONE: "isochrone",
    Action.MATCH: "trace_attributes",
    Action.LOCATE: "locate",
}


def make_tool(roads: Path, *, exact: bool) -> ActorTool:
    """Return an actor for an area's tiles; `exact` configures it for exact matrices only."""
    settings = actor_settings(roads)
    return ActorTool(_for_exact_matrices(settings) if exact else settings)


def _for_exact_matrices(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings with the slower algorithm, whose memory depends on the longest permitted route."""
    settings = deepcopy(settings)
    settings["thor"]["source_to_target_algorithm"] = "timedistancematrix"
    for costing in settings["service_limits"].values():
        if isinstance(costing, dict) and "max_matrix_distance" in costing:
            costing["max_matrix_distance"] = _EXACT_M
    return settings


def _make_actor(settings: Mapping[str, Any]) -> Any:
    """Return a new actor. It reads its settings from a temporary file, which is deleted."""
    from valhalla import Actor

    handle, name = tempfile.mkstemp(prefix="fencewright-routing-", suffix=".json")
    path = Path(name)
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(settings, file)
        return Actor(path)
    finally:
        path.unlink()
