"""The tables of people. Names stand in `people` and, as others see them, in `guests.nickname`; nowhere else."""

import sqlalchemy as sa

from tabuleiro.server.people.roster import MAX_NAME
from tabuleiro.server.store import metadata

#: Guests of whom a teacher or organiser made a person.
people = sa.Table(
    "people",
    metadata,
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
    # Random: numbers may be given again after an old copy was put back, this never is. Erasures go by it.
    sa.Column("key", sa.String(32), nullable=False, unique=True),
    sa.Column("name", sa.String(MAX_NAME), nullable=False),
    sa.Column("school", sa.String(MAX_NAME), nullable=False),
    sa.Column("class_name", sa.String(MAX_NAME), nullable=False),
    sa.Column("cycle", sa.String(8), nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    #: When they last signed in or did something while signed in, to the day.
    sa.Column("seen", sa.Float(53), nullable=False),
    #: When they were removed; some days later they are erased.
    sa.Column("removed", sa.Float(53), index=True),
)
#: The people who have a role besides playing. Without a password they come by a link.
adults = sa.Table(
    "adults",
    metadata,
    sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), primary_key=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("login", sa.String(40), unique=True),
    sa.Column("password_hash", sa.String(200)),
)
#: A link that signs in once.
links = sa.Table(
    "links",
    metadata,
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
    sa.Column("expires", sa.Float(53), nullable=False),
)
#: One card a person. Its long token is in the QR code; its short code counts only together with the code of its stream.
cards = sa.Table(
    "cards",
    metadata,
    sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), nullable=False, index=True),
    sa.Column("code_hash", sa.String(64), nullable=False),
    sa.Column("made", sa.Float(53), nullable=False),
    sa.UniqueConstraint("stream", "code_hash"),
)
#: The code of a class, which everybody in the room may see.
class_codes = sa.Table(
    "class_codes",
    metadata,
    sa.Column("code", sa.String(8), primary_key=True),
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), nullable=False, unique=True),
)
#: For whom a browser acts, by the hash of its cookie.
sign_ins = sa.Table(
    "sign_ins",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("used", sa.Float(53), nullable=False),
)
#: What adults did with others' data, by numbers only. The database itself refuses to change or remove a row.
audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("guest", sa.Integer, nullable=False),
    sa.Column("act", sa.String(40), nullable=False),
    sa.Column("about", sa.JSON, nullable=False),
)
#: What the organiser has settled for the whole server; what is not here is as it was made.
site_settings = sa.Table(
    "site_settings",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)
#: Who would like to play whom, and was not answered yet; `to` is nobody for who would play anybody.
challenges = sa.Table(
    "challenges",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("by", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
    sa.Column("to", sa.Integer, sa.ForeignKey("people.guest"), index=True),
    sa.Column("wish", sa.JSON, nullable=False),
    sa.Column("made", sa.Float(53), nullable=False),
)
#: Rated games, a row for each person who played one, and what they were rated after it: all of it follows from the
#: events. `opponent` is a guest's number, or nobody where it was a level of the computer.
results = sa.Table(
    "results",
    metadata,
    sa.Column("session", sa.String(16), primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("people.guest"), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("ended", sa.Float(53), nullable=False),
    sa.Column("opponent", sa.Integer),
    sa.Column("level", sa.Integer),
    sa.Column("score", sa.Float(53), nullable=False),
    sa.Column("mu", sa.Float(53), nullable=False),
    sa.Column("sigma", sa.Float(53), nullable=False),
    # Of the ladder by which a level was rated.
    sa.Column("ladder", sa.String(8)),
    sa.Index("ix_results_guest", "guest", "game", "ended"),
    sa.Index("ix_results_game", "game", "ended"),
)
#: The keys of people who were erased, to be erased again where an old copy brings them back.
erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("at", sa.Float(53), nullable=False),
)
