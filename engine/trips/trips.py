"""The trips of an open workspace: querying, creating, changing, deleting and expiring them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from msgspec import Struct

from engine.domain.clock import real_seconds
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geometry import Point
from engine.domain.ports import Clock
from engine.domain.queries import Change, Page, TripDetails
from engine.domain.routing import Line
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.trips import DestinationChange, Trip, TripChange, TripLeg, TripQuery, TripStatus
from engine.domain.tracking.updates import Event, User, UserSummary
from engine.domain.values import replace
from engine.store.database import Database
from engine.store.delivery.deliveries import EventSink
from engine.store.queries import find_user, summaries_of_users
from engine.store.trips import find_trip, remove_trip, save_trips, trip_page
from engine.store.updates import locations_of_user
from engine.store.users import add_event
from engine.store.writer import Connection, Writer
from engine.trips.book import TripBook
from engine.trips.eta import Etas
from engine.trips.judging import Places, changed, created
from engine.trips.machine import Stepped, event_of, leg_moved_to, moved_to, noted, reordered

EXPIRED_AT_ONCE: Final = 50
"""Number of trips that expire in one transaction, for which location updates have to wait."""

type Settings = Callable[[Environment], ProjectSettings]


class TripOutcome(Struct, frozen=True):
    """A trip after a client's change, the leg that was changed, and the events in order."""

    trip: Trip
    events: tuple[Event, ...] = ()
    leg: TripLeg | None = None


class Trips:
    """Finds and changes trips. Thread-safe, except that changes must not be made in the writer's thread."""

    def __init__(
        self,
        book: TripBook,
        etas: Etas,
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        settings: Settings,
        places: Mapping[Environment, Places],
        locate: Callable[[str], Point],
        make_id: Callable[[], str],
        changed: Callable[[Change], None],
        outbox: EventSink,
    ) -> None:
        """Create the trips of a workspace.

        `locate` finds an address, outside the writer. `changed` is called in the writer's thread after the commit.
        """
        self._book = book
        self._etas = etas
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._settings = settings
        self._places = places
        self._locate = locate
        self._make_id = make_id
        self._changed = changed
        self._outbox = outbox

    # Queries

    def page(self, environment: Environment, query: TripQuery) -> Page[Trip]:
        """Return trips by update time, newest first."""
        return self._database.read(lambda connection: trip_page(connection, environment, query))

    def get(self, environment: Environment, key: str) -> Trip:
        """Return the trip with this _id, else the last one with this external ID. Raises `NotFound`."""
        return self._database.read(lambda connection: _trip(connection, environment, key))

    def users_of(self, environment: Environment, trips: Sequence[Trip]) -> dict[str, UserSummary]:
        """Return the users of trips, by the trip's _id. Unknown users are left out."""
        keys = {trip.id: key for trip in trips if (key := _key_of_user(trip)) is not None}
        found = self._database.read(lambda connection: summaries_of_users(connection, environment, keys.values()))
        return {trip: found[key] for trip, key in keys.items() if key in found}

    def details(self, trip: Trip, *, locations: int = 0) -> TripDetails:
        """Return a trip with its user and up to a number of the newest kept locations since it began."""
        return self.details_of(trip, self.users_of(trip.environment, [trip]).get(trip.id), locations=locations)

    def details_of(self, trip: Trip, user: UserSummary | None, *, locations: int = 0) -> TripDetails:
        """Return a trip with the given user and up to a number of the newest kept locations since it began."""
        if not locations:
            return TripDetails(trip, user)
        begun_at = trip.begun_at or trip.started_at
        if user is None or begun_at is None:
            return TripDetails(trip, user, ())
        until = None if trip.status.is_open else trip.seen_at
        found = self._database.read(
            lambda connection: locations_of_user(connection, trip.environment, user, begun_at, until, locations)
        )
        return TripDetails(trip, user, found)

    def way(self, trip_id: str) -> Line | None:
        """Return the route that a trip follows, or None if none is known."""
        return self._etas.line(trip_id)

    # Changes

    def create(self, environment: Environment, change: TripChange) -> TripOutcome:
        """Store a new trip. A status other than pending starts it immediately.

        Raises `InvalidParameter`, or `Conflict` if an open trip has its external ID.
        """
        change = self._located(change)
        places, now = self._places[environment], self._clocks[environment].now()

        def work(connection: Connection) -> TripOutcome:
            trip = created(change, environment, self._make_id, places, now)
            if (other := self._book.with_external_id(environment, trip.external_id)) is not None:
                raise Conflict(
                    "external_id", f"external_id: the trip {trip.external_id!r} is {other.status}; end it first."
                )
            stepped = Stepped(trip) if change.status is None else moved_to(trip, change.status, now)
            return self._stored(connection, stepped)

        return self._run(environment, work)

    def update(self, environment: Environment, key: str, change: TripChange) -> TripOutcome:
        """Change the trip with this _id or external ID. Raises `NotFound` or `InvalidParameter`."""
        change = self._located(change)
        places, now = self._places[environment], self._clocks[environment].now()

        def work(connection: Connection) -> TripOutcome:
            trip = _trip(connection, environment, key)
            return self._stored(connection, changed(trip, change, self._make_id, places, now))

        return self._run(environment, work)

    def update_leg(self, environment: Environment, key: str, leg_id: str, status: TripStatus) -> TripOutcome:
        """Set the status of a leg. Raises `NotFound` ``id`` or ``leg_id``, or `InvalidParameter` ``status``."""
        now = self._clocks[environment].now()

        def work(connection: Connection) -> TripOutcome:
            trip = _trip(connection, environment, key)
            if all(leg.id != leg_id for leg in trip.legs):
                raise NotFound("leg_id", f"leg_id: the trip {trip.external_id!r} has no leg with the _id {leg_id!r}.")
            outcome = self._stored(connection, leg_moved_to(trip, leg_id, status, now))
            return replace(outcome, leg=next(leg for leg in outcome.trip.legs if leg.id == leg_id))

        return self._run(environment, work)

    def reorder(self, environment: Environment, key: str, leg_ids: tuple[str, ...]) -> TripOutcome:
        """Reorder the legs ahead. Raises `NotFound` or `InvalidParameter` ``legs``."""
        now = self._clocks[environment].now()

        def work(connection: Connection) -> TripOutcome:
            trip = _trip(connection, environment, key)
            if not trip.status.is_open:
                raise InvalidParameter("legs", f"legs: this trip is {trip.status} and cannot be changed.")
            return self._stored(connection, reordered(trip, leg_ids, now))

        return self._run(environment, work)

    def delete(self, environment: Environment, key: str) -> Trip:
        """Delete a trip and return it. Its events are kept. Raises `NotFound`."""

        def work(connection: Connection) -> Trip:
            trip = _trip(connection, environment, key)
            remove_trip(connection, trip.id)
            return trip

        def then(trip: Trip) -> None:
            self._book.drop(trip)
            self._etas.forget(trip.id)
            self._changed(Change(environment, reread=True))

        return self._writer.run(work, then, forgets=True)

    # Expiry

    def until_expiry_s(self, scales: Mapping[Environment, float]) -> float | None:
        """Return the real seconds until the next trip expires, or None if no trip will."""
        waits = []
        for environment, scale in scales.items():
            moment = self._book.next_expiry(environment, self._settings(environment).trip_expiry_s)
            if moment is not None:
                waits.append(real_seconds(moment, self._clocks[environment].now(), scale))
        return min((wait for wait in waits if wait is not None), default=None)

    def expire(self) -> None:
        """End the trips that have not been used for the time in the settings."""
        for environment in Environment:
            while self._is_any_due(environment):
                self._writer.run(partial(self._expire, environment), partial(self._note, environment))

    def _is_any_due(self, environment: Environment) -> bool:
        moment = self._book.next_expiry(environment, self._settings(environment).trip_expiry_s)
        return moment is not None and self._clocks[environment].now() > moment

    def _expire(self, environment: Environment, connection: Connection) -> list[TripOutcome]:
        now = self._clocks[environment].now()
        oldest = now - timedelta(seconds=self._settings(environment).trip_expiry_s)
        due = [trip for trip in self._book.all() if trip.environment is environment and trip.seen_at < oldest]
        return [self._stored(connection, moved_to(trip, TripStatus.EXPIRED, now)) for trip in due[:EXPIRED_AT_ONCE]]

    # Storage

    def _run(self, environment: Environment, work: Callable[[Connection], TripOutcome]) -> TripOutcome:
        return self._writer.run(work, lambda outcome: self._note(environment, [outcome]))

    def _stored(self, connection: Connection, stepped: Stepped) -> TripOutcome:
        trip = noted(stepped.trip, stepped.trip.seen_at)
        save_trips(connection, [trip])
        user = _user_of(connection, trip)
        events = tuple(
            event_of(
                trip_event, _summary(trip, user), None if user is None else user.fix, trip.seen_at, self._make_id()
            )
            for trip_event in stepped.events
        )
        for event in events:
            add_event(connection, event)
        if events:
            self._outbox.store(connection, trip.environment, user, events)
        return TripOutcome(trip, events)

    def _note(self, environment: Environment, outcomes: list[TripOutcome]) -> None:
        """Make committed trips visible to location updates and notify listeners."""
        for outcome in outcomes:
            self._book.put(outcome.trip)
            if not outcome.trip.status.is_open:
                self._etas.forget(outcome.trip.id)
        if outcomes:
            self._changed(Change(environment, reread=True))

    def _located(self, change: TripChange) -> TripChange:
        """Return a change with the positions of its addresses, which are geocoded before the writer is needed."""
        if change.destination is not None:
            change = replace(change, destination=self._with_point(change.destination))
        if change.legs:
            legs = []
            for number, leg in enumerate(change.legs, 1):
                try:
                    legs.append(replace(leg, destination=self._with_point(leg.destination)))
                except InvalidParameter as error:
                    raise InvalidParameter("legs", f"legs: leg {number}: {error.message}") from None
            change = replace(change, legs=tuple(legs))
        return change

    def _with_point(self, wanted: DestinationChange) -> DestinationChange:
        if wanted.address is None or wanted.point is not None or wanted.geofence_id is not None:
            return wanted
        if wanted.tag is not None or wanted.external_id is not None:
            return wanted
        return replace(wanted, point=self._locate(wanted.address))


_NO_USER: Final = UserSummary("", "")


def _trip(connection: Connection, environment: Environment, key: str) -> Trip:
    trip = find_trip(connection, environment, key)
    if trip is None:
        raise NotFound("id", f"No trip has the ID or external ID {key!r}.")
    return trip


def _user_of(connection: Connection, trip: Trip) -> User | None:
    """Return the user of a trip, or None if the user is unknown."""
    key = _key_of_user(trip)
    return None if key is None else find_user(connection, trip.environment, key)


def _key_of_user(trip: Trip) -> str | None:
    """Return the identifier of a trip's user: its record, its user ID or its device ID, or None without any."""
    return next((key for key in (trip.user, trip.user_id, trip.device_id) if key is not None), None)


def _summary(trip: Trip, user: User | None) -> UserSummary:
    if user is not None:
        return user.summary
    return replace(_NO_USER, device_id=trip.device_id or "", user_id=trip.user_id)
