"""Kept location updates, and the geofences as they were at the time."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import orjson
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.queries import TripLocation
from engine.domain.tracking.explaining import GeofenceVersion, KeptUpdate
from engine.domain.tracking.updates import UserSummary
from engine.domain.tracking.verdicts import Verdict
from engine.store.geofences import forget_versions
from engine.store.presences import drop_former, presences_before
from engine.store.records.cells import box_of_reach, from_ms, to_ms
from engine.store.records.geofence_rows import version_of
from engine.store.records.rows import update_of, user_id_of, verdicts_of
from engine.store.staging.geofences import in_force
from engine.store.statements import upsert_rows
from engine.store.tables import edits, geofence_versions, imports, last_numbers, updates, users
from engine.store.tables import noted_updates as noted
from engine.store.writer import Batch

_OF_ENVIRONMENT = (updates.c.live == sa.bindparam("live"), updates.c.number > sa.bindparam("after"))
_OLDEST = (
    sa.select(updates.c.number, updates.c.revision)
    .where(*_OF_ENVIRONMENT)
    .order_by(updates.c.number)
    .limit(sa.bindparam("most"))
)
_AT_ONCE = 500
"""Number of updates that are read at a time."""
_NEWEST = sa.select(sa.func.max(updates.c.number))
_DROP = sa.delete(updates).where(*_OF_ENVIRONMENT, updates.c.number <= sa.bindparam("until"))


_NAME: Final = "updates"
"""Key of the updates in the table of last numbers."""


def last_number(connection: sa.Connection) -> int:
    """Return the highest number that an update of either environment has had, or 0 if there was none."""
    return max(_noted_number(connection), connection.execute(_NEWEST).scalar() or 0)


def note_last_number(connection: sa.Connection) -> None:
    """Save the highest number before any but the oldest updates are deleted, because presences refer to numbers."""
    last = last_number(connection)
    if last > _noted_number(connection):
        upsert_rows(connection, last_numbers, [{"name": _NAME, "number": last}])


def _noted_number(connection: sa.Connection) -> int:
    return connection.execute(sa.select(last_numbers.c.number).where(last_numbers.c.name == _NAME)).scalar() or 0


def count_updates(connection: sa.Connection, environment: Environment) -> int:
    """Return the number of kept updates."""
    statement = sa.select(sa.func.count()).select_from(updates).where(updates.c.live == int(environment.live))
    return int(connection.execute(statement).scalar_one())


def oldest_updates(
    connection: sa.Connection, environment: Environment, *, after: int, count: int
) -> list[tuple[int, int]]:
    """Return the numbers of the oldest updates numbered above `after`, each with its geofence revision."""
    found = connection.execute(_OLDEST, {"live": int(environment.live), "after": after, "most": count})
    return [(number, revision) for number, revision in found]


def drop_updates(connection: sa.Connection, environment: Environment, *, after: int, until: int) -> None:
    """Delete the updates numbered above `after` and up to `until`."""
    connection.execute(_DROP, {"live": int(environment.live), "after": after, "until": until})


def drop_all(connection: sa.Connection, environment: Environment) -> None:
    """Delete all updates and the former presences that are kept only for them."""
    note_last_number(connection)
    connection.execute(sa.delete(updates).where(updates.c.live == int(environment.live)))
    drop_former(connection, environment)
    forget_versions(connection, environment)


def drop_needless_former(connection: sa.Connection, environment: Environment) -> None:
    """Delete the former presences that ended before the oldest kept update."""
    oldest = oldest_updates(connection, environment, after=0, count=1)
    drop_former(connection, environment, until=oldest[0][0] - 1 if oldest else None)


def last_update(
    connection: sa.Connection, environment: Environment, device_id: str, user_id: str | None, at: datetime | None
) -> KeptUpdate | None:
    """Return the last kept update of a device, considering only one of its users if given.

    With a moment, return the one with the latest fix at or before it.
    """
    table = updates.c
    if at is None and user_id is None:
        last = sa.select(users.c.last_kept).where(*_has_device(environment, [device_id]))
        statement = sa.select(updates).where(table.number.in_(last))
    else:
        statement = sa.select(updates).where(_of_devices(environment, [device_id]))
    if at is not None:
        statement = statement.where(table.at <= to_ms(at)).order_by(table.at.desc())
    statement = statement.order_by(table.number.desc())
    for rows in connection.execute(statement.execution_options(yield_per=_AT_ONCE)).partitions():
        found = next((row for row in rows if user_id is None or user_id_of(row) == user_id), None)
        if found is not None:
            return next(_with_presences(connection, [found]))
    return None


def next_time(
    connection: sa.Connection, environment: Environment, device_id: str, user_id: str | None, at: datetime
) -> datetime | None:
    """Return the time of the first fix of a device after a moment, considering only one of its users if given."""
    table = updates.c
    later = sa.select(updates).where(_of_devices(environment, [device_id]), table.at > to_ms(at)).order_by(table.at)
    for rows in connection.execute(later.execution_options(yield_per=_AT_ONCE)).partitions():
        found = next((row for row in rows if user_id is None or user_id_of(row) == user_id), None)
        if found is not None:
            return from_ms(found.at)
    return None


def devices_with_updates(connection: sa.Connection, environment: Environment, most: int) -> list[str]:
    """Return the IDs of devices whose last update is still kept, in alphabetical order, up to a number."""
    oldest = oldest_updates(connection, environment, after=0, count=1)
    if not oldest:
        return []
    kept = (users.c.live == int(environment.live), users.c.last_kept >= oldest[0][0])
    statement = sa.select(users.c.device_id).distinct().where(*kept).order_by(users.c.device_id).limit(most)
    return list(connection.scalars(statement))


def updates_at(connection: sa.Connection, environment: Environment, like: KeptUpdate) -> Iterator[KeptUpdate]:
    """Yield the kept updates of the same user that have the same time as a given one, newest first."""
    of_user = _of_devices(environment, [like.user.device_id], like.user.id)
    statement = sa.select(updates).where(of_user, updates.c.at == to_ms(like.fix.at))
    rows = connection.execute(statement.order_by(updates.c.number.desc())).all()
    yield from _with_presences(connection, rows)


def locations_of_user(
    connection: sa.Connection,
    environment: Environment,
    user: UserSummary,
    after: datetime,
    until: datetime | None,
    most: int,
) -> tuple[TripLocation, ...]:
    """Return the newest kept locations of a user that arrived from one moment to another, in order of arrival."""
    table = updates.c
    statement = (
        sa.select(table.longitude, table.latitude, table.at, table.accuracy_m)
        .where(_of_devices(environment, [user.device_id], user.id), table.received_at >= to_ms(after))
        .order_by(table.number.desc())
        .limit(most)
    )
    if until is not None:
        statement = statement.where(table.received_at <= to_ms(until))
    rows = reversed(connection.execute(statement).all())
    return tuple(TripLocation(Point(row.longitude, row.latitude), from_ms(row.at), row.accuracy_m) for row in rows)


def kept_verdicts(connection: sa.Connection, number: int) -> tuple[Verdict, ...] | None:
    """Return the verdicts of a kept update on events other than those of geofences, or None if it has none stored."""
    content = connection.execute(sa.select(updates.c.content).where(updates.c.number == number)).scalar_one()
    found = orjson.loads(content).get("verdicts")
    return None if found is None else verdicts_of(found)


class DeviceCounts(NamedTuple):
    """Number of kept updates by device, and the first and last geofence revisions that decided them."""

    counts: Mapping[str, int]
    first_revision: int
    last_revision: int


def count_of_devices(
    connection: sa.Connection,
    environment: Environment,
    device_ids: Sequence[str],
    after: datetime | None = None,
    before: datetime | None = None,
) -> DeviceCounts:
    """Return the counts of kept updates of some devices, or of all if none are given."""
    table = updates.c
    counted = sa.func.count(), sa.func.min(table.revision), sa.func.max(table.revision)
    statement = sa.select(table.device_id, *counted).where(*_chosen(environment, device_ids, after, before))
    rows = connection.execute(statement.group_by(table.device_id)).all()
    first, last = min((row[2] for row in rows), default=0), max((row[3] for row in rows), default=0)
    return DeviceCounts({row[0]: row[1] for row in rows}, first, last)


class KeptRange(NamedTuple):
    """Number of kept updates, and the times of the first and last fix."""

    number: int
    first: datetime
    last: datetime


def kept_range(
    connection: sa.Connection, environment: Environment, device_ids: Sequence[str], user_id: str | None = None
) -> KeptRange | None:
    """Return the range of kept updates of some devices, or of all, or None if there are no updates.

    With `user_id`, only the updates of that user are counted.
    """
    table = updates.c
    if user_id is not None:
        times = [each.fix.at for each in updates_of_devices(connection, environment, device_ids, user_id=user_id)]
        return KeptRange(len(times), min(times), max(times)) if times else None
    statement = sa.select(sa.func.count(), sa.func.min(table.at), sa.func.max(table.at))
    number, first, last = connection.execute(statement.where(*_chosen(environment, device_ids, None, None))).one()
    return KeptRange(number, from_ms(first), from_ms(last)) if number else None


def updates_of_devices(
    connection: sa.Connection,
    environment: Environment,
    device_ids: Sequence[str],
    *,
    user_id: str | None = None,
    after: datetime | None = None,
    before: datetime | None = None,
) -> Iterator[KeptUpdate]:
    """Yield the kept updates of some devices, or of all if none are given, in the order of their arrival."""
    statement = sa.select(updates).where(*_chosen(environment, device_ids, after, before)).order_by(updates.c.number)
    for rows in connection.execute(statement.execution_options(yield_per=_AT_ONCE)).partitions():
        yield from _with_presences(connection, [row for row in rows if user_id is None or user_id_of(row) == user_id])


def _with_presences(connection: sa.Connection, rows: Sequence[sa.Row[Any]]) -> Iterator[KeptUpdate]:
    """Yield the updates in some rows, in the order of their numbers."""
    inside = presences_before(connection, [(row.user, row.number) for row in rows])
    return map(update_of, rows, inside)


def _chosen(
    environment: Environment, device_ids: Sequence[str], after: datetime | None, before: datetime | None
) -> list[sa.ColumnElement[bool]]:
    table = updates.c
    chosen = [_of_devices(environment, device_ids) if device_ids else table.live == int(environment.live)]
    if after is not None:
        chosen.append(table.at > to_ms(after))
    if before is not None:
        chosen.append(table.at < to_ms(before))
    return chosen


def _of_devices(
    environment: Environment, device_ids: Sequence[str], user: str | None = None, after: int = 0
) -> sa.ColumnElement[bool]:
    """Return the condition that an update is of some devices, of only one user if given, and numbered above `after`.

    The row of each user leads to the last update, and each update leads to the previous one.
    """
    conditions = [*_has_device(environment, device_ids), users.c.last_kept > after]
    if user is not None:
        conditions.append(users.c.id == user)
    last = (
        sa.select(users.c.last_kept.label("number")).where(*conditions).cte("of_devices", recursive=True, nesting=True)
    )
    later = updates.alias("later")
    before = sa.select(later.c.previous).where(later.c.number == last.c.number, later.c.previous > after)
    return updates.c.number.in_(sa.select(last.union_all(before).c.number))


def _has_device(environment: Environment, device_ids: Sequence[str]) -> list[sa.ColumnElement[bool]]:
    return [users.c.live == int(environment.live), users.c.device_id.in_(device_ids)]


def drop_of_user(connection: sa.Connection, environment: Environment, device_id: str, user: str) -> None:
    """Delete the kept updates of one user of a device."""
    connection.execute(sa.delete(updates).where(_of_devices(environment, [device_id], user)))


def drop_of_device(connection: sa.Connection, environment: Environment, device_id: str) -> int:
    """Delete the kept updates of a device whose users are still stored; return how many there were."""
    return connection.execute(sa.delete(updates).where(_of_devices(environment, [device_id]))).rowcount


def numbers_after(
    connection: sa.Connection, environment: Environment, device_id: str, user: str | None, after: int
) -> list[int]:
    """Return the numbers above `after` of the kept updates of a device, of only one user if given, in order."""
    of_user = _of_devices(environment, [device_id], user, after)
    return list(connection.scalars(sa.select(updates.c.number).where(of_user).order_by(updates.c.number)))


def numbered_updates(connection: sa.Connection, numbers: Sequence[int]) -> list[KeptUpdate]:
    """Return the updates with these numbers that are still kept, in order.

    This takes two statements, so the connection must read both from the same commit.
    """
    statement = sa.select(updates).where(updates.c.number.in_(numbers)).order_by(updates.c.number)
    return list(_with_presences(connection, connection.execute(statement).all()))


class NotedUpdate(NamedTuple):
    """A record used to recognise a repeated update: its time, how much that may differ, and its events."""

    at: datetime
    spread: timedelta
    event_ids: tuple[str, ...]


_NOTED = sa.select(noted.c.at, noted.c.spread_ms, noted.c.event_ids).where(
    noted.c.user == sa.bindparam("of_user"),
    noted.c.digest == sa.bindparam("of_digest"),
    noted.c.at.between(sa.bindparam("since"), sa.bindparam("until")),
)
_LAST_NOTED = sa.select(sa.func.max(noted.c.number)).where(noted.c.user == sa.bindparam("of_user"))
_FORGET_NOTED = sa.delete(noted).where(noted.c.user == sa.bindparam("of_user"), noted.c.number <= sa.bindparam("until"))


def noted_updates(
    connection: sa.Connection, user_id: str, digest: int, since: datetime, until: datetime
) -> list[NotedUpdate]:
    """Return the recorded updates of a user that have a hash and a time from `since` to `until`."""
    bounds = {"since": to_ms(since), "until": to_ms(until)}
    rows = connection.execute(_NOTED, {"of_user": user_id, "of_digest": digest, **bounds})
    return [
        NotedUpdate(from_ms(row.at), timedelta(milliseconds=row.spread_ms), tuple((row.event_ids or "").split()))
        for row in rows
    ]


def last_noted(connection: sa.Connection, user_id: str) -> int:
    """Return the number of a user's last recorded update, or 0 before the first."""
    return connection.execute(_LAST_NOTED, {"of_user": user_id}).scalar() or 0


def note_update(batch: Batch, user_id: str, number: int, digest: int, update: NotedUpdate) -> None:
    """Add the record of an update to the batch."""
    row = {
        "user": user_id,
        "number": number,
        "at": to_ms(update.at),
        "spread_ms": update.spread // timedelta(milliseconds=1),
        "digest": digest,
        "event_ids": " ".join(update.event_ids) or None,
    }
    batch.append(noted, [row])


def forget_noted(connection: sa.Connection, user_id: str, *, until: int) -> None:
    """Delete the recorded updates of a user up to a number."""
    connection.execute(_FORGET_NOTED, {"of_user": user_id, "until": until})


def number_before(connection: sa.Connection, environment: Environment, device_id: str, at: datetime) -> int:
    """Return the number before the first of a device's kept updates since a moment, or 0 if there are none."""
    of_device = _of_devices(environment, [device_id])
    statement = sa.select(sa.func.min(updates.c.number)).where(of_device, updates.c.at >= to_ms(at))
    return max((connection.execute(statement).scalar() or 1) - 1, 0)


def versions_near(
    connection: sa.Connection, environment: Environment, point: Point, reach_m: float, revision: int
) -> list[GeofenceVersion]:
    """Return the former versions of geofences near a point that were in force at a revision."""
    table = geofence_versions.c
    west, south, east, north = box_of_reach(point, reach_m)
    statement = sa.select(geofence_versions).where(
        table.live == int(environment.live),
        in_force(table),
        table.since <= revision,
        table.until > revision,
        table.south <= north,
        table.north >= south,
        table.west <= east,
        table.east >= west,
    )
    return [version_of(row) for row in connection.execute(statement)]


def all_versions(connection: sa.Connection, environment: Environment, since: int, until: int) -> list[GeofenceVersion]:
    """Return all former versions of geofences that were in force at a revision from `since` to `until`."""
    table = geofence_versions.c
    statement = sa.select(geofence_versions).where(
        table.live == int(environment.live), in_force(table), table.since <= until, table.until > since
    )
    return [version_of(row) for row in connection.execute(statement)]


def versions_of(connection: sa.Connection, geofence_ids: list[str], revision: int) -> list[GeofenceVersion]:
    """Return the former versions of some geofences that were in force at a revision."""
    table = geofence_versions.c
    statement = sa.select(geofence_versions).where(
        table.geofence.in_(geofence_ids), in_force(table), table.since <= revision, table.until > revision
    )
    return [version_of(row) for row in connection.execute(statement)]


def last_revision(connection: sa.Connection, environment: Environment) -> int:
    """Return the number of the last known edit of geofences."""
    live = int(environment.live)
    before = sa.select(sa.func.max(geofence_versions.c.until)).where(geofence_versions.c.live == live)
    kept = sa.select(sa.func.max(updates.c.revision)).where(updates.c.live == live)
    imported = sa.select(sa.func.max(imports.c.revision)).where(imports.c.live == live)
    noted = sa.select(sa.func.max(edits.c.revision)).where(edits.c.live == live)
    return max(connection.execute(each).scalar() or 0 for each in (before, kept, imported, noted))
