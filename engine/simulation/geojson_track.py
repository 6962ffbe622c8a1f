"""Tracks from GeoJSON: lines whose times are listed beside them, or points in order."""

import json
from collections.abc import Iterator
from typing import Any, Final, cast

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation import fields

_POINT_TIMES = ("time", "timestamp", "updatedAt", "createdAt")

_BRACKETS: Final = 2
"""How many brackets a file may have for each position: some are of other lists."""

type _Object = dict[str, Any]


def read(data: bytes) -> tuple[TrackPoint, ...]:
    """Return the positions of all lines and points in the GeoJSON `data`, in order; other shapes are ignored.

    Raises `InvalidParameter` whose text names the place as a path, such as ``features[3].geometry``.
    """
    # Each position has a bracket of its own; before anything is parsed, since that takes many times as long.
    fields.check_count(data.count(b"[") // _BRACKETS)
    document = _parse(data)
    return fields.bounded(point for place, feature in _features(document) for point in _points(place, feature))


def _parse(data: bytes) -> _Object:
    try:
        document = json.loads(not_too_deep(data))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidParameter("track", f"{where}: it is not JSON: {error.msg}.") from None
    except NestedTooDeeply as error:
        raise InvalidParameter("track", f"{error}.") from None
    except ValueError:  # not UTF-8, or a number of thousands of digits
        raise InvalidParameter("track", "its text cannot be read as JSON in UTF-8.") from None
    return _object(document, "the document")


def _features(document: _Object) -> Iterator[tuple[str, _Object]]:
    match document.get("type"):
        case "FeatureCollection":
            for index, feature in enumerate(_list(document.get("features"), "features")):
                place = f"features[{index}]"
                yield f"{place}.", _object(feature, place)
        case "Feature":
            yield "", document
        case "LineString" | "MultiLineString" | "Point" | "MultiPoint" as kind:
            yield "", {"type": "Feature", "geometry": document, "properties": {"kind": kind}}
        case other:
            raise InvalidParameter("track", f"type: {other!r} is not a GeoJSON feature, collection or line.")


def _points(place: str, feature: _Object) -> Iterator[TrackPoint]:
    geometry = feature.get("geometry")
    if geometry is None:
        return
    shape = _object(geometry, f"{place}geometry")
    properties = _object(feature.get("properties") or {}, f"{place}properties")
    coordinates, at = shape.get("coordinates"), f"{place}geometry.coordinates"
    match shape.get("type"):
        case "LineString":
            yield from _line(coordinates, _times(properties, place), at)
        case "MultiLineString":
            yield from _lines(coordinates, _times(properties, place), at)
        case "Point":
            yield _point(coordinates, _first(properties, _POINT_TIMES), at, properties.get("accuracy"))


def _lines(value: object, times: list[Any] | None, place: str) -> Iterator[TrackPoint]:
    lines = _list(value, place)
    if times is not None and len(times) != len(lines):
        raise InvalidParameter("track", f"{place}: {len(lines)} lines, but times for {len(times)}.")
    for index, line in enumerate(lines):
        inner = None if times is None else _list(times[index], f"the times of {place}[{index}]")
        yield from _line(line, inner, f"{place}[{index}]")


def _line(value: object, times: list[Any] | None, place: str) -> Iterator[TrackPoint]:
    positions = _list(value, place)
    if times is not None and len(times) != len(positions):
        raise InvalidParameter("track", f"{place}: {len(positions)} positions, but {len(times)} times.")
    for index, position in enumerate(positions):
        yield _point(position, None if times is None else times[index], f"{place}[{index}]", None)


def _point(value: object, time: object, place: str, accuracy: object) -> TrackPoint:
    position = _list(value, place)
    if len(position) < 2:
        raise InvalidParameter("track", f"{place}: a position is [longitude, latitude].")
    try:
        return TrackPoint(
            fields.position(position[0], position[1]),
            None if time is None else fields.moment(time),
            None if accuracy is None else fields.accuracy(accuracy),
        )
    except InvalidParameter as error:
        raise InvalidParameter(error.param, f"{place}: {error.message}") from None


def _times(properties: _Object, place: str) -> list[Any] | None:
    """Return the times beside a line: of the older convention, or of the newer one that nests them."""
    nested = properties.get("coordinateProperties")
    inside = _object(nested, f"{place}properties.coordinateProperties") if nested is not None else {}
    found = _first({**inside, **properties}, ("coordTimes", "times"))
    return None if found is None else _list(found, f"{place}properties.coordTimes")


def _first(properties: _Object, names: tuple[str, ...]) -> object:
    return next((properties[name] for name in names if properties.get(name) is not None), None)


def _object(value: object, place: str) -> _Object:
    if isinstance(value, dict):
        return cast(_Object, value)
    raise InvalidParameter("track", f"{place} must be an object.")


def _list(value: object, place: str) -> list[Any]:
    if isinstance(value, list):
        return value
    raise InvalidParameter("track", f"{place} must be a list.")
