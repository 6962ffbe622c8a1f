"""Edits of very many beacons, which are stored in portions like those of geofences."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("staged_edits", sa.Column("kind", sa.String(length=16), nullable=False, server_default="geofences"))
    op.create_table(
        "staged_beacons",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("gone", sa.SmallInteger(), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=True),
        sa.Column("tag", sa.Text(), nullable=True),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("type", sa.String(length=16), nullable=True),
        sa.Column("signal", sa.String(length=64), nullable=True),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=True),
        sa.Column("enabled", sa.SmallInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
    )
