"""Values of the options of simulated devices, read from text."""

from argparse import ArgumentTypeError
from typing import Final

from app.cli.terminal.values import whole_number
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.travel import MODES, TravelMode, mode_of
from engine.geo.written.positions import typed_position
from engine.simulation.fleet.plan import MAX_DEVICES
from engine.simulation.noise.model import MAX_SEED, PRESETS, Noise


def read_position(text: str) -> Point:
    """Return the position of a latitude and a longitude, in any of the notations that the window reads."""
    typed = typed_position(text)
    if typed is None or typed.point is None:
        raise ArgumentTypeError(f"must be LATITUDE,LONGITUDE such as 47.141,9.5215, not {text!r}")
    return typed.point


read_devices: Final = whole_number(1, MAX_DEVICES)
"""Reader for the number of devices of a fleet."""


def read_mode(text: str) -> TravelMode:
    """Return a travel mode."""
    try:
        return mode_of(text)
    except InvalidParameter:
        raise ArgumentTypeError(f"must be one of {MODES}, not {text!r}") from None


def read_noise(text: str) -> Noise:
    """Return the noise of a preset."""
    if text not in PRESETS:
        raise ArgumentTypeError(f"must be one of {', '.join(PRESETS)}, not {text!r}")
    return PRESETS[text]


def read_seed(text: str) -> int:
    """Return the seed of a random generator."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MAX_SEED):
        raise ArgumentTypeError(f"must be a whole number from 0 to {MAX_SEED}, not {text!r}")
    return int(text)
