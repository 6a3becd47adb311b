"""Hex games of other houses: SGF and HexWorld."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabuleiro.core import Player, TabuleiroError
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.geometry import LETTERS, permute
from tabuleiro.hexformats import read_hexworld, read_sgf, write_hexworld, write_sgf
from tabuleiro.record import Game, Node, RecordError, random_game

# ---------------------------------------------------------------------------------------------------------- HexWorld


def test_a_link_reads_as_the_moves_it_lists() -> None:
    game = read_hexworld("https://hexworld.org/board/#11c1,a10b4f6")
    assert [node.move_text for node in game.root.line()] == ["", "a10", "b4", "f6"]
    assert game.start.options == HexOptions(size=11, first="black")
    assert game.position.colour(Player.ONE) == "black"
    assert write_hexworld(game) == "https://hexworld.org/board/#11c1,a10b4f6"


@pytest.mark.parametrize(
    "link",
    [
        "11c1,a10b4f6",
        "#11c1,a10b4f6",
        "https://hexworld.org/board/#11r9nc1,a10b4f6",
        "https://hexworld.org/board/#11x11r2m,a10,b4f6",
        "https://hexworld.org/board/#11c1%2Ca10b4f6\n",
        "c1,a10b4f6",
    ],
)
def test_settings_of_the_picture_do_not_change_the_game(link: str) -> None:
    assert read_hexworld(link) == read_hexworld("https://hexworld.org/board/#11c1,a10b4f6")


def test_swap_of_sides_stays_as_it_is() -> None:
    game = read_hexworld("#5c1,b2:Sc3")
    assert str(game.position) == "5/1b3/2w2/5/5 b x"
    assert game.position.turn is Player.TWO
    assert write_hexworld(game) == "https://hexworld.org/board/#5c1,b2:Sc3"


def test_swap_of_pieces_is_reflected() -> None:
    # There: the black b4 becomes a white d2, and Black goes on with e1. Reflected, colours exchanged: b4, White a5.
    game = read_hexworld("#5c1,b4:se1")
    assert str(game.position) == "5/5/5/1b3/w4 b x"


def test_resignations_and_forfeits() -> None:
    assert read_hexworld("#5c1,b2:rw").result == "1-0"
    assert read_hexworld("#5c1,b2:rb").result == "0-1"
    # After a swap of pieces colours stay with their players; after a swap of sides they change hands.
    assert read_hexworld("#5c1,b2:s:rw").result == "1-0"
    assert read_hexworld("#5c1,b2:S:rw").result == "0-1"
    assert read_hexworld("#5c1,b2c2:fb").termination == "abandoned"
    assert write_hexworld(read_hexworld("#5c1,b2:S:rw")) == "https://hexworld.org/board/#5c1,b2:S:rw"


def test_a_game_that_white_began_is_written_reflected() -> None:
    game = Game.new("hex", HexOptions(size=5))
    for move in ("c1", "b5", "a2"):
        game.play(move)
    game.end(Player.ONE, "resignation")
    link = write_hexworld(game)
    assert link == "https://hexworld.org/board/#5c1,a3e2b1:rw"
    assert read_hexworld(link).result == "1-0"


@pytest.mark.parametrize(
    "link",
    [
        "",
        "chess",
        "#0c1,a1",
        "#11x9,a1",
        "#400,a1",
        "#20,a1",
        "#11,a1a1",
        "#11,a12",
        "#11,z1",
        "#11,a1:p",
        "#11,a1:x",
        "#11,:s",
        "#11,a1,b2,c3",
        "#11,a1:rb:rw",
        "#11,a1:rbc3",
        "#11,a1 b2",
        "#3,a1b1a2b2a3b3",
        "#11,a1" + "b" * 10_000,
    ],
)
def test_what_is_not_a_game_is_refused_with_a_sentence(link: str) -> None:
    if link == "":
        # The site itself shows an empty board of the usual size for an empty link.
        assert read_hexworld(link).moves == []
        return
    with pytest.raises(RecordError) as error:
        read_hexworld(link)
    assert error.value.text.pt and error.value.text.en


@given(seed=st.integers(0, 10**6), size=st.integers(3, 7), first=st.sampled_from(["white", "black"]))
@settings(max_examples=60, deadline=None)
def test_links_round_trip(seed: int, size: int, first: str) -> None:
    game = random_game(Hex.start(HexOptions(size=size, first=first)), seed)
    link = write_hexworld(game)
    back = read_hexworld(link)
    assert write_hexworld(back) == link
    assert back.outcome == game.outcome
    if first == "black":
        assert back == game


# --------------------------------------------------------------------------------------------------------------- SGF


def test_an_sgf_with_tags_variation_comment_and_clock() -> None:
    text = (
        "(;FF[4]GM[11]SZ[5]PB[Ana]PW[Rui \\[5\\]]DT[2026-11-15]EV[Taça]RE[B+R]C[before]\n"
        ";B[b2]BL[59.5]C[good\\: yes];W[D4](;B[c3])(;B[c4];W[c3]))"
    )
    [game] = read_sgf(text)
    assert game.tags == {"Event": "Taça", "Player1": "Ana", "Player2": "Rui [5]", "Date": "2026.11.15"}
    assert [node.move_text for node in game.root.line()] == ["", "b2", "d4", "c3"]
    first = game.root.children[0]
    assert (str(first.clock), first.comment, game.root.comment) == ("59.5", "good: yes", "before")
    assert [child.move_text for child in first.children[0].children] == ["c3", "c4"]
    assert (game.result, game.termination) == ("1-0", "resignation")
    assert read_sgf(write_sgf(game)) == [game]


def test_the_first_move_tells_who_begins() -> None:
    assert read_sgf("(;GM[11]SZ[5];W[a1])")[0].start.options == HexOptions(size=5, first="white")
    assert read_sgf("(;GM[11]SZ[5];B[a1])")[0].start.options == HexOptions(size=5, first="black")
    assert read_sgf("(;GM[11]SZ[5]PL[W])")[0].start.options == HexOptions(size=5, first="white")
    assert read_sgf("(;GM[11])")[0].start.options == HexOptions(first="black")


def test_little_golem_calls_the_first_player_white() -> None:
    [game] = read_sgf("(;FF[4]EV[x]PB[first]PW[second]SZ[11]RE[B];W[ad];B[swap];W[eg];B[resign])")
    assert game.tags["Player1"] == "first"
    assert [node.move_text for node in game.root.line()] == ["", "a4", "swap", "g5"]
    assert (game.result, game.termination) == ("1-0", "resignation")
    [other] = read_sgf("(;FF[4]PB[first]PW[second]SZ[13]RE[W];W[ac];B[dj])")
    assert (other.result, other.termination) == ("0-1", None)


def test_stones_set_up_at_the_root() -> None:
    [game] = read_sgf("(;GM[11]SZ[4]AB[a1][b2]AW[c3]PL[W];W[d4])")
    assert str(game.start) == "b3/1b2/2w1/4 w -"
    assert str(game.position) == "b3/1b2/2w1/3w b -"


@pytest.mark.parametrize("start", ["1b3/5/5/5/5 w ?", "1b3/2w2/5/5/5 b x", "5/5/2b2/5/5 w -", "5/5/5/5/5 w -"])
@pytest.mark.parametrize("swap", [True, False])
def test_odd_starts_round_trip(start: str, swap: bool) -> None:
    options = HexOptions(size=5, first="black", swap=swap)
    try:
        game = Game.new("hex", options, start)
    except TabuleiroError:
        assert not swap
        return
    game.play("e5")
    assert read_sgf(write_sgf(game)) == [game]


def swapped_by_pieces(moves: list[str], size: int) -> str:
    """The board after B[first] W[swap-pieces] B W …, by the letter of the rule: stones in a dictionary."""
    stones: dict[str, str] = {}
    colour = "b"
    for number, move in enumerate(moves):
        if number == 1:
            (first,) = stones
            reflected = f"{LETTERS[int(first[1:]) - 1]}{LETTERS.index(first[0]) + 1}"
            stones = {reflected: "w"}
        else:
            stones[move] = colour
        colour = "w" if colour == "b" else "b"
    return "".join(stones.get(f"{LETTERS[i % size]}{i // size + 1}", ".") for i in range(size * size))


@given(seed=st.integers(0, 10**6), size=st.integers(3, 6))
@settings(max_examples=80, deadline=None)
def test_swap_of_pieces_is_the_same_game(seed: int, size: int) -> None:
    chance = random.Random(seed)
    names = [f"{LETTERS[letter]}{number + 1}" for letter in range(size) for number in range(size)]
    first, *others = chance.sample(names, len(names))
    reflected = f"{LETTERS[int(first[1:]) - 1]}{LETTERS.index(first[0]) + 1}"
    moves = [first, "swap-pieces", *(name for name in [first, *others] if name != reflected)]
    moves = moves[: chance.randrange(2, 4 + size)]
    nodes = "".join(f";{'BW'[number % 2]}[{move}]" for number, move in enumerate(moves))
    [game] = read_sgf(f"(;GM[11]SZ[{size}]RE[W+R]{nodes})")
    position = game.position
    assert isinstance(position, Hex)
    board = "".join(permute(swapped_by_pieces(moves, size), position.geometry.symmetries["transpose"]))
    assert position.board == board.translate(str.maketrans("bw", "wb"))
    # White there is the second player all along.
    assert position.turn is (Player.ONE if len(moves) % 2 == 0 else Player.TWO)
    if position.outcome() is None:
        assert game.outcome is not None
        assert game.outcome.winner is Player.TWO
    assert read_sgf(write_sgf(game)) == [game]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=30)


@given(
    seed=st.integers(0, 10**6),
    size=st.integers(3, 6),
    first=st.sampled_from(["white", "black"]),
    swap=st.booleans(),
    tags=st.dictionaries(
        st.sampled_from(["Event", "Site", "Round", "Player1", "Player2", "Date", "Arbiter", "X_1"]), TEXTS
    ),
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=40), max_size=8),
    end=st.sampled_from([None, "resignation", "time", "abandoned", "unknown", "by_the_arbiter"]),
)
@settings(max_examples=120, deadline=None)
def test_sgf_round_trips(
    seed: int, size: int, first: str, swap: bool, tags: dict[str, str], texts: list[str], end: str | None
) -> None:
    chance = random.Random(seed)
    game = random_game(Hex.start(HexOptions(size, swap, first)), seed, chance.randrange(size * size))
    game.tags = tags
    nodes = list(game.nodes())
    for text in texts:
        node = chance.choice(nodes)
        if node.outcome is None:
            node = node.play(chance.choice(node.position.legal_moves()))
            nodes.append(node)
            node.clock = chance.randrange(10_000)
        node.comment = text
    if end is not None and game.outcome is None:
        game.end(chance.choice(list(Player)), end)
    written = write_sgf(game)
    assert read_sgf(written) == [game]
    assert write_sgf(read_sgf(written)[0]) == written


def test_long_lines_of_variations_do_not_recurse() -> None:
    game = Game.new("hex", HexOptions(size=19))
    node: Node = game.root
    while node.outcome is None:
        free = node.position.legal_moves()
        node.play(free[-1])
        node = node.children[0]
        if len(free) > 1 and node.parent is not None:
            node.parent.play(free[0])
    assert node.ply > 100
    assert read_sgf(write_sgf(game)) == [game]
    nested = "(;GM[11]SZ[3]" + "(;C[x]" * 3000 + ")" * 3000 + ")"
    assert read_sgf(nested)[0].moves == []


def test_several_games_in_one_file() -> None:
    games = [random_game("hex", seed, 10) for seed in range(3)]
    assert read_sgf("".join(write_sgf(game) for game in games)) == games


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("hello", 1),
        ("(;GM[1]SZ[19];B[aa])", 1),
        ("(;GM[11]\nSZ[11:9])", 1),
        ("(;GM[11]SZ[99])", 1),
        ("(;GM[11]SZ[x])", 1),
        ("(;GM[11]\n;B[a1]\n;B[b1])", 3),
        ("(;GM[11]\n;B[a1]\n;W[a1])", 3),
        ("(;GM[11]\n;B[a1]\n;W[pass])", 3),
        ("(;GM[11]\n;B[zz9])", 2),
        ("(;GM[11]\n;B[a1]\n;W[b1]\n;B[swap-pieces])", 4),
        ("(;GM[11]\n;B[a1]\n;AB[b1])", 3),
        ("(;GM[11]AB[a99])", 1),
        ("(;GM[11]\n;B[a1", 2),
        ("(;GM[11];B[a1]\n", 1),
        ("(;GM[11];B[a1]))", 1),
        ("(;GM[11];[a1])", 1),
        ("(;GM[11]TAG[lower:x])", 1),
        ("(;GM[11]TAG[Position:nonsense])", 1),
    ],
)
def test_damaged_sgf_is_refused_with_line_and_reason(text: str, line: int) -> None:
    with pytest.raises(RecordError) as error:
        read_sgf(text)
    assert error.value.line == line
    assert error.value.text.pt.startswith(f"linha {line}: ")


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_mutated_sgf_never_breaks(data: st.DataObject) -> None:
    text = "(;FF[4]GM[11]SZ[5]PB[Ana]RE[B+R]C[be\\]fore];B[b2]BL[59.5];W[swap-pieces](;B[c3])(;B[c4];W[c3]))"
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 5))
        text = text[:at] + data.draw(st.text("()[];\\BW1a9 :+\n\ud800é", max_size=3)) + text[at + cut :]
    try:
        read_sgf(text)
    except RecordError as error:
        assert error.text.pt and error.text.en


def test_only_hex_is_written() -> None:
    with pytest.raises(RecordError):
        write_sgf(Game.new("rastros"))
    with pytest.raises(RecordError):
        write_hexworld(Game.new("rastros"))
    with pytest.raises(RecordError):
        write_hexworld(Game.new("hex", HexOptions(size=4), "b3/4/4/4 w -"))
