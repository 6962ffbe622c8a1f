"""Tracks from GPX 1.0 and 1.1."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from xml.parsers import expat

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.nesting import MAX_DEPTH
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation import fields

_TRACK_POINT: Final = ("gpx", "trk", "trkseg", "trkpt")
_ROUTE_POINT: Final = ("gpx", "rte", "rtept")
_POINTS: Final = (_TRACK_POINT, _ROUTE_POINT)
_TIMES: Final = tuple((*place, "time") for place in _POINTS)

_MAX_TIME: Final = 100
_LOOSE_TIME: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2}):(\d{1,2})(.*)", re.ASCII)
"""A time whose numbers some programs write without their zeros."""


def read(data: bytes) -> tuple[TrackPoint, ...]:
    """Return the points of all tracks in the GPX `data`, or of its routes where no track has a point.

    Raises `InvalidParameter` whose text names the line.
    """
    reader = _Reader()
    reader.read(data)
    return tuple(reader.on_tracks or reader.on_routes)


class _Reader:
    """Takes the points while the XML goes by. No tree is made of it, and what only attacks contain is refused."""

    def __init__(self) -> None:
        self.on_tracks: list[TrackPoint] = []
        self.on_routes: list[TrackPoint] = []
        self._namespace = ""
        self._place: tuple[str, ...] = ()
        self._position: Point | None = None
        self._at: datetime | None = None
        self._time: str | None = None
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.StartElementHandler = self._on_start
        self._parser.CharacterDataHandler = self._on_text
        self._parser.EndElementHandler = self._on_end

    def read(self, data: bytes) -> None:
        """Read all of it; raises `InvalidParameter`."""
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InvalidParameter(
                "track", f"line {error.lineno}, column {error.offset + 1}: it is not XML: {reason}."
            ) from None
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise InvalidParameter("track", f"line 1: it is not XML: {error}.") from None

    def _on_doctype(self, *_: object) -> None:
        raise self._refusal("a document type is not allowed in GPX.")

    def _on_start(self, name: str, attributes: Mapping[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if not self._place:
            if local != "gpx":
                raise self._refusal(f"it is not GPX: the document is <{local}>.")
            self._namespace = namespace
        if len(self._place) == MAX_DEPTH:
            raise self._refusal(f"it is nested more than {MAX_DEPTH} levels deep.")
        # What programs add of their own has a namespace of its own.
        self._place = (*self._place, local if namespace == self._namespace else "")
        if self._place in _POINTS:
            self._position, self._at = self._located(attributes), None
        elif self._place in _TIMES and self._at is None:
            self._time = ""

    def _on_text(self, text: str) -> None:
        if self._time is not None and len(self._time) < _MAX_TIME:
            self._time += text

    def _on_end(self, _name: str) -> None:
        if self._time is not None and self._place in _TIMES:
            self._at, self._time = self._moment(self._time.strip()), None
        elif self._position is not None and self._place in _POINTS:
            points = self.on_tracks if self._place == _TRACK_POINT else self.on_routes
            points.append(TrackPoint(self._position, self._at))
            fields.check_count(len(points))
            fields.check_count(len(points))
        self._place = self._place[:-1]

    def _located(self, attributes: Mapping[str, str]) -> Point:
        try:
            return fields.position(attributes.get("lon", ""), attributes.get("lat", ""))
        except InvalidParameter as error:
            raise self._refusal(error.message) from None

    def _moment(self, text: str) -> datetime | None:
        if not text:
            return None
        if loose := _LOOSE_TIME.fullmatch(text):
            year, *rest, end = loose.groups()
            month, day, hour, minute, second = (part.zfill(2) for part in rest)
            text = f"{year}-{month}-{day}T{hour}:{minute}:{second}{end}"
        try:
            return fields.moment(text)
        except InvalidParameter as error:
            raise self._refusal(error.message) from None

    def _refusal(self, message: str) -> InvalidParameter:
        return InvalidParameter("track", f"line {self._parser.CurrentLineNumber}: {message}")
