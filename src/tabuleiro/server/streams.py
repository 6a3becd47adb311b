"""The kinds of streams that the log keeps: one line each."""

from tabuleiro.server.championships.stream import ChampionshipStream
from tabuleiro.server.log import Stream
from tabuleiro.server.people.school_class import SchoolClass
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.teaching.vote import Vote

STREAMS: dict[str, type[Stream]] = {kind.kind: kind for kind in (GameSession, SchoolClass, ChampionshipStream, Vote)}
