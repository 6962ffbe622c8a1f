"""Trips."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table of trips."""
    op.create_table(
        "trips",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("trips_external_id", "trips", ["live", "external_id"])
    op.create_index("trips_updated", "trips", ["live", "updated_at"])
    op.create_index("trips_user", "trips", ["user"])
