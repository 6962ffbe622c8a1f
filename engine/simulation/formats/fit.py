"""Tracks from FIT, the format of watches and bicycle computers; https://developer.garmin.com/fit/protocol/.

Positions are read from the messages ``record``: semicircles, ``timestamp``, ``gps_accuracy`` in metres and the speed.
Cameras (Garmin VIRB) write theirs ten times a second as ``gps_metadata``. Their clock counts from when they were
switched on; ``timestamp_correlation``, or ``utc_timestamp`` next to the position, gives the corresponding time.
"""

import struct
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Final

import fitdecode
from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found, lacking

_MAGIC: Final = b".FIT"
_MAGIC_AT: Final = 8
_DEGREES: Final = 180 / 2**31
_NOUNS: Final = {"record": "record", "gps_metadata": "camera position"}
_DAMAGE: Final = (
    fitdecode.FitError,
    struct.error,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    OverflowError,
    AssertionError,
)
"""Errors raised by the library for truncated or invalid files."""


def is_fit(data: bytes) -> bool:
    """Return whether a file begins like FIT."""
    return data[_MAGIC_AT : _MAGIC_AT + len(_MAGIC)] == _MAGIC


def read(data: bytes, found: Found) -> None:
    """Read the positions up to any damage, which is reported; raises `InvalidParameter` if none precedes it."""
    messages = _Messages()
    damage = None
    try:
        with fitdecode.FitReader(
            BytesIO(data), check_crc=fitdecode.CrcCheck.DISABLED, error_handling=fitdecode.ErrorHandling.IGNORE
        ) as reader:
            for frame in reader:
                if isinstance(frame, fitdecode.FitDataMessage):
                    messages.take(frame)
    except InvalidParameter:
        raise
    except _DAMAGE as error:
        damage = _reason(error)
    messages.hand_over(found)
    if damage is None:
        return
    if not found.count:
        raise InvalidParameter("track", f"the FIT file is damaged: {damage}.")
    found.skip(f"after record {messages.count}: the FIT file is damaged ({damage}); nothing after that is read.")


class _Position(Struct):
    """A position in a message. Without a time, it has seconds since the device was started."""

    place: str
    longitude: object
    latitude: object
    at: datetime | None
    running_s: float | None
    accuracy: object
    speed_mps: float | None


class _Messages:
    """The positions of a file by kind of message, and the readings of its clock."""

    def __init__(self) -> None:
        self._positions: dict[str, list[_Position]] = {"record": [], "gps_metadata": []}
        self._counts = dict.fromkeys(self._positions, 0)
        self._switched_on: list[tuple[float, datetime]] = []
        """Readings of the clock in seconds, each with the time at which the clock was 0."""

    @property
    def count(self) -> int:
        """Number of records."""
        return self._counts["record"]

    def take(self, message: fitdecode.FitDataMessage) -> None:
        """Process a message."""
        if message.name == "timestamp_correlation":
            self._correlate(_time(message, "timestamp"), _running_s(message, "system_timestamp"))
        elif message.name in self._positions:
            self._take_position(message)

    def hand_over(self, found: Found) -> None:
        """Add the positions of the records, or those of the camera if there are more."""
        chosen = max(self._positions, key=lambda name: len(self._positions[name]))
        positions, count = self._positions[chosen], self._counts[chosen]
        for position in positions:
            found.attempt(position.place, lambda: self._point(position))  # noqa: B023 - called at once
        if positions and count > len(positions):
            found.note(lacking(count - len(positions), count, _NOUNS[chosen], "no position"))
        for name, others in self._positions.items():
            if name != chosen:
                found.leave_out(len(others), _NOUNS[name], "a second series of positions")

    def _take_position(self, message: fitdecode.FitDataMessage) -> None:
        name = message.name
        self._counts[name] += 1
        latitude, longitude = _value(message, "position_lat"), _value(message, "position_long")
        running_s = _running_s(message, "timestamp")
        self._correlate(_time(message, "utc_timestamp"), running_s, whole=True)
        if latitude is None or longitude is None:
            return  # indoors a watch records only the heart rate
        positions = self._positions[name]
        positions.append(
            _Position(
                f"{_NOUNS[name]} {self._counts[name]}",
                longitude,
                latitude,
                _time(message, "timestamp"),
                running_s,
                _value(message, "gps_accuracy"),
                _speed(message),
            )
        )
        fields.check_count(len(positions))

    def _correlate(self, time: datetime | None, running_s: float | None, *, whole: bool = False) -> None:
        """Note the time at which the clock was 0; times in `whole` seconds count only while no other is known."""
        if time is not None and running_s is not None and not (whole and self._switched_on):
            self._switched_on.append((running_s, time - timedelta(seconds=running_s)))

    def _point(self, position: _Position) -> TrackPoint:
        east, north = fields.number(position.longitude, "longitude"), fields.number(position.latitude, "latitude")
        metres = None if position.accuracy is None else fields.known_accuracy(position.accuracy)
        point = fields.position(east * _DEGREES, north * _DEGREES)
        return TrackPoint(point, position.at or self._dated(position.running_s), metres, speed_mps=position.speed_mps)

    def _dated(self, running_s: float | None) -> datetime | None:
        """Return the time of a clock reading, by the last correlation before it, or else by the first one."""
        if running_s is None or not self._switched_on:
            return None
        before = [zero for seconds, zero in self._switched_on if seconds <= running_s]
        return (before[-1] if before else self._switched_on[0][1]) + timedelta(seconds=running_s)


def _running_s(message: fitdecode.FitDataMessage, name: str) -> float | None:
    """Return the reading of a device's clock, which counts from when it was switched on."""
    seconds = _value(message, name)
    return seconds + _part_s(message, name) if isinstance(seconds, int) else None


def _time(message: fitdecode.FitDataMessage, name: str) -> datetime | None:
    time = _value(message, name)
    return time.astimezone(UTC) + timedelta(seconds=_part_s(message, name)) if isinstance(time, datetime) else None


def _part_s(message: fitdecode.FitDataMessage, name: str) -> float:
    """Return the fraction of a second in a message."""
    milliseconds, fraction = _value(message, f"{name}_ms"), _value(message, f"fractional_{name}")
    if isinstance(milliseconds, int):
        return milliseconds / 1000
    return fraction if isinstance(fraction, float) else 0.0


def _speed(message: fitdecode.FitDataMessage) -> float | None:
    enhanced = _value(message, "enhanced_speed")
    return fields.speed(_value(message, "speed") if enhanced is None else enhanced)


def _value(frame: fitdecode.FitDataMessage, name: str) -> object:
    value: object = frame.get_value(name, fallback=None)
    return value


def _reason(error: Exception) -> str:
    return (str(error) or type(error).__name__).rstrip(".")[:120]
