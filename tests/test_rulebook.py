"""Rule texts: every file follows the format, and its diagrams are positions of its game."""

from importlib.resources import files

import pytest

from tabuleiro.core import Position
from tabuleiro.games import GAMES
from tabuleiro.games.avanco import Avanco
from tabuleiro.language import LANGUAGES, Language
from tabuleiro.rulebook import (
    BulletList,
    Diagram,
    Heading,
    Paragraph,
    RulebookError,
    Span,
    parse,
    read_rules,
    spans,
)


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
            (block.position, block.last, block.arrows, block.highlights, block.legal)
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
        (["```board", "play: a1-a5", "```"], 1, "legal"),
        (["```board", "position: 7/7 w", "```"], 1, "ranks"),
        (["```board", "arrows: a1>z9", "```"], 1, "z9"),
        (["```board", "options: size", "```"], 1, "size"),
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
    assert blocks[3] == BulletList(("`size` (7, 5..8): lado do tabuleiro",))


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
