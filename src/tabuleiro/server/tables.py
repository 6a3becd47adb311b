"""All tables of the database, in the order in which they refer to each other. `migrations/` makes them.

Names of people stand in `people` and, as others see them, in `guests.nickname`; nowhere else.
"""

import sqlalchemy as sa

#: Characters of the name of a person, a school, a class or a set.
MAX_NAME = 100

metadata = sa.MetaData()

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    # The cookie itself is not kept: who reads the database cannot sit down in anybody's seat.
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("nickname", sa.String(20)),
    # When the token was made; nobody knows of those that are older than their renewal.
    sa.Column("token_made", sa.Float(53)),
    # The token that was given out to follow it and was not used yet, and the one before it, good until then.
    sa.Column("next_hash", sa.String(64), index=True, unique=True),
    sa.Column("last_hash", sa.String(64), index=True),
    sa.Column("last_until", sa.Float(53)),
    # The day on which they were last here.
    sa.Column("seen", sa.Float(53)),
    # Nothing is left of them but their part in the games of others.
    sa.Column("erased", sa.Boolean, nullable=False, server_default=sa.false()),
)
streams = sa.Table(
    "streams",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    # What follows can be computed from the events; it is written together with them, so that lists need no replay.
    sa.Column("updated", sa.Float(53), nullable=False),
    sa.Column("summary", sa.JSON, nullable=False),
    sa.Column("due", sa.Float(53)),
)
# Each move writes a stream anew: most are due at no time, and then no index has to follow.
_IS_DUE = streams.c.due.is_not(None)
sa.Index("ix_streams_due", streams.c.due, sqlite_where=_IS_DUE, postgresql_where=_IS_DUE)
#: In whose lists a stream stands; `place` is the player who sits there, in a game session. Who has erased it for
#: themselves is still a member, for the others, but `hidden`.
members = sa.Table(
    "members",
    metadata,
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False, index=True),
    sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
)
#: Guests whose token is carried by a program; `owner` is the guest who made it, or nobody at the command line.
bots = sa.Table(
    "bots",
    metadata,
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
    sa.Column("owner", sa.Integer, sa.ForeignKey("guests.id"), index=True),
    sa.Column("created", sa.Float(53), nullable=False),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),
)
#: What somebody has tried of the tasks of lessons, puzzles and sets (`learning/tries.py`).
tries = sa.Table(
    "tries",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False),
    sa.Column("task", sa.String(120), nullable=False),
    # The set in which it was given, or nothing.
    sa.Column("given", sa.String(16), nullable=False, server_default="", index=True),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("mistakes", sa.Integer, nullable=False),
    # The first wrong move.
    sa.Column("wrong", sa.String(80)),
    sa.Column("hints", sa.Integer, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.UniqueConstraint("guest", "task", "given"),
)
#: How strong somebody is at the puzzles of a game, and how hard puzzles are once people have tried them
#: (`learning/puzzle_ratings.py`).
solver_ratings = sa.Table(
    "solver_ratings",
    metadata,
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("mu", sa.Float(53), nullable=False),
    sa.Column("sigma", sa.Float(53), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
)
puzzle_ratings = sa.Table(
    "puzzle_ratings",
    metadata,
    sa.Column("task", sa.String(120), primary_key=True),
    sa.Column("mu", sa.Float(53), nullable=False),
    sa.Column("sigma", sa.Float(53), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
)
#: Mistakes of one's own games, as cards (`learning/mistakes.py`), and the games that were looked through for them.
mistakes = sa.Table(
    "mistakes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False, index=True),
    sa.Column("game", sa.String(30), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("position", sa.String(300), nullable=False),
    sa.Column("played", sa.String(80), nullable=False),
    # `win` or `draw`, and the moves that would have kept it.
    sa.Column("thrown", sa.String(4), nullable=False),
    sa.Column("answer", sa.JSON, nullable=False),
    sa.Column("found", sa.Float(53), nullable=False),
    sa.Column("due", sa.Float(53), nullable=False),
    sa.Column("reviews", sa.Integer, nullable=False),
    # What the schedule remembers.
    sa.Column("card", sa.JSON, nullable=False),
    sa.UniqueConstraint("guest", "game", "position"),
)
searched = sa.Table(
    "searched",
    metadata,
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
    sa.Column("session", sa.String(16), primary_key=True),
)
#: When each server process was last known to be running.
processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("alive", sa.Float(53), nullable=False),
)
#: Times in which no server was running.
pauses = sa.Table(
    "pauses",
    metadata,
    sa.Column("began", sa.Float(53), primary_key=True),
    sa.Column("ended", sa.Float(53), nullable=False),
)

# --------------------------------------------------------------------------------------------------------------- people

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

# -------------------------------------------------------------------------------------------------------- championships

entrants = sa.Table(
    "entrants",
    metadata,
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True),
    # As the events of the championship number them.
    sa.Column("person", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), nullable=False, index=True),
    # Keys of `edition.ARRANGEMENTS`: for arbiters' eyes, and gone with the championship.
    sa.Column("arrangements", sa.JSON, nullable=False),
)
arbiters = sa.Table(
    "arbiters",
    metadata,
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True),
    sa.Column("guest", sa.Integer, sa.ForeignKey("guests.id"), primary_key=True),
    # Empty for all of them.
    sa.Column("section", sa.String(40), nullable=False),
)

# ------------------------------------------------------------------------------------------------------------- teaching

#: A set never changes: what pupils have done is kept by it.
sets = sa.Table(
    "sets",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("owner", sa.Integer, sa.ForeignKey("people.guest"), nullable=False, index=True),
    sa.Column("name", sa.String(MAX_NAME), nullable=False),
    sa.Column("made", sa.Float(53), nullable=False),
    #: The names of its tasks, in their order.
    sa.Column("tasks", sa.JSON, nullable=False),
    #: The teacher's own lesson, of which the tasks `set/ID/1` and so on are.
    sa.Column("file_name", sa.String(MAX_NAME)),
    sa.Column("file", sa.Text),
)
#: Which class does which set.
givings = sa.Table(
    "givings",
    metadata,
    sa.Column("set", sa.String(16), sa.ForeignKey("sets.id"), primary_key=True),
    sa.Column("stream", sa.String(16), sa.ForeignKey("streams.id"), primary_key=True, index=True),
    sa.Column("at", sa.Float(53), nullable=False),
    #: The last day, as `2026-11-30`; none for as long as they like.
    sa.Column("until", sa.String(10)),
)
