"""The number of the same user's previous kept update, in place of an index of kept updates by device."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_PREVIOUS = """
    UPDATE updates SET previous = chained.previous FROM (
        SELECT number, lag(number) OVER (PARTITION BY "user" ORDER BY number) AS previous FROM updates
    ) AS chained WHERE updates.number = chained.number AND chained.previous IS NOT NULL
"""
_LAST = """
    UPDATE users SET last_kept = newest.number FROM (
        SELECT "user", max(number) AS number FROM updates GROUP BY "user"
    ) AS newest WHERE users.id = newest."user"
"""


def upgrade() -> None:
    op.add_column("updates", sa.Column("previous", sa.BigInteger(), nullable=True))
    op.add_column("users", sa.Column("last_kept", sa.BigInteger(), nullable=True))
    op.execute(_PREVIOUS)
    op.execute(_LAST)
    op.drop_index("updates_device", "updates")
    op.create_index("updates_live", "updates", ["live"])
