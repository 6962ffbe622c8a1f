"""Parsing of dates as people and spreadsheets write them: ISO, or forms such as ``Jan 1, 2029`` and ``1/31/2029``.

Nothing is guessed: a date without a year of four digits, a month or a day is refused, and so is an ambiguous one, such
as ``1/2/2029``. A time without a zone is UTC; a date without a time is midnight.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final

from engine.domain.errors import InvalidParameter

_LONGEST: Final = 60
_ISO: Final = re.compile(r"\d{4}-?\d\d-?\d\d([T ].*)?", re.ASCII | re.IGNORECASE)
_YEAR_FIRST: Final = re.compile(r"\d{4}", re.ASCII)
_ZONE_AND_OFFSET: Final = re.compile(r"\b(gmt|utc)\s*[+-]\s*\d", re.ASCII | re.IGNORECASE)
_FRACTION: Final = re.compile(r"(?<![\d:.])\d+\.\d+(?![\d.])", re.ASCII)
_WEEKDAY: Final = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\b", re.ASCII | re.IGNORECASE)
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_S: Final = 24 * 3600
_NO_DATE: Final = "is not a date; write it as 2029-01-31, 2029-01-31T18:00:00Z or Jan 31, 2029"

# Missing parts are filled in from these. They have no part of the date in common, so differing results reveal a missing
# part.
_DEFAULTS: Final = (datetime(2000, 1, 1), datetime(2003, 4, 5))  # noqa: DTZ001 - the text says the zone, or UTC is meant


class _Refused(Exception):
    """The reason why a text is not a date: the end of a sentence that begins with the text."""


def read_date(text: str, param: str) -> datetime:
    """Return the time that `text` names, in UTC and whole milliseconds; raises `InvalidParameter` naming `param`."""
    try:
        moment = _moment(text).astimezone(UTC)
    except _Refused as refused:
        raise InvalidParameter(param, f"{param}: {_shown(text)} {refused}.") from None
    except (ValueError, ArithmeticError):  # the parser failed, or the result is outside the years 1 to 9999
        raise InvalidParameter(param, f"{param}: {_shown(text)} {_NO_DATE}.") from None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _moment(text: str) -> datetime:
    if _ISO.fullmatch(text):
        try:
            moment = datetime.fromisoformat(text)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        except ValueError:
            pass  # such as ``2029-01-01 10:00 UTC``
    if len(text) > _LONGEST or not text.isascii() or _FRACTION.search(text):
        raise _Refused(_NO_DATE)
    if _ZONE_AND_OFFSET.search(text):
        raise _Refused("has a zone with an offset, which is ambiguous; write only an offset, such as +03:00")
    return _free(text)


@lru_cache(maxsize=1_024)  # parsing is slow, and tables repeat the same dates
def _free(text: str) -> datetime:
    moment = _complete(text, day_first=False)
    # A leading year is followed by the month in every format.
    other = moment if _YEAR_FIRST.match(text) else _complete(text, day_first=True)
    if other != moment:
        raise _Refused(
            f"may be {moment.day} {moment:%B} or {other.day} {other:%B}; write {moment:%Y-%m-%d} or {other:%Y-%m-%d}"
        )
    weekday = _WEEKDAY.search(text)
    if weekday and _WEEKDAYS.index(weekday[1].lower()) != moment.weekday():
        raise _Refused(f"is a {moment:%A}, not a {weekday[0]}")
    return moment


def _complete(text: str, *, day_first: bool) -> datetime:
    first, second = (_parsed(text, default, day_first=day_first) for default in _DEFAULTS)
    if first != second:
        raise _Refused("is not a complete date; give a year, a month and a day")
    if not re.search(rf"(?<!\d){first.year:04d}(?!\d)", text):
        raise _Refused("must have a year of four digits")
    return first


def _parsed(text: str, default: datetime, *, day_first: bool) -> datetime:
    # Imported here because most tables have no such date, and the module is slow to load.
    from dateutil.parser import parse

    return parse(text, default=default, dayfirst=day_first, tzinfos=_zone)


def _zone(name: str | None, offset_s: int | None) -> tzinfo:
    """Return the time zone of a text; names other than UTC's are refused because they are ambiguous."""
    if name is not None and name.upper() not in ("UTC", "GMT", "Z"):
        raise _Refused(f"names the zone {name}; write an offset such as +01:00")
    if offset_s is not None and abs(offset_s) >= _DAY_S:
        raise _Refused("has an offset of a day or more")
    return UTC if offset_s is None else timezone(timedelta(seconds=offset_s))


def _shown(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
