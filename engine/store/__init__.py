"""The database: tables, migrations, the group-commit writer and queries. Only this package contains SQL."""
