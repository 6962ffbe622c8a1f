"""Presences of users at kept updates, stored as changes rather than completely with each update."""

from collections.abc import Sequence
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_AT_ONCE = 500

type _Inside = dict[str, tuple[int, int, int]]
"""Time of entry, whether the user has dwelled, and the update since which this holds, by geofence."""


def upgrade() -> None:
    op.add_column("presences", sa.Column("since", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_table(
        "former_presences",
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("geofence", sa.String(length=24), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.Column("dwelled", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("live", "until", "user", "geofence"),
        sqlite_with_rowid=False,
    )
    op.create_index("former_presences_user", "former_presences", ["user", "until", "since"])
    op.create_table(
        "last_numbers",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
        sqlite_with_rowid=False,
    )
    _Conversion(op.get_bind()).run()


class _Conversion:
    """Extracts the presences from the updates, in the order in which they arrived."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._inside: dict[str, _Inside] = {}
        self._last: dict[str, tuple[int, int]] = {}
        """The `live` flag and the number of the last update so far, by user."""

    def run(self) -> None:
        after = 0
        select = sa.text(
            "SELECT number, live, user, content FROM updates WHERE number > :after ORDER BY number LIMIT :most"
        )
        while rows := self._connection.execute(select, {"after": after, "most": _AT_ONCE}).all():
            self._take(rows)
            after = rows[-1].number
        for user, inside in self._inside.items():
            self._join(user, inside)

    def _take(self, rows: Sequence[sa.Row[Any]]) -> None:
        changed, former = [], []
        for row in rows:
            content = orjson.loads(row.content)
            presences = content.pop("presences", None)
            if presences is not None:
                changed.append({"number": row.number, "content": orjson.dumps(content).decode()})
            former += self._follow(row, presences or {})
        self._send("UPDATE updates SET content = :content WHERE number = :number", changed)
        self._put_former(former)

    def _follow(self, row: sa.Row[Any], presences: dict[str, list[int]]) -> list[dict[str, Any]]:
        """Record the presences of a user before an update; return those ended or changed since the previous one."""
        before, inside = self._inside.get(row.user, {}), {}
        for geofence, (entered_at, dwelled) in presences.items():
            was = before.get(geofence)
            same = was is not None and was[:2] == (entered_at, dwelled)
            inside[geofence] = was if was is not None and same else (entered_at, dwelled, row.number - 1)
        ended = {key: was for key, was in before.items() if inside.get(key) is not was}
        former = self._former(row.user, ended)
        self._inside[row.user] = inside
        self._last[row.user] = row.live, row.number
        return former

    def _former(self, user: str, ended: _Inside) -> list[dict[str, Any]]:
        if not ended:
            return []
        live, until = self._last[user]
        whose = {"live": live, "until": until, "user": user}
        return [
            {**whose, "geofence": geofence, "entered_at": entered_at, "dwelled": dwelled, "since": since}
            for geofence, (entered_at, dwelled, since) in ended.items()
        ]

    def _join(self, user: str, inside: _Inside) -> None:
        """Connect the presences of a user before the last update with the current ones."""
        select = sa.text("SELECT geofence, entered_at, dwelled FROM presences WHERE user = :user")
        now = {row.geofence: (row.entered_at, row.dwelled) for row in self._connection.execute(select, {"user": user})}
        goes_on = {key: was for key, was in inside.items() if now.get(key) == was[:2]}
        self._put_former(self._former(user, {key: was for key, was in inside.items() if key not in goes_on}))
        since = [
            {"user": user, "geofence": key, "since": goes_on[key][2] if key in goes_on else self._last[user][1]}
            for key in now
        ]
        self._send("UPDATE presences SET since = :since WHERE user = :user AND geofence = :geofence", since)

    def _put_former(self, rows: list[dict[str, Any]]) -> None:
        names = "live", "until", "user", "geofence", "since", "entered_at", "dwelled"
        values = ", ".join(f":{name}" for name in names)
        self._send(f"INSERT INTO former_presences ({', '.join(names)}) VALUES ({values})", rows)

    def _send(self, statement: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._connection.execute(sa.text(statement), rows)
