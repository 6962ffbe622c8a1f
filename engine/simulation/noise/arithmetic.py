"""Exponential, logarithm, sine, cosine and random draws that are identical to the last bit on every machine.

The mathematical functions of platforms may differ in their last digit. Sums, products, quotients and square roots may
not (IEEE 754), and neither may functions composed of them alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import frexp, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from numpy.random import PCG64

_LN_2: Final = 0.6931471805599453
_TERMS: Final = 13
_SHIFT: Final = 11
_UNIT: Final = 2.0**-53
_AT_ONCE: Final = 512


def exponential(x: float) -> float:
    """Return e to the power of `x`, for `x` between -700 and 700."""
    halvings = 0
    while abs(x) > 0.25:
        x, halvings = x / 2, halvings + 1
    term = total = 1.0
    for number in range(1, _TERMS):
        term *= x / number
        total += term
    for _ in range(halvings):
        total *= total
    return total


def logarithm(x: float) -> float:
    """Return the natural logarithm of `x`, which must be greater than 0."""
    fraction, exponent = frexp(x)
    if fraction * fraction < 0.5:
        fraction, exponent = fraction * 2, exponent - 1
    ratio = (fraction - 1) / (fraction + 1)
    square, power, total = ratio * ratio, ratio, 0.0
    for number in range(1, 2 * _TERMS, 2):
        total += power / number
        power *= square
    return exponent * _LN_2 + 2 * total


def sine_and_cosine(x: float) -> tuple[float, float]:
    """Return the sine and the cosine of `x`, for `x` between -2 and 2."""
    term, sums = 1.0, [0.0, 1.0]
    for number in range(1, 2 * _TERMS):
        term *= x / number
        sums[number % 2 == 0] += -term if number % 4 in (2, 3) else term
    return sums[0], sums[1]


class Draws:
    """Random numbers of one stream of a seed, independent of all other streams."""

    def __init__(self, seed: int, stream: int) -> None:
        from numpy.random import PCG64, SeedSequence  # imported on use, so the window starts without it

        self._uniforms = _uniforms(PCG64(SeedSequence(seed, spawn_key=(stream,))))
        self._normals = self._pairs()

    def uniform(self) -> float:
        """Return a number from 0 up to, but excluding, 1."""
        return next(self._uniforms)

    def normal(self) -> float:
        """Return a normally distributed number, of mean 0 and standard deviation 1."""
        return next(self._normals)

    def waiting(self, mean: float) -> float:
        """Return an exponentially distributed number: the wait for an event that occurs every `mean` on average."""
        return -mean * logarithm(1.0 - self.uniform())

    def _pairs(self) -> Iterator[float]:
        """Yield normally distributed numbers by the Marsaglia polar method."""
        while True:
            x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            square = x * x + y * y
            if 0 < square < 1:
                factor = sqrt(-2 * logarithm(square) / square)
                yield x * factor
                yield y * factor


def _uniforms(bits: PCG64) -> Iterator[float]:
    while True:
        for raw in bits.random_raw(_AT_ONCE).tolist():
            yield (raw >> _SHIFT) * _UNIT
