"""Migrations of the database to this version; run by Alembic when a workspace opens."""
