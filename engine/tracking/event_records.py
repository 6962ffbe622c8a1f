"""The history of an open workspace: querying, verifying and deleting events, and storing conversions from clients."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.ports import Clock
from engine.domain.queries import Change, Counts, EventFilter, EventQuery, EventRun, Page
from engine.domain.text import check_identifier
from engine.domain.tracking.explaining import Cleared
from engine.domain.tracking.updates import (
    ANONYMOUS_DEVICE,
    Confidence,
    Conversion,
    Event,
    Reporter,
    User,
    UserSummary,
    Verification,
)
from engine.domain.values import replace
from engine.store import queries
from engine.store import users as store
from engine.store.database import Database
from engine.store.delivery.deliveries import EventSink
from engine.store.writer import Connection, Writer
from engine.tracking.users import UserState, merged_device, record_for

OWN_TYPES = "user."
"""Prefix of the engine's own event types, which clients must not forge."""

MESSAGE_TYPES = frozenset(
    {"user.displayed_in_app_message", "user.clicked_in_app_message", "user.dismissed_in_app_message"}
)
"""Types with this prefix that SDKs report, about messages in an app."""


AT_ONCE: Final = 1_000
"""Number of events read at a time when all are requested."""


class History:
    """Past events, accessible from any thread, but not changeable from the writer's."""

    def __init__(
        self,
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        make_id: Callable[[], str],
        changed: Callable[[Change], None],
        cleared: Callable[[Change], None],
        delete_geofences: Callable[[Environment], int],
        delete_beacons: Callable[[Environment], int],
        outbox: EventSink,
        forget_event: Callable[[Connection, str], None],
    ) -> None:
        """Create the history of a workspace.

        `changed` is called with events in the writer's thread after the commit, `cleared` if users were deleted as
        well. `delete_geofences` and `delete_beacons` delete all geofences or beacons and return their number.
        `forget_event` removes a deleted event from pending deliveries.
        """
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._make_id = make_id
        self._changed = changed
        self._cleared = cleared
        self._delete_geofences = delete_geofences
        self._delete_beacons = delete_beacons
        self._outbox = outbox
        self._forget_event = forget_event

    def page(self, environment: Environment, query: EventQuery) -> Page[Event]:
        """Return events by time, newest first."""
        return self._database.read(lambda connection: queries.event_page(connection, environment, query))

    def newest(self, environment: Environment, count: int) -> tuple[Event, ...]:
        """Return the events stored last, newest first."""
        return self._database.read(lambda connection: queries.newest_events(connection, environment, count))

    def run_after(self, environment: Environment, wanted: EventFilter, after: int, limit: int) -> EventRun:
        """Return the first events stored after the event with the number `after`, in order."""
        return self._database.read(lambda connection: queries.event_run(connection, environment, wanted, after, limit))

    def number_before_newest(self, environment: Environment, wanted: EventFilter, count: int) -> int | None:
        """Return the number preceding the newest `count` events, or None if there are no more than these."""
        return self._database.read(
            lambda connection: queries.number_before_newest(connection, environment, wanted, count)
        )

    def newest_number(self) -> int:
        """Return the number of the event stored last in either environment, or 0 if there are no events."""
        return self._database.read(queries.newest_event_number)

    def newest_id(self, environment: Environment) -> str | None:
        """Return the `_id` of the event stored last, or None if there are no events."""
        return self._database.read(lambda connection: queries.newest_event_id(connection, environment))

    def number_of(self, environment: Environment, event_id: str) -> int | None:
        """Return the number of an event, or None if the environment has no event with this `_id`."""
        return self._database.read(lambda connection: queries.event_number(connection, environment, event_id))

    def count(self, environment: Environment, wanted: EventFilter) -> int:
        """Return how many events match."""
        return self._database.read(lambda connection: queries.count_events(connection, environment, wanted))

    def all(self, environment: Environment, wanted: EventFilter) -> Iterator[tuple[Event, ...]]:
        """Yield all current events in batches, in the order they were stored."""
        after, newest = 0, self.newest_number()
        while after < newest:
            run = self.run_after(environment, wanted, after, AT_ONCE)
            yield tuple(event for number, event in run.events if number <= newest)
            after = run.reached

    def get(self, environment: Environment, event_id: str) -> Event:
        """Return an event. Raises `NotFound`."""
        return self._database.read(lambda connection: _event(connection, environment, event_id))

    def delete(self, environment: Environment, event_id: str) -> Event:
        """Delete an event and return it. Raises `NotFound`."""

        def work(connection: Connection) -> Event:
            event = _event(connection, environment, event_id)
            store.remove_event(connection, event.id)
            self._forget_event(connection, event.id)
            return event

        return self._writer.run(work, lambda _: self._changed(Change(environment, reread=True)), forgets=True)

    def verify(
        self, environment: Environment, event_id: str, verification: Verification, place_id: str | None = None
    ) -> Event:
        """Store whether an event was correct, and return it. Raises `NotFound`."""

        def work(connection: Connection) -> Event:
            before = _event(connection, environment, event_id)
            event = replace(before, verification=verification, verified_place_id=place_id or before.verified_place_id)
            store.replace_event(connection, event)
            return event

        return self._writer.run(work, lambda _: self._changed(Change(environment, reread=True)))

    def log_conversion(self, environment: Environment, conversion: Conversion) -> Event:
        """Store an event reported by a client, at the user's last location. Raises `InvalidParameter`.

        An event of an anonymous device is returned without being stored.
        """
        kind = check_identifier(conversion.type, "name")
        if kind.startswith(OWN_TYPES) and kind not in MESSAGE_TYPES:
            raise InvalidParameter(
                "name", f"name: {kind!r} is reserved: names of conversions must not start with user."
            )
        if conversion.device_id is None and conversion.user_id is None and conversion.reporter.install_id is None:
            raise InvalidParameter("device_id", "device_id: give a device ID, a user ID or an install ID.")

        if conversion.is_anonymous:
            anonymous = replace(conversion, device_id=ANONYMOUS_DEVICE, user_id=None)
            return self._conversion(environment, anonymous, None)

        def work(connection: Connection) -> Event:
            user = _user_of(connection, environment, conversion)
            event = self._conversion(environment, conversion, user)
            store.add_event(connection, event)
            self._outbox.store(connection, environment, user, [event])
            return event

        return self._writer.run(work, lambda _: self._changed(Change(environment, reread=True)))

    def counts(self, environment: Environment) -> Counts:
        """Return the number of records of each kind."""
        return self._database.read_at_once(lambda connection: queries.counts(connection, environment))

    def clear_test_data(
        self, device_id: str | None = None, *, geofences: bool = False, beacons: bool = False
    ) -> Cleared:
        """Delete the users, events, kept updates and trips of Test, or of one of its devices.

        Geofences and beacons are deleted too if requested.
        """
        environment = Environment.TEST
        for name, requested in (("geofences", geofences), ("beacons", beacons)):
            if requested and device_id is not None:
                raise InvalidParameter(name, f"{name}: do not belong to a device; clear all Test data to delete them.")
        cleared = self._writer.run(
            lambda connection: store.clear(connection, environment, device_id),
            lambda _: self._cleared(Change(environment, reread=True)),
            forgets=True,
            long=True,
        )
        return replace(
            cleared,
            geofences=self._delete_geofences(environment) if geofences else 0,
            beacons=self._delete_beacons(environment) if beacons else 0,
        )

    def _conversion(self, environment: Environment, conversion: Conversion, user: User | None) -> Event:
        now = self._clocks[environment].now()
        unknown = UserSummary("", conversion.device_id or "", conversion.user_id)
        return Event(
            id=self._make_id(),
            environment=environment,
            type=conversion.type,
            created_at=conversion.at or now,
            actual_created_at=now,
            user=unknown if user is None else user.summary,
            point=None if user is None else user.fix.point,
            accuracy_m=None if user is None else user.fix.accuracy_m,
            confidence=Confidence.HIGH,
            duration_s=conversion.duration_s,
            metadata=conversion.metadata,
            revenue=conversion.revenue,
            reporter=_reporter(conversion.reporter, user),
        )


def _reporter(given: Reporter, user: User | None) -> Reporter:
    """Return the reporter with details of the user's device that the client does not send."""
    return given if user is None else replace(given, device=merged_device(given.device, user.device))


def _event(connection: Connection, environment: Environment, event_id: str) -> Event:
    event = queries.find_event(connection, environment, event_id)
    if event is None:
        raise NotFound("id", f"No event has the _id {event_id!r}.")
    return event


def _user_of(connection: Connection, environment: Environment, conversion: Conversion) -> User | None:
    """Return the user of a conversion, or None if the user is unknown."""
    install_id = conversion.reporter.install_id
    if conversion.device_id is None and conversion.user_id is None and install_id is not None:
        return queries.user_of_install(connection, environment, install_id)
    if conversion.device_id is None:
        user = queries.find_user(connection, environment, conversion.user_id or "")
        return user if user is not None and user.user_id == conversion.user_id else None
    states = [UserState(user, {}) for user, _ in queries.users_of_device(connection, environment, conversion.device_id)]
    state = record_for(states, conversion.user_id)
    if state is None and conversion.user_id is None and states:
        # Without a user ID, the event belongs to the last user of the device.
        state = max(states, key=lambda each: each.user.updated_at)
    return None if state is None else state.user
