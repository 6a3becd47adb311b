"""All tables as of version 0.1.0. A database of an earlier revision is refused (`store.py`)."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("act", sa.String(40), nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "erasures",
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "guests",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("nickname", sa.String(20)),
        sa.Column("token_made", sa.Float(53)),
        sa.Column("next_hash", sa.String(64)),
        sa.Column("last_hash", sa.String(64)),
        sa.Column("last_until", sa.Float(53)),
        sa.Column("seen", sa.Float(53)),
        sa.Column("erased", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index("ix_guests_last_hash", "guests", ["last_hash"])
    op.create_index("ix_guests_next_hash", "guests", ["next_hash"], unique=True)
    op.create_table(
        "pauses",
        sa.Column("began", sa.Float(53), nullable=False),
        sa.Column("ended", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("began"),
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("alive", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("task", sa.String(120), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("task"),
    )
    op.create_table(
        "site_settings",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "streams",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("updated", sa.Float(53), nullable=False),
        sa.Column("summary", sa.JSON, nullable=False),
        sa.Column("due", sa.Float(53)),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_streams_due",
        "streams",
        ["due"],
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    )
    op.create_table(
        "arbiters",
        sa.Column("stream", sa.String(16), nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("section", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("stream", "guest"),
    )
    op.create_table(
        "bots",
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("owner", sa.Integer),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.ForeignKeyConstraint(["owner"], ["guests.id"]),
        sa.PrimaryKeyConstraint("guest"),
    )
    op.create_index("ix_bots_owner", "bots", ["owner"])
    op.create_table(
        "class_codes",
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("stream", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("code"),
        sa.UniqueConstraint("stream"),
    )
    op.create_table(
        "entrants",
        sa.Column("stream", sa.String(16), nullable=False),
        sa.Column("person", sa.Integer, nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("arrangements", sa.JSON, nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("stream", "person"),
    )
    op.create_index("ix_entrants_guest", "entrants", ["guest"])
    op.create_table(
        "events",
        sa.Column("stream", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("stream", "number"),
    )
    op.create_table(
        "members",
        sa.Column("stream", sa.String(16), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("hidden", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("stream", "place"),
    )
    op.create_index("ix_members_guest", "members", ["guest"])
    op.create_table(
        "mistakes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
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
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guest", "game", "position"),
    )
    op.create_index("ix_mistakes_guest", "mistakes", ["guest"])
    op.create_table(
        "people",
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("school", sa.String(100), nullable=False),
        sa.Column("class_name", sa.String(100), nullable=False),
        sa.Column("cycle", sa.String(8), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("seen", sa.Float(53), nullable=False),
        sa.Column("removed", sa.Float(53)),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.PrimaryKeyConstraint("guest"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_people_removed", "people", ["removed"])
    op.create_table(
        "searched",
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("session", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.PrimaryKeyConstraint("guest", "session"),
    )
    op.create_table(
        "solver_ratings",
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.PrimaryKeyConstraint("guest", "game"),
    )
    op.create_table(
        "tries",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("task", sa.String(120), nullable=False),
        sa.Column("given", sa.String(16), server_default="", nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("mistakes", sa.Integer, nullable=False),
        sa.Column("wrong", sa.String(80)),
        sa.Column("hints", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["guests.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guest", "task", "given"),
    )
    op.create_index("ix_tries_given", "tries", ["given"])
    op.create_table(
        "adults",
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("login", sa.String(40)),
        sa.Column("password_hash", sa.String(200)),
        sa.ForeignKeyConstraint(["guest"], ["people.guest"]),
        sa.PrimaryKeyConstraint("guest"),
        sa.UniqueConstraint("login"),
    )
    op.create_table(
        "cards",
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("stream", sa.String(16), nullable=False),
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["people.guest"]),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("guest"),
        sa.UniqueConstraint("stream", "code_hash"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index("ix_cards_stream", "cards", ["stream"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("by", sa.Integer, nullable=False),
        sa.Column("to", sa.Integer),
        sa.Column("wish", sa.JSON, nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["people.guest"]),
        sa.ForeignKeyConstraint(["to"], ["people.guest"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_challenges_by", "challenges", ["by"])
    op.create_index("ix_challenges_to", "challenges", ["to"])
    op.create_table(
        "links",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("expires", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["people.guest"]),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    op.create_index("ix_links_guest", "links", ["guest"])
    op.create_table(
        "results",
        sa.Column("session", sa.String(16), nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("ended", sa.Float(53), nullable=False),
        sa.Column("opponent", sa.Integer),
        sa.Column("level", sa.Integer),
        sa.Column("score", sa.Float(53), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("ladder", sa.String(8)),
        sa.ForeignKeyConstraint(["guest"], ["people.guest"]),
        sa.PrimaryKeyConstraint("session", "guest"),
    )
    op.create_index("ix_results_game", "results", ["game", "ended"])
    op.create_index("ix_results_guest", "results", ["guest", "game", "ended"])
    op.create_table(
        "sets",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("made", sa.Float(53), nullable=False),
        sa.Column("tasks", sa.JSON, nullable=False),
        sa.Column("file_name", sa.String(100)),
        sa.Column("file", sa.Text()),
        sa.ForeignKeyConstraint(["owner"], ["people.guest"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_sets_owner", "sets", ["owner"])
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("guest", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("used", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(["guest"], ["people.guest"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index("ix_sign_ins_guest", "sign_ins", ["guest"])
    op.create_table(
        "givings",
        sa.Column("set", sa.String(16), nullable=False),
        sa.Column("stream", sa.String(16), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("until", sa.String(10)),
        sa.ForeignKeyConstraint(["set"], ["sets.id"]),
        sa.ForeignKeyConstraint(["stream"], ["streams.id"]),
        sa.PrimaryKeyConstraint("set", "stream"),
    )
    op.create_index("ix_givings_stream", "givings", ["stream"])
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
