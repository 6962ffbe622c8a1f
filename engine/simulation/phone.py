"""The phone that carries a track: it derives its motion and adds noise to the fixes."""

from collections.abc import Sequence

from msgspec import Struct

from engine.simulation.motion import Motion, with_motion
from engine.simulation.noise.apply import noisy
from engine.simulation.noise.model import Noise, check_seed
from engine.simulation.timing import ScheduledFix


class Phone(Struct, frozen=True):
    """Phone of a track with its noise and motion; without `motion`, the fixes keep the states in the track."""

    noise: Noise | None = None
    seed: int = 0
    motion: Motion | None = None

    def __post_init__(self) -> None:
        """Check the seed; raises `InvalidParameter` naming ``seed``."""
        check_seed(self.seed)

    def reports(self, fixes: Sequence[ScheduledFix]) -> tuple[ScheduledFix, ...]:
        """Return the fixes that the phone reports; motion is derived before noise, which does not change it."""
        moving = tuple(fixes) if self.motion is None else with_motion(fixes, self.motion)
        return moving if self.noise is None else noisy(moving, self.noise, self.seed)


EXACT = Phone()
"""A phone that reports the track exactly."""
