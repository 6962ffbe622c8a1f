"""Plan of a fleet: how many devices, where, when each starts, and what it sends."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.domain.area import Bounds
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.text import check_identifier
from engine.domain.travel import TravelMode
from engine.simulation.noise.model import Noise, check_seed

if TYPE_CHECKING:
    # The command line reads its options without what moves devices, which takes a while to load.
    from engine.simulation.motion import Motion

MAX_DEVICES: Final = 2_000
MAX_STAGGER_S: Final = 3_600.0
MAX_REACH_M: Final = 100_000.0
MAX_INTERVAL_S: Final = 600.0
DEFAULT_PREFIX: Final = "fleet"
_LONGEST_PREFIX: Final = 200


class Target(Struct, frozen=True):
    """A geofence that devices go to; without `geofence_id` any place."""

    point: Point
    geofence_id: str | None = None


class Ground(Struct, frozen=True):
    """Where a fleet moves: within `bounds`, each as likely as the others, or to `targets` where there are any."""

    bounds: tuple[Bounds, ...] = ()
    targets: tuple[Target, ...] = ()

    def __post_init__(self) -> None:
        """Check that there is any; raises `InvalidParameter` naming ``area``."""
        if not (self.bounds or self.targets):
            raise InvalidParameter(
                "area", "area: no area is loaded, so there are no roads; build one, or choose geofences to go to."
            )


class FleetPlan(Struct, frozen=True, kw_only=True):
    """A fleet. The same plan on the same ground and roads is the same fleet.

    The first device begins at once, each other one `stagger_s` after the one before. Each goes to a place at most
    `reach_m` away, stays there for `stay_s`, and with `loop` comes back, stays, and goes again. With `trips` each way
    there is a trip to its end. Without noise, every fix has `accuracy_m`; without motion, a device is stopped while it
    stays. Raises `InvalidParameter` naming what cannot be.
    """

    devices: int
    seed: int = 0
    mode: TravelMode = TravelMode.CAR
    interval_s: float = 5.0
    stagger_s: float = 1.0
    reach_m: float = 5_000.0
    stay_s: float = 180.0
    loop: bool = False
    trips: bool = False
    noise: Noise | None = None
    motion: Motion | None = None
    accuracy_m: float = 10.0
    prefix: str = DEFAULT_PREFIX

    def __post_init__(self) -> None:
        """Check each value."""
        if not 1 <= self.devices <= MAX_DEVICES:
            raise InvalidParameter("devices", f"devices: must be from 1 to {MAX_DEVICES:,}, not {self.devices}.")
        check_seed(self.seed)
        _check("interval_s", self.interval_s, 0.1, MAX_INTERVAL_S)
        _check("stagger_s", self.stagger_s, 0, MAX_STAGGER_S)
        _check("reach_m", self.reach_m, 100, MAX_REACH_M)
        _check("stay_s", self.stay_s, 0, 86_400)
        _check("accuracy_m", self.accuracy_m, 0.1, 100_000)
        check_identifier(self.prefix, "prefix")
        if len(self.prefix) > _LONGEST_PREFIX:
            raise InvalidParameter("prefix", f"prefix: at most {_LONGEST_PREFIX} characters are allowed.")

    def device_id(self, number: int) -> str:
        """Return the device ID of the device with a number from 1 on."""
        return f"{self.prefix}-{number:0{len(str(self.devices))}}"


def _check(name: str, value: float, least: float, most: float) -> None:
    if not (isfinite(value) and least <= value <= most):
        raise InvalidParameter(name, f"{name}: must be from {least:g} to {most:g}, not {value:g}.")


def ground_around(targets: Sequence[Target], bounds: Sequence[Bounds]) -> Ground:
    """Return the ground of geofences where some are chosen, else of areas."""
    return Ground(targets=tuple(targets)) if targets else Ground(bounds=tuple(bounds))
