"""Tracks from Traccar in JSON: ``/api/positions`` and ``/api/reports/route``.

https://www.traccar.org/api-reference/ describes a Position. An accuracy of 0 is unknown, and an outdated position
repeats the previous one.
"""

from typing import Any

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found
from engine.simulation.formats.json_values import JsonObject, as_object, inner


def is_position(value: object) -> bool:
    """Return whether a value is a position of Traccar."""
    return isinstance(value, dict) and {"fixTime", "latitude", "longitude"} <= value.keys()


def read(positions: list[Any], found: Found) -> None:
    """Read the positions, each with its device."""
    for index, value in enumerate(positions):
        device = inner(value, "deviceId")
        found.attempt(f"[{index}]", lambda: _point(as_object(value, "it")), None if device is None else str(device))  # noqa: B023
    found.order_by_time()


def _point(position: JsonObject) -> TrackPoint:
    if position.get("outdated") is True:
        raise InvalidParameter("track", "it is outdated: it repeats the previous position.")
    accuracy, motion = position.get("accuracy"), inner(position, "attributes", "motion")
    return TrackPoint(
        fields.position(position.get("longitude"), position.get("latitude")),
        fields.moment(position.get("fixTime")),
        None if accuracy is None else fields.known_accuracy(accuracy),
        stopped=not motion if isinstance(motion, bool) else None,
        speed_mps=fields.speed(position.get("speed"), fields.KNOT),
    )
