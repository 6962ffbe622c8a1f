"""Tracks from GeoJSON (RFC 7946): lines whose times are listed beside them, or points in order."""

from collections.abc import Iterator
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.domain.words import count
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found
from engine.simulation.formats.json_values import JsonObject, as_list, as_object, first

_POINT_TIMES: Final = ("time", "timestamp", "updatedAt", "createdAt")
_SHAPES: Final = ("LineString", "MultiLineString", "Point", "MultiPoint")


def read(document: JsonObject, found: Found) -> None:
    """Find the positions of all lines and points, in order; other shapes are ignored.

    Raises `InvalidParameter` whose text names the place as a path, such as ``features[3].geometry``; a feature or a
    position that cannot be read is only named.
    """
    for place, feature in _features(document):
        try:
            line = _line_of(place, feature)
        except InvalidParameter as error:
            found.skip(error.message)
            continue
        for at, position, time, properties in line:
            found.attempt(at, lambda: _point(position, time, properties))  # noqa: B023 - called at once


def _features(document: JsonObject) -> Iterator[tuple[str, object]]:
    match document.get("type"):
        case "FeatureCollection":
            for index, feature in enumerate(as_list(document.get("features"), "features")):
                yield f"features[{index}]", feature
        case "Feature":
            yield "", document
        case kind if kind in _SHAPES:
            yield "", {"type": "Feature", "geometry": document, "properties": {}}
        case other:
            raise InvalidParameter("track", f"type: {other!r} is not a GeoJSON feature, collection or line.")


type _Position = tuple[str, object, object, JsonObject]
"""The place of a position in the file, the position, its time and what else is said of it."""


def _line_of(place: str, value: object) -> list[_Position]:
    feature = as_object(value, place)
    prefix = f"{place}." if place else ""
    if feature.get("geometry") is None:
        return []
    shape = as_object(feature["geometry"], f"{prefix}geometry")
    properties = as_object(feature.get("properties") or {}, f"{prefix}properties")
    coordinates, at = shape.get("coordinates"), f"{prefix}geometry.coordinates"
    match shape.get("type"):
        case "LineString":
            return list(_line(coordinates, _times(properties, prefix), at))
        case "MultiLineString":
            return list(_lines(coordinates, _times(properties, prefix), at))
        case "Point":
            return [(at, coordinates, first(properties, _POINT_TIMES), properties)]
    return []


def _lines(value: object, times: list[Any] | None, place: str) -> Iterator[_Position]:
    lines = as_list(value, place)
    if times is not None and len(times) != len(lines):
        raise InvalidParameter("track", f"{place}: {count(len(lines), 'line')}, but times for {len(times):,}.")
    for index, line in enumerate(lines):
        of_line = None if times is None else as_list(times[index], f"the times of {place}[{index}]")
        yield from _line(line, of_line, f"{place}[{index}]")


def _line(value: object, times: list[Any] | None, place: str) -> Iterator[_Position]:
    positions = as_list(value, place)
    fields.check_count(len(positions))
    if times is not None and len(times) != len(positions):
        raise InvalidParameter(
            "track", f"{place}: {count(len(positions), 'position')}, but {count(len(times), 'time')}."
        )
    for index, position in enumerate(positions):
        yield f"{place}[{index}]", position, None if times is None else times[index], {}


def _point(value: object, time: object, properties: JsonObject) -> TrackPoint:
    if not isinstance(value, list) or len(value) < 2:
        raise InvalidParameter("track", "a position is [longitude, latitude].")
    accuracy = properties.get("accuracy")
    return TrackPoint(
        fields.position(value[0], value[1]),
        None if time is None else fields.moment(time),
        None if accuracy is None else fields.accuracy(accuracy),
        fields.flag(properties.get("foreground"), "foreground"),
        fields.flag(properties.get("stopped"), "stopped"),
    )


def _times(properties: JsonObject, place: str) -> list[Any] | None:
    """Return the times beside a line: of the older convention, or of the newer one that nests them."""
    nested = properties.get("coordinateProperties")
    inside = as_object(nested, f"{place}properties.coordinateProperties") if nested is not None else {}
    found = first({**inside, **properties}, ("coordTimes", "times"))
    return None if found is None else as_list(found, f"{place}properties.coordTimes")
