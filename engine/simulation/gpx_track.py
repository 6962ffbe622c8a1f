"""Tracks from GPX 1.0 and 1.1."""

from collections.abc import Iterable, Iterator
from xml.parsers import expat

import gpxpy
from gpxpy.gpx import GPX, GPXException, GPXRoutePoint, GPXTrackPoint

from engine.domain.errors import InvalidParameter
from engine.domain.tracks import TrackPoint
from engine.simulation import fields

_BYTE_ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}

type _Place = tuple[str, GPXTrackPoint | GPXRoutePoint]


def read(data: bytes) -> tuple[TrackPoint, ...]:
    """Return the points of all tracks in the GPX `data`, or of its routes where no track has a point.

    Raises `InvalidParameter` whose text names the line, or the point by its number.
    """
    gpx = _parse(_checked_text(data))
    return _points(_track_points(gpx)) or _points(_route_points(gpx))


def _points(places: Iterable[_Place]) -> tuple[TrackPoint, ...]:
    return tuple(_point(place, point) for place, point in places)


def _point(place: str, point: GPXTrackPoint | GPXRoutePoint) -> TrackPoint:
    try:
        position = fields.position(point.longitude, point.latitude)
    except InvalidParameter as error:
        raise InvalidParameter(error.param, f"{place}: {error.message}") from None
    # Through ISO text: the library's own time zones refuse some operations.
    return TrackPoint(position, None if point.time is None else fields.moment(point.time.isoformat()))


def _track_points(gpx: GPX) -> Iterator[_Place]:
    for t, track in enumerate(gpx.tracks, 1):
        for s, segment in enumerate(track.segments, 1):
            for p, point in enumerate(segment.points, 1):
                yield f"track {t}, segment {s}, point {p}", point


def _route_points(gpx: GPX) -> Iterator[_Place]:
    for r, route in enumerate(gpx.routes, 1):
        for p, point in enumerate(route.points, 1):
            yield f"route {r}, point {p}", point


def _parse(text: str) -> GPX:
    try:
        return gpxpy.parse(text)
    except (GPXException, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise InvalidParameter("track", f"it is not valid GPX: {error}.") from None


class _Checker:
    """Reads XML for its well-formedness alone, to name lines and to refuse what only attacks contain."""

    def __init__(self) -> None:
        self.encoding = "utf-8"
        self.root: str | None = None
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
        line = self._parser.CurrentLineNumber
        raise InvalidParameter("track", f"line {line}: a document type is not allowed in GPX.")

    def _on_element(self, name: str, _attributes: dict[str, str]) -> None:
        if self.root is None:
            self.root = name
            if name.rpartition(":")[2] != "gpx":
                line = self._parser.CurrentLineNumber
                raise InvalidParameter("track", f"line {line}: it is not GPX: the document is <{name}>.")


def _checked_text(data: bytes) -> str:
    checker = _Checker()
    checker.check(data)
    encoding = next((e for mark, e in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), checker.encoding)
    try:
        return data.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        raise InvalidParameter("track", f"its text cannot be read: {error}.") from None
