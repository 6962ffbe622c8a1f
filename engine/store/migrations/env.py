"""Alembic environment: runs the migrations on the given connection, in its open transaction."""

from alembic import context

from engine.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
    on_version_apply=context.config.attributes.get("applied"),
)
with context.begin_transaction():
    context.run_migrations()
