"""Migrations of the database to the current schema, run by Alembic when a workspace is opened."""
