"""People: names, roles, cards, classes, who is signed in where; an audit log and a list of erasures."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
        sa.Column("key", sa.String(32), nullable=False, unique=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("school", sa.String(100), nullable=False),
        sa.Column("class_name", sa.String(100), nullable=False),
        sa.Column("cycle", sa.String(8), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("seen", sa.Float(53), nullable=False),
        sa.Column("removed", sa.Float(53), index=True),
    )
    op.create_table(
        "adults",
        sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("login", sa.String(40), unique=True),
        sa.Column("password_hash", sa.String(200)),
    )
    op.create_table(
        "links",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
        sa.Column("expires", sa.Float(53), nullable=False),
    )
    op.create_table(
        "cards",
        sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), nullable=False, index=True),
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.UniqueConstraint("stream", "code_hash"),
    )
    op.create_table(
        "class_codes",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), nullable=False, unique=True),
    )
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("used", sa.Float(53), nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("act", sa.String(40), nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
    )
    op.create_table(
        "erasures",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("at", sa.Float(53), nullable=False),
    )
    # Rows of the audit log are added, never changed, whoever asks for it.
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{act.lower()} BEFORE {act} ON audit "
                "BEGIN SELECT RAISE(ABORT, 'the audit log is not changed'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the audit log is not changed'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON audit "
            "FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept()"
        )
