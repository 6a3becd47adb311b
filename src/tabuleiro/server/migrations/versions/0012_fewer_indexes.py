"""A move writes its stream anew, and two indexes with it: one is kept, for the streams that are due at some time."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.drop_index("ix_streams_updated", "streams")
    op.drop_index("ix_streams_due", "streams")
    due = sa.text("due IS NOT NULL")
    op.create_index("ix_streams_due", "streams", ["due"], sqlite_where=due, postgresql_where=due)
