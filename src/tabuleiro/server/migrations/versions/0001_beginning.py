"""Guests, plays, seats, events; who is running and when nobody was."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "guests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("nickname", sa.String(20)),
    )
    op.create_table(
        "plays",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("setup", sa.JSON, nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("updated", sa.Float(53), nullable=False),
        sa.Column("summary", sa.JSON, nullable=False),
        sa.Column("due", sa.Float(53), index=True),
    )
    op.create_table(
        "seats",
        sa.Column("play", sa.String(16), sa.ForeignKey("plays.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False, index=True),
    )
    op.create_table(
        "events",
        sa.Column("play", sa.String(16), sa.ForeignKey("plays.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("alive", sa.Float(53), nullable=False),
    )
    op.create_table(
        "pauses",
        sa.Column("began", sa.Float(53), primary_key=True),
        sa.Column("ended", sa.Float(53), nullable=False),
    )
