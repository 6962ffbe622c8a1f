"""The values passed from the decision about a location update to the steps that join its transaction."""

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
    """A location update after its decision.

    `user` is the state after it. `inside` has the identifiers of the geofences that the user is in, `entered` the
    geofences entered by it. `is_explained` requests reasons.
    """

    update: LocationUpdate
    user: User
    now: datetime
    inside: Collection[str]
    entered: Sequence[GeofenceSummary]
    settings: ProjectSettings
    is_explained: bool = False


class OnTrip(Struct, frozen=True):
    """The trip of a user after a location update, and its events; `refused` is the error of a refused trip request.

    `verdicts` explain why each event fired or not, if the update is explained.
    """

    trip: Trip | None = None
    events: tuple[Event, ...] = ()
    refused: InvalidParameter | None = None
    verdicts: tuple[Verdict, ...] = ()


NO_TRIP = OnTrip()
