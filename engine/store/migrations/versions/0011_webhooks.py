"""Webhooks and the events queued for them."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("webhooks_live", "webhooks", ["live"])
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "deliveries",
        sa.Column("number", number, nullable=False, autoincrement=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("webhook", sa.String(length=24), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("status", sa.String(length=9), nullable=False),
        sa.Column("event_ids", sa.Text(), nullable=False),
        sa.Column("event_types", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("first_at", sa.BigInteger(), nullable=True),
        sa.Column("last_at", sa.BigInteger(), nullable=True),
        sa.Column("status_code", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("deliveries_webhook", "deliveries", ["webhook", "number"])
    queued = sa.text("status = 'queued'")
    op.create_index(
        "deliveries_queued",
        "deliveries",
        ["webhook", "lane", "number"],
        sqlite_where=queued,
        postgresql_where=queued,
    )
    op.create_table(
        "delivery_bodies",
        sa.Column("number", number, nullable=False, autoincrement=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
