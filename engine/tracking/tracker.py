"""One location update, from what the device said to what is stored."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.stays import BeaconStep, Left, beacon_step, near
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.metadata import NO_METADATA
from engine.domain.ports import Clock
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import NO_STAYS, BeaconStays, BeaconSummary
from engine.domain.tracking.decision import Explanation, Outcome
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.steps import NO_TRIP, Decided, OnTrip
from engine.domain.tracking.trips import TripChange
from engine.domain.tracking.updates import (
    ANONYMOUS_DEVICE,
    NOWHERE,
    UNKNOWN_DEVICE,
    Anonymous,
    Event,
    Fix,
    InOrder,
    LocationUpdate,
    PlaceState,
    Presence,
    Subject,
    Timing,
    TrackResult,
    User,
)
from engine.domain.tracking.verdicts import Verdict
from engine.domain.values.dataclass import dataclass
from engine.geo.index import Entry, SpatialIndex
from engine.store.beacons import put_stays, stays_of
from engine.store.delivery.sink import EventSink
from engine.store.presences import presences_of
from engine.store.queries import users_of_device
from engine.store.records.rows import event_row, former_presence_row, presence_row, update_row
from engine.store.tables import events as events_table
from engine.store.tables import former_presences as former_table
from engine.store.tables import presences as presences_table
from engine.store.users import put_user
from engine.store.writer import Batch, Connection
from engine.tracking.anonymous import moved_from, presences_told
from engine.tracking.arrival.in_order import all_presences, in_order_after, moved_in_order
from engine.tracking.arrival.repeats import Repeats, mark_of
from engine.tracking.arrival.timing import accepted, newest_after, timing_of
from engine.tracking.context import summaries
from engine.tracking.decide import explained
from engine.tracking.event_maker import EventMaker
from engine.tracking.fraud import Reported, Seen, judged, newly_failed
from engine.tracking.kept.keeping import UpdateKeeper
from engine.tracking.measure import LARGEST_M
from engine.tracking.place_state import Around, Moved, chains_near, seen, valid
from engine.tracking.reasons.updates import anonymous_update_verdicts, around_verdicts, complete, heard_verdicts
from engine.tracking.segments import segments_of
from engine.tracking.settings import SettingsBook
from engine.tracking.step import Presences, Step, step
from engine.tracking.users import UserState, UserStates, merged_device, record_for

EXPLAINED_M = 500.0
"""A geofence this near is worth a word in an explanation, whatever the accuracy."""

NOTHING_HEARD: tuple[Left | BeaconSummary, ...] = ()

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
class TrackingContext:
    """The values by which updates of one environment are decided."""

    clock: Clock
    fences: Fences
    settings: SettingsBook
    around: Around
    beacons: BeaconCatalog


class TripStep(Protocol):
    """Says what an update means to the trip of its user."""

    def concerns(self, update: LocationUpdate) -> bool:
        """Whether there may be a trip that the update means something to."""
        ...

    def awaited(self, environment: Environment, update: LocationUpdate, user: User | None) -> Future[None] | None:
        """Return the search for a route that is to be over before an update of this user is decided."""
        ...

    def __call__(self, decided: Decided, batch: Batch) -> OnTrip:
        """Return the trip after the update, with its events; puts it into the batch."""
        ...


class Tracker:
    """Turns updates into users, presences and events. Its `track` runs in the writer's thread."""

    def __init__(
        self,
        make_id: Callable[[], str],
        contexts: Mapping[Environment, TrackingContext],
        trip_step: TripStep,
        outbox: EventSink,
    ) -> None:
        self._make_id = make_id
        self._events = EventMaker(make_id)
        self._contexts = contexts
        self._trip_step = trip_step
        self._outbox = outbox
        self._states = UserStates()
        self._keeper = UpdateKeeper()
        self._repeats = Repeats()

    def track(self, environment: Environment, update: LocationUpdate, batch: Batch) -> TrackResult:
        """Decide and put into the batch what an update changes; return it. Nothing may be stored of anonymous ones."""
        assert update.anonymous is None
        context = self._contexts[environment]
        number, settings = context.settings.numbered
        now, index, revision = context.clock.now(), context.fences.index, context.fences.revision
        states = self._states.of_device(
            environment, update.device_id, lambda: _read_device(batch, environment, update.device_id, context.beacons)
        )
        state = record_for(states, update.user_id)
        before = state.user if state is not None else None
        presences = state.presences if state is not None else {}
        fix = accepted(update, before, now)
        timing = timing_of(fix, now)
        subject = Subject(update.user_id, update.ip)
        mark = mark_of(update, now) if update.once else None
        if mark is not None:
            # One that was sent before a login may come again after it.
            for each in states if state is None and update.user_id is None else filter(None, (state,)):
                first = self._repeats.find(batch, each.user, mark) if mark.may_be_known(each.user, now) else None
                if first is not None:
                    return _repeated(batch, each, update, first)
        in_order = None if before is None else before.in_order
        fences = candidates(index, fix, all_presences(presences, in_order), settings, explain=update.explain)
        inside = None if in_order is None else in_order.presences
        taken = step(presences, subject, fix, fences, settings, now, told=update.explain, in_order=inside)
        fraud = _fraud(update, fix, now, state, states, settings)
        moved = _moved(before, fix, settings, number, context)
        before_stays = NO_STAYS if state is None else state.stays
        heard, came_and_went = BeaconStep(before_stays), NOTHING_HEARD
        if update.beacons is not None:
            known, heard_before = context.beacons, None if in_order is None else in_order.beacons
            heard = beacon_step(before_stays, known.heard(update.beacons), known, fix, heard_before)
            came_and_went = (*heard.left, *heard.entered)
        stays = heard.stays
        described = None
        if state is not None and state.described == revision and taken.presences is presences:
            described = state.user.geofences
        geofences = summaries(index, taken.presences) if described is None else described
        user = self._user(environment, update, fix, before, now, fraud, moved.after, geofences, settings)
        newest = newest_after(fix, timing, before, now)
        if newest is not None or in_order is not None:
            heard_now = None if update.beacons is None else stays
            then = _left_by(before, presences, before_stays)
            in_order = in_order_after(in_order, then, fix, taken, moved, settings, context.around, now, heard_now)
            user = replace(user, newest_at=newest, in_order=in_order)
        user = _described(user, settings, context.around)
        if stays:
            user = replace(user, beacons=near(stays, context.beacons))
        events = self._events.of_geofences(user, fix, taken.fired, taken.before, now, update) if taken.changes else ()
        if moved.happenings:
            events += tuple(self._events.of_place(user, fix, each, now, update) for each in moved.happenings)
        if came_and_went:
            events += tuple(self._events.of_beacon(user, fix, each, now, update) for each in came_and_went)
        if fraud is not None and newly_failed(before.fraud if before else None, fraud):
            events = (*events, self._events.of_fraud(user, fix, now, update))
        on_trip = NO_TRIP
        if self._trip_step.concerns(update):
            on_trip = self._on_trip(update, user, taken, settings, now, batch)
            user, events = replace(user, trip=on_trip.trip), (*events, *on_trip.events)
        if events and self._outbox.concerns(environment):
            self._outbox.join(batch, user, events)

        verdicts: tuple[Verdict, ...] = ()
        if update.explain or settings.kept_updates:
            around = around_verdicts(moved, fix, settings, context.around)
            beacons = heard_verdicts(before_stays, update, heard, context.beacons, fix)
            verdicts = (*on_trip.verdicts, *beacons, *around)
        if settings.kept_updates:
            kept_as = self._keeper.next_number(batch.connection)
            where = before.place_state if before else NOWHERE
            left_behind = None if before is None else before.in_order
            kept = update_row(kept_as, user, subject, now, revision, number, update, where, verdicts, left_behind)
            self._keeper.keep(batch, environment, kept, settings.kept_updates)
        if state is None:
            state = UserState(user, presences, noted=0)
            states.append(state)
        put_user(batch, user, before)
        if taken.presences is not presences:
            since = self._keeper.last_number(batch.connection)
            _put_presences(batch, user, state, taken.presences, since, kept=settings.kept_updates > 0)
        if events:
            batch.append(events_table, [event_row(event) for event in events])
        if stays is not before_stays:
            put_stays(batch, user.id, before_stays, stays)
        state.user, state.presences, state.stays, state.described = user, taken.presences, stays, revision
        refused = () if on_trip.refused is None else (on_trip.refused,)
        if mark is not None:
            self._repeats.note(batch, state, mark, events)
        if not update.explain:
            return TrackResult(user, events, refused=refused, timing=timing)
        explained = complete(verdicts, settings)
        return TrackResult(user, events, _explained(taken, fix, presences), refused, explained, timing)

    def _on_trip(
        self, update: LocationUpdate, user: User, taken: Step, settings: ProjectSettings, now: datetime, batch: Batch
    ) -> OnTrip:
        entered = [each.fence.item.summary for each in taken.changes if each.outcome is Outcome.ENTER]
        is_explained = update.explain or settings.kept_updates > 0
        return self._trip_step(Decided(update, user, now, taken.presences, entered, settings, is_explained), batch)

    def decide_anonymous(self, environment: Environment, update: LocationUpdate, anonymous: Anonymous) -> TrackResult:
        """Decide an update against what its device says of itself; reads and stores nothing, from any thread."""
        context = self._contexts[environment]
        number, settings = context.settings.numbered
        now, index = context.clock.now(), context.fences.index
        refused = () if update.trip is None else (_no_trip(update.trip),)
        update = replace(update, device_id=ANONYMOUS_DEVICE, user_id=None, trip=None)
        fix = accepted(update, None, now)
        told = presences_told(anonymous, index, fix)
        near = candidates(index, fix, told, settings, explain=update.explain)
        taken = step(told, Subject(None, update.ip), fix, near, settings, now, told=update.explain)
        moved = moved_from(anonymous, fix, settings, number, context.around)
        fraud = _fraud(update, fix, now, None, [], settings)
        where, geofences = replace(moved.after, visits=()), summaries(index, taken.presences)
        user = self._user(environment, update, fix, None, now, fraud, where, geofences, settings)
        user = _described(user, settings, context.around)
        # Since when the device has been anywhere, nobody knows: exits have no duration.
        events = self._events.of_geofences(user, fix, taken.fired, {}, now, update)
        events += tuple(self._events.of_place(user, fix, each, now, update) for each in moved.happenings)
        if not update.explain:
            return TrackResult(user, events, refused=refused)
        verdicts = anonymous_update_verdicts(moved, update, fix, settings, context.around, has_trip=bool(refused))
        return TrackResult(user, events, _explained(taken, fix, told), refused, verdicts)

    def awaited(self, environment: Environment, update: LocationUpdate, batch: Batch) -> Future[None] | None:
        """Return what is to be over before an update is decided: the search for the route of its trip, if any."""
        if not self._trip_step.concerns(update):
            return None
        beacons, device_id = self._contexts[environment].beacons, update.device_id
        states = self._states.of_device(
            environment, device_id, lambda: _read_device(batch, environment, device_id, beacons)
        )
        state = record_for(states, update.user_id)
        return self._trip_step.awaited(environment, update, None if state is None else state.user)

    def trim(self, environment: Environment, connection: Connection, settings: ProjectSettings) -> None:
        """Forget the kept updates that the settings no longer allow."""
        self._keeper.trim(connection, environment, settings.kept_updates)

    def forget_devices(self, environment: Environment, devices: Iterable[str]) -> None:
        """Read the users of some devices from the database again: they were changed past this tracker."""
        self._states.forget_devices(environment, devices)

    def forget(self) -> None:
        """Read users and presences from the database again: it was changed past this tracker."""
        self._states.forget()
        self._keeper.forget()
        self._repeats.forget()

    def _user(
        self,
        environment: Environment,
        update: LocationUpdate,
        fix: Fix,
        before: User | None,
        now: datetime,
        fraud: Fraud | None,
        where: PlaceState,
        geofences: tuple[GeofenceSummary, ...],
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
            device=merged_device(update.device, before.device if before else UNKNOWN_DEVICE),
            ip=_kept(update.ip, before.ip if before else None),
            created_at=before.created_at if before else now,
            updated_at=fix.at,
            geofences=geofences,
            fraud=fraud,
            place_state=where,
            place=shown.place,
            regions=shown.regions,
            top_chains=shown.top_chains,
            actual_updated_at=None if fix.at is now else now,
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


def explained_m(fix: Fix) -> float:
    """Return how far a geofence may be to be explained."""
    return min(max(fix.accuracy_m, EXPLAINED_M), LARGEST_M)


def _explained(taken: Step, fix: Fix, presences: Presences) -> tuple[Explanation, ...]:
    return explained(taken.decisions, explained_m(fix), presences)


def _kept[T](given: T | None, stored: T) -> T:
    return stored if given is None else given


def _no_trip(asked: TripChange) -> InvalidParameter:
    """Return why an anonymous update starts or changes no trip: one belongs to a user."""
    name = "" if asked.external_id is None else f" {asked.external_id!r}"
    return InvalidParameter("external_id", f"external_id: the trip{name} is not updated for an anonymous device.")


def _fraud(
    update: LocationUpdate,
    fix: Fix,
    now: datetime,
    state: UserState | None,
    states: list[UserState],
    settings: ProjectSettings,
) -> Fraud | None:
    """Return what the checks find; nothing is found or remembered while the setting is off."""
    if not settings.fraud:
        return None
    own = update.device_id, update.user_id, update.ip, bool(update.mocked), bool(update.compromised)
    reported = Reported(*own, now, update.taken_at(now), is_aged=update.at is None and update.age_s is not None)
    others = [_seen(other.user) for other in states if other is not state]
    return judged(reported, fix, None if state is None else _seen(state.user), others, settings)


def _seen(user: User) -> Seen:
    fix = user.fix if user.in_order is None else user.in_order.fix
    return Seen(user.user_id, fix, user.fraud, user.actual_updated_at or user.updated_at)


def _repeated(batch: Batch, state: UserState, update: LocationUpdate, events: tuple[Event, ...]) -> TrackResult:
    """Return the result of an update that was stored before; what it says of its user counts as ever."""
    before = state.user
    user = replace(
        before,
        user_id=update.user_id or before.user_id,
        description=_kept(update.description, before.description),
        metadata=_kept(update.metadata, before.metadata),
        device=merged_device(update.device, before.device),
        ip=_kept(update.ip, before.ip),
    )
    if user != before:
        put_user(batch, user, before)
        state.user = user
    return TrackResult(user, (), () if update.explain else None, timing=Timing.REPEATED, repeated=events)


def _left_by(user: User | None, presences: Presences, stays: BeaconStays) -> InOrder | None:
    """Return what a late update leaves behind of a user who was in order."""
    if user is None:
        return None
    return InOrder(presences, user.fix, user.actual_updated_at or user.updated_at, user.place_state.stay, stays)


def _moved(before: User | None, fix: Fix, settings: ProjectSettings, number: int, context: TrackingContext) -> Moved:
    if before is None:
        return moved_in_order(NOWHERE, None, fix, settings, number, context.around)
    where = valid(before.place_state, context.settings.since)
    return moved_in_order(where, before.in_order, fix, settings, number, context.around)


def _described(user: User, settings: ProjectSettings, around: Around) -> User:
    """Return the user with the chains that are near and the segments they belong to."""
    if settings.places:
        user = replace(user, nearby_chains=chains_near(user.fix, settings, around))
    return replace(user, segments=segments_of(user, settings)) if settings.segments else user


def _read_device(batch: Batch, environment: Environment, device_id: str, beacons: BeaconCatalog) -> list[UserState]:
    connection = batch.connection
    users = users_of_device(connection, environment, device_id)
    return [UserState(user, *presences_of(connection, user.id), _stays(connection, user, beacons)) for user in users]


def _stays(connection: Connection, user: User, beacons: BeaconCatalog) -> BeaconStays:
    """Return which beacons a stored user is near; nobody is near any where there are none."""
    return stays_of(connection, user.id) if beacons else NO_STAYS


def _put_presences(batch: Batch, user: User, state: UserState, inside: Presences, number: int, *, kept: bool) -> None:
    """Put where a user is inside since the update with a number; what was before goes to the updates that are kept."""
    before, since = state.presences, state.since
    former: list[dict[str, Any]] = []
    for key in before.keys() - inside.keys():
        batch.drop(presences_table, (user.id, key), {"user": user.id, "geofence": key})
        former.append(former_presence_row(user, before[key], since.pop(key), number))
    for key, presence in inside.items():
        was = before.get(key)
        if was is presence or was == presence:
            continue
        if was is not None:
            former.append(former_presence_row(user, was, since[key], number))
        since[key] = number
        batch.put(presences_table, (user.id, key), presence_row(user.id, presence, number))
    if kept and former:
        batch.append(former_table, former)
