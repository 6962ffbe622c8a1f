"""The phone that carries a track: what it derives from its motion, and what noise makes of its fixes."""

from collections.abc import Sequence

from msgspec import Struct

from engine.simulation.motion import Motion, with_motion
from engine.simulation.noise.apply import noisy
from engine.simulation.noise.model import Noise, check_seed
from engine.simulation.timing import ScheduledFix


class Phone(Struct, frozen=True):
    """Phone of a track: its noise, and its motion; without `motion` fixes say of it what the track says."""

    noise: Noise | None = None
    seed: int = 0
    motion: Motion | None = None

    def __post_init__(self) -> None:
        """Check the seed; raises `InvalidParameter` naming ``seed``."""
        check_seed(self.seed)

    def reports(self, fixes: Sequence[ScheduledFix]) -> tuple[ScheduledFix, ...]:
        """Return what it reports of `fixes`. It feels its motion itself: noise does not change what that is."""
        moving = tuple(fixes) if self.motion is None else with_motion(fixes, self.motion)
        return moving if self.noise is None else noisy(moving, self.noise, self.seed)


EXACT = Phone()
"""A phone that reports exactly what the track says."""
