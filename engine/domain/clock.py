"""A clock that a test controls: frozen, advanced, faster or slower than the real one; and times as text."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import isfinite
from threading import Lock
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.ports import Clock, Listeners, SystemClock

EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)
LATEST = datetime(2200, 1, 1, tzinfo=UTC)
MAX_SCALE = 1e6

_TWO: Final = tuple(f"{number:02}" for number in range(60))
_PARTS: Final = tuple(f".{number:03}Z" for number in range(1000))
"""Texts of the numbers in a time."""


class ClockState(Struct, frozen=True):
    """The time and pace of a clock: `system` follows the real one, otherwise `scale` seconds a second, 0 if frozen."""

    now: datetime
    system: bool
    frozen: bool
    scale: float


class ClockChange(Struct, frozen=True, kw_only=True):
    """The changes to a clock; fields that are None keep their values. `system` resets it and excludes the others."""

    now: datetime | None = None
    frozen: bool | None = None
    advance_s: float | None = None
    scale: float | None = None
    system: bool = False


class ClockPace(Struct, frozen=True):
    """A pace of `scale` seconds a second from `shown` at the real time `since`; `kept_scale` applies after a freeze."""

    since: datetime
    shown: datetime
    scale: float
    kept_scale: float

    def at(self, real: datetime) -> datetime:
        """Return the displayed time at a real time."""
        if self.scale == 0:
            return self.shown
        try:
            moment = self.shown + (real - self.since) * self.scale
        except OverflowError:
            return LATEST
        return min(_whole_milliseconds(moment), LATEST)


class AdjustableClock:
    """A clock that follows a base clock until it is changed. May be used from any thread."""

    def __init__(self, base: Clock) -> None:
        self._base = base
        self._lock = Lock()
        self._pace: ClockPace | None = None
        self._moves = 0
        self._listeners: Listeners[[]] = Listeners()

    def now(self) -> datetime:
        """Return the current time of this clock, in UTC and whole milliseconds."""
        pace = self._pace
        return self._base.now() if pace is None else pace.at(self._base.now())

    @property
    def scale(self) -> float:
        """Number of its seconds that pass in a real one."""
        pace = self._pace
        return 1.0 if pace is None else pace.scale

    @property
    def is_adjusted(self) -> bool:
        """Whether it has a time or pace of its own and does not simply follow its base."""
        return self._pace is not None

    @property
    def moves(self) -> int:
        """Number of times it was set or advanced."""
        return self._moves

    @property
    def pace(self) -> ClockPace | None:
        """The pace of this clock relative to the machine's clock, or None if both are the same."""
        return self._pace if isinstance(self._base, SystemClock) else _still(self.now())

    def state(self) -> ClockState:
        """Return the time of the clock and its pace."""
        pace = self._pace
        now = self._base.now()
        if pace is None:
            return ClockState(now, system=True, frozen=False, scale=1.0)
        return ClockState(pace.at(now), system=False, frozen=pace.scale == 0, scale=pace.kept_scale)

    def change(self, change: ClockChange) -> ClockState:
        """Change the clock and return its state. Raises `InvalidParameter` without any change if a value is invalid."""
        with self._lock:
            self._pace = None if _checked(change).system else self._changed(change)
            self._moves += change.now is not None or change.advance_s is not None
        self._listeners.notify()
        return self.state()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change."""
        self._listeners.add(listener)

    def _changed(self, change: ClockChange) -> ClockPace:
        real = self._base.now()
        before = self._pace or ClockPace(real, real, 1.0, 1.0)
        shown = change.now or before.at(real)
        if change.advance_s is not None:
            shown = _advanced(shown, change.advance_s)
        shown = _whole_milliseconds(shown.astimezone(UTC))
        kept_scale = before.kept_scale if change.scale is None else change.scale
        frozen = before.scale == 0 if change.frozen is None else change.frozen
        if change.scale is not None and change.frozen is None:
            frozen = change.scale == 0
        return ClockPace(real, shown, 0.0 if frozen else kept_scale or 1.0, kept_scale or 1.0)


def is_adjusted(clock: Clock) -> bool:
    """Return whether a test has frozen, set or advanced a clock, or changed its pace."""
    return isinstance(clock, AdjustableClock) and clock.is_adjusted


def has_run_since(clock: Clock, moves: int) -> bool:
    """Return whether a clock has run on its own since it had `moves` moves, without being frozen or moved."""
    return not isinstance(clock, AdjustableClock) or (clock.scale != 0 and clock.moves == moves)


def moves_of(clock: Clock) -> int:
    """Return how often a clock was set or advanced."""
    return clock.moves if isinstance(clock, AdjustableClock) else 0


def pace_of(clock: Clock) -> ClockPace | None:
    """Return the pace for another process to follow a clock until its next change, or None for the machine's time."""
    if isinstance(clock, SystemClock):
        return None
    return clock.pace if isinstance(clock, AdjustableClock) else _still(clock.now())


def real_seconds(moment: datetime, now: datetime, scale: float) -> float | None:
    """Return the real seconds until a clock has passed a moment, or None if it is frozen before it."""
    if now > moment:
        return 0.0
    # Add a millisecond, since the moment must have passed.
    return None if scale == 0 else ((moment - now).total_seconds() + 0.001) / scale


def utc_text(moment: datetime, timespec: str = "milliseconds") -> str:
    """Return a time in UTC, such as ``2026-05-12T06:00:07.000Z``; with `timespec` of ``isoformat``."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    if timespec != "milliseconds":
        return moment.isoformat(timespec=timespec)[:-6] + "Z"
    # Every response holds several times. Assembling the text takes half as long as `isoformat`.
    date = f"{moment.year:04}-{_TWO[moment.month]}-{_TWO[moment.day]}"
    time = f"{_TWO[moment.hour]}:{_TWO[moment.minute]}:{_TWO[moment.second]}"
    return f"{date}T{time}{_PARTS[moment.microsecond // 1000]}"


def _still(moment: datetime) -> ClockPace:
    return ClockPace(moment, moment, 0.0, 1.0)


def _checked(change: ClockChange) -> ClockChange:
    others = (change.now, change.frozen, change.advance_s, change.scale)
    if change.system and any(value is not None for value in others):
        raise InvalidParameter("system", "system: cannot be combined with another field.")
    if not change.system and all(value is None for value in others):
        raise InvalidParameter("now", "now: at least one field is required.")
    if change.now is not None and not EARLIEST <= change.now <= LATEST:
        raise InvalidParameter("now", f"now: must be between {EARLIEST:%Y} and {LATEST:%Y}.")
    if change.advance_s is not None and not (isfinite(change.advance_s) and change.advance_s >= 0):
        raise InvalidParameter("advance_s", "advance_s: must be 0 or greater.")
    if change.scale is not None and not (isfinite(change.scale) and 0 <= change.scale <= MAX_SCALE):
        raise InvalidParameter("scale", f"scale: must be within [0, {MAX_SCALE:g}].")
    return change


def _advanced(moment: datetime, seconds: float) -> datetime:
    try:
        after = moment + timedelta(seconds=seconds)
    except OverflowError:
        after = LATEST + timedelta(days=1)
    if after > LATEST:
        raise InvalidParameter("advance_s", f"advance_s: must not go beyond the year {LATEST:%Y}.")
    return after


def _whole_milliseconds(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
