"""How a database of an earlier version becomes one of this version; run by Alembic when a workspace opens."""
