"""Tracks from FIT, which watches and bicycle computers write; https://developer.garmin.com/fit/protocol/.

The positions of the messages ``record``: semicircles, ``timestamp`` and ``gps_accuracy`` in metres.
"""

import struct
from datetime import UTC, datetime
from io import BytesIO
from typing import Final

import fitdecode

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found

_MAGIC: Final = b".FIT"
_MAGIC_AT: Final = 8
_DEGREES: Final = 180 / 2**31
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
"""Errors that the library raises for files that are cut off, or are none."""


def is_fit(data: bytes) -> bool:
    """Whether a file begins as FIT does."""
    return data[_MAGIC_AT : _MAGIC_AT + len(_MAGIC)] == _MAGIC


def read(data: bytes, found: Found) -> None:
    """Find the positions; the rest of a damaged file is named. Raises `InvalidParameter` where none comes before."""
    count = 0
    try:
        with fitdecode.FitReader(
            BytesIO(data), check_crc=fitdecode.CrcCheck.DISABLED, error_handling=fitdecode.ErrorHandling.IGNORE
        ) as reader:
            for frame in reader:
                if isinstance(frame, fitdecode.FitDataMessage) and frame.name == "record":
                    count += 1
                    _take(frame, f"record {count}", found)
    except InvalidParameter:
        raise
    except _DAMAGE as error:
        if not found.count:
            raise InvalidParameter("track", f"the FIT file is damaged: {_reason(error)}.") from None
        found.skip(f"after record {count}: the FIT file is damaged ({_reason(error)}); nothing after that is read.")


def _take(frame: fitdecode.FitDataMessage, place: str, found: Found) -> None:
    latitude, longitude = _value(frame, "position_lat"), _value(frame, "position_long")
    if latitude is None or longitude is None:
        return  # under a roof a watch goes on with the heart rate alone
    found.attempt(place, lambda: _point(longitude, latitude, frame))


def _point(longitude: object, latitude: object, frame: fitdecode.FitDataMessage) -> TrackPoint:
    east, north = fields.number(longitude, "longitude"), fields.number(latitude, "latitude")
    time, accuracy = _value(frame, "timestamp"), _value(frame, "gps_accuracy")
    at = time.astimezone(UTC) if isinstance(time, datetime) else None
    metres = None if accuracy is None else fields.known_accuracy(accuracy)
    return TrackPoint(fields.position(east * _DEGREES, north * _DEGREES), at, metres)


def _value(frame: fitdecode.FitDataMessage, name: str) -> object:
    value: object = frame.get_value(name, fallback=None)
    return value


def _reason(error: Exception) -> str:
    return (str(error) or type(error).__name__).rstrip(".")[:120]
