"""The story of a finished game in two or three sentences, from what was found of each of its positions."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from tabuleiro.core import Player
from tabuleiro.language import Text
from tabuleiro.results import Side


class Judged(Protocol):
    """A move as it was judged (`server.judgement`)."""

    @property
    def ply(self) -> int: ...
    @property
    def player(self) -> Player: ...
    @property
    def move(self) -> str: ...
    @property
    def fault(self) -> str | None: ...
    @property
    def better(self) -> str | None: ...


class Story(NamedTuple):
    """What a review needs to know."""

    moves: Sequence[Judged]
    sides: dict[Player, Side]
    winner: Player | None
    #: The ply of the move that lost.
    losing: int | None
    #: Why that move was a mistake, where it is proven.
    why: Text | None


PROVEN = {"threw_win": Text("a vitória", "the win"), "threw_draw": Text("o empate", "the draw")}
#: Moves that are written as a word.
WORDS = {"swap": Text("a troca de cores", "swapping"), "pass": Text("o passe", "passing")}


def sentences(story: Story) -> list[Text]:
    """Where the game was decided, why, and how often it changed hands."""
    told = [_turning_point(story)]
    if story.why is not None:
        told.append(_reported(story.why))
    if (often := _changes(story)) is not None:
        told.append(often)
    return told


def _turning_point(story: Story) -> Text:
    losing = next((judged for judged in story.moves if judged.ply == story.losing), None)
    if losing is None:
        if story.winner is None:
            return Text(
                "Ninguém perdeu o fio: não há nenhuma jogada que decida a partida.",
                "Nobody lost the thread: no single move decided the game.",
            )
        side = story.sides[story.winner]
        return Text(
            f"{_capital(side.the.pt)} {side.verb('jogou', 'jogaram')} sem que se encontre uma jogada do adversário que "
            "tenha perdido a partida.",
            f"{_capital(side.the.en)} won, and no move of the opponent is found that lost the game.",
        )
    side = story.sides[losing.player]
    number = (losing.ply + 1) // 2
    move = _named(losing.move)
    thrown = PROVEN.get(losing.fault or "")
    if thrown is not None:
        # What would have been better is asked as a task, and not told here.
        return Text(
            f"A partida decidiu-se na jogada {number}: com {move.pt}, {side.the.pt} "
            f"{side.verb('deitou', 'deitaram')} fora {thrown.pt}.",
            f"The game was decided at move {number}: with {move.en}, {side.the.en} threw away {thrown.en}.",
        )
    better = None if losing.better is None else _named(losing.better)
    instead = Text("", "") if better is None else Text(f" Havia {better.pt}.", f" There was {better.en}.")
    return Text(
        f"Ao que parece, a partida decidiu-se na jogada {number}, {move.pt} {side.of.pt}.{instead.pt}",
        f"It seems that the game was decided at move {number}, {side.of.en} {move.en}.{instead.en}",
    )


def _named(move: str) -> Text:
    """A move as it stands in a sentence: some are written as a word."""
    return WORDS.get(move, Text(move, move))


def _reported(why: Text) -> Text:
    """The explanation, which is said to who moved, under a name that says so."""
    return Text(f"Explicação para quem jogou: «{why.pt}»", f"Explained to whoever moved: “{why.en}”")


def _changes(story: Story) -> Text | None:
    """How many proven wins and draws were thrown away in all."""
    thrown = [judged for judged in story.moves if judged.fault in PROVEN]
    if len(thrown) < 2:
        return None
    by = {player: sum(judged.player is player for judged in thrown) for player in Player}
    one, two = (story.sides[player] for player in Player)
    return Text(
        f"Ao todo deitou-se fora {len(thrown)} vezes o que estava provado ({one.the.pt}: {by[Player.ONE]}; "
        f"{two.the.pt}: {by[Player.TWO]}).",
        f"In all, what was proven was thrown away {len(thrown)} times ({one.the.en}: {by[Player.ONE]}; "
        f"{two.the.en}: {by[Player.TWO]}).",
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
