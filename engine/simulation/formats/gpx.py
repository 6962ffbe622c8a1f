"""Tracks from GPX 1.0 and 1.1, as described by https://www.topografix.com/GPX/1/1/."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found, Skipped, lacking
from engine.simulation.formats.xml import FOREIGN, Place

_TRACK_POINT: Final = ("gpx", "trk", "trkseg", "trkpt")
_ROUTE_POINT: Final = ("gpx", "rte", "rtept")
_WAYPOINT: Final = ("gpx", "wpt")
_POINTS: Final = (_TRACK_POINT, _ROUTE_POINT, _WAYPOINT)

_ADDED: Final = {
    **dict.fromkeys(("accuracy", "hacc", "horizontalaccuracy", "accuracyhorizontal", "horaccur"), "accuracy"),
    **dict.fromkeys(("gpsaccuracy", "locationaccuracy", "accuracymeters", "accuracym"), "accuracy"),
    "hdop": "hdop",
    "speed": "speed",
    "foreground": "foreground",
    "stopped": "stopped",
}
"""Elements added by programs, and their meaning.

They occur in extensions, in any namespace or in none, or among the elements of GPX itself.
"""

_NOT_LETTERS: Final = re.compile("[^A-Za-z]")

_HDOP_IN_METRES: Final = ("OsmAnd", "Locus Map", "Locus Android", "Locus Pro", "Locus Free")
"""Programs that write the accuracy in metres in place of the dilution of precision."""


class _Point(Struct):
    """A position whose element is still open."""

    attributes: Mapping[str, str]
    line: int
    texts: dict[str, str] = field(default_factory=dict)


class GpxHandler:
    """Reads the points of all tracks, or else of the routes, or else the waypoints if all have times."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._points: dict[Place, list[TrackPoint]] = {place: [] for place in _POINTS}
        self._skipped: dict[Place, Skipped] = {place: Skipped() for place in _POINTS}
        self._point: _Point | None = None
        self._hdop_in_metres = False

    def wants(self, place: Place) -> bool:
        """Return whether the text of an element is needed."""
        return self._point is not None and _meaning(place) is not None

    def on_start(self, place: Place, attributes: Mapping[str, str], line: int) -> None:
        """Process the start of an element."""
        if len(place) == 1:
            self._hdop_in_metres = attributes.get("creator", "").startswith(_HDOP_IN_METRES)
        elif place in _POINTS:
            self._point = _Point(dict(attributes), line)

    def on_end(self, place: Place, text: str, _line: int, /) -> None:
        """Process the end of an element."""
        if self._point is None:
            return
        if (meaning := _meaning(place)) is not None:
            if text := text.strip():
                self._point.texts.setdefault(meaning, text)
        elif place in _POINTS:
            self._take(place, self._point)
            self._point = None

    def finish(self) -> None:
        """Add the points of the first kind that has any."""
        chosen = next((place for place in _POINTS if self._usable(place)), _TRACK_POINT)
        for point in self._usable(chosen):
            self._found.add(point)
        for place in (chosen,) if self._points[chosen] else _POINTS[:2]:
            self._found.skipped.extend(self._skipped[place])
        self._count_others(chosen)

    def _count_others(self, chosen: Place) -> None:
        """Add notes about the points that were not chosen."""
        waypoints = self._points[_WAYPOINT]
        if not self._found.count and waypoints:
            untimed = sum(point.at is None for point in waypoints)
            self._found.skip(
                f"it contains no positions of a path: {lacking(untimed, len(waypoints), 'waypoint', 'no time')}"
            )
            return
        for place, noun in ((_ROUTE_POINT, "route point"), (_WAYPOINT, "waypoint")):
            if place != chosen:
                self._found.leave_out(len(self._points[place]), noun, "not on the track")

    def _usable(self, place: Place) -> list[TrackPoint]:
        points = self._points[place]
        # Waypoints are places, not a path, unless each has the time when the device was there.
        return points if place != _WAYPOINT or all(point.at is not None for point in points) else []

    def _take(self, place: Place, point: _Point) -> None:
        try:
            made = self._made(point)
        except InvalidParameter as error:
            self._skipped[place].add(f"line {point.line}: {error.message}")
            return
        self._points[place].append(made)
        fields.check_count(len(self._points[place]))

    def _made(self, point: _Point) -> TrackPoint:
        texts = point.texts
        return TrackPoint(
            _located(point.attributes),
            fields.moment(texts["time"]) if "time" in texts else None,
            self._accuracy(texts),
            fields.flag(texts.get("foreground"), "foreground"),
            fields.flag(texts.get("stopped"), "stopped"),
            fields.speed(texts.get("speed")),
        )

    def _accuracy(self, texts: Mapping[str, str]) -> float | None:
        if accuracy := texts.get("accuracy"):
            return fields.known_accuracy(fields.decimal(accuracy))
        if not (hdop := fields.decimal(texts.get("hdop", ""))):
            return None
        return fields.known_accuracy(hdop) if self._hdop_in_metres else fields.accuracy_by_hdop(hdop)


@lru_cache(maxsize=1_024)
def _meaning(place: Place) -> str | None:
    """Return the meaning of an element in a point, or None."""
    depth = next((len(each) for each in _POINTS if place[: len(each)] == each), len(place))
    if place[depth:] == ("time",):
        return "time"
    if len(place) == depth + 1 or place[depth : depth + 1] == ("extensions",):
        return _ADDED.get(_NOT_LETTERS.sub("", place[-1].removeprefix(FOREIGN)).lower())
    return None


def _located(attributes: Mapping[str, str]) -> Point:
    return fields.position(fields.decimal(attributes.get("lon", "")), fields.decimal(attributes.get("lat", "")))
