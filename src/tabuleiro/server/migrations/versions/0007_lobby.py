"""What the organiser settles, challenges, and the results from which ratings are made."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "site_settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("by", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
        sa.Column("to", sa.Integer, sa.ForeignKey("people.guest"), index=True),
        sa.Column("wish", sa.JSON, nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("session", sa.String(16), primary_key=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("ended", sa.Float(53), nullable=False),
        sa.Column("opponent", sa.Integer),
        sa.Column("level", sa.Integer),
        sa.Column("score", sa.Float(53), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("ladder", sa.String(8)),
    )
    op.create_index("ix_results_guest", "results", ["guest", "game", "ended"])
    op.create_index("ix_results_game", "results", ["game", "ended"])
