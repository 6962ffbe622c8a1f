"""Tracks from Google: the timeline exported by a phone, and the records of Takeout.

The phone's ``Timeline.json`` (Android) and ``location-history.json`` (iOS) are not officially documented;
https://dawarich.app/blog/whats-inside-your-google-timeline-export describes their content, and
https://locationhistoryformat.com that of Takeout's ``Records.json``.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found
from engine.simulation.formats.json_values import JsonObject, as_list, as_object, first, inner

_PAIR: Final = re.compile(r"(?:geo:)?\s*([-+0-9.eE]+)\s*°?\s*,\s*([-+0-9.eE]+)\s*°?\s*")
"""A position as text: ``46.05°, 14.5°`` on Android, ``geo:46.05,14.5`` on iOS."""

_E7: Final = 1e7
_E7_WRAPS: Final = 1 << 32
"""Some older records have 32-bit coordinates that have overflowed."""


class _Timeline(Struct):
    """The positions of a timeline: measured by the phone, or inferred by Google."""

    measured: list[TrackPoint]
    concluded: list[TrackPoint]
    found: Found

    def take(self, to: list[TrackPoint], place: str, position: object, time: object, **known: Any) -> None:
        """Add a position, or name its place if it cannot be read."""
        try:
            at = fields.moment(time) if isinstance(time, str) else None
            if at is None:
                raise InvalidParameter("time", "time: is missing.")
            to.append(TrackPoint(_pair(position), at, **known))
        except InvalidParameter as error:
            self.found.skip(f"{place}: {error.message}")
        fields.check_count(len(to))


def is_ios_timeline(document: object) -> bool:
    """Return whether a list is a timeline exported by an iPhone."""
    if not isinstance(document, list) or not document or not isinstance(document[0], dict):
        return False
    item = document[0]
    return "startTime" in item and any(name in item for name in ("visit", "activity", "timelinePath", "timelineMemory"))


def read_timeline(document: JsonObject | list[Any], found: Found) -> None:
    """Read the positions of a timeline from a phone.

    Signals (``rawSignals``, on Android, of the last weeks) have accuracies. Before and after them, there are paths, the
    ends of activities, and visits, during which the device has stopped.
    """
    timeline = _Timeline([], [], found)
    if isinstance(document, dict):
        for index, signal in enumerate(as_list(document.get("rawSignals") or [], "rawSignals")):
            _signal(signal, f"rawSignals[{index}]", timeline)
        segments, name = as_list(document.get("semanticSegments") or [], "semanticSegments"), "semanticSegments"
    else:
        segments, name = document, ""
    for index, segment in enumerate(segments):
        _segment(segment, f"{name}[{index}]", timeline)
    for point in _merged(timeline):
        found.add(point)
    found.order_by_time()


def _merged(timeline: _Timeline) -> Iterator[TrackPoint]:
    yield from timeline.measured
    times = [point.at for point in timeline.measured if point.at is not None]
    begin, end = (min(times), max(times)) if times else (None, None)
    for point in dict.fromkeys(timeline.concluded):
        if begin is None or end is None or point.at is None or not begin <= point.at <= end:
            yield point


def _signal(value: object, place: str, timeline: _Timeline) -> None:
    if not isinstance(value, dict):
        timeline.found.skip(f"{place} must be an object.")
        return
    if "position" not in value:
        return  # a scan of Wi-Fi, or an activity
    position = value["position"]
    if not isinstance(position, dict):
        timeline.found.skip(f"{place}.position: it has no position.")
        return
    accuracy = position.get("accuracyMeters")
    try:
        metres = None if accuracy is None else fields.known_accuracy(accuracy)
    except InvalidParameter as error:
        timeline.found.skip(f"{place}.position: {error.message}")
        return
    location = first(position, ("LatLng", "latLng"))
    known = {"accuracy_m": metres, "speed_mps": fields.speed(position.get("speedMetersPerSecond"))}
    timeline.take(timeline.measured, f"{place}.position", location, position.get("timestamp"), **known)


def _segment(value: object, place: str, timeline: _Timeline) -> None:
    if not isinstance(value, dict):
        timeline.found.skip(f"{place} must be an object.")
        return
    start, end = value.get("startTime"), value.get("endTime")
    if isinstance(value.get("timelinePath"), list):
        for index, step in enumerate(value["timelinePath"]):
            _step(step, f"{place}.timelinePath[{index}]", start, timeline)
    if isinstance(value.get("activity"), dict):
        for side, time in (("start", start), ("end", end)):
            if side in value["activity"]:
                timeline.take(timeline.concluded, f"{place}.activity.{side}", value["activity"][side], time)
    if isinstance(value.get("visit"), dict):
        location = inner(value, "visit", "topCandidate", "placeLocation")
        for time in (start, end) if location is not None else (start,):
            timeline.take(timeline.concluded, f"{place}.visit", location, time, stopped=True)


def _step(value: object, place: str, start: object, timeline: _Timeline) -> None:
    time = inner(value, "time")
    if time is None:
        try:
            minutes = fields.number(inner(value, "durationMinutesOffsetFromStartTime"), "time")
            time = (fields.moment(start) + timedelta(minutes=minutes)).isoformat()
        except (InvalidParameter, OverflowError, ValueError):
            time = None
    timeline.take(timeline.concluded, place, inner(value, "point"), time)


def read_records(document: JsonObject, found: Found) -> None:
    """Read the positions of Takeout's ``Records.json``, each of which names its device."""
    for index, value in enumerate(as_list(document.get("locations"), "locations")):
        place = f"locations[{index}]"
        tag = inner(value, "deviceTag")
        found.attempt(place, lambda: _record(value, place), None if tag is None else str(tag))  # noqa: B023
    found.order_by_time()


def _record(value: object, place: str) -> TrackPoint:
    record = as_object(value, place)
    accuracy = record.get("accuracy")
    return TrackPoint(
        point_of_e7(record.get("latitudeE7"), record.get("longitudeE7")),
        time_of(record, "timestamp"),
        None if accuracy is None else fields.known_accuracy(accuracy),
        speed_mps=fields.speed(record.get("velocity")),
    )


def time_of(record: JsonObject, name: str) -> datetime:
    """Return the time in a field, or in the millisecond field of older exports."""
    return fields.moment(first(record, (name, f"{name}Ms")))


def point_of_e7(latitude: object, longitude: object) -> Point:
    north, east = fields.number(latitude, "latitude"), fields.number(longitude, "longitude")
    return fields.position(_unwrapped(east, 180.0), _unwrapped(north, 90.0))


def _unwrapped(value: float, most: float) -> float:
    return (value - _E7_WRAPS if value > most * _E7 else value) / _E7


def _pair(value: object) -> Point:
    text = value.get("latLng") if isinstance(value, dict) else value
    matched = _PAIR.fullmatch(text) if isinstance(text, str) and len(text) < 100 else None
    if matched is None:
        raise InvalidParameter("track", "it has no position.")
    return fields.position(matched[2], matched[1])
