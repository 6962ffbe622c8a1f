"""Record of a run: all location updates with their explanations, all events, and the states of users."""

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
    """A location update as the engine accepted it. Times are relative to the start of the scenario."""

    at: timedelta
    user: UserSummary
    explanations: tuple[Explanation, ...]
    verdicts: tuple[Verdict, ...] = ()
    fraud: Fraud | None = None


class Happened(Struct, frozen=True):
    """An event, at a time since the start. `sent` is the location update that caused it, or None for a step."""

    at: timedelta
    event: Event
    sent: Sent | None = None


class Standing(Struct, frozen=True):
    """The state of a user from a time on."""

    at: timedelta
    user: UserSummary
    geofences: frozenset[GeofenceKey]
    place: tuple[str, str] | None = None
    """The place's _id and its name."""
    trip: TripStatus | None = None

    def differs_from(self, other: "Standing") -> bool:
        """Whether anything but the time differs."""
        return replace(self, at=other.at) != other


class Period(Struct, frozen=True):
    """Settings and enabled geofences that were in effect together for some time."""

    settings: ProjectSettings
    geofences: tuple[Geofence, ...]


class Occasion(Struct, frozen=True):
    """A location update that a device had to send, regardless of whether it arrived."""

    at: timedelta
    device_id: str
    user_id: str | None


class Data(Struct, frozen=True):
    """Availability of world regions and places in a run.

    `unknown` are the fields of forbidden events that name a place or region not found in them.
    """

    has_world: bool = True
    has_places: bool = True
    unknown: frozenset[Way] = frozenset()


class Delivered(Struct, frozen=True):
    """The requests that delivered some events to a webhook. `answers` are the status codes of the receiver.

    `at` is the time of the last request, `signature` the error in a signature, and `due` the time of the next attempt.
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
        """Whether the receiver acknowledged it."""
        return bool(self.answers) and 200 <= self.answers[-1] < 300


class Run(Struct):
    """Everything recorded in a run of a scenario."""

    scenario: Scenario
    start: datetime
    settings: ProjectSettings
    geofences: dict[GeofenceKey, Geofence] = field(default_factory=dict)
    """All geofences that existed at some time, in their last state."""
    sent: list[Sent] = field(default_factory=list)
    happened: list[Happened] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    trips: Mapping[str, TripStatus] = field(default_factory=dict)
    end: timedelta = timedelta(0)
    expired: int = 0
    """Number of geofences deleted by their deleteAfter."""
    dropped: int = 0
    """Number of fixes that were lost while there was no connection."""
    left_out: list[str] = field(default_factory=list)
    """The parts of the track files that could not be read."""
    unrouted: int = 0
    """Number of location updates that were evaluated without the route of their trip, since it took too long to find.
    """
    unanswered: Mapping[str, int] = field(default_factory=dict)
    """Number of location updates by device that a fault had hit and that the device still held at the end."""
    periods: list[Period] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)
    hears_beacons: bool = False
    """Whether any location update contains beacons."""
    destinations: list[Destination] = field(default_factory=list)
    """Destinations of all trips."""
    data: Data = Data()
    deliveries: list[Delivered] = field(default_factory=list)
    """Deliveries by webhook in the order of the file, then in the order of acknowledgement."""

    def since_start(self, time: datetime | timedelta) -> timedelta:
        """Return a time of the file as a duration since the start."""
        return time - self.start if isinstance(time, datetime) else time


def key_of(geofence: GeofenceSummary | Geofence) -> GeofenceKey:
    """Return the tag and external ID of a geofence."""
    return GeofenceKey(geofence.tag, geofence.external_id)


def standing_of(user: User, at: timedelta) -> Standing:
    """Return the state of a user."""
    place = None if user.place is None else (user.place.id, user.place.name)
    inside = frozenset(key_of(geofence) for geofence in user.geofences)
    trip = None if user.trip is None else user.trip.status
    return Standing(at, user.summary, inside, place, trip)


def destinations_of(trip: Trip) -> tuple[Destination, ...]:
    """Return the destinations of a trip."""
    own = () if trip.destination is None else (trip.destination,)
    return (*own, *(leg.destination for leg in trip.legs))
