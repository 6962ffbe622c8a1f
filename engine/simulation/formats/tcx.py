"""Tracks from TCX, the Training Center XML of sports watches and portals.

https://www8.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd describes it. A track point has a time and usually a
position; its speed is in an extension, in metres per second.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found, Skipped, lacking
from engine.simulation.formats.xml import FOREIGN, Place

_POINT: Final = "Trackpoint"
_READ: Final = ("Time", "LatitudeDegrees", "LongitudeDegrees", "Speed")


class _Kind(Struct):
    """The points of activities, or those of courses, which are planned."""

    points: list[TrackPoint] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    count: int = 0
    without_position: int = 0


class TcxHandler:
    """Reads the track points of all activities in order, or those of courses if no activity has any."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._activities, self._courses = _Kind(), _Kind()
        self._texts: dict[str, str] | None = None
        self._line = 0

    def wants(self, place: Place) -> bool:
        """Return whether the text of an element is needed."""
        return self._texts is not None and _local(place) in _READ

    def on_start(self, place: Place, _attributes: Mapping[str, str], line: int) -> None:
        """Process the start of an element."""
        if _local(place) == _POINT:
            self._texts, self._line = {}, line

    def on_end(self, place: Place, text: str, _line: int, /) -> None:
        """Process the end of an element."""
        name = _local(place)
        if self._texts is None:
            return
        if name in _READ and text.strip():
            self._texts.setdefault(name, text.strip())
        elif name == _POINT:
            self._take(self._courses if "Courses" in place else self._activities, self._texts)
            self._texts = None

    def finish(self) -> None:
        """Add the points of the activities, or else of the courses."""
        chosen, other = self._activities, self._courses
        if not chosen.points and other.points:
            chosen, other = other, chosen
        for point in chosen.points:
            self._found.add(point)
        self._found.skipped.extend(chosen.skipped)
        if chosen.without_position:
            self._found.note(lacking(chosen.without_position, chosen.count, "track point", "no position"))
        self._found.leave_out(len(other.points), "track point", "of a course, which is planned,")

    def _take(self, kind: _Kind, texts: Mapping[str, str]) -> None:
        kind.count += 1
        latitude, longitude = texts.get("LatitudeDegrees"), texts.get("LongitudeDegrees")
        if latitude is None and longitude is None:
            kind.without_position += 1
            return
        try:
            point = TrackPoint(
                fields.position(longitude, latitude),
                fields.moment(texts["Time"]) if "Time" in texts else None,
                speed_mps=fields.speed(texts.get("Speed")),
            )
        except InvalidParameter as error:
            kind.skipped.add(f"line {self._line}: {error.message}")
            return
        kind.points.append(point)
        fields.check_count(len(kind.points))


def _local(place: Place) -> str:
    return place[-1].removeprefix(FOREIGN)
