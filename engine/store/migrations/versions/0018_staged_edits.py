"""Edits of very many geofences, which are stored in portions before they come into force."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "staged_edits",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("published", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_table(
        "staged_geofences",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("gone", sa.SmallInteger(), nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=True),
        sa.Column("tag", sa.Text(), nullable=True),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("type", sa.String(length=16), nullable=True),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("radius_m", sa.Float(), nullable=True),
        sa.Column("minutes", sa.Float(), nullable=True),
        sa.Column("mode", sa.String(length=16), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=True),
        sa.Column("enabled", sa.SmallInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.Column("rules", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=True),
        sa.Column("positions", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
    )
