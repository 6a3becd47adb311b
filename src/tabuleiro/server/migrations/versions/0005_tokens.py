"""Tokens of guests are renewed, guests who are not used for long are forgotten, and a game can be hidden from one's own
list."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for column in (
        sa.Column("token_made", sa.Float(53)),
        sa.Column("next_hash", sa.String(64)),
        sa.Column("last_hash", sa.String(64)),
        sa.Column("last_until", sa.Float(53)),
        sa.Column("seen", sa.Float(53)),
        sa.Column("erased", sa.Boolean, nullable=False, server_default=sa.false()),
    ):
        op.add_column("guests", column)
    op.create_index("ix_guests_next_hash", "guests", ["next_hash"], unique=True)
    op.create_index("ix_guests_last_hash", "guests", ["last_hash"])
    op.add_column("members", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))
    # When they were last here is not known: they are given the whole time from now on.
    guests = sa.table("guests", sa.column("seen", sa.Float))
    op.execute(sa.update(guests).values(seen=time.time()))
    op.create_index("ix_streams_updated", "streams", ["updated"])
