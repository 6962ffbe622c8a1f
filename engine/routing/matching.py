"""Matches of recorded paths, assembled from parts if the path has gaps that no road connects.

Valhalla returns the first connected part only.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.routing import Fixed, Match, MatchedPoint, MatchedRoad, TravelMode
from engine.domain.values import replace
from engine.routing.answering import read_match
from engine.routing.asking import match_request
from engine.routing.service import NO_MATCH, Action, Deadline, Refused, Service

MAX_PARTS: Final = 64
_STRIDE: Final = 2
"""Growth of the step to the next candidate for a part on roads: one position, then two, four …"""


class Matcher:
    """Matches paths to the roads of one service."""

    def __init__(self, service: Service, deadline: Deadline, mode: TravelMode) -> None:
        self._service = service
        self._deadline = deadline
        self._mode = mode

    def parts(self, path: Sequence[Fixed], stretch: range) -> Iterator[Match]:
        """Yield the matched parts of a stretch of a path in order, with the indexes of the path."""
        start, step = stretch.start, 1
        for _ in range(MAX_PARTS):
            if stretch.stop - start < 2:
                return
            part = self._first_part(path[start : stretch.stop], start)
            if part is None or not part.points:
                start, step = start + step, step * _STRIDE
                continue
            yield part
            start, step = part.points[-1].original_index + 1, 1

    def _first_part(self, rest: Sequence[Fixed], start: int) -> Match | None:
        request, read = match_request(rest, self._mode), partial(read_match, positions=len(rest))
        try:
            return _moved(self._service.ask(Action.MATCH, request, self._deadline, read), start)
        except Refused as refused:
            if refused.code not in NO_MATCH:
                raise
            return None


def gaps_between(parts: Sequence[Match], count: int) -> list[range]:
    """Return the stretches of a path of `count` positions before, between and after ordered parts.

    A single position is no stretch.
    """
    starts = [0, *(part.points[-1].original_index + 1 for part in parts)]
    stops = [*(part.points[0].original_index for part in parts), count]
    return [range(start, stop) for start, stop in zip(starts, stops, strict=True) if stop - start > 1]


def joined(parts: Sequence[Match], mode: TravelMode, place: str) -> Match:
    """Return ordered parts joined into one match. Raises `InvalidParameter` for ``path`` if there are no parts."""
    if not parts:
        raise InvalidParameter("path", f"path: does not follow any road for {mode} in {place}.")
    return Match(
        points=tuple(point for part in parts for point in part.points),
        roads=tuple(road for part in parts for road in part.roads),
        line=tuple(position for part in parts for position in part.line),
        distance_m=sum(part.distance_m for part in parts),
    )


def _moved(match: Match, by: int) -> Match:
    """Return a match of a part of a path with the indexes of the whole path."""
    if by == 0:
        return match
    points = tuple(MatchedPoint(point.point, point.original_index + by) for point in match.points)
    return replace(match, points=points, roads=tuple(_moved_road(road, by) for road in match.roads))


def _moved_road(road: MatchedRoad, by: int) -> MatchedRoad:
    return road if road.original_index is None else replace(road, original_index=road.original_index + by)
