"""The database: tables, migrations, the group-commit writer, queries. The only room that knows SQL."""
