"""One location update, from what the device said to what is stored."""

from collections.abc import Callable
from datetime import datetime

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.metadata import NO_METADATA
from engine.domain.ports import Clock
from engine.domain.tracking import Event, EventType, Fix, LocationUpdate, Presence, TrackResult, User
from engine.geo.index import Entry, SpatialIndex
from engine.store.queries import presences_of, users_of_device
from engine.store.rows import event_row, to_ms, user_row
from engine.store.tables import events as events_table
from engine.store.tables import presences as presences_table
from engine.store.tables import users as users_table
from engine.store.writer import Batch
from engine.tracking.decide import Decision, Outcome, decide
from engine.tracking.settings import TrackingSettings
from engine.tracking.users import Presences, UserState, UserStates, record_for

type Fences = SpatialIndex[Geofence]

_EVENTS = {Outcome.ENTER: EventType.ENTERED_GEOFENCE, Outcome.EXIT: EventType.EXITED_GEOFENCE}
_ORDER = {Outcome.END_SILENTLY: 0, Outcome.EXIT: 1, Outcome.ENTER: 2}


class Tracker:
    """Turns updates into users, presences and events. Its `track` runs in the writer's thread."""

    def __init__(self, clock: Clock, make_id: Callable[[], str], fences: Callable[[Environment], Fences]) -> None:
        self._clock = clock
        self._make_id = make_id
        self._fences = fences
        self._states = UserStates()
        self._settings = TrackingSettings()

    def track(self, environment: Environment, update: LocationUpdate, batch: Batch) -> TrackResult:
        """Decide and put into the batch what an update changes; return it."""
        now = self._clock.now()
        states = self._states.of_device(
            environment, update.device_id, lambda: _read_device(batch, environment, update.device_id)
        )
        state = record_for(states, update.user_id)
        fix = _accepted(update, state, now)
        fences = self._fences(environment)
        presences = state.presences if state is not None else {}
        crossings = self._crossings(fences, fix, presences)
        inside = _presences_after(presences, crossings, fix)
        user = self._user(environment, update, fix, state, now, _summaries(fences, inside))
        events = tuple(
            self._event(user, fix, fence, decision, presences.get(fence.key), now)
            for fence, decision in crossings
            if decision.outcome in _EVENTS
        )
        _put(batch, user, events, presences, inside)
        _remember(states, state, user, inside)
        return TrackResult(user, events)

    def forget(self) -> None:
        """Read users and presences from the database again: it was changed past this tracker."""
        self._states.forget()

    def _crossings(self, fences: Fences, fix: Fix, presences: Presences) -> list[tuple[Entry[Geofence], Decision]]:
        """Return the geofences whose presence changes: exits first, then entries, each by tag and external ID."""
        near = {fence.key: fence for fence in fences.at(fix.point.longitude, fix.point.latitude)}
        for key in presences:
            if key not in near and (fence := fences.get(key)) is not None:
                near[key] = fence
        decided = [(fence, decide(presences.get(key), fix, fence, self._settings)) for key, fence in near.items()]
        crossings = [pair for pair in decided if pair[1].outcome in _ORDER]
        if len(crossings) > 1:
            crossings.sort(key=_crossing_order)
        return crossings

    def _user(
        self,
        environment: Environment,
        update: LocationUpdate,
        fix: Fix,
        state: UserState | None,
        now: datetime,
        geofences: tuple[GeofenceSummary, ...],
    ) -> User:
        """Return the user after the update: what the device did not send stays as it was."""
        before = state.user if state is not None else None
        return User(
            id=before.id if before else self._make_id(),
            environment=environment,
            device_id=update.device_id,
            user_id=update.user_id,
            description=_kept(update.description, before.description if before else None),
            metadata=_kept(update.metadata, before.metadata if before else NO_METADATA),
            fix=fix,
            device_type=_kept(update.device_type, before.device_type if before else None),
            ip=_kept(update.ip, before.ip if before else None),
            created_at=before.created_at if before else now,
            updated_at=fix.at,
            geofences=geofences,
        )

    def _event(
        self,
        user: User,
        fix: Fix,
        fence: Entry[Geofence],
        decision: Decision,
        presence: Presence | None,
        now: datetime,
    ) -> Event:
        assert decision.confidence is not None
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=_EVENTS[decision.outcome],
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            geofence=fence.item.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=decision.confidence,
            # A device whose clock was ahead may leave, by the engine's time, before it came.
            duration_s=None if presence is None else max(0.0, (fix.at - presence.entered_at).total_seconds()),
        )


def _kept[T](given: T | None, stored: T) -> T:
    return stored if given is None else given


def _read_device(batch: Batch, environment: Environment, device_id: str) -> list[UserState]:
    users = users_of_device(batch.connection, environment, device_id)
    return [UserState(user, presences_of(batch.connection, user.id)) for user in users]


def _accepted(update: LocationUpdate, state: UserState | None, now: datetime) -> Fix:
    """Return the fix with its accepted time: the client's, unless it is older than the user's last update."""
    at = now if update.at is None else _whole_milliseconds(update.at)
    if state is not None and at < state.user.updated_at:
        at = now
    return Fix(update.point, update.accuracy_m, at, bool(update.foreground), bool(update.stopped))


def _whole_milliseconds(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _crossing_order(crossing: tuple[Entry[Geofence], Decision]) -> tuple[int, str, str]:
    fence, decision = crossing
    return _ORDER[decision.outcome], fence.item.tag, fence.item.external_id


def _presences_after(before: Presences, crossings: list[tuple[Entry[Geofence], Decision]], fix: Fix) -> Presences:
    if not crossings:
        return before
    inside = dict(before)
    for fence, decision in crossings:
        if decision.outcome is Outcome.ENTER:
            inside[fence.key] = Presence(fence.key, fix.at)
        else:
            del inside[fence.key]
    return inside


def _summaries(fences: Fences, inside: Presences) -> tuple[GeofenceSummary, ...]:
    """Return the geofences a user is in, by tag and external ID."""
    if not inside:
        return ()
    found = [fence.item.summary for key in inside if (fence := fences.get(key)) is not None]
    return tuple(sorted(found, key=lambda summary: (summary.tag, summary.external_id)))


def _put(batch: Batch, user: User, events: tuple[Event, ...], before: Presences, inside: Presences) -> None:
    batch.put(users_table, user.id, user_row(user))
    if inside is not before:
        for key in before.keys() - inside.keys():
            identity = {"user": user.id, "geofence": key}
            batch.drop(presences_table, (user.id, key), identity)
        for key in inside.keys() - before.keys():
            row = {"user": user.id, "geofence": key, "entered_at": to_ms(inside[key].entered_at)}
            batch.put(presences_table, (user.id, key), row)
    if events:
        batch.append(events_table, [event_row(event) for event in events])


def _remember(states: list[UserState], state: UserState | None, user: User, inside: Presences) -> None:
    if state is None:
        states.append(UserState(user, inside))
    else:
        state.user, state.presences = user, inside
