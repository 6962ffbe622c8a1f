"""Processing of a location update, from the device's report to the stored data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.stays import BeaconStep, Left, beacon_step, near
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceSummary
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
    Anonymous,
    Event,
    Fix,
    LocationUpdate,
    PlaceState,
    Subject,
    Timing,
    TrackResult,
    User,
)
from engine.domain.tracking.verdicts import Verdict
from engine.domain.values import replace
from engine.geo.index import SpatialIndex
from engine.store.beacons import put_stays
from engine.store.delivery.deliveries import EventSink
from engine.store.records.rows import event_row, update_row
from engine.store.tables import events as events_table
from engine.store.users import put_user
from engine.store.writer import Batch, Connection
from engine.tracking.anonymous import moved_from, reported_presences
from engine.tracking.arrival import (
    Mark,
    Repeats,
    accepted,
    all_presences,
    in_order_after,
    mark_of,
    moved_in_order,
    newest_after,
    timing_of,
)
from engine.tracking.context import summaries
from engine.tracking.decide import explained
from engine.tracking.fraud import fraud_of, newly_failed
from engine.tracking.kept.keeping import UpdateKeeper
from engine.tracking.place_state import Around, Moved, chains_near, seen, valid
from engine.tracking.segments import segments_of
from engine.tracking.settings import SettingsBook
from engine.tracking.step import (
    EventMaker,
    Presences,
    Step,
    anonymous_update_verdicts,
    around_verdicts,
    candidates,
    complete,
    explained_m,
    stay_verdicts,
    step,
)
from engine.tracking.users import UserState, UserStates, details_after, put_presences, read_device, record_for

type Index = SpatialIndex[Geofence]


class Fences(Protocol):
    """The geofences of an environment, and the number of their last edit."""

    @property
    def index(self) -> Index:
        """Index of the geofences by position."""
        ...

    @property
    def revision(self) -> int:
        """Number of the last edit."""
        ...


class TrackingContext(Struct, frozen=True):
    """The state on which updates of one environment are decided."""

    clock: Clock
    fences: Fences
    settings: SettingsBook
    around: Around
    beacons: BeaconCatalog


class TripStep(Protocol):
    """Determines the effect of an update on the trip of its user."""

    def concerns(self, update: LocationUpdate) -> bool:
        """Return whether the update may affect a trip."""
        ...

    def awaited(self, environment: Environment, update: LocationUpdate, user: User | None) -> Future[None] | None:
        """Return the search for a route that must end before an update of this user is decided."""
        ...

    def __call__(self, decided: Decided, batch: Batch) -> OnTrip:
        """Return the trip after the update with its events, and add it to the batch."""
        ...


class _Arrival(Struct):
    """An arriving update with the data for its decision; a new user has no `state`."""

    update: LocationUpdate
    fix: Fix
    timing: Timing
    now: datetime
    context: TrackingContext
    settings: ProjectSettings
    state: UserState | None

    @property
    def before(self) -> User | None:
        """The user before the update."""
        return None if self.state is None else self.state.user


class Tracker:
    """Turns updates into users, presences and events. `track` runs in the writer's thread."""

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
        """Decide an update, which must not be anonymous, add its changes to the batch and return its result."""
        assert update.anonymous is None
        context = self._contexts[environment]
        number, settings = context.settings.numbered
        now, index, revision = context.clock.now(), context.fences.index, context.fences.revision
        states = self._states.of_device(
            environment, update.device_id, lambda: read_device(batch, environment, update.device_id, context.beacons)
        )
        state = record_for(states, update.user_id)
        before = None if state is None else state.user
        fix = accepted(update, before, now)
        arrival = _Arrival(update, fix, timing_of(fix, now), now, context, settings, state)
        mark = mark_of(update, now) if update.once else None
        if mark is not None and (known := self._repetition(mark, arrival, states, batch)) is not None:
            return known
        subject = Subject(update.user_id, update.ip)
        presences, in_order = ({}, None) if state is None else (state.presences, state.user.in_order)
        fences = candidates(index, fix, all_presences(presences, in_order), settings, explain=update.explain)
        inside = None if in_order is None else in_order.presences
        taken = step(presences, subject, fix, fences, settings, now, explain=update.explain, in_order=inside)
        fraud = fraud_of(update, fix, now, state, states, settings) if settings.fraud else None
        moved = _moved(before, fix, settings, number, context)
        beacon_changes = _beacon_changes(arrival)
        geofences = _described_geofences(state, taken.presences, index, revision)
        user = self._user(environment, update, fix, before, now, fraud, moved.after, geofences, settings)
        user = _described(_in_order(user, arrival, taken, moved, beacon_changes), settings, context.around)
        if beacon_changes.stays:
            user = replace(user, beacons=near(beacon_changes.stays, context.beacons))
        events = self._happened(user, arrival, taken, moved, beacon_changes)
        on_trip = NO_TRIP
        if self._trip_step.concerns(update):
            on_trip = self._on_trip(update, user, taken, settings, now, batch)
            user, events = replace(user, trip=on_trip.trip), (*events, *on_trip.events)
        if events and self._outbox.concerns(environment):
            self._outbox.join(batch, user, events)
        verdicts = _verdicts(arrival, on_trip, moved, beacon_changes)
        last_kept = 0 if state is None else state.last_kept
        if settings.kept_updates:
            former, last_kept = last_kept, self._keeper.next_number(batch.connection)
            place = NOWHERE if before is None else before.place_state
            row = update_row(last_kept, former, user, subject, now, revision, number, update, place, verdicts, in_order)
            self._keeper.keep(batch, environment, row, settings.kept_updates)
        if state is None:
            states.append(state := UserState(user, presences, noted=0))
        state.last_kept = last_kept
        put_user(batch, user, before, last_kept)
        self._put(batch, state, user, taken.presences, beacon_changes.stays, events, settings)
        state.described = revision
        if mark is not None:
            self._repeats.note(batch, state, mark, events)
        return _result(user, events, arrival, taken, presences, on_trip, verdicts)

    def _repetition(self, mark: Mark, arrival: _Arrival, states: list[UserState], batch: Batch) -> TrackResult | None:
        """Return the result of an update that was stored before, or None for a new one."""
        update, state = arrival.update, arrival.state
        # An update sent before a login may be repeated after it.
        for each in states if state is None and update.user_id is None else filter(None, (state,)):
            first = self._repeats.find(batch, each.user, mark) if mark.may_be_known(each.user, arrival.now) else None
            if first is not None:
                return _repeated(batch, each, update, first)
        return None

    def _happened(
        self, user: User, arrival: _Arrival, taken: Step, moved: Moved, beacon_changes: BeaconStep
    ) -> tuple[Event, ...]:
        """Return the events of an update, without those of a trip."""
        update, fix, now, before = arrival.update, arrival.fix, arrival.now, arrival.before
        events = self._events.of_geofences(user, fix, taken.fired, taken.before, now, update) if taken.changes else ()
        if moved.events:
            events += tuple(self._events.of_place(user, fix, each, now, update) for each in moved.events)
        changed_beacons: tuple[Left | BeaconSummary, ...] = (*beacon_changes.left, *beacon_changes.entered)
        if changed_beacons:
            events += tuple(self._events.of_beacon(user, fix, each, now, update) for each in changed_beacons)
        if user.fraud is not None and newly_failed(before.fraud if before else None, user.fraud):
            events += (self._events.of_fraud(user, fix, now, update),)
        return events

    def _put(
        self,
        batch: Batch,
        state: UserState,
        user: User,
        inside: Presences,
        stays: BeaconStays,
        events: Sequence[Event],
        settings: ProjectSettings,
    ) -> None:
        """Add the presences and stays of a user and the events to the batch, and update the state."""
        if inside is not state.presences:
            since = self._keeper.last_number(batch.connection)
            put_presences(batch, user, state, inside, since, kept=settings.kept_updates > 0)
        if events:
            batch.append(events_table, [event_row(event) for event in events])
        if stays is not state.stays:
            put_stays(batch, user.id, state.stays, stays)
        state.user, state.presences, state.stays = user, inside, stays

    def _on_trip(
        self, update: LocationUpdate, user: User, taken: Step, settings: ProjectSettings, now: datetime, batch: Batch
    ) -> OnTrip:
        entered = [each.fence.item.summary for each in taken.changes if each.outcome is Outcome.ENTER]
        is_explained = update.explain or settings.kept_updates > 0
        return self._trip_step(Decided(update, user, now, taken.presences, entered, settings, is_explained), batch)

    def decide_anonymous(self, environment: Environment, update: LocationUpdate, anonymous: Anonymous) -> TrackResult:
        """Decide an update based on its device's own report, without the database. Thread-safe."""
        context = self._contexts[environment]
        number, settings = context.settings.numbered
        now, index = context.clock.now(), context.fences.index
        refused = () if update.trip is None else (_no_trip(update.trip),)
        update = replace(update, device_id=ANONYMOUS_DEVICE, user_id=None, trip=None)
        fix = accepted(update, None, now)
        reported = reported_presences(anonymous, index, fix)
        near = candidates(index, fix, reported, settings, explain=update.explain)
        taken = step(reported, Subject(None, update.ip), fix, near, settings, now, explain=update.explain)
        moved = moved_from(anonymous, fix, settings, number, context.around)
        fraud = fraud_of(update, fix, now, None, (), settings) if settings.fraud else None
        place_state, geofences = replace(moved.after, visits=()), summaries(index, taken.presences)
        user = self._user(environment, update, fix, None, now, fraud, place_state, geofences, settings)
        user = _described(user, settings, context.around)
        # The start of the device's presences is unknown, so exits have no duration.
        events = self._events.of_geofences(user, fix, taken.fired, {}, now, update)
        events += tuple(self._events.of_place(user, fix, each, now, update) for each in moved.events)
        if not update.explain:
            return TrackResult(user, events, refused=refused)
        verdicts = anonymous_update_verdicts(moved, update, fix, settings, context.around, has_trip=bool(refused))
        return TrackResult(user, events, _explained(taken, fix, reported), refused, verdicts)

    def awaited(self, environment: Environment, update: LocationUpdate, batch: Batch) -> Future[None] | None:
        """Return the search for the route of a trip that must end before an update is decided, if any."""
        if not self._trip_step.concerns(update):
            return None
        beacons, device_id = self._contexts[environment].beacons, update.device_id
        states = self._states.of_device(
            environment, device_id, lambda: read_device(batch, environment, device_id, beacons)
        )
        state = record_for(states, update.user_id)
        return self._trip_step.awaited(environment, update, None if state is None else state.user)

    def trim(self, environment: Environment, connection: Connection, settings: ProjectSettings) -> None:
        """Delete the kept updates that the settings no longer allow."""
        self._keeper.trim(connection, environment, settings.kept_updates)

    def forget_devices(self, environment: Environment, devices: Iterable[str]) -> None:
        """Discard the cached users of some devices, because the database was changed by other code."""
        self._states.forget_devices(environment, devices)

    def forget(self) -> None:
        """Discard all cached users and presences, because the database was changed by other code."""
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
        place_state: PlaceState,
        geofences: tuple[GeofenceSummary, ...],
        settings: ProjectSettings,
    ) -> User:
        """Return the user after the update. Fields that the device did not send are kept."""
        shown = seen(place_state, settings)
        return User(
            id=before.id if before else self._make_id(),
            environment=environment,
            device_id=update.device_id,
            user_id=update.user_id,
            fix=fix,
            created_at=before.created_at if before else now,
            updated_at=fix.at,
            geofences=geofences,
            fraud=fraud,
            place_state=place_state,
            place=shown.place,
            regions=shown.regions,
            top_chains=shown.top_chains,
            actual_updated_at=None if fix.at is now else now,
            **details_after(update, before),
        )


def _explained(taken: Step, fix: Fix, presences: Presences) -> tuple[Explanation, ...]:
    return explained(taken.decisions, explained_m(fix), presences)


def _beacon_changes(arrival: _Arrival) -> BeaconStep:
    """Return the changes to stays near beacons, or none if the update does not list beacons."""
    update, state, beacons = arrival.update, arrival.state, arrival.context.beacons
    stays = NO_STAYS if state is None else state.stays
    if update.beacons is None:
        return BeaconStep(stays)
    in_order = None if state is None or state.user.in_order is None else state.user.in_order.beacons
    return beacon_step(stays, beacons.find_reported(update.beacons), beacons, arrival.fix, in_order)


def _described_geofences(
    state: UserState | None, inside: Presences, index: Index, revision: int
) -> tuple[GeofenceSummary, ...]:
    """Return the geofences a user is in, reusing the previous descriptions if nothing has changed."""
    if state is not None and state.described == revision and inside is state.presences:
        return state.user.geofences
    return summaries(index, inside)


def _in_order(user: User, arrival: _Arrival, taken: Step, moved: Moved, beacon_changes: BeaconStep) -> User:
    """Return the user with the newest time of a fix, and with the state kept by late updates."""
    fix, now, state, before = arrival.fix, arrival.now, arrival.state, arrival.before
    newest = newest_after(fix, arrival.timing, before, now)
    in_order = None if before is None else before.in_order
    if newest is None and in_order is None:
        return user
    current_stays = None if arrival.update.beacons is None else beacon_changes.stays
    then = None if state is None else state.left_behind
    around, settings = arrival.context.around, arrival.settings
    in_order = in_order_after(in_order, then, fix, taken, moved, settings, around, now, current_stays)
    return replace(user, newest_at=newest, in_order=in_order)


def _verdicts(arrival: _Arrival, on_trip: OnTrip, moved: Moved, beacon_changes: BeaconStep) -> tuple[Verdict, ...]:
    """Return the reasons for the effects of an update, if they are requested or kept."""
    update, fix, settings, state = arrival.update, arrival.fix, arrival.settings, arrival.state
    if not update.explain and not settings.kept_updates:
        return ()
    around = around_verdicts(moved, fix, settings, arrival.context.around)
    stays = NO_STAYS if state is None else state.stays
    return (*on_trip.verdicts, *stay_verdicts(stays, update, beacon_changes, arrival.context.beacons, fix), *around)


def _result(
    user: User,
    events: tuple[Event, ...],
    arrival: _Arrival,
    taken: Step,
    presences: Presences,
    on_trip: OnTrip,
    verdicts: tuple[Verdict, ...],
) -> TrackResult:
    refused = () if on_trip.refused is None else (on_trip.refused,)
    if not arrival.update.explain:
        return TrackResult(user, events, refused=refused, timing=arrival.timing)
    explanations = _explained(taken, arrival.fix, presences)
    return TrackResult(user, events, explanations, refused, complete(verdicts, arrival.settings), arrival.timing)


def _no_trip(change: TripChange) -> InvalidParameter:
    """Return why an anonymous update cannot start or change a trip, which belongs to a user."""
    name = "" if change.external_id is None else f" {change.external_id!r}"
    return InvalidParameter("external_id", f"external_id: the trip{name} is not updated for an anonymous device.")


def _repeated(batch: Batch, state: UserState, update: LocationUpdate, events: tuple[Event, ...]) -> TrackResult:
    """Return the result of an update that was stored before. Its details of the user still take effect."""
    before = state.user
    user = replace(before, user_id=update.user_id or before.user_id, **details_after(update, before))
    if user != before:
        put_user(batch, user, before, state.last_kept)
        state.user = user
    return TrackResult(user, (), () if update.explain else None, timing=Timing.REPEATED, repeated=events)


def _moved(before: User | None, fix: Fix, settings: ProjectSettings, number: int, context: TrackingContext) -> Moved:
    if before is None:
        return moved_in_order(NOWHERE, None, fix, settings, number, context.around)
    state = valid(before.place_state, context.settings.since)
    return moved_in_order(state, before.in_order, fix, settings, number, context.around)


def _described(user: User, settings: ProjectSettings, around: Around) -> User:
    """Return the user with the nearby chains and the segments."""
    if settings.places:
        user = replace(user, nearby_chains=chains_near(user.fix, settings, around))
    return replace(user, segments=segments_of(user, settings)) if settings.segments else user
