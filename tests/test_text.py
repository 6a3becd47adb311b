import random
import re
from dataclasses import dataclass, fields

import pytest

from tabuleiro import text
from tabuleiro.core import Piece, Position, TabuleiroError
from tabuleiro.games import GAMES, get
from tabuleiro.games.avanco import Avanco
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.geometry import Cell


def samples(game: str) -> list[Position]:
    """The start and all positions of a random game's first moves."""
    rng = random.Random(11)
    position = get(game).start()
    seen = [position]
    while len(seen) < 25 and (moves := position.legal_moves()):
        position = position.play(rng.choice(moves))
        seen.append(position)
    return seen


def position(game: str, written: str, **options: str) -> Position:
    kind = get(game)
    return kind.from_str(written, kind.options_type.parse(options))


def drawing(shown: str) -> str:
    """A drawing as it stands in a test: indented, with an empty line before and after."""
    lines = shown.strip("\n").rstrip().split("\n")
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[margin:] for line in lines)


def same(drawn: str, expected: str) -> None:
    assert drawing(drawn) == drawing(expected)


def test_square_board() -> None:
    same(
        text.draw(position("avanco", "bbbbbbb/bbbb1bb/4b2/7/4w2/wwww1ww/wwwwwww w"), last=(39, 32)),
        """
          ┌───────────────┐
        7 │ ■ ■ ■ ■ ■ ■ ■ │
        6 │ ■ ■ ■ ■[·]■ ■ │
        5 │ · · · ·[■]· · │
        4 │ · · · · · · · │
        3 │ · · · · ○ · · │
        2 │ ○ ○ ○ ○ · ○ ○ │
        1 │ ○ ○ ○ ○ ○ ○ ○ │
          └───────────────┘
            a b c d e f g

        ○ White   ■ Black
        """,
    )


def test_printed_marks_and_flipping() -> None:
    same(
        text.draw(position("rastros", "7/7/3O#2/7/7/7/7 2"), flipped=True, last=(31,)),
        """
          g f e d c b a
        ┌───────────────┐
        │ · · · · · · 1 │ 1
        │ · · · · · · · │ 2
        │ · · · · · · · │ 3
        │ · · · · · · · │ 4
        │ · · ■[◎]· · · │ 5
        │ · · · · · · · │ 6
        │ 2 · · · · · · │ 7
        └───────────────┘

        ◎ White piece   ■ Blocked cells
        """,
    )


def test_rhombus() -> None:
    same(
        text.draw(position("hex", "wb1/1w1/2b w -", size="3"), last=(1,), language="pt"),
        """
          a b c
           ━━━━━
        1 ╲ ○[●]· ╲
         2 ╲ · ○ · ╲
          3 ╲ · · ● ╲
               ━━━━━

        ○ Brancas   ● Negras   Margens: ━━ Negras   ╲ Brancas
        """,
    )


def test_hexagon() -> None:
    same(
        text.draw(position("abalone", "wwwww/wwwwww/2www2/8/9/3b4/3bb2/bbbbbb/bbbbb b 0-0"), last=(14, 15)),
        """
            I ○ ○ ○ ○ ○
           H ○ ○ ○ ○ ○ ○
          G · · ○ ○ ○ · ·
         F · · · · · · · ·
        E · · · · · · · · ·
         D · · · ● · · · · 9
          C · · ·[●|●]· · 8
           B ● ● ● ● ● ● 7
            A ● ● ● ● ● 6
               1 2 3 4 5

        ○ White   ● Black
        """,
    )


def test_pits() -> None:
    ouri = position("ouri", "4,0,5,5,5,5/4,4,4,4,4,4 0-0 N")
    same(
        text.draw(ouri, last=(1,)),
        """
                F    E    D    C    B    A
             ┌────┬────┬────┬────┬────┬────┐
        ┌────┤  4 │  4 │  4 │  4 │  4 │  4 ├────┐
        │  0 ├────┼────┼────┼────┼────┼────┤  0 │
        └────┤  4 │[ 0]│  5 │  5 │  5 │  5 ├────┘
             └────┴────┴────┴────┴────┴────┘
                a    b    c    d    e    f
        """,
    )
    same(
        text.draw(position("ouri", "12,0,5,5,0,0/0,0,0,0,0,3 20-3 S"), plain=True, flipped=True, last=(2,)),
        """
                f    e    d    c    b    a
                0    0    5    5    0   12
        S 20                                  N  3
                0    0    0    0    0    3
                A    B    C    D    E    F

        Seeds: a 12, c 5, d 5, F 3, S 20, N 3
        Last move: c.
        Player 1 (South) to move. Seeds collected: South 20, North 3.
        """,
    )


def test_middle_line_two_digit_rows_and_pieces_that_have_not_moved() -> None:
    guerreiros = position("guerreiros", "w'3k'4/9/9/9/3w5/3W5/9/9/9/4K'3W' S - -")
    same(
        text.draw(guerreiros),
        """
           ┌────────────────────────────┐
        10 │ ▼' ·  ·  ·  ♚' ·  ·  ·  ·  │ 0
         9 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │ 1
         8 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │ 2
         7 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │ 3
         6 │ ·  ·  ·  ▼  ·  ·  ·  ·  ·  │ 4
           ├────────────────────────────┤
         5 │ ·  ·  ·  △  ·  ·  ·  ·  ·  │ 4
         4 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │ 3
         3 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │ 2
         2 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │ 1
         1 │ ·  ·  ·  ·  ♔' ·  ·  ·  △' │ 0
           └────────────────────────────┘
             a  b  c  d  e  f  g  h  i

        ♔ South's king   △ South's warriors   ♚ North's king   ▼ North's warriors
        0 to 4: the number of the row   ' has not moved yet
        """,
    )
    same(
        text.draw(guerreiros, plain=True, flipped=True, language="pt"),
        """
          i  h  g  f  e  d  c  b  a
        0 W' .  .  .  K' .  .  .  .  1
        1 .  .  .  .  .  .  .  .  .  2
        2 .  .  .  .  .  .  .  .  .  3
        3 .  .  .  .  .  .  .  .  .  4
        4 .  .  .  .  .  W  .  .  .  5
          --------------------------
        4 .  .  .  .  .  w  .  .  .  6
        3 .  .  .  .  .  .  .  .  .  7
        2 .  .  .  .  .  .  .  .  .  8
        1 .  .  .  .  .  .  .  .  .  9
        0 .  .  .  .  k' .  .  .  w' 10

        0 a 4: o número da linha
        Rei do Sul: e1
        Guerreiros do Sul: i1, d5
        Rei do Norte: e10
        Guerreiros do Norte: d6, a10
        Ainda não se moveram: e1, i1, a10, e10
        Joga o jogador 1 (Sul).
        """,
    )


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("flipped", [False, True])
def test_the_largest_rhombus_keeps_its_slope(plain: bool, flipped: bool) -> None:
    hexes = get("hex")
    start = hexes.start(hexes.options_type.parse({"size": "19"}))
    slope = "\\" if plain else "╲"
    rows = [line for line in text.draw(start, plain=plain, flipped=flipped).splitlines() if line.count(slope) == 2]
    assert len(rows) == 19
    assert [row.index(slope) - rows[0].index(slope) for row in rows] == list(range(19))
    assert [row.rindex(slope) - rows[0].rindex(slope) for row in rows] == list(range(19))
    numbers = [int(number) for row in rows for number in re.findall(r"\d+", row)]
    assert numbers == (list(range(19, 0, -1)) if flipped else list(range(1, 20)))


@pytest.mark.parametrize("game", ["avanco", "rastros", "semaforo", "konane", "guerreiros"])
def test_square_boards_line_up(game: str) -> None:
    for shown in samples(game):
        lines = text.draw(shown, last=(0, 1)).splitlines()
        top = next(line for line in lines if "┌" in line)
        inside = lines[lines.index(top) + 1 :]
        rows = inside[: next(number for number, line in enumerate(inside) if "└" in line)]
        for row in rows:
            assert {row.index(side) for side in "│├" if side in row} == {top.index("┌")}
            assert {row.rindex(side) for side in "│┤" if side in row} == {top.index("┐")}


def in_cell(shown: Position, cell: Cell, plain: bool) -> str:
    piece = shown.pieces().get(cell)
    if piece is None:
        nothing = "0" if shown.geometry.kind == "pits" else "." if plain else "·"
        return shown.marks().get(cell, nothing)
    if plain or piece.kind == "seeds":
        return piece.symbol
    unmoved = text.UNMOVED if piece.symbol.endswith(text.UNMOVED) else ""
    return text.PIECES[piece.kind, piece.colour][0] + unmoved


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("flipped", [False, True])
def test_every_cell_is_drawn_once(game: str, plain: bool, flipped: bool) -> None:
    for shown in samples(game):
        board = text.draw(shown, plain=plain, flipped=flipped, coordinates=False).split("\n\n")[0]
        drawn = re.sub(r"[─-╿=\\{}|-]|\b[SN] ", " ", board).split()
        assert sorted(drawn) == sorted(in_cell(shown, cell, plain) for cell in range(len(shown.geometry)))


@pytest.mark.parametrize("game", GAMES)
def test_plain_text_is_ascii_and_says_everything(game: str) -> None:
    for shown in samples(game):
        last = shown.clicks(shown.legal_moves()[0]) if shown.legal_moves() else ()
        drawn = text.draw(shown, plain=True, last=last)
        assert drawn.isascii()
        assert drawn.splitlines()[-1] == text.describe(shown, "en")
        names = shown.geometry.names
        said = set(re.findall(r"\w+", drawn.split("\n\n")[1]))
        assert {names[cell] for cell in (*shown.pieces(), *shown.marks(), *last)} <= said
        # In Portuguese the words keep their accents; the board has none to keep.
        assert text.draw(shown, plain=True, last=last, language="pt").split("\n\n")[0].isascii()


def test_the_last_move_is_marked_or_said() -> None:
    start = Avanco.start()
    assert text.draw(start, last=(7, 15)).count("[") == 2
    plain = text.draw(start, plain=True, last=(7, 15))
    assert "Last move: a2, b3." in plain and "[" not in plain
    assert "Jogada anterior: a2, b3." in text.draw(start, plain=True, last=(7, 15), language="pt")


def test_coordinates_may_be_left_out() -> None:
    for game in GAMES:
        start = get(game).start()
        bare = text.draw(start, plain=True, coordinates=False).split("\n\n")[0]
        assert len(bare) < len(text.draw(start, plain=True).split("\n\n")[0])
    assert text.draw(Avanco.start(), coordinates=False).startswith("┌")


def test_describe() -> None:
    assert text.describe(Avanco.start(), "pt") == "Joga o jogador 1 (Brancas)."
    assert text.describe(get("semaforo").start(), "en") == "Player 1 to move."
    swapped = get("hex").start()
    for move in ("g2", "swap"):
        swapped = swapped.play(swapped.parse_move(move))
    assert text.describe(swapped, "en") == "Player 1 (Black) to move."
    won = position("avanco", "w6/7/7/7/7/6b/7 b")
    assert text.describe(won, "pt") == "Ganharam as Brancas: uma peça chegou à primeira linha das Negras."
    assert text.describe(won, "en") == "White won: a piece reached Black's first row."
    abalone = position("abalone", "wwwww/wwwwww/2ww3/8/9/8/2b4/bbbbbb/bbbbb b 2-1")
    assert abalone.score() == (1, 2)
    assert (
        text.describe(abalone, "pt") == "Joga o jogador 1 (Negras). Berlindes fora do tabuleiro: brancos 1, negros 2."
    )
    decided = position("ouri", "2,1,0,0,0,0/0,0,0,0,0,0 22-23 S")
    assert text.describe(decided, "en") == "South won 25 to 23: the opponent cannot be fed."


@dataclass(frozen=True)
class Dragons(Avanco):
    def pieces(self) -> dict[Cell, Piece]:
        return {0: Piece("D", "dragon", "white"), 1: Piece("d", "dragon", "black"), 2: Piece("e", "egg")}


def test_unknown_kinds_show_their_symbol_and_go_by_their_colour() -> None:
    start = Avanco.start()
    dragons = Dragons(start.turn, start.options, start.board)
    assert "1 │ D d e · · · · │" in text.draw(dragons)
    assert text.listing(dragons, "pt") == ["Negras: b1", "Brancas: a1", "egg: c1"]


@dataclass(frozen=True)
class Armies(Hex):
    def pieces(self) -> dict[Cell, Piece]:
        return {cell: Piece("A1", "army", "white") for cell in range(len(self.board))}


def test_long_symbols_keep_a_rhombus_in_shape() -> None:
    start = Hex.start(HexOptions(size=3))
    armies = Armies(**{field.name: getattr(start, field.name) for field in fields(start)})
    same(
        text.draw(armies, plain=True, coordinates=False).split("\n\n")[0],
        """
        ==========
        \\ A1  A1  A1 \\
          \\ A1  A1  A1 \\
            \\ A1  A1  A1 \\
                ==========
        """,
    )


def test_a_cell_off_the_board_is_refused() -> None:
    for cell in (-1, 49):
        with pytest.raises(TabuleiroError, match="no cell"):
            text.draw(Avanco.start(), last=(cell,))
