"""Effect of a location update on the trip of its user, in the writer's thread and the update's transaction."""

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from datetime import datetime

from engine.domain.clock import has_run_since, moves_of
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.ports import Clock
from engine.domain.tracking.steps import NO_TRIP, Decided, OnTrip
from engine.domain.tracking.trips import Arrival, Destination, Trip, TripStatus
from engine.domain.tracking.updates import LocationUpdate, User
from engine.domain.values import replace
from engine.geo.shapes import shape_of
from engine.store.tables import trips as trips_table
from engine.store.trips import find_trip, trip_row
from engine.store.writer import Batch
from engine.trips.book import TripBook
from engine.trips.eta import Etas
from engine.trips.judging import Places, changed, created
from engine.trips.machine import Seen, Stepped, event_of, is_within_radius, moved_to, noted, seen, with_etas
from engine.trips.reasons import Threshold, TripCase, refusal_of, trip_verdicts


class TripStep:
    """Starts, continues and ends trips by location updates."""

    def __init__(
        self,
        book: TripBook,
        etas: Etas,
        places: Mapping[Environment, Places],
        clocks: Mapping[Environment, Clock],
        make_id: Callable[[], str],
    ) -> None:
        self._book = book
        self._etas = etas
        self._places = places
        self._clocks = clocks
        self._make_id = make_id

    def concerns(self, update: LocationUpdate) -> bool:
        """Return whether an update may affect a trip."""
        return update.trip is not None or not self._book.is_empty

    def awaited(self, environment: Environment, update: LocationUpdate, user: User | None) -> Future[None] | None:
        """Return the search for a route that must end before an update of this user is decided.

        The result is None without such a search, or if time passes by itself, in which case the route is used once it
        is found.
        """
        trip = self._concerned(environment, update, None if user is None else user.id)
        search = None if trip is None else self._etas.search(trip.id)
        if search is None or search.over.done():
            return None
        is_awaited = update.awaits_route or not has_run_since(self._clocks[environment], search.moves)
        return search.over if is_awaited else None

    def __call__(self, decided: Decided, batch: Batch) -> OnTrip:
        """Return the user's trip after an update with its events, and add the trip to the batch."""
        requested, sight = decided.update.trip, _Sight(self._seen, decided)
        refused = None
        try:
            stepped = self._found(decided, sight) if requested is None else self._named(decided, batch, sight)
        except InvalidParameter as error:
            stepped, refused = self._found(decided, sight), error
        refusal = () if requested is None or refused is None else (refusal_of(requested, refused),)
        if stepped is None:
            return NO_TRIP if refused is None else OnTrip(refused=refused, verdicts=refusal)
        observation = sight.observation
        whole = stepped if observation is None else seen(stepped.trip, observation, stepped.events)
        after = Stepped(whole.trip, whole.events[len(stepped.events) :])
        ended = Stepped(after.trip)
        if requested is not None and refused is None and requested.status is not None and not requested.status.is_open:
            ended = moved_to(after.trip, requested.status, _moment(after.trip, decided))
            whole = whole.and_then(lambda _: ended)
        if not decided.is_explained:
            return self._stored(whole, decided, batch, refused)
        verdicts = trip_verdicts(self._case(stepped, after, ended, observation, decided))
        return replace(self._stored(whole, decided, batch, refused), verdicts=(*refusal, *verdicts))

    def _found(self, decided: Decided, sight: "_Sight") -> Stepped | None:
        """Return the user's current trip, or one that is waiting for this update."""
        found = self._followed(decided.user.environment, decided.update, decided.user.id)
        return None if found is None else Stepped(sight(found))

    def _followed(self, environment: Environment, update: LocationUpdate, user: str | None) -> Trip | None:
        waiting = self._book.waiting_for(environment, update.user_id, update.device_id)
        current = None if user is None else self._book.of_user(user)
        # Identifiers increase with the engine's time. If an update created a trip, its identifier shows when.
        if current is None or (waiting is not None and waiting.id > current.id):
            return waiting or current
        return current

    def _concerned(self, environment: Environment, update: LocationUpdate, user: str | None) -> Trip | None:
        """Return the trip that an update concerns: the named one, otherwise the user's current one."""
        named = None if update.trip is None else update.trip.external_id
        trip = None if named is None else self._book.with_external_id(environment, named)
        return trip or self._followed(environment, update, user)

    def _named(self, decided: Decided, batch: Batch, sight: "_Sight") -> Stepped | None:
        """Return the trip that an update names, after creating or changing it. Raises `InvalidParameter`."""
        change, user = decided.update.trip, decided.user
        assert change is not None
        places = self._places[user.environment]
        if change.status in (TripStatus.COMPLETED, TripStatus.CANCELED):
            change = replace(change, status=None)  # it ends after the effects of this update
        if change.external_id is None:
            raise InvalidParameter("external_id", "external_id: is required.")
        trip = self._book.with_external_id(user.environment, change.external_id)
        if trip is not None:
            # SDKs repeat the legs with which the trip was created, whose order may have been changed since.
            again = replace(change, user_id=None, device_id=None, legs=None if trip.legs else change.legs)
            return changed(trip, again, self._make_id, places, _moment(trip, decided), sight)
        ended = find_trip(batch.connection, user.environment, change.external_id)
        if ended is not None:
            raise InvalidParameter(
                "external_id", f"external_id: the trip {ended.external_id!r} is {ended.status} and cannot be changed."
            )
        identified = replace(change, user_id=user.user_id, device_id=user.device_id)
        begun = sight(created(identified, user.environment, self._make_id, places, user.fix.at))
        return Stepped(begun) if change.status is None else moved_to(begun, change.status, user.fix.at)

    def _seen(self, trip: Trip, decided: Decided) -> Seen | None:
        """Return the data of an update for an open trip, or None for a late update that the trip has passed."""
        if _has_passed(trip, decided.user):
            return None
        fix = decided.user.fix
        ahead = [self._point_of(each, trip.environment) for each in _ahead(trip)]
        is_there = not ahead or trip.status is TripStatus.ARRIVED
        etas = () if is_there else self._etas.of(trip, ahead, fix, moves=moves_of(self._clocks[trip.environment]))
        threshold_s = self._threshold(trip, decided).seconds
        inside, now = self._inside(trip, decided), Arrival(decided.now, fix.at)
        return Seen(fix.point, _moment(trip, decided), now, inside, decided.entered, etas, threshold_s)

    def _case(
        self, requested: Stepped, after: Stepped, ended: Stepped, observation: Seen | None, decided: Decided
    ) -> TripCase:
        """Return the effect of an update on a trip, with the data for its reasons."""
        trip, point = requested.trip, decided.user.fix.point
        case = TripCase(requested, after, ended, observation, self._threshold(trip, decided), self._etas.basis(trip.id))
        destination = trip.heading_for
        fence = None if destination is None else self._geofence_of(destination, trip.environment)
        if observation is None or destination is None or fence is None:
            return case
        is_in = destination.geofence_id in observation.inside
        outside_m = None if is_in else shape_of(fence.geometry).distance_m(point.longitude, point.latitude)
        return replace(case, fence=f"{fence.tag}/{fence.external_id}", outside_m=outside_m)

    def _inside(self, trip: Trip, decided: Decided) -> Collection[str]:
        """Return the geofences the user is in, including a deleted destination if the user is at its former place."""
        destination = trip.heading_for
        if destination is None or destination.geofence_id is None or destination.geofence_id in decided.inside:
            return decided.inside
        geofence = self._geofence_of(destination, trip.environment)
        if geofence is None:
            is_there = is_within_radius(destination, decided.user.fix.point)
        else:
            is_there = geofence.id in decided.inside
        return (*decided.inside, destination.geofence_id) if is_there else decided.inside

    def _geofence_of(self, destination: Destination, environment: Environment) -> Geofence | None:
        """Return a destination's geofence, or its replacement with the same tag and external ID if it was deleted."""
        if destination.geofence_id is None:
            return None
        places = self._places[environment]
        geofence = places.geofence(destination.geofence_id)
        if geofence is None and destination.tag is not None and destination.external_id is not None:
            geofence = places.geofence_by_key(destination.tag, destination.external_id)
        return geofence

    def _point_of(self, destination: Destination, environment: Environment) -> Point:
        """Return the point of a destination, which is the centre of its current geofence if that exists."""
        geofence = self._geofence_of(destination, environment)
        return destination.point if geofence is None else shape_of(geofence.geometry).center

    def _threshold(self, trip: Trip, decided: Decided) -> Threshold:
        if trip.approaching_threshold_s is not None:
            return Threshold(trip.approaching_threshold_s, "trip")
        if (destination := trip.heading_for) is not None:
            geofence = self._geofence_of(destination, trip.environment)
            if geofence is not None and geofence.rules.trip_approaching_threshold_s is not None:
                return Threshold(geofence.rules.trip_approaching_threshold_s, "geofence")
        return Threshold(decided.settings.trip_approaching_threshold_s, "settings")

    def _stored(self, stepped: Stepped, decided: Decided, batch: Batch, refused: InvalidParameter | None) -> OnTrip:
        trip, user, update = noted(stepped.trip, decided.now), decided.user, decided.update
        batch.put(trips_table, trip.id, trip_row(trip))
        self._book.put(trip)
        if not trip.status.is_open:
            self._etas.forget(trip.id)
        events = tuple(
            event_of(
                each, user.summary, user.fix, decided.now, self._make_id(), at=user.fix.at, replayed=update.replayed
            )
            for each in stepped.events
        )
        return OnTrip(trip if trip.status.is_active else None, events, refused)


class _Sight:
    """Applies the data of one update to a trip, as soon as the trip has been determined."""

    def __init__(self, measure: Callable[[Trip, Decided], Seen | None], decided: Decided) -> None:
        self._measure = measure
        self._decided = decided
        self.observation: Seen | None = None

    def __call__(self, trip: Trip) -> Trip:
        """Return an open trip assigned to the update's user, with its ETA."""
        trip = _of_user(trip, self._decided)
        self.observation = self._measure(trip, self._decided)
        return trip if self.observation is None else with_etas(trip, self.observation)


def _has_passed(trip: Trip, user: User) -> bool:
    """Return whether a late update precedes updates that have advanced a trip.

    A trip begun only by late updates continues with late updates.
    """
    late = user.fix.late_after is not None
    return (
        late and trip.begun_at is not None and user.in_order is not None and trip.begun_at <= user.in_order.received_at
    )


def _moment(trip: Trip, decided: Decided) -> datetime:
    """Return when an update affects a trip: at the update's time, unless the trip has changed since."""
    at = decided.user.fix.at
    return at if at >= trip.updated_at else decided.now


def _of_user(trip: Trip, decided: Decided) -> Trip:
    """Return a trip assigned to the update's user, who takes it over by naming it in an update."""
    user = decided.user
    if trip.user == user.id:
        return trip
    return replace(trip, user=user.id, user_id=user.user_id or trip.user_id, device_id=user.device_id)


def _ahead(trip: Trip) -> list[Destination]:
    """Return the destinations ahead, in order."""
    if trip.legs:
        return [leg.destination for leg in trip.legs if leg.status.is_open]
    return [] if trip.destination is None else [trip.destination]
