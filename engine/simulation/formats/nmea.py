"""Tracks from NMEA 0183: the sentences RMC, GGA, GNS, GLL and ZDA of receivers, phones and loggers.

https://gpsd.gitlab.io/gpsd/NMEA.html describes the sentences. RMC and ZDA have the date, RMC the speed, GGA and GNS the
horizontal dilution of precision. Multiplied by 5 m, the error of one range, it gives the accuracy.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO
from typing import Any, Final

import pynmea2
from msgspec import Struct
from pynmea2.types import talker

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found

_SENTENCE: Final = re.compile(r"\$[A-Z]{2}(?:RMC|GGA|GNS|GLL|ZDA),[^*$\r\n]{0,200}(?:\*[0-9A-Fa-f]{2})?")
_BEGINS: Final = re.compile(r"\$[A-Z]{2}(?:RMC|GGA|GNS|GLL|ZDA)\b")
_FIRST_DAY: Final = date(1970, 1, 1)
_FIRST_YEAR: Final = 1990
"""First plausible year; receivers count from 1980 until they receive the date from satellites."""

_HALF_A_DAY: Final = timedelta(hours=12)


class _Epoch(Struct):
    """Fix formed by the sentences of one moment; without a position they only give the date."""

    clock: time | None
    point: Point | None = None
    day: date | None = None
    accuracy_m: float | None = None
    speed_mps: float | None = None

    def join(self, other: "_Epoch") -> None:
        """Add the missing values from another sentence of the same moment."""
        self.point = self.point or other.point
        self.day = self.day or other.day
        self.accuracy_m = self.accuracy_m or other.accuracy_m
        self.speed_mps = other.speed_mps if self.speed_mps is None else self.speed_mps


def is_nmea(text: str) -> bool:
    """Return whether the beginning of a file has sentences of NMEA 0183."""
    return re.search(r"^[^\r\n]{0,60}[$!][A-Z]{2}[A-Z]{3},", text, re.MULTILINE) is not None


def read(text: str, found: Found) -> None:
    """Read the positions of a log, ignoring other data such as satellites."""
    dated = _Days()
    sentences = _Sentences(found)
    for epoch in sentences.epochs(text):
        for known, at in dated.take(epoch):
            _add(known, at, found)
    if dated.undated:
        found.note("No sentence has a date (RMC or ZDA), so the track starts on 1970-01-01.")
        for known, at in dated.rest():
            _add(known, at, found)
    found.leave_out(sentences.without_fix, "sentence", "without a fix")


def _add(epoch: _Epoch, at: datetime | None, found: Found) -> None:
    if epoch.point is not None:
        found.add(TrackPoint(epoch.point, at, epoch.accuracy_m, speed_mps=epoch.speed_mps))


class _Days:
    """Assigns each epoch its own day or that of the previous one; a clock that jumps back by hours passed midnight."""

    def __init__(self) -> None:
        self._latest: datetime | None = None
        self._waiting: list[_Epoch] = []

    @property
    def undated(self) -> bool:
        """Whether all epochs so far are without a day."""
        return bool(self._waiting)

    def take(self, epoch: _Epoch) -> Iterator[tuple[_Epoch, datetime | None]]:
        """Yield the epochs whose times are now known."""
        if self._latest is None and epoch.day is None and epoch.clock is not None:
            self._waiting.append(epoch)
            fields.check_count(len(self._waiting))
            return
        if self._waiting and epoch.day is not None:
            yield from self._until(epoch.day, epoch.clock)
        yield epoch, self._time_of(epoch)

    def rest(self) -> Iterator[tuple[_Epoch, datetime | None]]:
        """Yield the epochs that are left without a date."""
        self._latest = datetime.combine(_FIRST_DAY, self._waiting[0].clock or time(), UTC)
        for epoch in self._waiting:
            yield epoch, self._time_of(epoch)

    def _until(self, day: date, clock: time | None) -> Iterator[tuple[_Epoch, datetime | None]]:
        """Yield the epochs before the first one with a date, which precede it in time."""
        later, times = datetime.combine(day, clock or time(), UTC), []
        for epoch in reversed(self._waiting):
            at = datetime.combine(later.date(), epoch.clock or time(), UTC)
            later = at - timedelta(days=1) if at - later > _HALF_A_DAY else at
            times.append(later)
        yield from zip(self._waiting, reversed(times), strict=True)
        self._latest, self._waiting = times[0], []

    def _time_of(self, epoch: _Epoch) -> datetime | None:
        if epoch.clock is None:
            return None
        day = epoch.day or (self._latest.date() if self._latest else _FIRST_DAY)
        at = datetime.combine(day, epoch.clock, UTC)
        if epoch.day is None and self._latest is not None and self._latest - at > _HALF_A_DAY:
            at += timedelta(days=1)
        self._latest = at
        return at


class _Sentences:
    """Reads the sentences of a log, and counts those without a fix."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self.without_fix = 0

    def epochs(self, text: str) -> Iterator[_Epoch]:
        """Yield the combined values of the sentences of each moment."""
        present: _Epoch | None = None
        for number, line in enumerate(StringIO(text, newline=None), 1):
            epoch = self._read(line, number)
            if epoch is None:
                continue
            if present is not None and epoch.clock is not None and epoch.clock == present.clock:
                present.join(epoch)
                continue
            if present is not None:
                yield present
            present = epoch
        if present is not None:
            yield present

    def _read(self, line: str, number: int) -> _Epoch | None:
        sentence = _sentence(line, number, self._found)
        if sentence is None:
            return None
        try:
            epoch = _epoch(sentence)
        except InvalidParameter as error:
            self._found.skip(f"line {number}: {error.message}")
            return None
        self.without_fix += epoch is None
        return epoch


def _sentence(line: str, number: int, found: Found) -> Any:
    """Return a sentence with a position, or None for any other line; a damaged one is named."""
    matched = _SENTENCE.search(line)
    if matched is None:
        if _BEGINS.search(line):
            found.skip(f"line {number}: the sentence is damaged.")
        return None
    try:
        return pynmea2.parse(matched[0])
    except pynmea2.ChecksumError:
        stated = matched[0][-2:].upper()
        found.skip(
            f"line {number}: its checksum is {pynmea2.NMEASentence.checksum(matched[0][1:-3]):02X}, not {stated}."
        )
    except (pynmea2.ParseError, ValueError):
        found.skip(f"line {number}: the sentence is damaged.")
    return None


def _epoch(sentence: Any) -> _Epoch | None:
    """Return the values of a sentence, or None if the receiver had no position. Raises `InvalidParameter`."""
    try:
        clock = sentence.timestamp
        if clock is not None and not isinstance(clock, time):
            raise InvalidParameter("time", f"time: {clock!r} is not a time.")
        epoch = _Epoch(_utc(clock))
        if isinstance(sentence, talker.ZDA):
            if not sentence.year or sentence.year < _FIRST_YEAR:
                return None  # the receiver does not know the date yet
            epoch.day = date(sentence.year, sentence.month, sentence.day)
            return epoch
        if not (sentence.lat and sentence.lon and _has_fix(sentence)):
            return None
        epoch.point = fields.position(sentence.longitude, sentence.latitude)
        if isinstance(sentence, talker.RMC):
            epoch.day, epoch.speed_mps = _day(sentence), fields.speed(sentence.spd_over_grnd, fields.KNOT)
        elif dilution := getattr(sentence, "horizontal_dil", "") or getattr(sentence, "hdop", ""):
            epoch.accuracy_m = fields.accuracy_by_hdop(dilution)
        return epoch
    except (ValueError, TypeError, AttributeError):
        raise InvalidParameter("track", "the sentence is damaged.") from None


def _has_fix(sentence: Any) -> bool:
    match sentence:
        case talker.RMC() | talker.GLL():
            return bool(sentence.status != "V")
        case talker.GNS():
            return not set(sentence.mode_indicator) <= {"N"}
        case _:
            return bool(sentence.gps_qual)


def _day(sentence: Any) -> date | None:
    day = sentence.datestamp
    if day is not None and not isinstance(day, date):
        raise InvalidParameter("time", f"time: {day!r} is not a date.")
    return day


def _utc(clock: time | None) -> time | None:
    return None if clock is None else clock.replace(tzinfo=None)
