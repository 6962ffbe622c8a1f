"""All events or users, as the wire spells them, some at a time."""

from collections.abc import Callable, Iterator, Sequence
from itertools import batched
from typing import Any, Final, cast

from app.api.wire.event import encode_event
from app.api.wire.user import encode_user
from app.exports import Batches, RecordFilter, RecordKind
from engine.domain.environment import Environment
from engine.domain.tracking.updates import Event
from engine.engine import Engine

BATCH: Final = 500


def records_of(engine: Engine, environment: Environment, kind: RecordKind, wanted: RecordFilter) -> tuple[int, Batches]:
    """Return how many records of an environment match, and what yields them."""
    if kind is RecordKind.EVENTS:
        of_events = wanted.of_events
        total = engine.history.count(environment, of_events)
        return total, _encoded(engine.history.all(environment, of_events), encode_event)
    of_users = wanted.of_users
    return engine.users.count(environment, of_users), _encoded(engine.users.all(environment, of_users), encode_user)


def encoded_events(events: Sequence[Event]) -> Batches:
    """Yield these events, some at a time."""
    return _encoded(batched(events, BATCH), encode_event)


def _encoded[R](found: Iterator[tuple[R, ...]], encode: Callable[[R], Any]) -> Batches:
    for records in found:
        yield cast(list[dict[str, Any]], [encode(record) for record in records])
