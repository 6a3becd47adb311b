"""The tables of sets: tasks that a teacher puts together, and the classes that they are given to."""

import sqlalchemy as sa

from tabuleiro.server.store import metadata

MAX_NAME = 100

#: A set never changes: what pupils have done is kept by it.
sets = sa.Table(
    "sets",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("owner", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
    sa.Column("name", sa.String(MAX_NAME), nullable=False),
    sa.Column("made", sa.Float(53), nullable=False),
    #: The names of its tasks, in their order.
    sa.Column("tasks", sa.JSON, nullable=False),
    #: The teacher's own lesson, of which the tasks `set/ID/1` and so on are.
    sa.Column("file_name", sa.String(MAX_NAME)),
    sa.Column("file", sa.Text),
)
#: Which class does which set.
givings = sa.Table(
    "givings",
    metadata,
    sa.Column("set", sa.String(16), sa.ForeignKey("sets.id"), primary_key=True),
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True, index=True),
    sa.Column("at", sa.Float(53), nullable=False),
    #: The last day, as `2026-11-30`; none for as long as they like.
    sa.Column("until", sa.String(10)),
)
