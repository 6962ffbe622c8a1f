"""Geofences, users, presences and events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables of geofences, users, presences and events."""
    op.create_table(
        "events",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("actual_created_at", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("user_metadata", sa.Text(), nullable=False),
        sa.Column("geofence", sa.String(length=24), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("geofence_metadata", sa.Text(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("accuracy_m", sa.Float(), nullable=False),
        sa.Column("confidence", sa.SmallInteger(), nullable=False),
        sa.Column("duration_s", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
    )
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.create_index("events_created", ["live", "created_at"], unique=False)
        batch_op.create_index("events_device", ["live", "device_id"], unique=False)
        batch_op.create_index("events_geofence", ["live", "tag", "external_id"], unique=False)

    op.create_table(
        "geofences",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("type", sa.String(length=16), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("radius_m", sa.Float(), nullable=True),
        sa.Column("ring", sa.Text(), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=False),
        sa.Column("enabled", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("live", "tag", "external_id", name="geofences_key"),
    )
    with op.batch_alter_table("geofences", schema=None) as batch_op:
        batch_op.create_index("geofences_updated", ["live", "updated_at"], unique=False)

    op.create_table(
        "presences",
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("geofence", sa.String(length=24), nullable=False),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user", "geofence"),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("presences", schema=None) as batch_op:
        batch_op.create_index("presences_geofence", ["geofence"], unique=False)

    op.create_table(
        "users",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("accuracy_m", sa.Float(), nullable=False),
        sa.Column("foreground", sa.SmallInteger(), nullable=False),
        sa.Column("stopped", sa.SmallInteger(), nullable=False),
        sa.Column("device_type", sa.String(length=16), nullable=True),
        sa.Column("ip", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.create_index("users_device", ["live", "device_id"], unique=False)


def downgrade() -> None:
    """Drop the tables."""
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_index("users_device")

    op.drop_table("users")
    with op.batch_alter_table("presences", schema=None) as batch_op:
        batch_op.drop_index("presences_geofence")

    op.drop_table("presences")
    with op.batch_alter_table("geofences", schema=None) as batch_op:
        batch_op.drop_index("geofences_updated")

    op.drop_table("geofences")
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.drop_index("events_geofence")
        batch_op.drop_index("events_device")
        batch_op.drop_index("events_created")

    op.drop_table("events")
