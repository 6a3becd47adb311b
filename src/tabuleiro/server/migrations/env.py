"""How Alembic brings a database up to date: `store.open_engine` hands it an open connection."""

import sqlalchemy as sa
from alembic import context

connection: sa.Connection = context.config.attributes["connection"]
if connection.dialect.name == "postgresql":
    # Several servers may start at once; one migrates, the others wait and find it done.
    connection.execute(sa.text("SELECT pg_advisory_xact_lock(7216253)"))
context.configure(connection=connection)
with context.begin_transaction():
    context.run_migrations()
