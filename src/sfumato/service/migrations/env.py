"""What Alembic runs: the steps, on the connection that `upgrade` has opened."""

from alembic import context

from sfumato.service.entities import Entity

if hasattr(context, "config"):  # which it has while `upgrade` is at work: whatever else imports this file does nothing
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=Entity.metadata,
        render_as_batch=True,  # SQLite cannot change a column of a table: it makes a new one
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
