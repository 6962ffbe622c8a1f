"""Reading and writing beacons, and users' stays near them. Functions that write run inside the writer's transaction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from engine.domain.geometry import Point
from engine.domain.tracking.beacon import NO_STAYS, Beacon, BeaconStays, BeaconSummary
from engine.store.records.cells import from_ms, to_ms
from engine.store.records.contents import metadata_of, metadata_text, signal_of, signal_text
from engine.store.records.rows import environment_of
from engine.store.staging.records import BEACONS
from engine.store.statements import Row, delete_rows, insert_rows
from engine.store.tables import beacon_stays, beacons
from engine.store.writer import Batch


def all_beacons(connection: sa.Connection) -> Iterator[Beacon]:
    """Yield the beacons of both environments, in no particular order."""
    return map(beacon_of, connection.execute(sa.select(BEACONS.present(connection))))


def save(connection: sa.Connection, changed: Sequence[Beacon]) -> None:
    """Insert beacons or replace those with the same identifiers. Stays near disabled beacons end without an event."""
    # Delete all of them first, as two beacons may have exchanged unique values.
    if keys := [{"former": beacon.id} for beacon in changed]:
        connection.execute(sa.delete(beacons).where(beacons.c.id == sa.bindparam("former")), keys)
    insert_rows(connection, beacons, [beacon_row(beacon) for beacon in changed])
    _end_stays(connection, (beacon.id for beacon in changed if not beacon.enabled))


def remove(connection: sa.Connection, beacon_ids: Sequence[str]) -> None:
    """Delete beacons and the stays near them."""
    delete_rows(connection, beacons, [{"id": beacon_id} for beacon_id in beacon_ids])
    _end_stays(connection, beacon_ids)


def publish_beacons(connection: sa.Connection) -> None:
    """Put the staged edit into force. Stays near deleted or disabled beacons end without an event."""
    BEACONS.publish(connection)
    connection.execute(sa.delete(beacon_stays).where(beacon_stays.c.beacon.in_(BEACONS.ended)))


def stays_of(connection: sa.Connection, user: str) -> BeaconStays:
    """Return the beacons that a user is near, with the times of entry."""
    statement = sa.select(beacon_stays.c.beacon, beacon_stays.c.entered_at).where(beacon_stays.c.user == user)
    found = {beacon: from_ms(entered_at) for beacon, entered_at in connection.execute(statement)}
    return found or NO_STAYS


def put_stays(batch: Batch, user: str, before: BeaconStays, after: BeaconStays) -> None:
    """Add the changes of a user's stays to the batch."""
    for beacon in before.keys() - after.keys():
        identity = {"user": user, "beacon": beacon}
        batch.drop(beacon_stays, (user, beacon), identity)
    for beacon, entered_at in after.items():
        if before.get(beacon) != entered_at:
            row = {"user": user, "beacon": beacon, "entered_at": to_ms(entered_at)}
            batch.put(beacon_stays, (user, beacon), row)


def beacons_near(connection: sa.Connection, users: Iterable[str]) -> Mapping[str, tuple[BeaconSummary, ...]]:
    """Return the beacons near users, sorted by tag and external ID, for those users that are near any."""
    present = BEACONS.present(connection)
    statement = (
        sa.select(beacon_stays.c.user, present)
        .join(present, present.c.id == beacon_stays.c.beacon)
        .where(beacon_stays.c.user.in_(list(users)))
        .order_by(present.c.tag, present.c.external_id)
    )
    found: dict[str, list[BeaconSummary]] = defaultdict(list)
    for row in connection.execute(statement):
        found[row.user].append(beacon_of(row).summary)
    return MappingProxyType({user: tuple(near) for user, near in found.items()})


def forget_stays(connection: sa.Connection, users: sa.Select[Any] | Sequence[str]) -> None:
    """Delete the stays of some users."""
    connection.execute(sa.delete(beacon_stays).where(beacon_stays.c.user.in_(users)))


def _end_stays(connection: sa.Connection, beacon_ids: Iterable[str]) -> None:
    statement = sa.delete(beacon_stays).where(beacon_stays.c.beacon == sa.bindparam("removed"))
    if removed := [{"removed": beacon_id} for beacon_id in beacon_ids]:
        connection.execute(statement, removed)


def beacon_row(beacon: Beacon) -> Row:
    """Return the row of `beacons` that stores a beacon."""
    return {
        "id": beacon.id,
        "live": int(beacon.environment.live),
        "tag": beacon.tag,
        "external_id": beacon.external_id,
        "description": beacon.description,
        "type": beacon.signal.type.value,
        "signal": signal_text(beacon.signal),
        "longitude": beacon.point.longitude,
        "latitude": beacon.point.latitude,
        "metadata": metadata_text(beacon.metadata),
        "enabled": int(beacon.enabled),
        "created_at": to_ms(beacon.created_at),
        "updated_at": to_ms(beacon.updated_at),
    }


def beacon_of(row: sa.Row[Any]) -> Beacon:
    """Return the beacon that a row of `beacons` stores."""
    summary = BeaconSummary(
        row.id,
        row.tag,
        row.external_id,
        row.description,
        signal_of(row.type, row.signal),
        Point(row.longitude, row.latitude),
        bool(row.enabled),
        metadata_of(row.metadata),
    )
    return Beacon(environment_of(row.live), summary, from_ms(row.created_at), from_ms(row.updated_at))
