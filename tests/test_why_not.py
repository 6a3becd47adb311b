"""Why a move cannot be made: every illegal move has a reason, and no legal one has."""

import random
import re
import string

import pytest

from laws import walk
from option_sets import CASE_IDS, CASES
from tabuleiro.core import Options, Position, TabuleiroError
from tabuleiro.games import get
from tabuleiro.geometry import Cell
from tabuleiro.language import Text

#: Said when a game knows no better.
VAGUE = "the rules do not allow that move here"


def is_sentence(reason: Text) -> bool:
    """Both languages say something, as refusals are written: faces add the capital and the full stop."""
    told = [re.sub("«.*?»|“.*?”", "?", said) for said in reason]  # what was typed is quoted, whatever it is
    return told[0] != told[1] and all(
        len(said.split()) >= 3 and said == said.strip() and "  " not in said and not re.search(r"[{}]|\.$", said)
        for said in told
    )


def check_cells(position: Position, rng: random.Random) -> None:
    paths = [position.clicks(move) for move in position.legal_moves()]
    begun = {path[:count] for path in paths for count in range(len(path) + 1)}
    cells = range(len(position.geometry))
    tried: list[tuple[Cell, ...]] = [(cell,) for cell in cells] + [
        (rng.choice(cells), rng.choice(cells)) for _ in range(40)
    ]
    # What a hand would do: go on from a move that was begun well.
    tried += [(*path, rng.choice(cells)) for path in rng.sample(sorted(begun), min(40, len(begun)))]
    for touched in tried:
        reason = position.why_not(touched)
        assert (reason is None) == (touched in begun), (str(position), touched, reason)
        if reason is not None:
            assert is_sentence(reason), reason
            assert reason.en != VAGUE, (str(position), touched)


def check_texts(position: Position, rng: random.Random) -> None:
    texts = [position.move_str(move) for move in position.legal_moves()]
    names = position.geometry.names
    made_up = ["".join(rng.choices(names, k=rng.randrange(1, 4))) for _ in range(20)]
    # What is nearly a move: the cells of one, and another after, between or in place of them.
    legal = position.legal_moves()
    for move in rng.choices(legal, k=20) if legal else ():
        cells = [names[cell] for cell in position.clicks(move)]
        at = rng.randrange(len(cells) + 1)
        cells[at : at + rng.randrange(2)] = [rng.choice(cells or names) if rng.random() < 0.3 else rng.choice(names)]
        made_up.append("".join(cells))
    made_up += ["".join(rng.choices(string.printable + "áç√♟\0", k=rng.randrange(30))) for _ in range(5)]
    made_up += ["swap", "troca", "pass", "K=a", "K=z", "k@" + rng.choice(names), "a1@" + rng.choice(names), "A", "f"]
    for text in [*texts, *made_up]:
        reason = position.why_not(text)
        try:
            position.parse_move(text)
        except TabuleiroError as error:
            assert reason == error.text
            assert is_sentence(reason), (text, reason)
            assert VAGUE not in reason.en, (str(position), text)
        else:
            assert reason is None


@pytest.mark.parametrize(("game", "options"), CASES, ids=CASE_IDS)
def test_every_illegal_move_has_a_reason_and_no_legal_one_has(game: type[Position], options: Options) -> None:
    rng = random.Random(f"why not {game.id} {options}")
    positions = walk(game, options, rng, 60)
    for position in rng.sample(positions, min(6, len(positions))):
        check_cells(position, rng)
        check_texts(position, rng)


@pytest.mark.parametrize("rubbish", [(-1,), (10**9,), (None,), ("a1",), (1.5,), (True,), tuple(range(50)), ""])
def test_rubbish_gets_a_reason_too(rubbish: object) -> None:
    for game, options in CASES[::5]:
        reason = game.start(options).why_not(rubbish)  # type: ignore[arg-type]
        assert reason is not None and is_sentence(reason)


def said(game: str, position: str | None, *cells: str, **options: str) -> str:
    """The Portuguese reason why a game's cells cannot be touched."""
    kind = get(game)
    chosen = kind.options_type.parse(options)
    here = kind.start(chosen) if position is None else kind.from_str(position, chosen)
    reason = here.why_not([here.geometry.index[cell] for cell in cells])
    assert reason is not None
    return reason.pt


@pytest.mark.parametrize(
    ("game", "position", "cells", "options", "wanted"),
    [
        ("avanco", None, "d1", {}, "a peça em d1 não tem para onde avançar"),
        ("avanco", None, "d6", {}, "a peça em d6 é das Negras, e agora jogam as Brancas"),
        ("avanco", None, "d4", {}, "em d4 não há nenhuma peça"),
        ("avanco", None, "d2 d4", {}, "uma só casa"),
        ("avanco", "7/7/3b3/3w3/7/7/7 w", "d4 d3", {}, "só avançam"),
        ("avanco", "7/7/3b3/3w3/7/7/7 w", "d4 d5", {}, "em frente não se captura"),
        ("semaforo", "R3/4/4 1", "a3", {}, "vermelha em a3 já não se troca"),
        ("rastros", None, "e5", {}, "já está nessa casa"),
        ("rastros", None, "a1", {}, "uma só casa"),
        ("rastros", "7/7/4#2/4O2/7/7/7 1", "e5", {}, "por onde a peça passou"),
        ("konane", None, "a1", {}, "não tem saltos"),
        ("konane", None, "d2 d3", {}, "a casa d3 está ocupada"),
        ("konane", None, "a1", {"opening": "traditional"}, "agora jogam as Negras"),
        ("konane", None, "b2", {"opening": "removal"}, "do centro ou da borda"),
        ("hex", "3/1w1/3 b ?", "b2", {"size": "3"}, "já está ocupada"),
        ("ouri", None, "S", {}, "isso é um depósito"),
        ("ouri", None, "A", {}, "a casa A é do Norte, e agora joga o Sul"),
        ("ouri", "1,0,2,0,0,0/1,0,0,0,0,0 20-24 S", "a", {}, "tem uma só semente: só se joga quando"),
        ("ouri", "1,0,2,0,0,0/1,0,0,0,0,0 20-24 S", "b", {}, "está vazia"),
        ("ouri", "2,0,0,0,0,2/0,0,0,0,0,0 20-24 S", "a", {}, "tens de jogar uma casa que lhe dê"),
        ("abalone", "5/6/7/8/9/8/7/6/bw3 b 0-0", "A1 A2", {}, "1 contra 1"),
        ("abalone", "5/6/7/8/9/8/7/6/bbwb1 b 0-0", "A1 A3", {}, "está ocupada"),
        ("abalone", "5/6/7/8/9/8/7/6/bbwb1 b 0-0", "A1 A1 A3", {}, "está ocupada"),
        ("abalone", "5/6/7/8/9/8/7/6/bbbb1 b 0-0", "A1 A5", {}, "mais de três"),
        ("abalone", "5/6/7/8/9/8/7/6/bb3 b 0-0", "A1 C1", {}, "uma só casa"),
        ("guerreiros", None, "e5", {}, "primeiro coloca-se o rei"),
    ],
)
def test_reasons_are_the_rules_own(game: str, position: str, cells: str, options: dict[str, str], wanted: str) -> None:
    assert wanted in said(game, position, *cells.split(), **options)


def test_the_swap_is_refused_with_its_rule() -> None:
    start = get("hex").start()
    after_two = start.play(start.parse_move("a1"))
    after_two = after_two.play(after_two.parse_move("b2"))
    for position in (start, after_two):
        reason = position.why_not("troca")
        assert reason is not None
        assert "só o segundo jogador pode trocar de cores, na sua primeira jogada" in reason.pt
