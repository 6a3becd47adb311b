"""Records: the tree, the rules that look back, and the text form."""

import dataclasses
import io
import pickle
import random
import re
import tracemalloc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, TextIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabuleiro import record
from tabuleiro.core import (
    HistoryRules,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Move,
    Options,
    Outcome,
    Piece,
    Player,
    Position,
    TabuleiroError,
    UnknownGameError,
    option,
    option_values,
)
from tabuleiro.games import GAMES
from tabuleiro.games.abalone import Abalone
from tabuleiro.geometry import Cell, Geometry, square
from tabuleiro.language import Text
from tabuleiro.record import Game, Line, Node, RecordError, random_game, read_games, write_game, write_games
from tabuleiro.record import text as written
from tabuleiro.record import tree as record_tree

# --------------------------------------------------------------------------------------------- a toy for the history


@dataclass(frozen=True)
class RingOptions(Options):
    repetition: int | None = option(None, numbers=range(2, 10**9), help=Text("repetições", "repetitions"))
    stale: int | None = option(None, numbers=range(1, 1000), help=Text("sem progresso", "without progress"))
    total: int | None = option(None, numbers=range(1, 1000), help=Text("jogadas", "moves"))


@dataclass(frozen=True)
class Ring(Position):
    """A token walks round ten cells, one step either way (0, 1), or drops one of its seeds for ever (2)."""

    options: RingOptions
    cell: int = 0
    seeds: int = 5

    id: ClassVar[str] = "ring"
    name: ClassVar[Text] = Text("Anel", "Ring")
    options_type: ClassVar[type[Options]] = RingOptions
    move_pattern: ClassVar[re.Pattern[str]] = re.compile("back|on|drop")
    move_help: ClassVar[Text] = Text("escreve back, on ou drop", "write back, on or drop")
    keys_asked: ClassVar[int] = 0

    @classmethod
    def start(cls, options: Any = None) -> "Ring":
        return cls(Player.ONE, cls.default_options(options))

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> "Ring":
        try:
            cell, seeds, turn = map(int, fields)
            return cls(Player(turn), options, cell % 10, seeds)
        except ValueError:
            raise InvalidPositionError(Text("não é um anel", "not a ring")) from None

    def outcome(self) -> Outcome | None:
        return Outcome(self.turn.other, "no_pieces") if self.seeds == 0 else None

    def _moves(self) -> Iterable[Move]:
        return (0, 1, 2)

    def _after(self, move: Move) -> "Ring":
        cell = (self.cell + (-1, 1, 0)[move]) % 10
        return dataclasses.replace(self, turn=self.turn.other, cell=cell, seeds=self.seeds - (move == 2))

    def encode(self) -> tuple[int, ...]:
        return (self.turn, self.cell, self.seeds)

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> "Ring":
        turn, cell, seeds = values
        return cls(Player(turn), cls.default_options(options), cell, seeds)

    def __str__(self) -> str:
        return f"{self.cell} {self.seeds} {self.turn}"

    def _move_str(self, move: Move) -> str:
        return ("back", "on", "drop")[move]

    @property
    def geometry(self) -> Geometry:
        return square(10, 1)

    def pieces(self) -> dict[Cell, Piece]:
        return {self.cell: Piece("o", "marker")}

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        return ()

    @property
    def can_draw(self) -> bool:
        return True

    def history_rules(self) -> HistoryRules:
        chosen = self.options
        return HistoryRules(chosen.repetition, "cycle", chosen.stale, "no_capture", chosen.total)

    def repetition_key(self) -> tuple[int, int, int]:
        Ring.keys_asked += 1
        return (self.cell, self.seeds, self.turn)

    def is_progress(self, move: Move) -> bool:
        return move == 2

    def settle(self, reason: str) -> Outcome:
        return Outcome(None, reason, (self.cell, self.seeds))


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy among the games, so that its records can be read."""
    monkeypatch.setitem(GAMES, "ring", Ring)


def ring_game(moves: str, **options: int) -> Game:
    game = Game(Ring.start(RingOptions(**options)))
    for letter in moves:
        game.play({"b": 0, "o": 1, "d": 2}[letter])
    return game


def test_the_start_counts_as_an_occurrence() -> None:
    assert ring_game("obo", repetition=3).outcome is None
    assert ring_game("obob", repetition=3).outcome == Outcome(None, "cycle", (0, 5))
    assert ring_game("o", repetition=2).outcome is None
    assert ring_game("ob", repetition=2).result == "1/2-1/2"


def test_other_sides_to_move_and_other_seeds_are_other_positions() -> None:
    assert ring_game("oooooooooo", repetition=2).outcome is not None  # ten steps are a round, ONE to move again
    assert ring_game("ooooobbbbb"[:9], repetition=3).outcome is None
    assert ring_game("obdobd", repetition=3).outcome is None


def test_plies_without_progress() -> None:
    assert ring_game("oooo", stale=5).outcome is None
    assert ring_game("ooooo", stale=5).outcome == Outcome(None, "no_capture", (5, 5))
    assert ring_game("oooodoooo", stale=5).outcome is None
    assert ring_game("oooodooooo", stale=5).outcome is not None


def test_plies_in_all() -> None:
    assert ring_game("oodo", total=5).outcome is None
    assert ring_game("oodoo", total=5).outcome == Outcome(None, "move_limit", (4, 4))


def test_the_position_has_the_first_word() -> None:
    assert ring_game("ddddd", total=5, stale=1).outcome == Outcome(Player.ONE, "no_pieces")


def test_nothing_is_played_after_a_history_rule() -> None:
    game = ring_game("ob", repetition=2)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.play(1)
    game.undo()
    assert game.outcome is None
    game.play(1)
    assert game.outcome is None


def naive_outcome(node: Node) -> Outcome | None:
    """The outcome of a node by counting everything again."""
    line = [node]
    while line[-1].parent is not None:
        line.append(line[-1].parent)
    line.reverse()
    position, rules = node.position, node.position.history_rules()
    if (outcome := position.outcome()) is not None:
        return outcome
    keys = [step.position.repetition_key() for step in line]
    if rules.repetition and keys.count(keys[-1]) >= rules.repetition:
        return position.settle(rules.repetition_reason)
    stale = 0
    for before, after in pairwise(line):
        assert after.move is not None
        stale = 0 if before.position.is_progress(after.move) else stale + 1
    if rules.stale_plies and stale >= rules.stale_plies:
        return position.settle(rules.stale_reason)
    if rules.total_plies and len(line) - 1 >= rules.total_plies:
        return position.settle("move_limit")
    return None


@given(
    seed=st.integers(0, 10**6),
    repetition=st.sampled_from([None, 2, 3]),
    stale=st.sampled_from([None, 6, 15]),
    total=st.sampled_from([None, 20]),
)
@settings(max_examples=100, deadline=None)
def test_every_node_counts_its_own_line(
    seed: int, repetition: int | None, stale: int | None, total: int | None
) -> None:
    chance = random.Random(seed)
    game = Game(Ring.start(RingOptions(repetition, stale, total)))
    nodes = [game.root]
    node = game.root
    for _ in range(120):
        if node.outcome is not None or chance.random() < 0.2:
            node = chance.choice(nodes)
            continue
        node = node.play(chance.choice((0, 0, 1, 1, 1, 2)))
        nodes.append(node)
    for node in nodes:
        assert node.outcome == naive_outcome(node)


def test_long_lines_cost_no_more_a_ply(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ring_game("", repetition=10**8)
    monkeypatch.setattr(Ring, "keys_asked", 0)
    for _ in range(5000):
        node = game.play(1)
        # A variation at every move makes the count walk back and forth.
        assert node.parent is not None
        node.parent.play(0)
    assert Ring.keys_asked < 5000 * 12


# ------------------------------------------------------------------------------------------------------- real histories


def with_options(game_id: str, **options: str) -> Options:
    return GAMES[game_id].options_type.parse(options)


def play_until_over(game: Game, moves: Sequence[str]) -> int:
    """Play moves round and round until the game is over; the number of plies."""
    while game.outcome is None:
        game.play(moves[game.last.ply % len(moves)])
        assert game.last.ply < 1000
    return game.last.ply


OURI_ROUND = list("aAbBcCdDeEfF")
OURI_START = "1,0,0,0,0,0/1,0,0,0,0,0 23-23 S"


@pytest.mark.parametrize(
    ("options", "plies", "outcome"),
    [
        ({}, 24, Outcome(None, "cycle", (23, 23))),
        ({"cycle_threshold": "2"}, 12, Outcome(None, "cycle", (23, 23))),
        ({"cycle_collect": "owners"}, 24, Outcome(None, "cycle", (24, 24))),
        ({"no_capture_limit": "10"}, 10, Outcome(None, "no_capture", (23, 23))),
        ({"cycle_threshold": "off", "no_capture_limit": "100"}, 100, Outcome(None, "no_capture", (23, 23))),
    ],
)
def test_ouri_cycles(options: dict[str, str], plies: int, outcome: Outcome) -> None:
    game = Game.new("ouri", with_options("ouri", **options), OURI_START)
    assert play_until_over(game, OURI_ROUND) == plies
    assert game.outcome == outcome
    assert list(read_games(io.StringIO(write_game(game)))) == [game]


def test_ouri_without_a_cycle_rule_goes_on() -> None:
    game = Game.new("ouri", with_options("ouri", cycle_threshold="off"), OURI_START)
    for ply in range(300):
        game.play(OURI_ROUND[ply % 12])
    assert game.outcome is None


def test_ouri_stores_decide_after_a_cycle() -> None:
    game = Game.new("ouri", None, OURI_START.replace("23-23", "24-22"))
    play_until_over(game, OURI_ROUND)
    assert game.outcome == Outcome(Player.ONE, "cycle", (24, 22))
    assert game.result == "1-0"


ABALONE_ROUND = ["A1B2", "I9H8", "D4C3", "F6G7"]


@pytest.mark.parametrize(
    ("options", "plies", "reason"),
    [({}, 8, "repetition"), ({"repetition": "off", "move_limit": "50"}, 50, "move_limit")],
)
def test_abalone_draws(options: dict[str, str], plies: int, reason: str) -> None:
    game = Game.new("abalone", with_options("abalone", **options))
    assert play_until_over(game, ABALONE_ROUND) == plies
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.reason) == (None, reason)


def test_abalone_repetition_can_be_off() -> None:
    game = Game.new("abalone", with_options("abalone", repetition="off"))
    for ply in range(100):
        game.play(ABALONE_ROUND[ply % 4])
    assert game.outcome is None


GUERREIROS_ROUND = ["e1-d1", "e10-d10", "d1-e1", "d10-e10"]


@pytest.mark.parametrize(
    ("options", "plies", "reason"),
    [({}, 8, "repetition"), ({"repetition": "off", "no_progress_limit": "30"}, 30, "no_progress")],
)
def test_guerreiros_draws(options: dict[str, str], plies: int, reason: str) -> None:
    game = Game.new("guerreiros", with_options("guerreiros", **options), "4k4/9/9/9/9/9/9/9/9/4K4 S - -")
    assert play_until_over(game, GUERREIROS_ROUND) == plies
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.reason) == (None, reason)


def test_guerreiros_pieces_that_had_not_moved_make_another_position() -> None:
    game = Game.new("guerreiros", None, "4k'4/9/9/9/9/9/9/9/9/4K'4 S - -")
    # The first visit to the start, with kings that have not moved, does not count.
    assert play_until_over(game, GUERREIROS_ROUND) == 9 + 1


# --------------------------------------------------------------------------------------------------- the tree, the end


def test_a_game_is_played_move_by_move() -> None:
    game = Game.new("rastros")
    for text in ("d4", "d5", "c6", "d7"):
        game.play(text)
    assert game.position == game.positions()[-1]
    assert len(game.positions()) == 5
    assert [node.move_text for node in game.root.line()] == ["", "d4", "d5", "c6", "d7"]
    replayed = game.start
    for move in game.moves:
        replayed = replayed.play(move)
    assert replayed == game.position
    game.undo()
    assert len(game.moves) == 3


def test_bad_moves_leave_the_game_as_it_was() -> None:
    game = Game.new("rastros")
    game.play("d4")
    for text, error in (("a1", IllegalMoveError), ("z9", InvalidMoveError), ("", InvalidMoveError)):
        with pytest.raises(error):
            game.play(text)
    with pytest.raises(IllegalMoveError):
        game.play(-1)
    assert len(game.moves) == 1
    with pytest.raises(UnknownGameError):
        Game.new("chess")


def test_undo_at_the_start_and_after_the_end() -> None:
    game = Game.new("rastros")
    with pytest.raises(IllegalMoveError):
        game.undo()
    game.play("d4")
    game.end(Player.ONE, "resignation")
    with pytest.raises(IllegalMoveError):
        game.play("d5")
    game.undo()
    assert game.outcome is None
    game.play("d4")


def test_playing_a_move_that_is_there_gives_its_node() -> None:
    game = Game.new("rastros")
    first = game.root.play("d4")
    assert game.root.play("d4") is first
    assert game.root.play("e4") is game.root.children[1]
    assert game.last is first


def test_ends_that_people_declare() -> None:
    game = Game.new("rastros")
    for winner, reason in ((None, "agreement"), (None, "time"), (Player.ONE, "goal")):
        with pytest.raises(IllegalMoveError):
            game.end(winner, reason)
    game.end(Player.TWO, "time")
    assert (game.result, game.termination) == ("0-1", "time")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.end(Player.ONE, "resignation")
    other = Game.new("abalone")
    with pytest.raises(IllegalMoveError):
        other.end(Player.ONE, "agreement")
    other.end(None, "agreement")
    assert other.result == "1/2-1/2"


def test_an_agreement_is_settled_by_the_rules_of_the_game_and_kept_in_its_record() -> None:
    start = GAMES["ouri"].from_str("1,0,0,0,0,0/1,0,0,0,0,0 24-22 S")
    lap = "aAbBcCdDeEfF"
    game = Game(start)
    with pytest.raises(IllegalMoveError, match="goes round in circles"):
        game.end(None, "agreement")
    for move in lap:
        game.play(move)
    assert game.last.occurrences == 2 and game.outcome is None
    with pytest.raises(IllegalMoveError):
        game.end(Player.TWO, "agreement")
    game.end(None, "agreement")
    assert game.outcome == Outcome(Player.ONE, "agreement", (24, 22))
    (read,) = read_games(io.StringIO(write_game(game)))
    assert read == game and read.result == "1-0"


def test_draws_agreed_to_before_agreements_were_settled_are_still_read() -> None:
    old = '[Game "ouri"]\n[Result "1/2-1/2"]\n[Termination "agreement"]\n\n1. c 1/2-1/2\n'
    (game,) = read_games(io.StringIO(old))
    assert game.outcome == Outcome(None, "agreement", (0, 0))


def test_games_differ_by_every_part() -> None:
    def make() -> Game:
        game = Game.new("semaforo")
        game.play("a1").comment = "x"
        game.play("a2").clock = Decimal("1.5")
        game.root.play("b1")
        game.tags["Event"] = "y"
        return game

    assert make() == make()
    for change in (
        lambda game: game.play("b3"),
        lambda game: game.tags.update(Event="z"),
        lambda game: setattr(game.root, "comment", "?"),
        lambda game: setattr(game.last, "clock", None),
        lambda game: game.root.play("c1"),
        lambda game: game.end(Player.ONE, "time"),
    ):
        changed = make()
        change(changed)
        assert changed != make()
    assert make() != Game.new("semaforo")


@pytest.mark.parametrize("clock", ["-1", "0.001", "NaN", "Infinity", "360000000"])
def test_clocks_that_are_none(clock: str) -> None:
    node = Game.new("rastros").play("d4")
    with pytest.raises(RecordError):
        node.clock = Decimal(clock)


def test_random_games_are_repeatable() -> None:
    for game_id in GAMES:
        game = random_game(game_id, 7, 30)
        assert game == random_game(game_id, 7, 30)
        assert len(game.moves) <= 30
    assert random_game("rastros", 1).outcome is not None
    start = GAMES["semaforo"].from_str("GYR1/4/4 2")
    assert random_game(start, 3).start == start


# -------------------------------------------------------------------------------------------------------- the text form

EXAMPLE = """\
[Game "rastros"]
[size "8"]
[Event "Final \\"nacional\\" \\\\ 3.º ciclo"]
[Date "2026.11.15"]
[Player1 "Ana"]
[Player2 "Rui"]
[Result "0-1"]
[Termination "resignation"]

{antes do início} 1. d4 {[%clk 0:05:00.5] boa \\} jogada} (1. e4 {também
serve} d3 (1... d5)) (1. f6) d5 {[%clk 1:00:00]} 2. c6 {\\[%clk 0:00:01] não é um
relógio} 0-1
"""


def test_the_text_of_a_record() -> None:
    [game] = read_games(io.StringIO(EXAMPLE))
    assert str(game.start) == str(GAMES["rastros"].start(with_options("rastros", size="8")))
    assert game.tags["Event"] == 'Final "nacional" \\ 3.º ciclo'
    nodes = list(game.root.line())
    assert [node.move_text for node in nodes] == ["", "d4", "d5", "c6"]
    assert nodes[0].comment == "antes do início"
    assert (nodes[1].comment, nodes[1].clock) == ("boa } jogada", Decimal("300.5"))
    assert (nodes[2].comment, nodes[2].clock) == ("", Decimal(3600))
    assert nodes[3].comment == "[%clk 0:00:01] não é um\nrelógio"
    assert [child.move_text for child in nodes[0].children] == ["d4", "e4", "f6"]
    assert nodes[0].children[1].comment == "também\nserve"
    assert [child.move_text for child in nodes[0].children[1].children] == ["d3", "d5"]
    assert (game.result, game.termination) == ("0-1", "resignation")
    assert write_game(game) == EXAMPLE


DOCUMENT = (Path(__file__).parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")


def test_the_documented_record_is_one() -> None:
    text = DOCUMENT.split("```record\n")[1].split("```")[0]
    [game] = read_games(io.StringIO(text))
    assert write_game(game) == text


@pytest.mark.parametrize("game_id", GAMES)
def test_the_documented_starts_are_the_starts(game_id: str) -> None:
    assert re.search(rf"\| {game_id} \|.*\| `{re.escape(str(GAMES[game_id].start()))}` \|\n", DOCUMENT)


def test_the_documented_limits_are_the_limits() -> None:
    limits = re.findall(r"^\| .* \| ([0-9,]+)(?: characters)? \|$", DOCUMENT, re.MULTILINE)
    assert [int(limit.replace(",", "")) for limit in limits] == [
        written.MAX_TAGS,
        written.MAX_TAG_VALUE,
        record_tree.MAX_COMMENT,
        record.MAX_MOVES,
        written.MAX_DEPTH,
    ]


def test_lines_are_about_eighty_columns() -> None:
    text = write_game(random_game("abalone", 1, 400))
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) < 60


def test_position_is_written_only_when_it_is_not_the_standard_start() -> None:
    assert "[Position" not in write_game(Game.new("konane"))
    assert "[Position" not in write_game(Game.new("avanco", None, str(GAMES["avanco"].start())))
    game = Game.new("rastros", None, "7/7/4O2/7/7/7/7 2")
    assert '[Position "7/7/4O2/7/7/7/7 2"]' in write_game(game)
    assert list(read_games(io.StringIO(write_game(game)))) == [game]


def test_reading_is_lenient_where_nothing_is_lost() -> None:
    text = (
        '\ufeff\r\n% escaped { line\r\n[Event "x"]\r\n[ Game  "rastros" ] [size "7"]\r\n\r\n'
        "1.D4 ; the rest { of the line\r\n1... d5 {a} {b\r\nc} ({first} c5) 2. c6 1-0 "
        '[Game "semaforo"] *\n\n\n'
    )
    first, second = read_games(io.StringIO(text, newline=""))
    assert [node.move_text for node in first.root.line()] == ["", "d4", "d5", "c6"]
    node = first.root.children[0].children[0]
    assert node.comment == "a b\nc"
    assert first.root.children[0].children[1].comment == "first"
    assert (first.result, first.termination) == ("1-0", None)
    assert "Termination" not in write_game(first)
    assert list(read_games(io.StringIO(write_game(first)))) == [first]
    assert second.moves == []


def test_nothing_is_no_game() -> None:
    assert list(read_games(io.StringIO(""))) == []
    assert list(read_games(io.StringIO("\n% x\n\n"))) == []


HEAD = '[Game "rastros"]\n\n'
DAMAGED = [
    ('[Game "chess"]\n*', 1, "no game “chess”"),
    ('[Event "x"]\n\n*', 3, "tag of the game is missing"),
    ("1. d4 *", 1, "tag of the game is missing"),
    ('[Game "rastros"]\n[size "99"]\n*', 2, "option “size” does not take"),
    ('[Game "rastros"]\n[sise "8"]\n*', 2, "no option “sise”"),
    ('[Game "rastros"]\n[Position "nonsense"]\n*', 2, "parts separated by spaces"),
    ('[Game "rastros"]\n[Event "x"\n*', 2, "malformed or unclosed tag"),
    ('[Game "rastros"]\n[Event "x]\n*', 2, "malformed or unclosed tag"),
    ('[Game "rastros"]\n[Event "x"]\n[Event "y"]\n*', 3, "tag Event is repeated"),
    ('[Game "rastros"]\n[Event "' + "x" * 1001 + '"]\n*', 2, "more than 1000 characters"),
    ("".join(f'[T{i} "x"]\n' for i in range(101)), 101, "more than 100 tags"),
    (HEAD + "1. d4\n2. z9 *", 4, "move 2, “z9”"),
    (HEAD + "1. d4 d9 *", 3, "move 2, “d9”"),
    (HEAD + "1. d4\na1 *", 4, "is not legal"),
    (HEAD + "1. d4 d5 } *", 3, "is not a move"),
    (HEAD + "1. d4\n{not closed\n\n", 4, "comment begun here is not closed"),
    (HEAD + "1. d4\n(1. e4\n*", 4, "variation begun here is not closed"),
    (HEAD + "1. d4\n(1. e4\n", 4, "variation begun here is not closed"),
    (HEAD + "1. d4 ) *", 3, "was not opened"),
    (HEAD + "(1. d4) *", 3, "before any move"),
    (HEAD + "1. d4 ((1. e4) 1. f5) *", 3, "before any move"),
    (HEAD + "1. d4 (1. d4 d5) *", 3, "repeats one that is there"),
    (HEAD + '1. d4\n\n[Game "rastros"]\n\n*', 5, "comes after the game began"),
    (HEAD + "1. d4 d5\n", 3, "result at the end of the game is missing"),
    (HEAD + "1. d4 {" + "x" * 10_001 + "} *", 3, "more than 10000 characters"),
    (HEAD + "1. d4 {" + "x\n" * 50_000 + "} *", 3, "more than 10000 characters"),
    ('[Game "rastros"]\n[Result "1-0"]\n\n1. d4 0-1', 2, "tag Result says “1-0”"),
    ('[Game "rastros"]\n[Position "7/7/7/7/7/1O5/7 1"]\n\n1. a1\n0-1', 5, "contradicts the rules"),
    ('[Game "rastros"]\n[Position "7/7/7/7/7/1O5/7 1"]\n\n1. a1\n*', 5, "contradicts the rules"),
    ('[Game "rastros"]\n[Position "7/7/7/7/7/1O5/7 1"]\n\n1. a1 b1\n*', 4, "comes after the end of the game"),
    (HEAD + "1. d4 1/2-1/2", 3, "cannot end in a draw"),
    ('[Game "rastros"]\n[Termination "goal"]\n\n1. d4 1-0', 2, "only the rules decide “goal”"),
    ('[Game "rastros"]\n[Termination "time"]\n\n1. d4 *', 2, "has no result"),
    (HEAD + "1. d4 " + "(1. e4 (1. d5 " * 26 + "*", 3, "repeats"),
    (HEAD + "1. d4 *\n\nrubbish", 5, "tag of the game is missing"),
    (HEAD + "x" * 1_000_001, 3, "line is too long"),
]


@pytest.mark.parametrize(("text", "line", "reason"), DAMAGED, ids=[reason for _, _, reason in DAMAGED])
def test_damage_is_named_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(RecordError) as error:
        list(read_games(io.StringIO(text)))
    assert error.value.line == line
    assert reason in error.value.text.en
    assert error.value.text.en.startswith(f"line {line}: ")
    assert error.value.text.pt.startswith(f"linha {line}: ")
    assert len(error.value.text.pt) < 400


def test_bytes_that_are_not_utf8_come_after_the_games_before_them(tmp_path: Path) -> None:
    path = tmp_path / "games.tab"
    good = EXAMPLE.encode()
    path.write_bytes(good + b"\n" + good.replace(b"Ana", b"\xff\xfe"))
    games = read_games(path)
    assert write_game(next(games)) == EXAMPLE
    with pytest.raises(RecordError, match="UTF-8") as error:
        next(games)
    assert error.value.line == EXAMPLE.count("\n") + 1 + 5
    latin = io.TextIOWrapper(io.BytesIO(b"\xe9"), encoding="utf-8")
    with pytest.raises(RecordError, match="UTF-8"):
        next(read_games(latin))


def test_tags_that_cannot_be_written() -> None:
    for name, value in {
        "Game": "x",
        "Result": "x",
        "size": "x",
        "Né": "x",
        "": "x",
        "Event": "two\nlines",
        "Site": "x" * 1001,
        "Round": "\ud800",
    }.items():
        game = Game.new("rastros")
        game.tags[name] = value
        with pytest.raises(RecordError):
            write_game(game)
    game = Game.new("rastros")
    game.tags = {f"T{i}": "" for i in range(99)}
    with pytest.raises(RecordError):
        write_game(game)
    del game.tags["T0"]
    assert list(read_games(io.StringIO(write_game(game)))) == [game]


def test_comments_at_the_limit() -> None:
    game = Game.new("rastros")
    game.root.comment = "}" * 10_000
    assert list(read_games(io.StringIO(write_game(game)))) == [game]
    for text in ("x" * 10_001, "\ud800"):
        with pytest.raises(RecordError):
            game.root.comment = text
    game.root.comment = "a\r\nb\rc"
    assert game.root.comment == "a\nb\nc"


@pytest.mark.usefixtures("ring")
def test_variations_fifty_deep() -> None:
    def nested(depth: int) -> Game:
        game = ring_game("")
        node = game.root.play(1)
        for _ in range(depth):
            assert node.parent is not None
            node = node.parent.play(0)
            node.play(1)
            node = node.children[0]
        return game

    assert list(read_games(io.StringIO(write_game(nested(50))))) == [nested(50)]
    with pytest.raises(RecordError, match="50 levels"):
        write_game(nested(51))
    deep = '[Game "ring"]\n\n1. on ' + "(1. back on " * 51 + ")" * 51 + " *"
    with pytest.raises(RecordError, match="50 levels"):
        list(read_games(io.StringIO(deep)))


@pytest.mark.usefixtures("ring")
def test_a_game_of_twenty_thousand_moves() -> None:
    game = ring_game("o" * 20_000)
    text = write_game(game)
    [back] = read_games(io.StringIO(text))
    assert back == game
    assert write_game(back) == text
    with pytest.raises(RecordError, match="more than 20000 moves"):
        list(read_games(io.StringIO(text.replace("*\n", "on *\n"))))
    game.play(1)
    with pytest.raises(RecordError, match="more than 20000 moves"):
        write_game(game)


def test_a_long_game_of_ouri() -> None:
    game = Game.new("ouri", with_options("ouri", cycle_threshold="off"), OURI_START)
    for ply in range(5000):
        game.play(OURI_ROUND[ply % 12])
    text = write_game(game)
    [back] = read_games(io.StringIO(text))
    assert back == game
    assert len(back.moves) == 5000
    assert write_game(back) == text


# ----------------------------------------------------------------------------------------------- round trips at random

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
TAG_NAMES = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name not in written.RESERVED)
TAGS = st.dictionaries(TAG_NAMES, ANY_TEXT.map(lambda text: re.sub(r"[\r\n]", "", text)), max_size=5)
CLOCKS = st.none() | st.decimals(0, 400_000, places=2) | st.decimals(0, 99, places=1) | st.integers(0, 7200)


def random_options(game_id: str, chance: random.Random) -> Options:
    """Options that differ from the defaults here and there."""
    kind = GAMES[game_id].options_type
    chosen: dict[str, str] = {}
    for field in dataclasses.fields(kind):
        values = [value for value in option_values(field) if ".." not in value]
        if (numbers := field.metadata["numbers"]) is not None:
            values.append(str(numbers[chance.randrange(len(numbers))]))
        if chance.random() < 0.2:
            chosen[field.name] = chance.choice(values)
    try:
        return kind.parse(chosen)
    except ValueError:
        return kind()


@given(
    game_id=st.sampled_from(list(GAMES)),
    seed=st.integers(0, 10**6),
    tags=TAGS,
    notes=st.lists(st.tuples(ANY_TEXT, CLOCKS), max_size=12),
    end=st.sampled_from([None, "resignation", "time", "unknown", "by_the_arbiter"]),
)
@settings(max_examples=200, deadline=None)
def test_round_trips(
    game_id: str, seed: int, tags: dict[str, str], notes: list[tuple[str, Decimal | int | None]], end: str | None
) -> None:
    chance = random.Random(seed)
    kind = GAMES[game_id]
    options = random_options(game_id, chance)
    game = random_game(kind.start(options), seed, chance.choice([0, 1, 7, 30]))
    if chance.random() < 0.3 and game.outcome is None:
        game = random_game(game.position, seed + 1, 20)
    game.tags = tags
    nodes = list(game.nodes())
    for comment, clock in notes:
        node = chance.choice(nodes)
        if chance.random() < 0.7 and node.outcome is None:
            node = node.play(chance.choice(node.position.legal_moves()))
            nodes.append(node)
        node.comment = comment
        if node is not game.root:
            node.clock = clock
    if end is not None and game.outcome is None:
        game.end(chance.choice(list(Player)), end)
    text = write_game(game)
    [back] = read_games(io.StringIO(text))
    assert back == game
    assert write_game(back) == text
    assert back.root.position.options == options


def test_whole_games_round_trip_one_after_the_other(tmp_path: Path) -> None:
    games = [random_game(game_id, 3, 200) for game_id in GAMES]
    path = tmp_path / "all.tab"
    with path.open("w", encoding="utf-8") as stream:
        write_games(games, stream)
    assert list(read_games(path)) == games
    assert list(read_games(str(path))) == games
    again = io.StringIO()
    write_games(read_games(path), again)
    assert again.getvalue() == path.read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------------ damage


def mutated(data: bytes, chance: random.Random, from_: int) -> bytes:
    """Bytes with one to three injuries after a place."""
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(from_, len(data) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            data = data[:at] + data[at + chance.randrange(1, 10) :]
        elif kind == 1:
            data = data[:at] + bytes(chance.choices(b'{}()[]";%\\*.10 \n\rdx-', k=chance.randrange(1, 4))) + data[at:]
        elif kind == 2:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif kind == 3:
            data = data[:at]
        else:
            other = chance.randrange(from_, len(data) + 1)
            data = data[:at] + data[other : other + 30] + data[at:]
        from_ = min(from_, len(data))
    return data


def test_thousands_of_damaged_files(tmp_path: Path) -> None:
    whole = EXAMPLE.encode()
    others = [("\n" + write_game(random_game(game_id, 5, 6))).encode() for game_id in GAMES]
    path = tmp_path / "damaged.tab"
    chance = random.Random(1)
    errors = 0
    for _ in range(3000):
        path.write_bytes(mutated(whole + b"".join(chance.sample(others, 2)), chance, len(whole)))
        read = []
        try:
            for game in read_games(path):
                read.append(game)
        except RecordError as error:
            errors += 1
            assert error.line is not None
            assert error.line >= EXAMPLE.count("\n")
            assert error.text.pt and error.text.en
        assert read
        assert write_game(read[0]) == EXAMPLE
        for game in read[1:]:
            assert next(read_games(io.StringIO(write_game(game)))) == game
    assert errors > 1500


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.tab"
    for content in (data, HEAD.encode() + data):
        path.write_bytes(content)
        try:
            list(read_games(path))
        except RecordError as error:
            assert error.line is not None


# --------------------------------------------------------------------------------------------------------- streaming


class Endless:
    """A stream that never ends: the same game again and again."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines(keepends=True)
        self.given = 0

    def readline(self, size: int) -> str:
        self.given += 1
        return self.lines[(self.given - 1) % len(self.lines)]


def test_games_are_read_one_at_a_time() -> None:
    stream = Endless(EXAMPLE)
    games = read_games(cast(TextIO, stream))
    for number in range(1, 6):
        next(games)
        assert stream.given <= number * len(stream.lines)


def test_a_thousand_games_take_the_memory_of_few() -> None:
    games = read_games(cast(TextIO, Endless(write_game(random_game("semaforo", 4)))))

    def peak(count: int) -> int:
        tracemalloc.reset_peak()
        for _ in range(count):
            next(games)
        return tracemalloc.get_traced_memory()[1]

    tracemalloc.start()
    try:
        few = peak(50)
        assert peak(1000) < 4 * few + 1_000_000
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------------------------------------------ a line as texts


@pytest.mark.parametrize("game_id", GAMES)
def test_a_line_is_the_same_game_again(game_id: str) -> None:
    game = random_game(game_id, seed=5, max_plies=8)
    line = Line.of(game)
    assert line.replay() == game
    assert Line.of(game.last) == line == pickle.loads(pickle.dumps(line)) and len({line, Line.of(game)}) == 1
    assert Line.split(str(line)) == (line.start, line.moves)


def test_a_line_begins_anywhere_with_any_options() -> None:
    start = Abalone.from_str(
        "5/6/2www2/3w4/9/3b4/2bbb2/2bb2/5 b 0-3", Abalone.options_type.parse({"repetition": "off"})
    )
    game = random_game(start, seed=1, max_plies=3)
    line = Line.of(game)
    assert (line.options, line.start) == ((("repetition", "off"),), str(start))
    assert line.replay() == game
    assert Line.split(str(line)) == (str(start), line.moves)


def test_a_line_leads_to_its_node_and_no_further() -> None:
    game = random_game("rastros", seed=1, max_plies=4)
    node = game.root.children[0]
    assert Line.of(node).moves == (node.move_text,)


def test_what_is_wrong_with_a_line_is_said_with_the_number_of_the_move() -> None:
    with pytest.raises(TabuleiroError, match=r"^move 2: ") as caught:
        Line.from_texts("avanco", moves=["d2-d3", "d2-d3", "nonsense"]).replay()
    assert caught.value.text.pt.startswith("jogada 2: ")


@pytest.mark.parametrize("text", ["", "fen", "moves a1", "startpos a1 moves a2", "nonsense"])
def test_a_line_that_cannot_be_read(text: str) -> None:
    with pytest.raises(RecordError, match="startpos"):
        Line.split(text)
