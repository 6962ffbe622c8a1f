"""Between deciding a location update and what joins its transaction."""

from collections.abc import Collection, Sequence
from datetime import datetime

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceSummary
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.trips import Trip
from engine.domain.tracking.updates import Event, LocationUpdate, User
from engine.domain.tracking.verdicts import Verdict


class Decided(Struct, frozen=True):
    """A location update as it was decided.

    `user` is as after it; `inside` are the identifiers of the geofences they are in, `entered` those entered by it.
    `is_explained` asks for reasons.
    """

    update: LocationUpdate
    user: User
    now: datetime
    inside: Collection[str]
    entered: Sequence[GeofenceSummary]
    settings: ProjectSettings
    is_explained: bool = False


class OnTrip(Struct, frozen=True):
    """The trip that a user is on after a location update, and its events; `refused` is what was asked in vain.

    `verdicts` say why each event fired or not, where the update is explained.
    """

    trip: Trip | None = None
    events: tuple[Event, ...] = ()
    refused: InvalidParameter | None = None
    verdicts: tuple[Verdict, ...] = ()


NO_TRIP = OnTrip()
