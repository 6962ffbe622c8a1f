"""Findings of checks that users have dismissed."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "dismissed_findings",
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("geofences", sa.Text(), nullable=False),
        sa.Column("dismissed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("live", "kind", "digest"),
        sqlite_with_rowid=False,
    )
