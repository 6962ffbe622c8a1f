"""Distances, durations and speeds: a number in the requested units, and its text."""

from enum import StrEnum
from math import floor
from typing import Final

from msgspec import Struct

FEET_PER_M: Final = 1 / 0.3048
FEET_PER_MILE: Final = 5_280
KPH_PER_MPS: Final = 3.6
MPH_PER_MPS: Final = 3600 / 1609.344

_MILES_FROM_FT: Final = 1_000
_KM_FROM_M: Final = 1_000


class Units(StrEnum):
    """The system of units of distances and speeds."""

    METRIC = "metric"
    IMPERIAL = "imperial"


class Quantity(Struct, frozen=True):
    """A number and its text."""

    value: float
    text: str


def distance(metres: float, units: Units) -> Quantity:
    """Return a distance in metres or feet; its text may use kilometres or miles."""
    if units is Units.METRIC:
        return Quantity(round(metres, 3), _metric_text(metres))
    feet = metres * FEET_PER_M
    return Quantity(round(feet, 3), _imperial_text(feet))


def _metric_text(metres: float) -> str:
    whole = _rounded(metres)
    return f"{whole} m" if whole < _KM_FROM_M else f"{metres / 1000:.1f} km"


def _imperial_text(feet: float) -> str:
    return f"{feet:.1f} ft" if round(feet, 1) < _MILES_FROM_FT else f"{feet / FEET_PER_MILE:.1f} mi"


def duration(seconds: float) -> Quantity:
    """Return a duration in minutes."""
    minutes = seconds / 60
    return Quantity(round(minutes, 3), _duration_text(minutes))


def _duration_text(minutes: float) -> str:
    if minutes < 0.5:
        return f"{minutes:.1f} min" if minutes >= 0.05 else "0 min"
    hours, rest = divmod(_rounded(minutes), 60)
    if hours == 0:
        return "1 min" if rest == 1 else f"{rest} mins"
    named = "1 hr" if hours == 1 else f"{hours} hrs"
    if rest == 0:
        return named
    return f"{named} {rest} min" if hours == 1 else f"{named} {rest} mins"


def speed(mps: float, units: Units) -> Quantity:
    """Return a speed in whole miles or kilometres per hour."""
    if units is Units.METRIC:
        kph = _rounded(mps * KPH_PER_MPS)
        return Quantity(kph, f"{kph} kph")
    mph = _rounded(mps * MPH_PER_MPS)
    return Quantity(mph, f"{mph} mph")


def _rounded(value: float) -> int:
    """Return the nearest whole number, with halves rounded up."""
    return floor(value + 0.5)
