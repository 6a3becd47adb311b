"""How the end of a game is told and shown: sentences that name the sides, and the cells where it is seen."""

import re

import pytest

from tabuleiro import svg, text
from tabuleiro.core import Outcome, Player
from tabuleiro.games import GAMES, get
from tabuleiro.record import Game, random_game


def ended(game: str, position: str, *moves: str, **options: str) -> Game:
    kind = get(game)
    played = Game(kind.from_str(position, kind.options_type.parse(options)))
    for move in moves:
        played.play(move)
    assert played.outcome is not None
    return played


#: A game that ends with its last move, what is told of it, and where that is seen.
REACHED = "Ganharam as Brancas: uma peça chegou à primeira linha das Negras."
ENDS = [
    ("avanco", "7/3w3/7/7/7/b6/7 w", "d6-d7", REACHED, "d7"),
    ("avanco", "7/7/7/2b4/3w3/7/7 w", "d3xc4", "Ganharam as Brancas: as Negras ficaram sem peças.", "d3 c4"),
    ("semaforo", "4/4/GG2 1", "c1", "Ganhou o jogador 1: há três peças da mesma cor em linha.", "a1 b1 c1"),
    ("rastros", "7/7/7/7/7/1O5/7 2", "a1", "Ganhou o jogador 1: a peça chegou à casa final do jogador 1.", "a1"),
    ("konane", "4/4/4/wb2 w", "a1-c1", "Ganharam as Brancas: as Negras não têm jogada.", "a1 c1"),
    (
        "ouri",
        "0,0,0,0,0,1/1,0,0,0,0,0 24-22 S",
        "f",
        "Ganhou o Sul por 26 a 22: recolheu a maioria das sementes.",
        "S",
    ),
    (
        "ouri",
        "0,0,0,0,1,0/0,0,0,0,0,1 23-23 N",
        "F",
        "Ganhou o Sul por 25 a 23: não é possível dar sementes ao adversário.",
        "S",
    ),
    (
        "abalone",
        "5/6/7/8/9/8/7/6/wbb2 b 3-5",
        "A3A2",
        "Ganharam as Negras por 6 a 3: as Brancas perderam 6 berlindes.",
        "A2 A1 A3",
    ),
]


@pytest.mark.parametrize(("game", "position", "move", "told", "cells"), ENDS)
def test_the_end_is_told_and_shown(game: str, position: str, move: str, told: str, cells: str) -> None:
    options = {"size": "4"} if game == "konane" else {}
    played = ended(game, position, move, **options)
    here, outcome = played.position, played.outcome
    assert outcome is not None
    assert here.tell_result(outcome).pt == told
    assert {here.geometry.names[cell] for cell in outcome.cells} == {*cells.split()}
    # Pictures and terminals show the same cells.
    picture = svg.draw(here, outcome=outcome)
    assert {*re.findall(r'class="ending" data-cell="(\w+)"', picture)} == {*cells.split()}
    assert text.draw(here, outcome=outcome).count("{") >= 1
    assert f"The end is seen on: {', '.join(here.geometry.names[cell] for cell in outcome.cells)}." in text.draw(
        here, outcome=outcome, plain=True
    )


def test_a_hex_chain_is_the_shortest() -> None:
    board = get("hex").from_str("wwwww/w3w/wwwww/bbbb1/bbb2 b -", get("hex").options_type.parse({"size": "5"}))
    outcome = board.outcome()
    assert outcome is not None
    assert len(outcome.cells) == 5 and {board.pieces()[cell].symbol for cell in outcome.cells} == {"w"}
    columns = [board.geometry.names[cell][0] for cell in outcome.cells]
    assert columns == [*"abcde"], "from side to side, one stone after the other"


def test_seeds_collected_at_the_end_travel_to_their_owners() -> None:
    left = get("ouri").from_str("2,1,0,0,0,0/0,0,0,0,0,0 22-23 S")
    outcome = left.outcome()
    assert outcome is not None and outcome.score == (25, 23)
    assert outcome.motions == ((0, 12), (1, 12))
    words = left.score_text(outcome.score)
    assert words is not None and words.pt == "Sementes recolhidas: Sul 25, Norte 23"


@pytest.mark.parametrize("game", GAMES)
def test_whoever_ends_a_game_the_sentence_says_who_won(game: str) -> None:
    start = get(game).start()
    for winner in Player:
        for reason, words in (("resignation", "desist"), ("time", "esgotou-se o tempo"), ("abandoned", "abandon")):
            told = start.tell_result(Outcome(winner, reason, start.score()))
            one, two = start.side(winner), start.side(winner.other)
            assert re.match(rf"Ganh(ou|aram) {one.the.pt}: ", told.pt) and told.en.lower().startswith(
                f"{one.the.en.lower()} won: "
            )
            assert words in told.pt and (two.the.pt in told.pt or two.of.pt in told.pt)
            # The points of the moment decided nothing.
            assert not re.search(r"por \d", told.pt)


def test_points_are_the_winners_first() -> None:
    start = get("ouri").start()
    assert start.tell_result(Outcome(Player.TWO, "cycle", (10, 20))).pt.startswith("Ganhou o Norte por 20 a 10: ")
    assert start.tell_result(Outcome(None, "cycle", (12, 12))).pt.startswith("Empate a 12: ")
    # A draw that was agreed on is no count.
    assert get("abalone").start().tell_result(Outcome(None, "repetition", (2, 1))).pt.startswith("Empate: ")


@pytest.mark.parametrize("game", GAMES)
def test_random_games_end_where_it_can_be_seen(game: str) -> None:
    for seed in range(3 if game == "abalone" else 10):
        played = random_game(game, seed, 600)
        if (outcome := played.position.outcome()) is None:
            continue
        assert played.outcome is not None and played.outcome.cells, (game, seed)
        assert outcome == played.outcome
        assert len(played.outcome.cells) == len({*played.outcome.cells})
        told = played.position.tell_result(outcome)
        assert told.pt != told.en and told.pt.endswith(".") and told.en.endswith(".")
