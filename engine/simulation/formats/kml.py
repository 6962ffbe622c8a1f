"""Tracks from KML: ``gx:Track``, points with times, and lines.

https://developers.google.com/kml/documentation/kmlreference describes them. Names are read in any namespace: ``Track``
is Google's own in KML 2.2 and belongs to KML from 2.3 on.
"""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.domain.words import count
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found, Skipped
from engine.simulation.formats.xml import FOREIGN, Place

_WORD: Final = re.compile(r"\S+")
_NOT_LETTERS: Final = re.compile("[^A-Za-z]")
_ARRAYS: Final = {
    **dict.fromkeys(("accuracy", "horizontalaccuracy", "accuracyhorizontal", "hacc"), "accuracies"),
    "speed": "speeds",
}
"""Arrays of a track, by their names without spaces and punctuation, and their meaning."""


class _Track(Struct):
    """A track whose element is still open: its times, its positions and the corresponding arrays."""

    line: int
    times: list[str] = field(default_factory=list)
    positions: list[str] = field(default_factory=list)
    arrays: dict[str, list[str]] = field(default_factory=dict)
    array: list[str] | None = None


class _Shape(Struct):
    """A point or a line of a placemark, with the line of the file in which its coordinates end."""

    coordinates: str
    line: int
    is_line: bool


class _Placemark(Struct):
    shapes: list[_Shape] = field(default_factory=list)
    begin: str = ""
    end: str = ""


class _Kind(Struct):
    """Path in one of the forms in which it can be written."""

    points: list[TrackPoint] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    shapes: int = 0


class KmlHandler:
    """Reads the positions of tracks, or else of points with times, or else of lines.

    Points next to a line in the same placemark belong to it. Other elements of the file are counted.
    """

    def __init__(self, found: Found) -> None:
        self._found = found
        self._tracks, self._timed, self._lines = _Kind(), _Kind(), _Kind()
        self._untimed_points = self._areas = 0
        self._track: _Track | None = None
        self._placemark = _Placemark()

    def wants(self, place: Place) -> bool:
        """Return whether the text of an element is needed."""
        return _local(place) in ("when", "coord", "coordinates", "begin", "end", "value")

    def on_start(self, place: Place, attributes: Mapping[str, str], line: int) -> None:
        """Process the start of an element."""
        match _local(place):
            case "Track":
                self._track = _Track(line)
            case "Placemark":
                self._end_placemark()
            case "SimpleArrayData" if self._track is not None:
                meaning = _ARRAYS.get(_NOT_LETTERS.sub("", attributes.get("name", "")).lower())
                # Of several arrays with this meaning, the first one is used.
                if meaning is not None and meaning not in self._track.arrays:
                    self._track.array = self._track.arrays[meaning] = []

    def on_end(self, place: Place, text: str, line: int, /) -> None:
        """Process the end of an element."""
        name = _local(place)
        if self._track is not None:
            self._in_track(name, text.strip(), self._track)
        elif name == "coordinates":
            self._coordinates(_local(place[:-1]), text, line)
        elif name in ("begin", "when"):
            self._placemark.begin = text.strip()
        elif name == "end":
            self._placemark.end = text.strip()
        elif name == "Polygon":
            self._areas += 1
        elif name == "Placemark":
            self._end_placemark()

    def finish(self) -> None:
        """Add the positions of the best kind found."""
        if self._track is not None:
            self._end_track(self._track)
        self._end_placemark()
        kinds = (self._tracks, self._timed, self._lines)
        chosen = next((kind for kind in kinds if kind.points), None)
        for kind in kinds if chosen is None else (chosen,):
            for point in kind.points:
                self._found.add(point)
            self._found.skipped.extend(kind.skipped)
        self._count_others(chosen)

    def _count_others(self, chosen: _Kind | None) -> None:
        """Add notes about the elements that were not chosen."""
        found, lines, points = self._found, self._lines.shapes, self._untimed_points
        if chosen is None and points:
            found.skip(f"it contains no positions of a path: {count(points, 'point')} without times.")
        if chosen is self._tracks:
            found.leave_out_untimed(lines, lines + self._tracks.shapes, "line")
            found.leave_out(self._timed.shapes, "point", "not on the track")
        if chosen is self._timed:
            found.leave_out_untimed(lines, lines, "line")
            found.leave_out_untimed(points, points + self._timed.shapes, "point")
        else:
            found.leave_out(points, "point", "not on the track")
        found.leave_out(self._areas, "polygon", "no path")

    def _in_track(self, name: str, text: str, track: _Track) -> None:
        match name:
            case "when":
                track.times.append(text)
            case "coord":
                track.positions.append(text)
            case "value" if track.array is not None:
                track.array.append(text)
            case "SimpleArrayData":
                track.array = None
            case "Track":
                self._end_track(track)
                self._track = None

    def _end_track(self, track: _Track) -> None:
        self._tracks.shapes += 1
        positions = track.positions
        times = self._for_each_position(track, track.times, "times")
        accuracies = self._for_each_position(track, track.arrays.get("accuracies", []), "accuracies")
        speeds = self._for_each_position(track, track.arrays.get("speeds", []), "speeds")
        rows = zip(times, positions, accuracies, speeds, strict=True)
        for number, (when, at, accuracy, speed) in enumerate(rows, 1):
            place = f"line {track.line}, position {number} of the track"
            self._take(self._tracks, place, at.split(), when, accuracy, speed)

    def _for_each_position(self, track: _Track, texts: list[str], label: str) -> list[str]:
        """Return one text for each position, naming the track if the numbers differ."""
        count = len(track.positions)
        if texts and len(texts) != count:
            self._tracks.skipped.add(f"line {track.line}: the track has {len(texts)} {label} for {count} positions.")
        return texts[:count] + [""] * (count - len(texts))

    def _coordinates(self, shape: str, text: str, line: int) -> None:
        if shape in ("Point", "LineString"):
            self._placemark.shapes.append(_Shape(text, line, shape == "LineString"))

    def _end_placemark(self) -> None:
        placemark, self._placemark = self._placemark, _Placemark()
        has_line = any(shape.is_line for shape in placemark.shapes)
        times = [when for when in dict.fromkeys((placemark.begin, placemark.end)) if when]
        if has_line:
            self._take_lines(placemark.shapes)
        elif times:
            self._take_points(placemark.shapes, times)
        else:
            self._untimed_points += len(placemark.shapes)

    def _take_lines(self, shapes: list[_Shape]) -> None:
        """Add the lines of a placemark, and its points in their order among the lines."""
        for shape in shapes:
            self._lines.shapes += shape.is_line
            for number, position in enumerate(_WORD.finditer(shape.coordinates), 1):
                place = f"line {shape.line}, position {number}"
                self._take(self._lines, place, position[0].split(","))

    def _take_points(self, shapes: list[_Shape], times: list[str]) -> None:
        """Add the points of a placemark at its time, or at both ends of its time span."""
        self._timed.shapes += len(shapes)
        for when in times:
            for shape in shapes:
                self._take(self._timed, f"line {shape.line}", shape.coordinates.strip().split(","), when)

    def _take(
        self, kind: _Kind, place: str, parts: list[str], when: str = "", accuracy: str = "", speed: str = ""
    ) -> None:
        try:
            if len(parts) < 2:
                raise InvalidParameter("track", "a position is a longitude and a latitude.")
            point = TrackPoint(
                fields.position(parts[0], parts[1]),
                fields.moment(when) if when else None,
                fields.known_accuracy(accuracy) if accuracy else None,
                speed_mps=fields.speed(speed),
            )
        except InvalidParameter as error:
            kind.skipped.add(f"{place}: {error.message}")
            return
        kind.points.append(point)
        fields.check_count(len(kind.points))


def _local(place: Place) -> str:
    return place[-1].removeprefix(FOREIGN) if place else ""
