"""Plays become streams, of which a game session is one kind; their seats become members; moves are counted as plies."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.drop_index("ix_plays_due", "plays")
    op.drop_index("ix_seats_guest", "seats")
    op.rename_table("plays", "streams")
    op.alter_column("streams", "setup", new_column_name="settings")
    # SQLite cannot take the default away again; nothing relies on it.
    op.add_column("streams", sa.Column("kind", sa.String(16), nullable=False, server_default="session"))
    op.rename_table("seats", "members")
    for table, old, new in (("members", "play", "stream"), ("members", "seat", "place"), ("events", "play", "stream")):
        op.alter_column(table, old, new_column_name=new)
    op.create_index("ix_streams_due", "streams", ["due"])
    op.create_index("ix_members_guest", "members", ["guest"])
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("streams", "kind", server_default=None)
        for old, new in (("plays_pkey", "streams_pkey"), ("seats_pkey", "members_pkey")):
            op.execute(f"ALTER INDEX {old} RENAME TO {new}")
    _rename_words(op.get_bind())


def _rename_words(connection: sa.Connection) -> None:
    """What is stored as JSON: a summary counts `plies`, a rematch names its `session`."""
    streams = sa.table("streams", sa.column("id"), sa.column("summary", sa.JSON))
    for row in connection.execute(sa.select(streams)).all():
        summary = {"plies" if name == "moves" else name: value for name, value in row.summary.items()}
        connection.execute(sa.update(streams).where(streams.c.id == row.id).values(summary=summary))
    events = sa.table("events", sa.column("stream"), sa.column("number"), sa.column("kind"), sa.column("data", sa.JSON))
    rematches = sa.select(events.c.stream, events.c.number, events.c.data).where(events.c.kind == "rematch")
    for row in connection.execute(rematches).all():
        data = {"session" if name == "play" else name: value for name, value in row.data.items()}
        here = (events.c.stream == row.stream, events.c.number == row.number)
        connection.execute(sa.update(events).where(*here).values(data=data))
