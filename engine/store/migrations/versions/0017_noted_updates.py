"""Hashes of each user's last updates, used to recognise updates that clients send again."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "noted_updates",
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("spread_ms", sa.SmallInteger(), nullable=False),
        sa.Column("digest", sa.BigInteger(), nullable=False),
        sa.Column("event_ids", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("user", "number"),
        sqlite_with_rowid=False,
    )
