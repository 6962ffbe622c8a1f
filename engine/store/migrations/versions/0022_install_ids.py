"""The installed apps of users, by which conversions find them."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("users", sa.Column("install_id", sa.Text(), nullable=True))
    op.create_index("users_install_id", "users", ["live", "install_id"])
