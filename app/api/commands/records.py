"""All events or users in their wire format, in batches."""

from collections.abc import Callable, Iterator
from typing import Any, cast

from msgspec import Struct

from app.api.commands.command import Call, command, never
from app.api.wire.event import encode_event
from app.api.wire.user import encode_user
from app.exports import Batches, RecordFilter, RecordKind
from engine.domain.environment import Environment
from engine.domain.ports import Progress
from engine.domain.queries import EventFilter
from engine.domain.tracking.updates import Event
from engine.engine import Engine


class RecordQuery(Struct, frozen=True):
    """A query for events or users."""

    kind: RecordKind
    wanted: RecordFilter


class Records(Struct, frozen=True):
    """The number of records, and the records in batches."""

    total: int
    batches: Batches


# Not repeated if the process ends midway, because part of the records is already in the file.
@command(repeats=never)
def records(call: Call[RecordQuery]) -> Records:
    """Read events or users."""
    return Records(*records_of(call.engine, call.environment, call.request.kind, call.request.wanted))


def records_of(engine: Engine, environment: Environment, kind: RecordKind, wanted: RecordFilter) -> tuple[int, Batches]:
    """Return the number of matching records of an environment, and their batches."""
    if kind is RecordKind.EVENTS:
        of_events = wanted.of_events
        total = engine.history.count(environment, of_events)
        return total, _encoded(engine.history.all(environment, of_events), encode_event)
    of_users = wanted.of_users
    return engine.users.count(environment, of_users), _encoded(engine.users.all(environment, of_users), encode_user)


def passing_events(
    engine: Engine, environment: Environment, passes: Callable[[Event], bool], progress: Progress
) -> Batches:
    """Yield, in batches, the events of an environment that pass; `progress` receives the number examined."""
    looked_at, total = 0, engine.history.count(environment, EventFilter())
    for events in engine.history.all(environment, EventFilter()):
        looked_at += len(events)
        progress(min(looked_at, total), total)
        if found := [encode_event(event) for event in events if passes(event)]:
            yield cast(list[dict[str, Any]], found)


def _encoded[R](found: Iterator[tuple[R, ...]], encode: Callable[[R], Any]) -> Batches:
    for each in found:
        yield cast(list[dict[str, Any]], [encode(record) for record in each])
