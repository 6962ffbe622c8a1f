"""Matches of recorded paths, put together from parts where the path has gaps that no road connects.

Valhalla answers with the first connected part only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.routing import Fixed, Match, MatchedPoint, MatchedRoad, TravelMode
from engine.routing.answering import read_match
from engine.routing.asking import match_request
from engine.routing.service import NO_MATCH, Action, Deadline, Refused, Service

MAX_PARTS: Final = 64
_STRIDE: Final = 2
"""How fast the search for the next part that lies on roads moves on: by one position, then two, four …"""


class Matcher:
    """Matches one path."""

    def __init__(self, service: Service, deadline: Deadline, mode: TravelMode, place: str) -> None:
        """`place` names in errors where there are roads."""
        self._service = service
        self._deadline = deadline
        self._mode = mode
        self._place = place

    def match(self, path: Sequence[Fixed]) -> Match:
        """Return the whole; raises `InvalidParameter` ``path`` when nothing of it lies on roads."""
        parts = list(self._parts(path))
        if not parts:
            raise InvalidParameter("path", f"path: no road for {self._mode} leads along it in {self._place}.")
        return Match(
            points=tuple(point for part in parts for point in part.points),
            roads=tuple(road for part in parts for road in part.roads),
            line=tuple(position for part in parts for position in part.line),
            distance_m=sum(part.distance_m for part in parts),
        )

    def _parts(self, path: Sequence[Fixed]) -> Iterator[Match]:
        start, step = 0, 1
        for _ in range(MAX_PARTS):
            if len(path) - start < 2:
                return
            part = self._first_part(path, start)
            if part is None or not part.points:
                start, step = start + step, step * _STRIDE
                continue
            yield part
            start, step = part.points[-1].original_index + 1, 1

    def _first_part(self, path: Sequence[Fixed], start: int) -> Match | None:
        request = match_request(path[start:], self._mode)
        try:
            return _moved(read_match(self._service.ask(Action.MATCH, request, self._deadline)), start)
        except Refused as refused:
            if refused.code not in NO_MATCH:
                raise
            return None


def _moved(match: Match, by: int) -> Match:
    """Return a match of the rest of a path with the indexes of the whole."""
    if by == 0:
        return match
    points = tuple(MatchedPoint(point.point, point.original_index + by) for point in match.points)
    return replace(match, points=points, roads=tuple(_moved_road(road, by) for road in match.roads))


def _moved_road(road: MatchedRoad, by: int) -> MatchedRoad:
    return road if road.original_index is None else replace(road, original_index=road.original_index + by)
