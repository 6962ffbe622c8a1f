"""A track that was played in the window, as it is handed to whoever writes it down."""

from collections.abc import Sequence

from engine.domain.values.dataclass import dataclass
from engine.simulation.timing import ScheduledFix


@dataclass(frozen=True, slots=True)
class Recording:
    """The fixes of a track and the device they were sent as; `trip_to` is the _id of the geofence of its trip.

    Without `accuracy_m` each fix was sent with its own.
    """

    name: str
    fixes: Sequence[ScheduledFix]
    device_id: str
    accuracy_m: float | None
    foreground: bool = False
    stopped: bool = False
    trip_to: str | None = None
