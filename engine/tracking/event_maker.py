"""Events made of what a location update has brought about."""

from collections.abc import Callable, Iterable
from datetime import datetime

from engine.beacons.stays import CONFIDENCE, Left
from engine.domain.tracking.beacon import BeaconSummary
from engine.domain.tracking.updates import Confidence, Event, EventType, Fix, LocationUpdate, User
from engine.tracking.context import summary_of
from engine.tracking.decide import Decision
from engine.tracking.place_state import Happening
from engine.tracking.step import EVENTS, Presences, stay_s


class EventMaker:
    """Makes the events of an update, as they are stored and told."""

    def __init__(self, make_id: Callable[[], str]) -> None:
        self._make_id = make_id

    def of_geofences(
        self,
        user: User,
        fix: Fix,
        decisions: Iterable[Decision],
        presences: Presences,
        now: datetime,
        update: LocationUpdate,
    ) -> tuple[Event, ...]:
        """Return the events of decisions on geofences, which may be thousands."""
        summary, described = user.summary, {each.id: each for each in user.geofences}

        def event(decision: Decision) -> Event:
            kind, key = EVENTS[decision.outcome], decision.fence.item.id
            leaves = kind is EventType.EXITED_GEOFENCE
            return Event(
                id=self._make_id(),
                environment=user.environment,
                type=kind,
                created_at=fix.at,
                actual_created_at=now,
                user=summary,
                geofence=described.get(key) or summary_of(decision.fence),
                point=fix.point,
                accuracy_m=fix.accuracy_m,
                confidence=decision.confidence,
                duration_s=stay_s(presences.get(key), fix) if leaves else None,
                currently_operating=decision.currently_operating,
                replayed=update.replayed,
            )

        return tuple(map(event, decisions))

    def of_place(self, user: User, fix: Fix, happening: Happening, now: datetime, update: LocationUpdate) -> Event:
        """Return the event of a place, a region, or home or work."""
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=happening.type,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=happening.confidence,
            duration_s=happening.duration_s,
            place=happening.place,
            region=happening.region,
            alternate_places=happening.alternates,
            replayed=update.replayed,
        )

    def of_beacon(
        self, user: User, fix: Fix, what: Left | BeaconSummary, now: datetime, update: LocationUpdate
    ) -> Event:
        """Return the event of a beacon that the user has come near or left."""
        left = what if isinstance(what, Left) else None
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=EventType.ENTERED_BEACON if left is None else EventType.EXITED_BEACON,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=CONFIDENCE,
            duration_s=None if left is None else left.duration_s,
            beacon=what.beacon if isinstance(what, Left) else what,
            replayed=update.replayed,
        )

    def of_fraud(self, user: User, fix: Fix, now: datetime, update: LocationUpdate) -> Event:
        """Return the event of a location that has failed the checks for fraud."""
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=EventType.FAILED_FRAUD,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=Confidence.HIGH,
            fraud=user.fraud,
            replayed=update.replayed,
        )
