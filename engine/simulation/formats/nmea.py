"""Tracks from NMEA 0183: the sentences RMC and GGA of a receiver, of phones and loggers.

https://gpsd.gitlab.io/gpsd/NMEA.html describes the sentences. RMC has the date, GGA the horizontal dilution of
precision: times 5 m, the error of one range, it is the accuracy.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO
from typing import Any, Final

import pynmea2

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import TrackPoint
from engine.domain.values.dataclass import dataclass
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found

_SENTENCE: Final = re.compile(r"\$[A-Z]{2}(?:RMC|GGA),[^*$\r\n]{0,200}(?:\*[0-9A-Fa-f]{2})?")
_BEGINS: Final = re.compile(r"\$[A-Z]{2}(?:RMC|GGA)\b")
_FIRST_DAY: Final = date(1970, 1, 1)
_HALF_A_DAY: Final = timedelta(hours=12)


@dataclass(slots=True)
class _Epoch:
    """Fix that the sentences of one moment make together."""

    clock: time | None
    point: Point
    day: date | None = None
    accuracy_m: float | None = None


def is_nmea(text: str) -> bool:
    """Whether the beginning of a file has sentences of NMEA 0183."""
    return re.search(r"^[^\r\n]{0,60}[$!][A-Z]{2}[A-Z]{3},", text, re.MULTILINE) is not None


def read(text: str, found: Found) -> None:
    """Find the positions of a log; what else is in it, such as satellites, is passed over."""
    dated = _Days()
    for epoch in _epochs(text, found):
        for known, at in dated.take(epoch):
            found.add(TrackPoint(known.point, at, known.accuracy_m))
    if dated.undated:
        found.note("No sentence has a date (RMC), so the track starts on 1970-01-01.")
        for known, at in dated.rest():
            found.add(TrackPoint(known.point, at, known.accuracy_m))


class _Days:
    """Gives each epoch its day: its own, or that of the one before. A clock that goes back by hours passed midnight."""

    def __init__(self) -> None:
        self._latest: datetime | None = None
        self._waiting: list[_Epoch] = []

    @property
    def undated(self) -> bool:
        """Whether the epochs so far have no day at all."""
        return bool(self._waiting)

    def take(self, epoch: _Epoch) -> Iterator[tuple[_Epoch, datetime | None]]:
        """Yield the epochs whose times are known now."""
        if self._latest is None and epoch.day is None and epoch.clock is not None:
            self._waiting.append(epoch)
            fields.check_count(len(self._waiting))
            return
        if self._waiting and epoch.day is not None:
            yield from self._until(epoch.day, epoch.clock)
        yield epoch, self._time_of(epoch)

    def rest(self) -> Iterator[tuple[_Epoch, datetime | None]]:
        """Yield the epochs that no sentence dates."""
        self._latest = datetime.combine(_FIRST_DAY, self._waiting[0].clock or time(), UTC)
        for epoch in self._waiting:
            yield epoch, self._time_of(epoch)

    def _until(self, day: date, clock: time | None) -> Iterator[tuple[_Epoch, datetime | None]]:
        """Yield the epochs before the first one that has a date, which they lie before."""
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


def _epochs(text: str, found: Found) -> Iterator[_Epoch]:
    """Yield the moments at which the receiver knew where it was."""
    present: _Epoch | None = None
    for number, line in enumerate(StringIO(text, newline=None), 1):
        sentence = _sentence(line, number, found)
        if sentence is None:
            continue
        try:
            epoch = _epoch(sentence)
        except InvalidParameter as error:
            found.skip(f"line {number}: {error.message}")
            continue
        if epoch is None:
            continue
        if present is not None and epoch.clock is not None and epoch.clock == present.clock:
            present.day = present.day or epoch.day
            present.accuracy_m = present.accuracy_m or epoch.accuracy_m
            continue
        if present is not None:
            yield present
        present = epoch
    if present is not None:
        yield present


def _sentence(line: str, number: int, found: Found) -> Any:
    """Return a sentence that holds a position; None for any other line. One that is damaged is named."""
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
    """Return what a sentence says; None where the receiver did not know its position. Raises `InvalidParameter`."""
    try:
        valid = bool(sentence.lat and sentence.lon)
        clock = sentence.timestamp
        if clock is not None and not isinstance(clock, time):
            raise InvalidParameter("time", f"time: {clock!r} is not a time.")
        if isinstance(sentence, pynmea2.types.talker.RMC):
            if not valid or sentence.status == "V":
                return None
            day = sentence.datestamp
            if day is not None and not isinstance(day, date):
                raise InvalidParameter("time", f"time: {day!r} is not a date.")
            return _Epoch(_utc(clock), fields.position(sentence.longitude, sentence.latitude), day)
        if not valid or not sentence.gps_qual:
            return None
        point = fields.position(sentence.longitude, sentence.latitude)
        dilution = sentence.horizontal_dil
        return _Epoch(_utc(clock), point, accuracy_m=fields.accuracy_by_hdop(dilution) if dilution else None)
    except (ValueError, TypeError, AttributeError):
        raise InvalidParameter("track", "the sentence is damaged.") from None


def _utc(clock: time | None) -> time | None:
    return None if clock is None else clock.replace(tzinfo=None)
