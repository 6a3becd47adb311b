"""Sets of tasks, and the classes that they are given to."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "sets",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("owner", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.Column("tasks", sa.JSON, nullable=False),
        sa.Column("file_name", sa.String(100)),
        sa.Column("file", sa.Text),
    )
    op.create_table(
        "givings",
        sa.Column("set", sa.String(16), sa.ForeignKey("sets.id"), primary_key=True),
        sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True, index=True),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("until", sa.String(10)),
    )
