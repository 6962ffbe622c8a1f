"""From what happened to a trip to the event that is stored."""

from datetime import datetime

from engine.domain.tracking.updates import Confidence, Event, Fix, UserSummary
from engine.trips.machine import TripHappening


def event_of(
    happening: TripHappening,
    user: UserSummary,
    fix: Fix | None,
    now: datetime,
    event_id: str,
    *,
    at: datetime | None = None,
    replayed: bool = False,
) -> Event:
    """Return the event; `at` is the time of the location update that it is of, None where a client changed the trip."""
    return Event(
        id=event_id,
        environment=happening.trip.environment,
        type=happening.type,
        created_at=at or now,
        actual_created_at=now,
        user=user,
        geofence=happening.geofence,
        point=None if fix is None else fix.point,
        accuracy_m=None if fix is None else fix.accuracy_m,
        confidence=Confidence.HIGH,
        replayed=replayed,
        trip=happening.trip,
    )
