"""Beacons, and the users near them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables of beacons and of stays near them."""
    op.create_table(
        "beacons",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("type", sa.String(length=16), nullable=False),
        sa.Column("signal", sa.String(length=64), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("metadata", sa.Text(), nullable=False),
        sa.Column("enabled", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("live", "tag", "external_id", name="beacons_key"),
        sa.UniqueConstraint("live", "type", "signal", name="beacons_signal"),
    )
    op.create_index("beacons_updated", "beacons", ["live", "updated_at"])
    op.create_table(
        "beacon_stays",
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("beacon", sa.String(length=24), nullable=False),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user", "beacon"),
        sqlite_with_rowid=False,
    )
    op.create_index("beacon_stays_beacon", "beacon_stays", ["beacon"])
