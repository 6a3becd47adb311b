"""The tables of championships: which guest is which person of one, who arbitrates where. Names stand in `people`."""

import sqlalchemy as sa

from tabuleiro.server.store import metadata

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
