"""Parsing of the values in a track file from the text or JSON of each format."""

import re
from datetime import UTC, datetime, timedelta
from math import isfinite, nan
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude

MAX_POSITIONS = 1_000_000
"""Maximum number of positions of a track, more than a week of one fix per second."""

RANGE_ERROR_M: Final = 5.0
"""Error of a single range measurement; multiplied by the dilution of precision it gives the accuracy."""

KMH: Final = 1 / 3.6
KNOT: Final = 1852 / 3600
MPH: Final = 1609.344 / 3600
"""Speed units in metres per second."""

SPEED_UNITS: Final = {
    **dict.fromkeys(("m/s", "mps", "ms"), 1.0),
    **dict.fromkeys(("kmh", "kph", "km/h"), KMH),
    **dict.fromkeys(("kn", "kt", "kts", "knot", "knots", "knoten"), KNOT),
    "mph": MPH,
}
"""Speed units by their lower-case names in files."""

UNREADABLE: Final = nan
"""Placeholder for an unreadable speed, which a track counts."""

UNKNOWN_DILUTION: Final = 99.0
"""Smallest dilution of precision that stands for an unknown one."""

_LOOSE: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]+(.*))?", re.ASCII)
"""A date with the year first; some programs omit leading zeros."""

_GERMAN: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,?[T ]+(.*))?", re.ASCII)
"""A date with the day first, which is the order wherever dots are the separators."""

_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{1,2})(?::(\d{1,2})([.,]\d+)?)?\s*(.*)", re.ASCII)
_UTC: Final = ("UTC", "GMT", "UT", "Z")

_FLAGS: Final = {"": None, "true": True, "1": True, "false": False, "0": False}
_DECIMAL_COMMA: Final = re.compile(r"[+-]?(?:\d*|\d{1,3}(?:[.\u202f\xa0 ]\d{3})+),\d+", re.ASCII)
_WITH_UNIT: Final = re.compile(r"(.*\d[.,]?)\s*([a-z/]+)", re.IGNORECASE | re.ASCII)
_GROUPS: Final = re.compile("[.\u202f\xa0 ]")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_MILLISECONDS = 1e11
"""Smallest Unix time that is read as milliseconds; as seconds it would be after the year 5000."""


def check_count(positions: int) -> None:
    """Raise `InvalidParameter` if there are more positions than a track may have."""
    if positions > MAX_POSITIONS:
        raise InvalidParameter("track", f"it has more than {MAX_POSITIONS:,} positions.")


def position(longitude: object, latitude: object) -> Point:
    """Return a valid position; raises `InvalidParameter` naming ``longitude`` or ``latitude``."""
    return Point(
        check_longitude(number(longitude, "longitude"), "longitude"),
        check_latitude(number(latitude, "latitude"), "latitude"),
    )


def number(value: object, param: str) -> float:
    """Return `value`, a number or its decimal text; raises `InvalidParameter` naming `param`."""
    if not isinstance(value, bool) and isinstance(value, int | float | str) and "_" not in str(value):
        try:
            return float(value)
        except (ValueError, OverflowError):
            pass
    if value is None:
        raise InvalidParameter(param, f"{param}: there is none.")
    raise InvalidParameter(param, f"{param}: {_shown(value)} is not a number.")


def decimal(text: str) -> str:
    """Return the text of a number with its decimal comma, if any, replaced by a point."""
    text = text.strip()
    return _GROUPS.sub("", text).replace(",", ".") if "," in text and _DECIMAL_COMMA.fullmatch(text) else text


def speed(value: object, unit_mps: float = 1.0) -> float | None:
    """Return a speed in metres per second, or None if it is missing or negative, such as -1.

    `unit_mps` is its unit unless it names one itself, as in ``3.40 kn``. An unreadable speed is returned as
    `UNREADABLE`, because the position is still of use.
    """
    if isinstance(value, str):
        value = value.strip()
        if named := _WITH_UNIT.fullmatch(value):
            if (unit := SPEED_UNITS.get(named[2].lower())) is None:
                return UNREADABLE
            value, unit_mps = named[1], unit
        value = decimal(value)
    if value is None or value == "":
        return None
    try:
        mps = number(value, "speed") * unit_mps
    except InvalidParameter:
        return UNREADABLE
    return mps if isfinite(mps) and mps >= 0 else None


def accuracy(value: object) -> float:
    """Return an accuracy in metres, greater than 0; raises `InvalidParameter` naming ``accuracy``."""
    metres = number(value, "accuracy")
    if not (isfinite(metres) and metres > 0):
        raise InvalidParameter("accuracy", f"accuracy: must be greater than 0 metres, not {metres:g}.")
    return metres


def known_accuracy(value: object) -> float | None:
    """Return an accuracy in metres, or None for 0 or less, which some programs write for an unknown one."""
    metres = number(value, "accuracy")
    return accuracy(metres) if not metres <= 0 else None


def accuracy_by_hdop(value: object) -> float | None:
    """Return the accuracy for a horizontal dilution of precision, or None if it is unknown."""
    dilution = number(value, "hdop")
    return accuracy(dilution * RANGE_ERROR_M) if 0 < dilution < UNKNOWN_DILUTION else None


def flag(value: object, param: str) -> bool | None:
    """Return the value of true, false, 1, 0 or their text, or None for nothing; raises `InvalidParameter` naming
    `param`."""
    if value is None or isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text not in _FLAGS:
        raise InvalidParameter(param, f"{param}: {_shown(value)} is neither true nor false.")
    return _FLAGS[text]


def moment(value: object, param: str = "time") -> datetime:
    """Return the time in `value`: text such as ISO 8601 (without a zone: UTC), Unix seconds or milliseconds.

    Raises `InvalidParameter` naming `param`.
    """
    if value is None:
        raise InvalidParameter(param, f"{param}: there is none.")
    try:
        if isinstance(value, str) and not _numeric(value):
            at = _written(value.strip())
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


def _written(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(_iso_text(text))


def _iso_text(text: str) -> str:
    """Return a time as ISO 8601 text, or text of any other form unchanged.

    A date with slashes that begins with a day or month is left alone, because countries differ in their order.
    """
    if loose := _LOOSE.fullmatch(text):
        year, _, month, day, clock = loose.groups()
    elif german := _GERMAN.fullmatch(text):
        day, month, year, clock = german.groups()
    else:
        return text
    date = f"{year}-{month.zfill(2)}-{day.zfill(2)}"
    return date if not clock else f"{date}T{_iso_clock(clock)}"


def _iso_clock(text: str) -> str:
    matched = _CLOCK.fullmatch(text)
    if matched is None:
        return text
    hour, minute, second, fraction, zone = matched.groups()
    zone = "Z" if zone.upper() in _UTC else zone
    return f"{hour.zfill(2)}:{minute.zfill(2)}:{(second or '0').zfill(2)}{(fraction or '').replace(',', '.')}{zone}"
