"""Devices that tracks are played as, and the timing of their updates."""

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
    """Timing of positions: as recorded, or at a speed; `start` shifts the first position to a moment."""

    assume_speed_kmh: float | None = None
    start: datetime | None = None


class Sender(Struct, frozen=True):
    """The device that a track is played as, and the properties sent with all of its updates.

    Without `accuracy_m`, each fix has its recorded accuracy. With `foreground`, the app is in the foreground; with
    `stopped`, the device stands still. `trip_to` is the _id of the destination geofence of its trip, or None for no
    trip.
    """

    device: str = DEFAULT_DEVICE
    accuracy_m: float | None = DEFAULT_ACCURACY_M
    foreground: bool = False
    stopped: bool = False
    trip_to: str | None = None

    def new_trip(self) -> TripChange | None:
        """Return a new trip for a run of the track, with its own external ID."""
        if self.trip_to is None:
            return None
        name = f"{self.device}-{token_hex(3)}"
        return TripChange(external_id=name, destination=DestinationChange(geofence_id=self.trip_to))

    def updates(self, fixes: Sequence[ScheduledFix], phone: Phone = EXACT) -> tuple[LocationUpdate, ...]:
        """Return the updates that the device sends; raises `InvalidParameter` for ``device_id`` or ``accuracy``.

        If the phone adds noise, the noise determines the accuracy of each fix.
        """
        return location_updates(
            fixes,
            device_id=self.device,
            accuracy_m=self.accuracy_m if phone.noise is None else None,
            foreground=self.foreground,
            stopped=self.stopped,
        )


class Demonstration(Struct, frozen=True):
    """Playback of a demonstration track: with this device and speed, and only in Test."""

    sender: Sender
    speed: float | None
