"""The way of a single pair, by the search that makes matrices: a cell of a matrix and a distance tell the same.

Valhalla's search for single routes runs otherwise. Where two ways are nearly as good, it now and then takes the other,
and it lets a journey begin on roads that nothing leads to.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.domain.geometry import Point
from engine.domain.routing import Line, RouteOptions, Travel
from engine.routing.answering import read_matrix
from engine.routing.asking import SHAPES, costings_of, matrix_request
from engine.routing.polylines import decode_polyline
from engine.routing.service import NO_PATH, Action, Deadline, Refused, Request, Service


@dataclass(frozen=True, slots=True)
class Pair:
    """How far it is. The line is missing where nobody asked for it, and where the search does not keep its way."""

    travel: Travel
    line: Line = ()


def find_pair(
    ends: Sequence[Point],
    options: RouteOptions,
    service: Service,
    deadline: Deadline,
    check_roads: Callable[[], None],
    *,
    drawn: bool,
) -> Pair | None:
    """Return the way from the first of `ends` to the second, strictly avoiding what it should where that is possible.

    `check_roads` is called when there is none, and raises when a position has no road at all.
    """
    for costing in costings_of(options):
        request = {**matrix_request(ends[:1], ends[1:], costing), **(SHAPES if drawn else {})}
        pair = _ask(request, service, deadline)
        if pair is not None:
            return pair
    check_roads()
    return None


def _ask(request: Request, service: Service, deadline: Deadline) -> Pair | None:
    try:
        answer = service.ask(Action.MATRIX, request, deadline)
    except Refused as refused:
        if refused.code not in NO_PATH:
            raise
        return None
    travel = read_matrix(answer)[0][0]
    return None if travel is None else Pair(travel, _line_of(answer))


def _line_of(answer: Any) -> Line:
    """Return the line; none for a way of no length."""
    shapes = answer["sources_to_targets"].get("shapes")
    line = decode_polyline(shapes[0][0]) if shapes and shapes[0][0] else ()
    return line if len(line) > 1 else ()
