"""Reading all kept updates at once, with only the columns that decisions about geofences depend on."""

from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.tracking.explaining import EarlierState
from engine.store.presences import presences_before
from engine.store.records.rows import update_of
from engine.store.tables import updates, users

_USERS_AT_ONCE: Final = 5_000


class UpdateContent(Struct, frozen=True, gc=False):
    """The parts of the content of a kept update that decisions about geofences depend on."""

    user_id: str | None = None
    ip: str | None = None
    foreground: int = 0
    stopped: int = 0
    taken_at: int | None = None


class UpdateRow(NamedTuple):
    """A row of `updates` without the columns that only explanations require. Times are milliseconds since 1970."""

    number: int
    device_id: str
    received_at: int
    revision: int
    settings: int
    longitude: float
    latitude: float
    accuracy_m: float
    content: str


_COLUMNS: Final = tuple(updates.c[name] for name in UpdateRow._fields)
_CONTENTS: Final = msgspec.json.Decoder(list[UpdateContent])


def number_of_updates(connection: sa.Connection, environment: Environment) -> int:
    """Return how many updates are kept."""
    statement = sa.select(sa.func.count()).select_from(updates).where(updates.c.live == int(environment.live))
    return int(connection.execute(statement).scalar_one())


def update_rows(connection: sa.Connection, environment: Environment, rows: int) -> Iterator[Sequence[tuple[Any, ...]]]:
    """Yield the kept updates in the order of their numbers, in batches of `rows`, as the values of an `UpdateRow`.

    Rows that know their columns would take longer to create than to read.
    """
    # The numbers are read in the table's own order, because using the index of environments is slower.
    of_environment = updates.c.live + 0 == int(environment.live)
    statement = sa.select(*_COLUMNS).where(of_environment).order_by(updates.c.number)
    with connection.execute(statement) as result:
        assert result.cursor is not None
        while found := result.cursor.fetchmany(rows):
            yield found


def contents_of(texts: Sequence[str]) -> list[UpdateContent]:
    """Return the contents of some updates, which are decoded together."""
    return _CONTENTS.decode(f"[{','.join(texts)}]")


def earlier_states(connection: sa.Connection, environment: Environment) -> dict[tuple[str, str | None], EarlierState]:
    """Return the states of users before their first kept updates, by device and user ID of these.

    Users without earlier updates are left out. Those without kept updates have no presences; they are included because
    a user who logs in takes over the anonymous user of a device only if there is no other. This takes several
    statements, so the connection must read all from the same commit.
    """
    found: dict[tuple[str, str | None], EarlierState] = {}
    first = sa.select(sa.func.min(updates.c.number)).where(updates.c.live == int(environment.live))
    numbers = sorted(connection.scalars(first.group_by(updates.c.user)))
    for some in batched(numbers, _USERS_AT_ONCE):
        statement = sa.select(updates).where(updates.c.number.in_(some), updates.c.previous.is_not(None))
        rows = connection.execute(statement.order_by(updates.c.number)).all()
        inside = presences_before(connection, [(row.user, row.number) for row in rows])
        for row, presences in zip(rows, inside, strict=True):
            kept = update_of(row, presences)
            state = EarlierState(presences, kept.in_order, kept.fix.late_after)
            found.setdefault((row.device_id, kept.subject.user_id), state)
    for row in connection.execute(_users_without_updates(environment)):
        found.setdefault((row.device_id, row.user_id), EarlierState())
    return found


def _users_without_updates(environment: Environment) -> sa.Select[tuple[str, str]]:
    """Select the users who were logged in on devices with kept updates, but have none themselves."""
    kept = sa.select(updates.c.user, updates.c.device_id).where(updates.c.live == int(environment.live)).subquery()
    return sa.select(users.c.device_id, users.c.user_id).where(
        users.c.live == int(environment.live),
        users.c.user_id.is_not(None),
        users.c.device_id.in_(sa.select(kept.c.device_id)),
        users.c.id.not_in(sa.select(kept.c.user)),
    )
