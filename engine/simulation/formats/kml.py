"""Tracks from KML: ``gx:Track``, points with times, and lines.

https://developers.google.com/kml/documentation/kmlreference describes them. Names are taken whatever their
namespace: ``Track`` is Google's own in KML 2.2 and belongs to KML from 2.3 on.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.domain.values.dataclass import dataclass
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found, Skipped
from engine.simulation.formats.xml import FOREIGN, Place

_WORD: Final = re.compile(r"\S+")
_ACCURACY: Final = ("accuracy", "horizontalaccuracy", "hacc")


@dataclass(slots=True)
class _Track:
    """A track whose end has not gone by: its times, its positions and the accuracies beside them."""

    line: int
    times: list[str] = field(default_factory=list)
    positions: list[str] = field(default_factory=list)
    accuracies: list[str] = field(default_factory=list)
    of_accuracy: bool = False


@dataclass(slots=True)
class _Placemark:
    coordinates: str | None = None
    begin: str = ""
    end: str = ""


@dataclass(slots=True)
class _Kind:
    """Path found in one of the ways in which it can be written."""

    points: list[TrackPoint] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)


class KmlHandler:
    """Takes the positions of tracks; where there is none those of points with times, else those of lines."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._tracks, self._timed, self._lines = _Kind(), _Kind(), _Kind()
        self._track: _Track | None = None
        self._placemark = _Placemark()

    def wants(self, place: Place) -> bool:
        """Whether the text of an element is needed."""
        return _local(place) in ("when", "coord", "coordinates", "begin", "end", "value")

    def on_start(self, place: Place, attributes: Mapping[str, str], line: int) -> None:
        """Take the beginning of an element."""
        match _local(place):
            case "Track":
                self._track = _Track(line)
            case "Placemark":
                self._placemark = _Placemark()
            case "SimpleArrayData" if self._track is not None:
                # Of several that tell it the first counts.
                is_named = attributes.get("name", "").lower() in _ACCURACY
                self._track.of_accuracy = is_named and not self._track.accuracies

    def on_end(self, place: Place, text: str, line: int, /) -> None:
        """Take the end of an element."""
        name = _local(place)
        if self._track is not None:
            self._in_track(name, text.strip(), self._track)
        elif name == "coordinates":
            self._coordinates(_local(place[:-1]), text, line)
        elif name in ("begin", "when"):
            self._placemark.begin = text.strip()
        elif name == "end":
            self._placemark.end = text.strip()
        elif name == "Placemark":
            self._end_placemark(line)

    def finish(self) -> None:
        """Hand over the best of what was found."""
        if self._track is not None:
            self._end_track(self._track)
        kinds = (self._tracks, self._timed, self._lines)
        chosen = next((kind for kind in kinds if kind.points), None)
        for kind in kinds if chosen is None else (chosen,):
            for point in kind.points:
                self._found.add(point)
            self._found.skipped.extend(kind.skipped)

    def _in_track(self, name: str, text: str, track: _Track) -> None:
        match name:
            case "when":
                track.times.append(text)
            case "coord":
                track.positions.append(text)
            case "value" if track.of_accuracy:
                track.accuracies.append(text)
            case "SimpleArrayData":
                track.of_accuracy = False
            case "Track":
                self._end_track(track)
                self._track = None

    def _end_track(self, track: _Track) -> None:
        positions = track.positions
        times = self._for_each_position(track, track.times, "times")
        accuracies = self._for_each_position(track, track.accuracies, "accuracies")
        for number, (when, at, accuracy) in enumerate(zip(times, positions, accuracies, strict=True), 1):
            place = f"line {track.line}, position {number} of the track"
            self._take(self._tracks, place, at.split(), when, accuracy)

    def _for_each_position(self, track: _Track, texts: list[str], what: str) -> list[str]:
        """Return one text for each position; that there are more or fewer is named."""
        count = len(track.positions)
        if texts and len(texts) != count:
            self._tracks.skipped.add(f"line {track.line}: the track has {len(texts)} {what} for {count} positions.")
        return texts[:count] + [""] * (count - len(texts))

    def _coordinates(self, shape: str, text: str, line: int) -> None:
        if shape == "Point":
            self._placemark.coordinates = text.strip()
        elif shape == "LineString":
            for number, position in enumerate(_WORD.finditer(text), 1):
                self._take(self._lines, f"line {line}, position {number}", position[0].split(","), "", "")

    def _end_placemark(self, line: int) -> None:
        placemark, self._placemark = self._placemark, _Placemark()
        if placemark.coordinates is None:
            return
        for when in dict.fromkeys((placemark.begin, placemark.end)):
            if when:
                self._take(self._timed, f"line {line}", placemark.coordinates.split(","), when, "")

    def _take(self, kind: _Kind, place: str, parts: list[str], when: str, accuracy: str) -> None:
        try:
            if len(parts) < 2:
                raise InvalidParameter("track", "a position is a longitude and a latitude.")
            point = TrackPoint(
                fields.position(parts[0], parts[1]),
                fields.moment(when) if when else None,
                fields.known_accuracy(accuracy) if accuracy else None,
            )
        except InvalidParameter as error:
            kind.skipped.add(f"{place}: {error.message}")
            return
        kind.points.append(point)
        fields.check_count(len(kind.points))


def _local(place: Place) -> str:
    return place[-1].removeprefix(FOREIGN) if place else ""
