"""Record of a run: every location update with its explanations, every event, and where users were."""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta

from app.lab.files.reading import Scenario
from app.lab.files.words import GeofenceKey
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.trips import TripStatus
from engine.domain.tracking.updates import Event, User, UserSummary
from engine.domain.tracking.verdicts import Verdict
from engine.domain.values.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Sent:
    """A location update as the engine took it; times are since the start of the scenario."""

    at: timedelta
    user: UserSummary
    explanations: tuple[Explanation, ...]
    verdicts: tuple[Verdict, ...] = ()
    fraud: Fraud | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, at a time since the start; `sent` is the location update that made it, None where a step did."""

    at: timedelta
    event: Event
    sent: Sent | None = None


@dataclass(frozen=True, slots=True)
class Standing:
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


@dataclass(slots=True)
class Run:
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
    unanswered: Mapping[str, int] = field(default_factory=dict)
    """By device how many of its location updates a fault had hit, which it still kept at the end."""

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
