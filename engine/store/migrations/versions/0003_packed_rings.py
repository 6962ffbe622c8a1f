"""Rings as bytes, which take less than half the space of text and need no parsing."""

from itertools import chain
from struct import pack
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_ROWS = 1_000


def upgrade() -> None:
    op.add_column("geofences", sa.Column("positions", sa.LargeBinary(), nullable=True))
    _pack_rings(op.get_bind())
    with op.batch_alter_table("geofences") as geofences:
        geofences.drop_column("ring")


def _pack_rings(connection: sa.Connection) -> None:
    geofences = sa.table("geofences", sa.column("id"), sa.column("ring"), sa.column("positions"))
    table = geofences.c
    change = sa.update(geofences).where(table.id == sa.bindparam("geofence")).values(positions=sa.bindparam("packed"))
    last = ""
    while rows := connection.execute(_next_rings(table, last)).all():
        connection.execute(change, [{"geofence": row.id, "packed": _packed(row.ring)} for row in rows])
        last = rows[-1].id


def _next_rings(table: Any, last: str) -> sa.Select[Any]:
    wanted = sa.select(table.id, table.ring).where(table.ring.is_not(None), table.id > last)
    return wanted.order_by(table.id).limit(_ROWS)


def _packed(text: str) -> bytes:
    numbers = list(chain.from_iterable(orjson.loads(text)))
    return pack(f"<{len(numbers)}d", *numbers)
