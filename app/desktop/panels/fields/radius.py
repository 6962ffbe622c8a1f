"""A radius that the user can drag or type."""

from __future__ import annotations

from math import log

from app.desktop.language import tr
from app.desktop.panels.fields.sliding import SlidingNumber
from engine.domain.geometry import MAX_RADIUS_M, MIN_RADIUS_M

_STEPS = 600
_RATIO = log(MAX_RADIUS_M / MIN_RADIUS_M)


class RadiusEdit(SlidingNumber):
    """A radius in metres on a logarithmic slider.

    Each step of the slider changes the radius by the same ratio.
    """

    def __init__(self) -> None:
        super().__init__(tr("Radius"), "m", 0, _STEPS)

    def step_of(self, value: float) -> int:
        """Return the slider's step for a radius."""
        within = min(max(value, MIN_RADIUS_M), MAX_RADIUS_M)
        return round(_STEPS * log(within / MIN_RADIUS_M) / _RATIO)

    def value_at(self, step: int) -> float:
        """Return the radius at a step of the slider, as a round number."""
        exact = MIN_RADIUS_M * (MAX_RADIUS_M / MIN_RADIUS_M) ** (step / _STEPS)
        unit = 1 if exact < 100 else 5 if exact < 500 else 10 if exact < 2000 else 50
        return float(min(max(round(exact / unit) * unit, MIN_RADIUS_M), MAX_RADIUS_M))
