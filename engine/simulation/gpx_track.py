"""Tracks from GPX 1.0 and 1.1."""

import re
from xml.parsers import expat

import gpxpy
from gpxpy.gpx import GPX, GPXException, GPXRoutePoint, GPXTrackPoint

from engine.domain.errors import InvalidParameter
from engine.domain.tracks import TrackPoint
from engine.simulation import fields

_BYTE_ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}

_POINTS = ("trkpt", "rtept")

type _Point = GPXTrackPoint | GPXRoutePoint


def read(data: bytes) -> tuple[TrackPoint, ...]:
    """Return the points of all tracks in the GPX `data`, or of its routes where no track has a point.

    Raises `InvalidParameter` whose text names the line.
    """
    gpx = _parse(_checked_text(data))
    on_tracks = (point for track in gpx.tracks for segment in track.segments for point in segment.points)
    on_routes = (point for route in gpx.routes for point in route.points)
    return tuple(map(_point, on_tracks)) or tuple(map(_point, on_routes))


def _point(point: _Point) -> TrackPoint:
    position = fields.position(point.longitude, point.latitude)
    # Through ISO text: the library's own time zones refuse some operations.
    return TrackPoint(position, None if point.time is None else fields.moment(point.time.isoformat()))


def _parse(text: str) -> GPX:
    try:
        return gpxpy.parse(text)
    except (GPXException, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise InvalidParameter("track", f"it is not valid GPX: {error}.") from None


class _Checker:
    """Reads the XML ahead of the library: names lines, and refuses what only attacks contain."""

    def __init__(self) -> None:
        self.encoding = "utf-8"
        self.prefix: str | None = None
        self._parser = expat.ParserCreate()
        self._parser.XmlDeclHandler = self._on_declaration
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.StartElementHandler = self._on_element

    def check(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InvalidParameter(
                "track", f"line {error.lineno}, column {error.offset + 1}: it is not XML: {reason}."
            ) from None
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise InvalidParameter("track", f"line 1: it is not XML: {error}.") from None

    def _on_declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        self.encoding = encoding or self.encoding

    def _on_doctype(self, *_: object) -> None:
        raise self._refusal("a document type is not allowed in GPX.")

    def _on_element(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        if self.prefix is None:
            if local != "gpx":
                raise self._refusal(f"it is not GPX: the document is <{name}>.")
            self.prefix = prefix
        elif local in _POINTS:
            try:
                fields.position(attributes.get("lon", ""), attributes.get("lat", ""))
            except InvalidParameter as error:
                raise self._refusal(error.message) from None

    def _refusal(self, message: str) -> InvalidParameter:
        return InvalidParameter("track", f"line {self._parser.CurrentLineNumber}: {message}")


def _checked_text(data: bytes) -> str:
    checker = _Checker()
    checker.check(data)
    encoding = next((e for mark, e in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), checker.encoding)
    try:
        text = data.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        raise InvalidParameter("track", f"its text cannot be read: {error}.") from None
    # The library knows elements of the default namespace only.
    return re.sub(rf"(</?){re.escape(checker.prefix)}:", r"\1", text) if checker.prefix else text
