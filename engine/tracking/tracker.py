"""One location update, from what the device said to what is stored."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from engine.domain.decision import Explanation
from engine.domain.environment import Environment
from engine.domain.fraud import Fraud
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.metadata import NO_METADATA
from engine.domain.ports import Clock
from engine.domain.settings import ProjectSettings
from engine.domain.tracking import (
    NOWHERE,
    UNKNOWN_DEVICE,
    Device,
    Event,
    EventType,
    Fix,
    LocationUpdate,
    Presence,
    Subject,
    TrackResult,
    User,
    Whereabouts,
)
from engine.geo.index import Entry, SpatialIndex
from engine.store.queries import presences_of, users_of_device
from engine.store.rows import event_row, presence_row, update_row, user_row
from engine.store.tables import events as events_table
from engine.store.tables import presences as presences_table
from engine.store.tables import users as users_table
from engine.store.writer import Batch
from engine.tracking.decide import Decision, explained
from engine.tracking.fraud import Reported, Seen, judged, newly_failed
from engine.tracking.keeping import UpdateKeeper
from engine.tracking.measure import LARGEST_M
from engine.tracking.segments import segments_of
from engine.tracking.settings import SettingsBook
from engine.tracking.step import EVENTS, Presences, Step, stay_s, step
from engine.tracking.users import UserState, UserStates, record_for
from engine.tracking.whereabouts import Around, Happening, Moved, move, place_reason, seen, valid

EXPLAINED_M = 500.0
"""A geofence this near is worth a word in an explanation, whatever the accuracy."""

type Index = SpatialIndex[Geofence]


class Fences(Protocol):
    """The geofences of an environment, and the number of their last edit."""

    @property
    def index(self) -> Index:
        """The geofences by where they are."""
        ...

    @property
    def revision(self) -> int:
        """The number of the last edit."""
        ...


@dataclass(frozen=True, slots=True)
class Ground:
    """What updates of one environment are decided by."""

    clock: Clock
    fences: Fences
    settings: SettingsBook
    around: Around


class Tracker:
    """Turns updates into users, presences and events. Its `track` runs in the writer's thread."""

    def __init__(self, make_id: Callable[[], str], grounds: Mapping[Environment, Ground]) -> None:
        self._make_id = make_id
        self._grounds = grounds
        self._states = UserStates()
        self._keeper = UpdateKeeper()

    def track(self, environment: Environment, update: LocationUpdate, batch: Batch) -> TrackResult:
        """Decide and put into the batch what an update changes; return it."""
        ground = self._grounds[environment]
        number, settings = ground.settings.numbered
        now, index, revision = ground.clock.now(), ground.fences.index, ground.fences.revision
        states = self._states.of_device(
            environment, update.device_id, lambda: _read_device(batch, environment, update.device_id)
        )
        state = record_for(states, update.user_id)
        before = state.user if state is not None else None
        presences = state.presences if state is not None else {}
        fix = accepted(update, before, now)
        subject = Subject(update.user_id, update.ip)

        near = candidates(index, fix, presences, settings, explain=update.explain)
        taken = step(presences, subject, fix, near, settings, now)
        fraud = _fraud(update, fix, state, states, settings)
        moved = _moved(before, fix, settings, number, ground)
        user = self._user(environment, update, fix, before, now, fraud, moved.after, settings)
        user = _described(user, index, taken.presences, settings)
        events = tuple(self._event(user, fix, decision, presences, now, update) for decision in taken.fired)
        if moved.happenings:
            events += tuple(self._happened(user, fix, each, now, update) for each in moved.happenings)
        if fraud is not None and newly_failed(before.fraud if before else None, fraud):
            events = (*events, self._fraud_event(user, fix, now, update))

        where = before.whereabouts if before else NOWHERE
        kept = update_row(user, subject, now, revision, number, presences, update, where)
        self._keeper.keep(batch, environment, kept, settings.kept_updates)
        _put(batch, user, events, presences, taken.presences)
        _remember(states, state, user, taken.presences)
        if not update.explain:
            return TrackResult(user, events)
        reason = place_reason(moved, fix, settings, ground.around) if settings.places else None
        return TrackResult(user, events, _explained(taken, fix, presences), reason)

    def forget(self) -> None:
        """Read users and presences from the database again: it was changed past this tracker."""
        self._states.forget()
        self._keeper.forget()

    def _user(
        self,
        environment: Environment,
        update: LocationUpdate,
        fix: Fix,
        before: User | None,
        now: datetime,
        fraud: Fraud | None,
        where: Whereabouts,
        settings: ProjectSettings,
    ) -> User:
        """Return the user after the update: what the device did not send stays as it was."""
        shown = seen(where, settings)
        return User(
            id=before.id if before else self._make_id(),
            environment=environment,
            device_id=update.device_id,
            user_id=update.user_id,
            description=_kept(update.description, before.description if before else None),
            metadata=_kept(update.metadata, before.metadata if before else NO_METADATA),
            fix=fix,
            device=_merged(update.device, before.device if before else UNKNOWN_DEVICE),
            ip=_kept(update.ip, before.ip if before else None),
            created_at=before.created_at if before else now,
            updated_at=fix.at,
            fraud=fraud,
            whereabouts=where,
            place=shown.place,
            regions=shown.regions,
            top_chains=shown.top_chains,
        )

    def _event(
        self,
        user: User,
        fix: Fix,
        decision: Decision,
        presences: Presences,
        now: datetime,
        update: LocationUpdate,
    ) -> Event:
        kind = EVENTS[decision.outcome]
        presence = presences.get(decision.fence.item.id)
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=kind,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            geofence=decision.fence.item.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            confidence=decision.confidence,
            duration_s=stay_s(presence, fix) if kind is EventType.EXITED_GEOFENCE else None,
            currently_operating=decision.currently_operating,
            replayed=update.replayed,
        )

    def _happened(self, user: User, fix: Fix, happening: Happening, now: datetime, update: LocationUpdate) -> Event:
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
            replayed=update.replayed,
        )

    def _fraud_event(self, user: User, fix: Fix, now: datetime, update: LocationUpdate) -> Event:
        return Event(
            id=self._make_id(),
            environment=user.environment,
            type=EventType.FAILED_FRAUD,
            created_at=fix.at,
            actual_created_at=now,
            user=user.summary,
            point=fix.point,
            accuracy_m=fix.accuracy_m,
            fraud=user.fraud,
            replayed=update.replayed,
        )


def candidates(
    index: Index, fix: Fix, presences: Mapping[str, Presence], settings: ProjectSettings, *, explain: bool = False
) -> list[Entry[Geofence]]:
    """Return the geofences that a fix may matter to: those near, and those the user is in."""
    longitude, latitude = fix.point.longitude, fix.point.latitude
    if explain:
        near = index.near(longitude, latitude, explained_m(fix))
    elif settings.buffer_entries:
        near = index.near(longitude, latitude, min(fix.accuracy_m, LARGEST_M))
    else:
        near = index.at(longitude, latitude)
    if presences:
        known = {fence.key for fence in near}
        near += [fence for key in presences if key not in known and (fence := index.get(key)) is not None]
    return near


def accepted(update: LocationUpdate, before: User | None, now: datetime) -> Fix:
    """Return the fix with its accepted time: the client's, unless it is older than the user's last update."""
    at = now
    if update.at is not None:
        at = update.at.replace(microsecond=update.at.microsecond // 1000 * 1000)
    elif update.age_s is not None:
        at = now - timedelta(milliseconds=round(update.age_s * 1000))
    if before is not None and at < before.updated_at:
        at = now
    return Fix(
        update.point,
        update.accuracy_m,
        at,
        bool(update.foreground),
        bool(update.stopped),
        update.altitude_m,
        update.vertical_accuracy_m,
    )


def explained_m(fix: Fix) -> float:
    """Return how far a geofence may be to be explained."""
    return min(max(fix.accuracy_m, EXPLAINED_M), LARGEST_M)


def _explained(taken: Step, fix: Fix, presences: Presences) -> tuple[Explanation, ...]:
    return explained(taken.decisions, explained_m(fix), presences)


def _kept[T](given: T | None, stored: T) -> T:
    return stored if given is None else given


def _merged(given: Device, stored: Device) -> Device:
    if given is UNKNOWN_DEVICE or given == stored:
        return stored
    return Device(
        _kept(given.type, stored.type),
        _kept(given.os, stored.os),
        _kept(given.make, stored.make),
        _kept(given.model, stored.model),
    )


def _fraud(
    update: LocationUpdate, fix: Fix, state: UserState | None, states: list[UserState], settings: ProjectSettings
) -> Fraud | None:
    """Return what the checks find; nothing is found or remembered while the setting is off."""
    if not settings.fraud:
        return None
    reported = Reported(update.device_id, update.user_id, update.ip, bool(update.mocked), bool(update.compromised))
    others = [_seen(other.user) for other in states if other is not state]
    return judged(reported, fix, None if state is None else _seen(state.user), others, settings)


def _seen(user: User) -> Seen:
    return Seen(user.user_id, user.fix, user.fraud)


def _moved(before: User | None, fix: Fix, settings: ProjectSettings, number: int, ground: Ground) -> Moved:
    where = NOWHERE if before is None else valid(before.whereabouts, ground.settings.since)
    return move(where, fix, settings, number, ground.around)


def _described(user: User, index: Index, inside: Presences, settings: ProjectSettings) -> User:
    """Return the user with where they are and which segments they belong to."""
    if inside:
        user = replace(user, geofences=_summaries(index, inside))
    return replace(user, segments=segments_of(user, settings)) if settings.segments else user


def _read_device(batch: Batch, environment: Environment, device_id: str) -> list[UserState]:
    users = users_of_device(batch.connection, environment, device_id)
    return [UserState(user, presences_of(batch.connection, user.id)) for user in users]


def _summaries(index: Index, inside: Presences) -> tuple[GeofenceSummary, ...]:
    """Return the geofences a user is in, by tag and external ID."""
    found = [fence.item.summary for key in inside if (fence := index.get(key)) is not None]
    return tuple(sorted(found, key=lambda summary: (summary.tag, summary.external_id)))


def _put(batch: Batch, user: User, events: tuple[Event, ...], before: Presences, inside: Presences) -> None:
    batch.put(users_table, user.id, user_row(user))
    if inside is not before:
        for key in before.keys() - inside.keys():
            identity = {"user": user.id, "geofence": key}
            batch.drop(presences_table, (user.id, key), identity)
        for key, presence in inside.items():
            if before.get(key) != presence:
                batch.put(presences_table, (user.id, key), presence_row(user.id, presence))
    if events:
        batch.append(events_table, [event_row(event) for event in events])


def _remember(states: list[UserState], state: UserState | None, user: User, inside: Presences) -> None:
    if state is None:
        states.append(UserState(user, inside))
    else:
        state.user, state.presences = user, inside
