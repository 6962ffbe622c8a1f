"""Authors of geofence edits, and an index of former geofences by geofence."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "edits",
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("live", "revision"),
        sqlite_with_rowid=False,
    )
    op.create_index("geofence_versions_geofence", "geofence_versions", ["geofence", "until"])
