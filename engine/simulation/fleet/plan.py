"""Plan of a fleet: the devices, their region, their start times, and the properties of their updates."""

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
    # The command line reads its options without the modules for motion, which are slow to load.
    from engine.simulation.motion import Motion

MAX_DEVICES: Final = 2_000
MAX_STAGGER_S: Final = 3_600.0
MAX_REACH_M: Final = 100_000.0
MAX_INTERVAL_S: Final = 600.0
DEFAULT_PREFIX: Final = "fleet"
_LONGEST_PREFIX: Final = 200


class Target(Struct, frozen=True):
    """A destination of devices: a geofence or, without `geofence_id`, any position."""

    point: Point
    geofence_id: str | None = None


class Ground(Struct, frozen=True):
    """The region of a fleet: `bounds`, each equally likely, or the surroundings of `targets` if given."""

    bounds: tuple[Bounds, ...] = ()
    targets: tuple[Target, ...] = ()

    def __post_init__(self) -> None:
        """Check that the region is not empty; raises `InvalidParameter` naming ``area``."""
        if not (self.bounds or self.targets):
            raise InvalidParameter(
                "area", "area: no area is loaded, so there are no roads; build one, or choose geofences to go to."
            )


class FleetPlan(Struct, frozen=True, kw_only=True):
    """A fleet. The same plan in the same region on the same roads gives the same fleet.

    The first device starts at once, each further one `stagger_s` after the previous one. Each goes to a position at
    most `reach_m` away and stays there for `stay_s`. With `loop` it comes back, stays, and goes again. With `trips`,
    each outward journey is a trip to its destination. Without noise, every fix has `accuracy_m`; without motion, a
    device is stopped while it stays. Raises `InvalidParameter` naming the invalid value.
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
        """Return the device ID of the device with a number, starting from 1."""
        return f"{self.prefix}-{number:0{len(str(self.devices))}}"


def _check(name: str, value: float, least: float, most: float) -> None:
    if not (isfinite(value) and least <= value <= most):
        raise InvalidParameter(name, f"{name}: must be from {least:g} to {most:g}, not {value:g}.")


def ground_around(targets: Sequence[Target], bounds: Sequence[Bounds]) -> Ground:
    """Return the region around geofences if any are given, else that of areas."""
    return Ground(targets=tuple(targets)) if targets else Ground(bounds=tuple(bounds))
