"""Rules of geofences, settings, and kept updates that can be explained."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ONLY_OF_GEOFENCES = (
    ("geofence", sa.String(length=24)),
    ("tag", sa.Text()),
    ("external_id", sa.Text()),
    ("description", sa.Text()),
    ("geofence_metadata", sa.Text()),
    ("longitude", sa.Float()),
    ("latitude", sa.Float()),
    ("accuracy_m", sa.Float()),
    ("confidence", sa.SmallInteger()),
)


def upgrade() -> None:
    """Add the rules of geofences, the settings and the kept updates."""
    op.create_table(
        "geofence_versions",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("geofence", sa.String(length=24), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("west", sa.Float(), nullable=False),
        sa.Column("south", sa.Float(), nullable=False),
        sa.Column("east", sa.Float(), nullable=False),
        sa.Column("north", sa.Float(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("geofence_versions_until", "geofence_versions", ["live", "until"])

    op.create_table(
        "settings",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("settings_live", "settings", ["live"])

    op.create_table(
        "updates",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.Integer(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("accuracy_m", sa.Float(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("updates_device", "updates", ["live", "device_id"])

    op.add_column("geofences", sa.Column("rules", sa.Text(), nullable=True))
    op.add_column("geofences", sa.Column("expires_at", sa.BigInteger(), nullable=True))
    op.add_column("geofences", sa.Column("revision", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("presences", sa.Column("dwelled", sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("users", sa.Column("details", sa.Text(), nullable=True))
    with op.batch_alter_table("events") as events:
        events.add_column(sa.Column("currently_operating", sa.SmallInteger(), nullable=True))
        events.add_column(sa.Column("details", sa.Text(), nullable=True))
        for name, kind in _ONLY_OF_GEOFENCES:
            events.alter_column(name, existing_type=kind, nullable=True)
