"""Finding users by user ID and by position."""

import sqlalchemy as sa
from alembic import op

from engine.domain.geometry import Point
from engine.store.records.cells import cell_of

revision = "0014"
down_revision = "0013"

_AT_ONCE = 10_000


def upgrade() -> None:
    op.create_index("users_user_id", "users", ["live", "user_id"])
    cells = op.create_table(
        "user_cells",
        sa.Column("live", sa.SmallInteger(), nullable=False),
        sa.Column("cell", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.PrimaryKeyConstraint("live", "cell", "user"),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    for rows in connection.execute(sa.text("SELECT live, longitude, latitude, id FROM users")).partitions(_AT_ONCE):
        op.bulk_insert(
            cells,
            [
                {"live": live, "cell": cell_of(Point(longitude, latitude)), "user": user}
                for live, longitude, latitude, user in rows
            ],
        )
