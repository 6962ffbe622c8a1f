"""Tracks from GeoJSON (RFC 7946): lines with separate lists of times, or points in order.

Overland sends its positions as such points (https://github.com/aaronpk/Overland-iOS), in a list named ``locations``.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.domain.words import count
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found
from engine.simulation.formats.json_values import JsonObject, as_list, as_object, first

_POINT_TIMES: Final = ("time", "timestamp", "updatedAt", "createdAt", "recorded_at", "datetime")
_ACCURACIES: Final = ("accuracy", "horizontal_accuracy", "horizontalAccuracy", "hAcc")
_DEVICES: Final = ("device_id", "deviceId")
_SHAPES: Final = ("LineString", "MultiLineString", "Point", "MultiPoint", "GeometryCollection")


class _Line(Struct):
    """A line or a point: its place in the file, its positions, their times and their common properties."""

    noun: str
    place: str
    positions: list[Any]
    times: list[Any] | None
    properties: JsonObject

    @property
    def timed(self) -> bool:
        """Whether it has any time."""
        return self.times is not None and any(time is not None for time in self.times)

    def read(self, found: Found) -> None:
        """Add its positions."""
        device = first(self.properties, _DEVICES)
        for index, position in enumerate(self.positions):
            time = None if self.times is None else self.times[index]
            place = self.place if self.noun == "point" else f"{self.place}[{index}]"
            found.attempt(
                place,
                lambda: _point(position, time, self.properties),  # noqa: B023 - called at once
                None if device is None else str(device),
            )


def is_feature(value: object) -> bool:
    """Return whether a value is a complete GeoJSON feature."""
    return isinstance(value, dict) and value.get("type") == "Feature" and {"geometry", "properties"} <= value.keys()


def read(document: JsonObject, found: Found) -> None:
    """Read the positions of all lines and points in order; if some have times, only those, counting the others.

    Raises `InvalidParameter` whose message names the place as a path, such as ``features[3].geometry``. A feature or
    position that cannot be read is only named.
    """
    match document.get("type"):
        case "FeatureCollection":
            read_features(as_list(document.get("features"), "features"), "features", found)
        case "Feature":
            _read([("", document)], found)
        case kind if kind in _SHAPES:
            _read([("", {"type": "Feature", "geometry": document, "properties": {}})], found)
        case other:
            raise InvalidParameter("track", f"type: {other!r} is not a GeoJSON feature, collection or line.")


def read_features(features: list[Any], name: str, found: Found) -> None:
    """Read the positions of a list of features with this name."""
    _read([(f"{name}[{index}]", feature) for index, feature in enumerate(features)], found)


def _read(features: list[tuple[str, object]], found: Found) -> None:
    lines: list[_Line] = []
    others: Counter[str] = Counter()
    for place, feature in features:
        try:
            lines += _lines_of(place, feature, others)
        except InvalidParameter as error:
            found.skip(error.message)
    some_timed = any(line.timed for line in lines)
    for line in lines:
        if line.timed or not some_timed:
            line.read(found)
    for noun in ("line", "point"):
        timed = [line.timed for line in lines if line.noun == noun]
        if some_timed:
            found.leave_out_untimed(timed.count(False), len(timed), noun)
    found.leave_out(others.pop("", 0), "feature", "without a geometry")
    for kind, number in sorted(others.items()):
        found.leave_out(number, kind, "no path")


def _lines_of(place: str, value: object, others: Counter[str]) -> list[_Line]:
    feature = as_object(value, place)
    prefix = f"{place}." if place else ""
    if feature.get("geometry") is None:
        others[""] += 1
        return []
    shape = as_object(feature["geometry"], f"{prefix}geometry")
    properties = as_object(feature.get("properties") or {}, f"{prefix}properties")
    return list(_of_shape(shape, f"{prefix}geometry", properties, prefix, others))


def _of_shape(
    shape: JsonObject, place: str, properties: JsonObject, prefix: str, others: Counter[str]
) -> Iterator[_Line]:
    coordinates, at = shape.get("coordinates"), f"{place}.coordinates"
    match shape.get("type"):
        case "LineString":
            yield _line(coordinates, _times(properties, prefix), at)
        case "MultiLineString":
            yield from _lines(coordinates, _times(properties, prefix), at)
        case "Point":
            yield _Line("point", at, [coordinates], [first(properties, _POINT_TIMES)], properties)
        case "MultiPoint":
            points = _line(coordinates, _times(properties, prefix), at)
            yield _Line("line", at, points.positions, points.times, properties)
        case "GeometryCollection":
            members = as_list(shape.get("geometries"), f"{place}.geometries")
            for index, member in enumerate(members):
                inside = f"{place}.geometries[{index}]"
                yield from _of_shape(as_object(member, inside), inside, properties, prefix, others)
        case kind:
            others["polygon" if kind in ("Polygon", "MultiPolygon") else "unknown geometry"] += 1


def _lines(value: object, times: list[Any] | None, place: str) -> Iterator[_Line]:
    lines = as_list(value, place)
    if times is not None and len(times) > len(lines):
        raise InvalidParameter("track", f"{place}: {count(len(lines), 'line')}, but times for {len(times):,}.")
    for index, line in enumerate(lines):
        given = None if times is None or index >= len(times) else times[index]
        of_line = None if given is None else as_list(given, f"the times of {place}[{index}]")
        yield _line(line, of_line, f"{place}[{index}]")


def _line(value: object, times: list[Any] | None, place: str) -> _Line:
    positions = as_list(value, place)
    fields.check_count(len(positions))
    if times is not None and len(times) != len(positions):
        raise InvalidParameter(
            "track", f"{place}: {count(len(positions), 'position')}, but {count(len(times), 'time')}."
        )
    return _Line("line", place, positions, times, {})


def _point(value: object, time: object, properties: JsonObject) -> TrackPoint:
    if not isinstance(value, list) or len(value) < 2:
        raise InvalidParameter("track", "a position is [longitude, latitude].")
    accuracy = first(properties, _ACCURACIES)
    return TrackPoint(
        fields.position(value[0], value[1]),
        None if time is None else fields.moment(time),
        None if accuracy is None else fields.known_accuracy(accuracy),
        fields.flag(properties.get("foreground"), "foreground"),
        _stopped(properties),
        fields.speed(properties.get("speed")),
    )


def _stopped(properties: JsonObject) -> bool | None:
    """Return whether the device has stopped, by its own field or by the motion listed by Overland."""
    motion = properties.get("motion")
    if properties.get("stopped") is None and isinstance(motion, list) and motion:
        return "stationary" in motion
    return fields.flag(properties.get("stopped"), "stopped")


def _times(properties: JsonObject, place: str) -> list[Any] | None:
    """Return the times of a line in the older convention, or in the newer one that nests them."""
    nested = properties.get("coordinateProperties")
    inside = as_object(nested, f"{place}properties.coordinateProperties") if nested is not None else {}
    found = first({**inside, **properties}, ("coordTimes", "times"))
    return None if found is None else as_list(found, f"{place}properties.coordTimes")
