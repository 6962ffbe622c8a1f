"""Record of a run: every location update with its explanations, every event, and where users were."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, field

from app.lab.files.faults import Way
from app.lab.files.reading import Scenario
from app.lab.files.words import GeofenceKey
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.trips import Destination, Trip, TripStatus
from engine.domain.tracking.updates import Event, User, UserSummary
from engine.domain.tracking.verdicts import Verdict
from engine.domain.values import replace


class Sent(Struct, frozen=True):
    """A location update as the engine took it; times are since the start of the scenario."""

    at: timedelta
    user: UserSummary
    explanations: tuple[Explanation, ...]
    verdicts: tuple[Verdict, ...] = ()
    fraud: Fraud | None = None


class Happened(Struct, frozen=True):
    """An event, at a time since the start; `sent` is the location update that made it, None where a step did."""

    at: timedelta
    event: Event
    sent: Sent | None = None


class Standing(Struct, frozen=True):
    """Where a user was from a time on."""

    at: timedelta
    user: UserSummary
    geofences: frozenset[GeofenceKey]
    place: tuple[str, str] | None = None
    """Its _id and its name."""
    trip: TripStatus | None = None

    def differs_from(self, other: "Standing") -> bool:
        """Whether anything but the time is another."""
        return replace(self, at=other.at) != other


class Period(Struct, frozen=True):
    """Settings and enabled geofences that were in force together for some time."""

    settings: ProjectSettings
    geofences: tuple[Geofence, ...]


class Occasion(Struct, frozen=True):
    """A location update that a device had to send, whether it arrived or not."""

    at: timedelta
    device_id: str
    user_id: str | None


class Data(Struct, frozen=True):
    """Whether a run had the regions of the world and places; `unknown` are places and regions that are in neither."""

    has_world: bool = True
    has_places: bool = True
    unknown: frozenset[Way] = frozenset()


class Delivered(Struct, frozen=True):
    """The requests that brought some events to a webhook; `answers` are the statuses that the receiver gave.

    `at` is when the last one came, `signature` says what was wrong with one, and `due` when the next one follows.
    """

    webhook: str
    events: tuple[Event, ...]
    at: timedelta
    answers: tuple[int, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    signature: str | None = None
    due: timedelta | None = None

    @property
    def is_acknowledged(self) -> bool:
        """Whether the receiver took it."""
        return bool(self.answers) and 200 <= self.answers[-1] < 300


class Run(Struct):
    """Everything that a run of a scenario has shown."""

    scenario: Scenario
    start: datetime
    settings: ProjectSettings
    geofences: dict[GeofenceKey, Geofence] = field(default_factory=dict)
    """All there were at some time, as they were last."""
    sent: list[Sent] = field(default_factory=list)
    happened: list[Happened] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    trips: Mapping[str, TripStatus] = field(default_factory=dict)
    end: timedelta = timedelta(0)
    expired: int = 0
    """Geofences that their deleteAfter has deleted."""
    dropped: int = 0
    """Fixes that were lost while there was no connection."""
    left_out: list[str] = field(default_factory=list)
    """What could not be read of the track files."""
    unrouted: int = 0
    """Location updates that were decided without the route of their trip, which took too long to find."""
    unanswered: Mapping[str, int] = field(default_factory=dict)
    """By device how many of its location updates a fault had hit, which it still kept at the end."""
    periods: list[Period] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)
    hears_beacons: bool = False
    """Whether any location update lists beacons."""
    destinations: list[Destination] = field(default_factory=list)
    """Those of all trips."""
    data: Data = Data()
    deliveries: list[Delivered] = field(default_factory=list)
    """By webhook in the order of the file, and then in the order in which they were acknowledged."""

    def since_start(self, time: datetime | timedelta) -> timedelta:
        """Return a time of the file as a duration since the start."""
        return time - self.start if isinstance(time, datetime) else time


def key_of(geofence: GeofenceSummary | Geofence) -> GeofenceKey:
    """Return the tag and external ID of a geofence."""
    return GeofenceKey(geofence.tag, geofence.external_id)


def standing_of(user: User, at: timedelta) -> Standing:
    """Return where a user is."""
    place = None if user.place is None else (user.place.id, user.place.name)
    inside = frozenset(key_of(geofence) for geofence in user.geofences)
    trip = None if user.trip is None else user.trip.status
    return Standing(at, user.summary, inside, place, trip)


def destinations_of(trip: Trip) -> tuple[Destination, ...]:
    """Return where a trip leads."""
    own = () if trip.destination is None else (trip.destination,)
    return (*own, *(leg.destination for leg in trip.legs))
