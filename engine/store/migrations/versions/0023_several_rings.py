"""The sizes of the rings of polygons with holes or several parts, and all errors of an import."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("geofences", sa.Column("rings", sa.Text(), nullable=True))
    op.add_column("staged_geofences", sa.Column("rings", sa.Text(), nullable=True))
    op.add_column("imports", sa.Column("problems", sa.LargeBinary(), nullable=True))
