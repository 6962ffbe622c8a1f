"""Users and events beyond tracking: found, verified, removed, and events that clients report themselves."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.explaining import Cleared
from engine.domain.ports import Clock
from engine.domain.text import check_identifier
from engine.domain.tracking import Conversion, Event, User, UserSummary, Verification
from engine.store import users as store
from engine.store.database import Database
from engine.store.queries import find_event, find_user, users_of_device
from engine.store.writer import Connection, Writer
from engine.tracking.users import UserState, record_for

OWN_TYPES = "user."
"""How the engine's own event types begin; clients must not forge them."""

type Then = Callable[[], None]
"""Called in the writer's thread after the commit."""


class Records:
    """The stored users and events of a workspace."""

    def __init__(
        self, database: Database, writer: Writer, make_id: Callable[[], str], clocks: Mapping[Environment, Clock]
    ) -> None:
        self._database = database
        self._writer = writer
        self._make_id = make_id
        self._clocks = clocks

    def user(self, environment: Environment, key: str) -> User:
        """Return a user by _id, user ID or device ID; raises `NotFound`."""
        return self._database.read(lambda connection: _user(connection, environment, key))

    def event(self, environment: Environment, event_id: str) -> Event:
        """Return an event; raises `NotFound`."""
        return self._database.read(lambda connection: _event(connection, environment, event_id))

    def delete_user(self, environment: Environment, key: str, then: Then) -> User:
        """Delete a user and return what they were."""

        def work(connection: Connection) -> User:
            user = _user(connection, environment, key)
            store.remove_user(connection, user)
            return user

        return self._writer.run(work, lambda _: then())

    def delete_event(self, environment: Environment, event_id: str, then: Then) -> Event:
        """Delete an event and return what it was."""

        def work(connection: Connection) -> Event:
            event = _event(connection, environment, event_id)
            store.remove_event(connection, event.id)
            return event

        return self._writer.run(work, lambda _: then())

    def verify_event(
        self, environment: Environment, event_id: str, verification: Verification, place_id: str | None, then: Then
    ) -> Event:
        """Note what was found out about an event, and return it."""

        def work(connection: Connection) -> Event:
            before = _event(connection, environment, event_id)
            event = replace(before, verification=verification, verified_place_id=place_id or before.verified_place_id)
            store.replace_event(connection, event)
            return event

        return self._writer.run(work, lambda _: then())

    def log_conversion(self, environment: Environment, conversion: Conversion, then: Then) -> Event:
        """Store an event that a client reports itself."""
        kind = check_identifier(conversion.type, "name")
        if kind.startswith(OWN_TYPES):
            raise InvalidParameter("name", f"name: {kind!r} begins like the events that the service generates itself.")
        if conversion.device_id is None and conversion.user_id is None:
            raise InvalidParameter("deviceId", "deviceId: give deviceId or userId.")

        def work(connection: Connection) -> Event:
            event = self._conversion(environment, conversion, _user_of(connection, environment, conversion))
            store.add_event(connection, event)
            return event

        return self._writer.run(work, lambda _: then())

    def clear(self, environment: Environment, device_id: str | None, then: Then) -> Cleared:
        """Delete users, events and kept updates of an environment, or of one of its devices."""

        def work(connection: Connection) -> Cleared:
            return store.clear(connection, environment, device_id)

        return self._writer.run(work, lambda _: then())

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
            metadata=conversion.metadata,
        )


def _user(connection: Connection, environment: Environment, key: str) -> User:
    user = find_user(connection, environment, key)
    if user is None:
        raise NotFound("id", f"No user has the _id, userId or deviceId {key!r}.")
    return user


def _event(connection: Connection, environment: Environment, event_id: str) -> Event:
    event = find_event(connection, environment, event_id)
    if event is None:
        raise NotFound("id", f"No event has the _id {event_id!r}.")
    return event


def _user_of(connection: Connection, environment: Environment, conversion: Conversion) -> User | None:
    """Return the user that a conversion is about, if they are known."""
    if conversion.device_id is None:
        user = find_user(connection, environment, conversion.user_id or "")
        return user if user is not None and user.user_id == conversion.user_id else None
    states = [UserState(user, {}) for user in users_of_device(connection, environment, conversion.device_id)]
    state = record_for(states, conversion.user_id)
    if state is None and conversion.user_id is None and states:
        # Nobody is named: it is whoever used the device last.
        state = max(states, key=lambda each: each.user.updated_at)
    return None if state is None else state.user
