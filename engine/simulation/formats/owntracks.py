"""Tracks from OwnTracks: its messages of ``_type`` location, and the files of its Recorder.

https://owntracks.org/booklet/tech/json describes the messages. A line of the Recorder's ``.rec`` files has a time, the
kind and the message, separated by tabs. The Recorder's API returns ``{"data": [...]}``.
"""

import re
from typing import Final

from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found
from engine.simulation.formats.json_values import JsonObject

_REC_LINE: Final = re.compile(r"\s*\d{4}-\d\d-\d\dT[0-9:.]+Z?\t[^\t]*\t\s*(\{.*)")


def is_message(value: object) -> bool:
    """Return whether a value is a message of OwnTracks."""
    return isinstance(value, dict) and isinstance(value.get("_type"), str)


def message_of(line: str) -> str:
    """Return the JSON of a line, without the prefix in the Recorder's files."""
    matched = _REC_LINE.match(line)
    return matched[1] if matched else line


def is_rec(text: str) -> bool:
    """Return whether a file begins like the Recorder's."""
    return _REC_LINE.match(text.lstrip()) is not None


def take(message: JsonObject, place: str, found: Found) -> None:
    """Read the position of a message, ignoring messages of other types."""
    if message.get("_type") == "location":
        device = next((str(message[name]) for name in ("topic", "tid") if message.get(name)), None)
        found.attempt(place, lambda: _point(message), device)


def _point(message: JsonObject) -> TrackPoint:
    accuracy = message.get("acc")
    motion = message.get("motionactivities")
    return TrackPoint(
        fields.position(message.get("lon"), message.get("lat")),
        fields.moment(message.get("tst")),
        None if accuracy is None else fields.known_accuracy(accuracy),
        stopped=("stationary" in motion) if isinstance(motion, list) and motion else None,
        speed_mps=fields.speed(message.get("vel"), fields.KMH),
    )
