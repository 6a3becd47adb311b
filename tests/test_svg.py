import random
import re
from dataclasses import dataclass
from typing import ClassVar
from xml.etree.ElementTree import Element, fromstring

import pytest

from tabuleiro import svg, text
from tabuleiro.core import Piece, Player, Position, TabuleiroError
from tabuleiro.games import GAMES, get
from tabuleiro.games.avanco import Avanco
from tabuleiro.geometry import Cell
from tabuleiro.language import Text

SVG = "{http://www.w3.org/2000/svg}"
THEMES: tuple[svg.Theme, ...] = ("light", "dark")


#: Positions that show what a short random game may not.
MORE = {"semaforo": "GR2/YGR1/Y1RY 1", "ouri": "1,2,5,0,12,0/13,9,1,0,0,0 2-3 S"}


def samples(game: str) -> list[Position]:
    """The start, positions of a random game, and more."""
    rng = random.Random(7)
    position = get(game).start()
    seen = [position]
    if game in MORE:
        seen.append(get(game).from_str(MORE[game]))
    for ply in range(1, 31):
        if not (moves := position.legal_moves()):
            break
        position = position.play(rng.choice(moves))
        if ply % 10 == 0:
            seen.append(position)
    return [*seen, position]


def with_class(picture: Element, name: str) -> list[Element]:
    return [element for element in picture.iter() if element.get("class") == name]


def cells(picture: Element, name: str) -> list[str | None]:
    return sorted((element.get("data-cell") for element in with_class(picture, name)), key=str)


def definitions(picture: Element) -> dict[str | None, Element]:
    return {element.get("id"): element for element in picture.iter() if element.get("id")}


def bare_shape(element: Element) -> list[object]:
    """What is left of a drawing without its colours."""
    kept = ("cx", "cy", "r", "x", "y", "width", "height", "rx", "ry", "d", "points", "stroke-dasharray")
    return [(part.tag, [part.get(name) for name in kept], part.text) for part in element.iter()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("flipped", [False, True])
def test_every_position_is_a_picture_with_all_its_pieces(game: str, theme: svg.Theme, flipped: bool) -> None:
    for position in samples(game):
        picture = fromstring(svg.draw(position, theme=theme, flipped=flipped, legal=True))
        assert picture.tag == f"{SVG}svg"
        assert picture.get("role") == "img"
        names = position.geometry.names
        assert cells(picture, "piece") == sorted(names[cell] for cell in position.pieces())
        assert cells(picture, "mark") == sorted(names[cell] for cell in position.marks())


@pytest.mark.parametrize("game", GAMES)
def test_screen_readers_are_told_what_the_picture_shows(game: str) -> None:
    for position in samples(game):
        for language in ("pt", "en"):
            picture = fromstring(svg.draw(position, language=language))
            assert picture.findtext(f"{SVG}title") == position.name.to(language)
            said = picture.findtext(f"{SVG}desc") or ""
            assert said.startswith(text.describe(position, language))
            assert all(line in said for line in text.listing(position, language))


@pytest.mark.parametrize("game", GAMES)
def test_pieces_that_differ_in_colour_differ_in_shape(game: str) -> None:
    shapes: dict[tuple[str, str], list[object]] = {}
    for position in samples(game):
        picture = fromstring(svg.draw(position))
        defined = definitions(picture)
        drawn = {element.get("data-cell"): element for element in with_class(picture, "piece")}
        for cell, piece in position.pieces().items():
            if piece.kind == "seeds" or piece.symbol.endswith(text.UNMOVED):
                continue
            (use,) = drawn[position.geometry.names[cell]]
            shapes[piece.kind, piece.colour] = bare_shape(defined[use.get("href", "")[1:]])
    for sort, shape in shapes.items():
        for other, other_shape in shapes.items():
            assert sort == other or shape != other_shape, f"{sort} looks like {other}"
    assert len(shapes) > 1 or game == "ouri"


def test_the_sides_of_hex_differ_in_shape() -> None:
    picture = svg.draw(get("hex").start())
    assert picture.count('stroke-dasharray="0 19.2"') == 2


def test_a_piece_that_has_not_moved_shows_it() -> None:
    position = get("guerreiros").from_str("4k4/9/9/9/9/9/9/9/9/W'W2K4 S - -")
    picture = fromstring(svg.draw(position))
    defined = definitions(picture)
    drawn = {element.get("data-cell"): element[0].get("href", "")[1:] for element in with_class(picture, "piece")}
    fresh, moved = (bare_shape(defined[drawn[name]]) for name in ("a1", "b1"))
    assert fresh[: len(moved)] == moved
    assert len(fresh) == len(moved) + 1


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_always_the_same_and_holds_all_it_refers_to(game: str) -> None:
    for position in samples(game):
        drawn = svg.draw(position, last=(0, 1), highlights=(2,), arrows=((0, 1),))
        assert drawn == svg.draw(position, last=[0, 1], highlights=[2], arrows=[(0, 1)])
        references = set(re.findall(r'(?:url\(|href=")#([^")]+)', drawn))
        ids = re.findall(r'\bid="([^"]+)"', drawn)
        assert references <= set(ids)
        assert len(ids) == len(set(ids))


def test_different_pictures_share_no_ids() -> None:
    start = Avanco.start()
    pictures = [
        svg.draw(start),
        svg.draw(start.play(start.legal_moves()[0])),
        svg.draw(start, last=(0,)),
        svg.draw(start, legal=True),
        svg.draw(start, highlights=(0,)),
        svg.draw(start, arrows=((0, 1),)),
        svg.draw(start, dominoes=((0, 1),)),
        svg.draw(start, regions=(((0, 1), "2"),)),
        svg.draw(start, values=((0, "½"),)),
        svg.draw(start, flipped=True),
        svg.draw(start, theme="dark"),
        svg.draw(start, coordinates=False),
        svg.draw(start, width=481),
        svg.draw(start, language="pt"),
    ]
    ids = [set(re.findall(r'\bid="([^"]+)"', picture)) for picture in pictures]
    assert sum(map(len, ids)) == len(set().union(*ids))


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_needs_nothing_from_outside_and_has_only_the_colours_of_its_theme(game: str) -> None:
    for theme in THEMES:
        for position in samples(game):
            drawn = svg.draw(position, theme=theme, legal=True, last=(0,), highlights=(1,), arrows=((0, 1),))
            assert re.findall(r"\w+://[^\"]*", drawn) == ["http://www.w3.org/2000/svg"]
            assert "<script" not in drawn and "<image" not in drawn and "<style" not in drawn
            assert set(re.findall(r"=\"(#[0-9a-f]{6})\"", drawn)) <= set(svg.THEMES[theme].values())


def test_themes_name_the_same_colours() -> None:
    assert svg.THEMES["light"].keys() == svg.THEMES["dark"].keys()
    assert svg.draw(Avanco.start(), theme="light") != svg.draw(Avanco.start(), theme="dark")


@pytest.mark.parametrize("game", GAMES)
def test_flipping_turns_the_board_and_leaves_letters_upright(game: str) -> None:
    position = samples(game)[1]

    def centre_of_last(drawn: str) -> tuple[float, float]:
        (tint,) = with_class(fromstring(drawn), "last")
        if numbers := [float(number) for number in re.findall(r"-?[\d.]+", tint.get("points", ""))]:
            return (sum(numbers[::2]) / len(numbers[::2]), sum(numbers[1::2]) / len(numbers[1::2]))
        return (float(tint.get("cx", "nan")), float(tint.get("cy", "nan")))

    for cell in (0, 3):
        x, y = centre_of_last(svg.draw(position, last=(cell,)))
        turned_x, turned_y = centre_of_last(svg.draw(position, last=(cell,), flipped=True))
        assert turned_x == pytest.approx(-x, abs=0.2)
        assert turned_y == pytest.approx(-y, abs=0.2)
    turned = fromstring(svg.draw(position, flipped=True))
    assert all(element.get("transform") is None for element in turned.iter(f"{SVG}text"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("flipped", [False, True])
def test_labels_lie_inside_the_picture_and_may_be_left_out(game: str, flipped: bool) -> None:
    position = get(game).start()
    picture = fromstring(svg.draw(position, flipped=flipped))
    left, top, width, height = map(float, picture.get("viewBox", "").split())
    expected = [label.text for label in position.geometry.labels]
    labels = picture.findall(f"{SVG}text")
    assert [element.text for element in labels] == expected
    for element in labels:
        size = float(element.get("font-size", ""))
        assert left + size / 2 < float(element.get("x", "")) < left + width - size / 2
        assert top + size < float(element.get("y", "")) < top + height
    assert not fromstring(svg.draw(position, coordinates=False)).findall(f"{SVG}text")


def test_the_size_is_the_one_asked_for() -> None:
    picture = fromstring(svg.draw(get("hex").start(), width=900))
    width, height = map(float, picture.get("viewBox", "").split()[2:])
    assert picture.get("width") == "900"
    assert float(picture.get("height", "")) == pytest.approx(900 * height / width, abs=1)


def test_what_is_said_about_cells_is_shown_on_them() -> None:
    position = Avanco.start()
    picture = fromstring(svg.draw(position, last=(7, 14), highlights=(20, 20), arrows=((0, 9), (3, 3))))
    assert cells(picture, "last") == ["a2", "a3"]
    assert cells(picture, "highlight") == ["d1", "g3"]
    assert len(with_class(picture, "arrow")) == 1
    assert cells(picture, "legal") == []


@pytest.mark.parametrize("game", GAMES)
def test_legal_shows_where_moves_begin_by_a_ring_or_a_dot(game: str) -> None:
    for position in samples(game):
        picture = fromstring(svg.draw(position, legal=True))
        first = {clicks[0] for move in position.legal_moves() if (clicks := position.clicks(move))}
        assert cells(picture, "legal") == sorted(position.geometry.names[cell] for cell in first)
        pieces = {position.geometry.names[cell] for cell in position.pieces()}
        for element in with_class(picture, "legal"):
            assert (element.get("fill") == "none") == (element.get("data-cell") in pieces)


def test_seeds_lie_in_their_pits_and_are_counted() -> None:
    position = get("ouri").from_str(MORE["ouri"])
    picture = fromstring(svg.draw(position))
    drawn = {element.get("data-cell"): element for element in with_class(picture, "piece")}
    assert sorted(map(str, drawn)) == ["A", "B", "C", "N", "S", "a", "b", "c", "e"]
    for cell, piece in position.pieces().items():
        element = drawn[position.geometry.names[cell]]
        seeds = element.findall(f"{SVG}use")
        assert len(seeds) == piece.count
        assert len({(seed.get("x"), seed.get("y")) for seed in seeds}) == piece.count
        assert element.findtext(f"{SVG}text") == str(piece.count)


def test_a_score_is_shown_beside_a_board_without_stores() -> None:
    position = get("abalone").from_str("wwwww/wwwwww/2ww3/8/9/8/2b4/bbbbbb/bbbbb b 2-1")
    (score,) = with_class(fromstring(svg.draw(position)), "score")
    assert [element.text for element in score.iter(f"{SVG}text")] == ["Marbles off the board: white 1, black 2"]
    (portuguese,) = with_class(fromstring(svg.draw(position, language="pt")), "score")
    assert [element.text for element in portuguese.iter(f"{SVG}text")] == [
        "Berlindes fora do tabuleiro: brancos 1, negros 2"
    ]
    assert with_class(fromstring(svg.draw(get("ouri").start())), "score") == []


HOSTILE = '<script>alert("&\'")</script>{id}\x00\ud800'


@dataclass(frozen=True)
class Hostile(Avanco):
    """Whatever a game may say about itself."""

    name: ClassVar[Text] = Text(HOSTILE, HOSTILE)

    def pieces(self) -> dict[Cell, Piece]:
        return {3: Piece(HOSTILE, HOSTILE, HOSTILE), 4: Piece("Z", "dragon", "black"), 5: Piece("Z", "dragon", "white")}

    def marks(self) -> dict[Cell, str]:
        return {0: HOSTILE}

    def colour(self, player: Player) -> str:
        return HOSTILE

    def score(self) -> tuple[int, int]:
        return (1, 2)


def test_any_text_of_a_game_is_only_text() -> None:
    start = Avanco.start()
    drawn = svg.draw(Hostile(start.turn, start.options, start.board), legal=True)
    picture = fromstring(drawn)
    assert not list(picture.iter(f"{SVG}script"))
    shown = HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert picture.findtext(f"{SVG}title") == shown
    assert [element.text for element in picture.iter(f"{SVG}text")].count(shown) == 2
    drawn.encode()


def test_an_unknown_kind_is_a_disc_with_its_symbol() -> None:
    start = Avanco.start()
    picture = fromstring(svg.draw(Hostile(start.turn, start.options, start.board)))
    dragons = [element for element in definitions(picture).values() if element.findtext(f"{SVG}text") == "Z"]
    black, white = map(bare_shape, dragons)
    assert black != white


def test_what_cannot_be_drawn_is_refused() -> None:
    start = Avanco.start()
    with pytest.raises(TabuleiroError, match="themes"):
        svg.draw(start, theme="pink")  # type: ignore[arg-type]
    with pytest.raises(TabuleiroError, match="width"):
        svg.draw(start, width=0)
    for cell in (-1, 49):
        with pytest.raises(TabuleiroError, match="no cell"):
            svg.draw(start, highlights=(cell,))
        with pytest.raises(TabuleiroError, match="no cell"):
            svg.draw(start, arrows=((0, cell),))
        with pytest.raises(TabuleiroError, match="no cell"):
            svg.draw(start, last=(cell,))


def test_a_notebook_shows_the_picture() -> None:
    assert Avanco.start()._repr_svg_() == svg.draw(Avanco.start())


@pytest.mark.parametrize("game", ["rastros", "hex", "abalone", "ouri"])
def test_numbers_stand_on_their_cells_in_order(game: str) -> None:
    position = get(game).start()
    names = position.geometry.names
    chosen = [5, 0, 3]
    picture = fromstring(svg.draw(position, numbers=chosen))
    numbers = with_class(picture, "number")
    assert [element.get("data-cell") for element in numbers] == [names[cell] for cell in chosen]
    assert ["".join(element.itertext()) for element in numbers] == ["1", "2", "3"]
    # Each is a coin in the middle of its cell, above whatever stands there.
    for element, cell in zip(numbers, chosen, strict=True):
        (coin,) = element.iter(f"{SVG}circle")
        x, y = position.geometry.centres[cell]
        assert (float(coin.get("cx", "")), float(coin.get("cy", ""))) == pytest.approx((100 * x, 100 * y), abs=0.1)
    order = [str(element.get("class")) for element in picture.iter() if element.get("class") in ("piece", "number")]
    assert order == sorted(order, reverse=True)
    assert not with_class(fromstring(svg.draw(position)), "number")
    with pytest.raises(TabuleiroError):
        svg.draw(position, numbers=[len(names)])


@pytest.mark.parametrize("game", ["rastros", "hex", "abalone", "ouri"])
def test_dominoes_regions_and_values_are_drawn_where_they_belong(game: str) -> None:
    position = get(game).start()
    names = position.geometry.names
    picture = fromstring(
        svg.draw(position, dominoes=[(0, 1)], regions=[((2, 3, 4), "3"), ((5,), "")], values=[(6, "½"), (7, "−")])
    )
    assert [element.get("data-cells") for element in with_class(picture, "domino")] == [f"{names[0]} {names[1]}"]
    assert cells(picture, "region") == sorted(names[cell] for cell in (2, 3, 4, 5))
    (label,) = with_class(picture, "region-label")
    assert "".join(label.itertext()) == "3" and label.get("data-cell") in [names[cell] for cell in (2, 3, 4)]
    assert {str(each.get("data-cell")): "".join(each.itertext()) for each in with_class(picture, "value")} == {
        names[6]: "½",
        names[7]: "−",
    }
    # Regions differ by their hatching.
    assert len({pattern.get("patternTransform") for pattern in picture.iter(f"{SVG}pattern")}) == 2
