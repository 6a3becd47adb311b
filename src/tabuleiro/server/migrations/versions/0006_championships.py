"""Championships: who takes part in which, who arbitrates where."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "entrants",
        sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True),
        sa.Column("person", sa.Integer, primary_key=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False, index=True),
        sa.Column("arrangements", sa.JSON, nullable=False),
    )
    op.create_table(
        "arbiters",
        sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
        sa.Column("section", sa.String(40), nullable=False),
    )
