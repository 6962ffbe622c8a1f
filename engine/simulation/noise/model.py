"""Parameters of a phone's noise, and their values in four environments."""

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter

COVERED: Final = 0.68
"""Share of fixes within the accuracy that a phone reports, as defined by Android."""

MAX_SEED: Final = 2**63 - 1

LIMITS: Final[Mapping[str, tuple[float, float]]] = {
    "error_m": (0.01, 10_000.0),
    "correlation_s": (0.0, 86_400.0),
    "variation": (0.0, 2.0),
    "lie_share": (0.0, 1.0),
    "lie_factor": (0.001, 1_000.0),
    "gaps_per_hour": (0.0, 3_600.0),
    "gap_s": (0.0, 86_400.0),
    "outlier_share": (0.0, 1.0),
    "outlier_m": (0.0, 100_000.0),
    "drift_m": (0.0, 10_000.0),
    "drift_s": (0.0, 86_400.0),
}
"""Minimum and maximum of each value."""


class Noise(Struct, frozen=True, kw_only=True):
    """The noise of one phone in one environment.

    - 68 % of the errors are within `error_m` in usual conditions; two errors that are `correlation_s` apart have a
      correlation of 1/e.
    - Conditions change: the size of the errors, and the accuracy reported with them, varies around the usual by a
      factor of e to the power of `variation` (one standard deviation).
    - A share `lie_share` of fixes reports an accuracy that is `lie_factor` times better than the real one.
    - `gaps_per_hour` times in an hour of reports, there are no reports for `gap_s` on average.
    - A share `outlier_share` of fixes is about `outlier_m` away, without a corresponding accuracy.
    - While the device stands, its position drifts by about `drift_m` (one standard deviation of each axis) within about
      `drift_s`.

    Raises `InvalidParameter` naming an invalid value.
    """

    error_m: float = 5.0
    correlation_s: float = 30.0
    variation: float = 0.0
    lie_share: float = 0.0
    lie_factor: float = 1.0
    gaps_per_hour: float = 0.0
    gap_s: float = 30.0
    outlier_share: float = 0.0
    outlier_m: float = 100.0
    drift_m: float = 0.0
    drift_s: float = 120.0

    def __post_init__(self) -> None:
        """Check each value."""
        for name in self.__struct_fields__:
            _check(name, getattr(self, name))


def _check(name: str, value: float) -> None:
    least, most = LIMITS[name]
    if not (isfinite(value) and least <= value <= most):
        raise InvalidParameter(name, f"{name}: must be from {least:g} to {most:g}, not {value:g}.")


PRESETS: Final[Mapping[str, Noise]] = MappingProxyType(
    {
        "open-sky": Noise(error_m=4, correlation_s=60, variation=0.15, drift_m=1.0, drift_s=300),
        "city-canyon": Noise(
            error_m=18,
            correlation_s=40,
            variation=0.4,
            lie_share=0.1,
            lie_factor=2,
            gaps_per_hour=4,
            gap_s=20,
            outlier_share=0.01,
            outlier_m=90,
            drift_m=8,
            drift_s=120,
        ),
        "indoor": Noise(
            error_m=35,
            correlation_s=90,
            variation=0.5,
            lie_share=0.15,
            lie_factor=2,
            gaps_per_hour=10,
            gap_s=60,
            outlier_share=0.02,
            outlier_m=150,
            drift_m=20,
            drift_s=180,
        ),
        "poor-phone": Noise(
            error_m=25,
            correlation_s=20,
            variation=0.4,
            lie_share=0.3,
            lie_factor=3,
            gaps_per_hour=6,
            gap_s=45,
            outlier_share=0.03,
            outlier_m=250,
            drift_m=10,
            drift_s=120,
        ),
    }
)


def noise_named(name: str) -> Noise:
    """Return the preset with a name; raises `InvalidParameter` naming ``noise``."""
    preset = PRESETS.get(name)
    if preset is None:
        raise InvalidParameter("noise", f"noise: must be one of {', '.join(PRESETS)}, not {name[:40]!r}.")
    return preset


def check_seed(seed: int, param: str = "seed") -> int:
    """Return `seed` if it is valid; raises `InvalidParameter` naming `param`."""
    if not 0 <= seed <= MAX_SEED:
        raise InvalidParameter(param, f"{param}: must be a whole number from 0 to {MAX_SEED}, not {seed}.")
    return seed
