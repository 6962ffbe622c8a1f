"""A track that was played in the window, for saving it as a scenario."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from engine.simulation.timing import ScheduledFix


class Recording(Struct, frozen=True):
    """The fixes of a track and the device as which they were sent.

    `trip_to` is the _id of the destination geofence of their trip. Without `accuracy_m`, each fix was sent with its own
    accuracy. The first `played` fixes were sent. `recorded_at` is the track's own time of the first fix, if it has one.
    """

    name: str
    fixes: Sequence[ScheduledFix]
    device_id: str
    accuracy_m: float | None
    foreground: bool = False
    stopped: bool = False
    trip_to: str | None = None
    played: int = 0
    recorded_at: datetime | None = None

    @property
    def other_time(self) -> datetime | None:
        """Time of the recording if the track was played at another one, else None."""
        return None if not self.fixes or self.recorded_at == self.fixes[0].at else self.recorded_at

    @property
    def is_partly_played(self) -> bool:
        """Whether some of the fixes were sent and others are still to be sent."""
        return 0 < self.played < len(self.fixes)


class Saved(Struct, frozen=True):
    """Summary of a saved recording: the number of expected events and of fixes.

    `own_areas` are areas of the workspace that the run used, which a scenario cannot contain.
    """

    events: int
    fixes: int
    own_areas: tuple[str, ...] = ()
