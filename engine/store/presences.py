"""Current presences of users, and their presences at kept updates.

A presence is stored with the number of the update that caused it. When it ends or changes, its former state is moved to
the former presences, with the number of the last update at which it applied. An update without changes therefore stores
nothing about presences, regardless of their number.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import batched
from types import MappingProxyType
from typing import Any, Final

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.tracking.updates import Presence
from engine.store.records.rows import presence_of
from engine.store.tables import former_presences, presences, updates, users

_IDS_AT_ONCE = 500
_NOWHERE: Final[Mapping[str, Presence]] = MappingProxyType({})
_OF_USER: Final = sa.select(presences).where(presences.c.user == sa.bindparam("user_id"))
_OLDEST_FORMER = (
    sa.select(former_presences.c.until)
    .where(former_presences.c.live == sa.bindparam("live"))
    .order_by(former_presences.c.until)
    .limit(1)
)


def presences_of(connection: sa.Connection, user: str) -> tuple[dict[str, Presence], dict[str, int]]:
    """Return the presences of a user, and the numbers of the updates that last changed them, by geofence identifier."""
    rows = connection.execute(_OF_USER, {"user_id": user}).all()
    return {row.geofence: presence_of(row) for row in rows}, {row.geofence: row.since for row in rows}


def end_presences(connection: sa.Connection, geofence_ids: Iterable[str]) -> frozenset[str]:
    """End all presences in some geofences without an event; return the devices of the users who were inside."""
    devices: set[str] = set()
    for ids in batched(geofence_ids, _IDS_AT_ONCE):
        inside = sa.select(presences.c.user).where(presences.c.geofence.in_(ids))
        devices.update(connection.scalars(sa.select(users.c.device_id).where(users.c.id.in_(inside))))
        _keep_ended(connection, ids)
        connection.execute(sa.delete(presences).where(presences.c.geofence.in_(ids)))
    return frozenset(devices)


def _keep_ended(connection: sa.Connection, geofence_ids: Sequence[str]) -> None:
    """Keep the presences in some geofences as former presences, if any updates are kept."""
    last, table = connection.execute(sa.select(sa.func.max(updates.c.number))).scalar(), presences.c
    if last is None:
        return
    any_kept = sa.exists().where(updates.c.live == users.c.live)
    columns = users.c.live, sa.literal(last), table.user, table.geofence, table.since, table.entered_at, table.dwelled
    ended = (
        sa.select(*columns)
        .join(users, users.c.id == table.user)
        .where(table.geofence.in_(geofence_ids), table.since < last, any_kept)
    )
    names = ["live", "until", "user", "geofence", "since", "entered_at", "dwelled"]
    connection.execute(sa.insert(former_presences).from_select(names, ended))


def oldest_former(connection: sa.Connection, environment: Environment) -> int | None:
    """Return the number of the update up to which the oldest former presence applied, or None if there is none."""
    return connection.execute(_OLDEST_FORMER, {"live": int(environment.live)}).scalar()


def drop_former(connection: sa.Connection, environment: Environment, *, until: int | None = None) -> None:
    """Delete the former presences that applied only up to the update numbered `until`, or all of them."""
    table = former_presences.c
    statement = sa.delete(former_presences).where(table.live == int(environment.live))
    connection.execute(statement if until is None else statement.where(table.until <= until))


def presences_before(
    connection: sa.Connection, numbered: Sequence[tuple[str, int]]
) -> Iterator[Mapping[str, Presence]]:
    """Yield the presences of users before kept updates, which are given as users and numbers in ascending order."""
    if not numbered:
        return
    first, last = numbered[0][1], numbered[-1][1]
    inside: dict[str, _Inside] = {}
    for found in batched({user for user, _ in numbered}, _IDS_AT_ONCE):
        for row in connection.execute(_spans(found, first, last)):
            inside.setdefault(row.user, _Inside()).add(row)
    for user, number in numbered:
        yield inside[user].before(number) if user in inside else _NOWHERE


def _spans(of_users: Sequence[str], first: int, last: int) -> sa.CompoundSelect[Any]:
    """Return a statement that selects the presences at any update from `first` to `last`."""
    now, then = presences.c, former_presences.c
    present = sa.select(now.user, now.geofence, now.entered_at, now.dwelled, now.since, sa.null().label("until"))
    former = sa.select(then.user, then.geofence, then.entered_at, then.dwelled, then.since, then.until)
    return sa.union_all(
        present.where(now.user.in_(of_users), now.since < last),
        former.where(then.user.in_(of_users), then.until >= first, then.since < last),
    ).order_by("since", "geofence")


class _Inside:
    """The presences of one user, queried in the order of the updates."""

    def __init__(self) -> None:
        self._spans: list[sa.Row[Any]] = []
        self._begun = 0
        self._ends: list[tuple[int, str]] = []
        self._open: dict[str, sa.Row[Any]] = {}
        self._presences = _NOWHERE

    def add(self, span: sa.Row[Any]) -> None:
        """Add a presence for a range of updates, in the order in which presences began."""
        self._spans.append(span)

    def before(self, number: int) -> Mapping[str, Presence]:
        """Return the presences before an update. The same object is returned as long as they do not change."""
        if self._begin(number) | self._end(number):
            self._presences = MappingProxyType({key: presence_of(span) for key, span in self._open.items()})
        return self._presences

    def _begin(self, number: int) -> bool:
        begun = False
        while self._begun < len(self._spans) and self._spans[self._begun].since < number:
            span = self._spans[self._begun]
            self._begun += 1
            if span.until is not None:
                if span.until < number:
                    continue
                heappush(self._ends, (span.until, span.geofence))
            self._open[span.geofence] = span
            begun = True
        return begun

    def _end(self, number: int) -> bool:
        ended = False
        while self._ends and self._ends[0][0] < number:
            until, geofence = heappop(self._ends)
            if geofence in self._open and self._open[geofence].until == until:
                del self._open[geofence]
                ended = True
        return ended
