"""A track that was played in the window, as it is handed to whoever writes it down."""

from collections.abc import Sequence

from msgspec import Struct

from engine.simulation.timing import ScheduledFix


class Recording(Struct, frozen=True):
    """The fixes of a track and the device they were sent as; `trip_to` is the _id of the geofence of its trip.

    Without `accuracy_m` each fix was sent with its own. `played` of the fixes were sent, from the first one on.
    """

    name: str
    fixes: Sequence[ScheduledFix]
    device_id: str
    accuracy_m: float | None
    foreground: bool = False
    stopped: bool = False
    trip_to: str | None = None
    played: int = 0

    @property
    def is_partly_played(self) -> bool:
        """Whether some of the fixes were sent and others are still to come."""
        return 0 < self.played < len(self.fixes)


class Saved(Struct, frozen=True):
    """What was written of a recording: how many events are expected, and how many fixes there are.

    `own_areas` are areas of the workspace that the run used: a scenario cannot have them.
    """

    events: int
    fixes: int
    own_areas: tuple[str, ...] = ()
