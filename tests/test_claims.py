"""What pages for players say of the usual rules is what the options do by default.

Every option has a line here: its default, and words of the rule text, in both languages, that say so. Whoever changes
a default, or the words, is told to change the other. Words that would claim another value are looked for in all pages:
they may stand only in a paragraph that names the option.
"""

import dataclasses
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path

import pytest

import tabuleiro
from tabuleiro.core import Player, Position
from tabuleiro.games import GAMES
from tabuleiro.language import LANGUAGES, Language, number
from tabuleiro.rulebook import BulletList, Heading, read_rules

ROOT = Path(tabuleiro.__file__).parent


@dataclass(frozen=True)
class Claim:
    """The default of an option, and what texts say of it."""

    default: str
    #: Words of the rule text, in Portuguese and in English; none where a text need not speak of what is not there.
    pt: str | None
    en: str | None
    #: What would be said under another value, as patterns.
    otherwise: tuple[str, ...] = ()


NO_LIMIT = Claim("off", None, None)

CLAIMS: dict[str, dict[str, Claim]] = {
    "avanco": {"size": Claim("7", "7 por 7 casas", "7 by 7 cells")},
    "rastros": {
        "size": Claim("7", "7 por 7 casas", "7 by 7 cells"),
        "stalemate": Claim("loss", "perdes", "you lose", (r"sem jogada[^.]*empata", r"without a move[^.]*draw")),
        "must_keep_goal_reachable": Claim("false", None, None, (r"proibido isolar", r"forbidden to cut")),
    },
    "hex": {
        "size": Claim("11", "11 hexágonos de lado", "11 hexagons along each side"),
        "swap": Claim("true", "trocam de cor", "exchange colours"),
        "first": Claim("white", "começam as Brancas", "White begins", (r"começam as Negras", r"Black begins")),
    },
    "semaforo": {"board": Claim("3x4", "3 linhas e 4 colunas", "3 rows and 4 columns")},
    "ouri": {
        "rules": Claim(
            "ouri", "jogas **outra vez**", "you move **again**", (r"com outras capturas", r"captures otherwise")
        ),
        "feed_overrides_singles": Claim("false", "não serve para dar de comer", "does not serve to feed"),
        "cycle_threshold": Claim("3", "**terceira vez**", "**third time**"),
        "cycle_collect": Claim("none", "sementes que estão nas casas não contam", "Seeds in houses do not count"),
        "no_capture_limit": NO_LIMIT,
    },
    "konane": {
        "size": Claim("8", "8 por 8 casas", "8 by 8 cells"),
        "opening": Claim("fixed", "Só d4 e e4", "Only d4 and e4"),
    },
    "guerreiros": {
        "first": Claim("south", "depois começa o Sul", "then South begins", (r"o Norte começa", r"North begins")),
        "strict_first_move": Claim("false", "para o lado ou para trás", "sideways or backwards"),
        "first_move_leap": Claim("false", "não se salta por cima de peças", "neither leaps over pieces"),
        "line_distance": Claim("exact", "exatamente o número de casas", "exactly as many cells"),
        "line_step_over_occupied": Claim("false", "um passo para uma casa vazia", "a step to an empty cell"),
        "line_field": Claim("both", "os dois no campo do rei", "both in the king's field"),
        "frozen_immune": Claim("false", "lá podem ser capturados", "can be captured there"),
        "cumulative_arrivals": Claim("false", "ao mesmo tempo", "at the same time"),
        "teleport": Claim("next_turn", "faz-se na jogada seguinte", "on the next turn"),
        "teleport_each_arrival": Claim("false", "não salta outra vez", "does not jump again"),
        "south_king": Claim("choose", "Sul escolhe a coluna do seu rei", "South chooses the column"),
        "north_king": Claim("choose", "Norte escolhe a do dele", "North"),
        "hidden_kings": Claim(
            "false",
            "o Norte já vê onde ele está",
            "North already sees where it is",
            (
                r"segredo",
                r"in secret",
                r"informação escondida",
                r"hidden information",
                r"reis se escolhem ao mesmo tempo",
            ),
        ),
        "repetition": Claim("3", "pela terceira vez", "for the third time"),
        "no_progress_limit": NO_LIMIT,
    },
    "abalone": {
        "layout": Claim("standard", "com as Negras em baixo", "Black"),
        "repetition": Claim("3", "pela terceira vez", "for the third time"),
        "move_limit": NO_LIMIT,
        "ejections": Claim("6", "**seis berlindes**", "**six marbles**"),
    },
}


def paragraphs(game: str) -> Iterator[tuple[str, str]]:
    """The paragraphs of all pages of a game, each with its file; lines are joined, so that words are found."""
    files = [*ROOT.glob(f"rules/{game}.*.md"), ROOT / "mathematics" / f"{game}.md", *ROOT.glob(f"lessons/{game}/*.md")]
    for file in sorted(files):
        for paragraph in re.split(r"\n\s*\n|\n(?=[-#] |pt: |en: )", file.read_text("utf-8")):
            yield file.name, " ".join(paragraph.split())


def rule_text(game: str, language: Language) -> str:
    return " ".join((ROOT / "rules" / f"{game}.{language}.md").read_text("utf-8").split())


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_default_is_what_the_rule_text_says(game: type[Position]) -> None:
    defaults = game.options_type().items()
    assert CLAIMS[game.id].keys() == defaults.keys(), "an option needs a line in CLAIMS"
    for name, claim in CLAIMS[game.id].items():
        assert defaults[name] == claim.default, f"the texts of {game.id} speak of {claim.default}"
        for language, words in zip(LANGUAGES, (claim.pt, claim.en), strict=True):
            assert words is None or words.lower() in rule_text(game.id, language).lower(), (name, words)


@pytest.mark.parametrize("game", GAMES)
def test_no_page_tells_an_option_as_the_rule(game: str) -> None:
    wrong = [
        (file, name, found[0])
        for file, paragraph in paragraphs(game)
        for name, claim in CLAIMS[game].items()
        for pattern in claim.otherwise
        if f"`{name}`" not in paragraph and (found := re.search(pattern, paragraph, re.IGNORECASE))
    ]
    assert wrong == []


def test_rulings_are_told_as_ours() -> None:
    """What the rule sheet leaves open stands under our decisions, whatever else the text says of it."""
    for language in LANGUAGES:
        for game in GAMES.values():
            blocks = read_rules(game, language)
            heading = next(
                place
                for place, block in enumerate(blocks)
                if isinstance(block, Heading) and block.text in ("As nossas decisões", "Our rulings")
            )
            (rulings,) = [block for block in blocks[heading : heading + 3] if isinstance(block, BulletList)]
            told = " ".join(rulings.items).lower()
            ours = [
                CLAIMS[game.id][field.name]
                for field in dataclasses.fields(game.options_type)
                if not field.metadata["official"]
            ]
            missing = [words for claim in ours if (words := getattr(claim, language)) and _plain(words) not in told]
            assert missing == [], (game.id, language)


def _plain(words: str) -> str:
    return words.lower().replace("**", "")


def test_the_endings_of_guerreiros_are_as_many_as_its_page_says() -> None:
    """King and warrior against king and warrior, and who is to move."""
    cells = len(GAMES["guerreiros"].start().geometry)
    ways = [*range(cells, cells - 4, -1)]
    millions = prod(ways) * len(Player) / 1e6
    page = (ROOT / "mathematics" / "guerreiros.md").read_text("utf-8")
    for language, words in zip(LANGUAGES, ("milhões de posições", "million positions"), strict=True):
        assert f"{number(millions, language, 1)} {words}" in page
    assert " × ".join(map(str, ways)) in page


def test_awari_captures_as_the_page_of_ouri_says() -> None:
    """Oware, of which Awari is a dialect, and Ouri take the same seeds by the same move, unless it would take all."""
    rules, rng, captures = GAMES["ouri"], random.Random(1), 0
    for _ in range(200):
        houses = [str(rng.choice((0, 1, 2, 3, 7))) for _ in range(12)]
        left = 48 - sum(map(int, houses))
        if left < 2 or left // 2 > 24:
            continue
        text = f"{','.join(houses[:6])}/{','.join(houses[6:])} {left // 2}-{left - left // 2} S"
        ouri, oware = (rules.from_str(text, rules.options_type.parse({"rules": name})) for name in ("ouri", "oware"))
        for move in {*ouri.legal_moves()} & {*oware.legal_moves()}:
            after = ouri.play(move)
            if after.turn is ouri.turn or after.outcome() is not None:
                continue
            assert str(oware.play(move)) == str(after), (text, ouri.move_str(move))
            captures += after.score() != ouri.score()
    assert captures > 50


def test_the_page_of_hex_says_up_to_which_board_it_is_solved() -> None:
    """By others: every opening up to 9x9."""
    page = " ".join((ROOT / "mathematics" / "hex.md").read_text("utf-8").split())
    for words in ("até 9 por 9 sabe-se quem ganha", "up to 9 by 9 it is known who wins", "Pawlewicz e Hayward", "2013"):
        assert words in page
    assert "nobody knows how" not in page
