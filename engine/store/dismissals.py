"""Reading and writing dismissed findings of checks. Functions that write run inside the writer's transaction."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from hashlib import blake2b

import sqlalchemy as sa
from msgspec import Struct

from engine.domain.environment import Environment
from engine.store.records.cells import from_ms, to_ms
from engine.store.statements import delete_rows, upsert_rows
from engine.store.tables import dismissed_findings


class Dismissal(Struct, frozen=True):
    """A dismissed finding: the name of its check, its geofences, and the severity that it had."""

    check: str
    geofence_ids: tuple[str, ...]
    severity: str
    at: datetime


def dismissals(connection: sa.Connection, environment: Environment) -> list[Dismissal]:
    """Return the dismissed findings of an environment."""
    table = dismissed_findings.c
    rows = connection.execute(sa.select(dismissed_findings).where(table.live == int(environment.live)))
    return [Dismissal(row.kind, tuple(row.geofences.split()), row.severity, from_ms(row.dismissed_at)) for row in rows]


def keep_dismissals(connection: sa.Connection, environment: Environment, items: Iterable[Dismissal]) -> None:
    """Store dismissed findings, replacing those of the same check and geofences."""
    rows = {
        (item.check, item.geofence_ids): {
            **_key(environment, item.check, item.geofence_ids),
            "severity": item.severity,
            "geofences": " ".join(item.geofence_ids),
            "dismissed_at": to_ms(item.at),
        }
        for item in items
    }
    upsert_rows(connection, dismissed_findings, list(rows.values()))


def drop_dismissals(
    connection: sa.Connection, environment: Environment, keys: Collection[tuple[str, Sequence[str]]]
) -> None:
    """Delete the dismissals of findings with these checks and geofences."""
    rows = [_key(environment, check, geofence_ids) for check, geofence_ids in keys]
    delete_rows(connection, dismissed_findings, rows)


def _key(environment: Environment, check: str, geofence_ids: Sequence[str]) -> dict[str, str | int]:
    # A finding may be about thousands of geofences, too many for a key.
    digest = blake2b(" ".join(geofence_ids).encode(), digest_size=16).hexdigest()
    return {"live": int(environment.live), "kind": check, "digest": digest}
