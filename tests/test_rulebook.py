"""Rule texts: every file follows the format, and its diagrams are positions of its game."""

from importlib.resources import files

import pytest

from tabuleiro.core import Position
from tabuleiro.diagrams import Diagram, RulebookError
from tabuleiro.games import GAMES
from tabuleiro.games.avanco import Avanco
from tabuleiro.language import LANGUAGES, Language
from tabuleiro.rulebook import (
    BulletList,
    Heading,
    Paragraph,
    Span,
    parse,
    read_rules,
    spans,
)
from tabuleiro.search.base import Worth
from tabuleiro.solve.base import Solution
from tabuleiro.solve.registry import solver_for


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_has_rules_with_diagrams(game: type[Position], language: Language) -> None:
    assert files("tabuleiro").joinpath("rules", f"{game.id}.{language}.md").is_file()
    blocks = read_rules(game, language)
    assert isinstance(blocks[0], Heading)
    assert [block for block in blocks if isinstance(block, Heading) and block.level == 1] == blocks[:1]
    diagrams = [block for block in blocks if isinstance(block, Diagram)]
    assert len(diagrams) >= 2
    assert all(diagram.caption for diagram in diagrams)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_both_languages_show_the_same_diagrams(game: type[Position]) -> None:
    shown = [
        [
            (block.position, block.last, block.arrows, block.highlights, block.numbers, block.legal)
            for block in read_rules(game, language)
            if isinstance(block, Diagram)
        ]
        for language in LANGUAGES
    ]
    assert shown[0] == shown[1]


def test_every_rule_text_belongs_to_a_game() -> None:
    names = {file.name for file in files("tabuleiro").joinpath("rules").iterdir()}
    assert names == {f"{game}.{language}.md" for game in GAMES for language in LANGUAGES}


def test_blocks() -> None:
    text = """# Title
First line
second line.
- one
  goes on
- two **bold**
after the list

```board
options: size=5
play: a2-a3 b4-b3
arrows: a2>a3 b4>b3
highlight: c3
numbers: a3 b3
legal: yes
caption: A caption: with a colon.
```
## Sub
"""
    blocks = parse(Avanco, text)
    assert blocks[:4] == [
        Heading(1, "Title"),
        Paragraph("First line second line."),
        BulletList(("one goes on", "two **bold**")),
        Paragraph("after the list"),
    ]
    diagram = blocks[4]
    assert isinstance(diagram, Diagram)
    assert str(diagram.position) == "bbbbb/b1bbb/wb3/1wwww/wwwww w"
    cell = diagram.position.geometry.index
    assert diagram.last == (cell["b4"], cell["b3"])
    assert diagram.arrows == ((cell["a2"], cell["a3"]), (cell["b4"], cell["b3"]))
    assert diagram.highlights == (cell["c3"],)
    assert diagram.numbers == (cell["a3"], cell["b3"])
    assert diagram.legal
    assert diagram.caption == "A caption: with a colon."
    assert blocks[5:] == [Heading(2, "Sub")]


@pytest.mark.parametrize(
    ("lines", "number", "word"),
    [
        (["```board", "play: a2-a3"], 1, "closed"),
        (["x", "```chess", "```"], 2, "board"),
        (["```board", "colour: red", "```"], 2, "colour"),
        (["```board", "legal: yes", "legal: yes", "```"], 3, "legal"),
        (["```board", "play: a1-a5", "```"], 2, "legal"),
        (["```board", "position: 7/7 w", "```"], 2, "ranks"),
        (["```board", "arrows: a1>z9", "```"], 2, "z9"),
        (["```board", "options: size", "```"], 2, "size"),
    ],
)
def test_damage_is_told_by_line(lines: list[str], number: int, word: str) -> None:
    with pytest.raises(RulebookError) as caught:
        parse(Avanco, "\n".join(lines))
    assert caught.value.text.en.startswith(f"line {number}: ")
    assert caught.value.text.pt.startswith(f"linha {number}: ")
    assert word in caught.value.text.en


def test_a_game_without_rule_text_shows_its_summary_and_options() -> None:
    class Ninth(Avanco):
        id = "ninth"

    blocks = read_rules(Ninth, "pt")
    assert blocks[:2] == [Heading(1, "Avanço"), Paragraph(Avanco.summary.pt)]
    assert blocks[3] == BulletList(("`size` (7, 5..8): casas de cada lado do tabuleiro",))


def test_spans() -> None:
    assert spans("play **now** `d4`, then `e5`") == [
        Span("play "),
        Span("now", "bold"),
        Span(" "),
        Span("d4", "code"),
        Span(", then "),
        Span("e5", "code"),
    ]
    assert spans("2 * 3 ** 2") == [Span("2 * 3 ** 2")]


# ------------------------------------------------------------------------------------- what the texts say is computed


def _solved(position: Position) -> Solution:
    return solver_for(position).solve(position)


def _worth(position: Position) -> Worth | None:
    score = _solved(position).score
    return None if score is None else score.worth


def test_the_quickest_win_of_rastros_and_the_slower_ones() -> None:
    example = next(
        block.position
        for block in read_rules(GAMES["rastros"], "pt")
        if isinstance(block, Diagram) and block.caption.startswith("É a vez do jogador 1")
    )
    solution = _solved(example)
    distances = {
        example.move_str(move): score.plies
        for move, score in solution.moves.items()
        if score is not None and score.worth is Worth.WIN
    }
    assert distances == {"c1": 3, "b3": 7, "c3": 7}
    told: tuple[tuple[Language, str], ...] = (
        ("pt", "mais rápida de ganhar é `c1`"),
        ("en", "quickest way to win is `c1`"),
    )
    for language, words in told:
        paragraphs = [block.text for block in read_rules(GAMES["rastros"], language) if isinstance(block, Paragraph)]
        assert any(words in paragraph for paragraph in paragraphs)


def _safe(position: Position) -> list[int]:
    """The moves after which the opponent cannot win at once."""

    def wins_now(after: Position) -> bool:
        return any(after.play(move).outcome() is not None for move in after.legal_moves())

    return [move for move in position.legal_moves() if not wins_now(position.play(move))]


def _safe_runs(position: Position) -> set[int]:
    """How many safe moves can be made one after another, in every way of making them."""
    safe = _safe(position)
    return {1 + rest for move in safe for rest in _safe_runs(position.play(move))} if safe else {0}


def test_the_tip_of_semaforo_agrees_with_its_example() -> None:
    lost = next(
        block.position
        for block in read_rules(GAMES["semaforo"], "pt")
        if isinstance(block, Diagram) and "já perdeu" in block.caption
    )
    assert _safe_runs(lost) == {2}, "two in every way, an even number"
    assert _worth(lost) is Worth.LOSS
    # An odd number of safe moves to make is what one wants.
    winning = lost.play(_safe(lost)[0])
    assert _safe_runs(winning) == {1}
    assert _worth(winning) is Worth.WIN


def test_the_diagonal_of_abalone_that_the_text_names() -> None:
    diagram = next(block for block in read_rules(GAMES["abalone"], "pt") if isinstance(block, Diagram))
    geometry = diagram.position.geometry
    names = [geometry.names[cell] for cell in diagram.highlights]
    assert names == [name for name in geometry.names if name.endswith("5")]
    assert [geometry.names[cell] for cell in geometry.rays["nw"][geometry.index["A1"]]] == ["B1", "C1", "D1", "E1"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_text_says_what_we_decided_and_ends_with_the_card(game: type[Position], language: Language) -> None:
    blocks = read_rules(game, language)
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    expected = {"pt": ["As nossas decisões", "Ficha do jogo"], "en": ["Our rulings", "About the game"]}
    assert headings[-2:] == expected[language]
    (rulings, card) = [block for block in blocks if isinstance(block, BulletList)][-2:]
    assert rulings.items and game.card.material is not None
    assert game.card.material.to(language) in card.items[0]
    if game.cycles:
        assert "6.º" in card.items[-1] or "6th" in card.items[-1], "editions differ: the card names its own"


def test_the_rulings_that_must_be_told() -> None:
    told = {}
    for game in ("guerreiros", "ouri"):
        told[game] = " ".join(
            [block for block in read_rules(GAMES[game], "pt") if isinstance(block, BulletList)][-2].items
        )
    for words in (
        "exatamente",
        "coloca o rei primeiro",
        "jogada seguinte",
        "ao mesmo tempo",
        "terceira vez",
        "os dois no campo do rei",
        "o rei pode ser capturado assim",
        "para o lado ou para trás",
        "quem já saltou não salta outra vez",
    ):
        assert words in told["guerreiros"]
    for words in ("uma só semente não serve para dar de comer", "haja muitas ou poucas sementes"):
        assert words in told["ouri"]


def test_the_solution_of_rastros_is_shown_by_numbers() -> None:
    diagrams = [block for block in read_rules(GAMES["rastros"], "pt") if isinstance(block, Diagram)]
    (solution,) = (diagram for diagram in diagrams if len(diagram.numbers) == 6)
    names = solution.position.geometry.names
    assert [names[cell] for cell in solution.numbers] == ["b1", "c1", "b2", "c3", "b3", "a4"]
    assert solution.arrows == ()
