"""Devices that tracks are played as, and how their updates are timed."""

from collections.abc import Sequence
from datetime import datetime
from secrets import token_hex

from msgspec import Struct

from engine.domain.tracking.trips import DestinationChange, TripChange
from engine.domain.tracking.updates import LocationUpdate
from engine.simulation.phone import EXACT, Phone
from engine.simulation.timing import ScheduledFix, location_updates

DEFAULT_DEVICE = "phone-1"
DEFAULT_ACCURACY_M = 12.0


class Timing(Struct, frozen=True):
    """How positions get their times: as recorded, or at a speed; `start` shifts the first to a moment."""

    assume_speed_kmh: float | None = None
    start: datetime | None = None


class Sender(Struct, frozen=True):
    """The device that a track is played as, and what all its updates say of it.

    Without `accuracy_m` each fix has the accuracy that it was recorded with.
    `foreground`: its app is in the foreground; `stopped`: it stands still. `trip_to` is the _id of the
    geofence that its trip leads to, None while it is on no trip.
    """

    device: str = DEFAULT_DEVICE
    accuracy_m: float | None = DEFAULT_ACCURACY_M
    foreground: bool = False
    stopped: bool = False
    trip_to: str | None = None

    def new_trip(self) -> TripChange | None:
        """Return the trip of one run of the track; each has an external ID of its own."""
        if self.trip_to is None:
            return None
        name = f"{self.device}-{token_hex(3)}"
        return TripChange(external_id=name, destination=DestinationChange(geofence_id=self.trip_to))

    def updates(self, fixes: Sequence[ScheduledFix], phone: Phone = EXACT) -> tuple[LocationUpdate, ...]:
        """Return what it sends; raises `InvalidParameter` ``device_id`` or ``accuracy``.

        The noise of a phone says the accuracy of each fix itself.
        """
        return location_updates(
            fixes,
            device_id=self.device,
            accuracy_m=self.accuracy_m if phone.noise is None else None,
            foreground=self.foreground,
            stopped=self.stopped,
        )


class Demonstration(Struct, frozen=True):
    """How a track is played that is not the user's own: as this device, at this pace, and in Test only."""

    sender: Sender
    speed: float | None
