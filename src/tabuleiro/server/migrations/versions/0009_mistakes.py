"""Mistakes of one's own games as cards, and which games were looked through."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "mistakes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False, index=True),
        sa.Column("game", sa.String(30), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("position", sa.String(300), nullable=False),
        sa.Column("played", sa.String(80), nullable=False),
        sa.Column("thrown", sa.String(4), nullable=False),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("found", sa.Float(53), nullable=False),
        sa.Column("due", sa.Float(53), nullable=False),
        sa.Column("reviews", sa.Integer, nullable=False),
        sa.Column("card", sa.JSON, nullable=False),
        sa.UniqueConstraint("guest", "game", "position"),
    )
    op.create_table(
        "searched",
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
        sa.Column("session", sa.String(16), primary_key=True),
    )
