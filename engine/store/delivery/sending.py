"""What a queue of tens of thousands drains through: bodies read, and outcomes stored, many to a statement."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

import sqlalchemy as sa

from engine.domain.webhooks import DeliveryStatus, Tried
from engine.store.records.times import to_ms
from engine.store.statements import execute_many, parts
from engine.store.tables import deliveries, delivery_bodies

_DELIVERED: Final[sa.ColumnElement[str]] = sa.literal_column(f"'{DeliveryStatus.DELIVERED}'")


def bodies_of(connection: sa.Connection, numbers: Sequence[int]) -> dict[int, bytes | None]:
    """Return the bodies of the deliveries of these numbers that still wait; None where it is not encoded yet."""
    found: dict[int, bytes | None] = {}
    for part in parts(numbers):
        rows = connection.execute(_bodies(len(part)), {f"number_{at}": number for at, number in enumerate(part)})
        found.update((number, body) for number, body in rows)
    return found


@lru_cache(maxsize=16)
def _bodies(count: int) -> sa.Select[tuple[int, bytes | None]]:
    wanted = deliveries.c.number.in_([sa.bindparam(f"number_{at}") for at in range(count)])
    return (
        sa.select(deliveries.c.number, delivery_bodies.c.body)
        .join_from(deliveries, delivery_bodies, deliveries.c.number == delivery_bodies.c.number, isouter=True)
        # Not as the index of those that wait has it, which would be the wrong one.
        .where(wanted, deliveries.c.status + "" == DeliveryStatus.QUEUED.value)
    )


def settle_deliveries(connection: sa.Connection, settled: Sequence[Tried]) -> None:
    """Store what became of deliveries; those that are no more stay away."""
    for is_done, some in groupby(settled, key=lambda after: after.status is DeliveryStatus.DELIVERED):
        if not is_done:
            execute_many(connection, _SETTLE, list(map(_settled, some)))
            continue
        for at, same in groupby(some, key=lambda after: after.at):
            _acknowledge(connection, to_ms(at), list(same))


_SETTLE: Final = (
    sa.update(deliveries)
    .where(deliveries.c.number == sa.bindparam("of"))
    .values(
        status=sa.bindparam("new_status"),
        due_at=sa.bindparam("new_due_at"),
        attempts=sa.bindparam("new_attempts"),
        first_at=sa.bindparam("new_first_at"),
        last_at=sa.bindparam("new_last_at"),
        status_code=sa.bindparam("new_status_code"),
        error=sa.bindparam("new_error"),
        duration_ms=sa.bindparam("new_duration_ms"),
    )
)


def _settled(after: Tried) -> dict[str, Any]:
    at, before = to_ms(after.at), after.delivery
    return {
        "of": before.number,
        "new_status": after.status.value,
        "new_due_at": at if after.due_at is after.at else to_ms(after.due_at),
        "new_attempts": before.attempts + 1,
        "new_first_at": at if before.first_at is None else to_ms(before.first_at),
        "new_last_at": at,
        "new_status_code": after.attempt.status_code,
        "new_error": after.attempt.error,
        "new_duration_ms": after.attempt.duration_ms,
    }


def _acknowledge(connection: sa.Connection, at: int, settled: Sequence[Tried]) -> None:
    """Store that deliveries were acknowledged at one moment, which is what becomes of most."""
    for part in parts(settled):
        values: dict[str, Any] = {"at": at}
        for place, after in enumerate(part):
            attempt = after.attempt
            values[f"number_{place}"] = after.delivery.number
            values[f"code_{place}"] = attempt.status_code
            values[f"duration_{place}"] = attempt.duration_ms
        connection.execute(_acknowledging(len(part)), values)


@lru_cache(maxsize=16)
def _acknowledging(count: int) -> sa.Update:
    names = ("number", "code", "duration")
    rows = [tuple(sa.bindparam(f"{name}_{place}") for name in names) for place in range(count)]
    given = sa.values(*(sa.column(name, sa.BigInteger) for name in names), name="given").data(rows).cte("given")
    table, at = deliveries.c, sa.bindparam("at", type_=sa.BigInteger)
    return (
        sa.update(deliveries)
        .where(table.number == given.c.number)
        .values(
            status=_DELIVERED,
            due_at=at,
            attempts=table.attempts + sa.literal_column("1"),
            first_at=sa.func.coalesce(table.first_at, at),
            last_at=at,
            status_code=given.c.code,
            error=sa.null(),
            duration_ms=given.c.duration,
        )
    )
