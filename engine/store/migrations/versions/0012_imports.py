"""The history of imports."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "imports",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("undoable", sa.SmallInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("imports_live", "imports", ["live"])
    op.create_table(
        "import_items",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("import_number", sa.Integer(), nullable=False),
        sa.Column("geofence", sa.String(length=24), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("stored", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("import_items_import", "import_items", ["import_number"])
