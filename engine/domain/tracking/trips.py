"""Trips: a user's travel to a destination, or through several of them with one leg each."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.travel import TravelMode

MAX_LEGS: Final = 25
DEFAULT_TRIPS: Final = 500
"""Default number of trips in a list."""

DEFAULT_ARRIVAL_RADIUS_M: Final = 100.0
"""Default distance within which a device arrives at a destination that is not a geofence."""

ARRIVAL_RADIUS_M: Final = (10.0, 10_000.0)
ANOTHER_TIME: Final = timedelta(days=1)
"""Difference from the engine's time beyond which an update follows another clock, as a recorded track does."""

MAX_THRESHOLD_S: Final = 24 * 3600.0


class TripStatus(StrEnum):
    """Status of a trip, or of one leg of it."""

    PENDING = "pending"
    STARTED = "started"
    APPROACHING = "approaching"
    ARRIVED = "arrived"
    COMPLETED = "completed"
    CANCELED = "canceled"
    EXPIRED = "expired"

    @property
    def is_open(self) -> bool:
        """Whether the trip is in progress, or has yet to begin."""
        return self not in _ENDS

    @property
    def is_active(self) -> bool:
        """Whether the trip is in progress."""
        return self in ACTIVE

    @property
    def following(self) -> tuple["TripStatus", ...]:
        """The statuses that a client may set next."""
        if not self.is_open:
            return ()
        return (*_ORDER[_ORDER.index(self) + 1 :], TripStatus.CANCELED)


_ENDS: Final = frozenset({TripStatus.COMPLETED, TripStatus.CANCELED, TripStatus.EXPIRED})
_ORDER: Final = (
    TripStatus.PENDING,
    TripStatus.STARTED,
    TripStatus.APPROACHING,
    TripStatus.ARRIVED,
    TripStatus.COMPLETED,
)
ACTIVE: Final = frozenset({TripStatus.STARTED, TripStatus.APPROACHING, TripStatus.ARRIVED})


class Destination(Struct, frozen=True):
    """The end of a trip or leg: a geofence, or the area within `arrival_radius_m` of `point`.

    `geofence_id`, `tag` and `external_id` identify the geofence, and `arrival_radius_m` applies after it was deleted.
    If an address was given, `point` is its position.
    """

    point: Point
    geofence_id: str | None = None
    tag: str | None = None
    external_id: str | None = None
    address: str | None = None
    arrival_radius_m: float | None = None


class Eta(Struct, frozen=True):
    """The rest of a route: along roads if `is_routed`, otherwise estimated from the device's speed."""

    distance_m: float
    duration_s: float
    is_routed: bool


class Arrival(Struct, frozen=True):
    """The expected or actual arrival of a user: `after_s` after the current times of the engine and of the device.

    `for_device` is the current time by the location update, which differs from `for_engine`, the engine's, if a track
    of another day is played.
    """

    for_engine: datetime
    for_device: datetime
    after_s: float = 0.0

    def late_s(self, scheduled: datetime) -> float:
        """Return the delay in seconds, or 0 if the arrival is in time, according to the clock of the schedule."""
        clocks = (self.for_device, self.for_engine) if self._are_apart else (self.for_device,)
        late_s = min((((each - scheduled).total_seconds() + self.after_s) for each in clocks), key=abs)
        return max(0.0, late_s)

    def reported(self, now: datetime) -> "Arrival":
        """Return the arrival that a client reports now by the engine's clock."""
        return Arrival(now, now - (self.for_engine - self.for_device) if self._are_apart else now)

    @property
    def _are_apart(self) -> bool:
        return abs(self.for_engine - self.for_device) > ANOTHER_TIME


class TripLeg(Struct, frozen=True):
    """One of several destinations; `stop_s` is the planned duration of the stop."""

    id: str
    status: TripStatus
    destination: Destination
    created_at: datetime
    updated_at: datetime
    stop_s: float | None = None
    metadata: Metadata = NO_METADATA
    eta: Eta | None = None


class Trip(Struct, frozen=True):
    """A stored trip.

    `external_id` is the client's own identifier, unique among the open trips of an environment. `user` is the
    identifier of the user's record after the trip has started. Without legs, `destination` is the end of the trip; with
    legs, each has its own. Changes by a location update have the time of that update, changes by a client the time of
    the engine's clock. `seen_at`, the last activity of a client or device, and `begun_at` always use that clock.
    `arrival` is the expected arrival by the ETA, or the actual one. `told_s` is the duration of the ETA in the last
    event.
    """

    id: str
    environment: Environment
    external_id: str
    status: TripStatus
    created_at: datetime
    updated_at: datetime
    seen_at: datetime
    user_id: str | None = None
    device_id: str | None = None
    user: str | None = None
    mode: TravelMode = TravelMode.CAR
    destination: Destination | None = None
    legs: tuple[TripLeg, ...] = ()
    approaching_threshold_s: float | None = None
    scheduled_arrival_at: datetime | None = None
    metadata: Metadata = NO_METADATA
    eta: Eta | None = None
    arrival: Arrival | None = None
    told_s: float | None = None
    begun_at: datetime | None = None
    started_at: datetime | None = None
    approaching_at: datetime | None = None
    arrived_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def turn(self) -> tuple[datetime, str]:
        """Sort key of a user's trips: the current one is the trip that was begun last."""
        return self.begun_at or self.started_at or self.created_at, self.id

    @property
    def current_leg(self) -> TripLeg | None:
        """The first leg that has not ended."""
        return next((leg for leg in self.legs if leg.status.is_open), None)

    @property
    def heading_for(self) -> Destination | None:
        """The next destination, if any."""
        leg = self.current_leg
        return self.destination if leg is None else leg.destination

    @property
    def delay_s(self) -> float | None:
        """The delay of the user's arrival, or 0 if it is on time; None if no arrival is scheduled or known."""
        arrival = self.arrival
        if arrival is None and self.arrived_at is not None:
            arrival = Arrival(self.arrived_at, self.arrived_at)
        if (
            arrival is None
            or self.scheduled_arrival_at is None
            or (self.arrived_at is None and not self.status.is_open)
        ):
            return None
        return arrival.late_s(self.scheduled_arrival_at)

    @property
    def is_late(self) -> bool:
        """Whether the user will arrive, or has arrived, after the scheduled time."""
        return bool(self.delay_s)


class DestinationChange(Struct, frozen=True, kw_only=True):
    """A destination as specified by a client: a geofence by ID or by tag and external ID, an address, or a position."""

    geofence_id: str | None = None
    tag: str | None = None
    external_id: str | None = None
    address: str | None = None
    point: Point | None = None
    arrival_radius_m: float | None = None


class LegChange(Struct, frozen=True, kw_only=True):
    """A leg as specified by a client."""

    destination: DestinationChange
    stop_s: float | None = None
    metadata: Metadata | None = None


class TripChange(Struct, frozen=True, kw_only=True):
    """The fields to set on a trip. A field that is None keeps its value, or gets its default on creation."""

    external_id: str | None = None
    status: TripStatus | None = None
    user_id: str | None = None
    device_id: str | None = None
    mode: TravelMode | None = None
    destination: DestinationChange | None = None
    legs: tuple[LegChange, ...] | None = None
    approaching_threshold_s: float | None = None
    scheduled_arrival_at: datetime | None = None
    metadata: Metadata | None = None


class TripQuery(Struct, frozen=True, kw_only=True):
    """A query for trips by update time or, if they are listed `by_creation`, creation time, newest first.

    `tag` and `external_id` are those of the destination's geofence, or of one of several destinations. `user` is a
    user ID, or the identifier of the user's record. `is_late` selects the trips that are late, or all others.
    """

    limit: int = DEFAULT_TRIPS
    by_creation: bool = False
    statuses: frozenset[TripStatus] = frozenset()
    external_ids: frozenset[str] = frozenset()
    tag: str | None = None
    external_id: str | None = None
    is_late: bool | None = None
    user: str | None = None
    created_before: datetime | None = None
    created_after: datetime | None = None
    updated_before: datetime | None = None
    updated_after: datetime | None = None

    def takes(self, trip: Trip) -> bool:
        """Return whether a trip has the destination and the delay that the query is for."""
        if self.is_late is not None and trip.is_late is not self.is_late:
            return False
        if self.tag is None and self.external_id is None:
            return True
        destinations = [leg.destination for leg in trip.legs] if trip.legs else [trip.destination]
        return any(each is not None and self._is_to(each) for each in destinations)

    def _is_to(self, destination: Destination) -> bool:
        return self.tag in (None, destination.tag) and self.external_id in (None, destination.external_id)


def check_following(status: TripStatus, wanted: TripStatus, noun: str = "trip") -> None:
    """Raise `InvalidParameter` for ``status`` unless a client may set `wanted` now. The current status is allowed."""
    if wanted is status or wanted in status.following:
        return
    if not status.is_open:
        raise InvalidParameter("status", f"status: this {noun} is {status} and cannot be changed.")
    which = ", ".join(status.following[:-1])
    raise InvalidParameter(
        "status", f"status: a {noun} that is {status} can become {which} or {status.following[-1]}, not {wanted}."
    )
