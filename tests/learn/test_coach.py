"""The coach never lies: what it says of late positions is held to exhaustive search over the Python rules."""

import itertools

import pytest

import truth as oracle
from tabuleiro.core import Position
from tabuleiro.games import GAMES, get
from tabuleiro.games.hex import Hex
from tabuleiro.learn import coach, truth
from tabuleiro.learn.explain.hex import chain_of_bridges
from tabuleiro.record import Node
from tabuleiro.search.base import Worth

#: Positions of each game, and the most below one that is looked at here; `bench/coach.py` looks at more.
WANTED, CAP = 3, 400


def _worth(position: Position, move: int) -> Worth:
    worth = oracle.exhaustive_move(position, move).worth
    assert worth is not None
    return worth


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.id not in oracle.SHALLOW_GAMES])
def test_every_doubt_is_true_and_none_is_missing(game: type[Position], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "CAP", CAP)
    compared = 0
    for position, value in itertools.islice(oracle.positions_of(game, seed=12), WANTED):
        node, at_hand = Node(position), value.worth
        assert at_hand is not None
        known = coach.look(node)
        for move in position.legal_moves():
            try:
                left = _worth(position, move)
            except oracle.TooEarlyError:
                continue
            doubt = coach.doubt(node, move, known)
            assert (doubt is not None) == (left < at_hand), f"{position} {position.move_str(move)}"
            assert doubt is None or (doubt.thrown, doubt.left) == (at_hand, left)
            why = coach.why(node, move, known)
            assert (why is None) == (doubt is None) and (why is None or (why.pt and why.en and "  " not in why.pt))
            compared += 1
    assert compared > WANTED


def _why(game: str, position: str, move: str, **options: str) -> str:
    kind = get(game)
    node = Node(kind.from_str(position, kind.options_type.parse(options)))
    said = coach.why(node, node.position.parse_move(move), coach.look(node))
    return "" if said is None else said.pt


def test_semaforo_counts_safe_moves() -> None:
    position = get("semaforo").from_str("GRGY/R2R/R2Y 1")
    after = position.play(position.parse_move("b1"))
    safe = sum(truth.is_safe(after, move) for move in after.legal_moves())
    assert safe > 1 and _why("semaforo", str(position), "b1").startswith(f"Depois de b1 restam {safe} jogadas seguras")
    assert _why("semaforo", str(position), "c3") == "", "the move that wins"


def test_rastros_tells_of_dominoes_and_closed_ways() -> None:
    nobody = "######1/#######/###1#1#/##1#O##/##2#1#/#######/1###### 1"
    for move in ("d3", "d5"):
        said = _why("rastros", nobody, move)
        assert "ninguém chega a casa" in said and "restam 3 casas livres" in said and "dominó" in said
    # Where a player without a move draws, nothing of that is so.
    assert "perde quem" not in _why("rastros", nobody, "d3", stalemate="draw")


def test_ouri_counts_seeds_to_the_end() -> None:
    said = _why("ouri", "2,2,0,0,3,0/0,2,0,1,1,0 19-18 S", "e")
    assert "Capturas 3 sementes" in said and "o adversário recolhe mais 1 semente do que tu" in said
    assert "com a jogada certa, recolhes mais 11 sementes do que o adversário" in said


def test_konane_counts_jumps() -> None:
    position = get("konane").from_str("8/8/8/8/2b5/8/3w1w2/1bw1wb2 b")
    known = coach.look(Node(position))
    said = [coach.why(Node(position), move, known) for move in position.legal_moves()]
    assert any(text and "à escolha" in text.pt for text in said)


def test_a_chain_of_bridges_is_one_only_if_nobody_can_cut_it() -> None:
    def chained(board: str, size: int = 5) -> bool:
        position = Hex.from_str(f"{board} w -", Hex.options_type.parse({"size": str(size)}))
        return chain_of_bridges(position, "b")

    # Black joins bottom and top: c2 and b4 are a bridge apart, each a bridge from its side.
    assert chained("5/2b2/5/1b3/5")
    assert not chained("5/2b2/1w3/1b3/5"), "one half of a bridge is taken"
    assert not chained("2b2/5/5/1b3/5"), "too far apart"
    assert not chained("5/2b2/5/5/5")


@pytest.mark.parametrize("game", [get(name) for name in ("semaforo", "konane", "guerreiros")])
def test_help_comes_in_steps(game: type[Position]) -> None:
    node = Node(game.start())
    known = coach.look(node)
    question, cells, move = (coach.hint(node, step, known) for step in (1, 2, 3))
    assert question.text.pt.endswith("?") and not question.cells and not question.moves
    assert cells.cells or not node.position.clicks(node.position.legal_moves()[0])
    assert not cells.moves and node.position.parse_move(move.moves[0]) in node.position.legal_moves()
    if known.score is None:
        assert "Não sei" in question.text.pt and "Não está provado" in move.text.pt
