"""The values of a track file, from the text or JSON in which each format writes them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice
from math import isfinite

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude
from engine.domain.tracking.tracks import TrackPoint

MAX_POSITIONS = 1_000_000
"""More than a week of one fix a second; whatever has more is not the track of one device."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_MILLISECONDS = 1e11
"""A unix time from here on is in milliseconds: as seconds it would lie after the year 5000."""


def bounded(points: Iterable[TrackPoint]) -> tuple[TrackPoint, ...]:
    """Return all points, unless they are more than a track may have: then no more of them are read."""
    found = tuple(islice(points, MAX_POSITIONS + 1))
    check_count(len(found))
    return found


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
    raise InvalidParameter(param, f"{param}: {_shown(value)} is not a number.")


def accuracy(value: object) -> float:
    """Return an accuracy in metres, greater than 0; raises `InvalidParameter` naming ``accuracy``."""
    metres = number(value, "accuracy")
    if not (isfinite(metres) and metres > 0):
        raise InvalidParameter("accuracy", f"accuracy: must be greater than 0 metres, not {metres:g}.")
    return metres


def moment(value: object, param: str = "time") -> datetime:
    """Return the time that `value` tells: ISO 8601 text (without a zone: UTC), unix seconds or milliseconds.

    Raises `InvalidParameter` naming `param`.
    """
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
