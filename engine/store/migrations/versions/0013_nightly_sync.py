"""The nightly sync: its settings, the state of its files, and its runs."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "sync_settings",
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("live"),
    )
    op.create_table(
        "sync_files",
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("etag", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("keys", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("live", "source"),
    )
    op.create_table(
        "sync_runs",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("sync_runs_live", "sync_runs", ["live"])
