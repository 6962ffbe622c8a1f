"""The port by which whatever stores events hands them on to those who receive them."""

from collections.abc import Sequence
from typing import Protocol

from engine.domain.environment import Environment
from engine.domain.tracking.updates import Event, User
from engine.store.writer import Batch, Connection


class EventSink(Protocol):
    """Takes events on to whoever receives them, in the transaction in which they are stored."""

    def concerns(self, environment: Environment) -> bool:
        """Whether there is anybody to receive events."""
        ...

    def join(self, batch: Batch, user: User, events: Sequence[Event]) -> None:
        """Put into a location update's batch what sends its events on."""
        ...

    def store(
        self, connection: Connection, environment: Environment, user: User | None, events: Sequence[Event]
    ) -> None:
        """Store what sends other events on; `user` is None where nobody knows them yet."""
        ...
