"""Modes of travel."""

from enum import StrEnum
from typing import Final

from engine.domain.errors import InvalidParameter


class TravelMode(StrEnum):
    """Travel mode."""

    CAR = "car"
    TRUCK = "truck"
    FOOT = "foot"
    BIKE = "bike"
    MOTORBIKE = "motorbike"


MODES: Final = ", ".join(TravelMode)
FIX_INTERVAL_S: Final = 1.0
"""Default interval in seconds between the fixes of a track along roads."""


def mode_of(value: str, param: str = "mode") -> TravelMode:
    """Return the mode that a word names, in any case. Raises `InvalidParameter` for `param` if it is unknown."""
    try:
        return TravelMode(value.lower())
    except ValueError:
        raise InvalidParameter(param, f"{param}: must be one of {MODES}, not {value[:40]!r}.") from None
