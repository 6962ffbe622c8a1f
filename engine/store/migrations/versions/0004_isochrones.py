"""Isochrones: the travel time to a geofence's centre, and the travel mode."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("geofences", sa.Column("minutes", sa.Float(), nullable=True))
    op.add_column("geofences", sa.Column("mode", sa.String(length=16), nullable=True))
