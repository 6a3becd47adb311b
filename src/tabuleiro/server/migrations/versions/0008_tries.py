"""What pupils have tried of the tasks of lessons, puzzles and sets."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "tries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False),
        sa.Column("task", sa.String(120), nullable=False),
        sa.Column("given", sa.String(16), nullable=False, server_default=""),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("mistakes", sa.Integer, nullable=False),
        sa.Column("wrong", sa.String(80)),
        sa.Column("hints", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.UniqueConstraint("guest", "task", "given"),
    )
    op.create_index("ix_tries_given", "tries", ["given"])
