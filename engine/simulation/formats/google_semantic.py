"""Tracks from Google Takeout's Semantic Location History: a file per month of activities with paths, and visits.

https://locationhistoryformat.com describes it. The points of ``simplifiedRawPath`` were measured and have times. Those
of ``waypointPath``, and the stops of ``transitPath``, only lie on the route. Positions may be missing.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import TrackPoint
from engine.domain.words import count
from engine.geo.earth import metres_between
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found, lacking
from engine.simulation.formats.google import point_of_e7, time_of
from engine.simulation.formats.json_values import JsonObject, as_list, as_object, first, inner

_MEASURED: Final = ("simplifiedRawPath", "points")
_ON_THE_WAY: Final = (("waypointPath", "waypoints"), ("transitPath", "transitStops"))
_SIDES: Final = ("start", "end")
_MISSING: Final = {"start": "no start position", "end": "no end position"}


def read_semantic(document: JsonObject, found: Found) -> None:
    """Read the positions of a month from activities and visits, counting those without a position."""
    month = _Month(found)
    for index, value in enumerate(as_list(document.get("timelineObjects"), "timelineObjects")):
        place = f"timelineObjects[{index}]"
        if not isinstance(value, dict):
            found.skip(f"{place} must be an object.")
        elif isinstance(segment := inner(value, "activitySegment"), dict):
            month.take_activity(segment, f"{place}.activitySegment")
        elif isinstance(visit := inner(value, "placeVisit"), dict):
            month.take_visit(visit, f"{place}.placeVisit")
    month.add_notes()
    found.order_by_time()


class _Month:
    """Reads the positions of a month, and counts missing positions and estimated times."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._counts: Counter[str] = Counter()

    def take_activity(self, segment: JsonObject, place: str) -> None:
        """Read the ends and the path of an activity."""
        times = _times(segment)
        ends = [self._end_of(segment, times, side, place) for side in _SIDES]
        measured = _list_of(segment, *_MEASURED)
        on_the_way = next(((path, steps) for path in _ON_THE_WAY if (steps := _list_of(segment, *path))), None)
        self._take(ends[0])
        for index, point in enumerate(measured):
            self._found.attempt(f"{place}.simplifiedRawPath.points[{index}]", lambda: _raw(point))  # noqa: B023
        if on_the_way is not None and measured:
            self._counts["unused"] += len(on_the_way[1])
        elif on_the_way is not None:
            path, steps = on_the_way
            self._take_path(steps, f"{place}.{'.'.join(path)}", times, ends)
        self._take(ends[1])

    def take_visit(self, visit: JsonObject, place: str) -> None:
        """Read a visit, during which the device is stopped."""
        self._counts["visits"] += 1
        if _is_nowhere(visit.get("location")):
            self._counts["visits without"] += 1
            return
        times = _times(visit)
        for side in _SIDES:
            self._found.attempt(
                f"{place}.location",
                lambda: _place_at(visit.get("location"), times, side, stopped=True),  # noqa: B023
            )

    def add_notes(self) -> None:
        """Add notes about missing positions and estimated times."""
        counts, note = self._counts, self._found.note
        for side in _SIDES:
            if missing := counts[f"{side} without"]:
                note(lacking(missing, counts["activities"], "activity", _MISSING[side], "activities"))
        if missing := counts["visits without"]:
            note(lacking(missing, counts["visits"], "visit", "no position"))
        if estimated := counts["estimated"]:
            points = count(estimated, "way point")
            note(f"{points} got its time by distance." if estimated == 1 else f"{points} got their times by distance.")
        self._found.leave_out(counts["unused"], "way point", "beside a measured path")

    def _end_of(self, segment: JsonObject, times: JsonObject, side: str, place: str) -> TrackPoint | None:
        """Return one end of an activity, or None if the file has no position for it."""
        self._counts["activities"] += side == "start"
        location = segment.get(f"{side}Location")
        if _is_nowhere(location):
            self._counts[f"{side} without"] += 1
            return None
        try:
            return _place_at(location, times, side)
        except InvalidParameter as error:
            self._found.skip(f"{place}.{side}Location: {error.message}")
            return None

    def _take(self, point: TrackPoint | None) -> None:
        if point is not None:
            self._found.add(point)

    def _take_path(self, steps: list[Any], place: str, times: JsonObject, ends: list[TrackPoint | None]) -> None:
        """Add the positions on the route, with times proportional to the distance between the ends."""
        way = list(self._positions(steps, place))
        begin, end = (None if point is None else point.point for point in ends)
        if way and way[0] == begin:
            del way[0]
        if way and way[-1] == end:
            del way[-1]
        whole = [*([begin] if begin else []), *way, *([end] if end else [])]
        offset = 1 if begin else 0
        try:
            first_at, last_at = time_of(times, "startTimestamp"), time_of(times, "endTimestamp")
        except InvalidParameter as error:
            self._found.skip(f"{place}: {error.message}")
            return
        shares = _shares(whole)[offset : offset + len(way)]
        for position, part in zip(way, shares, strict=True):
            self._found.add(TrackPoint(position, first_at + _rounded((last_at - first_at) * part)))
        self._counts["estimated"] += len(way)

    def _positions(self, steps: list[Any], place: str) -> Iterator[Point]:
        for index, value in enumerate(steps):
            try:
                step = as_object(value, "it")
                yield point_of_e7(first(step, ("latE7", "latitudeE7")), first(step, ("lngE7", "longitudeE7")))
            except InvalidParameter as error:
                self._found.skip(f"{place}[{index}]: {error.message}")


def _shares(positions: list[Point]) -> list[float]:
    """Return the fraction of the route before each position, in equal steps if the route has no length."""
    passed = [0.0]
    for one, following in pairwise(positions):
        passed.append(passed[-1] + metres_between(one, following))
    if passed[-1] == 0:
        return [index / max(len(positions) - 1, 1) for index in range(len(positions))]
    return [metres / passed[-1] for metres in passed]


def _rounded(passed: timedelta) -> timedelta:
    return timedelta(seconds=round(passed.total_seconds()))


def _is_nowhere(location: object) -> bool:
    """Return whether a location has no position."""
    return inner(location, "latitudeE7") is None and inner(location, "longitudeE7") is None


def _list_of(value: JsonObject, *names: str) -> list[Any]:
    found = inner(value, *names)
    return found if isinstance(found, list) else []


def _times(value: JsonObject) -> JsonObject:
    duration = value.get("duration")
    return duration if isinstance(duration, dict) else {}


def _place_at(value: object, times: JsonObject, side: str, *, stopped: bool | None = None) -> TrackPoint:
    point = point_of_e7(inner(value, "latitudeE7"), inner(value, "longitudeE7"))
    return TrackPoint(point, time_of(times, f"{side}Timestamp"), stopped=stopped)


def _raw(value: object) -> TrackPoint:
    record = as_object(value, "it")
    accuracy = record.get("accuracyMeters")
    return TrackPoint(
        point_of_e7(record.get("latE7"), record.get("lngE7")),
        time_of(record, "timestamp"),
        None if accuracy is None else fields.known_accuracy(accuracy),
    )
