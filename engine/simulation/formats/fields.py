"""The values of a track file, from the text or JSON in which each format writes them."""

from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude

MAX_POSITIONS = 1_000_000
"""More than a week of one fix a second; whatever has more is not the track of one device."""

RANGE_ERROR_M: Final = 5.0
"""The error of one range of a receiver without correction: times the dilution of precision it is the accuracy."""

UNKNOWN_DILUTION: Final = 99.0
"""A dilution of precision from here on stands for none at all."""

_FLAGS: Final = {"": None, "true": True, "1": True, "false": False, "0": False}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_MILLISECONDS = 1e11
"""A unix time from here on is in milliseconds: as seconds it would lie after the year 5000."""


def check_count(positions: int) -> None:
    """Raise `InvalidParameter` for more positions than a track may have."""
    if positions > MAX_POSITIONS:
        raise InvalidParameter("track", f"it has more than {MAX_POSITIONS:,} positions.")


def position(longitude: object, latitude: object) -> Point:
    """Return a checked position; raises `InvalidParameter` naming ``longitude`` or ``latitude``."""
    return Point(
        check_longitude(number(longitude, "longitude"), "longitude"),
        check_latitude(number(latitude, "latitude"), "latitude"),
    )


def number(value: object, param: str) -> float:
    """Return `value`, a number or the decimal text of one; raises `InvalidParameter` naming `param`."""
    if not isinstance(value, bool) and isinstance(value, int | float | str) and "_" not in str(value):
        try:
            return float(value)
        except (ValueError, OverflowError):
            pass
    if value is None:
        raise InvalidParameter(param, f"{param}: there is none.")
    raise InvalidParameter(param, f"{param}: {_shown(value)} is not a number.")


def accuracy(value: object) -> float:
    """Return an accuracy in metres, greater than 0; raises `InvalidParameter` naming ``accuracy``."""
    metres = number(value, "accuracy")
    if not (isfinite(metres) and metres > 0):
        raise InvalidParameter("accuracy", f"accuracy: must be greater than 0 metres, not {metres:g}.")
    return metres


def known_accuracy(value: object) -> float | None:
    """Return an accuracy in metres; None where it is 0 or less, by which some programs say that it is not known."""
    metres = number(value, "accuracy")
    return accuracy(metres) if not metres <= 0 else None


def accuracy_by_hdop(value: object) -> float | None:
    """Return the accuracy that a horizontal dilution of precision stands for; None where it is not known."""
    dilution = number(value, "hdop")
    return accuracy(dilution * RANGE_ERROR_M) if 0 < dilution < UNKNOWN_DILUTION else None


def flag(value: object, param: str) -> bool | None:
    """Return what true, false, 1, 0 or their text say; None for nothing. Raises `InvalidParameter` naming `param`."""
    if value is None or isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text not in _FLAGS:
        raise InvalidParameter(param, f"{param}: {_shown(value)} is neither true nor false.")
    return _FLAGS[text]


def moment(value: object, param: str = "time") -> datetime:
    """Return the time that `value` tells: ISO 8601 text (without a zone: UTC), unix seconds or milliseconds.

    Raises `InvalidParameter` naming `param`.
    """
    if value is None:
        raise InvalidParameter(param, f"{param}: there is none.")
    try:
        if isinstance(value, str) and not _numeric(value):
            at = datetime.fromisoformat(value.strip())
            return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
        seconds = number(value, param)
        return _EPOCH + timedelta(seconds=seconds / 1000 if abs(seconds) >= _FIRST_MILLISECONDS else seconds)
    except (ValueError, OverflowError, InvalidParameter):
        raise InvalidParameter(
            param, f"{param}: {_shown(value)} is not a time (ISO 8601, or unix seconds or milliseconds)."
        ) from None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _numeric(text: str) -> bool:
    try:
        number(text, "time")
    except InvalidParameter:
        return False
    return True
