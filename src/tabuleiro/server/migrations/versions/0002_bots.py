"""Bots: guests whose token is carried by a program."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "bots",
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
        sa.Column("owner", sa.Integer, sa.ForeignKey("guests.id"), index=True),
        sa.Column("created", sa.Float(53), nullable=False),
    )
