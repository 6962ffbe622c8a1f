"""One side of a replay: updates run in sequence under given settings and geofences."""

from collections.abc import Mapping

from msgspec import Struct

from engine.domain.settings import ProjectSettings
from engine.domain.tracking.explaining import KeptUpdate
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import NOWHERE, Confidence, EventType, InOrder, PlaceState, Presence
from engine.tracking.arrival import all_presences, in_order_after, moved_in_order
from engine.tracking.context import summary_of
from engine.tracking.decide import Decision, decide
from engine.tracking.fraud import Reported, Seen, judged, newly_failed
from engine.tracking.kept.explaining import since_by_version
from engine.tracking.kept.history import Fences, candidates_of
from engine.tracking.measure import LARGEST_M
from engine.tracking.place_state import Around, Moved, valid
from engine.tracking.step import EVENTS, Presences, Step, stay_s, step


class Happened(Struct, frozen=True):
    """An event with its decision. Only events of geofences have one."""

    event: ReplayedEvent
    decision: Decision | None = None


class World:
    """Settings, geofences and places, with the resulting state of each user."""

    def __init__(self, settings: Mapping[int, ProjectSettings], fences: Fences, around: Around) -> None:
        """Create a world with the `settings` of each version that was ever in force."""
        self._settings = settings
        self._since = since_by_version(settings)
        self._fences = fences
        self._around = around
        self._presences: dict[str, Presences] = {}
        self._places: dict[str, PlaceState] = {}
        self._in_order: dict[str, InOrder] = {}
        self._seen: dict[str, dict[str, Seen]] = {}
        self.events: list[ReplayedEvent] = []

    def presences(self, user_id: str) -> Presences:
        """Return the presences of a user."""
        return self._presences.get(user_id, {})

    def put(self, user_id: str, presences: Mapping[str, Presence], place: PlaceState | None = None) -> None:
        """Set the presences and the place of a user before an update."""
        self._presences[user_id] = dict(presences)
        if place is not None:
            self._places[user_id] = place

    def knows(self, user_id: str) -> bool:
        """Return whether the presences of a user are known."""
        return user_id in self._presences

    def run(self, update: KeptUpdate) -> list[Happened]:
        """Decide an update and return its events."""
        user_id = update.user.id
        inside = {
            key: stay
            for key, stay in self.presences(user_id).items()
            if self._fences.get(key, update.revision) is not None
        }
        taken = self._step(update, inside)
        found = [Happened(_event(update, decision, taken.before), decision) for decision in taken.fired]
        moved = self._moved(update)
        found += [Happened(event) for event in (*_of_places(update, moved), *self._checked(update))]
        self._note(update, inside, taken, moved)
        self.events += (each.event for each in found)
        return found

    def decided(self, update: KeptUpdate, geofence_id: str, before: Mapping[str, Presence]) -> Decision | None:
        """Return the decision on a geofence for a user with the presences `before`, or None if it did not exist."""
        fence = self._fences.get(geofence_id, update.revision)
        if fence is None:
            return None
        settings, presence = self._settings[update.settings], before.get(geofence_id)
        return decide(presence, update.subject, update.fix, fence, settings, update.received_at)

    def _step(self, update: KeptUpdate, presences: Presences) -> Step:
        settings, fix = self._settings[update.settings], update.fix
        in_order = self._in_order.get(update.user.id)
        reach_m = min(fix.accuracy_m, LARGEST_M) if settings.buffer_entries else 0.0
        stays = all_presences(presences, in_order)
        near = candidates_of(self._fences, fix.point, stays, reach_m, update.revision)
        inside = None if in_order is None else in_order.presences
        return step(presences, update.subject, fix, near, settings, update.received_at, in_order=inside)

    def _moved(self, update: KeptUpdate) -> Moved:
        """Return the changes of an update to places and regions, based on current data."""
        settings, user_id = self._settings[update.settings], update.user.id
        state = valid(self._places.get(user_id, NOWHERE), self._since[update.settings])
        in_order = self._in_order.get(user_id)
        return moved_in_order(state, in_order, update.fix, settings, update.settings, self._around)

    def _note(self, update: KeptUpdate, inside: Presences, taken: Step, moved: Moved) -> None:
        """Store the state of a user after an update. `inside` are the presences before it."""
        user_id, settings = update.user.id, self._settings[update.settings]
        if update.fix.late_after is not None or user_id in self._in_order:
            before = InOrder(inside, update.fix, update.received_at, self._places.get(user_id, NOWHERE).stay)
            known = self._in_order.pop(user_id, None)
            after = in_order_after(known, before, update.fix, taken, moved, settings, self._around, update.received_at)
            if after is not None:
                self._in_order[user_id] = after
        self._presences[user_id], self._places[user_id] = taken.presences, moved.after

    def _checked(self, update: KeptUpdate) -> list[ReplayedEvent]:
        """Return the failed fraud check of an update, if any, and store the user's state for the next update."""
        settings, subject = self._settings[update.settings], update.subject
        user_id, device_id = update.user.id, update.user.device_id
        seen = self._seen.setdefault(device_id, {})
        before, fraud = seen.get(user_id), None
        if settings.fraud:
            own = device_id, subject.user_id, subject.ip, update.mocked, update.compromised
            reported = Reported(*own, update.received_at, update.taken_at, update.is_aged)
            others = [other for key, other in seen.items() if key != user_id]
            fraud = judged(reported, update.fix, before, others, settings)
        in_order = update.fix if before is None or update.fix.late_after is None else before.fix
        seen[user_id] = Seen(subject.user_id, in_order, fraud, update.received_at)
        if fraud is None or not newly_failed(before.fraud if before else None, fraud):
            return []
        event_type, sure, point = EventType.FAILED_FRAUD, Confidence.HIGH, update.fix.point
        return [ReplayedEvent(event_type, update.fix.at, update.user, confidence=sure, fraud=fraud, point=point)]


def _of_places(update: KeptUpdate, moved: Moved) -> list[ReplayedEvent]:
    return [
        ReplayedEvent(
            each.type,
            update.fix.at,
            update.user,
            confidence=each.confidence,
            duration_s=each.duration_s,
            place=each.place,
            region=each.region,
            point=update.fix.point,
        )
        for each in moved.events
    ]


def _event(update: KeptUpdate, decision: Decision, presences: Mapping[str, Presence]) -> ReplayedEvent:
    kind, geofence = EVENTS[decision.outcome], decision.fence.item
    leaving = kind is EventType.EXITED_GEOFENCE
    return ReplayedEvent(
        type=kind,
        created_at=update.fix.at,
        user=update.user,
        geofence=summary_of(decision.fence),
        confidence=decision.confidence,
        duration_s=stay_s(presences.get(geofence.id), update.fix) if leaving else None,
        currently_operating=decision.currently_operating,
        point=update.fix.point,
    )
