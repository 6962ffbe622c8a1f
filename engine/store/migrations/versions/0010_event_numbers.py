"""Event numbers that are never reused."""

from alembic import op

revision = "0010"
down_revision = "0006"


def upgrade() -> None:
    with op.batch_alter_table("events", recreate="always", table_kwargs={"sqlite_autoincrement": True}):
        pass
